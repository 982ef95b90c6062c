"""The end of a connection before its response: the work for it ends, and its place becomes free."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.types import Receive

T = TypeVar("T")


async def while_connected(work: Coroutine[Any, Any, T], receive: Receive) -> T | None:
    """The result of ``work``; None if the client hangs up before, which cancels it.

    The body of the request must have been read.
    """
    task, hangup = asyncio.ensure_future(work), asyncio.ensure_future(_hangup(receive))
    try:
        await asyncio.wait({task, hangup}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for each in (task, hangup):
            each.cancel()
        await asyncio.gather(task, hangup, return_exceptions=True)


async def _hangup(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
