"""The cost of an operation: the items that it may read, which are the sizes of its nested pages, multiplied.

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

MAX_FIELDS: Final = 1_000
"""Fields of an operation, counting each use of a fragment: some, as of introspection, read no item."""

_WEIGHTS: Final[dict[str, int]] = {
    **dict.fromkeys(("Node", "Thought", "Entity", "Observation", "Session", "Action"), 1),
    **dict.fromkeys(("Belief", "Chain", "Author", "Tag", "Namespace"), 1),
    # These read a whole session, once for each session: often many thoughts lead to the same one.
    "ChainReport": 20,
    **dict.fromkeys(("Facets", "Span"), 100),
}
"""Items that a field of a type counts as."""


def too_costly(
    schema: GraphQLSchema, document: DocumentNode, name: str | None, variables: Mapping[str, Any]
) -> GraphQLError | None:
    """The error of a valid document with an operation that may cost more than the limit."""
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
        cost = counted.cost(operation.selection_set, schema.get_root_type(operation.operation))
    except InvalidInput as raised:
        return GraphQLError(raised.what, operation, original_error=raised)
    if cost.fields > MAX_FIELDS:
        return GraphQLError(
            f"The operation has more than {MAX_FIELDS:,} fields, counting each use of a fragment.", operation
        )
    if cost.items <= MAX_ITEMS:
        return None
    return GraphQLError(
        f"The operation may read {cost.items:,} items; the limit is {MAX_ITEMS:,}. Lower `first`: the sizes "
        "of nested pages multiply.",
        operation,
    )


class _Cost(NamedTuple):
    """The items and fields of a selection."""

    items: int = 0
    fields: int = 0


class _Counted:
    """The costs of selection sets. Each fragment is counted once."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._schema = schema
        self._variables = dict(variables)
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        self._of_fragments: dict[str, _Cost] = {}

    def cost(self, within: SelectionSetNode | None, kind: GraphQLNamedType | None) -> _Cost:
        """The cost of a selection set on a type."""
        costs = [self._selected(one, kind) for one in within.selections] if within else []
        return _Cost(sum(one.items for one in costs), sum(one.fields for one in costs))

    def _selected(self, one: SelectionNode, kind: GraphQLNamedType | None) -> _Cost:
        match one:
            case FragmentSpreadNode():
                return self._of_fragment(one.name.value)
            case InlineFragmentNode():
                inner = self._schema.get_type(one.type_condition.name.value) if one.type_condition else kind
                return self.cost(one.selection_set, inner)
            case FieldNode():
                known = isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
                return self._of_field(one, kind.fields.get(one.name.value) if known else None)
            case _:
                return _Cost()

    def _of_field(self, node: FieldNode, field: GraphQLField | None) -> _Cost:
        """The cost of a field; introspection has fields of types that are not known here."""
        kind: GraphQLNamedType | None = field and get_named_type(field.type)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        inner = self.cost(node.selection_set, kind)
        items = (_WEIGHTS.get(kind.name, 0) if kind else 0) + inner.items
        if field is not None and "first" in field.args:
            items = page_size(self._sent(node, "first")) * max(items, 1)
        elif field is not None and (limit := self._limit(node, field)):
            items = limit * max(items, 1)
        return _Cost(items, inner.fields + 1)

    def _limit(self, node: FieldNode, field: GraphQLField) -> int:
        """The size of an operation's page; 0 if it has none."""
        given, of = self._sent(node, "limit"), field.args.get("limit")
        if of is None and "input" in field.args:
            sent = self._sent(node, "input")
            kind = cast("GraphQLNamedType", get_named_type(cast("Any", field.args["input"].type)))
            of = kind.fields.get("limit") if isinstance(kind, GraphQLInputObjectType) else None
            given = cast("dict[str, Any]", sent).get("limit") if isinstance(sent, dict) else None
        size = of.default_value if of and given is None else given
        return size if isinstance(size, int) else 0

    def _sent(self, node: FieldNode, name: str) -> Any:
        sent = next((one.value for one in node.arguments or () if one.name.value == name), None)
        value = None if sent is None else value_from_ast_untyped(sent, self._variables)
        return None if value is Undefined else value  # a variable without a value

    def _of_fragment(self, name: str) -> _Cost:
        if name not in self._of_fragments:
            fragment = self._fragments[name]
            kind = self._schema.get_type(fragment.type_condition.name.value)
            self._of_fragments[name] = self.cost(fragment.selection_set, kind)
        return self._of_fragments[name]
