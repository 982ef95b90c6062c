"""Parameters of the statements in cypher/nodes.

Each statement reads for several ``ids`` at once. Private thoughts of ``own_session`` are visible; if it is
empty, none are. ``take`` is the most items for each id, and a page begins after a position.
"""

from datetime import datetime
from typing import Any, Literal, TypedDict


class OfNodes(TypedDict):
    """Nodes, or what belongs to them."""

    ids: list[str]
    namespace: str
    own_session: str


class ReadBeliefs(OfNodes):
    """What was believed at ``now``."""

    now: datetime


class InTime(OfNodes):
    """A page in time after a position: Unix seconds and nanoseconds; step and id order one instant."""

    seconds: int
    nanoseconds: int
    step: int
    id: str
    take: int


class ReadLinked(InTime):
    """``link`` is the relationship type."""

    link: str


class ReadSessionThoughts(InTime):
    """Thoughts of sessions or of labels. The latest come first with ``latest_first``."""

    latest_first: bool


class ReadRecalls(OfNodes):
    """``after`` is a rank and an id."""

    after: list[Any]
    take: int


class OfEntities(TypedDict):
    """What is true about entities at ``as_of``; with ``history``, also what is not."""

    ids: list[str]
    namespace: str
    as_of: datetime
    history: bool
    take: int


class ReadObservations(OfEntities):
    """``after`` is a negated time in two parts, and an id."""

    after: list[Any]


class ReadRelations(OfEntities):
    """``after`` is a type, the beginning of a name, and an id."""

    direction: Literal["out", "in", "both"]
    after: list[Any]


class OfActions(TypedDict):
    """Actions."""

    ids: list[str]
    namespace: str


class AfterName(TypedDict):
    """A page of names after one; the first page is after the empty one."""

    after: str
    take: int


class ListIds(AfterName):
    """A page of the ids of sessions or actions."""

    namespace: str


class ListNames(ListIds):
    """A page of names that thoughts have."""

    own_session: str


class ReadFacets(OfNodes):
    """``most`` is the number of values of each facet."""

    most: int


class ReadTimeline(OfNodes):
    """``unit`` is that of ``datetime.truncate``, and ``most`` the number of spans."""

    unit: str
    most: int


class ReadArrivals(TypedDict):
    """``steps``: by session, the last step that is known. ``ids``: known thoughts without a session."""

    namespace: str
    since: datetime
    steps: dict[str, int]
    ids: list[str]
    most: int
