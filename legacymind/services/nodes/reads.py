"""Reads nodes by their ids, and pages of their neighbours, each for several nodes with one statement."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypedDict

from legacymind.db.query import Parameters, Query, load
from legacymind.errors import InvalidInput
from legacymind.model.base import Relation
from legacymind.model.graph import (
    Action,
    Belief,
    Edge,
    Node,
    Page,
    RecallEdge,
    RelationEdge,
    View,
)
from legacymind.model.nodes import RelationDirection
from legacymind.operations.pages import IN_TIME
from legacymind.operations.results import jsonable
from legacymind.services.nodes import rows
from legacymind.services.nodes.lists import ActionRow
from legacymind.services.nodes.pages import Pages, of_nodes
from legacymind.services.nodes.rows import RecalledRow
from legacymind.services.shared import checks, items
from legacymind.services.shared.entities import relation_members
from legacymind.services.shared.items import LIST_IN_TIME, LIST_OF, IdAt, IdsOfNode
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import resolve_own_session


class RecallsOfId(TypedDict):
    """A page of what one thought recalled."""

    id: str
    items: list[RecalledRow]


READ_RECALLS = load("nodes/read_recalls", RecallsOfId, writes=False)
READ_OBSERVATIONS = load("nodes/read_observations", IdsOfNode, writes=False)


class Related(TypedDict):
    """A relation with all its properties, the id of the entity at its other end, and its position."""

    id: str
    type: str
    direction: Literal["out", "in"]
    properties: dict[str, Any]
    position: tuple[str, str, str]


class RelationsOfId(TypedDict):
    """A page of the relations of one entity."""

    id: str
    items: list[Related]


READ_RELATIONS = load("nodes/read_relations", RelationsOfId, writes=False)
READ_ACTIONS = load("nodes/read_actions", ActionRow, writes=False)


class CountOfId(TypedDict):
    """A number of neighbours of a node."""

    id: str
    count: int


COUNT_OBSERVATIONS = load("nodes/count_observations", CountOfId, writes=False)
COUNT_RELATIONS = load("nodes/count_relations", CountOfId, writes=False)


_LISTED: Final = {"chain_id": None}
_BEFORE_FACTS: Final = (-(2**63), 0, "")


class NodeReads(Service):
    """Reads the graph node by node. Access counts are not updated.

    Each read of a list takes the ids of several nodes and answers in their order, with the ids of the items.
    ``first`` is the size of the pages, and ``after`` a cursor of an earlier page of the same list, which only
    one id can have. Raises InvalidInput for a cursor of another list.
    """

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
        found = await items.rows(self._graph, view, ids)
        return [rows.node(found[id], view) if id in found else None for id in ids]

    async def beliefs(self, view: View, ids: Sequence[str], *, as_of: datetime | None) -> list[Belief]:
        """What was believed about each thought at a time; by default now."""
        now = checks.moment(as_of) or datetime.now(UTC)
        found = await items.rows(self._graph, view, ids, length=1, as_of=now)
        return [rows.belief(found.get(id), view, now) for id in ids]

    async def linked(
        self, view: View, ids: Sequence[str], *, link: Relation | Literal["FOR_ACTION"], **page: Any
    ) -> list[Page[Edge[str]]]:
        """The thoughts that link to each thought or led to each action, oldest first."""
        return await self._in_time(LIST_OF, Pages(view, f"linked {link}", **page), ids, link=link)

    async def session_thoughts(
        self,
        view: View,
        ids: Sequence[str],
        *,
        latest_first: bool,
        from_step: float | None,
        **page: Any,
    ) -> list[Page[Edge[str]]]:
        """The thoughts of each session in time; with ``from_step``, that step of its chain and later ones.

        Raises InvalidInput also for a number that no step can have.
        """
        if from_step is not None and not 0 <= from_step < 2**63:
            raise InvalidInput(f"No step has the number {str(from_step)[:40]}.", hint="Steps begin at 0.")
        pages = Pages(view, f"session {latest_first} {from_step}", **page)
        chosen = {**_LISTED, "by": "session_id", "latest_first": latest_first, "from_step": from_step}
        return await self._in_time(LIST_IN_TIME, pages, ids, **chosen)

    async def chain_thoughts(
        self, view: View, ids: Sequence[str], *, latest_first: bool, **page: Any
    ) -> list[Page[Edge[str]]]:
        """The thoughts of each label in time, over all sessions."""
        pages = Pages(view, f"chain {latest_first}", **page)
        chosen = {**_LISTED, "by": "chain_id", "latest_first": latest_first, "from_step": None}
        return await self._in_time(LIST_IN_TIME, pages, ids, **chosen)

    async def _in_time(
        self, query: Query[IdsOfNode], pages: Pages, ids: Sequence[str], **chosen: Any
    ) -> list[Page[Edge[str]]]:
        """Pages of the ids of thoughts in time."""
        begin = pages.begin(ids, IN_TIME, items.in_time(latest_first=chosen.get("latest_first") is True))
        page: Parameters = {
            **of_nodes(pages.view, ids),
            **items.at(begin),
            "take": pages.first + 1,
        }
        return pages.of(ids, await self._graph.run(query, {**page, **chosen}), _edge)

    async def actions(self, view: View, ids: Sequence[str]) -> list[Action | None]:
        """Actions; None for those to which no visible thought led."""
        found = await self._graph.run(READ_ACTIONS, of_nodes(view, ids))
        by_id = {row["id"]: Action(view=view, id=row["id"], created_at=row["created_at"]) for row in found}
        return [by_id.get(id) for id in ids]

    async def recalls(self, view: View, ids: Sequence[str], **page: Any) -> list[Page[RecallEdge[str]]]:
        """What each thought recalled, by rank."""
        pages = Pages(view, "recalls", **page)
        after = list(pages.begin(ids, "is", (-1, "")))
        found = await self._graph.run(
            READ_RECALLS, {**of_nodes(view, ids), "after": after, "take": pages.first + 1}
        )
        return pages.of(
            ids,
            found,
            lambda row, cursor: RecallEdge(
                cursor=cursor,
                node=row["id"],
                rank=row["rank"],
                score=row["score"],
                cosine=row["cosine"],
                via=row["via"],
                parts=rows.score_parts(row),
            ),
        )

    async def observations(
        self, view: View, ids: Sequence[str], *, as_of: datetime | None, history: bool, **page: Any
    ) -> list[Page[Edge[str]]]:
        """The facts about each entity that are true at ``as_of``, latest first; with ``history``, all."""
        pages = Pages(view, f"observations {as_of} {history}", **page)
        after = list(pages.begin(ids, "iis", _BEFORE_FACTS))
        found = await self._graph.run(
            READ_OBSERVATIONS,
            {**_at(view, ids, as_of, history), "after": after, "take": pages.first + 1},
        )
        return pages.of(ids, found, _edge)

    async def relations(
        self,
        view: View,
        ids: Sequence[str],
        *,
        direction: RelationDirection | None,
        as_of: datetime | None,
        history: bool,
        **page: Any,
    ) -> list[Page[RelationEdge[str]]]:
        """The relations of each entity, by type and name, in both directions unless one is given."""
        pages = Pages(view, f"relations {direction} {as_of} {history}", **page)
        found = await self._graph.run(
            READ_RELATIONS,
            {
                **_at(view, ids, as_of, history),
                "direction": direction or "both",
                "after": list(pages.begin(ids, "sss", ("", "", ""))),
                "take": pages.first + 1,
            },
        )
        return pages.of(ids, found, _relation_edge)

    async def count_observations(
        self, view: View, ids: Sequence[str], *, as_of: datetime | None, history: bool
    ) -> list[int]:
        """The number of facts about each entity, as ``observations`` reads them."""
        return await self._counts(COUNT_OBSERVATIONS, view, ids, as_of, history)

    async def count_relations(
        self,
        view: View,
        ids: Sequence[str],
        *,
        direction: RelationDirection | None,
        as_of: datetime | None,
        history: bool,
    ) -> list[int]:
        """The number of relations of each entity, as ``relations`` reads them."""
        either = direction or "both"
        return await self._counts(COUNT_RELATIONS, view, ids, as_of, history, direction=either)

    async def _counts(
        self,
        query: Query[CountOfId],
        view: View,
        ids: Sequence[str],
        as_of: datetime | None,
        history: bool,
        **more: str,
    ) -> list[int]:
        found = await self._graph.run(query, {**_at(view, ids, as_of, history), **more})
        counts = {row["id"]: row["count"] for row in found}
        return [counts[id] for id in ids]


def _at(view: View, ids: Sequence[str], as_of: datetime | None, history: bool) -> Parameters:
    """The entities, and the time at which facts and relations are read, or all times."""
    return {
        "ids": list(ids),
        "namespace": view.namespace,
        "as_of": checks.moment(as_of) or datetime.now(UTC),
        "history": history,
    }


def _edge(row: IdAt, cursor: str) -> Edge[str]:
    return Edge(cursor=cursor, node=row["id"])


def _relation_edge(row: Related, cursor: str) -> RelationEdge[str]:
    members = relation_members(row["properties"])
    return RelationEdge(
        cursor=cursor,
        node=row["id"],
        id=members["id"],
        type=row["type"],
        direction=row["direction"],
        source=members["source"],
        valid_from=members["valid_from"],
        valid_to=members["valid_to"],
        recorded_at=members["recorded_at"],
        properties=jsonable(members["properties"]),
    )
