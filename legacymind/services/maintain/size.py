"""The size of the graph, for metrics."""

from dataclasses import dataclass

from legacymind.db import queries
from legacymind.db.graph import Graph


@dataclass(frozen=True, slots=True)
class GraphSize:
    """Counts of nodes and relationships of a database, over all namespaces."""

    thoughts: int
    entities: int
    observations: int
    sessions: int
    relationships: int
    recalls: int


class SizeService:
    """Reads the counts that the database keeps."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def measure(self) -> GraphSize:
        """The size now. It takes as long for a large graph as for a small one."""
        (row,) = await self._graph.run(queries.measure_graph, {})
        return GraphSize(**row)
