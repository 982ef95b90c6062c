"""Reads nodes by their ids, and pages of their neighbours, each for several nodes with one statement."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

from legacymind.db.query import Parameters, Query, load
from legacymind.errors import InvalidInput
from legacymind.model.base import Relation
from legacymind.model.graph import (
    Action,
    Belief,
    BeliefVerdict,
    Edge,
    Entity,
    Node,
    Observation,
    Page,
    RecallEdge,
    RelationEdge,
    Thought,
    ThoughtRelationEdge,
    View,
)
from legacymind.model.nodes import RelationDirection
from legacymind.model.stored import EntityMembers, ObservationMembers, ThoughtMembers
from legacymind.operations.pages import IN_TIME
from legacymind.operations.results import jsonable
from legacymind.origins import said_by_of
from legacymind.services.nodes.pages import Pages, of_nodes
from legacymind.services.shared import checks, items
from legacymind.services.shared.entities import json_object, members, relation_members
from legacymind.services.shared.items import LIST_IN_TIME, LIST_OF, Neighbours, NodeRow
from legacymind.services.shared.parameters import resolve_own_session
from legacymind.services.shared.service import Service

READ_RECALLS = load("nodes/read_recalls", Neighbours, writes=False)
READ_OBSERVATIONS = load("nodes/read_observations", Neighbours, writes=False)


READ_RELATED = load("nodes/read_related", Neighbours, writes=False)
READ_RELATIONS = load("nodes/read_relations", Neighbours, writes=False)
READ_ACTIONS = load("nodes/read_actions", dict[str, Any], writes=False)


COUNT_OBSERVATIONS = load("nodes/count_observations", tuple[str, int], writes=False)
COUNT_RELATIONS = load("nodes/count_relations", tuple[str, int], writes=False)


Linking = Relation | Literal["FOR_ACTION", "RECALLS", "MENTIONS"]
"""How a thought may link to a node whose links are listed."""

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
            resolve_own_session(own_session_id, self.session_id),
        )

    def view_of_session(self, namespace: str | None, session_id: str) -> View:
        """What a read that names a session may see: its private thoughts too."""
        return View(checks.namespace(namespace, self._settings), checks.key("id", session_id))

    async def nodes(self, view: View, ids: Sequence[str]) -> list[Node | None]:
        """Thoughts, entities and observations; None for those that do not exist or may not be read."""
        found = await items.rows(self._graph, view, ids, whole=True)
        return [_node(found[id], view) if id in found else None for id in ids]

    async def beliefs(self, view: View, ids: Sequence[str], *, as_of: datetime | None) -> list[Belief]:
        """What was believed about each thought at a time; by default now."""
        now = checks.moment(as_of) or datetime.now(UTC)
        found = await items.rows(self._graph, view, ids, length=1, as_of=now)
        return [_belief(found.get(id), view, now) for id in ids]

    async def linked(
        self, view: View, ids: Sequence[str], *, link: Linking, **page: Any
    ) -> list[Page[Edge[str]]]:
        """The thoughts that link to each node in one way, oldest first."""
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
        self, query: Query[Neighbours], pages: Pages, ids: Sequence[str], **chosen: Any
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
        by_id = {row["id"]: Action(view=view, **row) for row in found}
        return [by_id.get(id) for id in ids]

    async def recalls(self, view: View, ids: Sequence[str], **page: Any) -> list[Page[RecallEdge[str]]]:
        """What each thought recalled, by rank."""
        pages = Pages(view, "recalls", **page)
        after = list(pages.begin(ids, "is", (-1, "")))
        found = await self._graph.run(
            READ_RECALLS, {**of_nodes(view, ids), "after": after, "take": pages.first + 1}
        )
        return pages.of(ids, found, _recall_edge)

    async def related(
        self,
        view: View,
        ids: Sequence[str],
        *,
        types: tuple[str, ...],
        direction: RelationDirection | None,
        **page: Any,
    ) -> list[Page[ThoughtRelationEdge[str]]]:
        """The relations of each thought of these types, in both directions unless one is given."""
        pages = Pages(view, f"related {types} {direction}", **page)
        after = list(pages.begin(ids, "sss", ("", "", "")))
        chosen: Parameters = {"types": list(types), "direction": direction or "both", "after": after}
        found = await self._graph.run(
            READ_RELATED, {**of_nodes(view, ids), **chosen, "take": pages.first + 1}
        )
        return pages.of(
            ids,
            found,
            lambda row, cursor: ThoughtRelationEdge(
                cursor=cursor,
                node=row["id"],
                type=row["type"],
                direction=row["direction"],
                weight=row["weight"],
                note=row["note"],
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
        query: Query[tuple[str, int]],
        view: View,
        ids: Sequence[str],
        as_of: datetime | None,
        history: bool,
        **more: str,
    ) -> list[int]:
        found = await self._graph.run(query, {**_at(view, ids, as_of, history), **more})
        counts = dict(found)
        return [counts[id] for id in ids]


def _at(view: View, ids: Sequence[str], as_of: datetime | None, history: bool) -> Parameters:
    """The entities, and the time at which facts and relations are read, or all times."""
    return {
        "ids": list(ids),
        "namespace": view.namespace,
        "as_of": checks.moment(as_of) or datetime.now(UTC),
        "history": history,
    }


def _edge(row: Mapping[str, Any], cursor: str) -> Edge[str]:
    return Edge(cursor=cursor, node=row["id"])


def _recall_edge(row: Mapping[str, Any], cursor: str) -> RecallEdge[str]:
    stored = row["recall"]
    known = {name: stored.get(name) for name in ("score", "cosine", "via")}
    return RecallEdge(
        cursor=cursor, node=row["id"], rank=row["rank"], parts=items.score_parts(stored), **known
    )


def _relation_edge(row: Mapping[str, Any], cursor: str) -> RelationEdge[str]:
    relation = relation_members(row["properties"])
    relation["properties"] = jsonable(relation["properties"])
    return RelationEdge(
        cursor=cursor, node=row["id"], type=row["type"], direction=row["direction"], **relation
    )


def _node(row: NodeRow, view: View) -> Node:
    """The node of a row."""
    stored = row["properties"]
    if row["kind"] == "thought":
        replica = stored.get("replica")
        return Thought(
            view=view,
            id=stored["id"],
            content=stored.get("content"),
            said_by=said_by_of(stored),
            outside_chain=row["outside_chain"],
            replica=replica if isinstance(replica, str) else None,
            **members(ThoughtMembers, stored),
        )
    if row["kind"] == "entity":
        return Entity(
            view=view,
            said_by=said_by_of(stored),
            data=json_object(stored.get("data")),
            **members(EntityMembers, stored),
        )
    details = items.details(row)
    return Observation(
        view=view,
        id=stored["id"],
        content=stored.get("content"),
        entity_id=row["entity"].id if row["entity"] else None,
        said_by=said_by_of(stored),
        learned_from=details["learned_from"],
        supersedes=next(iter(details["supersedes"]), None),
        superseded_by=details["superseded_by"],
        **members(ObservationMembers, stored),
    )


def _belief(row: NodeRow | None, view: View, as_of: datetime) -> Belief:
    """What was believed about a thought at a time, by what was readable then."""
    verdict: BeliefVerdict = "held"
    redacted_at = row and row["properties"].get("redacted_at")
    if row is None:
        verdict = "unknown"
    elif redacted_at and redacted_at <= as_of:
        verdict = "redacted"
    elif row["revised_by"]:
        verdict = "revised"
    elif row["contradicted_by"]:
        verdict = "contradicted"
    elif row["solved_by"]:
        verdict = "solved"
    return Belief(
        view=view,
        revised_by=row and row["revised_by"],
        solved_by=row and row["solved_by"],
        contradicted_by=row and row["contradicted_by"],
        as_of=as_of,
        verdict=verdict,
    )
