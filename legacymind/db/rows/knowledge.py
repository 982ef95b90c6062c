"""Rows of the statements in cypher/knowledge."""

from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.rows.schema import OverSlot


class RememberedRow(TypedDict):
    """One upserted item: its index in the input, its id, and whether it is new."""

    index: int
    id: str
    created: bool


class EmbeddableRow(RememberedRow):
    """One upserted entity or observation; ``deferred`` when it waits for its vector."""

    deferred: bool


class ComparedFact(TypedDict):
    """A short fact of an entity."""

    id: str
    content: str


class OtherFact(ComparedFact):
    """A fact of the same entity, with its validity."""

    valid_from: datetime
    valid_to: datetime


class FactRow(EmbeddableRow):
    """One upserted observation; ``unknown`` is an id it refers to that is not in the namespace.

    ``others``, of the first row of each entity, are facts that may contradict one of its rows.
    """

    unknown: str | None
    others: list[OtherFact]


class RelationRow(RememberedRow):
    """One upserted relation; ``unknown`` is the superseded id, if neither entity has that relation."""

    unknown: str | None


class EntitiesRow(TypedDict):
    """The upserted entities."""

    entities: list[EmbeddableRow]


class ObservationsRow(TypedDict):
    """The upserted observations."""

    observations: list[FactRow]


class RelationsRow(TypedDict):
    """The upserted relations, or the types refused for lack of room, and the number of types in use."""

    relations: list[RelationRow]
    types: int
    refused: list[str]


class NamedEntity(TypedDict):
    """An entity that another node leads to."""

    id: str
    name: str
    entity_type: str | None


class StoredEntity(TypedDict):
    """An entity as it is stored, without its vector; ``data`` is JSON."""

    id: str
    name: str
    entity_type: str | None
    description: str | None
    data: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    access_count: int | None


class StoredMerge(TypedDict):
    """An entity that was merged into another; ``data`` is JSON."""

    id: str
    name: str
    entity_type: str | None
    description: str | None
    data: str | None
    merged_at: datetime
    merged_by: str | None
    merged_reason: str | None
    merged_observations: int
    merged_relations: int


class EntityFact(TypedDict):
    """An observation about the entity."""

    id: str
    content: str | None
    source: str | None
    merged_from: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    learned_from: list[str]
    revised_by: str | None


class StoredRelation(TypedDict):
    """A relation of the entity with all its properties, whatever they are."""

    type: str
    direction: Literal["out", "in"]
    other: NamedEntity
    properties: dict[str, Any]


class EntityRow(TypedDict):
    """An entity; null unless exactly one has the name. ``same_name`` lists all that have it, up to 20."""

    same_name: list[NamedEntity]
    entity: StoredEntity | None
    merged: list[StoredMerge]
    facts: list[EntityFact]
    compared: list[ComparedFact]
    observation_count: int
    relations: list[StoredRelation]
    relation_count: int


class CandidateRow(NamedEntity):
    """An entity that may be another; ``cosine`` is null if one of them has no vector."""

    cosine: float | None


class DuplicatesRow(OverSlot):
    """An entity, and later ones that may be the same."""

    entity: NamedEntity
    candidates: list[CandidateRow]


class ForgottenNode(TypedDict):
    """What was forgotten; ``kind`` is null when the node does not exist. ``closed``: it was closed before.

    ``merged_into`` is the id of the node that an alias leads to.
    """

    kind: Literal["entity", "observation", "alias"] | None
    label: str | None
    merged_into: str | None
    closed: bool
    recalled_by: int
    observations: int
    relations: int


class ForgottenRelation(TypedDict):
    """The relation that was forgotten; ``label`` is null when it does not exist."""

    label: str | None
    closed: bool


class UnclearReference(TypedDict):
    """A reference by its position, and the entities that it may mean: none or several."""

    position: int
    same_name: list[NamedEntity]


class MergedRow(NamedEntity):
    """An entity that was merged, with the number of facts and relations that moved."""

    observations: int
    relations: int


class MergeRow(TypedDict):
    """What was merged; ``kept`` is null if ``unclear`` is not empty.

    ``changed``: another call merged one of the entities meanwhile, so nothing was written.
    """

    unclear: list[UnclearReference]
    changed: bool
    kept: NamedEntity | None
    merged: list[MergedRow]
    links: int
    joined: int


class ForeignEntity(TypedDict):
    """An entity of another tool's, with the values that it has there, whatever their types are."""

    name: Any
    entity_type: Any
    description: Any


class ForeignObservation(TypedDict):
    """A fact about an entity of another tool's."""

    entity: Any
    entity_type: Any
    content: Any
    valid_from: Any
    valid_to: Any


ForeignRelation = TypedDict(
    "ForeignRelation",
    {
        "from": Any,
        "from_type": Any,
        "type": Any,
        "to": Any,
        "to_type": Any,
        "valid_from": Any,
        "valid_to": Any,
    },
)
"""A relation between two entities of another tool's."""


class ForeignThought(TypedDict):
    """A message or a step of another tool's."""

    id: Any
    content: Any
    created_at: Any
    session_id: Any
    author: Any
    origin: Any
    chain_id: Any


class ForeignKnowledgeRow(TypedDict):
    """Knowledge in the graph of another tool: the fields of its kind in the import format.

    ``place`` names its node or relationship. ``data`` are other properties as pairs of name and value, and
    ``group`` is the part of the graph that it belongs to, if the tool has any.
    """

    kind: Literal["entity", "observation", "relation"]
    place: str
    fields: ForeignEntity | ForeignObservation | ForeignRelation
    data: list[Any]
    group: str | None


class ForeignRow(TypedDict):
    """The same for a graph that has thoughts, too."""

    kind: Literal["entity", "observation", "relation", "thought"]
    place: str
    fields: ForeignEntity | ForeignObservation | ForeignRelation | ForeignThought
    data: list[Any]
    group: str | None
