"""The gate: limits how many statements run at once, and how many calls of clients wait for their turn."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from typing import Final

from legacymind.calls import Call, current_call
from legacymind.errors import UNSETTLED, Busy
from legacymind.observe import Step, observed

_WEIGHT: Final = 0.1
"""The weight of the latest time in the moving average of the times that places were in use."""

_inside: ContextVar[bool] = ContextVar("inside", default=False)


class Gate:
    """Admits ``places`` statements at once; ``most`` wait, each up to ``patience`` seconds.

    More statements at once than the server has cores for do not end sooner, but each holds its locks and its
    memory for longer. If ``most`` wait, a further call of a client is refused, unless it has begun: a refused
    call has changed nothing. Calls of this process itself are never refused, and wait as long as it takes.
    Background work leaves one place free.
    """

    def __init__(self, places: int, most: int, patience: float) -> None:
        self._number = places
        self._places = asyncio.Semaphore(places)
        self._background = asyncio.Semaphore(max(places - 1, 1))
        self._most = most
        self._patience = patience
        self._mean = 0.0
        self.waiting = 0

    def check(self) -> None:
        """Raise Busy if the call of this task could not wait now."""
        call = current_call()
        if not (call.begun or call.own) and self._places.locked() and self.waiting >= self._most:
            raise self._refusal()

    @asynccontextmanager
    async def place(self, *, background: bool = False) -> AsyncGenerator[None]:
        """Wait for a place and keep it; inside of one, nothing is waited for. Raises Busy."""
        if _inside.get():
            yield
            return
        call = current_call()
        async with self._background if background or call.background else nullcontext():
            await self._enter(call, background=background or call.background)
            call.begun = True
            inside, begun = _inside.set(True), time.monotonic()
            try:
                yield
            finally:
                _inside.reset(inside)
                self._mean += _WEIGHT * (time.monotonic() - begun - self._mean)
                self._places.release()

    async def _enter(self, call: Call, *, background: bool) -> None:
        if not self._places.locked():
            await self._places.acquire()
            return
        with observed(Step("wait", "background" if background else "call")):
            if not background:
                self.check()
            self.waiting += 1
            try:
                async with asyncio.timeout(None if background or call.own else self._patience):
                    await self._places.acquire()
            except TimeoutError:
                raise self._refusal(begun=call.begun) from None
            finally:
                self.waiting -= 1

    def _refusal(self, *, begun: bool = False) -> Busy:
        seconds = max(math.ceil((self.waiting + 1) * self._mean / self._number), 1)
        return Busy(
            "Too many calls wait for the database.",
            written=UNSETTLED if begun else None,
            hint=f"Wait {seconds} s and call again.",
            retry_after=seconds,
        )
