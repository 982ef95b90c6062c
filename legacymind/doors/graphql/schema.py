"""The operations as GraphQL: those that read are queries, those that write are mutations.

Arguments go through ``Operation.call`` and results come out of it as they are. Every error has
``extensions.code``, and one that is no LegacyMindError and not the caller's says no more than that.
"""

import inspect
from collections.abc import Iterable
from typing import Annotated, Any

import strawberry
from graphql import GraphQLEnumType, GraphQLError
from strawberry.extensions import (
    MaxAliasesLimiter,
    MaxTokensLimiter,
    ParserCache,
    QueryDepthLimiter,
    ValidationCache,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.tools import create_type
from strawberry.types import ExecutionContext
from strawberry.types.field import StrawberryField

from legacymind.doors.answer import reported
from legacymind.doors.graphql.scalars import NUMBERS, in_any_case
from legacymind.doors.graphql.types import Types, as_sent
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.settings import Settings

MAX_DEPTH = 12
MAX_ALIASES = 15
MAX_TOKENS = 2000
"""Texts and lists of any length are one token each when they are variables."""

_CACHED = 100
"""Documents whose parsing and validation is remembered; clients send the same few again and again."""


class Schema(strawberry.Schema):
    """A schema whose errors are the project's, and whose enums are taken in any case."""

    def __init__(self, **made: Any) -> None:
        super().__init__(**made)  # pyright: ignore[reportUnknownMemberType]
        for name, kind in self._schema.type_map.items():
            if isinstance(kind, GraphQLEnumType) and not name.startswith("__"):
                in_any_case(kind)

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Give every error its code and hide what is not meant for callers.

        Strawberry's own logs each with the text of the query, which is private and may be huge.
        """
        for error in errors:
            cause = _cause(error)
            if cause is None:
                code = InvalidInput.code
            else:
                shown = reported(cause)
                code = shown.code
                error.message = str(shown)
            error.extensions = {**(error.extensions or {}), "code": code}


def build_schema(mind: Mind) -> Schema:
    """The GraphQL schema of a mind's operations."""
    operations = list(mind.operations.values())
    types = Types(operations)
    fields = {
        writes: [
            _field(operation, types) for operation in operations if operation.declaration.writes is writes
        ]
        for writes in (False, True)
    }
    return Schema(
        query=create_type("Query", fields[False], description="Read-only. Access counts are not updated."),
        mutation=create_type("Mutation", fields[True], description="Operations that write."),
        config=StrawberryConfig(auto_camel_case=True, scalar_map=NUMBERS),
        extensions=[
            lambda: QueryDepthLimiter(max_depth=MAX_DEPTH),
            lambda: MaxAliasesLimiter(max_alias_count=MAX_ALIASES),
            lambda: MaxTokensLimiter(max_token_count=MAX_TOKENS),
            lambda: ParserCache(maxsize=_CACHED),
            lambda: ValidationCache(maxsize=_CACHED),
        ],
    )


def sdl() -> str:
    """The text of ``graphql/schema.graphql``."""
    return build_schema(Mind(Settings())).as_str() + "\n"


def _field(operation: Operation, types: Types) -> StrawberryField:
    async def resolve(**given: Any) -> Any:
        return await operation.call({name: as_sent(value) for name, value in given.items()})

    # Strawberry reads the signature, so that one resolver serves every operation.
    resolve.__name__ = operation.name
    resolve.__dict__["__signature__"] = inspect.Signature(
        list(_arguments(operation.parameters, types)), return_annotation=types.of(operation.returns)
    )
    field = strawberry.field(resolver=resolve, description=operation.description)
    field.python_name = operation.name
    return field


def _arguments(parameters: Iterable[Parameter], types: Types) -> Iterable[inspect.Parameter]:
    for parameter in parameters:
        made = types.of(parameter.annotation, given=True)
        described = strawberry.argument(description=parameter.help or None)
        default = inspect.Parameter.empty if parameter.required else types.default(parameter.default, made)
        yield inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=Annotated[
                made if parameter.required else made | None, described
            ],  # null is what was left out
            default=default,
        )


def _cause(error: GraphQLError) -> BaseException | None:
    """What an error came from; None when GraphQL itself found fault with the request."""
    cause: BaseException | None = error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    return cause
