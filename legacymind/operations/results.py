"""Converts results of operations to JSON."""

from typing import Any, cast

from pydantic.alias_generators import to_camel
from pydantic_core import to_jsonable_python


def camelized(value: Any) -> Any:
    """Convert a result to plain JSON with camelCase keys, as results of type ``Camel`` have at every door."""
    return _camelized(to_jsonable_python(value))


def _camelized(value: Any) -> Any:
    if isinstance(value, list):
        return [_camelized(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {to_camel(key): _camelized(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
