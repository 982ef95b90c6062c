"""The size of the graph, for metrics."""

from dataclasses import dataclass

from legacymind.db import queries
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


class SizeService(Service):
    """Reads the counts that the database keeps."""

    async def measure(self) -> GraphSize:
        """The size now. It takes as long for a large graph as for a small one."""
        (row,) = await self._graph.run(queries.measure_graph, {})
        return GraphSize(**row)
