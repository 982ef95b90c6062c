"""Thoughts that are stored already: whether a call repeats one, what it recalled, and the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.embed.base import EmbedderInfo
from legacymind.errors import Conflict
from legacymind.model.base import MAX_CONTENT, REDACTED, Item
from legacymind.model.graph import View
from legacymind.model.properties import members
from legacymind.model.stored import Thought as StoredThought
from legacymind.model.think import Memory, ThinkResult
from legacymind.services.shared import items
from legacymind.services.shared.items import NodeRow
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think import result
from legacymind.services.think.thought import Thought
from legacymind.text.excerpts import title

_MARKS: Final = ("revised_by", "solved_by", "contradicted_by")
"""Shown as they were when it was recalled."""

Record = TypeVar("Record")


FIND_KNOWN = load("think/find_known", tuple[dict[str, Any]], writes=False)
READ_RECALL = load("search/read_recall", tuple[str, dict[str, Any]], writes=False)


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

    def record(self, kind: type[Record], node: NodeRow, length: int, **more: Any) -> Record:
        """The memory as a record, with the marks of then."""
        then = {mark: self.edge.get(mark) for mark in _MARKS}
        return items.record(kind, node, length, parts=items.score_parts(self.edge), **then, **more)


async def memories(graph: Graph, view: View, thought: Mapping[str, Any], length: int) -> list[RecalledMemory]:
    """What a stored thought recalled, by rank: by its relationships, and by its lists, which outlive them."""
    asked = {"id": thought["id"], "namespace": view.namespace, "own_session": view.own_session}
    edges = await graph.run(READ_RECALL, asked)
    ids: list[str] = thought.get("injected_memories") or []
    scores: list[float] = thought.get("injected_scores") or []
    nodes = await items.rows(graph, view, sorted({*ids, *(id for id, _ in edges)}), length=length)
    found: list[RecalledMemory] = []
    for id, edge in edges:
        if (node := nodes.get(id)) is not None:  # a relationship that was created by hand has no scores
            rank, score = edge.get("rank") or 0, edge.get("score") or 0.0
            found.append(RecalledMemory(node["properties"]["id"], rank, score, edge.get("via"), edge, node))
    kept = {edge.get("merged_from") or id for id, edge in edges if id in nodes}
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


async def stored(
    graph: Graph, thoughts: Sequence[Thought], places: Mapping[str, str]
) -> dict[str, Mapping[str, Any]]:
    """The properties of thoughts that are already stored, by their ids.

    Raises Conflict when an id belongs to another thought; ``places`` are the lines of an import by ids.
    """
    by_id = {thought.id: thought for thought in thoughts}
    rows = await graph.run(FIND_KNOWN, {"ids": list(by_id)})
    known: dict[str, Mapping[str, Any]] = {properties["id"]: properties for (properties,) in rows}
    for thought_id, properties in known.items():
        _same(by_id[thought_id], properties, place=places.get(thought_id))
    return known


def _same(thought: Thought, stored: Mapping[str, Any], *, place: str | None = None) -> None:
    """Raise Conflict unless the stored thought with this id is the same thought, and may be read.

    Nobody can tell whether a redacted thought is the same. An import, which has ``place``, takes it for
    known: it would bring the text back otherwise.
    """
    expires = stored.get("expires_at")
    private = stored.get("is_private") is not False and stored.get("session_id") != thought.session_id
    if place is None and (private or (expires is not None and expires <= datetime.now(UTC))):
        raise _belongs_to_another()
    if stored.get("content") is None and place is None and stored["namespace"] == thought.namespace:
        raise Conflict(
            f"The thought of this id or idempotency key, {thought.id}, was redacted.",
            hint="Send a new key for a new thought.",
        )
    same = stored.get("content") in (thought.content, None)  # None: redacted.
    if not same or stored["namespace"] != thought.namespace:
        if place is not None:
            raise Conflict(
                f"{place} cannot be imported: its id, {thought.id}, belongs to another thought.",
                hint="Give the line an id of its own, or its original content and namespace.",
            )
        raise _belongs_to_another()


def _belongs_to_another() -> Conflict:
    # Without its id, since the thought may be private.
    return Conflict(
        "This id or idempotency key belongs to another thought.",
        hint="Send a new key for a new thought, or the original content to repeat the first call.",
    )


async def answer_again(
    graph: Graph,
    known: Mapping[str, Any],
    thought: Thought,
    claim: ClaimedSlot,
    embedding: EmbedderInfo,
    *,
    verbose: bool,
) -> ThinkResult:
    """The answer of a repeated call: the stored thought, and its memories as they were stored."""
    own = StoredThought(**members(StoredThought, known))
    view = View(own.namespace or "", thought.session_id or "")
    recalled = await memories(graph, view, known, MAX_CONTENT)
    there = [(one, one.node) for one in recalled if one.node]  # without deleted ones
    shown = [_memory(*each, rank, verbose=verbose) for rank, each in enumerate(there, 1)]
    return replace(
        result.stored_answer(own, shown, embedding, verbose=verbose),
        reason="an earlier call stored it",
        enriched_content=result.enriched(own, [_line(*each) for each in there]) if verbose else None,
        memory_summary=f"Recalled {len(shown)} when it was stored.",
        repeated=True,
        deferred=known["embedding_deferred"] in (True, f"embedding_{claim.slot}"),
    )


def _memory(memory: RecalledMemory, node: NodeRow, rank: int, *, verbose: bool) -> Memory:
    """A memory of a stored thought."""
    edge = memory.edge
    return result.sized(
        memory.record(
            Memory,
            node,
            MAX_CONTENT,
            score=memory.score,
            rank=rank,
            cosine=edge.get("cosine"),
            via=memory.via or "pruned",
            copies=edge.get("copies") or 1,
        ),
        verbose=verbose,
    )


def _line(memory: RecalledMemory, node: NodeRow) -> result.Line:
    item, properties = items.record(Item, node, MAX_CONTENT), node["properties"]
    text = item.text or REDACTED
    if item.kind == "thought":
        return result.Line(True, title(text))
    cosine = memory.edge.get("cosine") or memory.score
    return result.fact_line(cosine, text, properties.get("name"), properties.get("entity_type"))
