"""Comparing two models by what the vectors find that a database has of both, before or after a switch."""

import uuid
from datetime import UTC, datetime
from typing import Any, Final

from legacymind.db.query import load
from legacymind.db.stored import Slot, other_slot
from legacymind.model.progress import Progress
from legacymind.model.reembed import ModelComparison
from legacymind.services.analysis.similarities import Sampled
from legacymind.services.shared.service import Service

FIND_NEAREST = load("maintain/find_nearest", tuple[str, list[str]], writes=False)

SampleRow = tuple[list[Sampled], bool]
"""A sample of what recall can find, and whether the slot is the one in use."""

SAMPLE_THOUGHTS = load("maintain/sample_thoughts", SampleRow, writes=False)
SAMPLE_KNOWLEDGE = load("maintain/sample_knowledge", SampleRow, writes=False)

_DRAWS: Final = 2
"""Random ids drawn for each node in the sample, since two may lead to one node."""

_BATCH: Final = 50
"""Nodes that one statement searches with."""


class SlotComparison(Service):
    """Compares what the vectors of the two slots find."""

    async def compare(self, active: Slot, k: int, sample: int, progress: Progress) -> ModelComparison:
        """The mean share of the ``k`` nearest nodes of stored texts that both slots find. Stores nothing."""
        ids = await self._sample(active, sample)
        found: list[dict[str, set[str]]] = []
        for slot in (active, other_slot(active)):
            nearest: dict[str, set[str]] = {}
            for start in range(0, len(ids), _BATCH):
                given = {"ids": ids[start : start + _BATCH], "take": k + 1}
                for id, others in await self._graph.run(FIND_NEAREST.for_slot(slot), given):
                    nearest[id] = {*[one for one in others if one != id][:k]}
                progress("Comparing", len(ids) * len(found) + start, 2 * len(ids))
            found.append(nearest)
        first, second = found
        pairs = [(first[id], second[id]) for id in first.keys() & second.keys()]
        shares = [len(one & two) / max(len(one), len(two)) for one, two in pairs if one or two]
        progress("Comparing", 2 * len(ids), 2 * len(ids))
        overlap = round(sum(shares) / len(shares), 4) if shares else None
        return ModelComparison(k=k, samples=len(shares), overlap=overlap)

    async def _sample(self, slot: Slot, size: int) -> list[str]:
        """The ids of random nodes: thoughts first, since questions are mostly about those, then knowledge."""
        drawn: dict[str, Any] = {
            "namespace": None,
            "starts": [str(uuid.uuid4()) for _ in range(_DRAWS * size)],
            "sample_size": size,
        }
        ((thoughts, _),) = await self._graph.run(
            SAMPLE_THOUGHTS.for_slot(slot), {**drawn, "everything": True}
        )
        ((knowledge, _),) = await self._graph.run(
            SAMPLE_KNOWLEDGE.for_slot(slot), {**drawn, "now": datetime.now(UTC)}
        )
        return [row["id"] for row in (*thoughts, *knowledge)][:size]
