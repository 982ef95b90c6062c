"""Graphs of other tools in the same database. They are read, and never written."""

from collections.abc import AsyncIterator
from typing import Any, Final, cast

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.query import Query
from legacymind.db.statements.knowledge import ForeignKnowledgeRow, ForeignRow
from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    Record,
    json_value,
    line_of,
)

GRAPHS: Final[dict[str, Query[Any]]] = {
    "mcp-neo4j-memory": queries.read_mcp_neo4j_memory,
    "graphiti": queries.read_graphiti,
    "neo4j-agent-memory": queries.read_agent_memory,
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
    async for row in graph.stream(query, {"group": group} if "group" in query.names else {}):
        first = row["group"] if first is None else first
        if row["group"] != first:
            raise InvalidInput(
                f"The graph has several groups, among them {first!r} and {row['group']!r}.",
                hint="Name one with --group, and import each group into a namespace of its own.",
            )
        place = LineNumber(0, row["place"])
        try:
            yield place, _record(row)
        except Fault as reason:
            yield place, reason


def _record(row: ForeignKnowledgeRow | ForeignRow) -> Record:
    fields: dict[str, Any] = {name: value for name, value in row["fields"].items() if value is not None}
    if row["data"]:
        fields["data"] = json_value(dict(row["data"]))
    return cast("Record", line_of({"kind": row["kind"], **fields}))
