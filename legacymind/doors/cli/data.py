"""The commands `import` and `export`."""

import json
from pathlib import Path

import click

from legacymind.doors.cli import show
from legacymind.doors.cli.run import run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--namespace", help="Namespace to import into.")
def import_(file: Path, namespace: str | None) -> None:
    """Import entities, observations, relations and thoughts from JSON Lines (docs/import-format.md)."""

    async def work() -> None:
        async with Mind() as mind:
            try:
                with file.open("rb") as lines, show.progress() as progress:
                    imported = await mind.import_lines(lines, namespace=namespace, progress=progress)
            except OSError as reason:
                raise InvalidInput(
                    f"{file} cannot be read: {reason.strerror}.", hint="Check the path."
                ) from None
        show.message(
            f"New: {imported.entities} entities, {imported.observations} observations, "
            f"{imported.relations} relations, {imported.thoughts} thoughts. Already stored: {imported.known}."
        )
        show.dropped_tags(imported.dropped_tags)
        if imported.deferred:
            show.message(show.DEFERRED)

    run(work)


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
