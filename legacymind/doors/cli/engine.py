"""The managed engine from the command line: up, down, status, logs."""

import dataclasses
import json
from typing import Any, Final

import click

from legacymind.db.errors import without_credentials
from legacymind.doors.cli import show
from legacymind.doors.cli.run import configured, run
from legacymind.embed import make_embedder
from legacymind.engine import Engine
from legacymind.errors import DatabaseError, DatabaseUnreachable, EmbeddingMismatch, LegacyMindError
from legacymind.mind import Mind
from legacymind.settings import Settings

_UNUSABLE: Final = 3
"""Exit code of `up` when Neo4j answers, but cannot be used as things are; 1 is that it does not answer."""


@click.command()
@click.pass_context
def up(context: click.Context) -> None:
    """Start the managed Neo4j, fetching it and the embedding model when they are not there yet.

    With NEO4J_URI that Neo4j is waited for instead. Exit code 3 when it answers, but cannot be used as
    things are: its vectors are another model's, its schema is later, the embedding model cannot be fetched.
    """
    settings = configured()

    async def work() -> LegacyMindError | None:
        if settings.neo4j_uri:
            async with Mind(settings) as mind:
                try:
                    server = await mind.graph.wait(settings.start_timeout)
                except DatabaseError as refused:
                    if not _answers(refused):
                        raise
                    return refused
            show.say(
                f"Neo4j {server.version} ({server.edition}) answers at "
                f"{without_credentials(settings.neo4j_uri)}."
            )
        else:
            with show.progress() as tell:
                status = await Engine(settings).up(tell)
            show.say(f"Neo4j {status.version} answers at {status.uri} (process {status.pid}).")
            show.say(
                f"Browser: {status.browser_url}, user {status.username}, password in {status.password_file}"
            )
        try:
            await _check(settings)
            with show.progress() as tell:  # no model is fetched that could not be used
                await make_embedder(settings).fetch(tell)
        except DatabaseUnreachable:
            raise
        except LegacyMindError as refused:
            return refused
        return None

    if refused := run(work):
        click.echo(f"Error: {refused}", err=True)
        context.exit(_UNUSABLE)


async def _check(settings: Settings) -> None:
    """Raise EmbeddingMismatch unless the configured embedder can be used with the database."""
    async with Mind(settings) as mind:
        try:
            await mind.vectors.check()
        except EmbeddingMismatch as refused:
            raise EmbeddingMismatch(
                refused.what, effect="Nothing can be stored or searched like this.", hint=refused.hint
            ) from None


@click.command()
def down() -> None:
    """Stop the managed Neo4j; what was stored stays."""
    stopped = run(Engine(configured()).down)
    show.say("Stopped; what was stored stays in its home." if stopped else "It was not running.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(as_json: bool) -> None:
    """Show where Neo4j is, whether it runs, whose vectors the database holds, and if they are ours.

    When it runs and cannot be used, or should run and does not, `problem` says why.
    """
    settings = configured()
    facts: dict[str, Any] = dataclasses.asdict(Engine(settings).status())
    if settings.neo4j_uri:  # of which less is known
        facts |= dict.fromkeys(facts) | {
            "running": False,
            "uri": without_credentials(settings.neo4j_uri),
            "username": settings.neo4j_username,
        }
    facts |= dict.fromkeys(("embedding", "mismatch", "problem"))
    if settings.neo4j_uri or facts["running"]:
        facts |= run(lambda: _inside(settings))
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        show.facts(facts)


async def _inside(settings: Settings) -> dict[str, Any]:
    """What is known once it was asked: of the server, the vectors it holds, and what is in the way."""
    async with Mind(settings) as mind:
        try:
            server = await mind.graph.ready()
        except LegacyMindError as reason:
            told = {"problem": f"{reason.what} {reason.hint}"}
            return told | {"running": _answers(reason)} if settings.neo4j_uri else told
        facts: dict[str, Any] = {"running": True, "version": server.version}
        try:
            await mind.vectors.check()
        except EmbeddingMismatch as refused:
            facts["mismatch"] = f"{refused.what} {refused.hint}"
        except LegacyMindError as reason:
            facts["problem"] = f"{reason.what} {reason.hint}"
    names = ("provider", "model", "version", "dim", "fingerprint")
    slot = server.database.get("active_slot", "embedding_a")
    found = {name: server.database.get(f"{slot}_{name}") for name in names}
    if found["fingerprint"] is None:
        return facts
    if server.database.get(f"{slot}_thresholds_of") == found["fingerprint"]:
        found["calibrated_at"] = server.database[f"{slot}_thresholds_at"].isoformat()
    return facts | {"embedding": found}


def _answers(refused: LegacyMindError) -> bool:
    """Whether there is a Neo4j that said so."""
    return isinstance(refused, DatabaseError) and not isinstance(refused, DatabaseUnreachable)


@click.command()
@click.option("-n", "--lines", default=100, show_default=True, help="How many of the last lines.")
def logs(lines: int) -> None:
    """Print the end of the managed Neo4j's log."""
    print(Engine(configured()).logs(lines))
