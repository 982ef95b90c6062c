"""Rows of statements, as the types that their callers declare.

A dataclass, a TypedDict or a dict has the columns by their names, and a tuple has them in their order. Any
other type is that of the only column's value. Maps inside a row become the dataclasses that its type names.
Types of other values are not checked.
"""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from neo4j import Record
from typing_extensions import is_typeddict  # typing's knows only typing's own

from legacymind.db.values import to_python


@cache
def maker(row: Any) -> Callable[[Record], Any]:
    """What makes a row of a type from a record of the driver."""
    make = _inner(row)
    if get_origin(row) is tuple:
        return lambda record: tuple(make([to_python(value) for value in record.values()]))
    if by_name(row):
        return lambda record: make(dict(zip(record.keys(), map(to_python, record.values()), strict=True)))
    return lambda record: make(to_python(record[0]))


def by_name(row: Any) -> bool:
    """Whether a row has the columns by their names."""
    return is_dataclass(row) or is_typeddict(row) or get_origin(row) is dict


def _same(value: Any) -> Any:
    return value


def _inner(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of a type, of which parts may be dataclasses."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        makers = {make for one in args if (make := _inner(one)) is not _same}
        if len(makers) != 1:
            return _same
        (make,) = makers
        return lambda value: None if value is None else make(value)
    if origin is list and (make := _inner(args[0])) is not _same:
        return lambda values: [make(value) for value in values]
    if origin is tuple:
        parts = [_inner(one) for one in args]
        if any(make is not _same for make in parts):
            return lambda values: tuple(make(value) for make, value in zip(parts, values, strict=True))
    if is_dataclass(kind):
        made = cast("Callable[..., Any]", kind)
        return lambda row: made(**_with_parts(kind, row))
    if is_typeddict(kind) and _parts(kind):
        return lambda row: _with_parts(kind, row)
    return _same


def _with_parts(kind: Any, row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: make(row[name]) for name, make in _parts(kind).items() if name in row}


@cache
def _parts(kind: Any) -> dict[str, Callable[[Any], Any]]:
    """The members of a type that are, or have, dataclasses, and what makes them."""
    makers = {name: _inner(hint) for name, hint in get_type_hints(kind).items()}
    return {name: make for name, make in makers.items() if make is not _same}
