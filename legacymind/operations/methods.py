"""Validates the arguments of the public methods that are no operations, such as ``Mind.prune``."""

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Annotated, Any, Final, Literal, TypeVar, cast, get_args, get_origin

from pydantic import PlainValidator

from legacymind.errors import InvalidInput
from legacymind.model.about import is_union, unwrap
from legacymind.operations.validation import Arguments

F = TypeVar("F", bound=Callable[..., Any])

_VALUES: Final = frozenset({str, int, float, bool, datetime, Literal, Sequence})
"""The types of arguments that are converted as those of operations are."""

_NAMES: Final[Mapping[Any, str]] = {
    str: "text",
    PathLike: "a path",
    Mapping: "a mapping",
    Iterable: "an iterable of lines",
}
"""What an argument must be, by its class."""


def public(name: str, *, writes: bool = False) -> Callable[[F], F]:
    """Mark a method of the Python API that is no operation; ``name`` is the one that users call.

    The marked method coerces and validates its arguments as an operation does. It raises InvalidInput for an
    unknown, missing or invalid one.
    """

    def mark(method: F) -> F:
        arguments = Arguments(name, method, checkable)

        def validate(positional: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
            try:
                return arguments.validate(arguments.named(positional, keywords))
            except InvalidInput as raised:
                if writes:
                    raised.of_write()
                raise

        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def awaited(self: object, /, *positional: Any, **keywords: Any) -> Any:
                return await method(self, **validate(positional, keywords))

            return cast("F", awaited)

        @functools.wraps(method)
        def called(self: object, /, *positional: Any, **keywords: Any) -> Any:
            return method(self, **validate(positional, keywords))

        return cast("F", called)

    return mark


def checkable(annotation: Any) -> Any:
    """An annotation that pydantic can check: of an object, such as a mapping, only its class."""
    kind, optional = unwrap(annotation)
    classes = [get_origin(one) or one for one in (get_args(kind) if is_union(kind) else (kind,))]
    if len(classes) == 1 and classes[0] in _VALUES:
        return annotation

    def check(value: Any) -> Any:
        # Text is an iterable too, of its characters.
        fits = isinstance(value, str | bytes) <= (str in classes) and any(_is(value, one) for one in classes)
        if not fits:
            raise ValueError(f"must be {' or '.join(_named(one) for one in classes)}")
        return value

    checked: Any = Annotated[Any, PlainValidator(check)]
    return checked | None if optional else checked


def _is(value: object, kind: Any) -> bool:
    # A protocol has no instances. The one member of Progress is its call.
    return callable(value) if _is_callback(kind) else _is_protocol(kind) or isinstance(value, kind)


def _is_protocol(kind: Any) -> bool:
    return bool(getattr(kind, "_is_protocol", False)) and kind.__module__.startswith("legacymind")


def _is_callback(kind: Any) -> bool:
    return _is_protocol(kind) and "__call__" in vars(kind)


def _named(kind: Any) -> str:
    return "a function" if _is_callback(kind) else _NAMES.get(kind, f"a {kind.__name__}")
