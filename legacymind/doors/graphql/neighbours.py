"""The fields that lead from a node to others, and from the query to nodes."""

from datetime import datetime
from typing import Final

import strawberry
from strawberry.types.field import StrawberryField

from legacymind.doors.graphql import resolvers
from legacymind.doors.graphql.fields import PAGED, REQUIRED, Argument, Fields, Resolve
from legacymind.doors.graphql.loaders import Loaders, OfRequest
from legacymind.model.base import Relation
from legacymind.operations.descriptions import describe
from legacymind.services.nodes.pages import MAX_PAGE
from legacymind.services.shared import parameters
from legacymind.services.shared.visibility import OwnSessionId

_GLOBAL: Final = Argument("id", strawberry.ID, "`id` of the node.", REQUIRED, "id")
_GLOBALS: Final = Argument("ids", list[strawberry.ID], f"`id` of each node, at most {MAX_PAGE}.", REQUIRED)
_ID: Final = Argument("id", strawberry.ID, "`databaseId`, with or without the prefix `thoughts:`.", REQUIRED)
OWN: Final = Argument("own_session_id", strawberry.ID, describe(OwnSessionId, None).long)
NAMESPACE: Final = Argument("namespace", str, describe(parameters.Namespace, None).long)
_AS_OF: Final = Argument("as_of", datetime, "Time at which they must be true. Default: now.")
_BELIEVED: Final = Argument("as_of", datetime, "The time. Default: now.")
_FROM_STEP: Final = Argument("from_step", int, "Only this step of its chain and later ones. Default: all.")
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
            fields.of_node(name, "Thought | None", description, resolvers.linked(member))
            for name, description, member in (
                ("follows", "The thought before it in its line of thought.", "previous_thought_id"),
                ("revises", "The thought that it revises.", "revises_thought"),
                ("branches_from", "The thought from which it branches.", "branch_from"),
                ("parent", "The thought above it in the tree of its session.", "parent_id"),
            )
        ),
        *(
            fields.of_node(name, "ThoughtConnection", description, resolvers.linking(link), *PAGED)
            for name, description, link in _LINKING
        ),
        fields.of_node(
            "recalls", "RecallConnection", "Memories that it recalled, best first.", resolvers.recalls, *PAGED
        ),
        fields.of_node(
            "belief",
            "Belief",
            "What was believed about it at a time: whether it was revised, solved, contradicted or redacted.",
            resolvers.belief,
            _BELIEVED,
        ),
        fields.of_node("session", "Session | None", "Its session.", resolvers.session),
        fields.of_node("action", "Action | None", "The action that it led to.", resolvers.action),
    ]


def of_belief(fields: Fields) -> list[StrawberryField]:
    """The fields of a belief about a thought."""
    return [
        fields.of_node(
            "revised_by", "Thought | None", "Its latest revision by then.", resolvers.linked("revised_by")
        ),
        fields.of_node(
            "solved_by", "Thought | None", "Its best solution by then.", resolvers.linked("solved_by")
        ),
        fields.of_node(
            "contradicted_by",
            "Node | None",
            "What contradicted it most strongly by then.",
            resolvers.contradiction,
        ),
    ]


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
            resolvers.observations,
            *PAGED,
            _AS_OF,
            _HISTORY,
        ),
        fields.of_node(
            "relations",
            "RelationConnection",
            "Its relations to other entities, by type, then by name.",
            resolvers.relations,
            *PAGED,
            direction,
            _AS_OF,
            _HISTORY,
        ),
    ]


def of_observation(fields: Fields) -> list[StrawberryField]:
    """The fields of an observation."""
    return [
        fields.of_node("entity", "Entity | None", "The entity that it is about.", resolvers.about),
        fields.of_node(
            "learned_from",
            "list[Thought]",
            "The thoughts that led to it and that you may read.",
            resolvers.learned_from,
        ),
        fields.of_node(
            "supersedes", "Observation | None", "The fact that it replaced.", resolvers.supersedes
        ),
        fields.of_node(
            "superseded_by", "Observation | None", "The fact that replaced it.", resolvers.superseded_by
        ),
    ]


def of_session(fields: Fields) -> list[StrawberryField]:
    """The fields of a session."""
    units = fields.names["TimeUnit"]
    unit = Argument("unit", units, "Length of a span.", units("hour"))
    return [
        _in_time(fields, "Its thoughts in time.", resolvers.session_thoughts, _FROM_STEP),
        fields.of_node(
            "chain",
            "ChainReport | None",
            "Verification of its hash chain, with a verdict. It reads the whole session.",
            resolvers.chain,
        ),
        fields.of_node(
            "facets", "Facets", "What its thoughts have in common. It reads all of them.", resolvers.facets
        ),
        fields.of_node(
            "timeline",
            "list[Span]",
            "The latest 1,000 spans of time with thoughts, in order. It reads all of them.",
            resolvers.timeline,
            unit,
        ),
    ]


def of_action(fields: Fields) -> list[StrawberryField]:
    """The fields of an action."""
    return [
        fields.of_node(
            "thoughts",
            "ThoughtConnection",
            "Thoughts that led to it, oldest first.",
            resolvers.action_thoughts,
            *PAGED,
        )
    ]


def of_chain(fields: Fields) -> list[StrawberryField]:
    """The fields of a label."""
    return [_in_time(fields, "Its thoughts in time, over all sessions.", resolvers.chain_thoughts)]


def _in_time(fields: Fields, description: str, resolve: Resolve, *others: Argument) -> StrawberryField:
    orders = fields.names["ThreadOrder"]
    order = Argument("order", orders, "Oldest or latest first.", orders("created_at_asc"))
    return fields.of_node("thoughts", "ThoughtConnection", description, resolve, *PAGED, order, *others)


def of_list(fields: Fields) -> StrawberryField:
    """The field of a list with its size."""
    return fields.of_node(
        "total_count",
        "int | None",
        "Number of items on all pages, which a statement of its own counts; null where that would read each "
        "of them. Of sessions, those with a chain, also if you may read none of their thoughts.",
        resolvers.total,
    )


def of_result(fields: Fields) -> list[StrawberryField]:
    """The field of what `think` answers."""
    return [fields.of_node("thought", "Thought | None", "The thought that was stored.", resolvers.stored)]


def of_query(fields: Fields, of_request: OfRequest) -> list[StrawberryField]:
    """The fields of the query."""
    nodes = [
        fields.of_query(
            of_request, name, kind, f"{what}; null if you may read none.", resolve, _ID, OWN, NAMESPACE
        )
        for name, kind, what, resolve in (
            ("thought", "Thought | None", "A thought by its id", resolvers.found(Loaders.thought)),
            (
                "entity",
                "Entity | None",
                "An entity by its id, or by that of an entity that was merged into it",
                resolvers.found(Loaders.entity),
            ),
            ("observation", "Observation | None", "A fact by its id", resolvers.found(Loaders.observation)),
        )
    ]
    return [
        fields.of_query(
            of_request,
            "node",
            "Node | None",
            "A node by its global id; null if you may read none.",
            resolvers.node,
            _GLOBAL,
        ),
        fields.of_query(
            of_request,
            "nodes",
            "list[Node | None] | None",
            "Nodes by their global ids, in this order; null for those that you may not read.",
            resolvers.nodes,
            _GLOBALS,
        ),
        *nodes,
        fields.of_query(
            of_request,
            "session",
            "Session | None",
            "A session by its id, with its private thoughts.",
            resolvers.session_by_id,
            Argument("id", strawberry.ID, "`databaseId` of the session.", REQUIRED),
            NAMESPACE,
        ),
        fields.of_query(
            of_request,
            "action",
            "Action | None",
            "An action by its id.",
            resolvers.found(Loaders.action),
            Argument("id", strawberry.ID, "`databaseId` of the action.", REQUIRED),
            OWN,
            NAMESPACE,
        ),
        *_lists(fields, of_request),
        fields.of_query(
            of_request,
            "timeline",
            "list[Span] | None",
            "The latest 1,000 spans of time with thoughts of the namespace, in order. It reads all of these.",
            resolvers.spans,
            Argument("unit", fields.names["TimeUnit"], "Length of a span.", fields.names["TimeUnit"]("day")),
            Argument("since", datetime, "Time from which thoughts count. Default: 30 days ago."),
            OWN,
            NAMESPACE,
        ),
        *(
            fields.of_query(
                of_request, name, kind, description, resolvers.listed(name), *PAGED, OWN, NAMESPACE
            )
            for name, kind, description in (
                ("actions", "ActionConnection | None", "The actions, in the order of their ids."),
                ("chains", "ChainConnection | None", "The labels (`chainId`) of thoughts, in order."),
                (
                    "authors",
                    "AuthorConnection | None",
                    "The authors of thoughts, in the order of their names.",
                ),
                (
                    "tags",
                    "TagConnection | None",
                    "The tags of thoughts, in order. Each page reads all thoughts of the namespace.",
                ),
            )
        ),
        fields.of_query(
            of_request,
            "namespaces",
            "NamespaceConnection | None",
            "The namespaces that you may use, in the order of their names.",
            resolvers.namespaces,
            *PAGED,
        ),
        fields.of_query(
            of_request, "may_write", "bool | None", "Whether your token may write.", resolvers.may_write
        ),
    ]


def _lists(fields: Fields, of_request: OfRequest) -> list[StrawberryField]:
    """The lists of sessions, thoughts, entities and facts, with an order or filters."""
    times, sessions = fields.names["ThreadOrder"], fields.names["SessionOrder"]
    filters = Argument("filter", fields.names["Filters"], "What they must have, as in a search.")
    latest = Argument("order", times, "Oldest or latest first.", times("created_at_desc"))
    return [
        fields.of_query(
            of_request,
            "sessions",
            "SessionConnection | None",
            "The sessions. Ordered by `LATEST`, or with a filter, those without a chain are left out. With a "
            "filter, each page reads a thought or two of every session.",
            resolvers.sessions,
            *PAGED,
            Argument("order", sessions, "By id, or the latest first.", sessions("id")),
            Argument("filter", fields.names["SessionFilter"], "Which of them."),
            OWN,
            NAMESPACE,
        ),
        fields.of_query(
            of_request,
            "thoughts",
            "ThoughtConnection | None",
            "The thoughts in time, over all sessions.",
            resolvers.thoughts,
            *PAGED,
            latest,
            filters,
            OWN,
            NAMESPACE,
        ),
        fields.of_query(
            of_request,
            "entities",
            "EntityConnection | None",
            "The entities that are valid, in the order of their names.",
            resolvers.entities,
            *PAGED,
            Argument("entity_type", str, "Only entities of this type."),
            _AS_OF,
            NAMESPACE,
        ),
        fields.of_query(
            of_request,
            "observations",
            "ObservationConnection | None",
            "The facts that are true, over all entities, in the order in which they were stored.",
            resolvers.facts,
            *PAGED,
            latest,
            Argument("about", list[str], "Only facts about these entities, by names or ids."),
            _AS_OF,
            NAMESPACE,
        ),
    ]
