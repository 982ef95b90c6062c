"""The log of a namespace's anchors: append-only, so that a witness can follow it by its checkpoints."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final, cast
from uuid import uuid4

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.services.chain.checkpoint import Checkpoint
from legacymind.services.chain.merkle import MerkleTree, leaf_hash

_ROOT: Final = "log"
"""Where an anchor has its root, the log has this; its leaves are the lines of anchors."""


async def append(graph: Graph, namespace: str, line: str, now: datetime) -> tuple[Checkpoint, MerkleTree]:
    """Append the line of an anchor, and return the checkpoint of the log up to it, with its tree."""
    (entry,) = await graph.run(
        queries.append_anchor,
        {"namespace": namespace, "id": str(uuid4()), "created_at": now, "line": line},
    )
    async for lines in stored_leaves(graph, _ROOT, namespace):
        if lines[entry["size"] - 1 : entry["size"]] == [line]:
            tree = tree_of(lines[: entry["size"]])
            return Checkpoint.of(entry["id"], namespace, tree.size, tree.root), tree
    raise LookupError("the entry that was just stored is gone")


async def logged(graph: Graph, checkpoint: Checkpoint, kept: Sequence[str]) -> Sequence[str] | None:
    """The lines up to a checkpoint, from those that were kept or from the database; None if they are lost."""
    if _is_of(kept, checkpoint):
        return kept[: checkpoint.size]
    async for lines in stored_leaves(graph, _ROOT, checkpoint.namespace):
        if _is_of(lines, checkpoint):
            return lines[: checkpoint.size]
    return None


async def stored_leaves(graph: Graph, root: str, namespace: str) -> AsyncIterator[list[str]]:
    """Every stored copy of the leaves of a root. Tampering may leave any value in any property."""
    current: Any = None
    texts: list[str] = []
    async for row in graph.stream(queries.read_leaves, {"namespace": namespace, "root": root}):
        if texts and row["id"] != current:
            yield texts
            texts = []
        current = row["id"]
        stored = cast("object", row["leaves"])
        texts += [str(text) for text in cast("list[Any]", stored)] if isinstance(stored, list) else []
    if texts:
        yield texts


def tree_of(lines: Sequence[str]) -> MerkleTree:
    """The tree of a log with these lines."""
    return MerkleTree(leaf_hash(line.encode()) for line in lines)


def _is_of(lines: Sequence[str], checkpoint: Checkpoint) -> bool:
    return len(lines) >= checkpoint.size and tree_of(lines[: checkpoint.size]).root == checkpoint.root
