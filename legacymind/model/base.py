"""The types that cross doors: what operations take and what they answer."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict

from legacymind.model.about import about

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
LINKS: Final = (
    ("previous_thought_id", "FOLLOWS"),
    ("revises_thought", "REVISES"),
    ("branch_from", "BRANCHES_FROM"),
    ("parent_id", "CHILD_OF"),
)
"""The id properties that link a thought to earlier ones, and the relationship type of each."""

LINK_NAMES: Final = tuple(name for name, _ in LINKS)

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


# --- knowledge -----------------------------------------------------------------------------------


EntityName = Annotated[str, about("Its name", "Name of an entity, which is created if it is missing")]
NewType = Annotated[
    str | None, about("If new", "Type of the entity, if it is created or several share the name")
]
ValidFrom = Annotated[datetime | None, about("ISO time", "ISO 8601 time from which it is true. Default: now")]
ValidTo = Annotated[
    datetime | None, about("ISO time", "ISO 8601 time until which it is true. Default: no end")
]
Source = Annotated[str | None, about("Its origin", "Origin of the fact: a document, person or URL")]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityInput:
    """An entity to remember: a person, service, place or the like."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: Annotated[str, about("Unique", "Name; names that differ only in case or spacing are one entity")]
    entity_type: Annotated[str, about("E.g. person", "Type: person, service, place or any other word")] = ""
    description: Annotated[str | None, about("Text", "Description, which search reads")] = None
    data: Annotated[dict[str, Any] | None, about("Any JSON", "Further properties, as a JSON object")] = None
    valid_from: ValidFrom = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationInput:
    """A fact about an entity, true from one time to another."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    entity: EntityName
    content: Annotated[str, about("The fact", "Text of the fact, at most 100 KB of UTF-8")]
    entity_type: NewType = None
    valid_from: ValidFrom = None
    valid_to: ValidTo = None
    source: Source = None
    learned_from: Annotated[str | None, about("Thought id", "Id of the thought that led to the fact")] = None
    supersedes: Annotated[
        str | None, about("Id ended", "Id of the observation that this one replaces and ends")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationInput:
    """A named relationship between two entities."""

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
