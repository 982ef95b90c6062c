"""The managed engine from the command line: up, down, status, logs."""

import dataclasses
import json
from typing import Any

import click

from legacymind.embed import make_embedder
from legacymind.engine import Engine
from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.transport import show
from legacymind.transport.cli import configured, run


@click.command()
def up() -> None:
    """Start the managed Neo4j, fetching it and the embedding model when they are not there yet."""
    settings = configured()

    async def work() -> None:
        with show.progress() as tell:
            status = await Engine(settings).up(tell)
            await make_embedder(settings).fetch(tell)
        show.say(f"Neo4j {status.version} answers at {status.uri} (process {status.pid}).")
        show.say(f"Browser: {status.browser_url}, user {status.username}, password in {status.password_file}")

    run(work)


@click.command()
def down() -> None:
    """Stop the managed Neo4j; what was stored stays."""
    stopped = run(Engine(configured()).down)
    show.say("Stopped; what was stored stays in its home." if stopped else "It was not running.")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(as_json: bool) -> None:
    """Show where the engine is, whether it runs, and whose vectors the database holds."""
    settings = configured()
    facts: dict[str, Any] = dataclasses.asdict(Engine(settings).status())
    if settings.neo4j_uri:
        facts |= {"uri": settings.neo4j_uri, "username": settings.neo4j_username, "password_file": None}
    facts["embedding"] = run(lambda: _embedding(settings.neo4j_uri != "" or facts["running"]))
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        show.facts(facts)


async def _embedding(reachable: bool) -> dict[str, Any] | None:
    """The model whose vectors the database holds; None when it holds none or does not answer."""
    if not reachable:
        return None
    async with Mind(configured()) as mind:
        try:
            database = (await mind.graph.ready()).database
        except LegacyMindError:
            return None
    names = ("provider", "model", "version", "dim", "fingerprint")
    slot = database.get("active_slot", "embedding_a")
    found = {name: database.get(f"{slot}_{name}") for name in names}
    return found if found["fingerprint"] else None


@click.command()
@click.option("-n", "--lines", default=100, show_default=True, help="How many of the last lines.")
def logs(lines: int) -> None:
    """Print the end of the managed Neo4j's log."""
    print(Engine(configured()).logs(lines))
