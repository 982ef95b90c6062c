"""Quotas of namespaces: the most thoughts and characters of text that may be stored."""

import asyncio
import time
from collections.abc import Mapping, Sequence
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


class Quotas:
    """Refuses what exceeds the quota of a namespace. A process has one: it keeps what it has read."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._reading = asyncio.Lock()
        self._until = float("-inf")
        self._quotas: dict[str, QuotaRow] = {}
        self._used: dict[str, dict[str, int]] = {}

    def forget(self) -> None:
        """Read everything again at the next check."""
        self._until = float("-inf")

    async def check(self, namespace: str, texts: Sequence[str], *, thoughts: bool) -> None:
        """Count texts that are about to be stored, of thoughts or of knowledge.

        Raises RequestRefused if they exceed the quota. A namespace without a quota costs one small read for
        all namespaces every 30 seconds.
        """
        async with self._reading:
            if time.monotonic() > self._until:
                self._quotas = {row["name"]: row for row in await self._graph.run(READ_QUOTAS, {})}
                self._used.clear()
                self._until = time.monotonic() + _FRESH
            quota = self._quotas.get(namespace)
            if quota is None:
                return
            new = {"thoughts": len(texts) if thoughts else 0, "text": sum(map(len, texts))}
            used = self._used.get(namespace)
            if used is None or _exceeded(quota, used, new):  # what failed or was known counts until now
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
            self._used[namespace] = {name: used[name] + new[name] for name in used}


def _exceeded(
    quota: QuotaRow, used: Mapping[str, int], new: Mapping[str, int]
) -> Literal["thoughts", "text"] | None:
    """What exceeds the quota, if new texts come to those in use."""
    for name in ("thoughts", "text"):
        most = quota[name]
        if most is not None and new[name] and used[name] + new[name] > most:
            return name
    return None
