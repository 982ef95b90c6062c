"""The size of the graph, for metrics."""

from dataclasses import dataclass

from legacymind.db.query import load
from legacymind.services.shared.service import Service


@dataclass(frozen=True, slots=True)
class GraphSize:
    """Counts of nodes and relationships of a database, over all namespaces."""

    thoughts: int
    entities: int
    observations: int
    sessions: int
    relationships: int
    recalls: int


MEASURE_GRAPH = load("maintain/measure_graph", GraphSize, writes=False)


class SizeService(Service):
    """Reads the counts that the database keeps."""

    async def measure(self) -> GraphSize:
        """The size now. It takes as long for a large graph as for a small one."""
        (size,) = await self._graph.run(MEASURE_GRAPH, {})
        return size
