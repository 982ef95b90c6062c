"""Graph algorithms as statements: each runs on a projection of the graph, which never outlives its call."""

import asyncio
import uuid
from collections.abc import Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.errors import LegacyMindError
from legacymind.model.progress import Progress, no_progress

_LEFT_BEHIND: Final = timedelta(hours=1)
"""The age from which a projection counts as left behind by a killed process."""

_INTERVAL: Final = 1.0
"""Seconds between two reports of progress."""

Row = TypeVar("Row")


class Projections:
    """Runs statements that make a projection, and removes every projection that they leave."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @staticmethod
    def name() -> str:
        """A name that no projection has."""
        return f"legacymind-{uuid.uuid4()}"

    async def run(
        self,
        graph: str,
        statement: Coroutine[Any, Any, list[Row]],
        stage: str = "",
        progress: Progress = no_progress,
    ) -> Row | None:
        """The only row of a statement over the projection ``graph``, or None if there was nothing to project.

        ``progress`` gets the per cent that are done of ``stage``, about once a second. A statement drops its
        own projection when it finishes. If it fails or is cancelled, the projection is dropped here;
        projections of killed processes are dropped when they are an hour old. Raises AlgorithmsMissing when
        the server has no Graph Data Science.
        """
        running = asyncio.ensure_future(statement)
        try:
            progress(stage, 0, 100)
            await self._watch(running, graph, stage, progress)
            rows = await running
        except BaseException:
            running.cancel()
            await asyncio.wait([running])
            # Shielded: a cancelled call must still drop its projection.
            await asyncio.shield(self._drop(graph))
            raise
        progress(stage, 100, 100)
        return rows[0] if rows else None

    async def _watch(
        self, statement: asyncio.Future[list[Row]], graph: str, stage: str, progress: Progress
    ) -> None:
        """Report progress until the statement has ended, if anybody asked for it."""
        if progress is no_progress:
            return
        percent = 0
        while not (await asyncio.wait([statement], timeout=_INTERVAL))[0]:
            with suppress(LegacyMindError):  # the error that matters is that of the algorithm
                rows = await self._graph.run(queries.read_progress, {"graph": graph})
                percent = max([percent, *(int(row["percent"] or 0.0) for row in rows)])
                progress(stage, min(percent, 99), 100)

    async def drop_leftovers(self) -> int:
        """Drop projections that killed processes left, and return their number."""
        return await self._drop("")

    async def _drop(self, graph: str) -> int:
        with suppress(LegacyMindError):  # the error that matters is that of the algorithm
            (row,) = await self._graph.run(
                queries.drop_projections, {"graph": graph, "before": datetime.now(UTC) - _LEFT_BEHIND}
            )
            return row["dropped"]
        return 0
