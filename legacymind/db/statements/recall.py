"""The statements of ``cypher/recall``, with the types of their parameters and rows.

Private thoughts of ``own_session`` are visible; if it is empty, none are. ``vector`` is that of the text that
memories are compared with. A list of features has the order of the class in ``ranking.features``.
"""

from datetime import datetime
from typing import Any, TypedDict

from legacymind.db.query import load
from legacymind.db.rows.schema import OverSlot
from legacymind.model.base import Kind

Features = list[Any]
"""The features of one node."""


class ThoughtRequest(TypedDict):
    """Filters by lists as data, and whether the steps that record redactions are wanted.

    ``nearest`` are ids and cosines of the thoughts by meaning, if they are known already.
    """

    lists: dict[str, list[str]]
    redactions: bool
    nearest: list[tuple[str, float]] | None


class TaggedRequest(TypedDict):
    """The items that a thought must have, by property, and the full-text query for them.

    ``filtered`` is whether any other filter narrows the search.
    """

    lists: dict[str, list[str]]
    list_query: str
    filtered: bool


class FindTagged(TypedDict):
    """Items of lists are compared for ``exact_limit`` thoughts, else for the ``wide_limit`` nearest."""

    namespace: str
    own_session: str
    vector: list[float]
    request: TaggedRequest
    index_limit: int
    exact_limit: int
    wide_limit: int


class TaggedFound(OverSlot):
    """Ids and cosines, nearest first."""

    nearest: list[tuple[str, float]]


class FindThoughts(TypedDict):
    """At most ``pool`` thoughts by meaning, of ``index_limit`` that are read, and as many by words.

    ``text_limit`` are read by words before filters apply; with 0, none. The links of the best ``linked`` are
    followed. ``Query.filtered`` adds filters.
    """

    namespace: str
    own_session: str
    vector: list[float]
    text_query: str
    request: ThoughtRequest
    index_limit: int
    text_limit: int
    pool: int
    linked: int


class ThoughtsFound(OverSlot):
    """Candidates for ranking; ``nearest`` are ids and cosines of all thoughts by meaning.

    ``ends`` are the lowest cosines of index searches that reached their limit.
    """

    candidates: list[Features]
    nearest: list[tuple[str, float]]
    ends: list[float]


class FindKnowledge(TypedDict):
    """As ``FindThoughts``, of entities and observations that are true at ``moment``."""

    namespace: str
    kinds: list[Kind]
    moment: datetime
    vector: list[float]
    text_query: str
    index_limit: int
    text_limit: int
    pool: int


class KnowledgeFound(OverSlot):
    """As ``ThoughtsFound``; the candidates are in the order of their cosine."""

    candidates: list[Features]
    nearest: list[tuple[str, float]]
    ends: list[float]


class FindStanding(TypedDict):
    """The newest ``pool`` standing preferences up to ``moment``."""

    namespace: str
    own_session: str
    moment: datetime
    vector: list[float]
    pool: int


class FindSession(TypedDict):
    """The latest ``pool`` thoughts of a session up to ``moment``."""

    namespace: str
    session_id: str
    moment: datetime
    vector: list[float]
    pool: int


class CandidatesRow(OverSlot):
    """Features of thoughts."""

    candidates: list[Features]


class OfMemories(TypedDict):
    """Recall for a text of the time ``before``."""

    namespace: str
    own_session: str
    before: datetime
    vector: list[float]


class PlaybooksRow(OverSlot):
    """Playbooks: features, and the error signature and cosine of the problem that each solved."""

    playbooks: list[tuple[Features, str | None, float | None]]


class FindLateral(OfMemories):
    """What the memories ``ids`` are related to by relationships of these types, one or two hops away."""

    ids: list[str]
    types: list[str]
    hops: int


class LateralRow(TypedDict):
    """Features, the id of the memory, the first relationship's type and the number of hops."""

    thoughts: list[tuple[Features, str, str, int]]
    knowledge: list[tuple[Features, str, str, int]]


class FindSuccessors(OfMemories):
    """What came after the memories ``ids``."""

    ids: list[str]


class SuccessorsRow(TypedDict):
    """Of each memory its id, the id of what contradicts it, its contradictions and its traits.

    ``thoughts`` and ``knowledge`` have features, the id of the memory and the role.
    """

    known: list[tuple[str, str | None, int, list[str]]]
    thoughts: list[tuple[Features, str, str]]
    knowledge: list[tuple[Features, str, str]]


class ReadTexts(TypedDict):
    """Nodes of a namespace by their ids."""

    namespace: str
    ids: list[str]


class TextRow(TypedDict):
    """A node's whole text."""

    id: str
    text: str


class ReadAuthors(TypedDict):
    """The authors of thoughts that were stored since a time."""

    namespace: str
    since: datetime


class AuthorsRow(TypedDict):
    """Authors, and the server's time."""

    authors: list[str]
    now: datetime


class Introduced(TypedDict):
    """A word, and a full-text query for introductions by it."""

    word: str
    introduced: str


class FindIntroduced(TypedDict):
    """Words that may be names."""

    namespace: str
    names: list[Introduced]


class IntroducedRow(TypedDict):
    """A word, and the author who gave it as their name, or null."""

    word: str
    author: str | None


find_thoughts = load("recall/find_thoughts", FindThoughts, ThoughtsFound, writes=False)
find_tagged = load("recall/find_tagged", FindTagged, TaggedFound, writes=False)
find_knowledge = load("recall/find_knowledge", FindKnowledge, KnowledgeFound, writes=False)
find_standing = load("recall/find_standing", FindStanding, CandidatesRow, writes=False)
find_session = load("recall/find_session", FindSession, CandidatesRow, writes=False)
find_playbooks = load("recall/find_playbooks", OfMemories, PlaybooksRow, writes=False)
find_lateral = load("recall/find_lateral", FindLateral, LateralRow, writes=False)
find_successors = load("recall/find_successors", FindSuccessors, SuccessorsRow, writes=False)
read_texts = load("recall/read_texts", ReadTexts, TextRow, writes=False)
read_authors = load("recall/read_authors", ReadAuthors, AuthorsRow, writes=False)
find_introduced = load("recall/find_introduced", FindIntroduced, IntroducedRow, writes=False)
