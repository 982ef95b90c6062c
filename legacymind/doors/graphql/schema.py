"""The GraphQL schema: operations that read are queries, operations that write are mutations.

Every error has ``extensions.code``. The messages of LegacyMindError and of GraphQL's own validation are
shown; any other exception is logged and replaced by an InternalError, because its message may be private.
"""

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Final

import strawberry
from graphql import GraphQLError
from strawberry.exceptions import MissingQueryError
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.tools import create_type
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.field import StrawberryField
from strawberry.types.graphql import OperationType
from strawberry.utils.str_converters import to_camel_case

from legacymind.doors.answer import reported
from legacymind.doors.graphql.graph import query_fields, root_of
from legacymind.doors.graphql.limits import DocumentLimits, judge_of
from legacymind.doors.graphql.loaders import RequestContext, loaders_of, renew_loaders
from legacymind.doors.graphql.subscriptions import Admitted, thought_added
from legacymind.doors.graphql.types import SCALARS, Types, as_sent, types_of
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.values import MOST_TOKENS
from legacymind.operations.registry import Operation
from legacymind.operations.validation import Parameter
from legacymind.settings import Settings

_INFO: Final = inspect.Parameter("info", inspect.Parameter.KEYWORD_ONLY, annotation=strawberry.Info)
"""The resolver's parameter for the request. It is no argument of the field."""


_FLAT: Final = 6
"""Parameters of an operation beside those of pages. One with more of them takes an input object."""

_OF_PAGES: Final = frozenset({"limit", "after"})

ELSEWHERE: Final = frozenset(
    {
        # The graph has what they read.
        *("get", "entity", "list_entities", "thoughts_thread", "thoughts_links", "thought_for_action"),
        "verify_chain",
        # `think` and `thoughtRecord` take what they fix.
        *("think_convo", "think_technical", "thought_plan", "thought_analysis"),
        *("thought_decision", "thought_reflection"),
        # They maintain a memory, which is the work of people and agents.
        *("detailed_help", "maintenance_ops", "curate", "reembed", "analyze"),
    }
)
"""Operations without a field."""

_BUDGET: Final = "Cut the result to about this many tokens. Range: 100 to 10,000,000. Default: no budget."
"""The description of ``max_tokens``, since a user interface has pages and no context window."""


_REJECTED: Final = (MissingQueryError, CannotGetOperationTypeError, InvalidOperationTypeError)
"""What Strawberry raises for a request that names no operation that it may execute."""


class Schema(strawberry.Schema):
    """A schema with LegacyMind's error codes."""

    def __init__(self, **made: Any) -> None:
        super().__init__(**made)  # pyright: ignore[reportUnknownMemberType]
        schema, judge = self._schema, judge_of(self._schema)
        self.extensions = [RequestContext, lambda: DocumentLimits(schema, judge)]

    async def execute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any = None,
        *,
        allowed_operation_types: Iterable[OperationType] | None = None,
        **more: Any,
    ) -> ExecutionResult:
        """Execute what has one answer. A subscription needs ``subscribe`` or ``stream``."""
        allowed = {*(allowed_operation_types or OperationType)} - {OperationType.SUBSCRIPTION}
        return await super().execute(
            query, variable_values, context_value, allowed_operation_types=allowed, **more
        )

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Add ``extensions.code`` to every error and replace the messages of unexpected exceptions.

        An error after which a call may be repeated has ``extensions.retryAfter``, in seconds.

        Strawberry's own method is not called: it logs the query, which may be private and very long.
        """
        for error in errors:
            cause = _cause(error)
            added: dict[str, Any] = {"code": InvalidInput.code}
            if cause is not None:
                report = reported(cause)
                added["code"] = report.code
                if report.retry_after is not None:
                    added["retryAfter"] = report.retry_after
                error.message = str(report)
            error.extensions = {**(error.extensions or {}), **added}


def build_schema(mind: Mind, admitted: Admitted | None = None) -> Schema:
    """Build the GraphQL schema of a mind's operations.

    ``admitted`` tells a subscription whether its token is still valid; by default it is.
    """
    operations = [one for one in mind.operations.values() if one.name not in ELSEWHERE]
    types = types_of(mind.operations.values())

    async def always(context: object) -> bool:
        return True

    fields = {
        writes: [
            _field(operation, types, mind)
            for operation in operations
            if operation.declaration.writes is writes
        ]
        for writes in (False, True)
    }
    return Schema(
        query=create_type(
            "Query",
            [*query_fields(types, mind), *fields[False]],
            description="Read-only. Access counts are not updated.",
        ),
        mutation=create_type("Mutation", fields[True], description="Operations that write."),
        subscription=create_type(
            "Subscription",
            [thought_added(types, mind, admitted or always)],
            description="What happens, as it happens.",
        ),
        config=StrawberryConfig(scalar_map=SCALARS),
    )


def sdl() -> str:
    """The schema as SDL, the content of ``graphql/schema.graphql``."""
    return build_schema(Mind(Settings())).as_str() + "\n"


def _field(operation: Operation, types: Types, mind: Mind) -> StrawberryField:
    budgeted = any(one.name == "max_tokens" for one in operation.parameters)
    flat, writes = is_flat(operation), operation.declaration.writes

    async def resolve(info: strawberry.Info, **given: Any) -> Any:
        sent = {name: as_sent(value) for name, value in given.items()}
        arguments = sent if flat else sent.get("input") or {}
        if budgeted and arguments.get("max_tokens") is None:
            arguments["max_tokens"] = MOST_TOKENS
        # The changes of a request follow each other: what one leads to is read after it.
        loaders = renew_loaders(info.context, mind) if writes else loaders_of(info, mind)
        loaders.arguments[root_of(info)] = arguments
        return await mind.operations[operation.name].call(arguments)

    # Strawberry reads the arguments from the signature, so one resolver suffices for all operations.
    resolve.__name__ = operation.name
    result = types.of(operation.returns)
    resolve.__dict__["__signature__"] = inspect.Signature(
        [_INFO, *_arguments(operation, types)],
        # Null if it failed. Without null, GraphQL would discard the results of the other fields too.
        return_annotation=result | None,
    )
    field = strawberry.field(resolver=resolve, description=operation.description)
    field.python_name = operation.name
    return field


def _arguments(operation: Operation, types: Types) -> Iterable[inspect.Parameter]:
    """The arguments of a field: the operation's parameters, or one object with all of them."""
    if not is_flat(operation):
        name, parameters = to_camel_case(operation.name), [*map(_adapted, operation.parameters)]
        made, described = (
            types.input_of(name[0].upper() + name[1:], parameters),
            "The arguments, as an object.",
        )
        if any(parameter.required for parameter in parameters):
            yield _argument("input", made, described, inspect.Parameter.empty)
        else:
            yield _argument("input", made | None, described, strawberry.UNSET)
    else:
        for parameter in map(_adapted, operation.parameters):
            made = types.of(parameter.annotation, as_input=True)
            if parameter.required:
                yield _argument(parameter.name, made, parameter.help, inspect.Parameter.empty)
            else:  # Null means the default.
                default = types.default(parameter.default, made)
                yield _argument(parameter.name, made | None, parameter.help, default)


def is_flat(operation: Operation) -> bool:
    """Whether the parameters of an operation are arguments of its field, and no input object."""
    return len({one.name for one in operation.parameters} - _OF_PAGES) <= _FLAT


def _adapted(parameter: Parameter) -> Parameter:
    """The parameter with the description of its default here."""
    return replace(parameter, help=_BUDGET) if parameter.name == "max_tokens" else parameter


def _argument(name: str, kind: Any, description: str, default: Any) -> inspect.Parameter:
    described = strawberry.argument(description=description or None)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[kind, described], default=default
    )


def _cause(error: GraphQLError) -> BaseException | None:
    """The exception that caused an error; None when GraphQL itself rejected the request."""
    cause: BaseException | None = error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    return None if isinstance(cause, _REJECTED) else cause
