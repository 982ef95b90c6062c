"""Makes the fields of the graph: their arguments, and resolvers that use the loaders of a request."""

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import Annotated, Any, Final, NamedTuple, cast

import strawberry
from strawberry.annotation import StrawberryAnnotation
from strawberry.types.field import StrawberryField

from legacymind.calls import one_call
from legacymind.doors.graphql.loaders import OfRequest, loaded, loaders_of
from legacymind.doors.graphql.types import as_sent
from legacymind.observe import Step, door, observed
from legacymind.operations.coercion import is_blank
from legacymind.services.nodes.pages import MAX_PAGE, PAGE, page_size

REQUIRED: Final = inspect.Parameter.empty

Resolve = Callable[..., Awaitable[Any]]
"""Takes the loaders of the request, the node that has the field (none for the query), and the arguments."""


class Argument(NamedTuple):
    """An argument of a field. Null means the default. ``shown`` is its name in the schema, if another."""

    name: str
    kind: Any
    description: str
    default: Any = None
    shown: str | None = None


PAGED: Final = (
    Argument("first", int, f"Size of the page. Range: 0 to {MAX_PAGE}. Default: {PAGE}.", PAGE),
    Argument("after", str, "`endCursor` of the page before. Default: the first page."),
)


class Fields:
    """Makes fields. ``names`` has the GraphQL types that their types name, also those that are made later."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def member(self, name: str, kind: str, description: str) -> StrawberryField:
        """A field that shows a member of the record."""
        field = strawberry.field(description=description)
        field.python_name = name
        field.type_annotation = StrawberryAnnotation(kind, namespace=self.names)
        return field

    def of_record(
        self, name: str, kind: str, description: str, read: Callable[[Any], Any], shown: str | None = None
    ) -> StrawberryField:
        """A field whose value is in the record. ``shown`` is another name than its own in the schema."""

        def resolver(root: Any) -> Any:
            return read(root)

        field = self._made(resolver, name, kind, description, ())
        field.graphql_name = shown
        return field

    def of_node(
        self,
        name: str,
        kind: str,
        description: str,
        resolve: Resolve,
        *arguments: Argument,
    ) -> StrawberryField:
        """A field of a node. ``resolve`` takes the loaders, the node and the arguments."""

        async def resolver(root: Any, info: strawberry.Info, **given: Any) -> Any:
            return await resolve(loaded(info), root, **_values(given, arguments))

        return self._made(resolver, name, kind, description, arguments)

    def of_query(
        self,
        of_request: OfRequest,
        name: str,
        kind: str,
        description: str,
        resolve: Resolve,
        *arguments: Argument,
    ) -> StrawberryField:
        """A field of the query: one call. ``resolve`` takes the loaders and the arguments."""

        async def resolver(info: strawberry.Info, **given: Any) -> Any:
            values = _values(given, arguments)
            with call(name, values):
                return await resolve(loaders_of(info, of_request), **values)

        return self._made(resolver, name, kind, description, arguments)

    def of_subscription(
        self,
        name: str,
        kind: str,
        description: str,
        resolve: Callable[..., AsyncGenerator[Any]],
        *arguments: Argument,
    ) -> StrawberryField:
        """A field of the subscription. ``resolve`` takes the context of the request and the arguments."""

        async def resolver(info: strawberry.Info, **given: Any) -> AsyncGenerator[Any]:
            async with aclosing(resolve(info.context, **_values(given, arguments))) as events:
                async for event in events:
                    yield event

        return self._made(resolver, name, kind, description, arguments, is_subscription=True)

    def _made(
        self,
        resolver: Any,
        name: str,
        kind: str,
        description: str,
        arguments: Sequence[Argument],
        *,
        is_subscription: bool = False,
    ) -> StrawberryField:
        parameters = [
            one
            for one in inspect.signature(resolver).parameters.values()
            if one.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        parameters += [_parameter(one) for one in arguments]
        resolver.__name__ = name
        resolver.__signature__ = inspect.Signature(parameters)
        field = strawberry.field(resolver=resolver, description=description, is_subscription=is_subscription)
        field.python_name = name
        field.type_annotation = StrawberryAnnotation(kind, namespace=self.names)
        return field


def _parameter(argument: Argument) -> inspect.Parameter:
    required = argument.default is REQUIRED
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[
            argument.kind if required else argument.kind | None,
            strawberry.argument(description=argument.description, name=argument.shown),
        ],
        default=strawberry.UNSET if argument.default is None else argument.default,
    )


def _values(given: Mapping[str, Any], arguments: Sequence[Argument]) -> dict[str, Any]:
    """The values of the arguments; null and a blank text are the default. Sizes of pages are checked."""
    values: dict[str, Any] = {}
    for one in arguments:
        value = given.get(one.name, strawberry.UNSET)
        blank = value is strawberry.UNSET or value is None or is_blank(value)
        value = as_sent(one.default if blank and one.default is not REQUIRED else value)
        if isinstance(value, dict):  # an input object
            sent = cast("dict[str, object]", value)
            value = {name: member for name, member in sent.items() if not is_blank(member)}
        values[one.name] = value
    if "first" in values:
        values["first"] = page_size(values["first"])
    return values


@contextmanager
def call(name: str, values: Mapping[str, Any]) -> Generator[None]:
    """Work for a call, which waits for its turn and is counted as one of an operation is."""
    through = door.set("graphql")
    try:
        with observed(Step("operation", name, arguments=values)), one_call():
            yield
    finally:
        door.reset(through)
