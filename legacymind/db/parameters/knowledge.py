"""Parameters of the statements in cypher/knowledge."""

from datetime import datetime
from typing import TypedDict

from legacymind.db.stored import EmbeddingDetails


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
    valid_from: int
    properties: EntityProperties
    vector: list[float] | None


class NewObservation(TypedDict):
    """An observation to upsert by ``entity_id`` and ``fact_key``.

    It is compared with facts of the entity that contain one of ``cues``, in lower case.
    """

    index: int
    id: str
    entity_id: str
    content: str
    title: str
    fact_key: str
    valid_from: int
    valid_to: int
    properties: SourceProperties
    learned_from: str | None
    supersedes: str | None
    cues: list[str]
    vector: list[float] | None


class NewRelation(TypedDict):
    """A relation to upsert by its two entities, its type and ``valid_to``.

    ``supersedes`` is the id of a relation of one of the two entities, which ends when this one begins.
    """

    index: int
    id: str
    source_id: str
    target_id: str
    type: str
    valid_from: int
    valid_to: int
    properties: SourceProperties
    supersedes: str | None


class KnowledgeWrite(TypedDict):
    """Where and when knowledge is written. Rows have positions in ``times`` instead of times."""

    namespace: str
    recorded_at: datetime
    times: list[datetime]


class Embedded(KnowledgeWrite):
    """``embedding`` describes the rows' vectors, or marks the rows as waiting for them.

    ``fingerprint`` is that of the model whose vectors the active slot must hold.
    """

    fingerprint: str
    ns_key: str
    embedding: EmbeddingDetails


class RememberEntities(Embedded):
    """``valid_to`` is set on entities that are created: the end of time."""

    valid_to: datetime
    rows: list[NewEntity]


class RememberObservations(Embedded):
    """Observations to upsert; their entities exist.

    Each is compared with at most ``compared`` facts of its entity, of at most ``longest`` characters.
    """

    compared: int
    longest: int
    rows: list[NewObservation]


class RememberRelations(KnowledgeWrite):
    """``new_types`` are relation types the caller has not stored before; at most ``max_types`` may exist.

    ``reserved_types`` are LegacyMind's own and are not counted.
    """

    rows: list[NewRelation]
    new_types: list[str]
    reserved_types: list[str]
    max_types: int


class ReadEntity(TypedDict):
    """The entity with an id, or with a name and, unless ``type_key`` is null, a type, both normalised.

    ``history`` includes facts and relations that are not valid at ``as_of``. At most ``compared`` facts of at
    most ``longest`` characters are returned for comparison.
    """

    id: str | None
    name_key: str
    type_key: str | None
    namespace: str
    as_of: datetime
    history: bool
    skip: int
    take: int
    text_length: int
    compared: int
    longest: int


class EntityReference(TypedDict):
    """An entity, named by its id, or by its normalised name; ``position`` is that in the call."""

    position: int
    id: str
    name_key: str


class MergeEntities(TypedDict):
    """Entities to merge into the first of ``named``; ``end`` is the end of time."""

    named: list[EntityReference]
    namespace: str
    now: datetime
    end: datetime
    author: str | None
    reason: str | None
    dry_run: bool


class FindDuplicates(TypedDict):
    """A page of the entities, all or those of a type, to compare with up to twice ``neighbours`` others.

    ``beginning`` letters are equal in names that are compared for their place in the order of names.
    """

    namespace: str
    type_key: str | None
    now: datetime
    neighbours: int
    beginning: int
    skip: int
    take: int


class ForgetNode(TypedDict):
    """An entity or observation to close or, with ``delete``, to delete; ``dry_run`` only counts."""

    id: str
    namespace: str
    now: datetime
    delete: bool
    dry_run: bool


class ForgetRelation(ForgetNode):
    """A relation of the entity ``id``."""

    relation_id: str


class GraphGroup(TypedDict):
    """The group of a graph to read; None for all."""

    group: str | None
