"""Work beside other work: reads side by side, and long work on a text beside the event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

_LARGE: Final = 4_000
"""Characters of a text that a thread is worth."""


async def in_thread_if_large(characters: int, work: Callable[[], T]) -> T:
    """The result of work on so many characters; other calls are answered while it runs on a long text."""
    return await asyncio.to_thread(work) if characters > _LARGE else work()


async def together(*reads: Awaitable[Any]) -> list[Any]:
    """The results of all; when one fails, the others are cancelled first, so that none outlives the call."""
    tasks = [asyncio.ensure_future(read) for read in reads]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
