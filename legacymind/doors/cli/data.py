"""Files in and out: import, export."""

import json
from pathlib import Path

import click

from legacymind.doors.cli import show
from legacymind.doors.cli.run import configured, run
from legacymind.errors import InvalidInput
from legacymind.mind import Mind


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--namespace", help="Namespace to import into.")
def import_(file: Path, namespace: str | None) -> None:
    """Import a JSON Lines file of entities, observations, relations and thoughts (docs/import-format.md)."""

    async def work() -> None:
        async with Mind(configured()) as mind:
            try:
                with file.open("rb") as lines, show.progress() as tell:
                    imported = await mind.importing.load(lines, namespace=namespace, progress=tell)
            except OSError as reason:
                raise InvalidInput(
                    f"{file} cannot be read: {reason.strerror}.", hint="Check the path."
                ) from None
        show.say(
            f"New: {imported.entities} entities, {imported.observations} observations, "
            f"{imported.relations} relations, {imported.thoughts} thoughts. Known already: {imported.known}."
        )
        if imported.deferred:
            show.say(show.DEFERRED)

    run(work)


@click.command()
@click.option("--session", "session_id", required=True, help="The session whose chain is written.")
@click.option("--namespace", help="Namespace of the session.")
def export(session_id: str, namespace: str | None) -> None:
    """Write a session's chain as JSON Lines that can be verified without LegacyMind (docs/chain.md)."""

    async def work() -> None:
        async with Mind(configured()) as mind:
            async for line in mind.heads.export_chain(session_id, namespace):
                print(json.dumps(line))  # ASCII, so that no terminal's encoding changes what was hashed

    run(work)
