"""Whether two values of one attribute can both be right: amounts, dates, hours, versions, states, names."""

import re
from datetime import UTC, datetime
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product
from typing import Final

from legacymind.text import times
from legacymind.text.claims import regions
from legacymind.text.claims.quantities import NUMBER_WORDS, amounts, can_be_same, in_digits
from legacymind.text.words import folded

_PAIRS: Final = tuple(
    tuple(side.split() for side in pair.split(" / "))
    for pair in (
        "enabled on true yes / disabled off false no|"
        "active / inactive cancelled canceled discontinued|open opened / closed|"
        "locked / unlocked|full / empty|"
        "allowed permitted / forbidden prohibited disallowed banned|available / unavailable|alive / dead|"
        "online up / offline down|"
        "required / optional|public / private|single / married|supported / unsupported|"
        "encrypted / unencrypted|valid / invalid|visible / hidden|running / stopped|passing / failing|"
        "passed succeeded / failed|"
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
    r"|\d{1,2}(?:st|nd|rd|th)?|q[1-4]|on|in|of|the)\b[ ,]*)+)",
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
_VERSION: Final = re.compile(r"\d+(?:\.\d+)*(?:\.[x*])?")
_PHONE: Final = re.compile(r"\+?\d{2,}[ ()./-]+\d[\d ()./-]{3,}")
_RATIO: Final = re.compile(r"\d+(?:\.\d+)?:\d+(?:\.\d+)?")
_SCHEME: Final = re.compile(r"^(?:https?://)?(?:www\.)?")
_DESCRIPTION: Final = re.compile(r"(?:(?:an?|the) )?[a-z]+(?:[ -]|$)(?!['\"“]?[A-Z])")
_ZONES: Final = "(?:we|ce|ee|e|c|m|p|b|i|j|k|ae|ac|aw|nz)[sd]?t|msk|hkt|sgt"
_ZONE: Final = re.compile(
    r"(?P<place>[a-z]+/[a-z_/]+)|(?P<offset>utc(?:[-+−].*)?)"
    rf"|(?P<name>{_ZONES})"
)
_IN_ZONE: Final = re.compile(rf"(?<=\d|m) (?:utc|{_ZONES})$")
_UTC: Final = re.compile(r"^(?:utc|gmt)(?: ?([-+])0*(\d+)(?::00)?)?$")
_STEM: Final = 4
"""The least letters of a word that a longer one begins with, or that another spelling is compared with."""
_ALIKE: Final = 0.75
"""The least ratio of common letters (Ratcliff and Obershelp) of two spellings of one name."""
_PLACED: Final = re.compile(
    r"(?:on|in|at|from|with|by|under)\b(?: (?:the )?(?:room|building|floor|wing|block|hall|house|desk)\b)?"
)
_WORD: Final = re.compile(r"(?<!\S)[-−]?\d+(?:[.:]\d+)*|\d+(?:[.:]\d+)*|\w+")
_NUMERIC: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./]((?:1\d|20)\d\d)")
FILLER: Final = frozenset(
    "a an the is are am do does did will would can could currently now also still just really very "
    "this that his her their its my our your to mr mrs ms dr".split()
)
_FILLERS: Final = re.compile(rf"(?<!\S)(?:{'|'.join(FILLER)})(?!\S)")


def agree(one: str, other: str) -> bool:
    """Whether two values can both be right; values that cannot be compared can."""
    described = _is_described(one) is not _is_described(other)
    one, other = _normal(one), _normal(other)
    if one in STATES and other in STATES:
        return _SIDES[one] == _SIDES[other]
    first, second = _words(one), _words(other)
    if first <= second or second <= first or _is_longer(one, other) or _is_longer(other, one):
        return True
    if described or regions.size(one) != regions.size(other) or _form(one) != _form(other):
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
    if kind != _kind(other) or (kind not in ("number", "weekday") and _spelled_alike(one, other)):
        return True
    zones = [_IN_ZONE.search(value) for value in (one, other)]
    if any(zones):
        first_zone, second_zone = (zone and zone[0] for zone in zones)
        if first_zone != second_zone:
            return True
        one, other = (_IN_ZONE.sub("", value) for value in (one, other))
    hours = _minutes(one), _minutes(other)
    if all(hours) and not (_BARE.fullmatch(one) and _BARE.fullmatch(other)):
        return not hours[0].isdisjoint(hours[1])
    if _PHONE.fullmatch(one) and _PHONE.fullmatch(other) and not _DATE.fullmatch(one):
        return _spelled_alike(one, other)
    if _RATIO.fullmatch(one) and _RATIO.fullmatch(other):
        (a, b), (c, d) = (map(float, ratio.split(":")) for ratio in (one, other))
        return a * d == b * c
    if _DATE.fullmatch(one) and _DATE.fullmatch(other):
        return any(_same_day(day, another) for day in _dates(one) for another in _dates(other))
    amount, another = amounts(one), amounts(other)
    versions = _VERSION.fullmatch(one) and _VERSION.fullmatch(other) and "." in one + other
    if versions and max(len(amount), len(another)) < 2:
        parts = zip(one.split("."), other.split("."), strict=False)
        return all(a == b or {a, b} & {"x", "*"} for a, b in parts)
    if amount and another:
        return can_be_same(amount, another)
    return kind == "number"  # a number in a form that is not read


def _normal(value: str) -> str:
    """The value in lower case, an address without what many forms of it leave out."""
    return _UTC.sub(r"utc\1\2", _SCHEME.sub("", value.lower()).rstrip("/"))


def _is_described(value: str) -> bool:
    """Whether a value tells how something is, as "a lawyer" and "red", and does not name it."""
    plain = value.lower()
    return not (_NUMBER.match(plain) or _BOUND.match(plain)) and _DESCRIPTION.match(value) is not None


def _is_longer(one: str, other: str) -> bool:
    """Whether one value says more of what the other says: a host and its port, a name and its initials."""
    words = [word for word in one.split() if word not in FILLER]
    short = [word for word in other.split() if word not in FILLER]
    if not words or len(short) != 1:
        return False
    initials = "".join(word[0] for word in words)
    return (
        one.endswith(f":{other}")
        or (one.startswith((f"{other}:", f"{other}/")) and not other.isdecimal())
        or (len(short[0]) >= _STEM and words[0].startswith(short[0]))
        or (len(words) > 1 and len(short[0]) <= len(words) + 1 and short[0].startswith(initials))
    )


def _form(value: str) -> str:
    """In what form a time zone is given; empty for anything else."""
    found = _ZONE.fullmatch(value)
    return "" if found is None else str(found.lastgroup)


def _spelled_alike(one: str, other: str) -> bool:
    """Whether two values have the same letters and digits, or are much alike: Kiev and Kyiv."""
    first, second = ("".join(filter(str.isalnum, folded(value))) for value in (one, other))
    if first == second:
        return True
    single = one.isalpha() and other.isalpha() and min(len(one), len(other)) >= _STEM
    return single and SequenceMatcher(None, first, second, autojunk=False).ratio() >= _ALIKE


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
    spans = [[amount for amount in amounts(moment) if amount.kind == "time"] for moment in moments]
    if sides[0] == sides[1] and all(spans):
        return can_be_same(*map(tuple, spans))
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
