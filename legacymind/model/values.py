"""Types of values: numbers with a range and lists of words, in all forms in which callers send them."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

MOST_TOKENS: Final = 10_000_000
"""The largest token budget, which no answer exceeds: a user interface has pages and no context window."""

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


@dataclass(frozen=True, slots=True)
class Skipped(Clamped):
    """A number of items to skip. One above ``high`` is refused, since another page would be read instead.

    ``advice`` is what to do then, as part of a sentence.
    """

    advice: str = ""

    def coerce(self, value: object) -> object:
        """The whole number, at least ``low``. Raises ValueError above ``high``."""
        read = number(value)
        if isinstance(read, int | float) and read > self.high:
            raise ValueError(f"must be at most {self.high:,}; {self.advice}")
        return Clamped.coerce(self, read)


def clamped(low: float, high: float) -> Clamped:
    """Move numbers into the range from ``low`` to ``high``."""
    return Clamped(low, high)


def whole(low: int, high: int) -> Clamped:
    """Round numbers and move them into the range from ``low`` to ``high``."""
    return Clamped(low, high, nearest=True)


def skipped(high: int, *, advice: str) -> Skipped:
    """Round a number of items to skip, and refuse one above ``high``."""
    return Skipped(0, high, nearest=True, advice=advice)


def is_unicode(value: object) -> bool:
    """Whether no text in a value, or in a list or an object in it, contains a lone surrogate."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    elif isinstance(value, Mapping):
        return all(map(is_unicode, cast("Mapping[Any, Any]", value).items()))
    elif isinstance(value, list | tuple | set):
        return all(map(is_unicode, cast("Iterable[Any]", value)))
    return True


def json_list(value: str) -> list[Any] | None:
    """The list that a string has as JSON; None if it has none."""
    if not value.lstrip().startswith("["):
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def json_object(value: object) -> object:
    """Convert a JSON object in a string; return other values unchanged."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def words(value: object) -> object:
    """Convert a string, a JSON list or words with commas, to a list; return other values unchanged."""
    if not isinstance(value, str):
        return value
    listed = json_list(value)
    return [part.strip() for part in value.split(",") if part.strip()] if listed is None else listed


def _names(value: object) -> object:
    """Convert a string, a JSON list or one name, to a list; return other values unchanged."""
    if not isinstance(value, str):
        return value
    listed = json_list(value)
    return [value] if listed is None else listed


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

Names = Annotated[list[str], BeforeValidator(_names)]
"""A list of names or ids, which may have commas; also accepts one string, or a list as JSON."""

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), clamped(0, 1)]
"""A number, moved into the range from 0 to 1."""
