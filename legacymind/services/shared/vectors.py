"""The embedder and its claim on the active slot: one path from a text to a vector that may be stored."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Never, cast

from legacymind.db.errors import is_index_missing
from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, Query, Row
from legacymind.db.stored import Property, Slot, active_slot
from legacymind.embed.base import Embedder, Thresholds
from legacymind.embed.cache import CachedEmbedder
from legacymind.errors import DatabaseError, EmbeddingMismatch
from legacymind.observe import Step, observed


@dataclass(frozen=True, slots=True)
class ClaimedSlot:
    """The slot that holds this embedder's vectors."""

    slot: Slot
    fingerprint: str


class Vectors:
    """Embeds texts. Claims the active slot for this model at first use, once per process."""

    def __init__(self, graph: Graph, embedder: Embedder) -> None:
        self._graph = graph
        self._embedder = embedder
        self._claim: ClaimedSlot | None = None
        self._lock = asyncio.Lock()

    @property
    def embedder(self) -> Embedder:
        """The configured embedder."""
        return self._embedder

    @property
    def thresholds(self) -> Thresholds:
        """The calibrated thresholds stored in the database for this model, else the model's own.

        They are read on connecting: call ``ready`` first. See maintain/calibration.py.
        """
        server = self._graph.server
        database = server.database if server else {}
        slot = active_slot(database)
        mine = database.get(f"embedding_{slot}_thresholds_of") == self._embedder.info.fingerprint
        stored = cast("list[float] | None", database.get(f"embedding_{slot}_thresholds")) if mine else None
        return self._embedder.thresholds if stored is None else Thresholds.of(stored)

    async def ready(self) -> None:
        """Connect, so that ``thresholds`` are available. Claims no slot; free once connected."""
        await self._graph.ready()

    async def embed(
        self, texts: Sequence[str], *, query: bool = False, bulk: bool = False
    ) -> list[list[float]]:
        """One normalised vector for each text; raises EmbeddingError or ConfigurationError.

        ``query`` marks search queries, which some models embed differently from passages. Stored texts are
        passages. A thought recalls with the vector it is stored with: one embedding for each
        thought, and all thoughts compared alike. Models with a separate query embedding lose a little by
        that. ``bulk`` texts take no place of the gate, because they would keep it for minutes.

        Raises EmbeddingMismatch before embedding when the database holds another model's vectors, so that no
        text leaves the machine in vain.
        """
        if not texts:
            return []
        await self.check()
        self._graph.check_usable()
        gate = self._graph.gate
        if bulk:
            return await self._embed(texts, query=query)
        if self._embedder.info.sends_texts:
            # The call is refused before its text is sent in vain.
            gate.check()
            return await self._embed(texts, query=query)
        async with gate.place():
            return await self._embed(texts, query=query)

    async def _embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        with observed(Step("embed", "query" if query else "passages")):
            return await self._embedder.embed(texts, query=query)

    async def check(self) -> bool:
        """Whether the database holds this model's vectors; False if it holds none. Claims no slot.

        Raises EmbeddingMismatch when it holds another model's.
        """
        # The slot is claimed only once there are vectors: a model that cannot be used must not claim it.
        if self._claim is None:
            database = (await self._graph.ready()).database
            held = database.get(f"embedding_{active_slot(database)}_fingerprint")
            if held is None:
                return False
            # In a thread: an embedder may have to import its library to report its dimensions.
            info = await asyncio.to_thread(lambda: self._embedder.info)
            if held != info.fingerprint:
                await self.claim()  # Reads the slot again: it may have changed since connecting.
        return True

    def forget_all(self) -> None:
        """Empty this process's cache."""
        if isinstance(self._embedder, CachedEmbedder):
            self._embedder.forget_all()

    def placeholder(self) -> list[float]:
        """A vector for an index query in which only the filter matters."""
        return [1.0] + [0.0] * (self._embedder.info.dimensions - 1)

    async def claim(self) -> ClaimedSlot:
        """Claim the active slot; raises EmbeddingMismatch when it holds another model's vectors."""
        if self._claim is None:
            async with self._lock:
                if self._claim is None:
                    info = self._embedder.info
                    slot = await self._graph.claim_slot(info.fingerprint, self.description, info.dimensions)
                    self._claim = ClaimedSlot(slot, info.fingerprint)
        return self._claim

    async def slot(self) -> Slot:
        """The active slot as far as this process knows, without claiming it."""
        return self._claim.slot if self._claim else active_slot((await self._graph.ready()).database)

    async def run(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement over the active slot's vectors, whose last column is whether they still are.

        Raises EmbeddingMismatch if the database has switched to another model.
        """
        claim = await self.claim()
        try:
            rows = await self._graph.run(query.for_slot(claim.slot), parameters)
        except DatabaseError as raised:
            if not is_index_missing(raised):
                raise
            await self.switched()
        if any(not cast("tuple[Any, ...]", row)[-1] for row in rows):
            await self.switched()
        return rows

    async def switched(self) -> Never:
        """Drop the claim after a statement has found its slot inactive; the next use claims again.

        Raises EmbeddingMismatch.
        """
        await self.renew()
        await self.claim()
        raise EmbeddingMismatch(
            "The database has switched to another embedding model.",
            hint="Retry. If the error persists, configure the model whose vectors the database holds.",
        )

    async def renew(self) -> None:
        """Forget the claim, and read again which model the database has; the next use claims again."""
        self._claim = None
        await self._graph.reread()

    def description(self, slot: Slot) -> dict[str, Property]:
        """The properties of the database's node that describe the slot's model."""
        info = self._embedder.info
        described = {
            "provider": info.provider,
            "model": info.model,
            "version": info.version,
            "dim": info.dimensions,
            "tokenizer": info.tokenizer,
            "norm": info.normalized,
        }
        return {f"embedding_{slot}_{name}": item for name, item in described.items()}
