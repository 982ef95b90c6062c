"""Fills and clears the embedding slot beside the active one, in batches that can be interrupted at any time.

The state is in the graph only: a node without a vector in the slot has the slot's name in
``embedding_deferred``, which has an index. Once the slot is in use, writers set it on the nodes that they
store; one pass over all nodes sets it on the others.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, TypedDict

from legacymind.calls import in_background
from legacymind.db.graph import Transaction
from legacymind.db.query import NoRow, Query, load
from legacymind.db.schema import DROP_VECTOR_INDEXES
from legacymind.db.stored import Property, Slot
from legacymind.errors import DatabaseError, EmbeddingError
from legacymind.model.progress import Progress, no_progress
from legacymind.observe import Step, observed
from legacymind.services.maintain.size import MEASURE_GRAPH
from legacymind.services.shared.deferred import (
    COUNT_DEFERRED,
    EMBED_DEFERRED,
    READ_DEFERRED,
    DeferredRow,
    text_of,
    with_vectors,
)
from legacymind.services.shared.service import OtherServices, Service, ServiceContext


class BegunRow(TypedDict):
    """The result of beginning, and the models of both slots; ``marked``: all nodes are marked."""

    verdict: Literal["started", "continued", "active", "empty", "taken", "dropping"]
    active_slot: str
    active: str | None
    other: str | None
    marked: bool


BEGIN_REEMBED = load("maintain/begin_reembed", BegunRow, writes=True)

READ_TRANSACTIONS = load("maintain/read_transactions", str, writes=False)

Seen = tuple[int, str | None, int]
"""The number of nodes on a page, the id of the last one, and how many of them were marked."""

MARK_MISSING = load("maintain/mark_missing", Seen, writes=True)
DEFER_NODES = load("maintain/defer_nodes", Seen, writes=True)
RECORD_FILLING = load("maintain/record_filling", NoRow, writes=True)
CLEAR_SLOT = load("maintain/clear_slot", Seen, writes=True)
FORGET_SLOT = load("maintain/forget_slot", NoRow, writes=True)

_KINDS: Final = ("thought", "entity", "observation")

_BATCH: Final = 64
"""Texts embedded in one call and stored in one transaction."""

_PAGE: Final = 500
"""Nodes that one transaction marks or clears. Few, so that it holds their locks only briefly."""

_UNCHANGED: Final = 5
"""Consecutive batches of which nothing is stored before the slot counts as dropped."""


@dataclass(slots=True, kw_only=True)
class Filled:
    """The number of embedded texts, and the ids of the texts that the embedder rejects."""

    embedded: int = 0
    refused: set[str] = field(default_factory=set[str])


class SlotFilling(Service):
    """Fills a slot with vectors of the configured model, or removes the vectors of a slot."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._patience = context.settings.query_timeout

    async def begin(self) -> BegunRow:
        """Assign the configured model to the other slot, unless it has the model, and create its indexes."""
        info = await asyncio.to_thread(lambda: self._vectors.embedder.info)
        (begun,) = await self._graph.run(
            BEGIN_REEMBED,
            {
                "fingerprint": info.fingerprint,
                "details": {
                    f"embedding_{slot}": self._described(slot, info.fingerprint) for slot in ("a", "b")
                },
            },
        )
        if begun["verdict"] in ("started", "continued"):
            await self._graph.create_vector_indexes(_beside(begun), info.dimensions)
        return begun

    async def fill(self, begun: BegunRow, progress: Progress) -> Filled:
        """Embed every text without a vector in the slot.

        Can be cancelled at any time; another call continues. Raises EmbeddingError when the embedder fails,
        and DatabaseError. Vectors stored before the error remain.
        """
        slot, filled = _beside(begun), Filled()
        with in_background():
            if not begun["marked"]:
                await self._older_transactions(progress)
                await self._mark(slot, progress)
                await self._graph.run(RECORD_FILLING.for_slot(slot), {"filled": False})
            await self._drain(slot, filled, progress)
            await self._graph.run(RECORD_FILLING.for_slot(slot), {"filled": True})
        return filled

    async def defer(self, slot: Slot) -> int:
        """Mark what has no vector of the active slot's model as waiting for one, and count those."""
        with in_background():
            return await self._over_pages(DEFER_NODES.for_slot(slot), "Looking for texts", no_progress)

    async def clear(self, slot: Slot, progress: Progress) -> None:
        """Remove the indexes and vectors of a released slot. After a cancellation, another call continues."""
        with in_background():
            await self._older_transactions(progress)
            for statement in DROP_VECTOR_INDEXES:
                await self._graph.run(statement.for_slot(slot), {})
            await self._over_pages(CLEAR_SLOT.for_slot(slot), "Removing vectors", progress)
            await self._graph.run(FORGET_SLOT.for_slot(slot), {})

    def _described(self, slot: Slot, fingerprint: str) -> dict[str, Property]:
        return {**self._vectors.description(slot), f"embedding_{slot}_fingerprint": fingerprint}

    async def _older_transactions(self, progress: Progress) -> None:
        """Wait for the end of transactions that began before the slot's use changed.

        Such a transaction does not mark nodes for a slot that came into use, and still writes to a slot that
        is no longer used. The wait lasts at most as long as a statement may: longer transactions only read.
        """
        until = time.monotonic() + self._patience
        older: set[str] | None = None
        while older is None or (older and time.monotonic() < until):
            running = await self._graph.transaction(_running)
            older = running if older is None else older & running
            if older:
                progress("Waiting for earlier writes", 0, 1)
                await asyncio.sleep(0.05)
        progress("Waiting for earlier writes", 1, 1)

    async def _mark(self, slot: Slot, progress: Progress) -> int:
        """Mark the nodes without a vector in the slot, and return how many were marked."""
        return await self._over_pages(MARK_MISSING.for_slot(slot), "Looking for texts to embed", progress)

    async def _over_pages(self, statement: Query[Seen], stage: str, progress: Progress) -> int:
        (size,) = await self._graph.run(MEASURE_GRAPH, {})
        total = size.thoughts + size.entities + size.observations
        done = marked = 0
        for kind in _KINDS:
            after: str | None = ""
            while after is not None:
                rows = await self._graph.run(statement, {"kind": kind, "after": after, "take": _PAGE})
                after = None
                for seen, last, changed in rows:
                    after = last if seen == _PAGE else None
                    done += seen
                    marked += changed
                progress(stage, min(done, total), max(total, 1))
        progress(stage, max(total, 1), max(total, 1))
        return marked

    async def _drain(self, slot: Slot, filled: Filled, progress: Progress) -> None:
        """Embed the marked texts, except those that the embedder rejects."""
        ((_, total),) = await self._graph.run(COUNT_DEFERRED, {})
        first, unchanged = filled.embedded, 0
        while waiting := await self._next(slot, filled.refused):
            embedded = await self._embedded(waiting, filled.refused)
            stored = await self._store(slot, embedded) if embedded else 0
            filled.embedded += stored
            unchanged = 0 if stored or not embedded else unchanged + 1
            if unchanged == _UNCHANGED:
                raise DatabaseError(
                    "The slot of the new vectors is not in use any more.",
                    hint="Another process has dropped it. Begin again.",
                )
            done = filled.embedded - first
            total = max(total, done + 1)  # others store while this runs
            progress("Embedding", done, total)
        progress("Embedding", max(total, 1), max(total, 1))

    async def _next(self, slot: Slot, refused: set[str]) -> list[DeferredRow]:
        waiting = await self._graph.run(READ_DEFERRED.for_slot(slot), {"limit": _BATCH + len(refused)})
        return [row for row in waiting if row["id"] not in refused]

    async def _embedded(
        self, waiting: Sequence[DeferredRow], refused: set[str]
    ) -> list[tuple[DeferredRow, list[float]]]:
        """Embed texts together, or one by one if that fails. Raises EmbeddingError if every text fails."""
        try:
            return list(zip(waiting, await self._vectors_of(waiting), strict=True))
        except EmbeddingError as together:
            embedded: list[tuple[DeferredRow, list[float]]] = []
            failed: list[DeferredRow] = []
            for row in waiting:
                try:
                    embedded += zip([row], await self._vectors_of([row]), strict=True)
                except EmbeddingError:
                    failed.append(row)
                    if len(failed) >= 3 and not embedded:
                        raise together from None
            if not embedded and len(waiting) > 1:
                raise
            refused |= {row["id"] for row in failed}
            return embedded

    async def _vectors_of(self, rows: Sequence[DeferredRow]) -> list[list[float]]:
        with observed(Step("embed", "passages")):
            return await self._vectors.embedder.embed([text_of(row) for row in rows])

    async def _store(self, slot: Slot, embedded: Sequence[tuple[DeferredRow, list[float]]]) -> int:
        rows, vectors = [row for row, _ in embedded], [vector for _, vector in embedded]
        (done,) = await self._graph.run(
            EMBED_DEFERRED.for_slot(slot),
            {
                "fingerprint": self._vectors.embedder.info.fingerprint,
                "now": datetime.now(UTC),
                "rows": with_vectors(rows, vectors),
            },
        )
        return done


def _beside(begun: BegunRow) -> Slot:
    return "a" if begun["active_slot"] == "embedding_b" else "b"


async def _running(tx: Transaction) -> set[str]:
    """The transactions that run on the server that writes."""
    return set(await tx.run(READ_TRANSACTIONS, {}))
