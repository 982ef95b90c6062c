"""Continuity fields: their indexes, and relationships for links that only properties have."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.parameters.maintain import OldThoughts
from legacymind.db.rows.maintain import MendedRow, MissingLink
from legacymind.model.progress import Progress, no_progress
from legacymind.services.maintain.walking import pages

_BATCH: Final = 500
"""Thoughts that one transaction reads, and whose missing links it creates."""

_SAMPLES: Final = 10


@dataclass(slots=True, kw_only=True)
class Continuity:
    """The state of continuity: how many thoughts were read, their missing links, and the missing indexes.

    ``mended``: the links were created. ``samples`` are some of them.
    """

    thoughts: int = 0
    links: int = 0
    mended: bool = False
    indexes: list[str] = field(default_factory=list[str])
    samples: list[MissingLink] = field(default_factory=list[MissingLink])


class ContinuityService:
    """Checks and repairs what sessions, chains and links are read by.

    The fields themselves are properties of each thought, which its hash covers; nothing changes them.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    async def ensure(
        self, namespace: str, *, apply: bool = False, progress: Progress = no_progress
    ) -> Continuity:
        """Report missing indexes, and links that are no relationships; with ``apply``, create both.

        Every thought of the namespace is read, in batches of their own transactions.
        """
        found = Continuity(mended=apply)
        rows = await self._graph.run(queries.read_online, {"names": queries.index_names})
        online = {row["name"] for row in rows}
        found.indexes = [name for name in queries.index_names if name not in online]
        if apply and found.indexes:
            for statement in queries.apply_schema:
                await self._graph.run(statement, {})

        async def mend(place: OldThoughts) -> MendedRow:
            (row,) = await self._graph.run(queries.mend_links, {**place, "apply": apply, "samples": _SAMPLES})
            return row

        stage = "Repairing links" if apply else "Reading links"
        async for page in pages(
            self._graph, namespace, datetime.now(UTC), mend, stage, progress, size=_BATCH
        ):
            found.thoughts += page["thoughts"]
            found.links += page["mended"]
            found.samples = [*found.samples, *page["samples"]][:_SAMPLES]
        return found
