"""Quotas of namespaces: the most thoughts and characters of text that may be stored."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, Literal, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.errors import RequestRefused

LIST_NAMESPACES = load("nodes/list_namespaces", list[str], writes=False)


class NamespaceRow(TypedDict):
    """What a namespace has; ``text`` counts characters."""

    name: str
    thoughts: int
    entities: int
    facts: int
    text: int
    tokens: int


MEASURE_NAMESPACES = load("transfer/measure_namespaces", NamespaceRow, writes=False)


class QuotaRow(TypedDict):
    """The most thoughts and characters of text that a namespace may have; None is no limit."""

    name: str
    thoughts: int | None
    text: int | None


READ_QUOTAS = load("transfer/read_quotas", QuotaRow, writes=False)


_FRESH: Final = 30.0
"""Seconds after which the quotas are read again, and what other processes have stored since."""


class _Use:
    """What a namespace with a quota has, with the calls that were admitted and are not committed yet."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.used: dict[str, int] | None = None  # None: measure
        self.running = 0
        self.idle = asyncio.Event()
        self.idle.set()


class Quotas:
    """Refuses what exceeds the quota of a namespace. A process has one: it keeps what it has read."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._reading = asyncio.Lock()
        self._until = float("-inf")
        self._quotas: dict[str, QuotaRow] = {}
        self._uses: dict[str, _Use] = {}

    def forget(self) -> None:
        """Read everything again at the next call."""
        self._until = float("-inf")

    @asynccontextmanager
    async def admit(self, namespace: str, texts: Sequence[str], *, thoughts: bool) -> AsyncGenerator[None]:
        """Count texts of thoughts or of knowledge, which the block stores.

        Raises RequestRefused if they exceed the quota. A namespace without a quota costs one small read for
        all namespaces every 30 seconds.
        """
        quota = await self._quota(namespace)
        if quota is None:
            yield
            return
        new = {"thoughts": len(texts) if thoughts else 0, "text": sum(map(len, texts))}
        use = self._uses.setdefault(namespace, _Use())
        async with use.lock:
            used = use.used
            if used is None or _exceeded(quota, used, new):  # what failed or was known counts until now
                await use.idle.wait()  # a measurement does not count what is not committed yet
                (row,) = await self._graph.run(MEASURE_NAMESPACES, {"names": [namespace]})
                used = {"thoughts": row["thoughts"], "text": row["text"]}
            if (name := _exceeded(quota, used, new)) is not None:
                unit = "thoughts" if name == "thoughts" else "characters of text"
                raise RequestRefused(
                    f"The namespace {namespace} may have {quota[name]:,} {unit}. It has {used[name]:,}, and "
                    f"this call has {new[name]:,}.",
                    hint="Forget something, or ask the operator for a larger quota "
                    f"(`legacymind namespace quota {namespace}`).",
                )
            use.used = {name: used[name] + new[name] for name in used}
            use.running += 1
            use.idle.clear()
        try:
            yield
        finally:
            use.running -= 1
            if not use.running:
                use.idle.set()

    async def _quota(self, namespace: str) -> QuotaRow | None:
        async with self._reading:
            if time.monotonic() > self._until:
                self._quotas = {row["name"]: row for row in await self._graph.run(READ_QUOTAS, {})}
                for use in self._uses.values():
                    use.used = None
                self._until = time.monotonic() + _FRESH
            return self._quotas.get(namespace)


def _exceeded(
    quota: QuotaRow, used: Mapping[str, int], new: Mapping[str, int]
) -> Literal["thoughts", "text"] | None:
    """What exceeds the quota, if new texts come to those in use."""
    for name in ("thoughts", "text"):
        most = quota[name]
        if most is not None and new[name] and used[name] + new[name] > most:
            return name
    return None
