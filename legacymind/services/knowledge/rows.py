"""The rows that the statements of remember take and return."""

from datetime import datetime
from typing import Literal, TypedDict


class StoredKnowledge(TypedDict):
    """The places of entities and facts of an import that are stored and need no vector."""

    entities: list[int]
    facts: list[int]


class SoughtFact(TypedDict):
    """A fact by its place in the import and its key."""

    index: int
    fact_key: str


class SoughtEntity(TypedDict):
    """An entity by its place in the import, with its facts there."""

    index: int
    name_key: str
    type_key: str
    any_type: bool
    description: str | None
    facts: list[SoughtFact]


class RememberedRow(TypedDict):
    """One upserted item: its index in the input, its id, and whether it is new."""

    index: int
    id: str
    created: bool


class ChangedRow(TypedDict):
    """A stored fact or relation and its new validity; ``emptied`` when it would be valid at no time."""

    id: str
    label: str
    valid_from: datetime | None
    valid_to: datetime
    emptied: bool


class EmbeddableRow(RememberedRow):
    """One upserted entity or observation; ``deferred`` when it waits for its vector."""

    deferred: bool


class FactRow(EmbeddableRow):
    """One upserted observation; ``unknown`` is an id it refers to that is not in the namespace.

    ``foreign`` is the entity of the superseded fact, if it is another one.
    """

    valid_to: datetime
    unknown: str | None
    foreign: str | None
    changed: list[ChangedRow]


class EntityProperties(TypedDict, total=False):
    """Properties that replace an entity's own; absent ones stay as they are."""

    description: str
    data: str
    valid_from: datetime


class SourceProperties(TypedDict, total=False):
    """Properties that replace those of an observation or relation."""

    source: str


class NewEntity(TypedDict):
    """An entity to upsert by ``name_key`` and ``type_key``; ``any_type`` takes one of any type.

    ``index`` is its position in the caller's list; ``vector`` is None while the embedder is down.
    """

    index: int
    id: str
    name: str
    name_key: str
    entity_type: str
    type_key: str
    any_type: bool
    other_forms: str | None
    valid_from: int
    properties: EntityProperties
    vector: list[float] | None


class FactProperties(SourceProperties, total=False):
    """Properties that replace those of an observation; null removes one."""

    standing: Literal[True] | None


class NewObservation(TypedDict):
    """An observation to upsert by ``entity_id`` and ``fact_key``.

    ``starts`` and ``ends``: the caller gave that time.
    """

    index: int
    id: str
    entity_id: str
    content: str
    title: str
    other_forms: str | None
    fact_key: str
    valid_from: int
    valid_to: int
    starts: bool
    ends: bool
    properties: FactProperties
    learned_from: str | None
    supersedes: str | None
    vector: list[float] | None


class NewRelation(TypedDict):
    """A relation to upsert by its two entities, its type and its time; ``ends``: its end was sent.

    ``supersedes`` is the id of a relation of one of the two entities, which ends when this one begins.
    """

    index: int
    id: str
    source_id: str
    target_id: str
    type: str
    valid_from: int
    valid_to: int
    starts: bool
    ends: bool
    properties: dict[str, str | int | float | bool]
    supersedes: str | None
