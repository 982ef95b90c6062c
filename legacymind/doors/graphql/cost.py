"""The number of items that an operation may read: the sizes of its nested pages, multiplied.

It is known before anything is read, and takes time in proportion to the document: each fragment counts once.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    SelectionNode,
    SelectionSetNode,
    get_named_type,
    get_operation_ast,
    value_from_ast_untyped,
)

from legacymind.doors.graphql.fields import page_size

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
    items = counted.items(operation.selection_set, schema.get_root_type(operation.operation))
    if items <= MAX_ITEMS:
        return None
    return GraphQLError(
        f"The operation may read {items:,} items; the limit is {MAX_ITEMS:,}. Lower `first`: the sizes of "
        "nested pages multiply.",
        operation,
    )


class _Counted:
    """The items of selection sets. Each fragment is counted once."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._schema = schema
        self._variables = dict(variables)
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        self._of_fragments: dict[str, int] = {}

    def items(self, within: SelectionSetNode | None, kind: GraphQLNamedType | None) -> int:
        """The items of a selection set on a type."""
        return sum(self._selected(one, kind) for one in within.selections) if within else 0

    def _selected(self, one: SelectionNode, kind: GraphQLNamedType | None) -> int:
        match one:
            case FragmentSpreadNode():
                return self._of_fragment(one.name.value)
            case InlineFragmentNode():
                inner = self._schema.get_type(one.type_condition.name.value) if one.type_condition else kind
                return self.items(one.selection_set, inner)
            case FieldNode() if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
                field = kind.fields.get(one.name.value)
                return 0 if field is None else self._of_field(one, field)
            case _:
                return 0

    def _of_field(self, node: FieldNode, field: GraphQLField) -> int:
        kind: GraphQLNamedType = get_named_type(field.type)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        items = _WEIGHTS.get(kind.name, 0) + self.items(node.selection_set, kind)
        if "ids" in field.args:
            sent = next((one.value for one in node.arguments or () if one.name.value == "ids"), None)
            ids = None if sent is None else value_from_ast_untyped(sent, self._variables)
            return items * (len(cast("list[object]", ids)) if isinstance(ids, list) else 1)
        if "first" not in field.args:
            return items
        sent = next((one.value for one in node.arguments or () if one.name.value == "first"), None)
        first = None if sent is None else value_from_ast_untyped(sent, self._variables)
        return page_size(first) * max(items, 1)

    def _of_fragment(self, name: str) -> int:
        if name not in self._of_fragments:
            fragment = self._fragments[name]
            kind = self._schema.get_type(fragment.type_condition.name.value)
            self._of_fragments[name] = self.items(fragment.selection_set, kind)
        return self._of_fragments[name]
