"""Export of a whole namespace as JSON Lines: everything that is stored, hashes included
(docs/memory/importing.md).

Nodes are read in pages by an index, and the relationships of each page as a stream, so memory use does not
grow with the namespace. The order depends only on the data: the same data gives the same bytes.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, Literal, TypedDict, TypeVar

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.db.stored import Slot
from legacymind.model.progress import Progress, no_progress
from legacymind.services.knowledge.importers.native import VERSION
from legacymind.services.maintain.size import MEASURE_GRAPH
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.transfer.fields import LineKind, members, packed


class ExportedSession(TypedDict):
    """A session. ``has_steps``: its chain is not empty."""

    id: str
    properties: dict[str, Any]
    has_steps: bool


EXPORT_SESSIONS = load("transfer/export_sessions", ExportedSession, writes=False)


class ExportedPlace(TypedDict):
    """An action or a pending thought."""

    id: str
    properties: dict[str, Any]


EXPORT_PLACES = load("transfer/export_places", ExportedPlace, writes=False)


class ExportedKnowledge(TypedDict):
    """An entity or an observation; ``embedded``: it has a vector."""

    properties: dict[str, Any]
    embedded: bool
    vector: list[float] | None


EXPORT_ENTITIES = load("transfer/export_entities", ExportedKnowledge, writes=False)
EXPORT_OBSERVATIONS = load(
    "transfer/export_observations",
    ExportedKnowledge,
    writes=False,
)


class ExportedThought(ExportedKnowledge):
    """A thought; ``in_session``: it is in the session that it names, and in no other."""

    in_session: bool | None


class ExportedStep(ExportedThought):
    """A step of a chain, and the properties of its session; None if the session has no node."""

    session: dict[str, Any] | None


EXPORT_STEPS = load("transfer/export_steps", ExportedStep, writes=False)


class ExportedOther(ExportedThought):
    """A thought that is no step, and its time as Neo4j writes it."""

    position: str


EXPORT_OTHERS = load("transfer/export_others", ExportedOther, writes=False)


class ExportedLink(TypedDict):
    """A relationship from the node ``id`` to the node ``target`` of the kind ``kind``."""

    id: str
    type: str
    kind: str
    target: str
    properties: dict[str, Any]


EXPORT_LINKS = load("transfer/export_links", ExportedLink, writes=False)


LinkedKind = Literal["thought", "entity", "observation"]
"""A kind of node where exported relationships begin."""


class PagePart(TypedDict):
    """A page of a namespace; the vectors of its nodes are read if ``vectors``."""

    namespace: str
    vectors: bool
    take: int


EXPORT: Final = "namespace"
"""The value of the header's member ``export``."""

END: Final = "end"
"""The kind of the last line."""

_PAGE: Final = 500
"""Nodes of a page. A page of thoughts with vectors is about 3 MB."""

_LINES_PER_NODE: Final = 3
"""Estimated lines for each node: its own and those of two relationships."""

_EARLIEST: Final = "-999999999-01-01T00:00:00Z"

NodeKeys = Mapping[str, str | int]
"""The keys of the node before a page. Empty: the first page."""

NodeKind = Literal["action", "pending"]
_PLACES: Final[tuple[NodeKind, ...]] = ("action", "pending")
Row = TypeVar("Row")
Linked = TypeVar("Linked", bound=ExportedKnowledge)
ReadPage = Callable[[NodeKeys], Awaitable[list[Row]]]
"""Reads the page after a position."""


class ExportService(Service):
    """Exports namespaces."""

    async def export(
        self, namespace: str | None = None, *, vectors: bool = False, progress: Progress = no_progress
    ) -> AsyncIterator[str]:
        """Stream a namespace as lines of JSON without line ends: the header, nodes, then relationships.

        Includes private, redacted and deferred thoughts, and closed and merged knowledge; excludes the tokens
        and settings of the database. ``vectors`` adds the vectors of the active slot. Thoughts stored during
        the export may be missing, but every exported chain ends at a head that it had.
        """
        own = checks.namespace(namespace, self._settings)
        database = (await self._graph.ready()).database
        active = str(database.get("active_slot", "embedding_a"))
        slot: Slot = "b" if active == "embedding_b" else "a"
        header: dict[str, Any] = {
            "kind": "header",
            "format": "legacymind",
            "version": VERSION,
            "export": EXPORT,
            "namespace": own,
        }
        if vectors and database.get(f"{active}_fingerprint") is not None:
            header["vectors"] = {
                "fingerprint": database[f"{active}_fingerprint"],
                "dimensions": database[f"{active}_dim"],
            }
        yield _line(header)
        count = 1
        (size,) = await self._graph.run(MEASURE_GRAPH, {})
        total = _LINES_PER_NODE * (size.thoughts + size.entities + size.observations)
        async for line in Lines(self._graph, own, slot, vectors="vectors" in header).all():
            yield _line(line)
            count += 1
            if count % _PAGE == 0:
                progress("exporting", count, max(count + 1, total))
        # With the number of lines before it, an import detects a truncated file.
        yield _line({"kind": END, "lines": count})
        progress("exporting", count + 1, count + 1)

    async def knowledge(self, namespace: str) -> AsyncIterator[dict[str, Any]]:
        """The entities and facts of a namespace, then the relationships of entities, as JSON objects."""
        async for line in Lines(self._graph, namespace, "a", vectors=False).knowledge():
            yield line


class Lines:
    """The lines of one export between its header and its end, as JSON objects."""

    def __init__(self, graph: Graph, namespace: str, slot: Slot, *, vectors: bool) -> None:
        self._graph = graph
        self._namespace = namespace
        self._slot: Slot = slot
        self._vectors = vectors

    async def all(self) -> AsyncIterator[dict[str, Any]]:
        """Every line, in the order in which an import can store them."""
        async for line in self._facts():
            yield line
        for kind in _PLACES:
            async for place in _rows(partial(self._place_page, kind), _own):
                yield {"kind": kind, **members(kind, place["properties"])}
        async for line in self._chains():
            yield line
        async for session in _rows(self._session_page, _own):
            if not session["has_steps"]:
                yield {"kind": "session", **members("session", session["properties"])}
        async for other in _rows(self._other_page, _other):
            yield self._thought(other)
        self._vectors = False
        links = (
            self._links("thought", self._step_page, _step),
            self._links("thought", self._other_page, _other),
            self._links("entity", self._entity_page, _key),
            self._links("observation", self._observation_page, _key),
        )
        for section in links:
            async for line in section:
                yield line

    async def knowledge(self) -> AsyncIterator[dict[str, Any]]:
        """The lines of entities and facts, then those of the relationships of entities."""
        async for line in self._facts():
            yield line
        async for line in self._links("entity", self._entity_page, _key):
            yield {"properties": {}, **line}

    async def _facts(self) -> AsyncIterator[dict[str, Any]]:
        async for entity in _rows(self._entity_page, _key):
            yield self._node("entity", entity)
        async for fact in _rows(self._observation_page, _key):
            yield self._node("observation", fact)

    async def _chains(self) -> AsyncIterator[dict[str, Any]]:
        """The steps of each session, then the session's line with its head after the last step."""
        last: ExportedStep | None = None
        async for row in _rows(self._step_page, _step):
            if last is not None and row["properties"]["session_id"] != last["properties"]["session_id"]:
                async for line in self._end(last):
                    yield line
            yield self._thought(row)
            last = row
        if last is not None:
            async for line in self._end(last):
                yield line

    async def _end(self, last: ExportedStep) -> AsyncIterator[dict[str, Any]]:
        """The steps stored since the last page was read, then the session's line."""
        own = last["properties"]["session_id"]
        while last["session"] is not None and _before_head(last):
            rows = [
                row for row in await self._step_page(_step(last)) if row["properties"]["session_id"] == own
            ]
            if not rows:  # the end of the chain was cut off
                break
            for row in rows:
                yield self._thought(row)
            last = rows[-1]
        held = last["session"]
        yield {
            "kind": "session",
            **({"id": own, "missing": True} if held is None else members("session", held)),
        }

    async def _links(
        self, kind: LinkedKind, read: ReadPage[Linked], place: Callable[[Linked], NodeKeys]
    ) -> AsyncIterator[dict[str, Any]]:
        async for rows in _pages(read, place):
            async for line in self._links_of(kind, [row["properties"]["id"] for row in rows]):
                yield line

    def _part(self) -> PagePart:
        return {"namespace": self._namespace, "vectors": self._vectors, "take": _PAGE}

    async def _entity_page(self, after: NodeKeys) -> list[ExportedKnowledge]:
        return await self._graph.run(
            EXPORT_ENTITIES.for_slot(self._slot),
            {
                **self._part(),
                "after": {
                    "name_key": str(after.get("name_key", "")),
                    "type_key": str(after.get("type_key", "")),
                },
            },
        )

    async def _observation_page(self, after: NodeKeys) -> list[ExportedKnowledge]:
        return await self._graph.run(
            EXPORT_OBSERVATIONS.for_slot(self._slot),
            {
                **self._part(),
                "after": {
                    "entity_id": str(after.get("entity_id", "")),
                    "fact_key": str(after.get("fact_key", "")),
                },
            },
        )

    async def _step_page(self, after: NodeKeys) -> list[ExportedStep]:
        return await self._graph.run(
            EXPORT_STEPS.for_slot(self._slot),
            {
                **self._part(),
                "after": {
                    "session_id": str(after.get("session_id", "")),
                    "step_index": int(after.get("step_index", -1)),
                    "id": str(after.get("id", "")),
                },
            },
        )

    async def _other_page(self, after: NodeKeys) -> list[ExportedOther]:
        return await self._graph.run(
            EXPORT_OTHERS.for_slot(self._slot),
            {
                **self._part(),
                "after": {"time": str(after.get("time", _EARLIEST)), "id": str(after.get("id", ""))},
            },
        )

    async def _place_page(self, kind: NodeKind, after: NodeKeys) -> list[ExportedPlace]:
        return await self._graph.run(
            EXPORT_PLACES,
            {
                "namespace": self._namespace,
                "kind": kind,
                "after": str(after.get("id", "")),
                "take": _PAGE,
            },
        )

    async def _session_page(self, after: NodeKeys) -> list[ExportedSession]:
        return await self._graph.run(
            EXPORT_SESSIONS,
            {"namespace": self._namespace, "after": str(after.get("id", "")), "take": _PAGE},
        )

    async def _links_of(self, kind: LinkedKind, ids: list[str]) -> AsyncIterator[dict[str, Any]]:
        async for row in self._graph.stream(
            EXPORT_LINKS, {"namespace": self._namespace, "kind": kind, "ids": ids}
        ):
            own = members("link", row["properties"])
            line: dict[str, Any] = {
                "kind": "link",
                "type": row["type"],
                "from": [kind, row["id"]],
                "to": [row["kind"], row["target"]],
            }
            yield {**line, "properties": own} if own else line

    def _node(self, kind: LineKind, row: ExportedKnowledge) -> dict[str, Any]:
        held = row["properties"]
        # A line has the member "kind" already.
        own = members(kind, {("node_kind" if name == "kind" else name): held[name] for name in held})
        line: dict[str, Any] = {"kind": kind, **own}
        if row["vector"] is not None and self._vectors:
            line["vector"] = packed(row["vector"])
        elif row["embedded"] or held.get("embedding_deferred"):
            line["embedded"] = True
        return line

    def _thought(self, row: ExportedThought) -> dict[str, Any]:
        line = self._node("thought", row)
        return {**line, "in_session": True} if row["in_session"] else line


async def _pages(read: ReadPage[Row], place: Callable[[Row], NodeKeys]) -> AsyncIterator[list[Row]]:
    """All pages, each of which begins after the last row of the one before."""
    rows = await read({})
    while True:
        yield rows
        if len(rows) < _PAGE:
            return
        rows = await read(place(rows[-1]))


async def _rows(read: ReadPage[Row], place: Callable[[Row], NodeKeys]) -> AsyncIterator[Row]:
    async for rows in _pages(read, place):
        for row in rows:
            yield row


def _key(row: ExportedKnowledge) -> NodeKeys:
    names = ("name_key", "type_key", "entity_id", "fact_key")
    return {name: row["properties"][name] for name in names if name in row["properties"]}


def _step(row: ExportedStep) -> NodeKeys:
    return {name: row["properties"][name] for name in ("session_id", "step_index", "id")}


def _other(row: ExportedOther) -> NodeKeys:
    return {"time": row["position"], "id": row["properties"]["id"]}


def _own(row: ExportedPlace | ExportedSession) -> NodeKeys:
    return {"id": row["id"]}


def _before_head(row: ExportedStep) -> bool:
    head = (row["session"] or {}).get("head_step")
    return type(head) is int and head > row["properties"]["step_index"]


def _line(value: Mapping[str, Any]) -> str:
    # ASCII, so that no terminal and no tool changes a hashed text.
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
