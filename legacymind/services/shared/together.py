"""Reads that run side by side."""

import asyncio
from collections.abc import Awaitable
from typing import Any


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
