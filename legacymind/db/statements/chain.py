"""The statements of ``cypher/chain``, with the types of their rows and of larger parameters."""

from datetime import datetime
from typing import Any, TypedDict

from legacymind.db.query import load


class WaitingLink(TypedDict):
    """A link that waits for its target; ``overdue``: the target exists."""

    type: str | None
    id: str
    overdue: bool


class ChainRow(TypedDict):
    """One step of a chain for verification.

    ``targets`` are the targets of its relationships, by the property that holds the intended id.
    ``in_session``: the thought belongs to this session and no other. Tampering may leave any value in any
    property, whatever its type here. ``restored``: the step that this one redacted, if it has a text.
    ``thought`` has the properties of ``model.stored.VERIFIED``, and ``chained``.
    """

    thought: dict[str, Any]
    targets: dict[str, list[str]]
    waiting: list[WaitingLink]
    in_session: bool
    restored: list[int | None]


read_chain = load("chain/read_chain", ChainRow, writes=False)


class OutsideRow(TypedDict):
    """A thought of a session that is not a step of its chain."""

    thought_id: str | None
    reason: str


read_outside = load("chain/read_outside", OutsideRow, writes=False)


class ChainHeadRow(TypedDict):
    """A session's stored head, or nulls."""

    head_hash: str | None
    head_step: int | None


class FullHeadRow(ChainHeadRow):
    """A session's head with the id and the key of its last thought; ``last`` as in ``HeadRow``.

    ``sessions`` is the number of Session nodes with this id.
    """

    sessions: int
    head_id: str | None
    head_key_id: str | None
    mapped_from: str | None
    last: list[dict[str, Any]]


read_head = load("chain/read_head", FullHeadRow, writes=False)


class TreeNode(TypedDict):
    """A thought of a tree; ``level`` counts from the page's roots, -1 is the thought the page starts at."""

    id: str
    level: int
    thought_type: str | None
    step_index: int | None
    parents: list[str]
    content: str | None
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None
    outside_chain: bool
    children: int


class TreeRow(TypedDict):
    """A page of a session's thought tree, flat; ``total`` counts the session's thoughts."""

    total: int
    roots: int
    nodes: list[TreeNode]


read_tree = load("chain/read_tree", TreeRow, writes=False)


class ActionThoughtRow(TypedDict):
    """A thought that led to an action."""

    id: str
    thought_type: str | None
    step_index: int | None
    session_id: str | None
    content: str | None
    created_at: datetime | None
    redacted_at: datetime | None
    outside_chain: bool


class ActionRow(TypedDict):
    """A page of an action's thoughts; ``total`` counts the visible ones."""

    thoughts: list[ActionThoughtRow]
    total: int


read_action = load("chain/read_action", ActionRow, writes=False)


class ReasoningStep(TypedDict):
    """A thought on the way to an action, ``height`` levels above the thought that led to it."""

    id: str
    height: int
    thought_type: str | None
    step_index: int | None
    content: str | None
    redacted_at: datetime | None
    outside_chain: bool
    private: bool
    parents: list[str]


class ReasoningTrailRow(TypedDict):
    """A thought that led to an action, then its ancestors, nearest first; ``height`` is the highest level."""

    steps: list[ReasoningStep]
    height: int


class ReasoningRow(TypedDict):
    """A page of an action's trails; ``total`` counts the visible thoughts."""

    trails: list[ReasoningTrailRow]
    total: int


read_reasoning = load("chain/read_reasoning", ReasoningRow, writes=False)


class EvidenceRow(TypedDict):
    """The sessions of the thoughts that led to an action, and the ids of thoughts that are in no chain."""

    sessions: list[str]
    unproven: list[str]


read_evidence = load("chain/read_evidence", EvidenceRow, writes=False)


class SessionHeadRow(ChainHeadRow):
    """A session, its chain head, and the key of its last thought; tampering may leave any value in these.

    ``fits``: a step has that head.
    """

    session_id: str
    head_key_id: str | None
    fits: bool


read_heads = load("chain/read_heads", SessionHeadRow, writes=False)


class UnnamedRow(TypedDict):
    """The number of nodes with this label that have no session with an id, and what some have instead."""

    label: str
    nodes: int
    names: list[Any]


read_unnamed = load("chain/read_unnamed", UnnamedRow, writes=False)


class StoredRow(TypedDict):
    """The number of leaves that were stored."""

    stored: int


store_leaves = load("chain/store_leaves", StoredRow, writes=True)


class LogRow(TypedDict):
    """The id of a log, and its size after an entry was appended; without ``sound``, or if it is shorter than
    was asked for, none was.
    """

    id: str
    size: int
    sound: bool


append_anchor = load("chain/append_anchor", LogRow, writes=True)


class LeavesRow(TypedDict):
    """A part of an anchor's leaves; parts of one copy have the same id. Anybody may have changed them."""

    id: str
    leaves: list[str]


read_leaves = load("chain/read_leaves", LeavesRow, writes=False)


class FaultRow(TypedDict):
    """A fault of a chain that is visible without hashing."""

    step: int
    thought: str | None
    fault: str


check_links = load("chain/check_links", FaultRow, writes=False)


class SampledSessionRow(TypedDict):
    """A session of the sample."""

    session_id: str


sample_sessions = load("chain/sample_sessions", SampledSessionRow, writes=False)
