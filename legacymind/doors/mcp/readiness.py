"""Signs of life for clients whose calls take long: during the start of the database, and in every call.

The TypeScript SDK gives up a request after 60 seconds without a sign of life, and a cold engine needs longer
on a slow machine. So the start begins before the first call, and a call that meets it reports progress and is
answered before a client gives up.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
from mcp.server.context import ServerRequestContext

from legacymind.doors.mcp.progress import CallProgress
from legacymind.errors import Starting
from legacymind.model.progress import call_progress

if TYPE_CHECKING:
    from legacymind.mind import Mind
    from legacymind.operations.registry import Operation

_EVERY: Final = 2.0
"""Seconds between two reports of progress."""

PATIENCE: Final = 40.0
"""Seconds that a call waits for the start."""

_AGAIN: Final = 10
"""Seconds after which a client is to repeat its call."""

Context = ServerRequestContext[Any]
T = TypeVar("T")


class Call:
    """A call of a tool. Its client gets progress while the call takes long, if it asked for it."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._progress = CallProgress()

    async def reporting(self, work: Awaitable[T], message: str) -> T:
        """The result of ``work``; every two seconds the client gets its progress.

        ``message`` stands for work that reports none.
        """
        asked = (self.context.meta or {}).get("progress_token") is not None
        outer = call_progress.set(self._progress) if asked else None
        task = asyncio.ensure_future(work)  # begins with a copy of this context
        if outer is not None:
            call_progress.reset(outer)
        try:
            while not (await asyncio.wait({task}, timeout=_EVERY))[0]:
                await self.context.session.report_progress(*self._progress.notification(message))
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                with anyio.CancelScope(shield=True):
                    await asyncio.gather(task, return_exceptions=True)


GetOperations = Callable[[Call], Awaitable[Mapping[str, "Operation"]]]
"""Returns the operations for a call, by name; the first one may be slow."""


class Readiness:
    """Opens a mind, warms it up and plans ahead, once, in the background.

    ``open`` returns the mind without connecting. When warming up fails, the next call begins it anew, and is
    made anyway: it fails with an error of its own if nothing has changed. ``watch``: nodes made by hand are
    adopted until the end.
    """

    def __init__(
        self, open: Callable[[], Awaitable["Mind"]], *, patience: float = PATIENCE, watch: bool = False
    ) -> None:
        self._open = open
        self._patience = patience
        self._watch = watch
        self._watching: asyncio.Task[None] | None = None
        self._opening: asyncio.Task[Mind] | None = None
        self._warming: asyncio.Task[None] | None = None
        self._planning: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        """Whether warming up has ended, successfully or not."""
        return self._warming is not None and self._warming.done()

    def begin(self, failed: Callable[[BaseException], None] | None = None) -> None:
        """Begin to open the mind and to warm it up; ``failed`` gets the error if that or planning fails."""

        def ended(task: "asyncio.Task[None]") -> None:
            error = None if task.cancelled() else task.exception()
            if error is not None and failed is not None:
                failed(error)

        if self._warming is None or (self._warming.done() and self._warming.exception() is not None):
            self._warming = asyncio.create_task(self._warm())
            self._warming.add_done_callback(ended)
            self._planning = asyncio.create_task(self._plan(self._warming))
            self._planning.add_done_callback(ended)

    async def mind(self, call: Call) -> "Mind":
        """The mind, warmed up. Raises Starting after some time, and what opening it raised."""
        self.begin()
        warming = self._warming
        assert warming is not None
        try:
            async with asyncio.timeout(self._patience):
                await call.reporting(asyncio.wait({warming}), "Preparing the database")
        except TimeoutError:
            raise Starting(
                "The database is still starting.",
                effect="Nothing was stored or changed.",
                hint=f"Call again in {_AGAIN} s.",
            ) from None
        return await self._opened()

    async def stop(self) -> None:
        """End the background work; the mind stays open."""
        for task in (self._warming, self._watching, self._planning):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """End the background work, and close the mind if it was opened."""
        await self.stop()
        if self._opening is not None:
            (opened,) = await asyncio.gather(self._opening, return_exceptions=True)
            if not isinstance(opened, BaseException):
                await opened.close()

    async def _warm(self) -> None:
        mind = await self._opened()
        if self._watch and self._watching is None:
            self._watching = asyncio.create_task(mind.watch())
        await mind.warm_up()

    async def _plan(self, warming: "asyncio.Task[None]") -> None:
        """Plan ahead once the mind is warm, unless warming up fails."""
        await asyncio.wait({warming})
        if warming.cancelled() or warming.exception() is not None:
            return
        mind = await self._opened()
        if mind.settings.plan_ahead:
            await mind.plan_ahead()

    async def _opened(self) -> "Mind":
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._open())
        return await asyncio.shield(self._opening)
