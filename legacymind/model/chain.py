"""What chains, decision records and trees answer."""

from dataclasses import dataclass, field
from datetime import datetime

from legacymind.model.base import Camel


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
    """What recording answers; ``deferred``: the embedder was down, so only its words find it for now."""

    success: bool
    thought: RecordedThought
    deferred: bool = False


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
