"""Graphs of other tools in the same database. They are read, and never written."""

from collections.abc import AsyncIterator
from typing import Any, Final

from legacymind.db.graph import Graph
from legacymind.db.query import Query, load
from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers.records import (
    LineNumber,
    ReadLine,
    json_value,
    record,
)

ForeignRow = tuple[str, str, dict[str, Any], list[Any], str | None]
"""What another tool's graph has: its kind, the name of its node or relationship, the fields of this kind in
the import format, whatever their types are, other properties as pairs of name and value, and the part of the
graph that it belongs to, if the tool has any."""

READ_MCP_NEO4J_MEMORY = load("knowledge/read_mcp_neo4j_memory", ForeignRow, writes=False)
READ_GRAPHITI = load("knowledge/read_graphiti", ForeignRow, writes=False)
READ_AGENT_MEMORY = load("knowledge/read_agent_memory", ForeignRow, writes=False)

GRAPHS: Final[dict[str, Query[Any]]] = {
    "mcp-neo4j-memory": READ_MCP_NEO4J_MEMORY,
    "graphiti": READ_GRAPHITI,
    "neo4j-agent-memory": READ_AGENT_MEMORY,
}
"""The statement that reads each tool's graph as records, by the name of the format."""


async def read(graph: Graph, name: str, group: str | None) -> AsyncIterator[ReadLine]:
    """Stream the records of a tool's graph, in constant memory.

    ``group`` is a group of Graphiti's, which keeps the memories of different users in different groups.
    Raises InvalidInput if there are several and none is named, because their entities would be mixed.
    """
    query = GRAPHS[name]
    if group is not None and "group" not in query.names:
        raise InvalidInput(f"The graph of {name} has no groups.", hint="Omit the group.")
    first: str | None = None
    parameters = {"group": group} if "group" in query.names else {}
    async for kind, place, fields, others, own_group in graph.stream(query, parameters):
        first = own_group if first is None else first
        if own_group != first:
            raise InvalidInput(
                f"The graph has several groups, among them {first!r} and {own_group!r}.",
                hint="Name one with --group, and import each group into a namespace of its own.",
            )
        data = {"data": json_value(dict(others))} if others else {}
        yield LineNumber(0, place), record(kind, **fields, **data)
