"""Reads nodes by their ids, and pages of their neighbours, each for several nodes with one statement."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.parameters.nodes import AfterThought, OfNodes
from legacymind.db.rows.nodes import Related, ThoughtsOfId
from legacymind.model.base import Relation
from legacymind.model.graph import (
    Edge,
    Id,
    Node,
    Observation,
    Page,
    PageInfo,
    RecallEdge,
    RelationEdge,
    Session,
    Thought,
    View,
)
from legacymind.model.nodes import RelationDirection
from legacymind.operations.results import jsonable
from legacymind.services.nodes import rows
from legacymind.services.shared import checks, cursors
from legacymind.services.shared.cursors import (
    FactPosition,
    KeyPosition,
    Position,
    RecallPosition,
    RelationPosition,
    TimePosition,
)
from legacymind.services.shared.entities import relation_members
from legacymind.services.shared.visibility import resolve_own_session
from legacymind.settings import Settings

MAX_PAGE: Final = 100
"""The most items of a page."""

_BEFORE_RECALLS: Final = RecallPosition(-1, "")
_BEFORE_FACTS: Final = FactPosition(-(2**63), 0, "")
_BEFORE_RELATIONS: Final = RelationPosition("", "", "")

Row = TypeVar("Row", bound=Mapping[str, Any])
AnyEdge = TypeVar("AnyEdge", bound=Edge[Any] | RecallEdge)


class NodeReads:
    """Reads the graph node by node. Access counts are not updated.

    Each read of a list takes the ids of several nodes and answers in their order. ``first`` is the size of
    the pages, and ``after`` a cursor of an earlier page of the same list, which only one id can have. Raises
    InvalidInput for a cursor of another list.
    """

    def __init__(self, graph: Graph, settings: Settings, *, session_id: str | None = None) -> None:
        self._graph = graph
        self._settings = settings
        self._session_id = session_id

    def view(self, namespace: str | None, own_session_id: str | None) -> View:
        """What a caller may see. Raises RequestRefused for a namespace that is not allowed."""
        return View(
            checks.namespace(namespace, self._settings),
            resolve_own_session(own_session_id, self._session_id),
        )

    def view_of_session(self, namespace: str | None, session_id: str) -> View:
        """What a read that names a session may see: its private thoughts too."""
        return View(checks.namespace(namespace, self._settings), checks.key("id", session_id))

    async def nodes(self, view: View, ids: Sequence[str]) -> list[Node | None]:
        """Thoughts, entities and observations; None for those that do not exist or may not be read."""
        found = await self._graph.run(queries.read_nodes, _of(view, ids))
        by_id = {row["id"]: row["found"]["node"] for row in found}
        return [None if (row := by_id[id]) is None else rows.node(row, view) for id in ids]

    async def linked(
        self, view: View, ids: Sequence[str], *, link: Relation, first: int, after: str | None
    ) -> list[Page[Edge[Thought]]]:
        """The thoughts that link to each thought, oldest first."""
        pages = _Pages(view, f"linked {link}", first, after)
        begin = pages.begin(ids, TimePosition.before_all(latest_first=False))
        found = await self._graph.run(
            queries.read_linked, {**_of(view, ids), **_in_time(begin), "link": link, "take": first + 1}
        )
        return pages.of_thoughts(ids, found)

    async def session_thoughts(
        self, view: View, ids: Sequence[str], *, latest_first: bool, first: int, after: str | None
    ) -> list[Page[Edge[Thought]]]:
        """The thoughts of each session in time."""
        pages = _Pages(view, f"session {latest_first}", first, after)
        begin = pages.begin(ids, TimePosition.before_all(latest_first=latest_first))
        found = await self._graph.run(
            queries.read_session_thoughts,
            {**_of(view, ids), **_in_time(begin), "latest_first": latest_first, "take": first + 1},
        )
        return pages.of_thoughts(ids, found)

    async def recalls(
        self, view: View, ids: Sequence[str], *, first: int, after: str | None
    ) -> list[Page[RecallEdge]]:
        """What each thought recalled, by rank."""
        pages = _Pages(view, "recalls", first, after)
        begin = pages.begin(ids, _BEFORE_RECALLS)
        found = await self._graph.run(
            queries.read_recalls, {**_of(view, ids), "after": list(begin), "take": first + 1}
        )
        items = {row["id"]: row["items"] for row in found}
        return [
            pages.page(
                id,
                items.get(id, []),
                lambda row, cursor: RecallEdge(
                    view=view,
                    node_id=row["id"],
                    cursor=cursor,
                    rank=row["rank"],
                    score=row["score"],
                    cosine=row["cosine"],
                    via=row["via"],
                    parts=rows.score_parts(row),
                ),
            )
            for id in ids
        ]

    async def observations(
        self,
        view: View,
        ids: Sequence[str],
        *,
        as_of: datetime | None,
        history: bool,
        first: int,
        after: str | None,
    ) -> list[Page[Edge[Observation]]]:
        """The facts about each entity that are true at ``as_of``, latest first; with ``history``, all."""
        pages = _Pages(view, f"observations {as_of} {history}", first, after)
        begin = pages.begin(ids, _BEFORE_FACTS)
        found = await self._graph.run(
            queries.read_observations,
            {
                "ids": list(ids),
                "namespace": view.namespace,
                "as_of": checks.moment(as_of) or datetime.now(UTC),
                "history": history,
                "after": list(begin),
                "take": first + 1,
            },
        )
        items = {row["id"]: row["items"] for row in found}
        return [
            pages.page(
                id,
                items.get(id, []),
                lambda row, cursor: Edge(cursor=cursor, node=rows.observation(row["node"], view)),
            )
            for id in ids
        ]

    async def relations(
        self,
        view: View,
        ids: Sequence[str],
        *,
        direction: RelationDirection | None,
        as_of: datetime | None,
        history: bool,
        first: int,
        after: str | None,
    ) -> list[Page[RelationEdge]]:
        """The relations of each entity, by type and name, in both directions unless one is given."""
        pages = _Pages(view, f"relations {direction} {as_of} {history}", first, after)
        found = await self._graph.run(
            queries.read_relations,
            {
                "ids": list(ids),
                "namespace": view.namespace,
                "as_of": checks.moment(as_of) or datetime.now(UTC),
                "history": history,
                "direction": direction or "both",
                "after": list(pages.begin(ids, _BEFORE_RELATIONS)),
                "take": first + 1,
            },
        )
        items = {row["id"]: row["items"] for row in found}
        return [
            pages.page(
                id,
                items.get(id, []),
                lambda row, cursor: _relation_edge(row, cursor, view),
            )
            for id in ids
        ]

    async def sessions(self, view: View, ids: Sequence[str]) -> list[Session | None]:
        """Sessions; None for those that do not exist."""
        found = await self._graph.run(queries.read_sessions, _of(view, ids))
        by_id = {row["id"]: row["session"] for row in found}
        return [
            Session(
                view=view,
                id=Id(id),
                created_at=row["created_at"],
                first_thought_at=row["first_at"],
                last_thought_at=row["last_at"],
                steps=row["head_step"] + 1 if isinstance(row["head_step"], int) else 0,
                head_hash=row["head_hash"],
                key_id=None if row["head_key_id"] is None else Id(row["head_key_id"]),
            )
            if (row := by_id[id])["known"]
            else None
            for id in ids
        ]

    async def session_page(self, view: View, *, first: int, after: str | None) -> Page[Edge[Session]]:
        """The sessions of the namespace, in the order of their ids."""
        pages = _Pages(view, "sessions", first, after)
        heads = await self._graph.run(
            queries.read_heads,
            {
                "namespace": view.namespace,
                "after": pages.begin([""], KeyPosition("")).id,
                "take": first + 1,
            },
        )
        ids = [row["session_id"] for row in heads]
        found = await self.sessions(view, ids)
        items: list[dict[str, Any]] = [
            {"session": session, "position": KeyPosition(session.id)}
            for session in found
            if session is not None
        ]
        return pages.page("", items, lambda row, cursor: Edge(cursor=cursor, node=row["session"]))


class _Pages:
    """The pages of one list for several nodes, and its cursors, which are bound to the list and the node."""

    def __init__(self, view: View, list_name: str, first: int, after: str | None) -> None:
        self._view = view
        self._read = {"list": list_name, "namespace": view.namespace, "own": view.own_session}
        self._first = first
        self._after = after

    def begin(self, ids: Sequence[str], start: Position) -> Position:
        """The position after which the pages begin: that of the cursor, else ``start``."""
        if self._after is None:
            return start
        (id,) = ids
        return cursors.decode(self._after, self._of(id), type(start))

    def page(self, id: str, items: Sequence[Row], edge: Callable[[Row, str], AnyEdge]) -> Page[AnyEdge]:
        """The page of one node. ``items`` may have one more, which shows that a page follows."""
        encoded = cursors.encoder(self._of(id))
        edges = [edge(item, encoded(item["position"])) for item in items[: self._first]]
        return Page(
            edges=edges,
            page_info=PageInfo(
                has_next_page=len(items) > self._first,
                has_previous_page=self._after is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )

    def of_thoughts(self, ids: Sequence[str], found: Sequence[ThoughtsOfId]) -> list[Page[Edge[Thought]]]:
        """Pages of thoughts."""
        items = {row["id"]: row["items"] for row in found}
        return [
            self.page(
                id,
                items.get(id, []),
                lambda row, cursor: Edge(cursor=cursor, node=rows.thought(row["node"], self._view)),
            )
            for id in ids
        ]

    def _of(self, id: str) -> Mapping[str, Any]:
        return {**self._read, "of": id}


def _relation_edge(row: Related, cursor: str, view: View) -> RelationEdge:
    members = relation_members(row["properties"])
    return RelationEdge(
        cursor=cursor,
        node=rows.entity(row["node"], view),
        id=None if members["id"] is None else Id(members["id"]),
        type=row["type"],
        direction=row["direction"],
        source=members["source"],
        valid_from=members["valid_from"],
        valid_to=members["valid_to"],
        recorded_at=members["recorded_at"],
        properties=jsonable(members["properties"]),
    )


def _of(view: View, ids: Sequence[str]) -> OfNodes:
    return {"ids": list(ids), "namespace": view.namespace, "own_session": view.own_session}


def _in_time(begin: TimePosition) -> AfterThought:
    return {"seconds": begin.seconds, "nanoseconds": begin.nanos, "step": begin.step, "id": begin.id}
