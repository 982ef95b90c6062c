"""The command `key create`."""

from pathlib import Path

import click

from legacymind.doors.cli import output
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.listing import examples
from legacymind.doors.cli.run import accessed
from legacymind.services.chain.signing import SigningKey
from legacymind.settings import load_settings


@click.group(epilog=examples("key create"))
def key() -> None:
    """Make the key that signs exported heads."""


@key.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
def create(file: Path | None, as_json: bool) -> None:
    """Make a private key (Ed25519, of OpenSSH), and print the public key for those who verify.

    FILE is that of the setting `signing_key_file` by default. An existing key of `ssh-keygen -t ed25519`
    without a passphrase serves as well. The public key is also in FILE.pub.
    """
    file = file or load_settings().signing_key_path
    with accessed(file, "written", "No key was made."):
        made = SigningKey.create(file).public
    told = {"file": file, "public_key": str(made), "fingerprint": made.fingerprint}
    output.answer(told, as_json, str(made))
    click.echo(f"The private key is in {file}. Keep a copy of it where no other program reads it.", err=True)
