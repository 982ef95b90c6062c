"""The types that cross doors: what operations take and what they answer."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

ALWAYS: Final = datetime(1, 1, 1, tzinfo=UTC)
"""The beginning of time: of a search without a window, and of what has always been true."""

OPEN: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The ``valid_to`` of what is still true, so that *as of* is a range."""

MAX_CONTENT = 100 * 1024
"""Bytes of UTF-8 one thought may have."""

MAX_KEY = 512
"""Bytes of UTF-8 of an id, namespace, author and the like.

A string over 32,766 bytes in a vector index's filter property takes the database down.
"""

Mode = Literal["debug", "build", "plan", "stuck", "question", "conclude"]
Submode = Literal["sarcastic", "philosophical", "empathetic", "problem_solving", "adderall"]
Kind = Literal["thought", "entity", "observation"]
Method = Literal["graph", "vector", "text"]
Order = Literal["created_at_asc", "created_at_desc", "relevance"]
Direction = Literal["back", "forward", "both"]
Relation = Literal[
    "FOLLOWS",
    "REVISES",
    "BRANCHES_FROM",
    "CHILD_OF",
    "RECALLS",
    "REFERENCES",
    "ASSOCIATES",
    "DEPENDS_ON",
    "REINFORCES",
    "CONTRADICTS",
    "SOLVES",
]
RESERVED = frozenset(
    (*Relation.__args__, "IN_SESSION", "FOR_ACTION", "ABOUT", "LEARNED_FROM", "AWAITS")  # type: ignore[attr-defined]
)
"""Relationship types that users' own relations may not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camel:
    """A result whose JSON keys are camelCase at every door, as clients of decision records expect."""


# --- search --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RankParts:
    """What made a rank: standardised and weighted addends; see cypher/search/search_memory.cypher.

    ``session`` is the best of the same session, ``beside`` the best neighbour, ``answer`` a question just
    before it; ``question`` speaks against a short question, ``author``, ``date`` and ``time`` for the one
    who is named, the date that is meant and a time when it is asked for.
    """

    meaning: float
    words: float
    beside: float
    session: float = 0.0
    answer: float = 0.0
    question: float = 0.0
    author: float = 0.0
    date: float = 0.0
    time: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    ``cosine`` is the raw cosine. ``score`` is that too when searching by vector; ranked, it is the cosine
    that would stand as far above the other candidates; by text it is Lucene's; without a query there is none.
    """

    id: str
    kind: Kind
    text: str
    score: float | None
    rank: int
    created_at: datetime | None
    cosine: float | None = None
    parts: RankParts | None = None
    author: str | None = None
    mode: str | None = None
    thought_type: str | None = None
    origin: str | None = None
    session_id: str | None = None
    chain_id: str | None = None
    step_index: int | None = None
    confidence: float | None = None
    entity: str | None = None
    entity_type: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The hits of a search and what was left out of it.

    ``left_out`` hits of this page did not fit in ``max_tokens``; ``next_cursor`` begins with their first.
    """

    hits: list[Hit]
    count: int
    offset: int
    more: bool
    order: str
    method: str
    left_out: int = 0
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What to have in mind at the start; ``left_out`` from the end did not fit in ``max_tokens``."""

    pinned: list[Hit]
    unresolved: list[Hit]
    relevant: list[Hit]
    recent: list[Hit]
    count: int
    left_out: int
    session_id: str | None


# --- chain ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport(Camel):
    """What verification found: whether, where and what broke.

    ``valid``: every link that is there is unbroken. ``complete``: the last one is the
    session's head, so nothing was cut off. ``broken_at`` is the first broken step.
    ``keyed`` counts steps hashed under a key; ``known_head``: history up to a given head is unchanged.
    """

    success: bool
    valid: bool
    complete: bool
    message: str
    session_id: str
    thought_count: int
    broken_at: int | None
    broken_thought: str | None
    broken: str | None
    head_hash: str | None
    redacted: int = 0
    pending_links: int = 0
    keyed: int = 0
    known_head: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedThought(Camel):
    """A recorded thought; hashes are cut to 16 characters."""

    thought_id: str
    thought_type: str
    step_index: int
    content_hash: str
    chain_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordResult(Camel):
    """What recording answers."""

    success: bool
    thought: RecordedThought


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactResult(Camel):
    """A thought without its content; ``already`` when it had none before."""

    success: bool
    thought_id: str
    redacted_at: datetime
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtNode(Camel):
    """A thought in its tree; ``child_count`` counts all children, shown or not."""

    thought_id: str
    thought_type: str
    step_index: int
    content: str
    created_at: datetime
    author: str | None
    child_count: int
    redacted_at: datetime | None = None
    children: list["ThoughtNode"] = field(default_factory=list["ThoughtNode"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtTree(Camel):
    """A page of a session's trees; ``next_after`` asks for the next one.

    ``left_out`` thoughts of this page did not fit in the token budget: under ``child_count``, or on the next.
    """

    success: bool
    count: int
    tree: list[ThoughtNode]
    more: bool
    next_after: int | None
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionThought(Camel):
    """A thought that led to an action."""

    thought_id: str
    thought_type: str
    step_index: int | None
    session_id: str | None
    content: str
    created_at: datetime
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionThoughts(Camel):
    """The thoughts that led to an action; ``count`` is how many, beside those ``private`` elsewhere.

    ``left_out`` of this page did not fit in the token budget: the next page, at ``offset`` plus those that
    are here, begins with them.
    """

    success: bool
    action_id: str
    count: int
    private: int
    thoughts: list[ActionThought]
    more: bool
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailThought(Camel):
    """A thought on the way to an action."""

    thought_id: str
    thought_type: str
    content: str
    step_index: int | None
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningTrail(Camel):
    """Paths from root to leaf, one for each thought that led to the action.

    ``private`` thoughts are left out: those that led to the action, and those on the paths of this page, that
    are private to a session which was not named.
    ``earlier``: for each path here, how many of its thoughts, those next to its root, are not shown.
    ``left_out`` thoughts of this page's paths are not here: these, and whole paths that did not fit in the
    token budget; the next page is at ``offset`` plus the paths that are here.
    """

    success: bool
    action_id: str
    has_reasoning: bool
    trail_count: int
    private: int
    trails: list[list[TrailThought]]
    earlier: list[int]
    more: bool
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHead(Camel):
    """The end of a session's chain."""

    session_id: str
    step: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHeads(Camel):
    """The heads of a namespace, to be held elsewhere; signed when a chain key is set.

    ``signature`` is HMAC-SHA-256 of the canonical JSON of everything else but itself.
    """

    namespace: str
    exported_at: str
    heads: list[ChainHead]
    next_after: str | None
    key_id: str | None
    signature: str | None


# --- knowledge -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityInput:
    """A thing to remember."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: str
    entity_type: Annotated[str, Field(description="e.g. person, service, place")] = ""
    description: str | None = None
    data: Annotated[dict[str, Any] | None, Field(description="Any further JSON")] = None
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationInput:
    """A fact about an entity, true from one time to another."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    entity: Annotated[str, Field(description="Its name; made if there is none")]
    content: str
    entity_type: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    source: str | None = None
    learned_from: Annotated[str | None, Field(description="Thought id")] = None
    supersedes: Annotated[str | None, Field(description="Observation id that it closes")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationInput:
    """A named relationship between two entities."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    source_entity: str
    type: Annotated[str, Field(description="e.g. WORKS_ON")]
    target_entity: str
    source_type: str | None = None
    target_type: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """One entity, observation or relation after ``remember``: its id and whether it is new."""

    id: str
    label: str
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberResult:
    """What is now known.

    ``deferred``: the embedder was down, so something of it is found by its words only, until it is embedded.
    """

    entities: list[Remembered] = field(default_factory=list[Remembered])
    observations: list[Remembered] = field(default_factory=list[Remembered])
    relations: list[Remembered] = field(default_factory=list[Remembered])
    created: int = 0
    deferred: bool = False
