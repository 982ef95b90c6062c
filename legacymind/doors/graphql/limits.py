"""Limits on the GraphQL documents that are executed.

Every check takes time in proportion to the document at most. The rules of the libraries for depth and aliases
walk a fragment once for each spread, so that 60 fragments that each spread the next one twice never end.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
    specified_rules,
    validate,
)
from graphql.validation.rules import overlapping_fields_can_be_merged
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule
from strawberry.types.graphql import OperationType

from legacymind.doors.graphql.cost import beyond_items

MAX_LENGTH: Final = 64 * 1024
"""Characters of a document. Longer ones are not parsed."""

MAX_TOKENS: Final = 1000
"""A text or list that is passed as a variable counts as one token, whatever its length."""

MAX_DEPTH: Final = 12
"""Fields inside each other, without introspection, which graphql-core limits."""

MAX_ALIASES: Final = 15
"""Aliases of an operation. As all further limits, it counts what fragments add at each of their spreads."""

MAX_SELECTIONS: Final = 1000
"""Fields, spreads and inline fragments of an operation."""

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
        errors = [error] if (error := beyond(document)) else None
        if errors is None:
            errors = validate(schema, document, _RULES, _MAX_ERRORS)
        return Judged(document, tuple(errors))

    remembered = lru_cache(maxsize=_CACHED)(judge)

    def judge_any(text: str) -> Judged:
        if len(text) > MAX_LENGTH:
            raise GraphQLError(
                f"The document has {len(text):,} characters; the limit is {MAX_LENGTH:,}. "
                "Pass long texts as variables."
            )
        return (remembered if len(text) <= _CACHED_LENGTH else judge)(text)

    return judge_any


class Written(dict[str, Any]):
    """The data of a mutation. It is sent whatever its size: it acknowledges what was stored."""


class DocumentLimits(SchemaExtension):
    """Makes Strawberry parse and validate with a judge, and limits the items that an operation may read."""

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
            error = error or beyond_items(
                self._schema, document, context.operation_name, context.variables or {}
            )
            context.pre_execution_errors += [error] if error else []
        yield

    def on_execute(self) -> Iterator[None]:
        """Mark the data of a mutation."""
        yield
        context = self.execution_context
        if context.operation_type is OperationType.MUTATION and context.result and context.result.data:
            context.result.data = Written(context.result.data)


def _unnamed(document: DocumentNode) -> GraphQLError | None:
    """The error of a document with several operations, of which none is named; Strawberry runs the first."""
    if sum(isinstance(one, OperationDefinitionNode) for one in document.definitions) <= 1:
        return None
    return GraphQLError("The document has several operations. Send the name of one as `operationName`.")


def beyond(document: DocumentNode) -> GraphQLError | None:
    """The error of a document with an operation beyond the limits. Unknown fragments count as empty."""
    measured = _Measured(document)
    for definition in document.definitions:
        if isinstance(definition, OperationDefinitionNode):
            size = measured.size(definition.selection_set)
            for found, limit, what in (
                (size.depth, MAX_DEPTH, "fields inside each other"),
                (size.aliases, MAX_ALIASES, "aliases"),
                (size.selections, MAX_SELECTIONS, "selections"),
            ):
                if found > limit:
                    return GraphQLError(
                        f"An operation has more than {limit:,} {what}, counting each use of a fragment.",
                        definition,
                    )
    return None


class _Size(NamedTuple):
    depth: int = 0
    aliases: int = 0
    selections: int = 0


class _Measured:
    """The sizes of selection sets. Each fragment is measured once."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            definition.name.value: definition.selection_set
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self._sizes: dict[str, _Size] = {}

    def size(self, within: SelectionSetNode | None) -> _Size:
        """The size of a selection set. The parser's limit on nesting limits the recursion."""
        depth = aliases = selections = 0
        for selection in within.selections if within else ():
            inner = _Size()
            if isinstance(selection, FragmentSpreadNode):
                inner = self._size_of_fragment(selection.name.value)
            elif isinstance(selection, FieldNode | InlineFragmentNode):
                inner = self.size(selection.selection_set)
            own = 0
            if isinstance(selection, FieldNode):
                own = 1
                aliases += selection.alias is not None
                if selection.name.value.startswith("__"):
                    inner = inner._replace(depth=0)
            depth = max(depth, own + inner.depth)
            aliases += inner.aliases
            selections += 1 + inner.selections
        return _Size(depth, aliases, selections)

    def _size_of_fragment(self, name: str) -> _Size:
        if name not in self._sizes:
            self._sizes[name] = _Size()  # a fragment inside itself: a rule of graphql-core reports it
            self._sizes[name] = self.size(self._fragments.get(name))
        return self._sizes[name]
