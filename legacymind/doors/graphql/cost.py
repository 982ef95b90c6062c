"""The number of items that an operation may read: the sizes of its nested pages, multiplied.

It is known before anything is read, and takes time in proportion to the document: each fragment counts once.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    Node,
    SelectionNode,
    SelectionSetNode,
    Undefined,
    get_named_type,
    get_operation_ast,
    value_from_ast_untyped,
)

from legacymind.errors import InvalidInput
from legacymind.services.nodes.pages import page_size

MAX_ITEMS: Final = 5_000
"""Items of an operation: nodes of all its pages, and single nodes that fields lead to."""

_WEIGHTS: Final[dict[str, int]] = {
    **dict.fromkeys(("Node", "Thought", "Entity", "Observation", "Session", "Action"), 1),
    **dict.fromkeys(("Belief", "Chain", "Author", "Tag", "Namespace"), 1),
    # These read a whole session, once for each session: often many thoughts lead to the same one.
    "ChainReport": 20,
    **dict.fromkeys(("Facets", "Span"), 100),
}
"""Items that a field of a type counts as."""


def beyond_items(
    schema: GraphQLSchema, document: DocumentNode, name: str | None, variables: Mapping[str, Any]
) -> GraphQLError | None:
    """The error of a valid document with an operation that may read more items than the limit."""
    operation = get_operation_ast(document, name)
    if operation is None:
        return None
    given = {
        one.variable.name.value: value_from_ast_untyped(one.default_value)
        for one in operation.variable_definitions or ()
        if one.default_value is not None
    }
    counted = _Counted(schema, document, given | dict(variables))
    try:
        weight = counted.weight(operation.selection_set, schema.get_root_type(operation.operation))
    except InvalidInput as raised:
        return GraphQLError(raised.what, operation, original_error=raised)
    if weight.items <= MAX_ITEMS:
        return None
    return GraphQLError(
        f"The operation may read {weight.items:,} items; the limit is {MAX_ITEMS:,}. Most of them are in "
        f"`{'.'.join(weight.path)}`. Lower `first` there: the sizes of nested pages multiply.",
        weight.node or operation,
    )


class _Weight(NamedTuple):
    """The items of a selection, and the path to those nested pages of it that have most of them."""

    items: int = 0
    path: tuple[str, ...] = ()
    node: Node | None = None


class _Counted:
    """The items of selection sets. Each fragment is counted once."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._schema = schema
        self._variables = dict(variables)
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        self._of_fragments: dict[str, _Weight] = {}

    def weight(self, within: SelectionSetNode | None, kind: GraphQLNamedType | None) -> _Weight:
        """The items of a selection set on a type."""
        weights = [self._selected(one, kind) for one in within.selections] if within else []
        if not weights:
            return _Weight()
        return max(weights, key=lambda one: one.items)._replace(items=sum(one.items for one in weights))

    def _selected(self, one: SelectionNode, kind: GraphQLNamedType | None) -> _Weight:
        match one:
            case FragmentSpreadNode():
                return self._of_fragment(one.name.value)
            case InlineFragmentNode():
                inner = self._schema.get_type(one.type_condition.name.value) if one.type_condition else kind
                return self.weight(one.selection_set, inner)
            case FieldNode() if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
                field = kind.fields.get(one.name.value)
                return _Weight() if field is None else self._of_field(one, field)
            case _:
                return _Weight()

    def _of_field(self, node: FieldNode, field: GraphQLField) -> _Weight:
        kind: GraphQLNamedType = get_named_type(field.type)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        inner = self.weight(node.selection_set, kind)
        items = _WEIGHTS.get(kind.name, 0) + inner.items
        name = (node.alias or node.name).value
        if "ids" in field.args:
            ids = self._sent(node, "ids")
            items *= len(cast("list[object]", ids)) if isinstance(ids, list) else 1
        elif "first" in field.args:
            size = page_size(self._sent(node, "first"))
            items = size * max(items, 1)
            name += f"(first: {size})"
        elif limit := self._limit(node, field):
            items = limit * max(items, 1)
            name += f"(limit: {limit})"
        elif not inner.path:
            return _Weight(items, (), node)
        return _Weight(items, (name, *inner.path), inner.node if inner.path else node)

    def _limit(self, node: FieldNode, field: GraphQLField) -> int:
        """The size of an operation's page; 0 if it has none."""
        given, of = self._sent(node, "limit"), field.args.get("limit")
        if of is None and "input" in field.args:
            sent, kind = self._sent(node, "input"), get_named_type(cast("Any", field.args["input"].type))
            of = kind.fields.get("limit") if isinstance(kind, GraphQLInputObjectType) else None
            given = cast("dict[str, Any]", sent).get("limit") if isinstance(sent, dict) else None
        size = of.default_value if of and given is None else given
        return size if isinstance(size, int) else 0

    def _sent(self, node: FieldNode, name: str) -> Any:
        sent = next((one.value for one in node.arguments or () if one.name.value == name), None)
        value = None if sent is None else value_from_ast_untyped(sent, self._variables)
        return None if value is Undefined else value  # a variable without a value

    def _of_fragment(self, name: str) -> _Weight:
        if name not in self._of_fragments:
            fragment = self._fragments[name]
            kind = self._schema.get_type(fragment.type_condition.name.value)
            self._of_fragments[name] = self.weight(fragment.selection_set, kind)
        return self._of_fragments[name]
