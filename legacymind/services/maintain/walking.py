"""A walk over the old thoughts of a namespace in pages, in the order of their times.

An index answers each page, and each page is a transaction of its own. So a walk takes flat memory, holds
locks briefly, and keeps what it has done when it is interrupted.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Final, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, load
from legacymind.model.progress import Progress

T = TypeVar("T")

COUNT_OLD = load("maintain/count_old", int, writes=False)

WalkedPage = tuple[int, str | None, str | None, T]
"""The number of thoughts on a page, the time (as text) and the id of the last one, and what the page is read
for."""

_FIRST: Final = "0001-01-01T00:00:00Z"


async def pages(
    graph: Graph,
    namespace: str,
    before: datetime,
    read: Callable[[Parameters], Awaitable[WalkedPage[T]]],
    stage: str,
    progress: Progress,
    *,
    size: int,
) -> AsyncIterator[tuple[int, T]]:
    """For each page of the thoughts from before a time their number, and what ``read`` returns for them.

    An imported thought has the time that it had. Progress counts thoughts.
    """
    (total,) = await graph.run(COUNT_OLD, {"namespace": namespace, "before": before})
    done = 0
    progress(stage, 0, max(total, 1))
    place: Parameters = {
        "namespace": namespace,
        "before": before,
        "after_time": _FIRST,
        "after_id": "",
        "page": size,
    }
    while True:
        thoughts, last_time, last_id, found = await read(place)
        done += thoughts
        if last_time is not None and last_id is not None:
            yield thoughts, found
            place = {**place, "after_time": last_time, "after_id": last_id}
        if thoughts < size:
            progress(stage, max(total, done, 1), max(total, done, 1))
            return
        progress(stage, done, max(total, done + 1))
