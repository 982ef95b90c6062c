"""The fields that lead from a node to others, and from the query to nodes."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Final

import strawberry
from strawberry.types.field import StrawberryField

from legacymind.doors.graphql.fields import PAGED, REQUIRED, Argument, Fields, Resolve
from legacymind.doors.graphql.loaders import Loaders, OfRequest
from legacymind.model.base import Relation
from legacymind.model.chain import ChainReport
from legacymind.model.graph import (
    Edge,
    Entity,
    Node,
    Observation,
    Page,
    RecallEdge,
    RelationEdge,
    Session,
    Thought,
    View,
)
from legacymind.operations.descriptions import describe
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.visibility import OwnSessionId

_ID: Final = Argument("id", strawberry.ID, "Id, with or without the prefix `thoughts:`.", REQUIRED)
_OWN: Final = Argument("own_session_id", strawberry.ID, describe(OwnSessionId, None).long)
_NAMESPACE: Final = Argument("namespace", str, describe(Namespace, None).long)
_AS_OF: Final = Argument("as_of", datetime, "Time at which they must be true. Default: now.")
_HISTORY: Final = Argument("history", bool, "Include what is not true at `asOf`. Default: false.", False)

_LINKING: Final[tuple[tuple[str, str, Relation], ...]] = (
    ("followed_by", "Thoughts that follow it, oldest first.", "FOLLOWS"),
    ("revisions", "Thoughts that revise it, oldest first.", "REVISES"),
    ("branches", "Thoughts that branch from it, oldest first.", "BRANCHES_FROM"),
    ("children", "Thoughts below it in the tree of its session, oldest first.", "CHILD_OF"),
)


def of_thought(fields: Fields) -> list[StrawberryField]:
    """The fields of a thought."""
    return [
        *(
            fields.of_node(name, "Thought | None", description, _linked(member))
            for name, description, member in (
                ("follows", "The thought before it in its line of thought.", "previous_thought_id"),
                ("revises", "The thought that it revises.", "revises_thought"),
                ("branches_from", "The thought from which it branches.", "branch_from"),
                ("parent", "The thought above it in the tree of its session.", "parent_id"),
            )
        ),
        *(
            fields.of_node(name, "ThoughtConnection", description, _linking(link), *PAGED)
            for name, description, link in _LINKING
        ),
        fields.of_node(
            "recalls", "RecallConnection", "Memories that it recalled, best first.", _recalls, *PAGED
        ),
        fields.of_node("session", "Session | None", "Its session.", _session),
    ]


def of_recall(fields: Fields) -> list[StrawberryField]:
    """The fields of an edge to a recalled memory."""
    return [fields.of_node("node", "Node | None", "The memory; null if it was deleted just now.", _memory)]


def of_entity(fields: Fields) -> list[StrawberryField]:
    """The fields of an entity."""
    direction = Argument(
        "direction", fields.names["RelationDirection"], "Only relations of this direction. Default: both."
    )
    return [
        fields.of_node(
            "observations",
            "ObservationConnection",
            "Facts about it, latest first.",
            _observations,
            *PAGED,
            _AS_OF,
            _HISTORY,
        ),
        fields.of_node(
            "relations",
            "RelationConnection",
            "Its relations to other entities, by type, then by name.",
            _relations,
            *PAGED,
            direction,
            _AS_OF,
            _HISTORY,
        ),
    ]


def of_observation(fields: Fields) -> list[StrawberryField]:
    """The fields of an observation."""
    return [
        fields.of_node("entity", "Entity | None", "The entity that it is about.", _about),
        fields.of_node(
            "learned_from",
            "list[Thought]",
            "The thoughts that led to it and that you may read.",
            _learned_from,
        ),
        fields.of_node("supersedes", "Observation | None", "The fact that it replaced.", _supersedes),
        fields.of_node("superseded_by", "Observation | None", "The fact that replaced it.", _superseded_by),
    ]


def of_session(fields: Fields) -> list[StrawberryField]:
    """The fields of a session."""
    kind = fields.names["ThreadOrder"]
    order = Argument("order", kind, "Oldest or latest first.", kind("created_at_asc"))
    return [
        fields.of_node(
            "thoughts", "ThoughtConnection", "Its thoughts in time.", _session_thoughts, *PAGED, order
        ),
        fields.of_node(
            "chain",
            "ChainReport | None",
            "Verification of its hash chain, with a verdict. It reads the whole session.",
            _chain,
        ),
    ]


def of_query(fields: Fields, of_request: OfRequest) -> list[StrawberryField]:
    """The fields of the query."""
    nodes = [
        fields.of_query(
            of_request, name, kind, f"{what}; null if you may read none.", resolve, _ID, _OWN, _NAMESPACE
        )
        for name, kind, what, resolve in (
            ("node", "Node | None", "A thought, an entity or an observation by its id", _found(Loaders.node)),
            ("thought", "Thought | None", "A thought by its id", _found(Loaders.thought)),
            (
                "entity",
                "Entity | None",
                "An entity by its id, or by that of an entity that was merged into it",
                _found(Loaders.entity),
            ),
            ("observation", "Observation | None", "A fact by its id", _found(Loaders.observation)),
        )
    ]
    return [
        *nodes,
        fields.of_query(
            of_request,
            "session",
            "Session | None",
            "A session by its id, with its private thoughts.",
            _session_by_id,
            Argument("id", strawberry.ID, "Id of the session.", REQUIRED),
            _NAMESPACE,
        ),
        fields.of_query(
            of_request,
            "sessions",
            "SessionConnection | None",
            "The sessions of the namespace, in the order of their ids.",
            _sessions,
            *PAGED,
            _OWN,
            _NAMESPACE,
        ),
    ]


# --- resolvers -----------------------------------------------------------------------------------


def _found(find: Callable[[Loaders, View, str], Awaitable[Any]]) -> Resolve:
    async def resolve(loaders: Loaders, id: str, own_session_id: str | None, namespace: str | None) -> Any:
        view = loaders.reads.view(namespace, own_session_id)
        return await find(loaders, view, checks.thought_id("id", id))

    return resolve


async def _session_by_id(loaders: Loaders, id: str, namespace: str | None) -> Session | None:
    return await loaders.session(loaders.reads.view_of_session(namespace, id), id)


async def _sessions(
    loaders: Loaders, own_session_id: str | None, namespace: str | None, **page: Any
) -> Page[Edge[Session]]:
    return await loaders.reads.session_page(loaders.reads.view(namespace, own_session_id), **page)


def _linked(member: str) -> Resolve:
    async def resolve(loaders: Loaders, thought: Thought) -> Thought | None:
        return await loaders.thought(thought.view, getattr(thought, member))

    return resolve


def _linking(link: Relation) -> Resolve:
    async def resolve(loaders: Loaders, thought: Thought, **page: Any) -> Page[Edge[Thought]]:
        return await loaders.page(loaders.reads.linked, thought.view, thought.id, link=link, **page)

    return resolve


async def _recalls(loaders: Loaders, thought: Thought, **page: Any) -> Page[RecallEdge]:
    return await loaders.recalls(thought.view, thought.id, **page)


async def _memory(loaders: Loaders, edge: RecallEdge) -> Node | None:
    return await loaders.node(edge.view, edge.node_id)


async def _session(loaders: Loaders, thought: Thought) -> Session | None:
    return await loaders.session(thought.view, thought.session_id)


async def _observations(loaders: Loaders, entity: Entity, **page: Any) -> Page[Edge[Observation]]:
    return await loaders.page(loaders.reads.observations, entity.view, entity.id, **page)


async def _relations(loaders: Loaders, entity: Entity, **page: Any) -> Page[RelationEdge]:
    return await loaders.page(loaders.reads.relations, entity.view, entity.id, **page)


async def _about(loaders: Loaders, fact: Observation) -> Entity | None:
    return await loaders.entity(fact.view, fact.entity_id)


async def _learned_from(loaders: Loaders, fact: Observation) -> list[Thought]:
    found = await asyncio.gather(*(loaders.thought(fact.view, id) for id in fact.learned_from))
    return [thought for thought in found if thought is not None]


async def _supersedes(loaders: Loaders, fact: Observation) -> Observation | None:
    return await loaders.observation(fact.view, fact.supersedes)


async def _superseded_by(loaders: Loaders, fact: Observation) -> Observation | None:
    return await loaders.observation(fact.view, fact.superseded_by)


async def _session_thoughts(
    loaders: Loaders, session: Session, order: str, **page: Any
) -> Page[Edge[Thought]]:
    latest_first = order == "created_at_desc"
    reads = loaders.reads
    return await loaders.page(
        reads.session_thoughts, session.view, session.id, latest_first=latest_first, **page
    )


async def _chain(loaders: Loaders, session: Session) -> ChainReport:
    return await loaders.chain(session)
