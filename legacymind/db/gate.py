"""The gate: limits how many statements run at once, and lets callers take turns while others wait."""

import asyncio
import math
import time
from bisect import insort
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from legacymind.calls import Call, current_call
from legacymind.errors import UNSETTLED, Busy
from legacymind.observe import Step, observed

_WEIGHT: Final = 0.1
"""The weight of the latest time in the moving average of the times that places were in use."""

_inside: ContextVar[bool] = ContextVar("inside", default=False)


@dataclass(slots=True, eq=False)
class _Expected:
    caller: str


_expected: ContextVar[_Expected | None] = ContextVar("expected", default=None)
"""The request of this task, until its first statement asks for a place."""


@dataclass(slots=True, eq=False)
class _Waiter:
    call: Call
    turn: asyncio.Future[None]


class Gate:
    """Admits ``places`` statements at once; ``most`` calls wait, each statement up to ``patience`` seconds.

    More statements at once than the server has cores for do not end sooner, but each holds its locks and its
    memory for longer. A call may have several. Waiting callers take turns; each one's calls come in the order
    in which they were made. If ``most`` wait, the newest call of the caller with the most waiting calls is
    refused. Only calls that have not begun are refused so, thus a refused call has changed nothing. Calls of
    this process itself are never refused: they wait as long as it takes.

    Background work takes a place only if no call waits and another place stays free.
    """

    def __init__(self, places: int, most: int, patience: float) -> None:
        self._places = self._free = places
        self._reserved = min(places - 1, 1)
        self._most = most
        self._patience = patience
        self._queues: OrderedDict[str, list[_Waiter]] = OrderedDict()  # by caller, the next one first
        self._background: deque[_Waiter] = deque()
        self._coming: set[_Expected] = set()
        self._mean = 0.0

    @property
    def waiting(self) -> int:
        """The number of waiting calls, without background work."""
        return sum(map(_calls, self._queues.values()))

    def check(self) -> None:
        """Raise Busy if the call of this task could not wait now."""
        self._replaced_by(current_call())

    @contextmanager
    def expecting(self, caller: str) -> Generator[None]:
        """Count a request that will ask for a place, before it is read; raises Busy if it could not wait.

        Many requests that come at once would all be read before the first of them waits here.
        """
        if self._free + self._most <= self.waiting + len(self._coming):
            loads = Counter({name: _calls(queue) for name, queue in self._queues.items()})
            loads.update(each.caller for each in self._coming)
            if max(loads.values(), default=0) <= loads[caller] + 1:
                raise self._refusal()
        expected = _Expected(caller)
        self._coming.add(expected)
        token = _expected.set(expected)
        try:
            yield
        finally:
            _expected.reset(token)
            self._coming.discard(expected)

    @asynccontextmanager
    async def place(self, *, background: bool = False) -> AsyncGenerator[None]:
        """Wait for a place and keep it; inside of one, nothing is waited for. Raises Busy."""
        if _inside.get():
            yield
            return
        call = current_call()
        await self._enter(call, background=background or call.background)
        call.begun = True
        inside, begun = _inside.set(True), time.monotonic()
        try:
            yield
        finally:
            _inside.reset(inside)
            self._mean += _WEIGHT * (time.monotonic() - begun - self._mean)
            self._leave()

    async def _enter(self, call: Call, *, background: bool) -> None:
        if (expected := _expected.get()) is not None:
            self._coming.discard(expected)
        if not self._queues and self._free > (self._reserved if background else 0):
            self._free -= 1
            return
        with observed(Step("wait", "background" if background else "call")):
            waiter = _Waiter(call, asyncio.get_running_loop().create_future())
            if background:
                self._background.append(waiter)
            else:
                self._line_up(waiter)
            try:
                async with asyncio.timeout(None if background or call.own else self._patience):
                    await waiter.turn
            except TimeoutError:
                self._give_up(waiter)
                raise self._refusal(begun=call.begun) from None
            except asyncio.CancelledError:
                self._give_up(waiter)
                raise

    def _line_up(self, waiter: _Waiter) -> None:
        """Let a call wait, in place of another one if too many wait; raises Busy."""
        replaced = self._replaced_by(waiter.call)
        if replaced is not None:
            for each in [each for each in self._queues[replaced.caller] if each.call is replaced]:
                self._remove(each)
                each.turn.set_exception(self._refusal())
        insort(self._queues.setdefault(waiter.call.caller, []), waiter, key=lambda each: each.call.number)

    def _replaced_by(self, call: Call) -> Call | None:
        """The call whose place ``call`` takes, None if there is room. Raises Busy to refuse the call."""
        own = self._queues.get(call.caller, ())
        if call.begun or call.own or not self._is_full() or any(each.call is call for each in own):
            return None
        queue = max(self._queues.values(), key=_calls, default=list[_Waiter]())
        may_go = (each.call for each in reversed(queue) if not (each.call.begun or each.call.own))
        replaced = next(may_go, None)
        if replaced is None or _calls(queue) <= _calls(own) + 1:
            raise self._refusal()
        return replaced

    def _is_full(self) -> bool:
        return (not self._free or bool(self._queues)) and self.waiting >= self._most

    def _leave(self) -> None:
        self._free += 1
        while self._free and self._queues:
            caller, queue = next(iter(self._queues.items()))
            self._admit(queue.pop(0))
            if queue:
                self._queues.move_to_end(caller)
            else:
                del self._queues[caller]
        while self._free > self._reserved and self._background:
            self._admit(self._background.popleft())

    def _admit(self, waiter: _Waiter) -> None:
        if not waiter.turn.done():  # else it was cancelled, and has not run since
            self._free -= 1
            waiter.turn.set_result(None)

    def _give_up(self, waiter: _Waiter) -> None:
        """End the wait; a place that was already given is passed on."""
        if waiter.turn.done() and not waiter.turn.cancelled():
            if waiter.turn.exception() is None:
                self._leave()
        elif waiter in self._background:
            self._background.remove(waiter)
        else:
            self._remove(waiter)

    def _remove(self, waiter: _Waiter) -> None:
        queue = self._queues.get(waiter.call.caller, [])
        if waiter in queue:
            queue.remove(waiter)
            if not queue:
                del self._queues[waiter.call.caller]

    def _refusal(self, *, begun: bool = False) -> Busy:
        seconds = max(math.ceil((self.waiting + 1) * self._mean / self._places), 1)
        return Busy(
            "Too many calls wait for the database.",
            written=UNSETTLED if begun else None,
            hint=f"Wait {seconds} s and call again.",
            retry_after=seconds,
        )


def _calls(queue: Sequence[_Waiter]) -> int:
    """The number of calls whose statements wait."""
    return len({each.call for each in queue})
