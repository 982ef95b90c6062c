"""The commands `install` and `uninstall`: LegacyMind in the settings of MCP clients."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from legacymind.doors.cli.clients import CLIENTS, Client, Unreadable
from legacymind.doors.cli.run import program
from legacymind.doors.cli.serve import profile_option
from legacymind.errors import ConfigurationError

BACKUP: Final = ".legacymind-backup"
"""Ending of the copy of a settings file as it was before its last change."""

_client = click.argument("client", type=click.Choice(list(CLIENTS)))
_print = click.option("--print", "only_print", is_flag=True, help="Print the new settings; change nothing.")


@click.command()
@_client
@profile_option
@_print
def install(client: str, profile: str, only_print: bool) -> None:
    """Add LegacyMind to the settings of an MCP client.

    Everything else in the file stays as it is, comments too. The file as it was before is kept beside it,
    with the ending .legacymind-backup. Repeating the command changes nothing.
    """
    arguments = ["mcp"] if profile == "core" else ["mcp", "--profile", profile]
    chosen, before = CLIENTS[client], _read(CLIENTS[client])
    after = _parsed(chosen, lambda: chosen.added(before, program(), arguments))
    _finish(chosen, before, after, only_print, "Added LegacyMind to", "LegacyMind is in")
    if not only_print and after != before:
        click.echo(f"Restart {chosen.title}, or reload its MCP servers.")


@click.command()
@_client
@_print
def uninstall(client: str, only_print: bool) -> None:
    """Remove LegacyMind from the settings of an MCP client.

    Everything else in the file stays as it is. Stored data is kept.
    """
    chosen, before = CLIENTS[client], _read(CLIENTS[client])
    after = _parsed(chosen, lambda: chosen.removed(before))
    _finish(chosen, before, after, only_print, "Removed LegacyMind from", "LegacyMind is not in")


def _read(client: Client) -> str:
    try:
        # Bytes: the newlines of the file stay as they are.
        return client.file().read_bytes().decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as reason:
        raise ConfigurationError(
            f"The settings of {client.title} in {client.file()} cannot be read: {reason}.",
            effect="They were not changed.",
            hint="Check the file.",
        ) from None


def _parsed(client: Client, change: Callable[[], str]) -> str:
    try:
        return change()
    except Unreadable as reason:
        raise ConfigurationError(
            f"The settings of {client.title} in {client.file()} cannot be parsed: {reason}.",
            effect="They were not changed.",
            hint="Correct the file, or add the server by hand: `legacymind demo` prints its entry.",
        ) from None


def _finish(client: Client, before: str, after: str, only_print: bool, done: str, unchanged: str) -> None:
    file = client.file()
    if only_print:
        click.echo(after, nl=False)
    elif after == before:
        click.echo(f"{unchanged} {file}; nothing was changed.")
    else:
        try:
            _write(file, after)
        except OSError as reason:
            raise ConfigurationError(
                f"The settings of {client.title} in {file} cannot be written: {reason}.",
                effect="They were not changed.",
                hint="Make the file writable, or add the server by hand (--print shows it).",
            ) from None
        click.echo(f"{done} {file}.")


def _write(file: Path, text: str) -> None:
    """Replace the file, or the file that it links to, in one step; keep its mode and a backup."""
    real = file.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    if real.exists():
        shutil.copy2(real, real.with_name(real.name + BACKUP))
    handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=".legacymind-")
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(text.encode())
        if real.exists():
            shutil.copymode(real, temporary)
        Path(temporary).replace(real)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
