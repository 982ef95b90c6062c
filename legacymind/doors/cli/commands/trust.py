"""The command `trust`: accepts all settings of a folder's files."""

from pathlib import Path

import click

from legacymind import trust as folders
from legacymind.doors.cli import output
from legacymind.doors.cli.listing import examples


@click.command(epilog=examples("trust", "trust . --remove"))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path())
@click.option("--remove", is_flag=True, help="Trust it no longer.")
def trust(folder: Path, remove: bool) -> None:
    """Let the files of a folder set everything: servers, keys and paths, too.

    Without it, `legacymind.toml` of a project sets only the namespace and what recall selects, and a variable
    that a file of a project gives, such as `.env` or `.mcp.json`, counts as unset. Subfolders are not
    included.
    """
    folders.trust(folder, on=not remove)
    output.message(f"{folder.resolve()} is {'no longer ' if remove else ''}trusted.")
