"""What every database of LegacyMind's has: constraints, indexes, and the version that says which."""

import asyncio
import re
import time
from collections.abc import Awaitable
from typing import Any, Final, Protocol

from legacymind.db import queries
from legacymind.db.errors import exists_already, without_credentials
from legacymind.db.queries import Query, Row
from legacymind.db.rows import DatabaseRow
from legacymind.errors import DatabaseError, DatabaseTooOld, SchemaTooNew

VERSION: Final = 4

OLDEST: Final = (2026, 2)
"""The first Neo4j whose Cypher 25 has ``SEARCH`` for good."""

_PATIENCE: Final = 120.0
"""Seconds to wait for indexes that were just made; a large database's take longer."""


class Run(Protocol):
    """Runs one statement."""

    def __call__(self, query: Query[Row], **parameters: Any) -> Awaitable[list[Row]]: ...


def check(row: DatabaseRow, uri: str) -> dict[str, Any]:
    """What LegacyMind left in a database that it can use; raises DatabaseTooOld or SchemaTooNew."""
    if _number(row["version"]) < OLDEST:
        raise DatabaseTooOld(
            f"The Neo4j at {without_credentials(uri)} is {row['version']}; LegacyMind needs 2026.02 or "
            "later, "
            "which is where Cypher 25 can SEARCH.",
            hint="Upgrade it, or unset NEO4J_URI to use the managed engine.",
        )
    database = row["database"] or {}
    stored: object = database.get("schema_version", 0)
    if type(stored) is not int:  # true is none either
        raise DatabaseError(
            f"This database says {str(stored)[:80]!r} where the number of its schema should be, "
            "so what is in it is not known.",
            hint="See MATCH (d:LegacyMind) RETURN d: set schema_version to the whole number it had, "
            "or use another database.",
        )
    if stored > VERSION:
        raise SchemaTooNew(
            f"This database has schema {stored}; this LegacyMind knows up to {VERSION}.",
            hint="Upgrade LegacyMind.",
        )
    return database


async def bring_up(run: Run, stored: int) -> None:
    """Make what a database of version ``stored`` lacks, 0 being a new one; who calls marks it afterwards.

    Data is never changed: what an older LegacyMind wrote is read as it is.
    """
    if stored:
        quantized = {row["name"] for row in await run(queries.read_quantized, names=queries.index_names)}
        for name, statement in queries.drop_quantized.items():
            if name in quantized:
                await run(statement)
    for statement in queries.apply_schema:
        await _apply(run, statement)
    await _online(run)


async def make_vector_indexes(run: Run, dimensions: int) -> None:
    """The indexes that need to know the embedder, online."""
    for statement in queries.create_vector_indexes:
        await _apply(run, statement, dimensions=dimensions)
    await _online(run)


async def _apply(run: Run, statement: Query[Any], **parameters: Any) -> None:
    try:
        await run(statement, **parameters)
    except DatabaseError as raised:
        if not exists_already(raised):  # another process has just made the same thing
            raise


async def _online(run: Run) -> None:
    """Wait until every index of ours answers."""
    until = time.monotonic() + _PATIENCE
    while building := await run(queries.read_building, names=queries.index_names):
        index = min(building, key=lambda row: row["percent"])
        if index["state"] == "FAILED":
            raise DatabaseError(
                f"The index {index['name']} could not be built.",
                hint=f"Look into Neo4j's log, drop it (DROP INDEX {index['name']}) and call again.",
            )
        if time.monotonic() > until:
            raise DatabaseError(
                f"The index {index['name']} is still being built: {index['percent']:.0f} % is there.",
                hint="Call again in a while; Neo4j goes on building it.",
            )
        await asyncio.sleep(0.1)


def _number(text: str) -> tuple[int, int]:
    """``2026.08.1`` as (2026, 8); Aura's ``2026.08-aura`` as well."""
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
