"""Results of reading one node or one entity in full, and of forgetting knowledge."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from legacymind.model.base import Answer, Contradiction, Kind

RelationDirection = Literal["out", "in"]
"""``out``: the relation leads from the entity that was read; ``in``: it leads to it."""

KnowledgeKind = Literal["entity", "observation", "relation", "alias"]
"""``alias``: the id and the name of an entity that was merged into another."""
Forgetting = Literal["closed", "deleted", "would_close", "would_delete"]
"""What was done, or would be done without ``dry_run``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityName:
    """An entity that another record names."""

    id: str
    name: str
    entity_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtDetails:
    """Everything that is stored about a thought but its text and its vector.

    ``salience`` is the present weight in recall, which begins as ``significance``. ``hot``: other thoughts
    may recall it. ``verification_supports`` and ``verification_contradicts`` count the evidence for and
    against ``hypothesis``. ``outcome_score`` is between -1 and 1. ``redacts`` is the id of the thought that
    this step redacted.
    """

    title: str | None
    created_at: datetime | None
    recorded_at: datetime | None
    mode: str | None
    submode: str | None
    thought_type: str | None
    author: str | None
    origin: str | None
    tags: list[str]
    confidence: float | None
    significance: float | None
    salience: float | None
    is_private: bool | None
    pinned: bool | None
    hot: bool | None
    session_id: str | None
    chain_id: str | None
    step_index: int | None
    context_id: str | None
    action_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    hypothesis: str | None
    verification_supports: int | None
    verification_contradicts: int | None
    outcome_score: float | None
    emotional_weight: float | None
    error_signature: str | None
    injection_scale: int | None
    access_count: int | None
    last_accessed: datetime | None
    framework_analysis: dict[str, Any] | None
    redacts: str | None
    redacted_at: datetime | None
    redacted_reason: str | None
    content_hash: str | None
    prev_hash: str | None
    chain_hash: str | None
    hash_version: int | None
    key_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationDetails:
    """The entity of a fact, its source, and the time in which it is true.

    ``valid_to`` is null while the fact has no end. ``learned_from`` are ids of thoughts, ``supersedes``
    those of the observations that this one replaced.
    """

    entity: EntityName | None
    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    learned_from: list[str]
    supersedes: list[str]
    access_count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedEntity:
    """An entity that was merged into another, as it was, with the record of the merge.

    ``observations`` and ``relations`` count those that it brought to the other entity; each has its id as
    ``merged_from``. Those that both entities had are not counted.
    """

    id: str
    name: str
    entity_type: str
    description: str | None
    data: dict[str, Any] | None
    merged_at: datetime
    merged_by: str | None
    reason: str | None
    observations: int
    relations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDetails:
    """An entity; ``data`` are its other properties, and ``valid_to`` is null while it has no end.

    ``merged`` are the entities that were merged into it, in the order of the merges. Their names and ids mean
    this entity.
    """

    id: str
    name: str
    entity_type: str
    description: str | None
    data: dict[str, Any] | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    access_count: int | None
    merged: list[MergedEntity] = field(default_factory=list[MergedEntity])


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResult(Answer):
    """A thought, an observation or an entity in full.

    ``text`` is the content of a thought or observation, or the description of an entity; it is empty for a
    redacted thought. ``length`` is the number of characters of the whole text. ``next_start`` is the
    ``start`` that reads on, and null at the end of the text. ``embedded``: it has a vector.
    ``outside_chain``: it is a thought that is not a step of its session's chain. ``revised_by``,
    ``solved_by`` and ``contradicted_by`` are the ids of its latest revision, of its best solution, and of
    what contradicts it most. ``merged_id`` is the id that was asked for, if its node was merged into this
    one. One of ``thought``, ``observation`` and ``entity`` is set.
    """

    id: str
    kind: Kind
    text: str
    length: int
    next_start: int | None
    embedded: bool
    outside_chain: bool | None = None
    merged_id: str | None = None
    revised_by: str | None = None
    contradicted_by: str | None = None
    solved_by: str | None = None
    thought: ThoughtDetails | None = None
    observation: ObservationDetails | None = None
    entity: EntityDetails | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An observation about an entity; ``valid_to`` is null while it has no end.

    ``revised_by`` is the id of the observation that superseded it, ``learned_from`` are ids of thoughts.
    ``merged_from`` is the id of the entity that it was about before a merge.
    """

    id: str
    content: str
    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    learned_from: list[str]
    revised_by: str | None
    merged_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRelation:
    """A relation between the entity that was read and ``other``.

    ``id`` is null if the relation was created outside LegacyMind. ``properties`` are those that LegacyMind
    does not define.
    """

    id: str | None
    type: str
    direction: RelationDirection
    other: EntityName
    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityResult(Answer):
    """An entity with a page of its facts and of its relations.

    The latest facts come first; relations are ordered by type and by the name of the other entity. Both
    lists are cut at the same length, so the next page is at ``offset + length of the longer list``
    (``next_offset``, null on the last page). ``left_out`` counts the items of this page that did not fit in
    the token budget. ``observation_count`` and ``relation_count`` count all that are valid at ``as_of``, or
    all with ``history``.

    ``contradictions`` are pairs of facts that are valid at ``as_of`` and contradict each other. The first
    page has those that fit in a quarter of the budget, and ``contradiction_count`` counts all. The latest 500
    facts of at most 300 characters are compared.
    """

    entity: EntityDetails
    as_of: datetime
    observations: list[Fact]
    observation_count: int
    relations: list[EntityRelation]
    relation_count: int
    contradictions: list[Contradiction]
    contradiction_count: int
    offset: int
    left_out: int
    next_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetResult(Answer):
    """What a call closed or deleted, or would close or delete.

    ``kind`` is that of the named item. ``observations`` and ``relations`` count what goes with it, and
    ``recalled_by`` the thoughts that recalled it. ``at`` is the end of validity, or the time of deletion.
    ``already``: it was closed before, so nothing changed.
    """

    id: str
    kind: KnowledgeKind
    label: str
    action: Forgetting
    observations: int
    relations: int
    recalled_by: int
    at: datetime
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedNow(EntityName):
    """An entity that a call merged, or would merge, with the facts and relations that it brings along."""

    observations: int
    relations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeResult(Answer):
    """What a call merged into ``kept``, or would merge with ``dry_run``.

    ``merged`` is empty if all of the entities were merged into it before. ``links`` counts the relationships
    to thoughts and to earlier merged entities that now lead to ``kept``; ``joined`` counts the facts and
    relationships that ``kept`` or another one of the entities had too, so that the two became one.
    """

    kept: EntityName
    merged: list[MergedNow]
    links: int
    joined: int
    at: datetime
    dry_run: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two entities that may be the same thing.

    ``score`` is 0.4 times the cosine of their vectors plus 0.6 times the ``likeness`` of their names, or the
    likeness alone if one has no vector.
    """

    first: EntityName
    second: EntityName
    score: float
    likeness: float
    cosine: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatesResult(Answer):
    """Pairs of likely duplicates, in the order of the names of ``first``.

    ``compared`` entities were compared with others, from ``offset`` on; ``next_offset`` is null at the end of
    the entities. ``left_out`` counts the pairs that did not fit in the token budget; the next page begins
    with them.
    """

    pairs: list[DuplicatePair]
    count: int
    compared: int
    offset: int
    left_out: int
    next_offset: int | None
