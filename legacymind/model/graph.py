"""The stored graph as nodes and pages of nodes, which GraphQL shows with their neighbours."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypedDict, TypeVar, get_args

from legacymind.model.about import about
from legacymind.model.base import Answer, ThoughtRelation
from legacymind.model.members import (
    Branches,
    Id,
    Properties,
    RecordedAt,
    SaidBy,
    StoredId,
    TrueFrom,
    TrueUntil,
)
from legacymind.model.nodes import RelationDirection
from legacymind.model.stored import EntityMembers, ObservationMembers, ThoughtMembers
from legacymind.model.think import ScoreParts, Via


class View(NamedTuple):
    """Where a node was read: the namespace, and the session whose private thoughts are visible, or ''."""

    namespace: str
    own_session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought(ThoughtMembers):
    """A thought: its text, its place in the chain of its session, and what memory does with it.

    Members without a description are ids that fields of GraphQL lead to.
    """

    view: View
    previous_thought_id: str | None = None
    revises_thought: str | None = None
    branch_from: str | None = None
    parent_id: str | None = None
    session_id: str | None = None
    action_id: str | None = None
    id: StoredId
    content: Annotated[str | None, about("The whole text; null for a redacted thought")]
    said_by: SaidBy
    outside_chain: Annotated[
        bool, about("It is not a step of its session's chain, so nothing proves who wrote it")
    ]
    replica: Annotated[str | None, about("Home that stored it or last changed it; null for this one")]


BeliefVerdict = Literal["unknown", "redacted", "revised", "contradicted", "solved", "held"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What was believed about a thought at a time, by what is still stored."""

    view: View
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    as_of: Annotated[datetime, about("The time")]
    verdict: Annotated[BeliefVerdict, about("The belief in one word: the first one that applies")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtAdded:
    """A thought that was stored, and when."""

    cursor: Annotated[
        datetime,
        about("When it was stored. A new subscription with it as `after` continues where this one ended"),
    ]
    thought: Thought | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(EntityMembers):
    """A person, service, place or similar, with what is known about it."""

    view: View
    said_by: SaidBy
    data: Properties


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(ObservationMembers):
    """A fact about an entity, with the time in which it is true."""

    view: View
    entity_id: str | None
    learned_from: list[str]
    supersedes: str | None
    superseded_by: str | None
    said_by: SaidBy
    id: StoredId
    content: Annotated[str | None, about("Text of the fact")]


Node = Thought | Entity | Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session: the thoughts of one conversation or task, and the head of their hash chain."""

    view: View
    id: Annotated[Id, about("Id, unique in its namespace")]
    created_at: Annotated[datetime | None, about("When it was stored; null if only its thoughts are")]
    first_thought_at: Annotated[datetime | None, about("Time of its first thought that you may read")]
    last_thought_at: Annotated[datetime | None, about("Time of its last thought that you may read")]
    steps: Annotated[int, about("Number of steps of its chain, private ones included")]
    branches: Branches
    head_hash: Annotated[str | None, about("Hash of the last step of its chain")]
    key_id: Annotated[Id | None, about("Id of the key of that hash; null if it has none")]


SessionOrder = Literal["id", "latest"]


class SessionFilter(TypedDict, total=False):
    """Which sessions a list has: those that pass all that is given."""

    author: Annotated[str | None, about("Only those with a thought of this author")]
    text: Annotated[
        str | None, about("Only those whose id, first or latest thought contains this text, in any case")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An act outside that thoughts led to, such as a deployment."""

    view: View
    id: Annotated[Id, about("Id, unique in its namespace")]
    created_at: Annotated[datetime | None, about("When a thought first named it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A label (`chainId`) that groups thoughts of several sessions. It is no hash chain."""

    view: View
    id: Annotated[Id, about("The label, unique in its namespace")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """An author of thoughts."""

    name: Annotated[str, about("Name, as thoughts have it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag of thoughts."""

    name: Annotated[str, about("The tag")]
    count: Annotated[int, about("Number of thoughts with it that you may read")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    """A memory of its own in the database."""

    name: Annotated[str, about("Name, for the argument `namespace`")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetValue:
    """A value, and how many thoughts or hits have it."""

    value: Annotated[str, about("The value")]
    count: Annotated[int, about("Number of thoughts or hits")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """The most frequent values of a session's thoughts, at most 50 of each property."""

    modes: Annotated[list[FacetValue], about("Modes")] = field(default_factory=list[FacetValue])
    thought_types: Annotated[list[FacetValue], about("Types")] = field(default_factory=list[FacetValue])
    authors: Annotated[list[FacetValue], about("Authors")] = field(default_factory=list[FacetValue])
    origins: Annotated[list[FacetValue], about("Origins")] = field(default_factory=list[FacetValue])
    tags: Annotated[list[FacetValue], about("Tags")] = field(default_factory=list[FacetValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFacets(Answer):
    """The most frequent values among the first hits of a search, at most 50 of each property."""

    counted: Annotated[
        int, about("Number of hits that were counted: the first 200, or all if they are fewer")
    ]
    more: Annotated[bool, about("Whether more hits follow those that were counted")]
    left_out: Annotated[int, about("Number of values that did not fit in the token budget")] = 0
    kinds: Annotated[list[FacetValue], about("Kinds")] = field(default_factory=list[FacetValue])
    modes: Annotated[list[FacetValue], about("Modes")] = field(default_factory=list[FacetValue])
    thought_types: Annotated[list[FacetValue], about("Types of thoughts")] = field(
        default_factory=list[FacetValue]
    )
    authors: Annotated[list[FacetValue], about("Authors")] = field(default_factory=list[FacetValue])
    origins: Annotated[list[FacetValue], about("Origins")] = field(default_factory=list[FacetValue])
    sessions: Annotated[list[FacetValue], about("Sessions")] = field(default_factory=list[FacetValue])
    chains: Annotated[list[FacetValue], about("Labels (`chain_id`)")] = field(
        default_factory=list[FacetValue]
    )
    entity_types: Annotated[list[FacetValue], about("Types of entities")] = field(
        default_factory=list[FacetValue]
    )


TimeUnit = Literal["minute", "hour", "day", "week", "month"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span of time with thoughts."""

    start: Annotated[datetime, about("Its beginning")]
    count: Annotated[int, about("Number of thoughts")]


# --- pages ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """Where a page is among the pages of its list."""

    has_next_page: Annotated[bool, about("There are more items after this page")]
    has_previous_page: Annotated[bool, about("The page began at a cursor")]
    start_cursor: Annotated[str | None, about("Cursor of the first item; null for an empty page")]
    end_cursor: Annotated[
        str | None, about("Cursor of the last item, for `after` of the next page; null for an empty page")
    ]


Item = TypeVar("Item", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge(Generic[Item]):
    """An item of a page: a record, or the id by which it is loaded."""

    cursor: Annotated[str | None, about("Position in the list, for `after`; null within a page of a search")]
    node: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEdge(Edge[Item]):
    """A memory that a thought recalled, and why."""

    rank: Annotated[int, about("Place among the recalled memories, from 1")]
    score: Annotated[float | None, about("Score of the memory when it was recalled")]
    cosine: Annotated[float | None, about("Cosine with the thought")]
    via: Annotated[
        str | None,
        about("How it was found, such as `vector`, `fulltext` or `graph`", names=get_args(Via)),
    ]
    parts: Annotated[ScoreParts | None, about("Addends of the score; null if they are not stored")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationEdge(Edge[Item]):
    """A relation of an entity to another one."""

    id: Annotated[Id | None, about("Id of the relation; null if it was created outside LegacyMind")]
    type: Annotated[str, about("Type, such as `WORKS_ON`")]
    direction: Annotated[RelationDirection, about("Whether it leads from the entity or to it")]
    said_by: SaidBy
    source: Annotated[str | None, about("Origin of the relation: a document, person or URL")]
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    properties: Annotated[dict[str, Any], about("Properties that LegacyMind does not define")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtRelationEdge(Edge[Item]):
    """A relation between a thought and another node, made by `relateThought`, an outcome or an analysis."""

    type: Annotated[ThoughtRelation, about("Type of the relation")]
    direction: Annotated[RelationDirection, about("Whether it leads from the thought or to it")]
    weight: Annotated[float | None, about("Strength of the relation; null without one")]
    note: Annotated[str | None, about("Reason of the relation; null without one")]


AnyEdge = TypeVar("AnyEdge", bound=Edge[Any], covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[AnyEdge]):
    """A page of a list. ``count`` counts the items of all pages; None where that would read each of them."""

    edges: list[AnyEdge]
    page_info: PageInfo
    count: Callable[[], Awaitable[int]] | None = None
