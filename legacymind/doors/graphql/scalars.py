"""GraphQL scalars and enums that accept the same input as the other doors.

``Int`` and ``Float`` keep their names and their output, but accept numeric text and numbers of any size; the
operation moves them into range. A blank text is null for them, for times and for enums. ``String`` and
``Boolean`` stay strict: introspection uses those of graphql-core, and a schema allows one type for each name.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NewType

import strawberry
from graphql import (
    EnumValueNode,
    FloatValueNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLFloat,
    GraphQLInt,
    GraphQLNamedType,
    GraphQLScalarType,
    IntValueNode,
    StringValueNode,
    ValueNode,
    value_from_ast_untyped,
)
from strawberry.types.scalar import ScalarDefinition

from legacymind.model.values import moment, number
from legacymind.operations.coercion import is_blank, known_name
from legacymind.text.modes import mode_of


class _Lenient(GraphQLScalarType):
    """A scalar that may have the name of a built-in one."""

    reserved_types: Mapping[str, GraphQLNamedType] = {}


@contextmanager
def _at(node: ValueNode) -> Generator[None]:
    """Give an error the place of a literal in the document."""
    try:
        yield
    except GraphQLError as error:
        raise GraphQLError(error.message, node) from error


def _lenient(built_in: GraphQLScalarType) -> ScalarDefinition:
    def of_value(value: Any) -> int | float | None:
        if is_blank(value):
            return None
        try:
            read = number(value)
        except ValueError:
            read = None
        if isinstance(read, bool) or not isinstance(read, int | float):
            raise GraphQLError(f"{built_in.name} must be a number or numeric text.")
        return read

    def of_literal(node: ValueNode, _: Any = None) -> int | float | None:
        readable = isinstance(node, IntValueNode | FloatValueNode | StringValueNode)
        with _at(node):
            return of_value(node.value if readable else {})

    return ScalarDefinition(
        name=built_in.name,
        description=built_in.description,
        specified_by_url=None,
        serialize=None,
        parse_value=None,
        parse_literal=None,
        implementation=_Lenient(
            name=built_in.name,
            description=built_in.description,
            coerce_output_value=built_in.coerce_output_value,
            coerce_input_value=of_value,
            coerce_input_literal=of_literal,
            value_to_literal=built_in.value_to_literal,
        ),
    )


Day = NewType("Day", str)
"""A day, or a time, as filters take them."""

SCALARS: Final[Mapping[object, ScalarDefinition]] = {
    int: _lenient(GraphQLInt),
    float: _lenient(GraphQLFloat),
    Day: strawberry.scalar(
        name="Day",
        description="A day in UTC (YYYY-MM-DD, whole) or an ISO 8601 time.",
        serialize=str,
        parse_value=lambda sent: sent,
    ),
}
"""The scalars of these types, in the place of Strawberry's."""


def in_any_case(kind: GraphQLEnumType) -> None:
    """Let an enum accept its names in the spellings of ``known_name``, and as strings."""
    strict: Callable[[str, bool], Any] = kind.coerce_input_value

    def of_value(value: Any, hide_suggestions: bool = False) -> Any:
        if isinstance(value, str) and is_blank(value):
            return None
        if kind.name == "Submode" and isinstance(value, str) and mode_of(value):
            return value  # think takes the name of a mode as a submode, which the enum does not list
        return strict(known_name(value, kind.values) if isinstance(value, str) else value, hide_suggestions)

    def of_literal(node: ValueNode, hide_suggestions: bool = False) -> Any:
        named = isinstance(node, EnumValueNode | StringValueNode)
        with _at(node):
            return of_value(node.value if named else None, hide_suggestions)

    kind.coerce_input_value = of_value  # pyright: ignore[reportAttributeAccessIssue]
    kind.coerce_input_literal = of_literal  # pyright: ignore[reportAttributeAccessIssue]


def reads_times(kind: GraphQLScalarType) -> None:
    """Let the scalar read times as every door reads them, and a blank text as null."""

    def value(sent: Any) -> Any:
        if isinstance(sent, str) and is_blank(sent):
            return None
        try:
            return moment(sent)
        except ValueError as reason:
            raise GraphQLError(f"The value {reason}.") from None

    def literal(node: ValueNode) -> Any:
        with _at(node):
            return value(value_from_ast_untyped(node))

    kind.coerce_input_literal = literal
    kind.coerce_input_value = value  # pyright: ignore[reportAttributeAccessIssue]
