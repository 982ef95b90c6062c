"""Graphs of other tools in the same database. They are read, and never written."""

from collections.abc import AsyncIterator
from typing import Any, Final, Literal, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import Query, load
from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers.records import (
    LineNumber,
    ReadLine,
    json_value,
    record,
)


class ForeignEntity(TypedDict):
    """An entity of another tool's, with the values that it has there, whatever their types are."""

    name: Any
    entity_type: Any
    description: Any


class ForeignObservation(TypedDict):
    """A fact about an entity of another tool's."""

    entity: Any
    entity_type: Any
    content: Any
    valid_from: Any
    valid_to: Any


ForeignRelation = TypedDict(
    "ForeignRelation",
    {
        "from": Any,
        "from_type": Any,
        "type": Any,
        "to": Any,
        "to_type": Any,
        "valid_from": Any,
        "valid_to": Any,
    },
)
"""A relation between two entities of another tool's."""


class ForeignKnowledgeRow(TypedDict):
    """Knowledge in the graph of another tool: the fields of its kind in the import format.

    ``place`` names its node or relationship. ``data`` are other properties as pairs of name and value, and
    ``group`` is the part of the graph that it belongs to, if the tool has any.
    """

    kind: Literal["entity", "observation", "relation"]
    place: str
    fields: ForeignEntity | ForeignObservation | ForeignRelation
    data: list[Any]
    group: str | None


READ_MCP_NEO4J_MEMORY = load(
    "knowledge/read_mcp_neo4j_memory",
    ForeignKnowledgeRow,
    writes=False,
)


class ForeignThought(TypedDict):
    """A message or a step of another tool's."""

    id: Any
    content: Any
    created_at: Any
    session_id: Any
    author: Any
    origin: Any
    chain_id: Any


class ForeignRow(TypedDict):
    """The same for a graph that has thoughts, too."""

    kind: Literal["entity", "observation", "relation", "thought"]
    place: str
    fields: ForeignEntity | ForeignObservation | ForeignRelation | ForeignThought
    data: list[Any]
    group: str | None


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
    async for row in graph.stream(query, {"group": group} if "group" in query.names else {}):
        first = row["group"] if first is None else first
        if row["group"] != first:
            raise InvalidInput(
                f"The graph has several groups, among them {first!r} and {row['group']!r}.",
                hint="Name one with --group, and import each group into a namespace of its own.",
            )
        place = LineNumber(0, row["place"])
        data = {"data": json_value(dict(row["data"]))} if row["data"] else {}
        yield place, record(row["kind"], **row["fields"], **data)
