"""The graph in GraphQL: nodes, lists of them, and the fields that lead from one to another.

The members of a node are those of its record in ``model/graph.py``. A field that leads on is one entry of a
table here, with its resolver.
"""

import inspect
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, cast, get_args

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.base import get_object_definition
from strawberry.types.field import StrawberryField

from legacymind.calls import one_call
from legacymind.doors.graphql.loaders import Loaders, loaded, loaders_of
from legacymind.doors.graphql.types import PAGE_INFO, Types, as_sent, computed, first_paragraph, member
from legacymind.mind import Mind
from legacymind.model.base import Hit, Remembered, ThoughtRelation, ThreadOrder
from legacymind.model.chain import ChainReport, RedactResult
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
    ThoughtRelationEdge,
    TimeUnit,
)
from legacymind.model.members import Id
from legacymind.model.nodes import RelationDirection
from legacymind.model.think import Memory, OutcomeResult, PinResult, RelateResult, ThinkResult
from legacymind.model.trails import ExplainedMemory, MissedMemory, TrailStep
from legacymind.observe import Step, observed
from legacymind.operations.coercion import is_blank
from legacymind.operations.descriptions import describe
from legacymind.services.nodes.pages import MAX_PAGE, PAGE, page_size
from legacymind.services.shared import checks, parameters
from legacymind.services.shared.parameters import OwnSessionId

_REQUIRED: Final = inspect.Parameter.empty

Resolve = Callable[[Loaders, Any, dict[str, Any]], Any]
"""Takes the loaders of the request, the node that has the field (None for the query), and the arguments."""


class Argument(NamedTuple):
    """An argument of a field. Null and a blank text mean the default."""

    name: str
    kind: Any
    description: str
    default: Any = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field that leads to nodes: its type as an annotation, and how it is read."""

    name: str
    kind: str
    description: str
    resolve: Resolve
    arguments: tuple[Argument, ...] = ()


PAGED: Final = (
    Argument("first", int, f"Size of the page. Range: 0 to {MAX_PAGE}. Default: {PAGE}.", PAGE),
    Argument("after", str, "`endCursor` of the page before. Default: the first page."),
)
OWN: Final = Argument("own_session_id", Id, describe(OwnSessionId, None).long)
NAMESPACE: Final = Argument("namespace", str, describe(parameters.Namespace, None).long)
_ID: Final = Argument("id", Id, "`id` of the node; of a thought, with or without `thoughts:`.", _REQUIRED)
_NAME: Final = Argument("name", Id, "Its `name`.", _REQUIRED)
_AS_OF: Final = Argument("as_of", datetime, "Time at which they must be true. Default: now.")
_BELIEVED: Final = Argument("as_of", datetime, "The time. Default: now.")
_FROM_STEP: Final = Argument("from_step", int, "Only this step of its chain and later ones. Default: all.")
_HISTORY: Final = Argument("history", bool, "Include what is not true at `asOf`. Default: false.", False)
_DIRECTION: Final = Argument("direction", RelationDirection, "Only of this direction. Default: both.")
_OLDEST: Final = Argument("order", ThreadOrder, "Oldest or latest first.", "created_at_asc")
_LATEST: Final = _OLDEST._replace(default="created_at_desc")
_FILTER: Final = Argument("filter", Filters, "What they must have, as in a search.")
_RELATIONS: Final[tuple[str, ...]] = get_args(ThoughtRelation)
_ZONE: Final = Argument(
    "time_zone", str, "Time zone of the spans, such as `Europe/Berlin`. Default: UTC.", "UTC"
)
_SPAN: Final = "Length of a span."


def _one(name: str, kind: str, description: str, resolve: Resolve, *arguments: Argument) -> Field:
    """A field that leads to one node, or to none."""
    return Field(name, f"{kind} | None", description, resolve, arguments)


def _page(name: str, kind: str, description: str, resolve: Resolve, *arguments: Argument) -> Field:
    """A field with a page of a list."""
    return Field(name, f"{kind}Connection", description, resolve, (*PAGED, *arguments))


def _linking(name: str, description: str, link: str) -> Field:
    """The thoughts that link to a node in one way."""
    return _page(
        name,
        "Thought",
        description,
        lambda read, t, given: read.page(read.reads.linked, t, link=link, **given),
    )


_FIELDS: Final[Mapping[type, tuple[Field, ...]]] = {
    Thought: (
        _one("follows", "Thought", "The thought before it in its line of thought.",
             lambda read, t, _: read.thought(t.view, t.previous_thought_id)),
        _one("revises", "Thought", "The thought that it revises.",
             lambda read, t, _: read.thought(t.view, t.revises_thought)),
        _one("branches_from", "Thought", "The thought from which it branches.",
             lambda read, t, _: read.thought(t.view, t.branch_from)),
        _one("parent", "Thought", "The thought above it in the tree of its session.",
             lambda read, t, _: read.thought(t.view, t.parent_id)),
        _linking("followed_by", "Thoughts that follow it, oldest first.", "FOLLOWS"),
        _linking("revisions", "Thoughts that revise it, oldest first.", "REVISES"),
        _linking("branches", "Thoughts that branch from it, oldest first.", "BRANCHES_FROM"),
        _linking("children", "Thoughts below it in the tree of its session, oldest first.", "CHILD_OF"),
        _linking("recalled_by", "Thoughts that recalled it, oldest first.", "RECALLS"),
        _page("relations", "ThoughtRelation", "Its relations to thoughts, entities and facts, by type.",
              lambda read, t, given: read.page(read.reads.related, t, types=_RELATIONS, **given), _DIRECTION),
        _page("mentions", "Entity", "Entities that its text names.",
              lambda read, t, given: read.page(
                  read.reads.related, t, types=("MENTIONS",), direction="out", **given)),
        _page("recalls", "Recall", "Memories that it recalled, best first.",
              lambda read, t, given: read.page(read.reads.recalls, t, **given)),
        Field("belief", "Belief",
              "What was believed about it at a time: if it was revised, solved, contradicted or redacted.",
              lambda read, t, given: read.belief(t, **given), (_BELIEVED,)),
        _one("session", "Session", "Its session.", lambda read, t, _: read.session(t.view, t.session_id)),
        _one("action", "Action", "The action that it led to.",
             lambda read, t, _: read.action(t.view, t.action_id)),
    ),
    Belief: (
        _one("revised_by", "Thought", "Its latest revision by then.",
             lambda read, b, _: read.thought(b.view, b.revised_by)),
        _one("solved_by", "Thought", "Its best solution by then.",
             lambda read, b, _: read.thought(b.view, b.solved_by)),
        _one("contradicted_by", "Node", "What contradicted it most strongly by then.",
             lambda read, b, _: read.node(b.view, b.contradicted_by)),
    ),
    Entity: (
        _linking("thoughts", "Thoughts whose texts name it, oldest first.", "MENTIONS"),
        _page("observations", "Observation", "Facts about it, latest first.",
              lambda read, e, given: read.page(read.reads.observations, e, **given), _AS_OF, _HISTORY),
        _page("relations", "Relation", "Its relations to other entities, by type, then by name.",
              lambda read, e, given: read.page(read.reads.relations, e, **given),
              _DIRECTION, _AS_OF, _HISTORY),
    ),
    Observation: (
        _one("entity", "Entity", "The entity that it is about.",
             lambda read, o, _: read.entity(o.view, o.entity_id)),
        Field("learned_from", "list[Thought]", "The thoughts that led to it and that you may read.",
              lambda read, o, _: read.thoughts(o.view, o.learned_from)),
        _one("supersedes", "Observation", "The fact that it replaced.",
             lambda read, o, _: read.observation(o.view, o.supersedes)),
        _one("superseded_by", "Observation", "The fact that replaced it.",
             lambda read, o, _: read.observation(o.view, o.superseded_by)),
    ),
    Session: (
        _page("thoughts", "Thought", "Its thoughts in time.",
              lambda read, s, given: read.in_time(read.reads.session_thoughts, s, **given),
              _OLDEST, _FROM_STEP),
        _one("chain", "ChainReport",
             "Verification of its hash chain, with a verdict. It reads the whole session.",
             lambda read, s, _: read.chain(s)),
        Field("facets", "Facets", "What its thoughts have in common. It reads all of them.",
              lambda read, s, _: read.facets(s)),
        Field("timeline", "list[Span]",
              "The latest 1,000 spans of time with thoughts, in order. It reads all of them.",
              lambda read, s, given: read.timeline(s, **given),
              (Argument("unit", TimeUnit, _SPAN, "hour"), _ZONE)),
    ),
    Action: (
        _page("thoughts", "Thought", "Thoughts that led to it, oldest first.",
              lambda read, a, given: read.page(read.reads.linked, a, link="FOR_ACTION", **given)),
    ),
    Chain: (
        _page("thoughts", "Thought", "Its thoughts in time, over all sessions.",
              lambda read, c, given: read.in_time(read.reads.chain_thoughts, c, **given), _OLDEST),
    ),
}  # fmt: skip
"""The fields of each node that lead on."""


def _found(
    name: str, kind: str, what: str, find: Callable[..., Awaitable[Any]], named: Argument = _ID
) -> Field:
    """A field of the query for one node, by its id or name."""

    def resolve(read: Loaders, _: None, given: dict[str, Any]) -> Awaitable[Any]:
        id = checks.thought_id(named.name, given[named.name])
        return find(read, read.reads.view(given["namespace"], given["own_session_id"]), id)

    return _one(name, kind, f"{what}; null if you may read none.", resolve, named, OWN, NAMESPACE)


def _listed(name: str, kind: str, description: str) -> Field:
    """A field of the query with a list of a namespace."""
    return _page(name, kind, description,
                 lambda read, _, given: read.listed(name, **given), OWN, NAMESPACE)  # fmt: skip


_QUERY: Final = (
    _found("thought", "Thought", "A thought by its id", Loaders.thought),
    _found("entity", "Entity", "An entity by its id, or that of one that was merged into it", Loaders.entity),
    _found("observation", "Observation", "A fact by its id", Loaders.observation),
    _one("session", "Session", "A session by its name, with its private thoughts.",
         lambda read, _, given: read.session(
             read.reads.view_of_session(given["namespace"], given["name"]), given["name"]),
         _NAME, NAMESPACE),
    _found("action", "Action", "An action by its name", Loaders.action, _NAME),
    _found("chain", "Chain", "A label (`chainId`) by its name", Loaders.label, _NAME),
    _page("sessions", "Session",
          "The sessions. Ordered by `LATEST`, or with a filter, those without a chain are left out. With a "
          "filter, each page reads a thought or two of every session.",
          lambda read, _, given: read.session_list(**given),
          Argument("order", SessionOrder, "By id, or the latest first.", "id"),
          Argument("filter", SessionFilter, "Which of them."), OWN, NAMESPACE),
    _page("thoughts", "Thought", "The thoughts in time, over all sessions.",
          lambda read, _, given: read.thought_list(**given), _LATEST, _FILTER, OWN, NAMESPACE),
    _page("entities", "Entity", "The entities that are valid, in the order of their names.",
          lambda read, _, given: read.entity_list(**given),
          Argument("entity_type", str, "Only entities of this type."), _AS_OF, NAMESPACE),
    _page("observations", "Observation",
          "The facts that are true, over all entities, in the order in which they were stored.",
          lambda read, _, given: read.fact_list(**given), _LATEST,
          Argument("about", list[str], "Only facts about these entities, by names or ids."),
          _AS_OF, NAMESPACE),
    Field("timeline", "list[Span]",
          "The latest 1,000 spans of time with thoughts of the namespace, in order. It reads all of these.",
          lambda read, _, given: read.spans(**given),
          (Argument("unit", TimeUnit, _SPAN, "day"), _ZONE,
           Argument("since", datetime, "Time from which thoughts count. Default: 30 days ago."),
           OWN, NAMESPACE)),
    _listed("actions", "Action", "The actions, in the order of their names."),
    _listed("chains", "Chain", "The labels (`chainId`) of thoughts, in order."),
    _listed("authors", "Author", "The authors of thoughts, in the order of their names."),
    _listed("tags", "Tag", "The tags of thoughts, in order. Each page reads all thoughts of the namespace."),
    _page("namespaces", "Namespace", "The namespaces that you may use, in the order of their names.",
          lambda read, _, given: read.lists.namespaces(**given)),
    Field("may_write", "bool", "Whether your token may write.", lambda read, _, given: read.may_write()),
)  # fmt: skip
"""The fields of the query that lead into the graph."""

_TOTAL: Final = Field(
    "total_count",
    "int | None",
    "Number of items on all pages, which a statement of its own counts; null where that would read each "
    "of them. Of sessions, those with a chain, also if you may read none of their thoughts.",
    lambda read, page, _: page.count() if page.count else _none(),
)
_ITEM: Final = _one(
    "node", "Node", "The thought, entity or fact; null if it is gone, or is none.",
    lambda read, item, given: read.node(given["view"], item.id),
)  # fmt: skip
_CHANGED: Final = _one(
    "thought", "Thought", "The thought, as it is now.",
    lambda read, result, given: read.thought(given["view"], _thought_of(result)),
)  # fmt: skip

_NODES: Final = (*get_args(Node), Session, Action, Chain)
_NAMED: Final = (Session, Action, Chain)
"""Nodes that have a name, which is unique in its namespace only."""
_COUNTED: Final = ("Session", "Entity", "Observation", "Relation")
"""Lists that know how many items they have."""
_VALUES: Final = (Author, Tag, Namespace)
"""Records that have lists, and no id."""
_ITEMS: Final = (Hit, Memory, ExplainedMemory, MissedMemory, TrailStep, Remembered)
"""Items of results that are nodes."""
_CHANGES: Final = (ThinkResult, OutcomeResult, PinResult, RelateResult, RedactResult)
"""Results of a change of one thought."""


def query_fields(types: Types, mind: Mind) -> Iterable[StrawberryField]:
    """The fields of the query that lead into the graph. Each is one call."""
    names = graph_types(types)
    for field in _QUERY:
        # Null if it failed. Without null, GraphQL would discard the results of the other fields too.
        kind = field.kind if field.kind.endswith("| None") else f"{field.kind} | None"
        yield made(_called(field, mind), replace(field, kind=kind), types, names)


@contextmanager
def call(name: str, values: Mapping[str, Any]) -> Generator[None]:
    """Work for a call, which waits for its turn and is counted as one of an operation is."""
    with observed(Step("operation", name, arguments=values)), one_call():
        yield


@cache
def graph_types(types: Types) -> dict[str, Any]:
    """The types by name, which all schemas of this process share."""
    names: dict[str, Any] = {
        "ID": strawberry.ID,
        **{kind.__name__: types.of(kind) for kind in (ChainReport, Facets, Span)},
        "PageInfo": types.of(PageInfo),
    }
    names["Node"] = interface = strawberry.interface(
        type("Node", (), {}), name="Node", description="A node of the graph, in its namespace."
    )
    _extend(
        interface,
        [
            computed("id", "ID", "Id, unique among its type in the database.", _cached_id, names),
            computed("namespace", "str", "Namespace that it belongs to.", lambda n: n.view.namespace, names),
        ],
    )
    for record in _NODES:
        body = types.described(record, without=("id",))
        body["is_type_of"] = _is(record)
        names[record.__name__] = made_type = _type(record.__name__, first_paragraph(record), body, interface)
        if record in _NAMED:
            about = "Name, unique in its namespace, as operations have it."
            _extend(made_type, [computed("name", "ID", about, lambda node: node.id, names)])
    for record in (*_VALUES, Belief):
        names[record.__name__] = _type(record.__name__, first_paragraph(record), types.described(record))
    for name, edge, node in (
        *((record.__name__, Edge, record.__name__) for record in (*_NODES, *_VALUES)),
        ("Recall", RecallEdge, "Node"),
        ("ThoughtRelation", ThoughtRelationEdge, "Node"),
        ("Relation", RelationEdge, "Entity"),
    ):
        names[f"{name}Edge"] = _type(f"{name}Edge", first_paragraph(edge), types.described(edge))
        _extend(names[f"{name}Edge"], [member("node", node, "The item.", names)])
        names[f"{name}Connection"] = connection = _type(f"{name}Connection", "A page of a list.", {})
        edges = member("edges", f"list[{name}Edge]", "The items of the page, in order.", names)
        _extend(connection, [edges, member("page_info", "PageInfo", PAGE_INFO, names)])
        if name in _COUNTED:
            _extend(connection, [made(_of_node(_TOTAL), _TOTAL, types, names)])
    for record, fields in _FIELDS.items():
        _extend(names[record.__name__], [made(_of_node(one), one, types, names) for one in fields])
    for records, field in ((_ITEMS, _ITEM), (_CHANGES, _CHANGED)):
        for record in records:
            _extend(types.of(record), [made(_of_result(field), field, types, names)])
    return names


def made(
    resolver: Any, field: Field, types: Types, names: dict[str, Any], *, is_subscription: bool = False
) -> StrawberryField:
    """A field with its resolver, which takes the arguments as keywords."""
    own = inspect.signature(resolver).parameters.values()
    given = [_parameter(one, types) for one in field.arguments]
    resolver.__name__ = field.name
    resolver.__signature__ = inspect.Signature(
        [*(one for one in own if one.kind is not inspect.Parameter.VAR_KEYWORD), *given]
    )
    made_field = strawberry.field(
        resolver=resolver, description=field.description, is_subscription=is_subscription
    )
    made_field.python_name = field.name
    made_field.type_annotation = StrawberryAnnotation(field.kind, namespace=names)
    return made_field


def values_of(given: Mapping[str, Any], arguments: Iterable[Argument]) -> dict[str, Any]:
    """The values of the arguments; null and a blank text are the default. Sizes of pages are checked."""
    values: dict[str, Any] = {}
    for one in arguments:
        value = given.get(one.name)
        blank = value is None or value is strawberry.UNSET or is_blank(value)
        value = as_sent(one.default if blank and one.default is not _REQUIRED else value)
        if isinstance(value, dict):  # an input object
            sent = cast("dict[str, object]", value)
            value = {name: part for name, part in sent.items() if not is_blank(part)}
        values[one.name] = page_size(value) if one.name == "first" else value
    return values


def _called(field: Field, mind: Mind) -> Any:
    async def resolver(info: strawberry.Info, **given: Any) -> Any:
        values = values_of(given, field.arguments)
        with call(field.name, values):
            await mind.services.reads.admit(values)
            return await field.resolve(loaders_of(info, mind), None, values)

    return resolver


def _of_node(field: Field) -> Any:
    async def resolver(root: Any, info: strawberry.Info, **given: Any) -> Any:
        return await field.resolve(loaded(info), root, values_of(given, field.arguments))

    return resolver


def _of_result(field: Field) -> Any:
    async def resolver(root: Any, info: strawberry.Info) -> Any:
        loaders = loaded(info)
        return await field.resolve(loaders, root, {"view": loaders.view_of_result(root_of(info))})

    return resolver


def root_of(info: strawberry.Info) -> str | int:
    """The key in the answer of the root field that a field belongs to."""
    path = info.path
    while path.prev is not None:
        path = path.prev
    return path.key


def _parameter(argument: Argument, types: Types) -> inspect.Parameter:
    kind = types.of(argument.kind, as_input=True)
    required = argument.default is _REQUIRED
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[
            kind if required else kind | None, strawberry.argument(description=argument.description)
        ],
        default=_REQUIRED if required else types.default(argument.default, kind),
    )


def _thought_of(result: Any) -> str:
    """The id of the thought that an operation changed."""
    changed = result.delegated_result if isinstance(result, ThinkResult) else result
    return changed.thought_id.removeprefix("thoughts:")


def _cached_id(node: Any) -> str:
    """An id that no two nodes of a type share in a client's cache, whatever their namespaces."""
    return f"{node.view.namespace}/{node.id}" if isinstance(node, _NAMED) else node.id


def _is(record: type) -> Any:
    """Whether a result is of the type of a record. Results are instances of the record itself."""

    def is_type_of(cls: type[object], value: object, info: object) -> bool:
        return isinstance(value, record)

    return classmethod(is_type_of)


async def _none() -> None:
    return None


def _type(name: str, description: str | None, body: dict[str, Any], *bases: type) -> type:
    return strawberry.type(type(name, bases, body), name=name, description=description)


def _extend(made_type: Any, more: Iterable[StrawberryField]) -> None:
    get_object_definition(made_type, strict=True).fields.extend(more)
