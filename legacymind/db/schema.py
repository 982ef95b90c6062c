"""The database schema: constraints, indexes, and the schema version stored with them."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol

from legacymind.db import queries
from legacymind.db.errors import already_exists, without_credentials
from legacymind.db.query import Parameters, Query, Row
from legacymind.db.statements.schema import DatabaseRow
from legacymind.db.stored import SLOTS, Property, Slot
from legacymind.errors import DatabaseError, DatabaseTooOld, SchemaTooNew

VERSION: Final = 1

OLDEST: Final = (2026, 7)
"""The oldest Neo4j release that was run. Up to 2026.05, vector indexes refuse an option that v01 sets."""

_PATIENCE: Final = 120.0
"""Seconds to wait for new indexes to come online; those of a large database take longer."""


class Run(Protocol):
    """A function that runs one statement."""

    def __call__(self, query: Query[Row], parameters: Parameters) -> Awaitable[list[Row]]: ...


STEPS: Final[dict[int, Callable[[Run], Awaitable[None]]]] = {}
"""The step to each later version, in order. A step may run twice; an index that it drops is created anew."""


def check(row: DatabaseRow, uri: str) -> dict[str, Property]:
    """The properties of the ``LegacyMind`` node, empty in a new database.

    Raises DatabaseTooOld or SchemaTooNew if the database cannot be used, and DatabaseError if its stored
    schema version is not an integer.
    """
    if _release(row["version"]) < OLDEST:
        raise DatabaseTooOld(
            f"Neo4j at {without_credentials(uri)} is version {row['version']}; LegacyMind requires 2026.07 "
            "or later, for its vector indexes.",
            hint="Upgrade it, or unset NEO4J_URI to use the managed engine.",
        )
    database = row["database"] or {}
    stored = version(database)
    if stored > VERSION:
        raise SchemaTooNew(
            f"This database has schema version {stored}; this LegacyMind supports up to {VERSION}.",
            hint="Upgrade LegacyMind.",
        )
    return database


def version(database: Mapping[str, Property]) -> int:
    """The schema version of a database, 0 when it is new; raises DatabaseError when it is not an integer."""
    stored = database.get("schema_version", 0)
    if type(stored) is not int:  # a boolean is rejected too
        raise DatabaseError(
            f"This database has the schema version {str(stored)[:80]!r}, which is not an integer.",
            hint="Look at MATCH (d:LegacyMind) RETURN d and restore schema_version, or use another database.",
        )
    return stored


async def upgrade(run: Run, stored: int) -> None:
    """Run the steps that follow schema version ``stored``, then create what is missing; 0 is a new database.

    The caller writes the new version afterwards, so the next call repeats an interrupted upgrade.
    """
    for version, step in STEPS.items():
        if 0 < stored < version:
            await step(run)
    for statement in queries.apply_schema:
        await _apply(run, statement, {})
    await _wait_online(run)


async def create_index(run: Run, name: str, dimensions: int, *, drop: bool = False) -> None:
    """Create one of LegacyMind's indexes or constraints again, and wait until it is online.

    ``drop`` drops it before. ``dimensions`` is the length of vectors, for an index that holds them.
    """
    if drop:
        await run(queries.drop_index, {"name": name})
    for statement in queries.apply_schema:
        if queries.created_by(statement) == name:
            await _apply(run, statement, {})
    for statement in (query.for_slot(slot) for query in queries.create_vector_indexes for slot in SLOTS):
        if queries.created_by(statement) == name:
            await _apply(run, statement, {"dimensions": dimensions})
    await _wait_online(run)


async def create_vector_indexes(run: Run, dimensions: int, slot: Slot) -> None:
    """Create the vector indexes of a slot for vectors of that length, and wait until they are online."""
    for statement in queries.create_vector_indexes:
        await _apply(run, statement.for_slot(slot), {"dimensions": dimensions})
    await _wait_online(run)


async def _apply(run: Run, statement: Query[Any], parameters: Parameters) -> None:
    try:
        await run(statement, parameters)
    except DatabaseError as raised:
        if not already_exists(raised):  # another process has just created it
            raise


async def _wait_online(run: Run) -> None:
    """Wait until every LegacyMind index is online; raises DatabaseError if one failed or takes too long."""
    until = time.monotonic() + _PATIENCE
    names = sorted({*queries.index_names, *queries.index_names_of("b")})
    while building := await run(queries.read_building, {"names": names}):
        index = min(building, key=lambda row: row["percent"])
        if index["state"] == "FAILED":
            raise DatabaseError(
                f"The index {index['name']} could not be built.",
                hint=f"Look into Neo4j's log, drop the index (DROP INDEX {index['name']}) and retry.",
            )
        if time.monotonic() > until:
            raise DatabaseError(
                f"The index {index['name']} is still being built: {index['percent']:.0f} % done.",
                hint="Retry later; Neo4j continues to build it.",
            )
        await asyncio.sleep(0.1)


def _release(text: str) -> tuple[int, int]:
    """``2026.08.1`` and Aura's ``2026.08-aura`` as (2026, 8); (0, 0) if the text is not a version."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)
