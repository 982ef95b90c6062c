"""Results of trails, threads, links and explained recall.

A redacted thought has ``redacted_at`` and an empty text. ``outside_chain`` is true for a thought that is not
a step of its session's chain, so nothing proves who wrote it; otherwise it is null.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from legacymind.model.base import Answer, Direction, Kind
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
    "outside_chain",
    "nothing_recalled",
]
"""Why a memory was not recalled.

``below_threshold``: its cosine was too low. ``outranked``: others scored higher. ``linked``: the thought
links to it. ``later``: it is not older than the thought. ``outside_window``: it was older than the window of
recall. ``not_valid_then``: the fact was not true at the time. ``not_embedded``: it has no vector.
``dormant``: it is not ``hot``. ``outside_chain``: it is not a step of its session's chain.
``nothing_recalled``: the thought recalls nothing, as with scale 0.
"""
LinkState = Literal["record", "string"]
"""``record``: the linked thought exists. ``string``: the link waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep:
    """A node of a trail: its distance from the start, and the relationship and node it was reached from.

    ``revised_by``, ``solved_by`` and ``contradicted_by`` are the ids of its latest revision, of its best
    solution and of what contradicts it most strongly.
    """

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
    revised_by: str | None = None
    solved_by: str | None = None
    contradicted_by: str | None = None
    redacted_at: datetime | None = None
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailResult(Answer):
    """A page of a trail, in order of distance.

    The next page is at ``offset + count``. ``more`` is also true if the trail continues beyond the greatest
    depth, 100; a walk from its last step shows the rest. ``left_out`` is the number of steps of this page
    that did not fit in the token budget.
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
    """A thought of a thread; its links are ids without the prefix ``thoughts:``.

    ``revised_by``, ``solved_by`` and ``contradicted_by`` are the ids of its latest revision, of its best
    solution and of what contradicts it most strongly.
    """

    id: str
    created_at: datetime
    content: str
    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    confidence: float | None
    revised_by: str | None = None
    solved_by: str | None = None
    contradicted_by: str | None = None
    redacted_at: datetime | None = None
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadResult(Answer):
    """A page of a thread.

    ``next_cursor`` is the cursor of the next page; with it, every page costs the same time. ``left_out`` is
    the number of thoughts of this page that did not fit in the token budget; the next page starts with them.
    """

    thoughts: list[ThreadThought]
    count: int
    order: str
    more: bool
    left_out: int
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStates:
    """The state of each link: ``record`` if its target exists, ``string`` if the link waits for it."""

    previous_thought_id: LinkState | None
    revises_thought: LinkState | None
    branch_from: LinkState | None
    parent_id: LinkState | None
    action_id: LinkState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointing:
    """The thoughts that link to a thought in one way: their number, and a page of their ids, oldest first."""

    count: int
    ids: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksResult(Answer):
    """The links of a thought and the thoughts that link to it, as ids without the prefix ``thoughts:``.

    The next page is at ``offset`` plus the length of the longest list. ``left_out`` is the number of ids of
    this page that did not fit in the token budget.
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
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMemory:
    """A memory as it was recalled; ``pruned`` is true if only its rank and score are still stored.

    ``revised_by``, ``solved_by`` and ``contradicted_by`` are ids as of the recall.
    """

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
    revised_by: str | None = None
    solved_by: str | None = None
    contradicted_by: str | None = None
    redacted_at: datetime | None = None
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedMemory:
    """A memory that was not recalled: its raw cosine, the threshold and the reason.

    ``short_by`` is the threshold minus the cosine, so it is negative for a memory above the threshold. The
    threshold is the cosine that recalls without a shared word.
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
    outside_chain: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallExplanation(Answer):
    """The memories that a thought recalled, by rank, and those that it narrowly missed, nearest first.

    A threshold is the cosine that recalls without a shared word, by the present settings, because a thought
    does not store its own. ``since`` is the start of the window for
    thoughts, null without a window. The next page is at ``offset`` plus the number of memories shown.
    ``left_out`` is the number of items of this page that did not fit in the token budget.
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
    outside_chain: bool | None = None
