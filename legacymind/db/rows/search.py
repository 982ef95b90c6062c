"""Rows of the statements in cypher/search."""

from datetime import datetime
from typing import Literal, TypedDict

from legacymind.db.rows.knowledge import NamedEntity, StoredEntity, StoredMerge
from legacymind.db.rows.schema import OverSlot
from legacymind.model.base import Kind, Mode, Submode

# --- the search for hits --------------------------------------------------------------------------


class ThoughtHit(TypedDict):
    """A thought; ``score`` is null when nothing was searched for. Times of hits are text."""

    id: str
    kind: Literal["thought"]
    text: str
    score: float | None
    created_at: str | None
    author: str | None
    mode: str | None
    thought_type: str | None
    origin: str | None
    session_id: str | None
    chain_id: str | None
    step_index: int | None
    confidence: float | None
    outside_chain: bool
    revised_by: str | None
    contradicted_by: str | None
    solved_by: str | None
    standing: bool | None


class ListedThought(ThoughtHit):
    """A thought in time; ``position`` is Unix seconds, nanoseconds, step and id."""

    position: tuple[int, int, int, str]


class NearThought(ThoughtHit):
    """A thought and its cosine with the query."""

    cosine: float


class KnowledgeHit(TypedDict):
    """An entity or observation; ``entity`` is the name of the entity it is or is about."""

    id: str
    kind: Literal["entity", "observation"]
    text: str
    score: float
    created_at: str | None
    entity: str | None
    entity_type: str | None
    valid_from: str | None
    valid_to: str | None
    revised_by: str | None
    contradicted_by: str | None


class NearKnowledge(KnowledgeHit):
    """An entity or observation and its cosine with the query."""

    cosine: float


# All hits of a search are one row: a row for each hit costs eight times as much.


class ThoughtHitsRow(TypedDict):
    """A page of ranked thoughts."""

    hits: list[NearThought]


class KnowledgeHitsRow(TypedDict):
    """Ranked knowledge."""

    hits: list[NearKnowledge]


class ThoughtsRow(TypedDict):
    """Thoughts found by their text."""

    hits: list[ThoughtHit]


class KnowledgeRow(TypedDict):
    """Entities and observations found by their text."""

    hits: list[KnowledgeHit]


class ListedRow(OverSlot):
    """Thoughts in time."""

    hits: list[ListedThought]


class ContextHit(TypedDict):
    """A thought, and the part of a context that it belongs to."""

    part: Literal["pinned", "standing", "unresolved", "recent"]
    hit: ThoughtHit


class ContextRow(OverSlot):
    """The parts of a context, each in its own order."""

    parts: list[ContextHit]


class TrailStepRow(TypedDict):
    """A node of a trail: its distance from the start, and the relationship and node it was reached by."""

    id: str
    kind: Kind
    text: str | None
    depth: int
    via: str
    reached_from: str
    created_at: datetime | None
    author: str | None
    mode: str | None
    session_id: str | None
    step_index: int | None
    score: float | None
    rank: int | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    redacted_at: datetime | None
    outside_chain: bool


class TrailRow(TypedDict):
    """All steps of a page of a trail, in one row; ``found`` is whether the start exists.

    ``deeper`` is whether nodes follow beyond the greatest depth. ``unknown`` are types to walk that no
    relationship has.
    """

    found: bool
    deeper: bool
    unknown: list[str]
    steps: list[TrailStepRow]


class ThreadThoughtRow(TypedDict):
    """A thought in its thread; ``position`` is Unix seconds, nanoseconds, step and id."""

    id: str
    created_at: datetime
    content: str
    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    confidence: float | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    redacted_at: datetime | None
    outside_chain: bool
    position: tuple[int, int, int, str]


class ThreadRow(TypedDict):
    """A page of thoughts in time."""

    thoughts: list[ThreadThoughtRow]


class LinkIds(TypedDict):
    """The ids that a thought links to."""

    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None


class LinksResolved(TypedDict):
    """Whether each link's relationship exists."""

    previous_thought_id: bool
    revises_thought: bool
    branch_from: bool
    parent_id: bool
    action_id: bool


class PointingRow(TypedDict):
    """The number of thoughts that point to a thought, and a page of their ids."""

    count: int
    ids: list[str]


class LinksRow(TypedDict):
    """A thought's links, and what points to it; ``links`` is null when the thought does not exist."""

    links: LinkIds | None
    redacted_at: datetime | None
    outside_chain: bool
    resolved: LinksResolved
    followed_by: PointingRow
    revised_by: PointingRow
    branches: PointingRow
    children: PointingRow


# --- one node in full -----------------------------------------------------------------------------


class NodeMarks(TypedDict):
    """The kind of a node, whether it is outside its chain, and what replaces, contradicts or solves it."""

    kind: Kind
    outside_chain: bool
    revised_by: str | None
    contradicted_by: str | None
    solved_by: str | None


class ThoughtProperties(TypedDict):
    """A thought as it is stored, without its content; any property may be missing from one made by hand."""

    title: str | None
    created_at: datetime | None
    recorded_at: datetime | None
    mode: str | None
    submode: str | None
    thought_type: str | None
    author: str | None
    origin: str | None
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
    redacts: str | None
    redacted_at: datetime | None
    redacted_reason: str | None
    content_hash: str | None
    prev_hash: str | None
    chain_hash: str | None
    hash_version: int | None
    key_id: str | None


class ObservationProperties(TypedDict):
    """An observation without its content."""

    source: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime | None
    access_count: int | None
    entity: NamedEntity | None
    learned_from: list[str]
    supersedes: list[str]


class NodeRow(TypedDict):
    """A node in full; ``id`` is null when it does not exist. ``length`` is that of its whole text.

    ``tags`` and ``framework_analysis``, which is JSON, are a thought's.
    """

    id: str | None
    text: str | None
    length: int | None
    embedded: bool
    marks: NodeMarks
    thought: ThoughtProperties | None
    tags: list[str] | None
    framework_analysis: str | None
    observation: ObservationProperties | None
    entity: StoredEntity | None
    merged: list[StoredMerge]


# --- explaining recall ----------------------------------------------------------------------------


class RecallingThought(TypedDict):
    """The thought of an explained recall; ``embedded`` is whether it still has its vector."""

    id: str
    mode: Mode
    submode: Submode | None
    injection_scale: int | None
    recorded_at: datetime | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    redacted_at: datetime | None
    outside_chain: bool
    created_at: datetime
    text: str | None
    embedded: bool


class PrunedMemory(TypedDict):
    """A memory with no RECALLS relationship left; all but id, rank and score are null when it is private.

    ``via`` is ``fallback`` or ``session`` if it never had one, and else null.
    """

    rank: int
    score: float
    id: str
    kind: Kind | None
    text: str | None
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None
    via: str | None
    outside_chain: bool


class RecalledMemory(TypedDict):
    """A recalled memory with the parts of its score; ``merged_from`` is its id before a merge."""

    rank: int
    score: float
    id: str
    kind: Kind | None
    text: str | None
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None
    outside_chain: bool
    cosine: float | None
    similarity: float | None
    recency: float | None
    salience: float | None
    access: float | None
    contradiction: float | None
    via: str | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    merged_from: str | None


class RecallRow(OverSlot):
    """A thought, null when there is none, and what it recalled."""

    thought: RecallingThought | None
    recalled: list[RecalledMemory]
    pruned: list[PrunedMemory]


class MissedMemory(TypedDict):
    """A memory that a thought nearly recalled; ``cosine`` is null when it has no vector."""

    id: str
    kind: Kind
    text: str | None
    cosine: float | None
    created_at: datetime | None
    author: str | None
    outside_chain: bool


class MissedRow(TypedDict):
    """What a thought nearly recalled, nearest first."""

    missed: list[MissedMemory]


class WeighedMemory(MissedMemory):
    """A memory with everything that recall would have checked."""

    redacted_at: datetime | None
    recorded_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    hot: bool


class WeighedRow(TypedDict):
    """A memory as recall would have weighed it; null when it does not exist or is private."""

    memory: WeighedMemory | None
