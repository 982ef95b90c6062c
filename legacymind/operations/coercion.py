"""What callers say loosely, read as what they mean; every door sends its arguments through here.

Numbers may be text, lists of words one string, names in any case and in camelCase, and null is what was
left out.
"""

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, cast, get_args, get_origin

from pydantic import BeforeValidator, Field
from pydantic.alias_generators import to_snake

from legacymind.errors import InvalidInput
from legacymind.operations.introspection import is_record, members, unwrap

Member = tuple[str, Any, Any]
"""A name, its annotation and its default, MISSING when there is none."""

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


def clamped(low: float, high: float) -> BeforeValidator:
    """Take a number or a numeric string and move it into [low, high]."""
    return BeforeValidator(lambda value: _limited(value, low, high), json_schema_input_type=float)


def whole(low: int, high: int) -> BeforeValidator:
    """As ``clamped``, then take the nearest whole number; of two, the greater."""

    def nearest(value: object) -> object:
        limited = _limited(value, low, high)
        return math.floor(limited + 0.5) if isinstance(limited, float) else limited

    return BeforeValidator(nearest, json_schema_input_type=float)


def _limited(value: object, low: float, high: float) -> object:
    read = number(value)
    if isinstance(read, bool) or not isinstance(read, int | float):
        return read
    return min(max(read, low), high)


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


def normalise_arguments(
    tool: str, arguments: Mapping[str, Any], expected: Iterable[Member]
) -> dict[str, Any]:
    """Arguments under our names: ``sessionId`` is ``session_id``, in the records of a list as well.

    Null for what has another default is left out, names from a fixed list are spelled as they are there.
    What is not expected stays, to be refused by its name. Raises InvalidInput for one that came twice.
    """
    known = {name: (hint, default) for name, hint, default in expected}
    meant: dict[str, Any] = {}
    for name, value in arguments.items():
        ours = name if name in known else to_snake(name)
        if ours not in known:
            meant[name] = value
            continue
        if ours in meant or (ours != name and ours in arguments):
            raise InvalidInput(f"{tool} was called with both {name!r} and {ours!r}.", hint="Send one.")
        hint, default = known[ours]
        kind, optional = unwrap(hint)
        if value is None and default is not dataclasses.MISSING and not optional:
            continue
        meant[ours] = _meant(tool, value, kind)
    return meant


def _meant(tool: str, value: Any, kind: Any) -> Any:
    if get_origin(kind) is Literal:
        return _named(value, get_args(kind))
    if get_origin(kind) is list:
        item, _ = unwrap(get_args(kind)[0])
        if get_origin(item) is Literal:
            value = words(value)
        elif is_record(item) and isinstance(value, str):
            listed = _listed(value)
            value = value if listed is None else listed
        return [_meant(tool, one, item) for one in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]
    if is_record(kind) and isinstance(value, dict):
        return normalise_arguments(tool, cast("dict[str, Any]", value), members(kind))
    return value


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
