"""Texts to vectors that this database may hold: the embedder, and its claim on the active slot."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from legacymind.db.graph import Graph
from legacymind.db.queries import Slot
from legacymind.embed.base import Embedder, Thresholds


@dataclass(frozen=True, slots=True)
class Claim:
    """The slot that holds this embedder's vectors."""

    slot: Slot
    fingerprint: str


class Vectors:
    """The one way from a text to a vector; claims the slot at the first use, once per process."""

    def __init__(self, graph: Graph, embedder: Embedder) -> None:
        self._graph = graph
        self._embedder = embedder
        self._claim: Claim | None = None
        self._lock = asyncio.Lock()

    @property
    def embedder(self) -> Embedder:
        """The configured embedder."""
        return self._embedder

    @property
    def thresholds(self) -> Thresholds:
        """Those that the database keeps for this model (see calibrating.py), else the model's own.

        What the database keeps is read when it is connected to; ``ready`` first.
        """
        kept = self._kept
        return self._embedder.thresholds if kept is None else Thresholds.of(kept)

    @property
    def calibrated(self) -> bool:
        """Whether ``thresholds`` are those that the database keeps."""
        return self._kept is not None

    @property
    def _kept(self) -> list[float] | None:
        server = self._graph.server
        database = server.database if server else {}
        slot = database.get("active_slot")
        mine = database.get(f"{slot}_thresholds_of") == self._embedder.info.fingerprint
        return database.get(f"{slot}_thresholds") if mine else None

    async def ready(self) -> None:
        """Connect, so that ``thresholds`` are known; claims no slot and costs nothing once connected."""
        await self._graph.ready()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One normalised vector for each text; raises EmbeddingError or ConfigurationError.

        ``query``: the texts are questions put to memory. What is stored is a passage, and a thought recalls
        by the very vector that it is stored with: one embedding for each thought, one statement, and every
        thought measured alike. Models that see questions differently lose a little by that.

        When the database is known to hold another model's vectors nothing is embedded, so that no text
        leaves this machine in vain: that raises EmbeddingMismatch.
        """
        if not texts:
            return []
        await self.check()
        return await self._embedder.embed(texts, query=query)

    async def check(self) -> None:
        """Raise EmbeddingMismatch when the database holds another model's vectors; takes nothing."""
        # The slot is only claimed once vectors are there: a model that cannot be used must not take it.
        if self._claim is None:
            database = (await self._graph.ready()).database
            held = database.get(f"{database.get('active_slot', 'embedding_a')}_fingerprint")
            if held is None:
                return
            # In a thread: to know its dimensions, an embedder may have to import its library.
            info = await asyncio.to_thread(lambda: self._embedder.info)
            if held != info.fingerprint:
                await self.claim()  # asks anew: what was true when we connected may have changed

    def any(self) -> list[float]:
        """A vector for a search of which only the filter matters."""
        return [1.0] + [0.0] * (self._embedder.info.dimensions - 1)

    async def claim(self) -> Claim:
        """The slot to read and write; raises EmbeddingMismatch when it holds another model's vectors."""
        if self._claim is None:
            async with self._lock:
                if self._claim is None:
                    info = self._embedder.info
                    details = {
                        "provider": info.provider,
                        "model": info.model,
                        "version": info.version,
                        "dim": info.dimensions,
                        "tokenizer": info.tokenizer,
                        "norm": info.normalized,
                    }
                    slot = await self._graph.claim_slot(info.fingerprint, details, info.dimensions)
                    self._claim = Claim(slot, info.fingerprint)
        return self._claim

    def forget_claim(self) -> None:
        """Ask the database again at the next use: its active slot has changed."""
        self._claim = None

    def details(self, slot: Slot, now: datetime) -> dict[str, Any]:
        """What is kept with each vector, as properties of its node."""
        info = self._embedder.info
        return {
            f"embedding_{slot}_provider": info.provider,
            f"embedding_{slot}_model": info.model,
            f"embedding_{slot}_version": info.version,
            f"embedding_{slot}_dim": info.dimensions,
            f"embedding_{slot}_tokenizer": info.tokenizer,
            f"embedding_{slot}_norm": info.normalized,
            f"embedding_{slot}_at": now,
        }
