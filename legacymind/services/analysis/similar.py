"""Similar thoughts: nearest neighbours as relationships."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from legacymind.db.query import load
from legacymind.model.progress import Progress
from legacymind.services.analysis.projections import Projection, projected
from legacymind.services.shared.service import Service

PROJECT_THOUGHTS = load("analysis/project_thoughts", tuple[Projection], writes=False, long_running=True)

SimilarPair = tuple[str, str, float]
"""The ids of two similar thoughts, the newer first, and their cosine."""

COMPARE_THOUGHTS = load("analysis/compare_thoughts", list[SimilarPair], writes=False, long_running=True)

STORE_NEIGHBOURS = load("analysis/store_neighbours", int, writes=True)
DROP_NEIGHBOURS = load("analysis/drop_neighbours", int, writes=True)

_MOST: Final = 30_000
"""Most thoughts that are compared, the newest ones: their vectors take 90 MB of the server's memory."""

_BATCH: Final = 500
"""Pairs that one transaction stores, so that it holds its locks only briefly."""


class Similarities(Service):
    """Compares the thoughts of a namespace by their vectors."""

    async def find(self, namespace: str, k: int, least: float | None) -> tuple[int, list[SimilarPair]]:
        """The number of compared thoughts, and their pairs with a cosine of at least ``least``.

        Default: the threshold of thoughts at injection scale 3. Each thought has at most ``k`` pairs, out of
        its ``2 k`` nearest, since some of them have their ``k`` already.
        """
        await self._vectors.renew()  # another process may have switched to another model
        slot = (await self._vectors.claim()).slot
        if least is None:
            await self._vectors.ready()
            least = self._vectors.thresholds.thoughts[2]
        dimensions = self._vectors.embedder.info.dimensions
        async with projected(
            self._graph,
            PROJECT_THOUGHTS.for_slot(slot),
            {"namespace": namespace, "most": _MOST, "dimensions": dimensions},
        ) as projection:
            if projection is None:
                return 0, []
            pairs = await projection.run(COMPARE_THOUGHTS, k=2 * k, least=least)
        return projection.nodes, capped(pairs, k)

    async def store(
        self, namespace: str, pairs: Sequence[SimilarPair], progress: Progress
    ) -> tuple[int, int]:
        """Replace the similarities of earlier analyses; return how many are stored now, and how many went."""
        now, stored, dropped = datetime.now(UTC), 0, 0
        for start in range(0, len(pairs), _BATCH):
            batch = [*pairs[start : start + _BATCH]]
            (written,) = await self._graph.run(
                STORE_NEIGHBOURS, {"namespace": namespace, "now": now, "rows": batch}
            )
            stored += written
            progress("Storing neighbours", start + len(batch), len(pairs))
        while True:
            (gone,) = await self._graph.run(
                DROP_NEIGHBOURS, {"namespace": namespace, "now": now, "take": _BATCH}
            )
            dropped += gone
            if gone < _BATCH:
                return stored, dropped


def capped(pairs: Sequence[SimilarPair], k: int) -> list[SimilarPair]:
    """Each pair once, the most similar first, with at most ``k`` pairs of a thought.

    A thought may be among the nearest of any number of others; without the cap it would become a hub.
    """
    taken = Counter[str]()
    kept: list[SimilarPair] = []
    once = {(newer, older): cosine for newer, older, cosine in pairs}
    for (newer, older), cosine in sorted(once.items(), key=lambda pair: (-pair[1], pair[0])):
        if taken[newer] < k and taken[older] < k:
            taken.update((newer, older))
            kept.append((newer, older, cosine))
    return kept
