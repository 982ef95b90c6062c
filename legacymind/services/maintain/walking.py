"""A walk over the old thoughts of a namespace in pages, in the order of their times.

An index answers each page, and each page is a transaction of its own. So a walk takes flat memory, holds
locks briefly, and keeps what it has done when it is interrupted.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Final, TypedDict, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.model.progress import Progress


class CountOld(TypedDict):
    """The thoughts of a namespace from before a time."""

    namespace: str
    before: datetime


COUNT_OLD = load("maintain/count_old", int, writes=False)


class PageRow(TypedDict):
    """The number of thoughts on a page, and the time (as text) and id of the last one, null if none."""

    thoughts: int
    last_time: str | None
    last_id: str | None


class OldThoughts(CountOld):
    """The next ``page`` of these thoughts, after the one of this time (as text) and id."""

    after_time: str
    after_id: str
    page: int


_FIRST: Final = "0001-01-01T00:00:00Z"

Page = TypeVar("Page", bound=PageRow)


async def pages(
    graph: Graph,
    namespace: str,
    before: datetime,
    read: Callable[[OldThoughts], Awaitable[Page]],
    stage: str,
    progress: Progress,
    *,
    size: int,
) -> AsyncIterator[Page]:
    """Each page of the thoughts from before a time; ``read`` runs the statement of a page.

    An imported thought has the time that it had. Progress counts thoughts.
    """
    (total,) = await graph.run(COUNT_OLD, {"namespace": namespace, "before": before})
    done = 0
    progress(stage, 0, max(total, 1))
    place: OldThoughts = {
        "namespace": namespace,
        "before": before,
        "after_time": _FIRST,
        "after_id": "",
        "page": size,
    }
    while True:
        row = await read(place)
        done += row["thoughts"]
        if row["last_time"] is not None and row["last_id"] is not None:
            yield row
            place = {**place, "after_time": row["last_time"], "after_id": row["last_id"]}
        if row["thoughts"] < size:
            progress(stage, max(total, done, 1), max(total, done, 1))
            return
        progress(stage, done, max(total, done + 1))
