"""Parameters of the statements in cypher/search.

Private thoughts of ``own_session`` are visible; if it is empty, none are. ``text_length`` is the
number of characters returned of each text.
"""

from datetime import datetime
from typing import Literal, NotRequired, TypedDict

from legacymind.db.filters import Bounds, Predicate
from legacymind.model.base import Kind
from legacymind.text.fulltext import AuthorQueries
from legacymind.text.query_analysis import QueryMap


class FindAuthors(TypedDict):
    """Full-text queries for each word that may be an author's name."""

    names: list[AuthorQueries]
    namespace: str


class Visible(TypedDict):
    """A namespace, and the session that may see its own private thoughts."""

    namespace: str
    own_session: str


# --- the search for hits --------------------------------------------------------------------------


class ListRequest(TypedDict):
    """``lists`` are the items, by property, that a thought must have; ``list_query`` is the full-text query
    for them.
    """

    lists: dict[str, list[str]]
    list_query: str


class TimeRequest(ListRequest):
    """``filtered`` is whether any condition narrows the list, ``redactions`` whether it has the steps that
    record redactions.
    """

    filtered: bool
    redactions: bool


class NearRequest(Bounds):
    """The filters once more as data, for the revisions of what was found.

    ``list_query`` is the full-text query for the items of ``lists``; ``filtered`` is whether any other
    condition narrows the search. With ``ranks``, all of the nearest are returned, without texts.
    """

    list_query: str
    filtered: bool
    ranks: bool


class Nearest(TypedDict):
    """A thought and its cosine with the query, as near_thoughts returns it."""

    id: str
    cosine: float


class StandingRule(TypedDict):
    """Whether standing preferences are wanted (``k`` above 0), and the ``least`` relatedness that they need.

    The other members are those of ``services.think.recall_policy.Relatedness``.
    """

    k: int
    threshold: float
    zero: float
    least: float
    words: list[str]
    word_count: int


class RankRequest(Predicate, QueryMap):
    """``nearest`` are the thoughts that a filtered search by vector found; None searches without filters."""

    nearest: list[Nearest] | None
    standing: StandingRule


class Reach(TypedDict):
    """Limits of a search of a vector index.

    ``index_limit`` hits are read first, and ``deep_limit`` if the hit at ``last_index`` ties with the last.
    """

    index_limit: int
    last_index: int
    deep_limit: int


class PageOf(TypedDict):
    """``page`` hits of an order. They begin after the hit ``after``, if it is within ``slack`` of ``skip``.

    Else they begin after ``skip`` hits.
    """

    skip: int
    after: str
    page: int
    slack: int


class SearchMemory(Visible, Reach, PageOf):
    """``pool`` candidates by meaning and as many by text are ranked; 0 ranks none.

    The statement returns a page of the first ``take`` thoughts and one of as much knowledge. The newest
    ``standing_pool`` standing preferences are compared with the query.
    """

    vector: list[float]
    kinds: list[Kind]
    text_query: str
    text_limit: int
    pool: int
    take: int
    knowledge_skip: int
    knowledge_after: str
    min_similarity: float
    as_of: datetime
    explain: bool
    text_length: int
    standing_pool: int
    request: RankRequest


class NearThoughts(Visible, Reach, PageOf):
    """Up to ``exact_limit`` thoughts with the items of lists are compared exactly, else the ``wide_limit``
    nearest. ``Query.filtered`` adds the other filters.
    """

    vector: list[float]
    exact_limit: int
    wide_limit: int
    text_length: int
    request: NearRequest


class MatchText(PageOf):
    """A full-text search for a page of the best ``take`` hits.

    ``text_limit`` hits are read first, and ``deep_limit`` or ``all_hits`` if these are too few.
    """

    namespace: str
    own_session: str
    text_query: str
    take: int
    text_limit: int
    deep_limit: int
    all_hits: int
    text_length: int


class MatchThoughts(MatchText):
    """Thoughts by their text."""

    request: Predicate


class MatchKnowledge(MatchText):
    """Entities and observations of these kinds that are valid at ``as_of``, by their text."""

    kinds: list[Kind]
    as_of: datetime


class After(TypedDict):
    """A position in time, exclusive: Unix seconds and nanoseconds; step and id order one instant."""

    seconds: int
    nanoseconds: int
    step: int
    id: str
    latest_first: bool


class ListThoughts(Visible, After):
    """``vector`` is any vector, since only the filter matters.

    ``Query.filtered`` adds the filters.
    """

    vector: list[float]
    exact_limit: int
    skip: int
    take: int
    text_length: int
    request: TimeRequest


class ReadContext(Visible):
    """``has_query`` is whether ``vector`` is that of a query; ``pinned_limit`` bounds the
    pinned thoughts, and ``section_limit`` each other section.

    Unresolved thoughts are searched among ``stuck_limit`` stuck ones, and standing ones in force among the
    newest ``standing_limit``.
    """

    vector: list[float]
    has_query: bool
    now: datetime
    section_limit: int
    pinned_limit: int
    stuck_limit: int
    standing_limit: int
    text_length: int


# --- trails, threads and links --------------------------------------------------------------------


class WalkTrail(Visible):
    """A page of a walk: ``skip`` and ``take`` count from the node ``first``, the first of a block.

    ``max_nodes`` bounds the walk. ``any_relation``: from an entity, all but ``reserved_types`` are walked.
    Relations must be true at ``as_of``, and no thought is later than ``known``.
    """

    id: str
    types: list[str]
    any_relation: bool
    reserved_types: list[str]
    direction: Literal["back", "forward", "both"]
    depth: int
    as_of: datetime
    known: datetime
    first: int
    block_size: int
    max_nodes: int
    skip: int
    take: int
    text_length: int


class ThreadPage(After):
    """A page of a thread, with no thought that is later than ``known``."""

    namespace: str
    known: datetime
    skip: int
    take: int
    text_length: int


class ReadSessionThread(ThreadPage):
    """A session's thread, or the part of it under one ``chain_id``."""

    session_id: str
    chain_id: NotRequired[str]


class ReadChainThread(ThreadPage):
    """The thread of a ``chain_id``, over all sessions."""

    chain_id: str
    own_session: str


class ReadLinks(Visible):
    """A page of what points to a thought, with no thought that is later than ``known``."""

    id: str
    known: datetime
    skip: int
    take: int


class ReadNode(Visible):
    """A node of any kind, and the part of its text to read: ``text_length`` characters from ``start``.

    Unless ``any_time``, it must have existed at ``now``.
    """

    id: str
    now: datetime
    any_time: bool
    start: int
    text_length: int


# --- explaining recall ----------------------------------------------------------------------------


class ReadRecall(Visible):
    """The thought to read the recall of."""

    id: str
    text_length: int


class FindMissed(Visible):
    """The window of a thought's recall, a few nodes deeper; ``excluded`` were recalled or linked."""

    id: str
    created_at: datetime
    since: datetime
    knowledge_k: int
    thoughts_k: int
    excluded: list[str]
    text_length: int


class WeighMemory(ReadRecall):
    """A memory to compare with a thought."""

    memory_id: str
