"""The commands `import` and `export`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from legacymind.doors.cli import show
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.services.knowledge.import_format import RefusedLine

_SHOWN_REFUSED: Final = 20
"""The most refused lines that are printed."""


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--namespace", help="Namespace to import into.")
@click.option("--dry-run", is_flag=True, help="Check the file and count its lines, but store nothing.")
@click.pass_context
def import_(context: click.Context, file: Path, namespace: str | None, dry_run: bool) -> None:
    """Import entities, observations, relations and thoughts from JSON Lines (docs/import-format.md).

    A line with a text that is too long is reported, and all others are imported. Any other faulty line
    stops the import before anything is stored. The exit code is 1 in both cases.
    """

    async def work() -> None:
        async with Mind() as mind:
            try:
                with file.open("rb") as lines, show.progress() as progress:
                    imported = await mind.import_lines(
                        lines, namespace=namespace, progress=progress, dry_run=dry_run
                    )
            except OSError as reason:
                raise InvalidInput(
                    f"{file} cannot be read: {reason.strerror}.", hint="Check the path."
                ) from None
        counts = (
            f"{imported.entities} entities, {imported.observations} observations, "
            f"{imported.relations} relations, {imported.thoughts} thoughts."
        )
        if dry_run:
            show.message(f"The file has {counts} Nothing was stored.")
        else:
            show.message(f"New: {counts} Already stored: {imported.known}.")
        show.dropped_tags(imported.dropped_tags)
        if imported.deferred:
            show.message(show.DEFERRED)
        if imported.refused:
            _report_refused(imported.refused, dry_run=dry_run)
            context.exit(1)

    run(work)


def _report_refused(lines: Sequence[RefusedLine], *, dry_run: bool) -> None:
    """Print the refused lines to standard error, at most ``_SHOWN_REFUSED`` of them."""
    for line in lines[:_SHOWN_REFUSED]:
        click.echo(
            f"Line {line.line} {'cannot be' if dry_run else 'was not'} imported: {line.reason}.", err=True
        )
    if len(lines) > _SHOWN_REFUSED:
        click.echo(f"{len(lines) - _SHOWN_REFUSED:,} more lines are too long.", err=True)
    click.echo("Shorten or split these texts and import the file again; known lines are skipped.", err=True)


@click.command()
@click.option("--session", "session_id", required=True, help="Session to export.")
@click.option("--namespace", help="Namespace of the session.")
def export(session_id: str, namespace: str | None) -> None:
    """Export a session's hash chain as JSON Lines. docs/chain.md shows how to verify it independently."""

    async def work() -> None:
        async with Mind() as mind:
            async for line in mind.export_chain(session_id, namespace):
                print(json.dumps(line))  # ASCII, so that the terminal's encoding cannot change hashed text

    run(work)
