"""The stored graph as nodes and pages of nodes, which GraphQL shows with their neighbours."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, get_args

from legacymind.model.about import about
from legacymind.model.base import Mode, Submode
from legacymind.model.members import AccessCount, Id, RecordedAt, TrueFrom, TrueUntil
from legacymind.model.nodes import RelationDirection
from legacymind.model.think import ScoreParts, Via


class View(NamedTuple):
    """Where a node was read: the namespace, and the session whose private thoughts are visible, or ''."""

    namespace: str
    own_session: str


NodeId = Annotated[Id, about("Id, unique in the database")]
Mass = Annotated[float | None, about("PageRank in the graph, by `analyze`; null before the first run")]
CommunityLabel = Annotated[
    str | None, about("Label of its community, by `analyze`; null before the first run")
]
Cursor = Annotated[str, about("Position in the list, for `after`")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A thought: its text, its place in the chain of its session, and what memory does with it."""

    view: View
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    session_id: str | None
    action_id: str | None
    id: NodeId
    content: Annotated[str | None, about("The whole text; null for a redacted thought")]
    title: Annotated[str | None, about("Title, if it has one")]
    mode: Annotated[Mode | None, about("Mode of thinking; null for a mode that LegacyMind does not have")]
    submode: Annotated[Submode | None, about("Manner of thinking, if one was chosen")]
    thought_type: Annotated[str | None, about("Type, such as `plan` or `decision`. By default the mode")]
    author: Annotated[str | None, about("Who thought it")]
    origin: Annotated[str | None, about("Where it came from, such as `human` or `tool`")]
    tags: Annotated[list[str], about("Tags")]
    confidence: Annotated[float | None, about("Confidence of its author, from 0 to 1")]
    significance: Annotated[float | None, about("Weight in recall when it was stored, from 0 to 1")]
    salience: Annotated[float | None, about("Present weight in recall; outcomes change it")]
    hypothesis: Annotated[str | None, about("Hypothesis that it tested; null for a redacted thought")]
    is_private: Annotated[bool | None, about("Only its own session may read it")]
    pinned: Annotated[bool | None, about("It begins every context")]
    hot: Annotated[bool | None, about("Other thoughts may recall it")]
    standing: Annotated[bool | None, about("It is a standing preference or instruction")]
    chain_id: Annotated[Id | None, about("Label that groups thoughts of several sessions")]
    context_id: Annotated[Id | None, about("Id of the context in which it was thought")]
    step_index: Annotated[int | None, about("Place in the chain of its session, from 0")]
    outside_chain: Annotated[
        bool, about("It is not a step of its session's chain, so nothing proves who wrote it")
    ]
    created_at: Annotated[datetime | None, about("When it was thought")]
    recorded_at: RecordedAt
    access_count: AccessCount
    last_accessed: Annotated[datetime | None, about("When a thought last recalled it")]
    outcome_score: Annotated[float | None, about("Latest outcome, from -1 to 1; null without one")]
    mass: Mass
    community_label: CommunityLabel
    redacts: Annotated[Id | None, about("Id of the thought that this step redacted")]
    redacted_at: Annotated[datetime | None, about("When its text was removed")]
    redacted_reason: Annotated[str | None, about("Why its text was removed")]
    content_hash: Annotated[str | None, about("SHA-256 of its hashed record")]
    prev_hash: Annotated[str | None, about("Hash of the step before")]
    chain_hash: Annotated[str | None, about("Hash of the step before and of its record together")]
    hash_version: Annotated[int | None, about("Version of the hashed record")]
    key_id: Annotated[Id | None, about("Id of the key of its hash; null if it has none")]


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
    """A thought that was stored, and the position after it."""

    cursor: Annotated[
        str, about("Position after it. A new subscription with it as `after` continues where this one ended")
    ]
    thought: Thought | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, service, place or similar, with what is known about it."""

    view: View
    id: NodeId
    name: Annotated[str, about("Name")]
    entity_type: Annotated[str, about("Type, such as `person`; empty if it has none")]
    aliases: Annotated[list[str], about("Names of the entities that were merged into it")]
    description: Annotated[str | None, about("Description")]
    data: Annotated[dict[str, Any] | None, about("Other properties")]
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    access_count: AccessCount
    mass: Mass
    community_label: CommunityLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A fact about an entity, with the time in which it is true."""

    view: View
    entity_id: str | None
    learned_from: list[str]
    supersedes: str | None
    superseded_by: str | None
    id: NodeId
    content: Annotated[str | None, about("Text of the fact")]
    source: Annotated[str | None, about("Origin of the fact: a document, person or URL")]
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    access_count: AccessCount
    mass: Mass
    community_label: CommunityLabel


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
    head_hash: Annotated[str | None, about("Hash of the last step of its chain")]
    key_id: Annotated[Id | None, about("Id of the key of that hash; null if it has none")]


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


TimeUnit = Literal["minute", "hour", "day", "week", "month"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span of time with thoughts."""

    start: Annotated[datetime, about("Its beginning in UTC")]
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
    """An item of a page."""

    cursor: Cursor
    node: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEdge:
    """A memory that a thought recalled, and why."""

    view: View
    node_id: str
    cursor: Cursor
    rank: Annotated[int, about("Place among the recalled memories, from 1")]
    score: Annotated[float | None, about("Score of the memory when it was recalled")]
    cosine: Annotated[float | None, about("Cosine with the thought")]
    via: Annotated[
        str | None,
        about("How it was found, such as `vector`, `fulltext` or `graph`", names=get_args(Via)),
    ]
    parts: Annotated[ScoreParts | None, about("Addends of the score; null if they are not stored")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationEdge(Edge[Entity]):
    """A relation of an entity to another one."""

    id: Annotated[Id | None, about("Id of the relation; null if it was created outside LegacyMind")]
    type: Annotated[str, about("Type, such as `WORKS_ON`")]
    direction: Annotated[RelationDirection, about("Whether it leads from the entity or to it")]
    source: Annotated[str | None, about("Origin of the relation: a document, person or URL")]
    valid_from: TrueFrom
    valid_to: TrueUntil
    recorded_at: RecordedAt
    properties: Annotated[dict[str, Any], about("Properties that LegacyMind does not define")]


AnyEdge = TypeVar("AnyEdge", bound=Edge[Any] | RecallEdge, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[AnyEdge]):
    """A page of a list."""

    edges: list[AnyEdge]
    page_info: PageInfo
