"""Heads of chains: cached by the process, with one queue of writers a session, and checked before a step.

What follows a false head is broken for good.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from legacymind.errors import ChainBroken, ConfigurationError
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import StoredHead
from legacymind.services.shared.chain_keys import HASH_ALG, KEYED_ALG, ChainKeys

SessionKey = tuple[str, str]
"""A namespace and a session id."""

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
        self._slots: OrderedDict[SessionKey, SessionSlot] = OrderedDict()

    @asynccontextmanager
    async def hold(self, namespace: str, session_id: str) -> AsyncGenerator[SessionSlot]:
        """Hold a session exclusively within this process. A session without a cached head counts as new."""
        key = (namespace, session_id)
        session_slot = self._slots.get(key)
        if session_slot is None:
            session_slot = self._slots[key] = SessionSlot(
                Head(hashing.genesis(namespace, session_id), -1, None)
            )
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


def checked_head(found: StoredHead, namespace: str, session_id: str, keys: ChainKeys) -> Head:
    """The head that a session stores, if it is the last step of its chain. Tampering may leave any value.

    Raises ChainBroken if it is not, and ConfigurationError without the key of that step.
    """
    head = Head(found.hash, found.step, found.id, found.key_id)
    if type(head.step) is not int or not _is_last(head, found, hashing.genesis(namespace, session_id), keys):
        raise ChainBroken(
            f"The head of the session {session_id} is not the last step of its chain: one was changed.",
            effect="Nothing was stored. A step after it would break the chain for good.",
            hint=f"Run `legacymind verify {session_id}`. Restore the session, or continue in another one.",
        )
    return head


def doubled_session(names: Iterable[str | None]) -> ChainBroken:
    """The error when two nodes have the id of one of these sessions, which only tampering can cause."""
    return ChainBroken(
        f"Two nodes have the id of one session ({', '.join(filter(None, names))}), so it has no single head.",
        effect="Nothing was stored. A step after one of them would break the chain for good.",
        hint="Run `legacymind verify` for it and delete the false Session node; then `legacymind doctor "
        "--fix` restores the constraint that excludes a second one.",
    )


def _is_last(head: Head, found: StoredHead, genesis: str, keys: ChainKeys) -> bool:
    if head.step == -1:
        return not found.last and (head.hash, head.thought_id, head.key_id) == (genesis, None, None)
    if len(found.last) != 1:
        return False
    (last,) = found.last
    own = Head(last["chain_hash"], last["step_index"], last["id"], last["key_id"])
    alg = HASH_ALG if head.key_id is None else KEYED_ALG
    if own != head or type(own.step) is not int or last["hash_alg"] != alg:
        return False
    secret = keys.secret(head.key_id)
    if head.key_id is not None and (secret is None or keys.current is None):
        raise ConfigurationError(
            f"The chain of this session is keyed with {head.key_id}, which is not configured.",
            hint="Set LEGACYMIND_CHAIN_KEY to that key, or add that key to LEGACYMIND_CHAIN_OLD_KEYS.",
        )
    try:
        return hashing.chain_hash(last["prev_hash"], last["content_hash"], secret) == head.hash
    except (TypeError, ValueError):
        return False
