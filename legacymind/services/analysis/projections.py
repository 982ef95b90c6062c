"""Projections of Graph Data Science, which never outlive their call."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, Query, Row, load
from legacymind.errors import LegacyMindError

DROP_PROJECTIONS = load("analysis/drop_projections", int, writes=False)

Projection = dict[str, Any]
"""What GDS says about a projection: ``nodeCount``, ``relationshipCount`` and more."""


@dataclass(frozen=True, slots=True)
class Projected:
    """A graph in the server's memory, and its size."""

    graph: Graph
    name: str
    nodes: int
    relationships: int

    async def run(self, query: Query[Row], **parameters: Any) -> Row:
        """The only row of an algorithm that runs on the projection."""
        (row,) = await on_leader(self.graph, query, {"graph": self.name, **parameters})
        return row


@asynccontextmanager
async def projected(
    graph: Graph, query: Query[tuple[Projection]], parameters: Parameters
) -> AsyncGenerator[Projected | None]:
    """The projection that ``query`` makes; None without nodes. It is dropped at the end in any case.

    Those of killed processes are dropped when they are an hour old. Raises AlgorithmsMissing when the server
    has no Graph Data Science.
    """
    name = f"legacymind-{uuid.uuid4()}"
    try:
        rows = await on_leader(graph, query, {"graph": name, **parameters})
        made = rows[0][0] if rows else None
        yield Projected(graph, name, made["nodeCount"], made["relationshipCount"]) if made else None
    finally:
        # Shielded: a cancelled call must still drop its projection.
        await asyncio.shield(_drop(graph, name))


async def on_leader(graph: Graph, query: Query[Row], parameters: Parameters) -> list[Row]:
    """Run a statement about projections: in a cluster all must reach the server that has them."""
    return await graph.run(replace(query, writes=True), parameters)


async def _drop(graph: Graph, name: str) -> None:
    with suppress(LegacyMindError):  # the error that matters is that of the algorithm
        await on_leader(graph, DROP_PROJECTIONS, {"graph": name})
