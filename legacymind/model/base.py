"""Types of arguments and results that several operations share, and those of search and knowledge."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict

from legacymind.model.about import about

ALWAYS: Final = datetime(1, 1, 1, tzinfo=UTC)
"""The earliest time: the start of a search without a window, and of facts that were always true."""

OPEN: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The ``valid_to`` of facts that are still true; with it, ``as_of`` is a range comparison."""

MAX_CONTENT = 100 * 1024
"""Most bytes of UTF-8 in the content of a thought."""

MAX_KEY = 512
"""Most bytes of UTF-8 in an id, a namespace, an author's name and other keys.

A string of more than 32,766 bytes in a filter property of a vector index makes the database unavailable.
"""

Mode = Literal["debug", "build", "plan", "stuck", "question", "conclude"]
Submode = Literal["sarcastic", "philosophical", "empathetic", "problem_solving", "adderall"]
Kind = Literal["thought", "entity", "observation"]
Method = Literal["graph", "vector", "text"]
Order = Literal["created_at_asc", "created_at_desc", "relevance"]
Direction = Literal["back", "forward", "both"]
ChainVerdict = Literal["intact", "truncated", "broken", "unverifiable"]
FaultKind = Literal[
    "missing",
    "duplicate",
    "content",
    "record",
    "previous",
    "hash",
    "key",
    "unkeyed",
    "relationship",
    "head",
    "outside",
    "history",
    "rekeyed",
    "cut",
    "deleted",
    "leaves",
]
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
REDACTION: Final = "redaction"
"""The ``thought_type`` of the steps that record redactions."""

LateralRelation = Literal["ASSOCIATES", "REFERENCES", "DEPENDS_ON"]
"""A relation of a thought to any node that agents create."""

LINKS: Final = (
    ("previous_thought_id", "FOLLOWS"),
    ("revises_thought", "REVISES"),
    ("branch_from", "BRANCHES_FROM"),
    ("parent_id", "CHILD_OF"),
)
"""The id properties that link a thought to earlier ones, and the relationship type of each."""

LINK_NAMES: Final = tuple(name for name, _ in LINKS)

RESERVED = frozenset(
    (*Relation.__args__, "IN_SESSION", "FOR_ACTION", "ABOUT", "LEARNED_FROM", "AWAITS", "MERGED_INTO")  # type: ignore[attr-defined]
)
"""Relationship types that relations of users may not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camel:
    """A result with camelCase JSON keys at every door, as clients of decision records expect."""


# --- search --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Base class of the results of operations. ``namespace`` is the one that the operation used."""

    namespace: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankParts:
    """The parts of a rank: standardised, weighted addends (cypher/search/search_memory.cypher).

    ``meaning`` is from the cosine and ``words`` from the text score. ``session`` is from the best hit of the
    same session, ``beside`` from the best neighbour, and ``answer`` from a question just before the hit.
    ``question`` lowers the rank of short questions. ``author`` raises hits of an author that the query names,
    ``date`` hits of a date that it means, and ``time`` hits that mention a time if it asks for one.
    ``expected`` raises hits that mention a place, a name or a reason if it asks for one. ``mass`` is from the
    PageRank, if the setting ``mass_weight`` is above 0.
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
    expected: float = 0.0
    mass: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    ``cosine`` is the raw cosine with the query. ``score`` depends on the method: the raw cosine for
    ``vector``, Lucene's score for ``text``, and for ``graph`` the combined rank on the scale of cosines. It
    is null without a query.

    ``reranker_score`` is the score of the re-ranker, if one ordered this hit and ``explain`` is true.

    ``revised_by`` is the id of the latest revision, or of the observation that superseded this one,
    ``solved_by`` of the best solution of a problem, and ``contradicted_by`` of what contradicts it most
    strongly. ``outside_chain`` is true for a thought that is not a step of its session's chain, so nothing
    proves who wrote it; otherwise null. ``standing`` is true for a standing preference or instruction, such
    as "Always answer in German", else null.
    """

    id: str
    kind: Kind
    text: str
    score: float | None
    rank: int
    created_at: datetime | None
    cosine: float | None = None
    parts: RankParts | None = None
    reranker_score: float | None = None
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
    revised_by: str | None = None
    contradicted_by: str | None = None
    solved_by: str | None = None
    outside_chain: bool | None = None
    standing: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(Answer):
    """A page of hits.

    ``left_out`` is the number of hits of this page that did not fit in ``max_tokens``. The page at
    ``next_cursor`` starts with them. ``note`` tells why a configured re-ranker did not order the hits.
    ``standing`` are at most two standing preferences or instructions with a related topic that are not among
    the hits; only the first page of a search without filters, by method ``graph``, has them.
    """

    hits: list[Hit]
    count: int
    offset: int
    more: bool
    order: str
    method: str
    left_out: int = 0
    next_cursor: str | None = None
    note: str | None = None
    standing: list[Hit] = field(default_factory=list[Hit])


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(Answer):
    """The pinned, standing, unresolved, relevant and recent thoughts at the start of a session.

    ``standing`` are the newest standing preferences and instructions that nothing revises or contradicts.
    ``left_out`` is the number of items, counted from the end, that did not fit in ``max_tokens``.
    """

    pinned: list[Hit]
    standing: list[Hit]
    unresolved: list[Hit]
    relevant: list[Hit]
    recent: list[Hit]
    count: int
    left_out: int
    session_id: str | None


# --- knowledge -----------------------------------------------------------------------------------


EntityName = Annotated[str, about("Name", "Name of the entity; it is created if it does not exist")]
NewType = Annotated[
    str | None, about("If new", "Type of the entity; used if it is created or if several have this name")
]
ValidFrom = Annotated[datetime | None, about("ISO time", "ISO 8601 time from which it is true. Default: now")]
ValidTo = Annotated[
    datetime | None, about("ISO time", "ISO 8601 time until which it is true. Default: no end")
]
Source = Annotated[str | None, about("E.g. URL", "Origin of the fact: a document, person or URL")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityInput:
    """An entity to store: a person, service, place or similar."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: Annotated[str, about("Unique", "Name; names that differ only in case or spacing are one entity")]
    entity_type: Annotated[str, about("E.g. person", "Type: person, service, place or any other word")] = ""
    description: Annotated[str | None, about("Text", "Description; search finds the entity by it")] = None
    data: Annotated[dict[str, Any] | None, about("JSON object", "Other properties, as a JSON object")] = None
    valid_from: ValidFrom = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationInput:
    """A fact to store about an entity, with the time in which it is true."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    entity: EntityName
    content: Annotated[str, about("The fact", "Text of the fact, at most 100 KB of UTF-8")]
    entity_type: NewType = None
    valid_from: ValidFrom = None
    valid_to: ValidTo = None
    source: Source = None
    learned_from: Annotated[str | None, about("Thought id", "Id of the thought that led to the fact")] = None
    supersedes: Annotated[
        str | None, about("Id replaced", "Id of the observation that this one replaces and ends")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationInput:
    """A named relationship to store between two entities."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    source_entity: EntityName
    type: Annotated[
        str,
        about("E.g. WORKS_ON", "Relationship type: letters, digits and underscores, in upper case"),
    ]
    target_entity: EntityName
    source_type: NewType = None
    target_type: NewType = None
    valid_from: ValidFrom = None
    valid_to: ValidTo = None
    source: Source = None
    supersedes: Annotated[
        str | None,
        about("Id replaced", "Id of the relation that this one replaces and ends", tuning=True),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A stored entity, observation or relation: its id and whether it is new."""

    id: str
    label: str
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two facts of one entity that contradict each other. Neither is changed.

    ``reason`` is ``value`` if they give one ``attribute`` two values, and ``negation`` if one denies the
    other.
    """

    id: str
    text: str
    other_id: str
    other_text: str
    reason: Literal["value", "negation"]
    attribute: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberResult(Answer):
    """The stored entities, observations and relations.

    ``created`` is the number of new ones. ``deferred`` is true if the embedder was down: new items are
    text-searchable only until they are embedded. ``contradictions`` are stored facts that contradict others
    of their entity that are valid at the same time; up to 500 of those are compared. A relation between two
    names of one entity, which were merged, is left out.
    """

    entities: list[Remembered] = field(default_factory=list[Remembered])
    observations: list[Remembered] = field(default_factory=list[Remembered])
    relations: list[Remembered] = field(default_factory=list[Remembered])
    created: int = 0
    deferred: bool = False
    contradictions: list[Contradiction] = field(default_factory=list[Contradiction])
