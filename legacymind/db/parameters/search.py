"""Parameters of the statements in cypher/search.

Private thoughts of ``own_session`` are visible; if it is empty, none are. ``text_length`` is the
number of characters returned of each text.
"""

from datetime import datetime
from typing import Literal, NotRequired, TypedDict

from legacymind.db.filters import Bounds, Predicate
from legacymind.model.base import Kind


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


class PageOf(TypedDict):
    """``page`` hits of an order. They begin after the hit ``after``, if it is within ``slack`` of ``skip``.

    Else they begin after ``skip`` hits.
    """

    skip: int
    after: str
    page: int
    slack: int


class RankedItem(TypedDict):
    """A hit that was ranked; ``cosine`` is null when it is not known."""

    id: str
    score: float
    cosine: float | None


class ReadThoughtHits(Visible, PageOf):
    """A page of ranked thoughts; their revisions must pass the filters of ``request``."""

    vector: list[float]
    as_of: datetime
    ranked: list[RankedItem]
    text_length: int
    request: Bounds


class ReadKnowledgeHits(Visible):
    """Ranked knowledge."""

    as_of: datetime
    ranked: list[RankedItem]
    text_length: int


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
