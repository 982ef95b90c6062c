"""Loads nodes and their neighbours for a request: what many nodes ask for at once is one statement."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

import strawberry
from strawberry.dataloader import DataLoader
from strawberry.extensions import SchemaExtension

from legacymind.calls import current_caller
from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from legacymind.model.chain import ChainReport
from legacymind.model.graph import (
    Action,
    Belief,
    Chain,
    Edge,
    Entity,
    Facets,
    Node,
    Observation,
    Page,
    PageInfo,
    Session,
    Span,
    Thought,
    TimeUnit,
    View,
)
from legacymind.model.values import MOST_TOKENS
from legacymind.operations.coercion import is_blank
from legacymind.services.nodes.lists import NodeLists
from legacymind.services.nodes.reads import NodeReads
from legacymind.services.nodes.sessions import SessionReads

_KEY: Final = "legacymind.loaders"
_CHAINS: Final = 4
"""Chains of a request that are verified at the same time. Each is streamed, so memory stays flat."""


class RequestContext(SchemaExtension):
    """Gives each operation a context of its own; those of a WebSocket would share one."""

    def on_operation(self) -> Iterator[None]:
        """Set the context before the document is executed."""
        self.execution_context.context = dict(self.execution_context.context or {})
        yield


class Loaders:
    """The data loaders of one request. Each remembers what it has loaded.

    ``arguments`` are those of operations, by the keys of their fields in the answer.
    """

    def __init__(self, mind: Mind) -> None:
        self.reads: Final[NodeReads] = mind.services.reads
        self.lists: Final[NodeLists] = mind.services.lists
        self.sessions: Final[SessionReads] = mind.services.session_reads
        self.arguments: Final[dict[str | int, dict[str, Any]]] = {}
        self._operations = mind.operations
        self._loaders: dict[Hashable, DataLoader[str, Any]] = {}
        self._verifying = asyncio.Semaphore(_CHAINS)

    def view_of_result(self, field: str | int) -> View:
        """What the nodes may show that a result leads to: what the operation could see."""
        given = self.arguments[field]
        sessions = (given.get(name) for name in ("own_session_id", "session_id"))
        own = next((one for one in sessions if one and not is_blank(one)), None)
        return self.reads.view(given.get("namespace"), own)

    async def may_write(self) -> bool:
        """Whether the caller may write."""
        return current_caller().may("write")

    async def node(self, view: View, id: str | None) -> Node | None:
        """A node; None if there is none that may be read."""
        return None if id is None else await self._nodes(view).load(id)

    async def thought(self, view: View, id: str | None) -> Thought | None:
        """A thought; None for a node of another kind too."""
        node = await self.node(view, id)
        return node if isinstance(node, Thought) else None

    async def entity(self, view: View, id: str | None) -> Entity | None:
        """An entity, as ``thought``."""
        node = await self.node(view, id)
        return node if isinstance(node, Entity) else None

    async def observation(self, view: View, id: str | None) -> Observation | None:
        """An observation, as ``thought``."""
        node = await self.node(view, id)
        return node if isinstance(node, Observation) else None

    async def thoughts(self, view: View, ids: Sequence[str]) -> list[Thought]:
        """Those of these thoughts that may be read."""
        found = await self._nodes(view).load_many(list(ids)) if ids else []
        return [node for node in found if isinstance(node, Thought)]

    async def belief(self, thought: Thought, as_of: datetime | None) -> Belief:
        """What was believed about a thought at a time."""
        view = thought.view
        load = partial(self.reads.beliefs, view, as_of=as_of)
        return await self._loader(("beliefs", view, as_of), load).load(thought.id)

    async def session(self, view: View, id: str | None) -> Session | None:
        """A session; None if there is none."""
        if id is None:
            return None
        return await self._loader(("sessions", view), partial(self.sessions.sessions, view)).load(id)

    async def action(self, view: View, id: str | None) -> Action | None:
        """An action; None if there is none."""
        if id is None:
            return None
        return await self._loader(("actions", view), partial(self.reads.actions, view)).load(id)

    async def label(self, view: View, id: str) -> Chain | None:
        """A label; None if no visible thought has it."""
        label = Chain(view=view, id=id)
        page = await self.page(self.reads.chain_thoughts, label, latest_first=False, first=1, after=None)
        return label if page.edges else None

    async def facets(self, session: Session) -> Facets:
        """The facets of a session."""
        view = session.view
        return await self._loader(("facets", view), partial(self.sessions.facets, view)).load(session.id)

    async def timeline(self, session: Session, unit: TimeUnit, time_zone: str) -> list[Span]:
        """The timeline of a session."""
        view = session.view
        load = partial(self.sessions.timeline, view, unit=unit, time_zone=time_zone)
        return await self._loader(("timeline", view, unit, time_zone), load).load(session.id)

    async def spans(self, own_session_id: str | None, namespace: str | None, **given: Any) -> list[Span]:
        """The timeline of a namespace."""
        return await self.sessions.spans(self.reads.view(namespace, own_session_id), **given)

    async def chain(self, session: Session) -> ChainReport:
        """The verification of a session's chain: each session once, and few at the same time."""
        namespace = session.view.namespace

        async def verify(id: str) -> ChainReport:
            async with self._verifying:
                given = {"session_id": id, "namespace": namespace}
                return await self._operations["verify_chain"].call(given)

        async def verify_all(ids: list[str]) -> list[ChainReport | BaseException]:
            # After an error, the other sessions are verified still.
            return await asyncio.gather(*map(verify, ids), return_exceptions=True)

        return await self._loader(("chain", namespace), verify_all).load(session.id)

    async def in_time(
        self, read: Callable[..., Awaitable[list[Any]]], of: Session | Chain, *, order: str, **page: Any
    ) -> Page[Edge[Thought]]:
        """A page of the thoughts of a session or label."""
        return await self.page(read, of, latest_first=order == "created_at_desc", **page)

    async def page(
        self, read: Callable[..., Awaitable[list[Any]]], of: Any, *, after: str | None, **arguments: Any
    ) -> Page[Any]:
        """The page of one node from a read of several. A cursor belongs to one node, which is read alone."""
        view: View = of.view

        async def load(ids: list[str]) -> list[Page[Edge[str]]]:
            # The nodes of all pages at once. Otherwise lists below those that are known already would be
            # read before the others.
            pages = await read(view, ids, after=after, **arguments)
            await self._nodes(view).load_many({edge.node for page in pages for edge in page.edges})
            return pages

        key = (read.__name__, view, after, after and of.id, *arguments.items())
        page = await self._loader(key, load).load(of.id)
        nodes = await self._nodes(view).load_many([edge.node for edge in page.edges])
        shown = [replace(edge, node=node) for edge, node in zip(page.edges, nodes, strict=True) if node]
        page = replace(page, edges=shown)
        count = {
            "observations": self.reads.count_observations,
            "relations": self.reads.count_relations,
        }.get(read.__name__)
        if count is None:
            return page
        counted = {name: value for name, value in arguments.items() if name != "first"}
        counts = self._loader((count.__name__, view, *counted.items()), partial(count, view, **counted))
        return replace(page, count=partial(counts.load, of.id))

    async def listed(
        self, name: str, own_session_id: str | None, namespace: str | None, **page: Any
    ) -> Page[Any]:
        """A list of a namespace."""
        return await getattr(self.lists, name)(self.reads.view(namespace, own_session_id), **page)

    async def session_list(
        self, order: str, filter: Any, own_session_id: str | None, namespace: str | None, **page: Any
    ) -> Page[Edge[Session]]:
        """The sessions."""
        view = self.reads.view(namespace, own_session_id)
        if order == "id" and not filter:
            return await self.lists.sessions(view, **page)
        return await self.lists.sessions_that(view, filter or {}, by_id=order == "id", **page)

    async def thought_list(
        self,
        order: str,
        filter: dict[str, Any] | None,
        own_session_id: str | None,
        namespace: str | None,
        **page: Any,
    ) -> Page[Edge[Any]]:
        """The thoughts that a search without a query lists."""
        given = {"kinds": ["thought"], "order": order, "own_session_id": own_session_id, **(filter or {})}
        own = (filter or {}).get("session_id") or own_session_id
        return await self._found("search", self.reads.view(namespace, own), given, **page)

    async def entity_list(
        self, entity_type: str | None, as_of: datetime | None, namespace: str | None, **page: Any
    ) -> Page[Edge[Any]]:
        """The entities in the order of their names."""
        view = self.reads.view(namespace, None)
        given: dict[str, Any] = {"entity_type": entity_type, "as_of": as_of}
        count = partial(self.lists.count_entities, view, **given)
        return await self._found("list_entities", view, given, count=count, **page)

    async def fact_list(
        self,
        order: str,
        about: list[str] | None,
        as_of: datetime | None,
        namespace: str | None,
        **page: Any,
    ) -> Page[Edge[Any]]:
        """The facts that a search without a query lists."""
        view = self.reads.view(namespace, None)
        given = {"kinds": ["observation"], "order": order, "about": about, "as_of": as_of}
        count = None if about else partial(self.lists.count_facts, view, as_of=as_of)
        return await self._found("search", view, given, count=count, **page)

    async def _found(
        self,
        name: str,
        view: View,
        arguments: dict[str, Any],
        *,
        first: int,
        after: str | None,
        count: Callable[[], Awaitable[int]] | None = None,
    ) -> Page[Edge[Any]]:
        """The nodes of a page that an operation finds. ``count`` is that of the page."""
        given = {"namespace": view.namespace, "max_tokens": MOST_TOKENS, **arguments}
        result = await self._operations[name].call({**given, "limit": max(first, 1), "after": after})
        items = result.hits if isinstance(result, SearchResult) else result.entities
        nodes = await self._nodes(view).load_many([item.id for item in items[:first]])
        page_info = PageInfo(
            has_next_page=result.next is not None or len(items) > first,
            has_previous_page=after is not None,
            start_cursor=None,
            end_cursor=result.next if first else after,
        )
        last = items[-1].id if items else None
        edges = [
            Edge(cursor=result.next if node.id == last else None, node=node)
            for node in nodes
            if node is not None
        ]
        return Page(edges=edges, page_info=page_info, count=count)

    def _nodes(self, view: View) -> DataLoader[str, Node | None]:
        return self._loader(("nodes", view), partial(self.reads.nodes, view))

    def _loader(self, key: Hashable, load: Callable[[list[str]], Awaitable[Any]]) -> DataLoader[str, Any]:
        if key not in self._loaders:
            self._loaders[key] = DataLoader(load)
        return self._loaders[key]


def loaders_of(info: strawberry.Info, mind: Mind) -> Loaders:
    """The loaders of a request."""
    return info.context.setdefault(_KEY, Loaders(mind))


def renew_loaders(context: dict[str, Any], mind: Mind) -> Loaders:
    """New loaders for the next event of a subscription, or the next change, that remember nothing older."""
    loaders = context[_KEY] = Loaders(mind)
    return loaders


def loaded(info: strawberry.Info) -> Loaders:
    """The loaders of a request whose root field has been read."""
    return info.context[_KEY]
