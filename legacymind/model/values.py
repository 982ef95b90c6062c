"""Types of values: numbers with a range and lists of words, in all forms in which callers send them."""

import calendar
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Final, cast

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from legacymind.model.members import Id

MOST_TOKENS: Final = 10_000_000
"""The largest token budget, which no answer exceeds: a user interface has pages and no context window."""

_LARGE: Final = 100_000
"""A maximum from which on the JSON schema has none."""

_NO_NUMBER: Final = "must be a number"

NO_TIME: Final = (
    "must be a time in ISO 8601 (2026-03-01T12:00:00Z, 2026-03-01, 20260301, 2026-03 or 2026), or seconds or "
    "milliseconds since 1970 (10 to 14 digits)"
)
"""What a time must be, as the end of a sentence."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_DATED: Final = re.compile(r"[0-9][0-9W-]{3,9}(?:[T ][0-9].*)?")
_PERIOD: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_DATE: Final = re.compile(r"[0-9]{8}|[0-9]{4}-?W?[0-9-]{2,5}")
_SPAN: Final = re.compile(r"([0-9]{1,5})\s*([mhdw])", re.IGNORECASE)
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SECONDS: Final = (1e9, 1e11)
"""Numbers that are seconds since 1970: from 2001 to 5138."""

_MILLISECONDS: Final = (1e12, 1e14)


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


def moment(value: object) -> datetime:
    """The time that a value stands for: ISO 8601 or seconds or milliseconds since 1970, as text or number.

    A year, a month and a date are their first instant; four digits are a year, and eight are a date. A time
    without an offset stays without. Raises ValueError for everything else.
    """
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(NO_TIME)
    try:
        text = str(value).strip().upper()  # ValueError for a number of 5,000 digits
        if period := _PERIOD.fullmatch(text):
            return datetime(int(period[1]), int(period[2] or 1), 1)
        if _NUMBER.fullmatch(text) and not (len(text) == 8 and text.isdecimal()):
            return _since_1970(float(text))
        if _DATED.fullmatch(text):
            return datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        pass
    raise ValueError(NO_TIME)


def expiry(value: object) -> str:
    """The text of a time, in the forms of ``moment`` or as a span from now: ``90m``, ``12h``, ``7d``, ``4w``.

    Text, since GraphQL's type for times takes no span. Raises ValueError for everything else.
    """
    span = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    if span is None:
        try:
            return moment(value).isoformat()
        except ValueError:
            raise ValueError(f"{NO_TIME}, or a span from now (90m, 12h, 7d, 4w)") from None
    return (datetime.now(UTC) + timedelta(**{_UNITS[span[2].lower()]: int(span[1])})).isoformat()


def last_instant(value: str) -> datetime | None:
    """The last instant of the year, month or date that a text is; None for another text."""
    start, text = moment(value), value.strip().upper()
    year, month, day = start.year, start.month, start.day
    if period := _PERIOD.fullmatch(text):
        month = int(period[2] or 12)
        day = calendar.monthrange(year, month)[1]
    elif not _DATE.fullmatch(text):
        return None
    return datetime(year, month, day, 23, 59, 59, 999_999)


def _since_1970(number: float) -> datetime:
    low, high = _SECONDS
    if not low <= number <= high:
        low, high = _MILLISECONDS
        if not low <= number <= high:
            raise ValueError(NO_TIME)
        number /= 1000
    return datetime.fromtimestamp(number, UTC)


@dataclass(frozen=True, slots=True)
class Clamped:
    """Moves a number, or a numeric string, into the range from ``low`` to ``high``, for ``Annotated``.

    With ``nearest``, the number is then rounded to a whole number, halves upwards. The JSON schema has the
    range as ``minimum`` and ``maximum``, although numbers outside it are accepted. A large maximum is left
    out: agents pay for it by the byte, and none comes near it.
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
        highest = {"maximum": self.high} if self.high < _LARGE else {}
        return {"type": kind, "minimum": self.low, **highest}


def clamped(low: float, high: float) -> Clamped:
    """Move numbers into the range from ``low`` to ``high``."""
    return Clamped(low, high)


def whole(low: int, high: int) -> Clamped:
    """Round numbers and move them into the range from ``low`` to ``high``."""
    return Clamped(low, high, nearest=True)


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

Ids = Annotated[list[Id], BeforeValidator(_names)]
"""A list of ids; also accepts one string, or a list as JSON."""

Names = Annotated[list[str], BeforeValidator(_names)]
"""A list of names or ids, which may have commas; also accepts one string, or a list as JSON."""

Moment = Annotated[datetime, BeforeValidator(moment)]
"""A time that a caller sends, in all forms that ``moment`` reads."""

Expiry = Annotated[str, BeforeValidator(expiry)]
"""A time, or a span from now, in all forms that ``expiry`` reads."""

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), clamped(0, 1)]
"""A number, moved into the range from 0 to 1."""
