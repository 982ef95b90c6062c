"""The properties of records of ``model.stored``: their names, types and marks, for what derives from them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from enum import Enum, auto
from functools import cache
from typing import Any, Final, Literal, NamedTuple, cast, get_type_hints

from legacymind.model.about import About, metadata, unwrap


class Mark(Enum):
    """What distinguishes a property from others."""

    HASHED = auto()
    """The content hash of a step covers it."""
    EVIDENCE = auto()
    """Verification reads it, beside what is hashed."""
    LONG = auto()
    """A text of any length: no range index has it."""
    UNIT = auto()
    """A number from 0 to 1."""
    LOCAL = auto()
    """An import sets it, so an export leaves it out."""


HASHED, EVIDENCE, LONG, UNIT, LOCAL = Mark

Type = Literal["text", "whole", "number", "flag", "time", "texts", "numbers"]

_OF_PYTHON: Final[dict[object, Type]] = {
    int: "whole",
    float: "number",
    bool: "flag",
    datetime: "time",
    list[str]: "texts",
    list[float]: "numbers",
}


_FITS: Final[dict[Type, Callable[[object], bool]]] = {
    "text": lambda value: type(value) is str,
    "whole": lambda value: type(value) is int and -(2**31) <= value < 2**31,  # GraphQL's Int
    "number": lambda value: type(value) is float and math.isfinite(value),
    "flag": lambda value: type(value) is bool,
    "time": lambda value: isinstance(value, datetime),
    "texts": lambda value: _each(value, "text"),
    "numbers": lambda value: _each(value, "number"),
}


def _each(value: object, type: Type) -> bool:
    return isinstance(value, list) and all(map(_FITS[type], cast("list[object]", value)))


class Property(NamedTuple):
    """A property: name, type, marks, the names that a text may be, description, whether it may be absent."""

    name: str
    type: Type
    marks: frozenset[Mark]
    names: tuple[str, ...]
    about: str
    optional: bool

    def fits(self, value: object) -> bool:
        """Whether a value has the type of the property, as Neo4j returns it."""
        return _FITS[self.type](value)

    def empty(self) -> Any:
        """What stands for an absent value: null, or an empty text or list if it has to be one."""
        return None if self.optional else "" if self.type == "text" else []


@cache
def properties(record: type) -> dict[str, Property]:
    """The properties of a record by their names, in the order of the class."""
    hints = get_type_hints(record, include_extras=True)
    found: dict[str, Property] = {}
    for each in fields(record):
        kind, optional = unwrap(hints[each.name])
        said = metadata(hints[each.name])
        abouts = [one for one in said if isinstance(one, About)]
        found[each.name] = Property(
            each.name,
            _OF_PYTHON.get(kind, "text"),
            frozenset(one for one in said if isinstance(one, Mark)),
            abouts[-1].names,
            abouts[-1].long,
            optional,
        )
    return found


def marked(record: type, *marks: Mark) -> tuple[str, ...]:
    """The names of the properties of a record that have one of the marks."""
    return tuple(name for name, each in properties(record).items() if each.marks & {*marks})


def values(kind: type, record: Any) -> dict[str, Any]:
    """The properties of a kind that a record has a value for."""
    found = {name: getattr(record, name) for name in properties(kind)}
    return {name: value for name, value in found.items() if value is not None}


def members(kind: type, row: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a kind from a row: empty if absent or, from another tool, of another type."""
    return {
        name: value if each.fits(value := row.get(name)) else each.empty()
        for name, each in properties(kind).items()
    }
