"""Lists what a namespace has, in the order of ids or names: sessions, actions, labels, authors and tags."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from legacymind.db.query import Parameters, load
from legacymind.model.graph import (
    Action,
    Author,
    Chain,
    Edge,
    Namespace,
    Page,
    Session,
    SessionFilter,
    Tag,
    View,
)
from legacymind.operations.pages import LAST_SECOND
from legacymind.services.nodes.pages import Pages
from legacymind.services.nodes.sessions import SessionReads
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES
from legacymind.services.shared.service import Service
from legacymind.text import keys

LIST_ACTIONS = load("nodes/list_actions", dict[str, Any], writes=False)
LIST_SESSIONS = load("nodes/list_sessions", list[str], writes=False)
LIST_CHAINS = load("nodes/list_chains", list[str], writes=False)
LIST_AUTHORS = load("nodes/list_authors", list[str], writes=False)


LIST_LATEST_SESSIONS = load("nodes/list_latest_sessions", tuple[str, list[Any]], writes=False)


COUNT_SESSIONS = load("nodes/count_sessions", int, writes=False)
COUNT_ENTITIES = load("nodes/count_entities", int, writes=False)
COUNT_FACTS = load("nodes/count_facts", int, writes=False)


LIST_TAGS = load("nodes/list_tags", Tag, writes=False)


FEW: Final = 1_000
"""Sessions of which the last thoughts are read to find the latest ones."""

Item = TypeVar("Item")


class NodeLists(Service):
    """Lists of a namespace. Each page begins at its place in an index; for its arguments see NodeReads."""

    _sessions: SessionReads

    async def sessions(self, view: View, *, first: int, after: str | None) -> Page[Edge[Session]]:
        """The sessions, also those that are known only from their thoughts."""
        pages = Pages(view, "sessions", first, after)
        (ids,) = await self._graph.run(
            LIST_SESSIONS, {"namespace": view.namespace, "after": _begin(pages), "take": first + 1}
        )
        found = await self._sessions.sessions(view, ids)
        page = _page(pages, [(one.id, one) for one in found if one is not None])
        return replace(page, count=partial(self._count_sessions, view))

    async def sessions_that(
        self, view: View, wanted: SessionFilter, *, by_id: bool, first: int, after: str | None
    ) -> Page[Edge[Session]]:
        """The sessions that pass a filter, by id or by the time of their last visible thought.

        Each page reads a thought or two of every session; without a filter and with many sessions, the latest
        thoughts of the namespace. Sessions that are known only from thoughts are left out.
        """
        author, text = checks.key("author", wanted.get("author")), checks.key("text", wanted.get("text"))
        pages = Pages(view, f"sessions {by_id} {author} {text}", first, after)
        found = await self._graph.run(
            LIST_LATEST_SESSIONS,
            {
                "namespace": view.namespace,
                "own_session": view.own_session,
                "author": author,
                "text": text and text.strip().lower(),
                "by_id": by_id,
                "after": list(pages.begin([""], "TNs", (-LAST_SECOND, 0, ""))),
                "take": first + 1,
                "few": FEW,
            },
        )
        read = await self._sessions.sessions(view, [name for name, _ in found])
        placed: list[dict[str, Any]] = [
            {"item": one, "position": position}
            for (_, position), one in zip(found, read, strict=True)
            if one is not None
        ]
        page = pages.page("", placed, lambda row, cursor: Edge(cursor=cursor, node=row["item"]))
        return page if author or text else replace(page, count=partial(self._count_sessions, view))

    async def _count_sessions(self, view: View) -> int:
        (count,) = await self._graph.run(COUNT_SESSIONS, {"namespace": view.namespace})
        return count

    async def count_entities(self, view: View, *, entity_type: str | None, as_of: datetime | None) -> int:
        """The number of entities that are valid at a time, all or of a type."""
        (count,) = await self._graph.run(
            COUNT_ENTITIES,
            {
                "namespace": view.namespace,
                "type_key": None if entity_type is None else keys.normalised(entity_type),
                "as_of": checks.moment(as_of) or datetime.now(UTC),
            },
        )
        return count

    async def count_facts(self, view: View, *, as_of: datetime | None) -> int:
        """The number of facts that are true at a time."""
        (count,) = await self._graph.run(
            COUNT_FACTS,
            {"namespace": view.namespace, "as_of": checks.moment(as_of) or datetime.now(UTC)},
        )
        return count

    async def actions(self, view: View, *, first: int, after: str | None) -> Page[Edge[Action]]:
        """The actions to which visible thoughts led."""
        pages = Pages(view, "actions", first, after)
        found = await self._graph.run(LIST_ACTIONS, _names(view, pages, first))
        return _page(
            pages,
            [(row["id"], Action(view=view, **row)) for row in found],
        )

    async def chains(self, view: View, *, first: int, after: str | None) -> Page[Edge[Chain]]:
        """The labels that visible thoughts have."""
        pages = Pages(view, "chains", first, after)
        (names,) = await self._graph.run(LIST_CHAINS, _names(view, pages, first))
        return _page(pages, [(name, Chain(view=view, id=name)) for name in names])

    async def authors(self, view: View, *, first: int, after: str | None) -> Page[Edge[Author]]:
        """The authors of visible thoughts."""
        pages = Pages(view, "authors", first, after)
        (names,) = await self._graph.run(LIST_AUTHORS, _names(view, pages, first))
        return _page(pages, [(name, Author(name=name)) for name in names])

    async def tags(self, view: View, *, first: int, after: str | None) -> Page[Edge[Tag]]:
        """The tags of visible thoughts. Each page reads all thoughts of the namespace."""
        pages = Pages(view, "tags", first, after)
        found = await self._graph.run(LIST_TAGS, _names(view, pages, first))
        return _page(pages, [(tag.name, tag) for tag in found])

    async def namespaces(self, *, first: int, after: str | None) -> Page[Edge[Namespace]]:
        """The namespaces that a caller may use."""
        pages = Pages(View("", ""), "namespaces", first, after)
        begin = _begin(pages)
        if allowed := checks.fixed_namespaces(self._settings):
            names = sorted(name for name in allowed if name > begin)[: first + 1]
        else:
            (names,) = await self._graph.run(LIST_NAMESPACES, {"after": begin, "take": first + 1})
        return _page(pages, [(name, Namespace(name=name)) for name in names])


def _begin(pages: Pages) -> str:
    return str(pages.begin([""], "s", ("",))[0])


def _names(view: View, pages: Pages, first: int) -> Parameters:
    return {
        "namespace": view.namespace,
        "own_session": view.own_session,
        "after": _begin(pages),
        "take": first + 1,
    }


def _page(pages: Pages, items: Iterable[tuple[str, Item]]) -> Page[Edge[Item]]:
    placed: list[dict[str, Any]] = [{"item": item, "position": (key,)} for key, item in items]
    return pages.page("", placed, lambda row, cursor: Edge(cursor=cursor, node=row["item"]))
