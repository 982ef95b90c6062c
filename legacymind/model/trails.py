"""Results of trails, threads, links and explained recall. The text of a redacted thought is empty."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, get_args

from legacymind.model.about import about
from legacymind.model.base import Direction, Item, Kind, ListAnswer, ModeOf, SubmodeOf, ThreadOrder
from legacymind.model.members import (
    ActionOf,
    AuthorOf,
    Branches,
    BranchesFrom,
    CreatedAt,
    Follows,
    Id,
    OfThought,
    OutsideChain,
    Parent,
    RedactedAt,
    Revises,
    SaidBy,
    StoredId,
)
from legacymind.model.think import ScoreParts, Via

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

``below_threshold``: its cosine was too low. ``outranked``: others scored higher, or nothing was related
enough to open recall. ``linked``: the thought links to it. ``later``: it is not older than the thought.
``outside_window``: it was older than the window of recall. ``not_valid_then``: the fact was not true at the
time. ``not_embedded``: it has no vector.
``dormant``: it is not ``hot``. ``outside_chain``: it is not a step of its session's chain.
``nothing_recalled``: the thought recalls nothing, as with scale 0.
"""
LinkState = Literal["record", "string"]
"""``record``: the linked thought exists. ``string``: the link waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep(Item):
    """A node of a trail, and how it was reached."""

    depth: Annotated[int, about("Number of relationships from the start; 0 for the start")]
    via: Annotated[str | None, about("Type of the relationship that led here; null for the start")]
    reached_from: Annotated[Id | None, about("Id of the node from which it was reached; null for the start")]
    score: Annotated[
        float | None, about("Score of the recall that led here; null for other relationships")
    ] = None
    rank: Annotated[
        int | None, about("Rank of the recall that led here, from 1; null for other relationships")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailResult(ListAnswer):
    """A page of a trail, in order of distance."""

    start: Annotated[Id, about("Id of the node at which the walk began")]
    direction: Annotated[Direction, about("Direction of the walk")]
    steps: Annotated[list[TrailStep], about("Nodes of the page, nearest first")]
    deeper: Annotated[
        bool, about("Whether the trail goes on beyond its greatest depth: walk again from its last node")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadThought(Item):
    """A thought of a thread, with what it links to; a redacted one has no text."""

    created_at: Annotated[datetime, about("When it was thought")]  # pyright: ignore[reportGeneralTypeIssues]
    previous_thought_id: Follows
    revises_thought: Revises
    branch_from: BranchesFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadResult(ListAnswer):
    """A page of a thread. Every page costs the same time."""

    thoughts: Annotated[list[ThreadThought], about("Thoughts of the page, in order")]
    order: Annotated[
        ThreadOrder, about("`created_at_asc` for oldest first, `created_at_desc` for latest first")
    ]
    branches: Branches = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkStates:
    """The state of each link."""

    previous_thought_id: Annotated[
        LinkState | None, about("State of the link to the thought before; null without one")
    ]
    revises_thought: Annotated[
        LinkState | None, about("State of the link to the revised thought; null without one")
    ]
    branch_from: Annotated[
        LinkState | None, about("State of the link to the thought from which it branches; null without one")
    ]
    parent_id: Annotated[LinkState | None, about("State of the link to its parent; null without one")]
    action_id: Annotated[LinkState | None, about("State of the link to its action; null without one")]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksResult(ListAnswer):
    """The links of a thought and the thoughts that link to it, as ids without the prefix ``thoughts:``."""

    thought_id: OfThought
    previous_thought_id: Follows
    revises_thought: Revises
    branch_from: BranchesFrom
    parent_id: Parent
    action_id: ActionOf
    states: Annotated[LinkStates, about("Whether the target of each link exists")]
    followed_by: Annotated[list[Id], about("Ids of thoughts that follow it, oldest first")]
    revised_by: Annotated[list[Id], about("Ids of thoughts that revise it, oldest first")]
    branches: Annotated[list[Id], about("Ids of thoughts that branch from it, oldest first")]
    children: Annotated[list[Id], about("Ids of thoughts below it in the tree of its session, oldest first")]
    redacted_at: RedactedAt = None
    outside_chain: OutsideChain = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMemory:
    """A memory as it was recalled."""

    id: StoredId
    rank: Annotated[int, about("Place among the memories, from 1")]
    score: Annotated[float, about("Relevance when it was recalled, at most 1")]
    kind: Annotated[Kind | None, about("Kind of the node; null if it was deleted")]
    text: Annotated[str, about("Beginning of its text; empty if it was deleted or redacted")]
    via: Annotated[
        str | None,
        about(
            "How it was found, such as `vector`, `fulltext` or `graph`; null for a pruned one",
            names=get_args(Via),
        ),
    ]
    cosine: Annotated[float | None, about("Cosine with the thought; null if it is not stored")]
    parts: Annotated[ScoreParts | None, about("Addends of its weight; null if they are not stored")]
    pruned: Annotated[bool, about("Whether only rank and score are still stored")]
    created_at: CreatedAt
    author: AuthorOf
    said_by: SaidBy = ""
    revised_by: Annotated[
        Id | None, about("Id of the latest revision when it was recalled; null without one")
    ] = None
    solved_by: Annotated[
        Id | None, about("Id of its best solution when it was recalled; null without one")
    ] = None
    contradicted_by: Annotated[
        Id | None, about("Id of what contradicted it most when it was recalled; null without one")
    ] = None
    redacted_at: RedactedAt = None
    outside_chain: OutsideChain = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedMemory(Item):
    """A memory that was not recalled."""

    reason: Annotated[MissReason, about("Why it was not recalled")]
    cosine: Annotated[float | None, about("Cosine with the thought; null if it has no vector")]
    threshold: Annotated[
        float, about("Cosine that recalls it without a shared word, by the present settings")
    ]
    short_by: Annotated[
        float | None, about("Threshold minus cosine: negative above the threshold, null without a vector")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallExplanation(ListAnswer):
    """The memories that a thought recalled, by rank, and those that it narrowly missed, nearest first.

    A thought does not store its thresholds.
    """

    thought_id: OfThought
    text: Annotated[str, about("Beginning of its text; empty for a redacted thought")]
    created_at: Annotated[datetime, about("When it was thought")]
    mode: ModeOf
    submode: SubmodeOf
    scale: Annotated[int, about("How much it recalled, from 0 to 5")]
    threshold_knowledge: Annotated[
        float, about("Cosine that recalls an entity or fact without a shared word, by the present settings")
    ]
    threshold_thoughts: Annotated[
        float, about("Cosine that recalls a thought without a shared word, by the present settings")
    ]
    since: Annotated[datetime | None, about("Start of the window for thoughts; null without a window")]
    memories: Annotated[list[ExplainedMemory], about("Recalled memories of the page, by rank")]
    missed: Annotated[list[MissedMemory], about("Memories that were narrowly missed, nearest first")]
    recalled: Annotated[int, about("Number of all recalled memories")]
    pruned: Annotated[int, about("Number of those of which only rank and score are stored")]
    note: Annotated[str | None, about("What limits this explanation, as a sentence; null if nothing does")]
    redacted_at: RedactedAt = None
    outside_chain: OutsideChain = None
