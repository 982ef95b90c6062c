"""Cached chain heads, and one queue of this process's writers for each session."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from legacymind.services.chain.hashing import genesis

_CAPACITY: Final = 10_000


@dataclass(slots=True)
class Head:
    """The last step of a session's chain."""

    hash: str
    step: int
    thought_id: str | None
    key_id: str | None = None


@dataclass(slots=True)
class SessionSlot:
    """One session in this process: its cached head and the queue of its writers.

    A session without a cached head counts as new until ``known``. ``shared``: other processes write to it so
    often that the cached head is usually stale.
    """

    head: Head
    queue: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    shared: bool = False

    @property
    def known(self) -> bool:
        """Whether the head was read or written by this process."""
        return self.head.step >= 0


class SessionSlots:
    """A bounded cache of heads. A head may be stale: the statement compares it before it writes."""

    def __init__(self) -> None:
        self._slots: OrderedDict[tuple[str, str], SessionSlot] = OrderedDict()

    @asynccontextmanager
    async def hold(self, namespace: str, session_id: str) -> AsyncGenerator[SessionSlot]:
        """Hold a session exclusively within this process. A session without a cached head counts as new."""
        key = (namespace, session_id)
        session_slot = self._slots.get(key)
        if session_slot is None:
            session_slot = self._slots[key] = SessionSlot(Head(genesis(namespace, session_id), -1, None))
        self._slots.move_to_end(key)
        session_slot.waiting += 1
        try:
            async with session_slot.queue:
                yield session_slot
        finally:
            session_slot.waiting -= 1
            self._forget()

    def _forget(self) -> None:
        for key in list(self._slots)[: max(0, len(self._slots) - _CAPACITY)]:
            if self._slots[key].waiting == 0:
                del self._slots[key]
