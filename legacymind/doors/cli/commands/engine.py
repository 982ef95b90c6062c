"""The commands `up`, `down`, `status` and `logs`."""

import asyncio
import dataclasses
from datetime import datetime
from typing import Any, cast

import click

from legacymind.db.errors import without_credentials
from legacymind.doors.cli import output, show
from legacymind.doors.cli.command import json_option
from legacymind.doors.cli.exits import Exit
from legacymind.doors.cli.listing import examples
from legacymind.embed import make_embedder
from legacymind.engine import Engine
from legacymind.engine.engine import START_TIMEOUT
from legacymind.errors import (
    DatabaseError,
    DatabaseUnreachable,
    EmbeddingMismatch,
    EngineError,
    LegacyMindError,
)
from legacymind.mind import Mind
from legacymind.settings import Settings, load_settings


@click.command(epilog=examples("up", "up --json"))
@json_option
@click.pass_context
def up(context: click.Context, as_json: bool) -> None:
    """Start the managed Neo4j. The engine and the configured models are downloaded if they are missing.

    With NEO4J_URI, wait for that Neo4j instead. Exit code 7: Neo4j runs, but LegacyMind cannot use it,
    because its vectors are from another model, its schema is newer, or a model could not be downloaded.
    """
    settings = load_settings()
    started: dict[str, Any] = {}

    async def work() -> LegacyMindError | None:
        if settings.neo4j_uri:
            async with Mind(settings) as mind:
                try:
                    server = await mind.graph.wait(START_TIMEOUT)
                except DatabaseError as error:
                    if not _server_answered(error):
                        raise
                    return error
            uri = without_credentials(settings.neo4j_uri)
            started.update(uri=uri, version=server.version, edition=server.edition)
        else:
            engine = Engine(settings)
            with output.progress() as progress:
                status = await engine.up(progress)
            started.update(dataclasses.asdict(status))
        if not as_json:
            output.address(f"Neo4j {started['version']} answers at {started['uri']}.")
        try:
            async with Mind(settings) as mind:
                await _check(mind)
                with output.progress() as progress:  # after the check: no download of an unusable model
                    await make_embedder(settings).fetch(progress)
                await mind.warm_up()
        except DatabaseUnreachable:
            raise
        except LegacyMindError as error:
            return error
        return None

    error = asyncio.run(work())
    if as_json:
        output.print_json(started | (error.envelope() if error else {}))
    elif error:
        output.remark(f"Error: {error}")
    if error:
        context.exit(Exit.UNUSABLE)


async def _check(mind: Mind) -> None:
    """Raise EmbeddingMismatch unless the configured embedder can be used with the database."""
    try:
        await mind.vectors.check()
    except EmbeddingMismatch as error:
        raise EmbeddingMismatch(
            error.what, effect="LegacyMind cannot store or search until this is fixed.", hint=error.hint
        ) from None


@click.command(epilog=examples("down"))
@json_option
def down(as_json: bool) -> None:
    """Stop the managed Neo4j until `legacymind up` starts it. Stored data is kept."""
    stopped = asyncio.run(Engine(load_settings()).down())
    told = "Stopped. Stored data is kept." if stopped else "The engine was not running."
    output.answer({"stopped": stopped}, as_json, told)


@click.command(epilog=examples("status", "status --json"))
@json_option
def status(as_json: bool) -> None:
    """Show the address and state of Neo4j, and the embedding model of its vectors.

    `mismatch`: the configured model is another one. `problem`: why Neo4j cannot be used or does not answer,
    for example because its disk is full. `free_disk` is in bytes.
    """
    settings = load_settings()
    engine = Engine(settings)
    fields: dict[str, Any] = dataclasses.asdict(engine.status())
    if settings.neo4j_uri:  # an external server has fewer fields
        fields |= dict.fromkeys(fields) | {
            "running": False,
            "uri": without_credentials(settings.neo4j_uri),
            "username": settings.neo4j_username,
        }
    fields |= dict.fromkeys(("embedding", "mismatch", "problem"))
    if settings.neo4j_uri or fields["running"]:
        fields |= asyncio.run(_inspect(settings))
    if not settings.neo4j_uri:
        try:
            engine.check_disk()
        except EngineError as full:  # the cause of any other problem
            fields["problem"] = f"{full.what} {full.hint}"
    show.told(fields, as_json)


async def _inspect(settings: Settings) -> dict[str, Any]:
    """The fields of `status` that need a connection: server, stored embedding model, problems."""
    async with Mind(settings) as mind:
        try:
            server = await mind.graph.ready(restart=False)
        except LegacyMindError as reason:
            fields: dict[str, Any] = {"problem": f"{reason.what} {reason.hint}"}
            return fields | {"running": _server_answered(reason)} if settings.neo4j_uri else fields
        fields = {"running": True, "version": server.version}
        try:
            await mind.vectors.check()
        except EmbeddingMismatch as error:
            fields["mismatch"] = f"{error.what} {error.hint}"
        except LegacyMindError as reason:
            fields["problem"] = f"{reason.what} {reason.hint}"
    names = ("provider", "model", "version", "dim", "fingerprint")
    slot = server.database.get("active_slot", "embedding_a")
    embedding = {name: server.database.get(f"{slot}_{name}") for name in names}
    if embedding["fingerprint"] is None:
        return fields
    if server.database.get(f"{slot}_thresholds_of") == embedding["fingerprint"]:
        embedding["calibrated_at"] = cast("datetime", server.database[f"{slot}_thresholds_at"]).isoformat()
    return fields | {"embedding": embedding}


def _server_answered(error: LegacyMindError) -> bool:
    """Whether the error came from a server that answered."""
    return isinstance(error, DatabaseError) and not isinstance(error, DatabaseUnreachable)


@click.command(epilog=examples("logs --lines 20"))
@click.option(
    "-n",
    "--lines",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of lines to print.",
)
def logs(lines: int) -> None:
    """Print the end of the managed Neo4j's log."""
    output.address(Engine(load_settings()).logs(lines))
