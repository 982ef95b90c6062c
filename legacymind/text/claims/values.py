"""Whether two values of one attribute can both be right: quantities, dates, versions, states and names.

A table of units serves instead of pint, whose import takes half a second, and which reads "10 am" as
attometres and "2 cats" as pressure.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, NamedTuple

from legacymind.text import times

NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
_PAIRS: Final = tuple(
    tuple(side.split() for side in pair.split(" / "))
    for pair in (
        "enabled on / disabled off|active / inactive|open / closed|alive / dead|online up / offline down|"
        "required / optional|public / private|single / married|supported / unsupported|"
        "encrypted / unencrypted|valid / invalid|true / false|full / empty|visible / hidden|"
        "running / stopped|passing / failing|complete completed done finished / incomplete unfinished"
    ).split("|")
)
STATES: Final = {word: sides[0][0] for sides in _PAIRS for side in sides for word in side}
"""Words that say a state, each with the first of those of its pair of opposites."""

_SIDES: Final = {word: side[0] for sides in _PAIRS for side in sides for word in side}
_UNITS: Final = {
    name: (kind, float(factor))
    for kind, units in {
        "mass": "1 g gram grams|1e-3 mg|1e3 kg kilo kilos kilogram kilograms|1e6 t ton tons tonne tonnes|"
        "28.35 oz ounce ounces|453.6 lb lbs pound pounds",
        "length": "1 m meter meters metre metres|1e-3 mm millimeters millimetres|1e-2 cm centimeters|"
        "1e3 km kilometers kilometres|0.3048 ft foot feet '|0.0254 inch inches \"|1609 mi mile miles",
        "time": "1 s sec secs second seconds|1e-3 ms millisecond milliseconds|1e-6 us µs μs microseconds|"
        "1e-9 ns|60 min mins minute minutes|3600 h hr hrs hour hours|86400 d day days|604800 week weeks|"
        "2592000 month months|31557600 year years",
        "data": "1 b byte bytes|1e3 kb kib|1e6 mb mib megabytes|1e9 gb gib gigabytes|1e12 tb tib terabytes",
        "rate": "1 bps|1e3 kbps kbit/s|1e6 mbps mbit/s|1e9 gbps gbit/s|8e3 kb/s|8e6 mb/s|8e9 gb/s",
        "volume": "1 l liter liters litre litres|1e-3 ml|1e-2 cl|1e3 m3 m³",
        "area": "1 m2 m² sqm|1e4 ha hectare hectares|1e6 km2 km²",
        "speed": "1 m/s|0.27778 km/h kmh kph|0.44704 mph",
        "temperature": "1 c °c celsius f °f fahrenheit",
        "frequency": "1 hz|1e3 khz|1e6 mhz|1e9 ghz",
        "power": "1 w watt watts|1e3 kw|1e6 mw",
        "voltage": "1 v volt volts|1e-3 mv|1e3 kv",
        "current": "1 a amp amps|1e-3 ma",
        "pressure": "1 pa|1e3 kpa|1e5 bar",
        "dollars": "1 $ usd dollar dollars",
        "euros": "1 € eur euro euros",
        "share": "1 % percent",
    }.items()
    for unit in units.split("|")
    for factor, *names in [unit.split()]
    for name in names
}
_MAGNITUDES: Final = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "m": 1e6, "bn": 1e9}
"""Words for powers of ten; "m" and "bn" only of money."""

_QUANTITY: Final = re.compile(
    r"(?P<bound>over|under|at least|at most|up to|(?:more|less) than)? ?"
    r"(?P<about>about|around|approximately|roughly|nearly|almost|~)? ?(?:exactly |only )?"
    r"(?P<sign>[$€])?(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?: ?(?P<magnitude>k|thousand|million|billion)\b)?"
    r"(?: ?(?P<unit>%|[a-zµμ°²³]+[23]?(?:/[a-z]+)?))?(?P<rest> .*)?"
)
_PART: Final = re.compile(r"(\d+(?:\.\d+)?) ?([a-z]+|'|\")[ ,]*(?:and )?")
"""A part of an amount in two units, such as "1 min 30 s"."""

_CONVERTED: Final = 0.05
"""The share by which a value in another unit may differ: it may be rounded, and 4 GB are 4,096 MB, too."""

_ABOUT: Final = 0.1
"""The same for a value that is given as about so much."""

MONTHS: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
WEEKDAYS: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATE: Final = re.compile(
    rf"(?=.*{MONTHS}|.*\d{{4}})"
    rf"(?:(?:{MONTHS}|(?:1\d|20)\d\d(?:-\d\d-\d\d)?|\d{{1,2}}(?:st|nd|rd|th)?|on|in|of|the)\b[ ,]*)+",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b(?:1\d|20)\d\d\b")
_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)
_NUMBER: Final = re.compile(rf"(?:about |around |over |under |~)?[$€£]?\d|(?:{'|'.join(NUMBERS)})\b")
_HOUR: Final = re.compile(r"(?P<hour>\d{1,2})(?=:| ?[ap]m)(?::(?P<minute>\d\d))?(?: ?(?P<half>[ap])m)?")
_SPELLED: Final = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b")
_WEEKDAY: Final = re.compile(rf"(?:on )?{WEEKDAYS}", re.IGNORECASE)
_VERSION: Final = re.compile(r"\d+(?:\.\d+)*")
_PLACED: Final = re.compile(r"(?:on|in|at|from|with|by|under)\b")
_WORD: Final = re.compile(r"\d+(?:[.:]\d+)*|\w+")
FILLER: Final = frozenset(
    "a an the is are am do does did will would can could currently now also still just really very "
    "this that his her their its my our your to mr mrs ms dr".split()
)


class _Quantity(NamedTuple):
    """A number, what it counts, and ``slack``, the share by which it may be another one."""

    number: float
    kind: str
    factor: float
    rest: str
    slack: float


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
    kind = _kind(one)
    if kind != _kind(other) or (kind != "number" and _squeezed(one) == _squeezed(other)):
        return True
    hour, another_hour = _HOUR.fullmatch(one), _HOUR.fullmatch(other)
    if hour is not None and another_hour is not None:
        return _minute(hour) == _minute(another_hour)
    if _DATE.fullmatch(one) and _DATE.fullmatch(other):
        return all(not a or not b or a & b for a, b in zip(_date(one), _date(other), strict=True))
    if _VERSION.fullmatch(one) and _VERSION.fullmatch(other) and "." in one + other:
        return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))
    amount, another = _quantity(one), _quantity(other)
    if amount is None or another is None:
        return kind == "number"  # a number in a form that is not read
    return _same_amount(amount, another)


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


def _minute(hour: re.Match[str]) -> int:
    """The minute of the day."""
    late = 12 * 60 if hour["half"] == "p" else 0
    return int(hour["hour"]) % (12 if hour["half"] else 24) * 60 + int(hour["minute"] or 0) + late


def _same_amount(one: _Quantity, other: _Quantity) -> bool:
    if one.rest and other.rest and one.rest != other.rest:
        return True
    if one.kind and other.kind and one.kind != other.kind:
        return True
    if {one.kind, other.kind} == {"share", ""} and one.number != other.number:
        bare, share = (one, other) if other.kind else (other, one)
        return bare.number <= 1 and abs(100 * bare.number - share.number) < 1
    if one.kind != other.kind and (one.rest + other.rest or "temperature" in (one.kind, other.kind)):
        return True  # a unit that is not in the table, or kelvins, which look like thousands
    slack = max(one.slack, other.slack, _CONVERTED if one.kind and one.factor != other.factor else 0)
    unit, unit2 = (one.factor, other.factor) if one.kind and other.kind else (1.0, 1.0)
    a, b = one.number * unit, other.number * unit2
    return abs(a - b) <= slack * max(a, b)


@lru_cache(maxsize=4096)
def _quantity(value: str) -> _Quantity | None:
    value = _SPELLED.sub(lambda word: NUMBERS[word[0]], value)
    if (several := _sum(_PART.findall(value))) is not None and not _PART.sub("", value):
        return several
    match = _QUANTITY.fullmatch(value)
    if match is None:
        return None
    magnitude = match["magnitude"] or (match["sign"] and match["unit"]) or ""
    number = float(match["number"].replace(",", "")) * _MAGNITUDES.get(magnitude, 1)
    fahrenheit = match["unit"] in ("f", "°f", "fahrenheit")
    if fahrenheit:
        number = (number - 32) / 1.8
    unit, rest = match["sign"] or match["unit"] or "", (match["rest"] or "").strip()
    kind, factor = _UNITS.get(unit, ("", 1.0))
    slack = float("inf") if match["bound"] else _ABOUT if match["about"] else 0.01 if fahrenheit else 0.0
    return _Quantity(number, kind, factor, rest if kind else f"{unit} {rest}".strip(), slack)


def _sum(parts: list[tuple[str, str]]) -> _Quantity | None:
    """An amount in several units of one kind, such as hours and minutes."""
    units = {unit for _, unit in parts}
    minutes = {"m": "min"} if units & {"h", "s"} else {}
    known = [_UNITS.get(minutes.get(unit, unit), ("", 0.0)) for _, unit in parts]
    if len(parts) < 2 or len({kind for kind, _ in known}) > 1:
        return None
    total = sum(float(number) * factor for (number, _), (_, factor) in zip(parts, known, strict=True))
    return _Quantity(total, known[0][0], 1.0, "", 0.01)


@lru_cache(maxsize=4096)
def _date(value: str) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """The years, months and days of the year that a date names."""
    read = times.read(value, _DAY)
    return (
        frozenset(map(int, _YEAR.findall(value))),
        frozenset(read.months),
        frozenset({read.day} - {times.NO_DAY}),
    )


def _words(value: str) -> set[str]:
    words: list[str] = _WORD.findall(value.replace(",", ""))
    return {NUMBERS.get(word, word) for word in words if word not in FILLER}
