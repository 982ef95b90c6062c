"""Adoption of nodes made by hand: in Neo4j Browser, by another tool, ``LOAD CSV`` or ``legacymind.ogm``.

Such nodes lack what recall and search need. They are found by comparing the number of nodes, which Neo4j
keeps, with the number of known ones, which the database stores; and so are relationships from observations to
entities. Only a difference that this process did not cause leads to a search of all nodes.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypedDict

from legacymind.db.query import NoRow, load
from legacymind.errors import DatabaseUnreachable, InvalidInput, LegacyMindError
from legacymind.services.maintain import by_hand
from legacymind.services.maintain.by_hand import AdoptedNode, HandMadeRow
from legacymind.services.shared.deferred import COUNT_DEFERRED
from legacymind.services.shared.service import Service, ServiceContext, Services
from legacymind.services.think.mentions import Mentions


class CountedRow(TypedDict):
    """The number of nodes, how many are known, and the refused nodes made by hand, a line each.

    ``unlinked`` observations are about no entity; ``known_unlinked`` were so at the last search.
    ``unmentioned``: there are mentions to store.
    """

    nodes: int
    known: int | None
    unlinked: int
    known_unlinked: int | None
    looked_at: datetime | None
    refused: list[str]
    refused_count: int
    unmentioned: bool


COUNT_NODES = load("maintain/count_nodes", CountedRow, writes=False)


FIND_BY_HAND = load("maintain/find_by_hand", str, writes=False)
READ_BY_HAND = load("maintain/read_by_hand", HandMadeRow, writes=False)


class AdoptedRow(TypedDict):
    """Whether a node was completed, and if not, the id of the same entity or fact if it is stored already."""

    element_id: str
    adopted: bool
    same: str | None


ADOPT_NODES = load("maintain/adopt_nodes", AdoptedRow, writes=True)
RECORD_NODES = load("maintain/record_nodes", NoRow, writes=True)


_BATCH_SIZE: Final = 200
"""Nodes completed in one statement."""

_KEPT: Final = 100
"""RefusedNode nodes that the database records, and that are tried again every time."""

_LABELS: Final = ("Entity", "Observation", "Thought")
"""In the order of adoption: an observation needs the id of its entity."""

_FULL: Final = timedelta(hours=1)
"""Time after which a service searches all nodes although their number is the expected one.

It finds nodes made by hand while as many others were deleted.
"""

_SHARE: Final = 0.01
"""The largest share of its time that a service spends on searching all nodes."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedNode:
    """A node made by hand that cannot be used; ``element_id`` is Neo4j's ``elementId``."""

    element_id: str
    kind: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Adoption:
    """The result of a search: the number of adopted nodes, and the refused ones, at most the first hundred.

    ``new`` are those of the refused that no earlier search has recorded. ``complete``: all nodes were
    searched.
    """

    adopted: int = 0
    refused: list[RefusedNode] = field(default_factory=list[RefusedNode])
    refused_count: int = 0
    new: list[RefusedNode] = field(default_factory=list[RefusedNode])
    complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unadopted:
    """Nodes made by hand that cannot be found yet.

    ``appeared`` nodes were created outside LegacyMind since the last search, or by a process that has not
    recorded them yet. ``waiting`` ones have no vector yet.
    """

    appeared: int
    waiting: int
    refused: list[RefusedNode]
    refused_count: int


class AdoptionService(Service):
    """Adopts nodes made by hand."""

    per_process = True

    _mentions: Mentions

    def __init__(self, context: ServiceContext, services: Services) -> None:
        super().__init__(context.everywhere(), services)  # nodes made by hand may be of any namespace
        self._recorded = 0
        self._lock = asyncio.Lock()

    async def adopt(self, *, complete: bool = False) -> Adoption:
        """Fill in what nodes made by hand lack, and embed them; and store the mentions of new entities.

        Existing values stay. A node with an unusable value, and an entity or fact that is stored already, are
        refused. Costs one small statement while nothing is to be done; ``complete`` searches all nodes in
        any case, and stores all mentions that are missing. Raises DatabaseError.
        """
        return await self._adopt(None if complete else timedelta.max, everything=complete)

    async def _adopt(self, oldest: timedelta | None, *, everything: bool) -> Adoption:
        """As ``adopt``. All nodes are searched if the last such search is older than ``oldest``.

        ``everything``: store all mentions that are missing, and not only some.
        """
        async with self._lock:
            before = self._own
            counted = await self._count()
            known, looked = counted["known"], counted["looked_at"]
            least, most = sorted((before, self._own))
            expected = known is not None and least <= counted["nodes"] - known <= most
            expected &= counted["unlinked"] == counted["known_unlinked"]
            overdue = oldest is None or looked is None or datetime.now(UTC) - looked > oldest
            if overdue or not expected:
                result = await self._search()
                await self._record(counted, before, result, searched=True)
            else:
                result = Adoption(refused_count=counted["refused_count"])
                if counted["refused"]:
                    result.refused_count -= len(counted["refused"])
                    await self._take([_parsed(line).element_id for line in counted["refused"]], result)
                await self._record(counted, before, result)
            if result.adopted:
                await self._deferred_embedding.catch_up(everything=True)
        if counted["unmentioned"] or result.adopted:
            await self._mentions.catch_up(everything=everything)
        recorded = {_parsed(line).element_id for line in counted["refused"]}
        result.new = [each for each in result.refused if each.element_id not in recorded]
        return result

    async def settle(self) -> None:
        """Record the nodes that this process has created, so that the next search need not look for them."""
        if self._own:
            async with self._lock:
                await self._record(None, self._own, Adoption())

    async def unadopted(self) -> Unadopted:
        """Count the nodes that cannot be found yet. Adopts nothing."""
        counted = await self._count()
        (deferred,) = await self._graph.run(COUNT_DEFERRED, {})
        known = counted["nodes"] if counted["known"] is None else counted["known"]
        return Unadopted(
            appeared=max(counted["nodes"] - known - self._own, 0),
            waiting=deferred["waiting"],
            refused=[_parsed(line) for line in counted["refused"]],
            refused_count=counted["refused_count"],
        )

    async def watch(self, is_running: Callable[[], bool]) -> None:
        """Adopt and embed at intervals until cancelled. Logs what it refuses, once.

        ``is_running`` is whether the database can be reached without starting an engine. Returns at once if
        the setting ``adopt_interval`` is 0.
        """
        pause = self._settings.adopt_interval
        while pause:
            await asyncio.sleep(pause)
            pause, begun = self._settings.adopt_interval, time.monotonic()
            try:
                if not await asyncio.to_thread(is_running):
                    continue
                result = await self._adopt(_FULL, everything=True)
                await self._deferred_embedding.catch_up()
                if result.complete:
                    pause = max(pause, (time.monotonic() - begun) / _SHARE)
                for refused in result.new:
                    _log.warning(
                        "A node made by hand (%s) is not used: %s", refused.element_id, refused.reason
                    )
            except LegacyMindError as error:
                _log.debug("Nodes made by hand were not adopted: %s", error)
            except Exception:  # the next search may succeed
                _log.exception("Nodes made by hand were not adopted.")

    @property
    def _own(self) -> int:
        """The number of nodes that this process has created and not recorded yet."""
        return self._graph.nodes_created - self._recorded

    async def _count(self) -> CountedRow:
        (counted,) = await self._graph.run(COUNT_NODES, {})
        return counted

    async def _search(self) -> Adoption:
        result = Adoption(complete=True)
        for label in _LABELS:
            batch: list[str] = []
            async for element_id in self._graph.stream(FIND_BY_HAND, {"label": label}):
                batch.append(element_id)
                if len(batch) == _BATCH_SIZE:
                    await self._take(batch, result)
                    batch = []
            if batch:
                await self._take(batch, result)
        return result

    async def _take(self, element_ids: Sequence[str], result: Adoption) -> None:
        """Adopt or refuse nodes. One that makes a statement fail does not affect the others."""
        try:
            await self._take_together(element_ids, result)
        except DatabaseUnreachable:
            raise
        except LegacyMindError as error:
            if len(element_ids) == 1:
                _refuse(result, RefusedNode(element_id=element_ids[0], kind="node", reason=error.what))
                return
            for element_id in element_ids:
                await self._take([element_id], result)

    async def _take_together(self, element_ids: Sequence[str], result: Adoption) -> None:
        await self._vectors.ready()
        now = datetime.now(UTC)
        rows: dict[str, HandMadeRow] = {}
        complete: dict[str, AdoptedNode] = {}
        refused: list[RefusedNode] = []
        first: dict[tuple[str | None, ...], str] = {}

        def refuse(element_id: str, reason: str) -> None:
            refused.append(RefusedNode(element_id=element_id, kind=rows[element_id]["kind"], reason=reason))

        for row in await self._graph.run(READ_BY_HAND, {"element_ids": list(element_ids)}):
            element_id = row["element_id"]
            rows[element_id] = row
            try:
                node = by_hand.complete(row, self._settings, self._keys, self._vectors.thresholds, now)
            except InvalidInput as fault:
                refuse(element_id, f"{fault.what} {fault.hint}")
                continue
            key = (node["namespace"], node["name_key"], node["type_key"], node["entity_id"], node["fact_key"])
            if first.setdefault(key, element_id) != element_id and _is_unique(node):
                refuse(element_id, _same(node, f"the node {first[key]}"))
                continue
            complete[element_id] = node
        adopted = 0
        if complete:
            for done in await self._graph.run(ADOPT_NODES, {"rows": list(complete.values())}):
                adopted += done["adopted"]
                if done["same"] is not None:
                    refuse(done["element_id"], _same(complete[done["element_id"]], done["same"]))
        result.adopted += adopted
        for each in refused:
            _refuse(result, each)

    async def _record(
        self, counted: CountedRow | None, before: int, result: Adoption, *, searched: bool = False
    ) -> None:
        """Record what is known after a search, or since, and the refused nodes, if something has changed."""
        refused = [_line(each) for each in result.refused]
        changed = counted is not None and (refused, result.refused_count) != (
            counted["refused"],
            counted["refused_count"],
        )
        if not searched and not before and not changed:
            return
        found = counted if searched else None
        self._recorded += before
        await self._graph.run(
            RECORD_NODES,
            {
                "nodes": found and found["nodes"],
                "unlinked": found and found["unlinked"],
                "created": before,
                "looked_at": datetime.now(UTC) if searched else None,
                "refused": refused if changed else None,
                "refused_count": result.refused_count,
            },
        )


def _refuse(result: Adoption, refused: RefusedNode) -> None:
    result.refused_count += 1
    if len(result.refused) < _KEPT:
        result.refused.append(refused)


def _is_unique(node: AdoptedNode) -> bool:
    """Whether there may be only one node with these keys. Facts without an entity may be equal."""
    return node["name_key"] is not None or node["entity_id"] is not None


def _same(node: AdoptedNode, stored: str) -> str:
    is_entity = node["name_key"] is not None
    what = "An entity of this name and type" if is_entity else "The same fact about its entity"
    return f"{what} is stored already: {stored}. Delete this node, or merge the two."


def _line(refused: RefusedNode) -> str:
    return f"{refused.element_id} {refused.kind} {refused.reason}"


def _parsed(line: str) -> RefusedNode:
    element_id, kind, reason = line.split(" ", 2)
    return RefusedNode(element_id=element_id, kind=kind, reason=reason)
