"""Deferred embedding: items stored while the embedder was down get their vectors once it answers."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.errors import EmbeddingError
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings
from legacymind.text import modes, passages


class DeferredRow(TypedDict):
    """A node that waits for its vector; see maintain/read_deferred."""

    kind: Literal["thought", "entity", "observation"]
    id: str
    content: str | None
    mode: str | None
    name: str | None
    entity_type: str | None


READ_DEFERRED = load("maintain/read_deferred", DeferredRow, writes=False)


EMBED_DEFERRED = load("maintain/embed_deferred", int, writes=True)


COUNT_DEFERRED = load("maintain/count_deferred", tuple[int, int], writes=False)


DEFERRED_FLAG: Final = {"embedding_deferred": True}
"""The property that marks a thought, an entity or an observation without its vector."""

RETRY_INTERVAL: Final = 60.0
"""Seconds between two searches of a process for deferred items, its own and those of other processes."""

_BATCH_SIZE: Final = 100
"""Deferred texts embedded in one call of the embedder; the rest waits for the next call."""

_TECHNICAL: Final = {mode for mode, defaults in modes.DEFAULTS.items() if defaults.technical}


class DeferredEmbedding:
    """Decides whether items are stored without vectors, and embeds them later.

    A process searches for deferred items after its first successful embedding of new items, after the first
    success that follows a failure, and otherwise at most once in ``RETRY_INTERVAL`` seconds.
    """

    def __init__(self, graph: Graph, vectors: Vectors, settings: Settings) -> None:
        self._graph = graph
        self._vectors = vectors
        self._when_down = settings.on_embedder_down
        self._due = True
        self._looked = 0.0

    async def embed(self, texts: Sequence[str], *, bulk: bool = False) -> list[list[float]] | None:
        """Vectors of new items, or None when they must be stored without and carry ``DEFERRED_FLAG``.

        When the embedder answers, deferred items are embedded as well. Raises EmbeddingError when the
        embedder fails and deferring is off.
        """
        try:
            vectors = await self._vectors.embed(texts, bulk=bulk)
        except EmbeddingError as down:
            if not self._accepts(down):
                raise
            return None
        await self.catch_up()
        return vectors

    def _accepts(self, down: EmbeddingError) -> bool:
        """Whether items are stored although they cannot be embedded.

        Never after EmbeddingMismatch: a database with another model's vectors is no outage.
        """
        self._due = True
        return self._when_down == "defer" and type(down) is EmbeddingError

    async def catch_up(self, *, everything: bool = False) -> None:
        """Embed deferred items when a search for them is due, at most ``_BATCH_SIZE``.

        ``everything`` searches now, and until none is left or the embedder fails.
        """
        now = time.monotonic()
        if not (everything or self._due) and now - self._looked < RETRY_INTERVAL:
            return
        self._due, self._looked = False, now
        while await self._embed_batch() and everything:
            pass

    async def _embed_batch(self) -> bool:
        """Embed the next deferred items, and return whether there may be more."""
        slot = await self._vectors.slot()
        waiting = await self._graph.run(READ_DEFERRED.for_slot(slot), {"limit": _BATCH_SIZE})
        if not waiting:
            return False
        try:
            vectors = await self._vectors.embed([text_of(row) for row in waiting])
        except EmbeddingError:  # One of these texts may be the cause: do not retry with every thought.
            return False
        claim = await self._vectors.claim()
        if claim.slot != slot:  # switched a moment ago
            return True
        (embedded,) = await self._graph.run(
            EMBED_DEFERRED.for_slot(slot),
            {
                "fingerprint": claim.fingerprint,
                "now": datetime.now(UTC),
                "rows": with_vectors(waiting, vectors),
            },
        )
        self._due |= len(waiting) == _BATCH_SIZE
        return self._due and embedded > 0


def with_vectors(waiting: Sequence[DeferredRow], vectors: Sequence[list[float]]) -> list[dict[str, Any]]:
    """The rows that store these vectors."""
    return [
        {"kind": row["kind"], "id": row["id"], "content": row["content"] or "", "vector": vector}
        for row, vector in zip(waiting, vectors, strict=True)
    ]


def text_of(row: DeferredRow) -> str:
    """The text that the embedder would have received when the item was stored."""
    content = row["content"] or ""
    match row["kind"]:
        case "thought":
            return passages.for_embedding(content, technical=row["mode"] in _TECHNICAL)
        case "entity":
            return passages.of_entity(row["name"] or "", row["entity_type"] or "", content)
        case "observation":
            return passages.of_fact(row["name"] or "", content)
