"""Graph algorithms of the client of GDS: each runs on a projection, which never outlives its call."""

import asyncio
import importlib
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, Query, Row, load
from legacymind.errors import LegacyMindError
from legacymind.model.progress import Progress, no_progress

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from graphdatascience.procedure_surface.cypher.catalog.projection_cypher_endpoints import (
        GraphWithCypherProjectResult as Projected,
    )


class RemovedRow(TypedDict):
    """The number of projections, or of similarities, that were dropped."""

    dropped: int


class PercentRow(TypedDict):
    """How far an algorithm is; None if the server cannot tell."""

    percent: float | None


READ_PROGRESS = load("analysis/read_progress", PercentRow, writes=False)
DROP_PROJECTIONS = load("analysis/drop_projections", RemovedRow, writes=False)


_LEFT_BEHIND: Final = timedelta(hours=1)
"""The age from which a projection counts as left behind by a killed process."""

_INTERVAL: Final = 1.0
"""Seconds between two reports of progress."""


class Projections:
    """Projects graphs, runs algorithms on them, and drops them."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @staticmethod
    def name() -> str:
        """A name that no projection has."""
        return f"legacymind-{uuid.uuid4()}"

    @asynccontextmanager
    async def run(
        self,
        query: Query[Any],
        parameters: Parameters,
        algorithm: "Callable[[GraphDataScience, Projected], object]",
        stage: str = "",
        progress: Progress = no_progress,
    ) -> "AsyncGenerator[Projected | None]":
        """The projection that ``query`` makes, after ``algorithm`` has run on it; None without nodes.

        ``progress`` gets the per cent that are done of ``stage``, about once a second, if the ``job_id`` of
        the algorithm is the name of the projection. The projection is dropped at the end in any case; those
        of killed processes are dropped when they are an hour old. Raises ConfigurationError without the
        package graphdatascience, and AlgorithmsMissing when the server has no Graph Data Science.
        """
        await asyncio.to_thread(importlib.import_module, "legacymind.db.gds")  # it takes a second
        from legacymind.db.gds import with_client

        name = self.name()

        def work(gds: "GraphDataScience") -> "Projected | None":
            try:
                projected = gds.graph.project.cypher(query.text, graph=name, **parameters)
            except ValueError as nothing:
                if "produced no rows" not in str(nothing):
                    raise
                return None
            algorithm(gds, projected)
            return projected

        running = asyncio.ensure_future(with_client(self._graph, work))
        try:
            progress(stage, 0, 100)
            await self._watch(running, name, stage, progress)
            projected = await running
            progress(stage, 100, 100)
            yield projected
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            # Shielded: a cancelled call must still drop its projection.
            await asyncio.shield(self._drop(name))

    async def read(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement about projections, in a cluster on the leader, as those of the client."""
        return await self._graph.run(replace(query, writes=True), parameters)

    async def _watch(self, running: asyncio.Future[Any], graph: str, stage: str, progress: Progress) -> None:
        """Report progress until the algorithm has ended, if anybody asked for it."""
        if progress is no_progress:
            return
        percent = 0
        while not (await asyncio.wait([running], timeout=_INTERVAL))[0]:
            with suppress(LegacyMindError):  # the error that matters is that of the algorithm
                rows = await self.read(READ_PROGRESS, {"graph": graph})
                percent = max([percent, *(int(row["percent"] or 0.0) for row in rows)])
                progress(stage, min(percent, 99), 100)

    async def _drop(self, graph: str) -> None:
        """Drop a projection, and those that killed processes left."""
        before = datetime.now(UTC) - _LEFT_BEHIND
        with suppress(LegacyMindError):  # the error that matters is that of the algorithm
            await self.read(DROP_PROJECTIONS, {"graph": graph, "before": before})
