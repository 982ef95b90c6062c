"""The managed engine from the command line: up, down, status, logs."""

import dataclasses
import json
from typing import Any, Final

import click

from legacymind.driver_errors import shown
from legacymind.embed import make_embedder
from legacymind.engine import Engine
from legacymind.errors import EmbeddingMismatch, LegacyMindError
from legacymind.graph import Server
from legacymind.mind import Mind
from legacymind.settings import Settings
from legacymind.transport import show
from legacymind.transport.cli import configured, run

_MISMATCH: Final = 3
"""Exit code of `up` when Neo4j answers, but holds vectors of another model than is configured."""


@click.command()
@click.pass_context
def up(context: click.Context) -> None:
    """Start the managed Neo4j, fetching it and the embedding model when they are not there yet.

    With NEO4J_URI that Neo4j is waited for instead. Exit code 3 when it answers, but holds vectors of
    another model than is configured.
    """
    settings = configured()

    async def work() -> EmbeddingMismatch | None:
        if settings.neo4j_uri:
            async with Mind(settings) as mind:
                server = await mind.graph.wait(settings.start_timeout)
            show.say(f"Neo4j {server.version} ({server.edition}) answers at {shown(settings.neo4j_uri)}.")
        else:
            with show.progress() as tell:
                status = await Engine(settings).up(tell)
            show.say(f"Neo4j {status.version} answers at {status.uri} (process {status.pid}).")
            show.say(
                f"Browser: {status.browser_url}, user {status.username}, password in {status.password_file}"
            )
        refused = await _mismatch(settings)
        if refused is None:  # no model is fetched that could not be used
            with show.progress() as tell:
                await make_embedder(settings).fetch(tell)
        return refused

    if refused := run(work):
        click.echo(f"Error: {refused}", err=True)
        context.exit(_MISMATCH)


async def _mismatch(settings: Settings) -> EmbeddingMismatch | None:
    """Why the configured embedder cannot be used with the database, which answers; None when it can."""
    async with Mind(settings) as mind:
        try:
            await mind.vectors.check()
        except EmbeddingMismatch as refused:
            return EmbeddingMismatch(
                refused.what, effect="Nothing can be stored or searched like this.", do=refused.do
            )
    return None


@click.command()
def down() -> None:
    """Stop the managed Neo4j; what was stored stays."""
    stopped = run(Engine(configured()).down)
    show.say("Stopped; what was stored stays in its home." if stopped else "It was not running.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(as_json: bool) -> None:
    """Show where Neo4j is, whether it runs, whose vectors the database holds, and if they are ours."""
    settings = configured()
    facts: dict[str, Any] = dataclasses.asdict(Engine(settings).status())
    if settings.neo4j_uri:  # of which less is known
        facts |= dict.fromkeys(facts) | {
            "running": False,
            "uri": shown(settings.neo4j_uri),
            "username": settings.neo4j_username,
        }
    server, facts["embedding"], facts["mismatch"] = None, None, None
    if settings.neo4j_uri or facts["running"]:
        server, facts["embedding"], facts["mismatch"] = run(_inside)
    if settings.neo4j_uri and server is not None:
        facts |= {"running": True, "version": server.version}
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        show.facts(facts)


async def _inside() -> tuple[Server | None, dict[str, Any] | None, str | None]:
    """The server, the model whose vectors the database holds, and why the configured one is not for them.

    None each when it does not answer, holds no vectors, or the model can be used.
    """
    async with Mind(configured()) as mind:
        try:
            server = await mind.graph.ready()
        except LegacyMindError:
            return None, None, None
        mismatch = None
        try:
            await mind.vectors.check()
        except EmbeddingMismatch as refused:
            mismatch = f"{refused.what} {refused.do}"
        except LegacyMindError:  # of the embedder's own, which its use tells
            pass
    names = ("provider", "model", "version", "dim", "fingerprint")
    slot = server.database.get("active_slot", "embedding_a")
    found = {name: server.database.get(f"{slot}_{name}") for name in names}
    if found["fingerprint"] is None:
        return server, None, None
    if server.database.get(f"{slot}_thresholds_of") == found["fingerprint"]:
        found["calibrated_at"] = server.database[f"{slot}_thresholds_at"].isoformat()
    return server, found, mismatch


@click.command()
@click.option("-n", "--lines", default=100, show_default=True, help="How many of the last lines.")
def logs(lines: int) -> None:
    """Print the end of the managed Neo4j's log."""
    print(Engine(configured()).logs(lines))
