"""What was stored while the embedder was down gets its vectors as soon as it answers."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.rows.maintain import DeferredRow
from legacymind.db.stored import EmbeddingDetails
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings
from legacymind.text import modes, passages

WAITING: Final[EmbeddingDetails] = {"embedding_deferred": True}
"""What marks a thought, an entity or an observation without the vector that it should have."""

LOOK: Final = 60.0
"""Seconds after which a process looks for what others, or failures of its own, have left waiting."""

_AT_ONCE: Final = 100
"""Texts that one call of the embedder catches up with; what is left waits for the next."""

_TECHNICAL: Final = {mode for mode, defaults in modes.DEFAULTS.items() if defaults.technical}


class Deferring:
    """Whether something is stored without the embedder, and what becomes of it afterwards.

    It looks for what waits after the first embedding of a process that is to be stored, after one that
    follows a failure, and else once in ``LOOK`` seconds at most.
    """

    def __init__(self, graph: Graph, vectors: Vectors, settings: Settings) -> None:
        self._graph = graph
        self._vectors = vectors
        self._when_down = settings.on_embedder_down
        self._due = True
        self._looked = 0.0

    async def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        """Vectors of what is to be stored; None when it is to be stored without and marked as ``WAITING``.

        When the embedder answers, what waits is embedded as well. Raises EmbeddingError or
        ConfigurationError.
        """
        try:
            vectors = await self._vectors.embed(texts)
        except EmbeddingError as down:
            if not self._accepts(down):
                raise
            return None
        await self._catch_up()
        return vectors

    def _accepts(self, down: EmbeddingError) -> bool:
        """Whether what cannot be embedded is stored all the same; raises ConfigurationError.

        Another model's vectors are no reason to store without one.
        """
        if self._when_down not in ("error", "defer"):
            raise ConfigurationError(
                f"LEGACYMIND_ON_EMBEDDER_DOWN cannot be {self._when_down[:80]!r}.",
                hint="Set it to error or defer.",
            )
        self._due = True
        return self._when_down == "defer" and type(down) is EmbeddingError

    async def _catch_up(self) -> None:
        """Embed what waits, now that the embedder answers, when a look is due."""
        now = time.monotonic()
        if not self._due and now - self._looked < LOOK:
            return
        self._due, self._looked = False, now
        waiting = await self._graph.run(queries.read_deferred, {"limit": _AT_ONCE})
        if not waiting:
            return
        try:
            vectors = await self._vectors.embed([_text(row) for row in waiting])
        except EmbeddingError:  # perhaps one of these texts is to blame: not again with every thought
            return
        claim = await self._vectors.claim()
        await self._graph.run(
            queries.embed_deferred.for_slot(claim.slot),
            {
                "fingerprint": claim.fingerprint,
                "details": self._vectors.details(claim.slot, datetime.now(UTC)),
                "rows": [
                    {"kind": row["kind"], "id": row["id"], "content": row["content"] or "", "vector": vector}
                    for row, vector in zip(waiting, vectors, strict=True)
                ],
            },
        )
        self._due |= len(waiting) == _AT_ONCE


def _text(row: DeferredRow) -> str:
    """What the embedder would have been given."""
    content = row["content"] or ""
    match row["kind"]:
        case "thought":
            return passages.for_embedding(content, technical=row["mode"] in _TECHNICAL)
        case "entity":
            return passages.of_entity(row["name"] or "", row["entity_type"] or "", content)
        case "observation":
            return passages.of_fact(row["name"] or "", content)
