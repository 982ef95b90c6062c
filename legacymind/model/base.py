"""Types of arguments and results that several operations share, and those of search and knowledge."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from html import escape
from importlib import import_module
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from pydantic import ConfigDict

from legacymind.model.about import about
from legacymind.model.members import (
    AuthorOf,
    ConfidenceOf,
    ContradictedBy,
    CreatedAt,
    Id,
    LabelOf,
    NamespaceOf,
    OutsideChain,
    RedactedAt,
    RevisedBy,
    SaidBy,
    SessionOf,
    SolvedBy,
    Standing,
    StepOf,
    StoredId,
    TypeOf,
)
from legacymind.model.values import Moment

ALWAYS: Final = datetime(1, 1, 1, tzinfo=UTC)
"""The earliest time: the start of a search without a window, and of facts that were always true."""

OPEN: Final = datetime(9999, 12, 31, tzinfo=UTC)
"""The ``valid_to`` of facts that are still true; with it, ``as_of`` is a range comparison."""

MAX_CONTENT = 100 * 1024
"""Most bytes of UTF-8 in the content of a thought."""

_SHOWN: Final = 20
"""Records of an answer that a notebook shows, and characters of each of their values."""
_CUT: Final = 120

MAX_KEY = 512
"""Most bytes of UTF-8 in an id, a namespace, an author's name and other keys.

A string of more than 32,766 bytes in a filter property of a vector index makes the database unavailable.
"""

Mode = Literal["debug", "build", "plan", "stuck", "question", "conclude"]
Submode = Literal["sarcastic", "philosophical", "empathetic", "problem_solving", "adderall"]
Kind = Literal["thought", "entity", "observation"]
ModeOf = Annotated[
    str | None, about("Mode of thinking, such as `debug`; null for an entity or a fact", names=get_args(Mode))
]
SubmodeOf = Annotated[str | None, about("Manner of thinking, if one was chosen", names=get_args(Submode))]
Method = Literal["graph", "vector", "text"]
UsedMethod = Literal["graph", "vector", "text", "list"]
"""``list``: all thoughts by time, as without a query."""
Order = Literal["created_at_asc", "created_at_desc", "relevance"]
ThreadOrder = Literal["created_at_asc", "created_at_desc"]
Direction = Literal["back", "forward", "both"]
ChainVerdict = Literal["intact", "truncated", "broken", "unverifiable"]
FaultKind = Literal[
    "missing",
    "duplicate",
    "content",
    "redaction",
    "id",
    "record",
    "previous",
    "hash",
    "key",
    "unkeyed",
    "unmarked",
    "relationship",
    "head",
    "outside",
    "history",
    "rekeyed",
    "cut",
    "deleted",
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

OPEN_TYPES: Final = ("todo", "question")
"""The types of thoughts that are open until something solves or revises them."""

PROMPT: Final = "prompt"
"""The type of the user's words to a coding agent: more a request than an answer."""

REDACTED: Final = "(redacted)"
"""What stands for a removed text in others that quote it."""

ThoughtRelation = Literal["ASSOCIATES", "REFERENCES", "DEPENDS_ON", "CONTRADICTS", "REINFORCES", "SOLVES"]
"""A relation of a thought to another node that agents create."""

BETWEEN_THOUGHTS: Final = ("CONTRADICTS", "REINFORCES", "SOLVES")
"""Those that lead only to another thought."""

LINKS: Final = (
    ("previous_thought_id", "FOLLOWS"),
    ("revises_thought", "REVISES"),
    ("branch_from", "BRANCHES_FROM"),
    ("parent_id", "CHILD_OF"),
)
"""The id properties that link a thought to earlier ones, and the relationship type of each."""

LINK_NAMES: Final = tuple(name for name, _ in LINKS)

RESERVED = frozenset(
    (
        *Relation.__args__,  # type: ignore[attr-defined]
        *("IN_SESSION", "FOR_ACTION", "AWAITS", "MENTIONS", "ABOUT", "LEARNED_FROM", "MERGED_INTO"),
    )
)
"""Relationship types that relations of users may not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Camel:
    """A result with camelCase JSON keys at every door, as clients of decision records expect."""


# --- search --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Base class of the results of operations. A notebook shows the first of its lists as a table."""

    namespace: Annotated[str, about("Namespace that the operation used")] = ""

    def to_df(self) -> Any:
        """The records of the first of its lists as a pandas DataFrame, which needs pandas (extra ``gds``)."""
        return import_module("pandas").DataFrame(self._rows())

    def _repr_html_(self) -> str:
        rows = self._rows()[:_SHOWN]
        names = [name for name in (rows or [{}])[0] if any(row[name] not in (None, [], "") for row in rows)]
        lines = [names, *([row[name] for name in names] for row in rows)]
        cells = [[f"<td>{escape(str(value)[:_CUT])}</td>" for value in line] for line in lines]
        shown = "".join(f"<tr>{''.join(line)}</tr>" for line in cells)
        return f"<table>{shown}</table>" if names else f"<pre>{escape(repr(self))}</pre>"

    def _rows(self) -> list[dict[str, Any]]:
        members: list[Any] = [getattr(self, each.name) for each in fields(self)]
        lists = (cast("list[Any]", each) for each in members if isinstance(each, list))
        records = next((each for each in lists if each and is_dataclass(each[0])), list[Any]())
        return [asdict(each) for each in records]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAnswer(Answer):
    """A page of a list, as long as its token budget allows."""

    left_out: Annotated[
        int,
        about("Items that did not fit in the token budget; the next page has them"),
    ] = 0
    next: Annotated[str | None, about("`after` of the next page; null on the last one")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankParts:
    """The parts of a rank: standardised, weighted addends (legacymind/ranking)."""

    meaning: Annotated[float, about("From the cosine of text and query")]
    words: Annotated[float, about("From the text score, by the words of the query")]
    beside: Annotated[
        float, about("From the best neighbour in the graph; of knowledge, from the best thoughts")
    ]
    session: Annotated[float, about("From the best hit of the same session")] = 0.0
    answer: Annotated[float, about("For an answer: from the question just before the hit")] = 0.0
    question: Annotated[float, about("Lowers the rank of short questions")] = 0.0
    author: Annotated[float, about("Raises hits of an author whom the query names")] = 0.0
    recency: Annotated[float, about("From the age of the hit, if the query is a statement")] = 0.0
    date: Annotated[float, about("Raises hits of a date that the query means")] = 0.0
    time: Annotated[float, about("Raises hits that mention a time, if the query asks for one")] = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A thought, an entity or a fact as lists show it."""

    id: StoredId
    kind: Annotated[Kind, about("Whether it is a thought, an entity or an observation")]
    text: Annotated[
        str, about("Text of the thought or fact, or name and description of the entity; long texts are cut")
    ]
    said_by: SaidBy = ""
    created_at: CreatedAt = None
    author: AuthorOf = None
    mode: ModeOf = None
    thought_type: TypeOf = None
    session_id: SessionOf = None
    chain_id: LabelOf = None
    step_index: StepOf = None
    confidence: ConfidenceOf = None
    entity: Annotated[
        str | None, about("Name of the entity, or of the entity that the fact is about; null for a thought")
    ] = None
    entity_type: Annotated[str | None, about("Type of that entity; null for a thought")] = None
    valid_from: Annotated[
        datetime | None, about("From when the entity or fact is true; null for a thought")
    ] = None
    valid_to: Annotated[
        datetime | None, about("Until when it is true; null while it has no end, and for a thought")
    ] = None
    revised_by: RevisedBy = None
    contradicted_by: ContradictedBy = None
    solved_by: SolvedBy = None
    redacted_at: RedactedAt = None
    outside_chain: OutsideChain = None
    standing: Standing = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Item):
    """One search result.

    Without ``parts``, its JSON omits what says nothing new: rank, cosine, step, the ``kind`` of a thought, a
    type that is its mode, the name of an entity, and a fact's start that is its time; scores have two
    decimals, and times are in minutes.
    """

    score: Annotated[
        float | None,
        about("Cosine for `vector`, combined rank for `graph`; null for `text` and without a query"),
    ]
    rank: Annotated[int, about("Place among all hits, from 1")]
    cosine: Annotated[float | None, about("Cosine with the query; null if it was not computed")] = None
    parts: Annotated[
        RankParts | None, about("Addends of the rank, with `explain` and method `graph`; else null")
    ] = None
    copies: Annotated[int | None, about("Number of hits with nearly this text; null if it is alone")] = None
    namespace: NamespaceOf = None


def compact_hit(hit: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a hit for JSON, as ``Hit`` says; those with the explanation of a rank are complete."""
    if hit["parts"]:
        return dict(hit)
    shown = dict(hit)
    for name, usual in (
        ("rank", True),
        ("cosine", True),
        ("step_index", True),
        ("kind", hit["kind"] == "thought"),
        ("thought_type", hit["thought_type"] == hit["mode"]),
        ("entity", hit["kind"] == "entity"),
        ("valid_from", hit["valid_from"] == hit["created_at"]),
    ):
        if usual:
            del shown[name]
    created = hit["created_at"]
    if isinstance(created, datetime):
        created = created.isoformat()
    return shown | {
        "created_at": created and f"{created[:16]}Z",
        "score": None if hit["score"] is None else round(hit["score"], 2),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(ListAnswer):
    """A page of hits."""

    hits: Annotated[list[Hit], about("Hits of the page, in the order of the search")]
    order: Annotated[Order, about("Order of the hits: `relevance`, `created_at_asc` or `created_at_desc`")]
    method: Annotated[
        UsedMethod, about("How the hits were found: `graph`, `vector` or `text`; `list` without a query")
    ]
    note: Annotated[
        str | None,
        about("That probably nothing answers, or why nothing passes the filters; else null"),
    ] = None
    standing: Annotated[
        list[Hit],
        about("At most two related standing preferences that are no hits, on the first page without filters"),
    ] = field(default_factory=list[Hit])


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(Answer):
    """The pinned, standing, unresolved, relevant and recent thoughts at the start of a session."""

    pinned: Annotated[list[Hit], about("Pinned thoughts")]
    standing: Annotated[
        list[Hit], about("Newest standing preferences and instructions that nothing revises or contradicts")
    ]
    unresolved: Annotated[
        list[Hit],
        about("Open problems, todos and questions, questions last"),
    ]
    relevant: Annotated[list[Hit], about("Hits for the topic; empty without one")]
    recent: Annotated[list[Hit], about("Latest thoughts")]
    left_out: Annotated[
        int, about("Number of items, counted from the end, that did not fit in the token budget")
    ] = 0
    session_id: Annotated[Id | None, about("Session whose private thoughts are included; null for none")]
    warnings: Annotated[
        list[str],
        about("Sentences about what is missing here, and about what other homes brought"),
    ] = field(default_factory=list[str])


# --- knowledge -----------------------------------------------------------------------------------


EntityName = Annotated[str, about("Entity name", "Name of the entity; it is created if it does not exist")]
NewType = Annotated[
    str | None, about("Type if new", "Type of the entity; used if it is created or if several have this name")
]
EndType = Annotated[
    str | None,
    about(
        "Type if new", "Type of the entity; used if it is created or if several have this name", tuning=True
    ),
]
ValidFrom = Annotated[
    Moment | None, about("ISO time, start", "ISO 8601 time from which it is true. Default: now")
]
ValidTo = Annotated[
    Moment | None, about("ISO time, end", "ISO 8601 time until which it is true. Default: no end")
]
Source = Annotated[str | None, about("E.g. URL", "Origin of the fact: a document, person or URL")]
AsStanding = Annotated[
    bool | None,
    about(
        "Lasting wish or rule",
        "Whether it is a standing preference or instruction, which holds until somebody revises it: how to "
        "answer, what to avoid. Set it: without it, the words decide, and miss half",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityInput:
    """An entity to store: a person, service, place or similar."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: Annotated[
        str, about("Unique name", "Name; names that differ only in case or spacing are one entity")
    ]
    entity_type: Annotated[str, about("E.g. person", "Type: person, service, place or any other word")] = ""
    description: Annotated[str | None, about("What it is", "Description; search finds the entity by it")] = (
        None
    )
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
    learned_from: Annotated[Id | None, about("Thought id", "Id of the thought that led to the fact")] = None
    supersedes: Annotated[
        Id | None,
        about("Id replaced", "Id of the fact that this one replaces and ends"),
    ] = None
    standing: AsStanding = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationInput:
    """A named relationship to store between two entities."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    source_entity: EntityName
    type: Annotated[
        str,
        about("E.g. WORKS_ON", "Relationship type, kept in upper case with underscores"),
    ]
    target_entity: EntityName
    source_type: EndType = None
    target_type: EndType = None
    valid_from: ValidFrom = None
    valid_to: ValidTo = None
    source: Annotated[
        str | None, about("E.g. URL", "Origin of the relation: a document, person or URL", tuning=True)
    ] = None
    supersedes: Annotated[
        Id | None,
        about("Id replaced", "Id of the relation that this one replaces and ends", tuning=True),
    ] = None
    properties: Annotated[
        dict[str, Any] | None,
        about("JSON object", "Other properties: texts, numbers, true or false by name", tuning=True),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearFact:
    """An open fact that is near to a new one of the same entity."""

    id: Annotated[Id, about("Id of the fact")]
    content: Annotated[str, about("Text of the fact, cut at 300 characters")]
    said_by: SaidBy
    valid_from: Annotated[datetime, about("Time from which it is true")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A stored entity, observation or relation."""

    id: Annotated[Id, about("Id of the stored item")]
    label: Annotated[
        str, about("Name of an entity, beginning of a fact, or both ends and type of a relation")
    ]
    created: Annotated[bool, about("Whether this call created it; false if it was stored before")]
    standing: Standing = None
    near: Annotated[
        list[NearFact],
        about("Of a new fact, the three nearest open facts of its entity, if they are near, nearest first"),
    ] = field(default_factory=list[NearFact])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedValidity:
    """A fact or relation that was stored before, and when it is true now."""

    id: Annotated[Id, about("Id of the fact or relation")]
    label: Annotated[str, about("Beginning of a fact, or both ends and type of a relation")]
    valid_from: Annotated[datetime | None, about("Time from which it is true; null if it has none")]
    valid_to: Annotated[datetime | None, about("Time until which it is true; null for no end")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberResult(Answer):
    """The stored entities, observations and relations."""

    entities: Annotated[list[Remembered], about("Entities of the call, in their order")] = field(
        default_factory=list[Remembered]
    )
    observations: Annotated[list[Remembered], about("Facts of the call, in their order")] = field(
        default_factory=list[Remembered]
    )
    relations: Annotated[
        list[Remembered], about("Relations of the call, without those between two names of one entity")
    ] = field(default_factory=list[Remembered])
    created: Annotated[int, about("Number of items that were new")] = 0
    changed: Annotated[
        list[ChangedValidity],
        about("Facts and relations, stored before, that the call ended or dated back"),
    ] = field(default_factory=list[ChangedValidity])
    deferred: Annotated[
        bool,
        about("Whether the embedder was down, so that only words find new items until they are embedded"),
    ] = False
    kept: Annotated[
        list[str],
        about("What the call would have changed, and is more trusted than its caller: it stays as it was"),
    ] = field(default_factory=list[str])
    note: Annotated[str | None, about("What to do about `near` and `kept`")] = None
