"""What a thought recalled, as it was stored."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple, TypedDict, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.model.graph import View
from legacymind.model.think import ScoreParts
from legacymind.services.shared import items
from legacymind.services.shared.items import NodeRow

_MARKS: Final = ("revised_by", "solved_by", "contradicted_by")
"""Shown as they were when it was recalled."""

Record = TypeVar("Record")


class EdgeRow(TypedDict):
    """A memory that a thought recalled, with the properties of the relationship."""

    id: str
    edge: dict[str, Any]


READ_RECALL = load("search/read_recall", EdgeRow, writes=False)


class RecalledMemory(NamedTuple):
    """A memory that a thought recalled: what is stored of that, and the node, if it may be read.

    ``edge`` has the properties of the relationship; pruning leaves only ``rank`` and ``score``, and no
    ``via``.
    """

    id: str
    rank: int
    score: float
    via: str | None
    edge: Mapping[str, Any]
    node: NodeRow | None

    @property
    def parts(self) -> ScoreParts | None:
        """The addends of the score; None unless all are stored."""
        parts = {each.name: self.edge.get(f"part_{each.name}") for each in fields(ScoreParts)}
        known = {name: round(part, 4) for name, part in parts.items() if part is not None}
        return ScoreParts(**known) if len(known) == len(parts) else None

    def record(self, kind: type[Record], node: NodeRow, length: int, **more: Any) -> Record:
        """The memory as a record, with the marks of then."""
        then = {mark: self.edge.get(mark) for mark in _MARKS}
        return items.record(kind, node, length, parts=self.parts, **then, **more)


async def memories(graph: Graph, view: View, thought: Mapping[str, Any], length: int) -> list[RecalledMemory]:
    """What a stored thought recalled, by rank: by its relationships, and by its lists, which outlive them."""
    asked = {"id": thought["id"], "namespace": view.namespace, "own_session": view.own_session}
    edges = await graph.run(READ_RECALL, asked)
    ids: list[str] = thought.get("injected_memories") or []
    scores: list[float] = thought.get("injected_scores") or []
    nodes = await items.rows(graph, view, sorted({*ids, *(row["id"] for row in edges)}), length=length)
    found: list[RecalledMemory] = []
    for row in edges:
        edge, node = row["edge"], nodes.get(row["id"])
        if node is not None:  # a relationship that was created by hand has no scores
            rank, score = edge.get("rank") or 0, edge.get("score") or 0.0
            found.append(RecalledMemory(node["properties"]["id"], rank, score, edge.get("via"), edge, node))
    kept = {row["edge"].get("merged_from") or row["id"] for row in edges if row["id"] in nodes}
    for rank, (id, score) in enumerate(zip(ids, scores, strict=False), 1):
        if id not in kept:
            node = nodes.get(id)
            shown = id if node is None else node["properties"]["id"]
            found.append(RecalledMemory(shown, rank, score, _without_relationship(thought, node), {}, node))
    first: dict[str, RecalledMemory] = {}  # of several sections of a thought
    for memory in sorted(found, key=lambda memory: (memory.rank, memory.id)):
        first.setdefault(memory.id, memory)
    return list(first.values())


def _without_relationship(thought: Mapping[str, Any], node: NodeRow | None) -> str | None:
    """How a memory was found that never had a relationship; None for a pruned one."""
    if node is None:
        return None
    return "fallback" if node["kind"] != "thought" and thought.get("pruned_at") is None else None
