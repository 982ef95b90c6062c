"""Quotas of namespaces: the most thoughts and characters of text that may be stored."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.statements.transfer import QuotaRow
from legacymind.errors import RequestRefused

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
                self._quotas = {row["name"]: row for row in await self._graph.run(queries.read_quotas, {})}
                self._used.clear()
                self._until = time.monotonic() + _FRESH
            quota = self._quotas.get(namespace)
            if quota is None:
                return
            if namespace not in self._used:
                (row,) = await self._graph.run(queries.measure_namespaces, {"names": [namespace]})
                self._used[namespace] = {"thoughts": row["thoughts"], "text": row["text"]}
            used = self._used[namespace]
            new = {"thoughts": len(texts) if thoughts else 0, "text": sum(map(len, texts))}
            limits = (
                ("thoughts", "thoughts", quota["thoughts"]),
                ("text", "characters of text", quota["text"]),
            )
            for name, unit, most in limits:
                if most is not None and new[name] and used[name] + new[name] > most:
                    raise RequestRefused(
                        f"The namespace {namespace} may have {most:,} {unit}. It has {used[name]:,}, and "
                        f"this call has {new[name]:,}.",
                        hint="Forget something, or ask the operator for a larger quota "
                        f"(`legacymind namespace quota {namespace}`).",
                    )
            self._used[namespace] = {name: used[name] + new[name] for name in used}
