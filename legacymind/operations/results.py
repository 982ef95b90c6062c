"""Converts results of operations to JSON."""

from typing import Any, Final, cast

from pydantic.alias_generators import to_camel
from pydantic_core import to_jsonable_python

from legacymind.model.base import Camel
from legacymind.model.think import ThinkResult

_EMPTY: Final[tuple[Any, ...]] = (None, [], {}, "")


def jsonable(result: Any) -> Any:
    """A result as plain JSON.

    Records in a list, and all records inside those, omit members that are null or empty; this saves tokens
    where a shape repeats. A single record keeps every member, so that clients can rely on its shape. A
    compact result of think omits empty members everywhere, apart from ``memories``.
    """
    if isinstance(result, ThinkResult) and result.compact:
        members: dict[str, Any] = _without_empty(to_jsonable_python(result), listed=True)
        return members | {"memories": members.get("memories", [])}
    return _without_empty(camelized(result) if isinstance(result, Camel) else to_jsonable_python(result))


def camelized(value: Any) -> Any:
    """Convert a result to plain JSON with camelCase keys, as results of type ``Camel`` have at every door."""
    return _camelized(to_jsonable_python(value))


def _camelized(value: Any) -> Any:
    if isinstance(value, list):
        return [_camelized(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {to_camel(key): _camelized(item) for key, item in cast("dict[str, Any]", value).items()}
    return value


def _without_empty(value: Any, *, listed: bool = False) -> Any:
    if isinstance(value, list):
        return [_without_empty(item, listed=True) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = {
        key: _without_empty(member, listed=listed) for key, member in cast("dict[str, Any]", value).items()
    }
    return {key: member for key, member in members.items() if not (listed and member in _EMPTY)}
