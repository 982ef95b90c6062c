"""Signs of life for clients whose calls take long: during the start of the database, and in every call.

The TypeScript SDK gives up a request after 60 seconds without a sign of life, and a cold engine needs longer
on a slow machine. So the start begins before the first call, and a call that meets it reports progress and is
answered before a client gives up.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from mcp.server.context import ServerRequestContext

from legacymind.errors import Starting
from legacymind.model.progress import call_progress

if TYPE_CHECKING:
    from legacymind.mind import Mind
    from legacymind.operations.registry import Operation

_EVERY: Final = 2.0
"""Seconds between two reports of progress."""

PATIENCE: Final = 40.0
"""Seconds after which a call that met the start is answered."""

_AGAIN: Final = 10
"""Seconds after which a client is to repeat its call."""

_BEGUN: Final = time.monotonic()

_log = logging.getLogger(__name__)

ServerContext = ServerRequestContext[Any]

GetOperations = Callable[[ServerContext], Awaitable[Mapping[str, "Operation"]]]
"""Returns the operations for a call, by name; the first one may be slow."""


@asynccontextmanager
async def signs_of_life(context: ServerContext, message: str) -> AsyncGenerator[None]:
    """Tell the client of a call every two seconds that the work goes on, if it sent a token for that.

    The progress is in seconds since the process began, so that it also grows from the start of the database
    to the call; the message has the stage that the operation reports, else ``message``.
    """
    stage = ""

    def note(name: str, done: int, total: int, /) -> None:
        nonlocal stage
        stage = f"{name}: {100 * done // total} %" if done < total else ""

    async def report() -> None:
        while True:
            await asyncio.sleep(_EVERY)
            await context.session.report_progress(time.monotonic() - _BEGUN, None, stage or message)

    token = call_progress.set(note)
    reporting = asyncio.create_task(report())
    try:
        yield
    finally:
        call_progress.reset(token)
        reporting.cancel()
        await asyncio.gather(reporting, return_exceptions=True)


class Readiness:
    """Opens a mind and warms it up, once, in the background. Calls wait only until the database answers.

    ``open`` returns the mind without connecting. A start that failed is logged, and begun anew by the next
    call. ``watch``: nodes made by hand are adopted until the end.
    """

    def __init__(
        self, open: Callable[[], Awaitable["Mind"]], *, patience: float = PATIENCE, watch: bool = False
    ) -> None:
        self._open = open
        self._patience = patience
        self._watch = watch
        self._mind: Mind | None = None
        self._connecting: asyncio.Task[Mind] | None = None
        self._beside: list[asyncio.Task[None]] = []

    @property
    def ended(self) -> bool:
        """Whether warming up has ended, successfully or not."""
        connecting = self._connecting
        return connecting is not None and connecting.done() and (not self._beside or self._beside[0].done())

    def begin(self) -> "asyncio.Task[Mind]":
        """Begin to connect and then to warm up, unless that is under way or done."""
        if self._connecting is None or _error(self._connecting) is not None:
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(_log_failure)
        return self._connecting

    async def mind(self, context: ServerContext) -> "Mind":
        """The mind, connected. Raises Starting after some time, and what connecting raised."""
        connecting = self.begin()
        if not connecting.done():
            async with signs_of_life(context, "Preparing the database"):
                await asyncio.wait({connecting}, timeout=self._patience)
            if not connecting.done():
                raise Starting(
                    "The database is still starting." if self._mind else "LegacyMind is still being loaded.",
                    effect="Nothing was stored or changed.",
                    hint=f"Call again in {_AGAIN} s.",
                )
        return await connecting

    async def warm(self) -> "Mind":
        """The mind after warming up, for callers with a time limit of their own. Raises what that raised."""
        mind = await asyncio.shield(self.begin())
        await asyncio.shield(self._beside[0])
        return mind

    async def stop(self) -> None:
        """End the background work; the mind stays open."""
        for task in (self._connecting, *self._beside):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """End the background work, and close the mind if it was opened."""
        await self.stop()
        if self._mind is not None:
            await self._mind.close()

    async def _connect(self) -> "Mind":
        if self._mind is None:
            self._mind = await self._open()
        await self._mind.graph.ready()
        if not self._beside:
            self._beside.append(asyncio.create_task(self._mind.warm_up()))
            self._beside[0].add_done_callback(_log_failure)
            if self._watch:
                self._beside.append(asyncio.create_task(self._mind.watch()))
        return self._mind


def _error(task: "asyncio.Task[Any]") -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None


def _log_failure(task: "asyncio.Task[Any]") -> None:
    if (error := _error(task)) is not None:
        _log.warning("Not ready: %s", error)
