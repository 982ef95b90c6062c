"""Limits on the GraphQL documents that are executed: their tokens, and their cost.

Every check takes time in proportion to the document at most. The rules of the libraries for depth and aliases
walk a fragment once for each spread, so that 60 fragments that each spread the next one twice never end.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    parse,
    specified_rules,
    validate,
)
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from legacymind.doors.graphql.cost import too_costly

MAX_TOKENS: Final = 1000
"""A text or list that is passed as a variable counts as one token, whatever its length."""

_MAX_ERRORS: Final = 10
"""Errors of one response. Each may look for similar names in the whole schema."""

_CACHED: Final = 100
"""Number of documents in memory; clients repeat a few documents."""

_CACHED_LENGTH: Final = 4096
"""Characters of a document that is kept in memory. Its syntax tree takes a hundred times as much."""

# Fields of the same name are compared in pairs. The budget is reached by a hundred equal fields, and is
# twenty times what introspection takes; graphql-core's own allows two seconds.
overlapping_fields_can_be_merged.MAX_COMPLEXITY_BUDGET = 10_000

_NOTHING: Final = parse("{ __typename }")
"""Takes the place of a document that cannot be parsed; it is not executed."""

_RULES: Final = (*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule)


class Judged(NamedTuple):
    """A parsed document and the errors that forbid its execution."""

    document: DocumentNode
    errors: tuple[GraphQLError, ...]


Judge = Callable[[str], Judged]
"""Parses and validates a document. Raises GraphQLError for one that cannot be parsed."""


def judge_of(schema: GraphQLSchema) -> Judge:
    """The judge of a schema's documents. It remembers short ones."""

    def judge(text: str) -> Judged:
        document = parse(text, max_tokens=MAX_TOKENS)
        errors = validate(schema, document, _RULES, _MAX_ERRORS)
        return Judged(document, tuple(errors))

    remembered = lru_cache(maxsize=_CACHED)(judge)
    return lambda text: (remembered if len(text) <= _CACHED_LENGTH else judge)(text)


class DocumentLimits(SchemaExtension):
    """Makes Strawberry parse and validate with a judge, and limits the cost of an operation."""

    def __init__(self, schema: GraphQLSchema, judge: Judge) -> None:
        super().__init__()
        self._schema = schema
        self._judge = judge
        self._errors: tuple[GraphQLError, ...] = ()

    def on_parse(self) -> Iterator[None]:
        """Parse and validate the document."""
        context = self.execution_context
        if context.query:
            try:
                context.graphql_document, self._errors = self._judge(context.query)
            except GraphQLError as error:
                # Raised here, it would end a stream without a message.
                context.graphql_document = _NOTHING
                context._provided_operation_name = None  # pyright: ignore[reportPrivateUsage]
                self._errors = (error,)
        yield

    def on_validate(self) -> Iterator[None]:
        """Pass on the errors, also none, so that Strawberry does not validate again."""
        context = self.execution_context
        context.pre_execution_errors = list(self._errors)
        document = context.graphql_document
        if not self._errors and document:
            sent = context._provided_operation_name  # pyright: ignore[reportPrivateUsage]
            error = _unnamed(document) if sent is None else None
            error = error or too_costly(
                self._schema, document, context.operation_name, context.variables or {}
            )
            context.pre_execution_errors += [error] if error else []
        yield


def _unnamed(document: DocumentNode) -> GraphQLError | None:
    """The error of a document with several operations, of which none is named; Strawberry runs the first."""
    if sum(isinstance(one, OperationDefinitionNode) for one in document.definitions) <= 1:
        return None
    return GraphQLError("The document has several operations. Send the name of one as `operationName`.")
