"""The statements of ``cypher/schema``, with the types of their rows and of larger parameters."""

import re
from typing import Any, TypedDict

from legacymind.db.query import Query, load
from legacymind.db.stored import Property, Slot


class NoRow(TypedDict):
    """The row of a statement that returns none."""


apply_schema = tuple(
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
        "i23_anchor_root",
        "t01_thought_text",
        "t02_knowledge_text",
        "t03_thought_tags",
    )
)
drop_vector_indexes = tuple(
    load(f"schema/{name}", NoRow, writes=True) for name in ("drop_thought_vectors", "drop_knowledge_vectors")
)
create_vector_indexes = tuple(
    load(f"schema/{name}", NoRow, writes=True) for name in ("v01_thought_vectors", "v02_knowledge_vectors")
)


def created_by(query: Query[Any]) -> str | None:
    """The name of the index or constraint that a statement creates."""
    named = re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", query.text)
    return named[1] if named else None


index_names = [name for query in (*apply_schema, *create_vector_indexes) if (name := created_by(query))]
"""The names of our indexes and constraints, with the vector indexes of slot ``a``."""


def index_names_of(slot: Slot) -> list[str]:
    """The names of our indexes and constraints, with the vector indexes of that slot."""
    return [name.replace("embedding_a", f"embedding_{slot}") for name in index_names]


class IndexStateRow(TypedDict):
    """An index: its state, its progress from 0 to 100, and the length of its vectors if it holds any."""

    name: str
    state: str
    percent: float
    dimensions: int | None


read_indexes = load("schema/read_indexes", IndexStateRow, writes=False)
drop_index = load("schema/drop_index", NoRow, writes=True)


class DatabaseRow(TypedDict):
    """The server, and the properties of LegacyMind's database node; None when there is no such node.

    The names of some properties carry the embedding slot, so they cannot be listed here.
    """

    version: str
    edition: str
    database: dict[str, Property] | None


read_database = load("schema/read_database", DatabaseRow, writes=False)


class VersionRow(TypedDict):
    """The schema version that a database is marked with."""

    version: int


write_version = load("schema/write_version", VersionRow, writes=True)


class SlotRow(TypedDict):
    """Whether the slot is active and the asking embedder's, the slot's fingerprint, and the active slot."""

    mine: bool
    fingerprint: str | None
    active_slot: str


claim_slot = load("schema/claim_slot", SlotRow, writes=True)
lock_database = load("schema/lock_database", NoRow, writes=True)


class BuildingRow(TypedDict):
    """An index that is not online yet; ``percent`` is its progress, 0 to 100."""

    name: str
    state: str
    percent: float


read_building = load("schema/read_building", BuildingRow, writes=False)


class IndexRow(TypedDict):
    """The name of an index."""

    name: str


read_online = load("schema/read_online", IndexRow, writes=False)


class OverSlot(TypedDict):
    """A result from the vectors of a slot; ``active``: whether it was the slot in use."""

    active: bool
