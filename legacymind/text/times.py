"""The times that a query is about: dates, months and years, and times relative to now.

The rules are for English; dates in numbers are read in any text. No library does it: dateutil parses a text
that is one date and nothing else; dateparser finds no ranges, and its import takes half a second.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

NO_DAY: Final = -1000

_MONTHS: Final = tuple[str, ...](
    "january february march april may june july august september october november december".split()
)
_LONG: Final = "|".join(month for month in _MONTHS if month != "may")
_SHORT: Final = r"(?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_TO: Final = r" ?(?:-|–|—|\b(?:to|and|until|till|through)\b) ?"
_NTH: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_PARTS: Final = {
    "yyyy": ("year", r"(?:19|20)\d\d"),
    "yy": ("year", r"(?:19|20)?\d\d"),
    "mm": ("month", r"\d{1,2}"),
    "dd": ("day", r"\d{1,2}"),
    "month": ("month", rf"(?:{_LONG}|{_SHORT})"),
    "nth": ("day", _NTH),
}


def _form(text: str, *, named: bool) -> str:
    """A regular expression for dates; the parts are groups with their names, or none."""
    return text.format_map(
        {key: f"(?P<{name}>{part})" if named else part for key, (name, part) in _PARTS.items()}
    )


_SLASHES: Final = r"\b{mm}/{dd}/{yy}\b"
_FORMS: Final = (
    r"\b{yyyy}[-/.]{mm}[-/.]{dd}(?!\d)",
    r"\b{dd}[.-]{mm}[.-]{yyyy}\b",
    _SLASHES,
    r"\b{nth}(?: of)?[ -]{month}(?:,?[ -](?:of )?{yyyy})?(?!\w)",
    r"\b{month}[ -](?:the )?{nth}(?:,? (?:of )?{yyyy})?\b(?!\d)",
)
_DATE: Final = "|".join(_form(form, named=False) for form in _FORMS)

_UNITS: Final = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "quarter": 91.0, "year": 365.0}
_UNIT: Final = rf"(?P<unit>{'|'.join(_UNITS)})s?"
_COUNTED: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBERS: Final = {word: n for n, word in enumerate(_COUNTED, 1)} | {
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "couple of": 2,
    "a few": 3,
    "few": 3,
    "several": 4,
    "fourteen": 14,
    "twenty": 20,
    "thirty": 30,
}
_NUMBER: Final = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_WEEKDAYS: Final = tuple[str, ...]("monday tuesday wednesday thursday friday saturday sunday".split())
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_IS_PAST: Final = re.compile(r"\b(?:did|was|were|had|been|happened|said|decided)\b")
"""A query with "on Friday" and one of these is about the Friday before now."""

_HARDLY_OVER: Final = 2
"""Days within which "last Friday" may also be the one a week earlier."""


@dataclass(slots=True)
class Times:
    """What a query says about time.

    ``day`` is a day of the year, or -1000 if there is none. ``spans`` are pairs of start and end, of what is
    relative to now, such as "last week", and of ranges of days.
    """

    years: list[int] = field(default_factory=list[int])
    months: list[int] = field(default_factory=list[int])
    day: int = NO_DAY
    spans: list[list[datetime]] = field(default_factory=list[list[datetime]])


def read(query: str, now: datetime) -> Times:
    """The times that a query names, relative to ``now``."""
    reader = _Reader(query.lower(), now)
    for pattern, rule in _rules():
        reader.apply(pattern, rule)
    times = reader.times
    times.years, times.months = list(dict.fromkeys(times.years)), list(dict.fromkeys(times.months))
    return times


@dataclass(frozen=True, slots=True)
class _Date:
    """A day that the calendar has, in some year if it is not named."""

    day: int
    month: int
    year: int | None

    @property
    def is_real(self) -> bool:
        return 1 <= self.month <= 12 and 1 <= self.day <= monthrange(self.year or 2024, self.month)[1]

    def before(self, now: datetime) -> datetime:
        """Its beginning; without a year, the last one before ``now``."""
        for year in (self.year,) if self.year else range(now.year, now.year - 9, -1):
            if year > 0 and self.day <= monthrange(year, self.month)[1]:
                moment = datetime(year, self.month, self.day, tzinfo=UTC)
                if self.year or moment <= now:
                    return moment
        return now


class _Reader:
    """Reads a text rule by rule. What one rule reads is replaced by a bar, so that no other reads it."""

    def __init__(self, text: str, now: datetime) -> None:
        self.times = Times()
        self._text = text
        self._now = now
        self._past = _IS_PAST.search(text) is not None

    def apply(self, pattern: re.Pattern[str], rule: "_Rule") -> None:
        """Read all that a pattern finds. A rule returns False for what is no time."""

        def read(found: re.Match[str]) -> str:
            try:
                return "|" if rule(self, found) else found[0]
            except OverflowError:  # before the year 1
                return found[0]

        self._text = pattern.sub(read, self._text)

    def days(self, found: re.Match[str]) -> bool:
        """Two days: a span. A month or year that one lacks is that of the other."""
        first, last = _date(found["first"]), _date(found["last"])
        first = first or (last and replace(last, day=_number(found["first"])))
        last = last or (first and replace(first, day=_number(found["last"])))
        if first is None or last is None or not (first.is_real and last.is_real):
            return False
        until = replace(last, year=last.year or first.year).before(self._now)
        since = first.before(until)
        if since > until:
            return False
        self.times.spans.append([since, until + timedelta(days=1)])
        return True

    def since(self, found: re.Match[str]) -> bool:
        """From a day to now."""
        date = _date(found["first"])
        if date is not None:
            self.times.spans.append([date.before(self._now), self._now])
        return date is not None

    def day(self, found: re.Match[str]) -> bool:
        """A day; of several the first one."""
        date = _date(found[0])
        if date is None:
            return False
        if self.times.day == NO_DAY:
            first = datetime(2023, date.month, 1, tzinfo=UTC).timetuple().tm_yday
            self.times.day = first + date.day - 1
        self.times.months.append(date.month)
        self.times.years += [date.year] if date.year else []
        return True

    def months(self, found: re.Match[str]) -> bool:
        """Two months and all between them."""
        first, last = _month(found["first"]), _month(found["last"])
        self.times.months += [(first - 1 + n) % 12 + 1 for n in range((last - first) % 12 + 1)]
        return True

    def month(self, found: re.Match[str]) -> bool:
        """A month."""
        self.times.months.append(_month(found["month"]))
        return True

    def quarter(self, found: re.Match[str]) -> bool:
        """Three months."""
        number = found["number"]
        last = 3 * (_ORDINALS.get(number) or int(number))
        self.times.months += [last - 2, last - 1, last]
        return True

    def year(self, found: re.Match[str]) -> bool:
        """A year."""
        self.times.years.append(int(found[0]))
        return True

    def named_day(self, found: re.Match[str]) -> bool:
        """Today, yesterday or the day before, a little widened."""
        names = {"yesterday": 1, "last night": 1, "the day before yesterday": 2}
        return self._around(names.get(found[0], 0), 1)

    def weekday(self, found: re.Match[str]) -> bool:
        """The last such day before today, and the one before if that is hardly over."""
        if found["which"] == "on" and not self._past:
            return False
        days = (self._now.weekday() - _WEEKDAYS.index(found["weekday"]) - 1) % 7 + 1
        also = [days + 7] if found["which"] == "last" and days <= _HARDLY_OVER else []
        for ago in (days, *also):
            self._add_days(-ago, 1)
        return True

    def weekend(self, found: re.Match[str]) -> bool:
        """The last Saturday and Sunday that have begun; the "last" ones are over."""
        weekday = self._now.weekday()
        ago = (weekday - 5) % 7
        self._add_days(-ago - (7 if found["which"] == "last" and weekday >= 5 else 0), 2)
        return True

    def ago(self, found: re.Match[str]) -> bool:
        """About so long ago: people are imprecise."""
        return self._around(_length(found), max(1.0, _UNITS[found["unit"]] / 2))

    def latest(self, found: re.Match[str]) -> bool:
        """From so long ago to now."""
        half = _length(found) / 2 + 0.5
        return self._around(half, half)

    def last(self, found: re.Match[str]) -> bool:
        """The last week, month, quarter or year, or the present one."""
        length = _UNITS[found["unit"]]
        over = found["which"] in ("last", "previous")
        return self._around(length if over else length / 2, length * 0.75)

    def _add_days(self, first: int, count: int) -> None:
        """Days with half a day on each side: the time zone of the person is not known."""
        start = self._now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=first)
        half = timedelta(hours=12)
        self.times.spans.append([start - half, start + timedelta(days=count) + half])

    def _around(self, days: float, width: float) -> bool:
        middle, half = self._now - timedelta(days=days), timedelta(days=width)
        self.times.spans.append([middle - half, middle + half])
        return True


def _length(found: re.Match[str]) -> float:
    """Days of "two weeks"."""
    return (_NUMBERS.get(found["number"]) or int(found["number"])) * _UNITS[found["unit"]]


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text)[:4] or 0)


def _month(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _date(text: str) -> _Date | None:
    """The day that a text names, if the calendar has it."""
    for pattern, slashes in _dates():
        if found := pattern.search(text):
            month, year = found["month"], found["year"] or ""
            date = _Date(
                _number(found["day"]),
                int(month) if month.isdecimal() else _month(month),
                int(year) + (2000 if len(year) == 2 else 0) if year else None,
            )
            if slashes and date.month > 12:  # 24/10/2026
                date = replace(date, day=date.month, month=date.day)
            return date if date.is_real else None
    return None


_Rule = Callable[[_Reader, re.Match[str]], bool]

_MONTH: Final = _PARTS["month"][1]
_RULES: Final[tuple[tuple[str, _Rule], ...]] = (
    (rf"(?P<first>{_DATE}|\b{_NTH}){_TO}(?:the )?(?P<last>{_DATE})", _Reader.days),
    (rf"(?P<first>{_DATE}){_TO}(?:the )?(?P<last>\b{_NTH}\b)(?!:)", _Reader.days),
    (rf"\bsince (?:the )?(?P<first>{_DATE})", _Reader.since),
    (_DATE, _Reader.day),
    (rf"\b(?P<first>{_MONTH})(?: (?:19|20)\d\d)?{_TO}(?P<last>{_MONTH})(?!\w)", _Reader.months),
    (r"\bq(?P<number>[1-4])\b", _Reader.quarter),
    (rf"\b(?P<number>{'|'.join(_ORDINALS)}) quarter\b", _Reader.quarter),
    (rf"\b{_NUMBER} {_UNIT} ago\b", _Reader.ago),
    (rf"\b(?:last|past|previous) {_NUMBER} {_UNIT}\b", _Reader.latest),
    (rf"\b(?P<which>last|past|previous|this) {_UNIT}\b", _Reader.last),
    (
        r"\b(?:today|tonight|this (?:morning|afternoon|evening)|(?:the day before )?yesterday"
        r"|last night)\b",
        _Reader.named_day,
    ),
    (rf"\b(?P<which>last|past|on) (?P<weekday>{'|'.join(_WEEKDAYS)})\b", _Reader.weekday),
    (r"\b(?P<which>last|past|this|over the|on the|at the|during the) weekend\b", _Reader.weekend),
    (rf"\b(?P<month>{_LONG})\b", _Reader.month),
    # "May" is also a verb and "Jan" a name. They are months after a preposition or before a number.
    (
        r"\b(?:in|of|on|since|during|until|till|by|before|after|early|late|mid|last|this|next"
        rf"|\d{{1,2}}(?:st|nd|rd|th)?)[ -](?P<month>{_SHORT})",
        _Reader.month,
    ),
    (rf"\b(?P<month>{_SHORT})(?=,? \d)", _Reader.month),
    (r"\b(?:19|20)\d\d\b", _Reader.year),
)
"""Longer expressions come first: what one rule has read, no other reads."""


@cache
def _rules() -> list[tuple[re.Pattern[str], _Rule]]:
    """Compiled when the first query is read, since the command line starts without them."""
    return [(re.compile(pattern), rule) for pattern, rule in _RULES]


@cache
def _dates() -> list[tuple[re.Pattern[str], bool]]:
    """The forms of dates, and whether slashes separate the parts."""
    return [(re.compile(_form(form, named=True)), form == _SLASHES) for form in _FORMS]
