"""What the fields of the graph load: each takes the loaders of the request, a node, and arguments."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from legacymind.doors.graphql import ids as global_ids
from legacymind.doors.graphql.fields import Resolve
from legacymind.doors.graphql.loaders import Loaders
from legacymind.errors import InvalidInput
from legacymind.model.base import Relation
from legacymind.model.chain import ChainReport
from legacymind.model.graph import (
    Action,
    Belief,
    Chain,
    Edge,
    Entity,
    Facets,
    Namespace,
    Node,
    Observation,
    Page,
    RecallEdge,
    RelationEdge,
    Session,
    SessionFilter,
    SessionOrder,
    Span,
    Thought,
    TimeUnit,
    View,
)
from legacymind.model.think import ThinkResult
from legacymind.services.nodes.pages import MAX_PAGE
from legacymind.services.shared import checks

_FINDS: Final[dict[str, Callable[[Loaders, View, str], Awaitable[Any]]]] = {
    "Thought": Loaders.thought,
    "Entity": Loaders.entity,
    "Observation": Loaders.observation,
    "Session": Loaders.session,
    "Action": Loaders.action,
    "Chain": Loaders.label,
}
"""Finds a node of a type."""


def found(find: Callable[[Loaders, View, str], Awaitable[Any]]) -> Resolve:
    """A node of the query, by its id."""

    async def resolve(loaders: Loaders, id: str, own_session_id: str | None, namespace: str | None) -> Any:
        view = loaders.reads.view(namespace, own_session_id)
        return await find(loaders, view, checks.thought_id("id", id))

    return resolve


async def node(loaders: Loaders, id: str) -> Any:
    """A node by its global id."""
    kind, read, of = global_ids.decode(id)
    if kind not in _FINDS:
        raise global_ids.malformed(id)
    view = loaders.reads.view(checks.key("id", read.namespace), read.own_session or None)
    return await _FINDS[kind](loaders, view, checks.key("id", of))


async def nodes(loaders: Loaders, ids: list[str]) -> list[Any]:
    """Nodes by their global ids."""
    if len(ids) > MAX_PAGE:
        raise InvalidInput(f"{len(ids)} ids were sent; the limit is {MAX_PAGE}.", hint="Send them in parts.")
    return await asyncio.gather(*(node(loaders, id) for id in ids))


async def session_by_id(loaders: Loaders, id: str, namespace: str | None) -> Session | None:
    """A session by its id."""
    return await loaders.session(loaders.reads.view_of_session(namespace, id), id)


def listed(name: str) -> Resolve:
    """A list of a namespace."""

    async def resolve(
        loaders: Loaders, own_session_id: str | None, namespace: str | None, **page: Any
    ) -> Page[Any]:
        view = loaders.reads.view(namespace, own_session_id)
        return await getattr(loaders.lists, name)(view, **page)

    return resolve


async def sessions(
    loaders: Loaders,
    order: SessionOrder,
    filter: SessionFilter | None,
    own_session_id: str | None,
    namespace: str | None,
    **page: Any,
) -> Page[Edge[Session]]:
    """The sessions."""
    view = loaders.reads.view(namespace, own_session_id)
    if order == "id" and not filter:
        return await loaders.lists.sessions(view, **page)
    return await loaders.lists.sessions_that(view, filter or {}, by_id=order == "id", **page)


async def thoughts(
    loaders: Loaders,
    order: str,
    filter: dict[str, Any] | None,
    own_session_id: str | None,
    namespace: str | None,
    **page: Any,
) -> Page[Edge[Any]]:
    """The thoughts that a search without a query lists."""
    given = {"kinds": ["thought"], "order": order, "own_session_id": own_session_id, **(filter or {})}
    own = (filter or {}).get("session_id") or own_session_id
    return await loaders.found("search", loaders.reads.view(namespace, own), given, **page)


async def entities(
    loaders: Loaders, entity_type: str | None, as_of: datetime | None, namespace: str | None, **page: Any
) -> Page[Edge[Any]]:
    """The entities in the order of their names."""
    view = loaders.reads.view(namespace, None)
    given: dict[str, Any] = {"entity_type": entity_type, "as_of": as_of}
    count = partial(loaders.lists.count_entities, view, **given)
    return await loaders.found("list_entities", view, given, count=count, **page)


async def facts(
    loaders: Loaders,
    order: str,
    about: list[str] | None,
    as_of: datetime | None,
    namespace: str | None,
    **page: Any,
) -> Page[Edge[Any]]:
    """The facts that a search without a query lists."""
    view = loaders.reads.view(namespace, None)
    given = {"kinds": ["observation"], "order": order, "about": about, "as_of": as_of}
    count = None if about else partial(loaders.lists.count_facts, view, as_of=as_of)
    return await loaders.found("search", view, given, count=count, **page)


async def total(loaders: Loaders, page: Page[Any]) -> int | None:
    """The number of items on all pages."""
    return await page.count() if page.count else None


async def stored(loaders: Loaders, result: ThinkResult) -> Thought | None:
    """The thought that was stored."""
    session, reads = result.links.session_id, loaders.reads
    view = (
        reads.view(result.namespace, None)
        if session is None
        else reads.view_of_session(result.namespace, session)
    )
    return await loaders.thought(view, result.delegated_result.thought_id.removeprefix("thoughts:"))


async def may_write(loaders: Loaders) -> bool:
    """Whether the caller may write."""
    return loaders.writes


async def namespaces(loaders: Loaders, **page: Any) -> Page[Edge[Namespace]]:
    """The namespaces."""
    return await loaders.lists.namespaces(**page)


def linked(member: str) -> Resolve:
    """The thought whose id is a member of another."""

    async def resolve(loaders: Loaders, thought: Thought | Belief) -> Thought | None:
        return await loaders.thought(thought.view, getattr(thought, member))

    return resolve


def linking(link: Relation) -> Resolve:
    """The thoughts that link to one."""

    async def resolve(loaders: Loaders, thought: Thought, **page: Any) -> Page[Edge[Thought]]:
        return await loaders.page(loaders.reads.linked, thought.view, thought.id, link=link, **page)

    return resolve


async def belief(loaders: Loaders, thought: Thought, as_of: datetime | None) -> Belief:
    """What was believed about a thought."""
    return await loaders.belief(thought, as_of)


async def contradiction(loaders: Loaders, belief: Belief) -> Node | None:
    """What contradicted a thought."""
    return await loaders.node(belief.view, belief.contradicted_by)


async def recalls(loaders: Loaders, thought: Thought, **page: Any) -> Page[RecallEdge[Node]]:
    """What a thought recalled."""
    return await loaders.page(loaders.reads.recalls, thought.view, thought.id, **page)


async def session(loaders: Loaders, thought: Thought) -> Session | None:
    """The session of a thought."""
    return await loaders.session(thought.view, thought.session_id)


async def observations(loaders: Loaders, entity: Entity, **page: Any) -> Page[Edge[Observation]]:
    """The facts about an entity."""
    return await loaders.page(loaders.reads.observations, entity.view, entity.id, **page)


async def relations(loaders: Loaders, entity: Entity, **page: Any) -> Page[RelationEdge[Entity]]:
    """The relations of an entity."""
    return await loaders.page(loaders.reads.relations, entity.view, entity.id, **page)


async def about(loaders: Loaders, fact: Observation) -> Entity | None:
    """The entity of a fact."""
    return await loaders.entity(fact.view, fact.entity_id)


async def learned_from(loaders: Loaders, fact: Observation) -> list[Thought]:
    """The sources of a fact."""
    found = await asyncio.gather(*(loaders.thought(fact.view, id) for id in fact.learned_from))
    return [thought for thought in found if thought is not None]


async def supersedes(loaders: Loaders, fact: Observation) -> Observation | None:
    """The fact before a fact."""
    return await loaders.observation(fact.view, fact.supersedes)


async def superseded_by(loaders: Loaders, fact: Observation) -> Observation | None:
    """The fact after a fact."""
    return await loaders.observation(fact.view, fact.superseded_by)


async def action(loaders: Loaders, thought: Thought) -> Action | None:
    """The action of a thought."""
    return await loaders.action(thought.view, thought.action_id)


async def action_thoughts(loaders: Loaders, action: Action, **page: Any) -> Page[Edge[Thought]]:
    """The thoughts that led to an action."""
    return await loaders.page(loaders.reads.linked, action.view, action.id, link="FOR_ACTION", **page)


async def session_thoughts(
    loaders: Loaders, session: Session, order: str, **page: Any
) -> Page[Edge[Thought]]:
    """The thoughts of a session, all or from a step on."""
    latest = order == "created_at_desc"
    read = loaders.reads.session_thoughts
    return await loaders.page(read, session.view, session.id, latest_first=latest, **page)


async def chain_thoughts(loaders: Loaders, chain: Chain, order: str, **page: Any) -> Page[Edge[Thought]]:
    """The thoughts of a label."""
    latest = order == "created_at_desc"
    return await loaders.page(loaders.reads.chain_thoughts, chain.view, chain.id, latest_first=latest, **page)


async def facets(loaders: Loaders, session: Session) -> Facets:
    """The facets of a session."""
    return await loaders.facets(session)


async def timeline(loaders: Loaders, session: Session, unit: TimeUnit) -> list[Span]:
    """The timeline of a session."""
    return await loaders.timeline(session, unit)


async def spans(
    loaders: Loaders,
    unit: TimeUnit,
    since: datetime | None,
    own_session_id: str | None,
    namespace: str | None,
) -> list[Span]:
    """The timeline of a namespace."""
    return await loaders.sessions.spans(loaders.reads.view(namespace, own_session_id), unit=unit, since=since)


async def chain(loaders: Loaders, session: Session) -> ChainReport:
    """The verification of a session."""
    return await loaders.chain(session)
