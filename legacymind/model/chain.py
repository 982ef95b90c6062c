"""Results of chains, decision records and trees.

``outside_chain`` is true for a thought that is not a step of its session's chain, so nothing proves who wrote
it; otherwise it is null.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from legacymind.model.base import Answer, Camel, ChainVerdict, FaultKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault(Camel):
    """A fault of a chain: what was found, at which step and thought, and what it means for the data.

    ``step`` is the first missing step if steps are missing, and null for a thought outside the chain.
    ``thought_id`` is null if no thought of the chain has the fault.
    """

    kind: FaultKind
    step: int | None
    thought_id: str | None
    fault: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport(Camel, Answer):
    """The result of verifying a session's hash chain.

    ``verdict``: ``intact``; ``truncated``, all stored steps verify but the last is not the session's head;
    ``broken``, a fault was found; or ``unverifiable``, a required key is missing and nothing else is wrong.
    ``valid``: all stored steps verify. ``complete``: the last step is the session's head, so no later step
    was removed. ``faults`` are the first 100 faults in the order of steps, and ``fault_count`` counts all.
    ``broken_at``, ``broken_thought`` and ``broken`` are the step, the thought's id and the text of the first.
    ``redacted`` is the number of redacted thoughts, ``pending_links`` of links to missing thoughts, ``keyed``
    of steps hashed with a key, and ``unkeyed`` of the others. ``known_head``: the history up to the given
    head is unchanged; null if none was given.
    """

    success: bool
    verdict: ChainVerdict
    valid: bool
    complete: bool
    message: str
    session_id: str
    thought_count: int
    broken_at: int | None
    broken_thought: str | None
    broken: str | None
    faults: list[ChainFault]
    fault_count: int
    head_hash: str | None
    redacted: int = 0
    pending_links: int = 0
    keyed: int = 0
    unkeyed: int = 0
    known_head: bool | None = None


_WORST_FIRST: Final[tuple[ChainVerdict, ...]] = ("broken", "unverifiable", "truncated", "intact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The reports of many sessions, and the lines of anchors of which the leaves are lost or were changed."""

    reports: list[ChainReport]
    lost: list[str]

    @property
    def verdict(self) -> ChainVerdict:
        """The worst verdict of all; ``unverifiable`` is the best if leaves are lost."""
        found = {report.verdict for report in self.reports} | {"unverifiable" if self.lost else "intact"}
        return next(verdict for verdict in _WORST_FIRST if verdict in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedThought(Camel):
    """A recorded thought; its hashes are shortened to 16 characters."""

    thought_id: str
    thought_type: str
    step_index: int
    content_hash: str
    chain_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordResult(Camel, Answer):
    """The result of recording a thought.

    ``deferred`` is true if the embedder was down: the thought is text-searchable only until it is embedded.
    ``repeated`` is true if an earlier call with the same idempotency key stored it.
    """

    success: bool
    thought: RecordedThought
    deferred: bool = False
    repeated: bool = False
    dropped_tags: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactResult(Camel, Answer):
    """A redacted thought; ``already`` is true if it was redacted before this call."""

    success: bool
    thought_id: str
    redacted_at: datetime
    already: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtNode(Camel):
    """A thought in a tree; ``child_count`` includes children that are not shown."""

    thought_id: str
    thought_type: str | None
    step_index: int | None
    content: str
    created_at: datetime | None
    author: str | None
    child_count: int
    redacted_at: datetime | None = None
    outside_chain: bool | None = None
    children: list["ThoughtNode"] = field(default_factory=list["ThoughtNode"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtTree(Camel, Answer):
    """A page of a session's thought trees.

    ``next_after`` is the ``after`` of the next page. ``left_out`` is the number of thoughts of this page that
    did not fit in the token budget: descendants, which only ``child_count`` shows, or roots, which the next
    page shows.
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
    thought_type: str | None
    step_index: int | None
    session_id: str | None
    content: str
    created_at: datetime | None
    redacted_at: datetime | None = None
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionThoughts(Camel, Answer):
    """A page of the thoughts that led to an action.

    ``count`` is the number of all visible ones, ``private`` of those that are private to other sessions.
    ``left_out`` is the number of thoughts of this page that did not fit in the token budget; the next page,
    at ``offset`` plus the number of thoughts shown, starts with them.
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
    """A thought on a path to an action."""

    thought_id: str
    thought_type: str | None
    content: str
    step_index: int | None
    redacted_at: datetime | None = None
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningTrail(Camel, Answer):
    """A page of paths from a root to each thought that led to an action.

    ``trail_count`` is the number of all visible paths. ``private`` is the number of hidden thoughts that are
    private to other sessions, among those that led to the action and those on the paths of this page.
    ``earlier`` is, for each path, the number of its thoughts that are not shown; they are next to its root.
    ``left_out`` is the number of thoughts of this page that are not shown: those in ``earlier``, and those of
    whole paths that did not fit in the token budget. The next page is at ``offset`` plus the number of paths
    shown.
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
    """The last step of a session's hash chain; ``key_id`` is null if it was hashed without a key."""

    session_id: str
    step: int
    hash: str
    key_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHeads(Camel):
    """A page of a namespace's chain heads, to be stored outside the database; signed if a chain key is set.

    ``signature`` is the HMAC-SHA-256 of the canonical JSON (RFC 8785) of all other members.
    """

    namespace: str
    exported_at: str
    heads: list[ChainHead]
    next_after: str | None
    key_id: str | None
    signature: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor(Camel):
    """The Merkle root over the chain heads of ``sessions`` sessions; ``line`` is what to keep.

    ``session_id`` is null if all sessions of the namespace were anchored. ``headless`` is the number of
    sessions that have no head, as after tampering; they are not anchored.
    """

    success: bool
    line: str
    root: str
    sessions: int
    namespace: str
    session_id: str | None
    created_at: datetime
    headless: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorProof(Camel, Answer):
    """The proof that an anchor includes a session's head: step, hash and key of its last step at that time.

    ``leaf`` is the text of the leaf number ``leaf_index``, from 0, of the ``tree_size`` leaves, and ``path``
    its inclusion proof (RFC 9162): the sibling hashes from the leaf to the root.
    """

    success: bool
    session_id: str
    step: int
    hash: str
    key_id: str | None
    leaf: str
    leaf_index: int
    tree_size: int
    path: list[str]
    root: str
