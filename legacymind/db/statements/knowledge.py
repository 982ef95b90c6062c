"""The statements of ``cypher/knowledge``, with the types of their rows and of larger parameters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import OverSlot


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


read_mcp_neo4j_memory = load(
    "knowledge/read_mcp_neo4j_memory",
    ForeignKnowledgeRow,
    writes=False,
)


class ForeignThought(TypedDict):
    """A message or a step of another tool's."""

    id: Any
    content: Any
    created_at: Any
    session_id: Any
    author: Any
    origin: Any
    chain_id: Any


class ForeignRow(TypedDict):
    """The same for a graph that has thoughts, too."""

    kind: Literal["entity", "observation", "relation", "thought"]
    place: str
    fields: ForeignEntity | ForeignObservation | ForeignRelation | ForeignThought
    data: list[Any]
    group: str | None


read_graphiti = load("knowledge/read_graphiti", ForeignRow, writes=False)
read_agent_memory = load("knowledge/read_agent_memory", ForeignRow, writes=False)


class StoredItems(TypedDict):
    """The places of entities and facts of an import that are stored and need no vector."""

    entities: list[int]
    facts: list[int]


find_remembered = load("knowledge/find_remembered", StoredItems, writes=False)


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


class NamedEntity(TypedDict):
    """An entity that another node leads to."""

    id: str
    name: str
    entity_type: str | None


class UpsertedEntity(EmbeddableRow):
    """One upserted entity; ``same_name`` are those that its name may mean, if several."""

    same_name: list[NamedEntity]


class EntitiesRow(TypedDict):
    """The upserted entities."""

    entities: list[UpsertedEntity]


remember_entities = load("knowledge/remember_entities", EntitiesRow, writes=True)


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

    ``foreign`` is the entity of the superseded fact, if it is another one. ``others``, of the first row of
    each entity, are facts that may contradict one of its rows.
    """

    valid_to: datetime
    unknown: str | None
    foreign: str | None
    changed: list[ChangedRow]
    others: list[OtherFact]


class ObservationsRow(TypedDict):
    """The upserted observations."""

    observations: list[FactRow]


remember_observations = load(
    "knowledge/remember_observations",
    ObservationsRow,
    writes=True,
)


class RivalIds(TypedDict):
    """The ids of two facts that contradict each other, in order of time."""

    later: str
    earlier: str


class LinkedRivals(TypedDict):
    """How many pairs of facts were linked."""

    linked: int


contradict_facts = load("knowledge/contradict_facts", LinkedRivals, writes=True)


class RelationRow(RememberedRow):
    """One upserted relation; ``unknown`` is the superseded id, if neither entity has that relation."""

    unknown: str | None
    changed: list[ChangedRow]


class RelationsRow(TypedDict):
    """The upserted relations, or the types refused for lack of room, and the number of types in use."""

    relations: list[RelationRow]
    types: int
    refused: list[str]


remember_relations = load("knowledge/remember_relations", RelationsRow, writes=True)


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


merge_entities = load("knowledge/merge_entities", MergeRow, writes=True)


class CandidateRow(NamedEntity):
    """An entity that may be another; ``cosine`` is null if one of them has no vector."""

    cosine: float | None


class DuplicatesRow(OverSlot):
    """An entity, and later ones that may be the same."""

    entity: NamedEntity
    candidates: list[CandidateRow]


find_duplicates = load("knowledge/find_duplicates", DuplicatesRow, writes=False)


class ListedRow(TypedDict):
    """An entity, and the number of its facts."""

    id: str
    name: str
    entity_type: str | None
    description: str | None
    observations: int


list_entities = load("knowledge/list_entities", ListedRow, writes=False)


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
    entity: dict[str, Any] | None
    merged: list[dict[str, Any]]
    facts: list[EntityFact]
    compared: list[ComparedFact]
    observation_count: int
    relations: list[StoredRelation]
    relation_count: int


read_entity = load("knowledge/read_entity", EntityRow, writes=False)


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

    ``starts`` and ``ends``: the caller gave that time. It is compared with facts of the entity that contain
    one of ``cues``, in lower case.
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
    cues: list[str]
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


class KnowledgeWrite(TypedDict):
    """Where and when knowledge is written. Rows have positions in ``times`` instead of times."""

    namespace: str
    recorded_at: datetime
    times: list[datetime]


class Embedded(KnowledgeWrite):
    """``fingerprint`` is that of the model whose vectors the active slot must hold."""

    fingerprint: str
    ns_key: str


class Stating(Embedded):
    """Facts to store; they may be learned from the private thoughts of ``own_session``, None of all."""

    own_session: str | None
    rows: Sequence[NewObservation]
