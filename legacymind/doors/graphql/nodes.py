"""The GraphQL types of the graph: nodes, pages of nodes, and the fields that lead from one to another.

The members are those of the records in ``model/graph.py``; ``neighbours`` has the other fields.
"""

from functools import cache
from typing import Any, Final, get_args

import strawberry
from strawberry.types.base import get_object_definition
from strawberry.types.field import StrawberryField

from legacymind.doors.graphql import ids, neighbours, subscriptions
from legacymind.doors.graphql.fields import Fields
from legacymind.doors.graphql.loaders import OfRequest
from legacymind.doors.graphql.subscriptions import Admitted
from legacymind.doors.graphql.types import PAGE_INFO, Types, first_paragraph
from legacymind.mind import Mind
from legacymind.model.base import ThreadOrder
from legacymind.model.chain import ChainReport
from legacymind.model.filters import Filters
from legacymind.model.graph import (
    Action,
    Author,
    Belief,
    Chain,
    Edge,
    Entity,
    Facets,
    Namespace,
    Node,
    Observation,
    PageInfo,
    RecallEdge,
    RelationEdge,
    Session,
    SessionFilter,
    SessionOrder,
    Span,
    Tag,
    Thought,
    ThoughtAdded,
    TimeUnit,
)
from legacymind.model.nodes import RelationDirection
from legacymind.model.think import ThinkResult

_NODES: Final = (*get_args(Node), Session, Action, Chain)
"""Records with a global id."""

_COUNTED: Final = ("Session", "Entity", "Observation", "Relation")
"""Lists that know how many items they have."""

_VALUES: Final = (Author, Tag, Namespace)
"""Records that have lists, and no id."""


def query_fields(types: Types, of_request: OfRequest) -> list[StrawberryField]:
    """The fields of the query that lead into the graph."""
    return neighbours.of_query(_graph(types), of_request)


def subscription_fields(
    types: Types, mind: Mind, of_request: OfRequest, admitted: Admitted
) -> list[StrawberryField]:
    """The fields of the subscription."""
    return [subscriptions.thought_added(_graph(types), mind.arrivals, of_request, admitted)]


@cache
def _graph(types: Types) -> Fields:
    """The types, which all schemas of this process share."""
    fields = Fields(
        {
            "ID": strawberry.ID,
            "ChainReport": types.of(ChainReport),
            "RelationDirection": types.of(RelationDirection),
            "ThreadOrder": types.of(ThreadOrder),
            "TimeUnit": types.of(TimeUnit),
            "SessionOrder": types.of(SessionOrder),
            "Filters": types.of(Filters, as_input=True),
            "SessionFilter": types.of(SessionFilter, as_input=True),
            "Facets": types.of(Facets),
            "Span": types.of(Span),
            "PageInfo": types.shown(PageInfo),
        }
    )
    fields.names["Node"] = interface = strawberry.interface(
        type("Node", (), {}), name="Node", description="A node of the graph, in its namespace."
    )
    _extend(interface, _identity(fields))
    for record in _NODES:
        fields.names[record.__name__] = _node(record, types, interface)
    for record in (*_VALUES, Belief):
        fields.names[record.__name__] = _made(
            record.__name__, first_paragraph(record), types.described(record)
        )
    for name, edge, node in (
        *((record.__name__, Edge, record.__name__) for record in (*_NODES, *_VALUES)),
        ("Recall", RecallEdge, "Node"),
        ("Relation", RelationEdge, "Entity"),
    ):
        _connect(name, edge, node, types, fields)
    added = _made("ThoughtAdded", first_paragraph(ThoughtAdded), types.described(ThoughtAdded))
    _extend(added, [fields.member("thought", "Thought | None", subscriptions.THOUGHT)])
    fields.names["ThoughtAdded"] = added
    for record, more in (
        (Thought, neighbours.of_thought(fields)),
        (Belief, neighbours.of_belief(fields)),
        (Entity, neighbours.of_entity(fields)),
        (Observation, neighbours.of_observation(fields)),
        (Session, neighbours.of_session(fields)),
        (Action, neighbours.of_action(fields)),
        (Chain, neighbours.of_chain(fields)),
    ):
        _extend(fields.names[record.__name__], more)
    _extend(types.of(ThinkResult), neighbours.of_result(fields))
    return fields


def _identity(fields: Fields) -> list[StrawberryField]:
    """The fields of every node. Records have ``id`` and ``view``, and types the names of records."""
    return [
        fields.of_record(
            "global_id",
            "ID",
            "Id for `node`, unique in all namespaces. A node that shows private thoughts of a session has "
            "another one than without them.",
            lambda record: ids.encode(type(record).__name__, record.view, record.id),
            "id",
        ),
        fields.of_record(
            "database_id",
            "ID",
            "Id in its namespace, as operations and other interfaces have it.",
            lambda record: record.id,
        ),
        fields.of_record(
            "namespace", "str", "Namespace that it belongs to.", lambda record: record.view.namespace
        ),
    ]


def _node(record: type, types: Types, interface: type) -> type:
    """The type of a record that is a node. Results are instances of the record itself."""

    def is_type_of(cls: type, value: object, info: object) -> bool:
        return isinstance(value, record)

    body = types.described(record, without=("id",))
    body["is_type_of"] = classmethod(is_type_of)
    return _made(record.__name__, first_paragraph(record), body, interface)


def _connect(name: str, edge: type, node: str, types: Types, fields: Fields) -> None:
    """Make the types of a list: ``NameEdge`` and ``NameConnection``."""
    body = types.described(edge)
    made = _made(f"{name}Edge", first_paragraph(edge), body)
    _extend(made, [fields.member("node", node, "The item.")])
    fields.names[f"{name}Edge"] = made
    connection = _made(f"{name}Connection", "A page of a list.", {})
    _extend(
        connection,
        [
            fields.member("edges", f"list[{name}Edge]", "The items of the page, in order."),
            fields.member("page_info", "PageInfo", PAGE_INFO),
        ],
    )
    if name in _COUNTED:
        _extend(connection, [neighbours.of_list(fields)])
    fields.names[f"{name}Connection"] = connection


def _made(name: str, description: str | None, body: dict[str, Any], *bases: type) -> type:
    return strawberry.type(type(name, bases, body), name=name, description=description)


def _extend(made: type, more: list[StrawberryField]) -> None:
    get_object_definition(made, strict=True).fields.extend(more)
