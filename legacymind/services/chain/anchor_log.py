"""The log of a namespace's anchors: append-only, so that a witness can follow it by its checkpoints."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final, TypedDict, cast
from uuid import uuid4

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.errors import ChainBroken, InvalidInput
from legacymind.services.chain.checkpoint import Checkpoint
from legacymind.services.chain.merkle import MerkleTree, leaf_hash
from legacymind.text.numbers import counted


class LogRow(TypedDict):
    """The id of a log, and its size after an entry was appended; without ``sound``, or if it is shorter than
    was asked for, none was.
    """

    id: str
    size: int
    sound: bool


APPEND_ANCHOR = load("chain/append_anchor", LogRow, writes=True)


class LeavesRow(TypedDict):
    """A part of an anchor's leaves; parts of one copy have the same id. Anybody may have changed them."""

    id: str
    leaves: list[str]


READ_LEAVES = load("chain/read_leaves", LeavesRow, writes=False)


_ROOT: Final = "log"
"""Where an anchor has its root, the log has this; its leaves are the lines of anchors. One that was set aside
has its id after it.
"""


async def append(
    graph: Graph, namespace: str, line: str, now: datetime, *, old_size: int = 0, anew: bool = False
) -> tuple[Checkpoint, MerkleTree]:
    """Append the line of an anchor, and return the checkpoint of the log up to it, with its tree.

    ``anew`` begins another log. Raises ChainBroken if the log is damaged or lost, and InvalidInput if it
    never had ``old_size`` entries: a witness would refuse what follows.
    """
    own = {"namespace": namespace, "id": str(uuid4()), "created_at": now, "line": line}
    (entry,) = await graph.run(APPEND_ANCHOR, {**own, "least": old_size, "anew": anew})
    size = entry["size"]
    if entry["sound"] and size < old_size:
        raise InvalidInput(
            f"The log of anchors would have {counted(size, 'entry')}, and never had {old_size}.",
            effect="Nothing was anchored.",
            hint="Check the size. If a witness has it, entries of the log were deleted.",
        )
    if entry["sound"]:
        async for lines in stored_leaves(graph, _ROOT, namespace):
            if lines[size - 1 : size] == [line]:
                tree = tree_of(lines[:size])
                return Checkpoint.of(entry["id"], namespace, tree.size, tree.root), tree
    raise ChainBroken(
        f"The log of anchors of the namespace {namespace} was changed, or is lost.",
        effect="Nothing was anchored. A witness would refuse what follows.",
        hint="Restore its Anchor nodes from a backup or an export, or begin another log with `legacymind "
        "anchor --new-log`, which a witness has to be told of.",
    )


async def logged(graph: Graph, checkpoint: Checkpoint, kept: Sequence[str]) -> Sequence[str] | None:
    """The lines up to a checkpoint, from those that were kept or from the database; None if they are lost."""
    if _is_of(kept, checkpoint):
        return kept[: checkpoint.size]
    aside = f"{_ROOT} {checkpoint.log_id}"
    async for lines in stored_leaves(graph, _ROOT, checkpoint.namespace, aside):
        if _is_of(lines, checkpoint):
            return lines[: checkpoint.size]
    return None


async def stored_leaves(graph: Graph, root: str, namespace: str, *more: str) -> AsyncIterator[list[str]]:
    """Every stored copy of the leaves of a root, or of one of ``more``. Tampering may leave any value in any
    property.
    """
    current: Any = None
    texts: list[str] = []
    async for row in graph.stream(READ_LEAVES, {"namespace": namespace, "roots": [root, *more]}):
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
