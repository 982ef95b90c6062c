"""Coerces arguments to the types of their parameters; the validation of every operation uses it.

A number may be text, a list of words may be one string, names may be in any case and in camelCase, and null
means the default. docs/parameters.md lists the rules for users.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, cast, get_args, get_origin

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.alias_generators import to_snake
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from legacymind.errors import InvalidInput
from legacymind.operations.introspection import is_record, members, unwrap

Convert = Callable[[str, Any], Any]
"""Converts a value for pydantic's validation; the first argument is the operation's name, for errors."""


class Member(NamedTuple):
    """A parameter or a record's member; values are not converted if ``convert`` is None."""

    convert: Convert | None
    optional: bool
    required: bool


_NO_NUMBER: Final = "must be a number"


def number(value: object) -> object:
    """Convert a numeric string to its number and return other values unchanged.

    Raises ValueError for NaN: every comparison with it is false, so a search with it would find nothing.
    """
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(_NO_NUMBER)
    return value


@dataclass(frozen=True, slots=True)
class Clamped:
    """Moves a number, or a numeric string, into the range from ``low`` to ``high``, for ``Annotated``.

    With ``nearest``, the number is then rounded to a whole number, halves upwards. The JSON schema has the
    range as ``minimum`` and ``maximum``, although numbers outside it are accepted.
    """

    low: float
    high: float
    nearest: bool = False

    def coerce(self, value: object) -> object:
        """The number, moved into the range; other values stay, and the validation reports them."""
        read = number(value)
        if isinstance(read, bool) or not isinstance(read, int | float):
            return read
        limited = min(max(read, self.low), self.high)
        return math.floor(limited + 0.5) if self.nearest and isinstance(limited, float) else limited

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.coerce, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        kind = "integer" if self.nearest else "number"
        return {"type": kind, "minimum": self.low, "maximum": self.high}


def clamped(low: float, high: float) -> Clamped:
    """Move numbers into the range from ``low`` to ``high``."""
    return Clamped(low, high)


def whole(low: int, high: int) -> Clamped:
    """Round numbers and move them into the range from ``low`` to ``high``."""
    return Clamped(low, high, nearest=True)


def words(value: object) -> object:
    """Convert a string, a JSON list or words with commas, to a list; return other values unchanged."""
    if not isinstance(value, str):
        return value
    listed = _listed(value)
    return [part.strip() for part in value.split(",") if part.strip()] if listed is None else listed


def _tags(value: object) -> object:
    # GraphQL converts a single string to a list of one before any resolver sees it.
    if isinstance(value, list) and len(given := cast("list[object]", value)) == 1:
        (only,) = given
        return words(only) if isinstance(only, str) and only.strip() else given
    return words(cast("object", value))


Words = Annotated[list[str], BeforeValidator(words)]
"""A list of words; also accepts one string, with commas or as JSON."""

Tags = Annotated[list[str], BeforeValidator(_tags)]
"""A list of words without commas; a list of one string is split like the string itself."""

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), clamped(0, 1)]
"""A number, moved into the range from 0 to 1."""


def known_members(expected: Iterable[tuple[str, Any, Any]]) -> dict[str, Member]:
    """The members by name, from triples of name, annotation and default (MISSING for a required one).

    Conversions are chosen once, because inspecting annotations in every call cost 35 of think's 50 µs.
    """
    found: dict[str, Member] = {}
    for name, annotation, default in expected:
        kind, optional = unwrap(annotation)
        found[name] = Member(_conversion(kind), optional, default is dataclasses.MISSING)
    return found


def normalise_arguments(
    tool: str, arguments: Mapping[str, Any], known: Mapping[str, Member]
) -> dict[str, Any]:
    """Rename arguments to snake_case (``sessionId`` to ``session_id``), also in records, and convert them.

    Null is left out for a parameter with another default. Names from a fixed list get the list's spelling.
    Unknown parameters stay, and the validation reports them. Raises InvalidInput if one parameter has both
    spellings.
    """
    meant: dict[str, Any] = {}
    for name, value in arguments.items():
        ours = name if name in known else to_snake(name)
        member = known.get(ours)
        if member is None:
            meant[name] = value
            continue
        if ours in meant or (ours != name and ours in arguments):
            raise InvalidInput(
                f"{tool} was called with both {name!r} and {ours!r}.", hint="Pass one of them."
            )
        if value is None:
            if member.required or member.optional:
                meant[ours] = value
            continue
        meant[ours] = member.convert(tool, value) if member.convert else value
    return meant


def _conversion(kind: Any) -> Convert | None:
    origin = get_origin(kind)
    if origin is Literal:
        names = get_args(kind)
        return lambda tool, value: _named(value, names)
    if origin is list:
        item, _ = unwrap(get_args(kind)[0])
        return _list_conversion(item)
    return _record_conversion(kind) if is_record(kind) else None


def _list_conversion(item: Any) -> Convert | None:
    convert = _conversion(item)
    if convert is None:
        return None
    read = _listed if is_record(item) else words

    def converted(tool: str, value: Any) -> Any:
        listed = read(value) if isinstance(value, str) else value
        if isinstance(listed, list | tuple):
            return [convert(tool, one) for one in cast("Sequence[Any]", listed)]
        return value

    return converted


def _record_conversion(kind: Any) -> Convert:
    @cache
    def known() -> dict[str, Member]:
        return known_members(members(kind))

    def converted(tool: str, value: Any) -> Any:
        if dataclasses.is_dataclass(kind) and isinstance(value, cast("type", kind)):
            # Pydantic does not validate the members of an instance.
            value = {name: getattr(value, name) for name in known()}
        if isinstance(value, dict):
            return normalise_arguments(tool, cast("dict[str, Any]", value), known())
        return value

    return converted


def _named(value: object, names: tuple[str, ...]) -> object:
    """The name in the spelling of the list; case and surrounding spaces are ignored."""
    if not isinstance(value, str):
        return value
    folded = value.strip().casefold()
    return next((name for name in names if name.casefold() == folded), value)


def _listed(value: str) -> list[Any] | None:
    """The list that a string has as JSON; None if it has none."""
    if not value.lstrip().startswith("["):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
