"""Pruning: removes recalls that have decayed and that nobody uses."""

import heapq
import math
from datetime import UTC, datetime, timedelta
from typing import Final

from legacymind.db.query import Parameters, load
from legacymind.model.maintenance import PruneResult, WeakRecall
from legacymind.model.progress import Progress, no_progress
from legacymind.observe import Step, observed
from legacymind.services.maintain.walking import WalkedPage, pages
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service

Weak = tuple[int, list[WeakRecall]]
"""The number of weak relationships of a page, and the weakest of them."""

PRUNE_RECALLS = load("maintain/prune_recalls", WalkedPage[Weak], writes=True)

LEAST_WEIGHT: Final = 0.15
"""The weight below which a recall is weak: the least similarity with which a memory is recalled at all."""

UNUSED_DAYS: Final = 90
"""Days without use after which a weak recall may go: three times the window of injection scale 3."""

HALF_LIFE: Final = 60.0
"""Days in which a weight halves. A usual one, 0.5 to 0.6, falls below ``LEAST_WEIGHT`` after 110 days."""

_SAMPLES: Final = 10
_BATCH: Final = 200
"""Thoughts whose recalls one transaction removes, so that it holds its locks only briefly."""


class PruneService(Service):
    """Removes weak, unused ``RECALLS`` relationships. Hash chains do not cover them."""

    async def prune(
        self,
        namespace: str | None = None,
        *,
        apply: bool = False,
        least_weight: float = LEAST_WEIGHT,
        unused_days: float = UNUSED_DAYS,
        now: datetime | None = None,
        progress: Progress = no_progress,
    ) -> PruneResult:
        """Plan the removal of weak, unused recalls, or with ``apply`` remove them.

        A recall is weak if its weight, halved for each 60 days since its last use, is below ``least_weight``.
        It is unused if it was neither created nor its thought recalled for ``unused_days`` days. Those of
        pinned thoughts stay. Each batch is a transaction: what is done stays when the call is interrupted,
        and another call does the rest.
        """
        space = checks.namespace(namespace, self._settings)
        at = now or datetime.now(UTC)
        before = at - timedelta(days=unused_days)
        decay = math.log(2) / HALF_LIFE

        async def page(place: Parameters) -> WalkedPage[Weak]:
            with observed(Step("batch", "prune")) as step:
                (row,) = await self._graph.run(
                    PRUNE_RECALLS,
                    {
                        **place,
                        "now": at,
                        "least": least_weight,
                        "decay": decay,
                        "samples": _SAMPLES,
                        "apply": apply,
                    },
                )
                step.result = row[-1][0]
            return row

        thoughts = recalls = 0
        weakest: list[WeakRecall] = []
        stage = "Pruning recalls" if apply else "Finding weak recalls"
        async for read, (weak, samples) in pages(
            self._graph, space, before, page, stage, progress, size=_BATCH
        ):
            thoughts += read
            recalls += weak
            weakest += [] if apply else samples
            weakest = heapq.nsmallest(_SAMPLES, weakest, key=lambda one: (one.decayed, one.thought_id))
        return PruneResult(
            namespace=space, applied=apply, thoughts=thoughts, recalls=recalls, samples=weakest
        )
