"""Adoption of entities and observations made by hand: in Neo4j Browser, by ``LOAD CSV``, by neomodel.

Such nodes lack what recall and search need. A search for them reads all nodes.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import DatabaseUnreachable, LegacyMindError
from legacymind.services.knowledge.importers.records import Fault
from legacymind.services.maintain import by_hand
from legacymind.services.maintain.by_hand import AdoptedNode, HandMadeKind, HandMadeRow
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.think.mentions import Mentions


class AdoptedRow(TypedDict):
    """Whether a node was completed, and if not, the id of the same entity or fact if it is stored already."""

    element_id: str
    adopted: bool
    same: str | None


COUNT_BY_HAND = load("maintain/count_by_hand", int, writes=False, long_running=True)
FIND_BY_HAND = load("maintain/find_by_hand", HandMadeRow, writes=False)
ADOPT_NODES = load("maintain/adopt_nodes", AdoptedRow, writes=True)

_BATCH_SIZE: Final = 200
"""Nodes completed in one statement."""

_LISTED: Final = 100
"""The most refused nodes that a result lists."""

_ALL: Final = 2**31
_PAUSE: Final = 10.0
"""The most seconds between two looks of a service for missing mentions and vectors."""

_LABELS: Final[dict[HandMadeKind, str]] = {
    "entity": "Entity",
    "observation": "Observation",
    "thought": "Thought",
}
"""In the order of adoption: an observation needs the id of its entity."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedNode:
    """A node made by hand that cannot be used; ``element_id`` is Neo4j's ``elementId``."""

    element_id: str
    kind: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Adoption:
    """The number of adopted nodes, and the refused ones: their number, and at most the first hundred."""

    adopted: int = 0
    refused: list[RefusedNode] = field(default_factory=list[RefusedNode])
    refused_count: int = 0

    def refuse(self, kind: HandMadeKind, element_id: str, reason: str) -> None:
        """Count a refused node, and keep the first hundred."""
        self.refused_count += 1
        if len(self.refused) < _LISTED:
            self.refused.append(RefusedNode(element_id=element_id, kind=kind, reason=reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unadopted:
    """The number of nodes that were not stored by LegacyMind, and the first hundred that it would refuse.

    The number includes nodes of other programs.
    """

    count: int
    refused: list[RefusedNode]


class AdoptionService(Service):
    """Adopts nodes made by hand."""

    _mentions: Mentions

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context.everywhere(), services)  # nodes made by hand may be of any namespace

    async def adopt(self) -> Adoption:
        """Store entities and observations made by hand as ``remember`` does; store missing mentions.

        Their texts, ids, times and properties of other names stay. A node with an unusable value,
        an entity or fact that is stored already, and a thought are refused. Raises DatabaseError.
        """
        result = await self._search(_ALL, store=True)
        await self.catch_up()
        return result

    async def catch_up(self) -> None:
        """Store the mentions and vectors that nodes wait for, of all namespaces."""
        await self._mentions.catch_up(everything=True)
        await self._deferred_embedding.catch_up(everything=True)

    async def unadopted(self) -> Unadopted:
        """Count the nodes that were made by hand, and judge the first of each kind. Adopts nothing."""
        (count,) = await self._graph.run(COUNT_BY_HAND, {})
        judged = await self._search(_LISTED, store=False) if count else Adoption()
        return Unadopted(count=count, refused=judged.refused)

    async def watch(self, is_running: Callable[[], bool]) -> None:
        """Store missing mentions and vectors, and adopt at intervals, until cancelled. Logs refused nodes.

        ``is_running`` is whether the database can be reached without starting an engine.
        """
        interval, due = self._settings.adopts_every, time.monotonic()
        logged: set[str] = set()
        while True:
            await asyncio.sleep(min(interval or _PAUSE, _PAUSE))
            try:
                if not await asyncio.to_thread(is_running):
                    continue
                if interval and time.monotonic() >= due:
                    result = await self.adopt()
                    due = time.monotonic() + interval
                    for refused in result.refused:
                        if refused.element_id not in logged:
                            _log.warning(
                                "A node made by hand (%s) is not used: %s", refused.element_id, refused.reason
                            )
                    logged = {refused.element_id for refused in result.refused}
                else:
                    await self._mentions.catch_up(everything=True)
                await self._deferred_embedding.catch_up()
            except LegacyMindError as error:
                _log.debug("Nodes made by hand were not adopted: %s", error)
            except Exception:  # the next search may succeed
                _log.exception("Nodes made by hand were not adopted.")

    async def _search(self, limit: int, *, store: bool) -> Adoption:
        """Judge, and with ``store`` adopt, the nodes made by hand; at most ``limit`` of each label."""
        result = Adoption()
        for kind, label in _LABELS.items():
            batch: list[AdoptedNode] = []
            now = datetime.now(UTC)
            async for row in self._graph.stream(FIND_BY_HAND, {"label": label, "limit": limit}):
                if not store and row["entity"] is not None and not row["entity"]["known"]:
                    continue  # its entity may be adopted first
                try:
                    batch.append(by_hand.complete(kind, row, self._settings, now))
                except Fault as fault:
                    result.refuse(kind, row["element_id"], f"{fault}.")
                except LegacyMindError as fault:
                    result.refuse(kind, row["element_id"], f"{fault.what} {fault.hint}")
                if len(batch) == _BATCH_SIZE:
                    await self._take(kind, batch, result, store=store)
                    batch = []
            if batch:
                await self._take(kind, batch, result, store=store)
        return result

    async def _take(
        self, kind: HandMadeKind, nodes: Sequence[AdoptedNode], result: Adoption, *, store: bool
    ) -> None:
        """Adopt nodes. One that makes the statement fail, such as a copy, does not affect the others."""
        try:
            rows = await self._graph.run(ADOPT_NODES, {"rows": nodes, "store": store})
        except DatabaseUnreachable:
            raise
        except LegacyMindError as error:
            if len(nodes) == 1:
                result.refuse(kind, nodes[0]["element_id"], error.what)
                return
            for node in nodes:
                await self._take(kind, [node], result, store=store)
            return
        for row in rows:
            result.adopted += row["adopted"]
            if row["same"] is not None:
                what = "An entity of this name and type" if kind == "entity" else "The same fact"
                reason = f"{what} is stored already: {row['same']}. Delete this node, or merge the two."
                result.refuse(kind, row["element_id"], reason)
