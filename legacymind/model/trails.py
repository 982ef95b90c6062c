"""The types of trails that cross doors: what a thought followed, links to and recalled, and why.

``redacted_at`` is there where a thought's content was taken out, and its text empty.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from legacymind.model.base import Direction, Kind
from legacymind.model.think import ScoreParts

MissReason = Literal[
    "below_threshold",
    "outranked",
    "linked",
    "later",
    "outside_window",
    "not_valid_then",
    "not_embedded",
    "dormant",
    "nothing_recalled",
]
"""Why a memory did not come to mind.

It was not near enough; others scored higher; the thought links to it anyway; it came later; its window had
passed; the fact was not true at the time; it has no vector; it was put to rest; the thought was to recall
nothing.
"""
LinkState = Literal["record", "string"]
"""Whether what a link names is there, or the link still waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep:
    """One node of a trail: how far it is from the start and over which relationship it was reached."""

    id: str
    kind: Kind
    text: str
    depth: int
    via: str | None
    reached_from: str | None
    created_at: datetime | None = None
    author: str | None = None
    mode: str | None = None
    session_id: str | None = None
    step_index: int | None = None
    score: float | None = None
    rank: int | None = None
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailResult:
    """A trail in order of distance; the next page is at ``offset + count``.

    ``left_out`` steps of this page did not fit in the token budget.
    """

    start: str
    direction: Direction
    steps: list[TrailStep]
    count: int
    offset: int
    more: bool
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadThought:
    """A thought in its thread; links are bare ids."""

    id: str
    created_at: datetime
    content: str
    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    confidence: float | None
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadResult:
    """A page of a thread; ``next_cursor`` asks for the next one, at any depth in the same time.

    ``left_out`` thoughts of this page did not fit in the token budget: the next page begins with them.
    """

    thoughts: list[ThreadThought]
    count: int
    order: str
    more: bool
    left_out: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStates:
    """Of each link whether what it names is there (``record``) or awaited (``string``)."""

    previous_thought_id: LinkState | None
    revises_thought: LinkState | None
    branch_from: LinkState | None
    parent_id: LinkState | None
    action_id: LinkState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointing:
    """Thoughts that link to one in the same way: how many, and the ids of a page of them, oldest first."""

    count: int
    ids: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksResult:
    """What a thought links to, as bare ids, and what links to it.

    The next page of each list is at ``offset`` plus the ids of its longest; ``left_out`` ids of this page did
    not fit in the token budget.
    """

    thought_id: str
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    states: LinkStates
    followed_by: Pointing
    revised_by: Pointing
    branches: Pointing
    children: Pointing
    offset: int
    more: bool
    left_out: int
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMemory:
    """A memory as it came to mind then; ``pruned`` when only rank and score were kept of it."""

    id: str
    rank: int
    score: float
    kind: Kind | None
    text: str
    via: str | None
    cosine: float | None
    parts: ScoreParts | None
    pruned: bool
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedMemory:
    """A memory that did not come to mind: its raw cosine, and how far that is below what was asked for.

    ``short_by`` is negative for one that was near enough.
    """

    id: str
    kind: Kind
    text: str
    reason: MissReason
    cosine: float | None
    threshold: float
    short_by: float | None
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallExplanation:
    """Why a thought recalled what it did, by rank, and what it just missed, the nearest miss first.

    Thresholds are those of the present configuration, for knowledge the fallback's floor when nothing passed;
    a thought does not store its own. ``since`` is where the window of thoughts began, null without one.
    The next page of memories is at ``offset`` plus their number; ``left_out`` did not fit in the budget.
    """

    thought_id: str
    text: str
    created_at: datetime
    mode: str | None
    submode: str | None
    scale: int
    threshold_knowledge: float
    threshold_thoughts: float
    since: datetime | None
    memories: list[ExplainedMemory]
    missed: list[MissedMemory]
    recalled: int
    pruned: int
    offset: int
    more: bool
    left_out: int
    note: str | None
    redacted_at: datetime | None = None
