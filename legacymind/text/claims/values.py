"""Whether two values of one attribute can both be right: amounts, dates, hours, versions, states, names."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from itertools import product
from typing import Final

from legacymind.text import times
from legacymind.text.claims.quantities import NUMBER_WORDS, amounts, can_be_same, in_digits

_PAIRS: Final = tuple(
    tuple(side.split() for side in pair.split(" / "))
    for pair in (
        "enabled on true yes / disabled off false no|active / inactive|open opened / closed|"
        "locked / unlocked|full / empty|"
        "allowed permitted / forbidden prohibited disallowed banned|available / unavailable|alive / dead|"
        "online up / offline down|"
        "required / optional|public / private|single / married|supported / unsupported|"
        "encrypted / unencrypted|valid / invalid|visible / hidden|running / stopped|passing / failing|"
        "complete completed done finished / incomplete unfinished"
    ).split("|")
)
STATES: Final = {word: sides[0][0] for sides in _PAIRS for side in sides for word in side}
"""Words that say a state, each with the first of those of its pair of opposites."""

_SIDES: Final = {word: side[0] for sides in _PAIRS for side in sides for word in side}
MONTHS: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
WEEKDAYS: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATE: Final = re.compile(
    rf"(?=.*{MONTHS}|.*\d{{4}})"
    rf"(?:\d{{1,2}}[./]\d{{1,2}}[./](?:1\d|20)\d\d|(?:(?:{MONTHS}|(?:1\d|20)\d\d(?:-\d\d-\d\d)?"
    r"|\d{1,2}(?:st|nd|rd|th)?|on|in|of|the)\b[ ,]*)+)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:1\d|20)\d\d\b")
_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)
_NUMBER: Final = re.compile(
    rf"(?:about |around |over |under |~)?(?:[$€£]?[-−]?\d|{NUMBER_WORDS}\b)|noon\b|midnight\b"
)
_HOUR: Final = re.compile(
    r"(?:at )?(?:(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap])\.?m\.?| ?h| o'clock)?"
    r"|(?P<named>noon|midnight))"
)
_BARE: Final = re.compile(r"\d{1,2}(?: ?h)?")
"""What is an hour beside an hour, and else a number or a duration."""
_BOUND: Final = re.compile(r"(?:(?P<before>before|until)|after) (?P<moment>.+)")
_WEEKDAY: Final = re.compile(rf"(?:on )?{WEEKDAYS}", re.IGNORECASE)
_VERSION: Final = re.compile(r"\d+(?:\.\d+)*")
_PLACED: Final = re.compile(r"(?:on|in|at|from|with|by|under)\b")
_WORD: Final = re.compile(r"(?<!\S)[-−]?\d+(?:[.:]\d+)*|\d+(?:[.:]\d+)*|\w+")
_NUMERIC: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./]((?:1\d|20)\d\d)")
FILLER: Final = frozenset(
    "a an the is are am do does did will would can could currently now also still just really very "
    "this that his her their its my our your to mr mrs ms dr".split()
)
_FILLERS: Final = re.compile(rf"(?<!\S)(?:{'|'.join(FILLER)})(?!\S)")


def agree(one: str, other: str) -> bool:
    """Whether two values in lower case can both be right; values that cannot be compared can."""
    if one in STATES and other in STATES:
        return _SIDES[one] == _SIDES[other]
    first, second = _words(one), _words(other)
    if "://" in one and "://" in other:
        one, other = one.rstrip("/"), other.rstrip("/")
        return one.startswith(other) or other.startswith(one)
    if first <= second or second <= first or _is_short_for(one, other) or _is_short_for(other, one):
        return True
    bounds = _BOUND.fullmatch(one), _BOUND.fullmatch(other)
    if any(bounds):
        sides = [0 if bound is None else -1 if bound["before"] else 1 for bound in bounds]
        moments = [
            value if bound is None else bound["moment"]
            for value, bound in zip((one, other), bounds, strict=True)
        ]
        return _in_order(moments, sides)
    kind = _kind(one)
    if kind != _kind(other) or (kind != "number" and _squeezed(one) == _squeezed(other)):
        return True
    hours = _minutes(one), _minutes(other)
    if all(hours) and not (_BARE.fullmatch(one) and _BARE.fullmatch(other)):
        return not hours[0].isdisjoint(hours[1])
    if _DATE.fullmatch(one) and _DATE.fullmatch(other):
        return any(_same_day(day, another) for day in _dates(one) for another in _dates(other))
    amount, another = amounts(one), amounts(other)
    versions = _VERSION.fullmatch(one) and _VERSION.fullmatch(other) and "." in one + other
    if versions and max(len(amount), len(another)) < 2:
        return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))
    if amount and another:
        return can_be_same(amount, another)
    return kind == "number"  # a number in a form that is not read


def _is_short_for(one: str, other: str) -> bool:
    """Whether one value is made of the initials of the other: NYC, USA for United States."""
    words = [word for word in other.split() if word not in FILLER]
    initials = "".join(word[0] for word in words)
    short = [word for word in one.split() if word not in FILLER]
    return (
        len(words) > 1
        and len(short) == 1
        and len(short[0]) <= len(words) + 1
        and short[0].startswith(initials)
    )


def _squeezed(value: str) -> str:
    """The letters and digits of a value: telephone numbers and names are spaced in many ways."""
    return "".join(filter(str.isalnum, value))


def _kind(value: str) -> str:
    """What a value is by its beginning: a number, a weekday, what has a preposition, or anything else."""
    number, placed = _NUMBER.match(value), _PLACED.match(value)
    if _WEEKDAY.match(value):
        return "weekday"
    return "number" if number else placed[0] if placed and not _DATE.fullmatch(value) else ""


def _minutes(value: str) -> set[int]:
    """The minutes of the day that an hour may be; none if it is no hour. 3:00 may be in the afternoon."""
    found = _HOUR.fullmatch(value)
    if found is None:
        return set()
    if found["named"]:
        return {12 * 60 if found["named"] == "noon" else 0}
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        return {(hour % 12 + 12 * (found["half"] == "p")) * 60 + minute}
    late = {12} if 0 < hour < 12 and not value.startswith("0") else set[int]()
    return {(hour % 24 + more) * 60 + minute for more in {0} | late}


def _in_order(moments: list[str], sides: list[int]) -> bool:
    """Whether two moments, years or hours, can both be right; -1 is before, 1 after, 0 exactly then."""
    one, other = ({*map(int, _YEAR.findall(moment))} or _minutes(moment) for moment in moments)
    if not one or not other or sides[0] == sides[1]:
        return True
    if 0 in sides:
        return any((b - a) * (sides[0] or -sides[1]) >= 0 for a, b in product(one, other))
    return any((b - a) * sides[0] > 0 for a, b in product(one, other))


_Day = tuple[frozenset[int], frozenset[int], frozenset[int]]


@lru_cache(maxsize=4096)
def _dates(value: str) -> tuple[_Day, ...]:
    """The years, months and days of the year that a date names, in every order of its numbers."""
    numeric = _NUMERIC.fullmatch(value)
    if numeric is not None:
        day, month, year = numeric.groups()
        orders = {(int(day), int(month)), (int(month), int(day))}
        return tuple(one for a, b in orders if b <= 12 for one in _dates(f"{year}-{b:02}-{a:02}"))
    read = times.read(value, _DAY)
    years = frozenset(map(int, _YEAR.findall(value)))
    return ((years, frozenset(read.months), frozenset({read.day} - {times.NO_DAY})),)


def _same_day(one: _Day, other: _Day) -> bool:
    return all(not a or not b or a & b for a, b in zip(one, other, strict=True))


def _words(value: str) -> set[str]:
    return set(_WORD.findall(_FILLERS.sub(" ", in_digits(value).replace(",", "")))) or {value}
