"""The database schema: constraints, indexes, and the schema version stored with them."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol, TypedDict

from legacymind.db.connection import DatabaseRow
from legacymind.db.errors import already_exists, without_credentials
from legacymind.db.query import NoRow, Parameters, Query, Row, load
from legacymind.db.stored import SLOTS, Property, Slot
from legacymind.errors import DatabaseError, DatabaseTooOld, SchemaTooNew

APPLY_SCHEMA = tuple(
    load(f"schema/{name}", NoRow, writes=True)
    for name in (
        "c01_thought_id",
        "c02_session_key",
        "c03_action_key",
        "c04_entity_id",
        "c05_entity_key",
        "c06_observation_id",
        "c07_observation_key",
        "c08_pending_key",
        "c09_database_id",
        "c10_removed_key",
        "c11_waiting_key",
        "i01_thought_steps",
        "i02_thought_thread",
        "i03_thought_label_thread",
        "i04_thought_recorded",
        "i05_thought_created",
        "i06_thought_pinned",
        "i07_thought_playbook",
        "i08_thought_deferred",
        "i09_entity_deferred",
        "i10_observation_deferred",
        "i11_thought_standing",
        "i12_thought_membership",
        "i13_thought_labels",
        "i14_thought_authors",
        "i15_thought_stored",
        "i16_thought_curated",
        "i17_entity_name",
        "i18_entity_type",
        "i19_thought_mentions",
        "i20_entity_mentions",
        "i21_observation_standing",
        "i22_thought_expiry",
        "i23_thought_noted",
        "i24_entity_noted",
        "i25_observation_noted",
        "i26_removed_noted",
        "t01_thought_text",
        "t02_knowledge_text",
        "t03_thought_tags",
        "t04_other_text",
    )
)
DROP_VECTOR_INDEXES = tuple(
    load(f"schema/{name}", NoRow, writes=True) for name in ("drop_thought_vectors", "drop_knowledge_vectors")
)
CREATE_VECTOR_INDEXES = tuple(
    load(f"schema/{name}", NoRow, writes=True) for name in ("v01_thought_vectors", "v02_knowledge_vectors")
)


def created_by(query: Query[Any]) -> str | None:
    """The name of the index or constraint that a statement creates."""
    named = re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", query.text)
    return named[1] if named else None


INDEX_NAMES = [name for query in (*APPLY_SCHEMA, *CREATE_VECTOR_INDEXES) if (name := created_by(query))]
"""The names of our indexes and constraints, with the vector indexes of slot ``a``."""


def index_names_of(slot: Slot) -> list[str]:
    """The names of our indexes and constraints, with the vector indexes of that slot."""
    return [name.replace("embedding_a", f"embedding_{slot}") for name in INDEX_NAMES]


DROP_INDEX = load("schema/drop_index", NoRow, writes=True)


class BuildingRow(TypedDict):
    """An index that is not online yet; ``percent`` is its progress, 0 to 100."""

    name: str
    state: str
    percent: float


READ_BUILDING = load("schema/read_building", BuildingRow, writes=False)


READ_ONLINE = load("schema/read_online", str, writes=False)


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
    for statement in APPLY_SCHEMA:
        await _apply(run, statement, {})
    await _wait_online(run)


async def create_index(run: Run, name: str, dimensions: int, *, drop: bool = False) -> None:
    """Create one of LegacyMind's indexes or constraints again, and wait until it is online.

    ``drop`` drops it before. ``dimensions`` is the length of vectors, for an index that holds them.
    """
    if drop:
        await run(DROP_INDEX, {"name": name})
    for statement in APPLY_SCHEMA:
        if created_by(statement) == name:
            await _apply(run, statement, {})
    for statement in (query.for_slot(slot) for query in CREATE_VECTOR_INDEXES for slot in SLOTS):
        if created_by(statement) == name:
            await _apply(run, statement, {"dimensions": dimensions})
    await _wait_online(run)


async def create_vector_indexes(run: Run, dimensions: int, slot: Slot) -> None:
    """Create the vector indexes of a slot for vectors of that length, and wait until they are online."""
    for statement in CREATE_VECTOR_INDEXES:
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
    names = sorted({*INDEX_NAMES, *index_names_of("b")})
    while building := await run(READ_BUILDING, {"names": names}):
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
