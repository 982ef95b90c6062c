"""Signs of life for clients whose calls take long: during the start of the database, and in every call.

The TypeScript SDK gives up a request after 60 seconds without a sign of life, and a cold engine needs longer
on a slow machine. So the start begins before the first call, and a call that meets it reports progress and is
answered before a client gives up.
"""

import asyncio
import contextvars
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
from mcp.server.context import ServerRequestContext

from legacymind.calls import has_begun
from legacymind.doors.mcp.progress import CallProgress
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

_LOADS: Final = "LegacyMind is still being loaded."
_STARTS: Final = "The database is still starting."
_RUNS: Final = "The database runs, but has not answered this process yet; the machine is busy."
_PREPARES: Final = (
    "The database answers, but the embedding model and the first statements are not ready yet; the machine "
    "is busy."
)

_log = logging.getLogger(__name__)

ServerContext = ServerRequestContext[Any]
T = TypeVar("T")


class ToolCall:
    """A call of a tool. Its client gets progress while the call takes long, if it asked for it.

    At ``until``, by the monotonic clock, the call ends; a call that has met no start never does. ``failure``
    is how the last start failed, and ``state`` says what a call waits for.
    """

    def __init__(self, context: ServerContext) -> None:
        self.context = context
        self.until = math.inf
        self.failure: BaseException | None = None
        self.state: Callable[[], str] = lambda: _STARTS
        self._progress = CallProgress()

    async def reporting(self, work: Coroutine[Any, Any, T], message: str, *, writes: bool = False) -> T:
        """The result of ``work``; every two seconds the client gets its progress.

        ``message`` stands for work that reports none. Raises Starting when the time of the call is up, except
        for work that ``writes`` and has begun to use the database: that may be stored already.
        """
        context = contextvars.copy_context()
        if (self.context.meta or {}).get("progress_token") is not None:
            context.run(call_progress.set, self._progress)
        task = asyncio.get_running_loop().create_task(work, context=context)
        try:
            while not (await asyncio.wait({task}, timeout=max(min(_EVERY, self._left()), 0)))[0]:
                if self._left() <= 0:
                    if not (writes and has_begun(context)):
                        raise self._starting()
                    self.until = math.inf
                await self.context.session.report_progress(*self._progress.notification(message))
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                with anyio.CancelScope(shield=True):
                    await asyncio.gather(task, return_exceptions=True)

    def _left(self) -> float:
        return self.until - time.monotonic()

    def _starting(self) -> Starting:
        before = f" The attempt before failed: {self.failure}" if self.failure is not None else ""
        return Starting(
            f"{self.state()}{before}",
            effect="Nothing was stored or changed.",
            hint=f"Call again in {_AGAIN} s.",
        )


GetOperations = Callable[[ToolCall], Awaitable[Mapping[str, "Operation"]]]
"""Returns the operations for a call, by name; the first one may be slow."""


class Readiness:
    """Opens a mind and warms it up, once, in the background. Calls wait only until the database answers.

    ``open`` returns the mind without connecting. When warming up fails, the log says why, and the next call
    begins it anew. The call is made anyway, and fails with an error of its own if nothing has changed.
    ``watch``: nodes made by hand are adopted until the end.
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
        self._failure: BaseException | None = None
        self._connected = asyncio.Event()
        self._mind: Mind | None = None

    @property
    def ended(self) -> bool:
        """Whether warming up has ended, successfully or not."""
        return self._warming is not None and self._warming.done()

    def begin(self) -> "asyncio.Task[None]":
        """Begin to open the mind and to warm it up, unless that is under way or done."""
        failed = _error(self._warming) if self.ended else None
        if self._warming is None or failed is not None:
            self._failure = failed
            self._warming = asyncio.create_task(self._warm())
            self._warming.add_done_callback(_log_failure)
        return self._warming

    async def mind(self, call: ToolCall) -> "Mind":
        """The mind, connected. Raises Starting after some time, and what opening it raised.

        A call that had to wait for it has what is left of the time for its own work.
        """
        warming = self.begin()
        if not warming.done():
            call.until = time.monotonic() + self._patience
            call.failure, call.state = self._failure, self._state
            await call.reporting(self._answers(warming), "Preparing the database")
        return await self._opened()

    async def warm(self) -> "Mind":
        """The mind after warming up, for callers with a time limit of their own. Raises what that raised."""
        await asyncio.shield(self.begin())
        return await self._opened()

    async def stop(self) -> None:
        """End the background work; the mind stays open."""
        for task in (self._warming, self._watching):
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

    async def _answers(self, warming: "asyncio.Task[None]") -> None:
        """Wait until the database answers, or warming up ends."""
        connected = asyncio.create_task(self._connected.wait())
        try:
            await asyncio.wait({warming, connected}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            connected.cancel()

    def _state(self) -> str:
        """What a call waits for now."""
        if self._mind is None:
            return _LOADS
        if self._connected.is_set():
            return _PREPARES
        return _RUNS if self._mind.settings.neo4j_uri or self._mind.engine.status().running else _STARTS

    async def _warm(self) -> None:
        self._mind = mind = await self._opened()
        if self._watch and self._watching is None:
            self._watching = asyncio.create_task(mind.watch())
        await mind.graph.ready()
        self._connected.set()
        await mind.warm_up()

    async def _opened(self) -> "Mind":
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._open())
        return await asyncio.shield(self._opening)


def _error(ended: "asyncio.Task[None] | None") -> BaseException | None:
    return None if ended is None or ended.cancelled() else ended.exception()


def _log_failure(task: "asyncio.Task[None]") -> None:
    if (error := _error(task)) is not None:
        _log.warning("Not ready: %s", error)
