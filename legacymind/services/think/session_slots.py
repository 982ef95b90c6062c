"""The chain heads this process last saw, and the queue of its own writers for each session."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from legacymind.services.chain.hashing import genesis

_KEPT: Final = 10_000


@dataclass(slots=True)
class Head:
    """The last step of a session's chain."""

    hash: str
    step: int
    thought_id: str | None
    key_id: str | None = None


@dataclass(slots=True)
class Seat:
    """One session in this process: its last known head and its writers' queue.

    ``shared``: other processes write it too, and faster than comparing heads keeps up with.
    """

    head: Head
    queue: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    shared: bool = False


class Heads:
    """Last known heads, bounded. A guess may be stale: the statement compares it before it writes."""

    def __init__(self) -> None:
        self._seats: OrderedDict[tuple[str, str], Seat] = OrderedDict()

    @asynccontextmanager
    async def hold(self, namespace: str, session_id: str) -> AsyncGenerator[Seat]:
        """Wait for this process's turn in a session; an unknown session is guessed to be new."""
        key = (namespace, session_id)
        seat = self._seats.get(key)
        if seat is None:
            seat = self._seats[key] = Seat(Head(genesis(namespace, session_id), -1, None))
        self._seats.move_to_end(key)
        seat.waiting += 1
        try:
            async with seat.queue:
                yield seat
        finally:
            seat.waiting -= 1
            self._forget()

    def _forget(self) -> None:
        for key in list(self._seats)[: max(0, len(self._seats) - _KEPT)]:
            if self._seats[key].waiting == 0:
                del self._seats[key]
