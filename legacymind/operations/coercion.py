"""What callers say loosely, read as what they mean; every door sends its arguments through here.

Numbers may be text, lists of words one string, names in any case and in camelCase, and null is what was
left out.
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
"""From an operation's name and what was sent to what pydantic validates."""


class Member(NamedTuple):
    """A parameter or a record's member, as ``normalise_arguments`` needs it; without ``convert``, as sent."""

    convert: Convert | None
    optional: bool
    required: bool


_NO_NUMBER: Final = "a number is needed"


def number(value: object) -> object:
    """A numeric string as its number, anything else as it is; raises ValueError for NaN.

    NaN compares with nothing, so that nothing would ever be found with it.
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

    With ``nearest`` it then takes the nearest whole number; of two, the greater. The JSON schema has the
    range, although numbers outside it are accepted.
    """

    low: float
    high: float
    nearest: bool = False

    def coerce(self, value: object) -> object:
        """The number within the range; what is not a number stays, for the validation to report."""
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
    """A number from ``low`` to ``high``."""
    return Clamped(low, high)


def whole(low: int, high: int) -> Clamped:
    """A whole number from ``low`` to ``high``."""
    return Clamped(low, high, nearest=True)


def words(value: object) -> object:
    """One string as the list that it writes, in JSON or with commas; anything else as it is."""
    if not isinstance(value, str):
        return value
    listed = _listed(value)
    return [part.strip() for part in value.split(",") if part.strip()] if listed is None else listed


def _tags(value: object) -> object:
    # GraphQL makes a list of one of a single string, before anybody can see that it was one.
    if isinstance(value, list) and len(given := cast("list[object]", value)) == 1:
        (only,) = given
        return words(only) if isinstance(only, str) and only.strip() else given
    return words(cast("object", value))


Words = Annotated[list[str], BeforeValidator(words)]
"""A list of words; one string, with commas or as JSON, is accepted as well."""

Tags = Annotated[list[str], BeforeValidator(_tags)]
"""Words of which none has a comma: a list of one string is read as that string is."""

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), clamped(0, 1)]
"""A number from 0 to 1; clamped."""


def known_members(expected: Iterable[tuple[str, Any, Any]]) -> dict[str, Member]:
    """Expected parameters by name, from their names, annotations and defaults (MISSING when required).

    The conversions are chosen once: taking annotations apart in every call cost 35 µs of think's 50.
    """
    found: dict[str, Member] = {}
    for name, annotation, default in expected:
        kind, optional = unwrap(annotation)
        found[name] = Member(_conversion(kind), optional, default is dataclasses.MISSING)
    return found


def normalise_arguments(
    tool: str, arguments: Mapping[str, Any], known: Mapping[str, Member]
) -> dict[str, Any]:
    """Arguments under their snake_case names: ``sessionId`` is ``session_id``, also within records.

    Null for a parameter with another default is left out; names from a fixed list are spelled as in the list.
    Unknown parameters stay, for the validation to report. Raises InvalidInput for one that came twice.
    """
    meant: dict[str, Any] = {}
    for name, value in arguments.items():
        ours = name if name in known else to_snake(name)
        member = known.get(ours)
        if member is None:
            meant[name] = value
            continue
        if ours in meant or (ours != name and ours in arguments):
            raise InvalidInput(f"{tool} was called with both {name!r} and {ours!r}.", hint="Send one.")
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
            # Pydantic takes an instance as it is, whatever its members hold.
            value = {name: getattr(value, name) for name in known()}
        if isinstance(value, dict):
            return normalise_arguments(tool, cast("dict[str, Any]", value), known())
        return value

    return converted


def _named(value: object, names: tuple[str, ...]) -> object:
    """A name as the list has it, whatever its case and the spaces around it."""
    if not isinstance(value, str):
        return value
    folded = value.strip().casefold()
    return next((name for name in names if name.casefold() == folded), value)


def _listed(value: str) -> list[Any] | None:
    """The list that a string writes in JSON, if it does."""
    if not value.lstrip().startswith("["):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
