"""Texts to vectors that this database may hold: the embedder, and its claim on the active slot."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from legacymind.embed.base import Embedder
from legacymind.graph import Graph
from legacymind.queries import Slot


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

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One normalised vector for each text; raises EmbeddingError."""
        return await self._embedder.embed(texts) if texts else []

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
