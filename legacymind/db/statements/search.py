"""The statements of ``cypher/search``, with the types of their rows and of larger parameters."""

from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import OverSlot
from legacymind.model.base import Kind, Mode, Submode


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


class NearThought(ThoughtHit):
    """A thought and its cosine with the query."""

    cosine: float


class ThoughtHitsRow(TypedDict):
    """A page of ranked thoughts."""

    hits: list[NearThought]


read_thought_hits = load("search/read_thought_hits", ThoughtHitsRow, writes=False)


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
    standing: bool | None
    revised_by: str | None
    contradicted_by: str | None


class NearKnowledge(KnowledgeHit):
    """An entity or observation and its cosine with the query."""

    cosine: float


class KnowledgeHitsRow(TypedDict):
    """Ranked knowledge."""

    hits: list[NearKnowledge]


read_knowledge_hits = load("search/read_knowledge_hits", KnowledgeHitsRow, writes=False)


class ListedThought(ThoughtHit):
    """A thought in time; ``position`` is Unix seconds, nanoseconds, step and id."""

    position: tuple[int, int, int, str]


class ListedRow(OverSlot):
    """Thoughts in time."""

    hits: list[ListedThought]


list_thoughts = load("search/list_thoughts", ListedRow, writes=False)


class ListedKnowledge(KnowledgeHit):
    """An entity or observation in time; ``position`` as that of a thought, with -1 for the step."""

    position: tuple[int, int, int, str]


class ListedKnowledgeRow(TypedDict):
    """Knowledge in time."""

    hits: list[ListedKnowledge]


list_knowledge = load("search/list_knowledge", ListedKnowledgeRow, writes=False)


class ContextHit(TypedDict):
    """A thought, and the part of a context that it belongs to."""

    part: Literal["pinned", "standing", "unresolved", "recent"]
    hit: ThoughtHit


class ContextRow(OverSlot):
    """The parts of a context, each in its own order."""

    parts: list[ContextHit]


read_context = load("search/read_context", ContextRow, writes=False)


class KnowledgeRow(TypedDict):
    """Entities and observations, found by their text or as standing preferences."""

    hits: list[KnowledgeHit]


read_standing_facts = load("search/read_standing_facts", KnowledgeRow, writes=False)


class ThoughtsRow(TypedDict):
    """Thoughts found by their text."""

    hits: list[ThoughtHit]


match_thoughts = load("search/match_thoughts", ThoughtsRow, writes=False)

match_knowledge = load("search/match_knowledge", KnowledgeRow, writes=False)


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


walk_trail = load("search/walk_trail", TrailRow, writes=False)


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


read_session_thread = load("search/read_session_thread", ThreadRow, writes=False)
read_chain_thread = load("search/read_chain_thread", ThreadRow, writes=False)


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


read_links = load("search/read_links", LinksRow, writes=False)


class NodeMarks(TypedDict):
    """The kind of a node, whether it is outside its chain, and what replaces, contradicts or solves it."""

    kind: Kind
    outside_chain: bool
    revised_by: str | None
    contradicted_by: str | None
    solved_by: str | None


class NodeRow(TypedDict):
    """A node in full; ``id`` is null when it does not exist. ``length`` is that of its whole text.

    ``members`` are those of its details in ``model.nodes``.
    """

    id: str | None
    text: str | None
    length: int | None
    embedded: bool
    marks: NodeMarks
    members: dict[str, Any]
    merged: list[dict[str, Any]]


read_node = load("search/read_node", NodeRow, writes=False)


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
    part_similarity: float | None
    part_recency: float | None
    part_salience: float | None
    part_access: float | None
    part_contradiction: float | None
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


read_recall = load("search/read_recall", RecallRow, writes=False)


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


find_missed = load("search/find_missed", MissedRow, writes=False)


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


weigh_memory = load("search/weigh_memory", WeighedRow, writes=False)


class NamedRow(TypedDict):
    """The ids of the entities with a name; a name without an entity has no row."""

    name: str
    ids: list[str]


find_named = load("search/find_named", NamedRow, writes=False)


class ListRequest(TypedDict):
    """``lists`` are the items, by property, that a thought must have; ``list_query`` is the full-text query
    for them. ``about`` has the ids of entities, of which it must mention one, or nothing.
    """

    lists: dict[str, list[str]]
    list_query: str
    about: list[list[str]]


class PageOf(TypedDict):
    """``page`` hits of an order. They begin after the hit ``after``, if it is within ``slack`` of ``skip``.

    Else they begin after ``skip`` hits.
    """

    skip: int
    after: str
    page: int
    slack: int


class RankedItem(TypedDict):
    """A hit that was ranked; ``cosine`` is null when it is not known."""

    id: str
    score: float
    cosine: float | None


class After(TypedDict):
    """A position in time, exclusive: Unix seconds and nanoseconds; step and id order one instant."""

    seconds: int
    nanoseconds: int
    step: int
    id: str
    latest_first: bool


class ThreadPage(After):
    """A page of a thread, with no thought that is later than ``known``."""

    namespace: str
    known: datetime
    skip: int
    take: int
    text_length: int
