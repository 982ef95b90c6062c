"""The times that a query is about: dates, months and years, and times relative to now.

The rules are for English; dates in numbers are read in any text. No library does it: dateutil parses a text
that is one date and nothing else; dateparser finds no ranges, and its import takes half a second.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

NO_DAY: Final = -1000

_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_LONG: Final = "|".join(month for month in _MONTHS if month != "may")
_SHORT: Final = r"(?:may|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_MONTH: Final = rf"(?P<month>{_LONG}|{_SHORT})"
_NTH: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DATES: Final = tuple(
    re.compile(form)
    for form in (
        rf"\b{_YEAR}[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)",
        rf"\b(?P<day>\d\d?)[.-](?P<month>\d\d?)[.-]{_YEAR}\b",
        r"\b(?P<month>\d\d?)/(?P<day>\d\d?)/(?P<year>(?:19|20)?\d\d)\b",
        rf"\b(?P<day>{_NTH})(?: of)?[ -]{_MONTH}(?:,?[ -](?:of )?{_YEAR})?(?!\w)",
        rf"\b{_MONTH}[ -](?:the )?(?P<day>{_NTH})(?:,? (?:of )?{_YEAR})?\b(?!\d)",
    )
)

_SIGN: Final = "[\ue000-\uf8ff]"
"""A date that was read, as a character of private use: its number is the place among the dates."""

_SIGNS: Final = re.compile(_SIGN)

_TO: Final = r" ?(?:-|–|—|\b(?:to|and|until|till|through)\b) ?"
_RANGE: Final = re.compile(rf"({_SIGN}|\b{_NTH}){_TO}(?:the )?({_SIGN}|{_NTH}\b(?!:))")
_SINCE: Final = re.compile(rf"\bsince (?:the )?({_SIGN})")

_UNITS: Final = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}
_NUMBERS: Final[dict[str, int]] = dict(
    zip("one two three four five six seven eight nine ten".split(), range(1, 11), strict=True)
)
_NUMBERS.update({"a couple of": 2, "couple of": 2, "a few": 3, "few": 3, "several": 4, "an": 1, "a": 1})
_LENGTH: Final = re.compile(
    rf"\b(?:(?P<which>last|past|previous|this) )?(?:(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)}) )?"
    rf"(?P<unit>{'|'.join(_UNITS)})s?(?P<ago> ago)?\b"
)
_NAMED: Final[dict[str, int]] = {
    **dict.fromkeys(("today", "tonight", "this morning", "this afternoon", "this evening"), 0),
    "the day before yesterday": 2,
    "yesterday": 1,
    "last night": 1,
}
_WEEKDAYS: Final = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
_DAY: Final = re.compile(
    rf"\b(?:(?P<named>{'|'.join(_NAMED)})|(?P<which>last|past|on) (?P<weekday>{'|'.join(_WEEKDAYS)}))\b"
)
_IS_PAST: Final = re.compile(r"\b(?:did|was|were|had|been|happened|said|decided)\b")
"""A query with "on Friday" and one of these is about the Friday before now."""

_FROM_TO: Final = re.compile(rf"\b({_LONG}|{_SHORT})(?: (?:19|20)\d\d)?{_TO}({_LONG}|{_SHORT})(?!\w)")
_OF_YEAR: Final = re.compile(
    rf"\b(?P<long>{_LONG})\b"
    # "May" is also a verb and "Jan" a name. They are months after a preposition or before a number.
    r"|\b(?:in|of|on|since|during|until|till|by|before|after|early|late|mid|last|this|next"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?)[ -](?P<short>{_SHORT})|\b(?P<before>{_SHORT})(?=,? \d)"
    r"|\b(?P<year>(?:19|20)\d\d)\b"
)


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


def read(query: str, now: datetime) -> Times:
    """The times that a query names, relative to ``now``. What one rule has read, no other reads."""
    reader = _Reader(query.lower(), now)
    for pattern, rule in _RULES:
        reader.apply(pattern, rule)
    times = reader.times
    times.years, times.months = list(dict.fromkeys(times.years)), list(dict.fromkeys(times.months))
    return times


class _Reader:
    """Reads a text rule by rule. A rule returns what replaces its match, or None for what is no time."""

    def __init__(self, text: str, now: datetime) -> None:
        self.times = Times()
        self._text = _SIGNS.sub(" ", text)
        self._now = now
        self._past = _IS_PAST.search(text) is not None
        self._dates: dict[str, _Date] = {}

    def apply(self, pattern: re.Pattern[str], rule: "_Rule") -> None:
        def replaced(found: re.Match[str]) -> str:
            try:
                return rule(self, found) or found[0]
            except OverflowError:  # before the year 1
                return found[0]

        self._text = pattern.sub(replaced, self._text)

    def date(self, found: re.Match[str]) -> str | None:
        year, month = found["year"] or "", found["month"]
        date = _Date(
            _number(found["day"]),
            int(month) if month.isdecimal() else _month(month),
            int(year) + (2000 if len(year) == 2 else 0) if year else None,
        )
        if date.month > 12 and "/" in found[0]:  # 24/10/2026
            date = replace(date, day=date.month, month=date.day)
        sign = chr(0xE000 + len(self._dates))
        if not date.is_real or not _SIGNS.match(sign):
            return None
        self._dates[sign] = date
        return sign

    def days(self, found: re.Match[str]) -> str | None:
        """Two days: a span. A month or year that one lacks is that of the other."""
        first, last = self._dates.get(found[1]), self._dates.get(found[2])
        first = first or (last and replace(last, day=_number(found[1])))
        last = last or (first and replace(first, day=_number(found[2])))
        if first is None or last is None or not (first.is_real and last.is_real):
            return None
        until = replace(last, year=last.year or first.year).before(self._now)
        since = first.before(until)
        if since > until:
            return None
        self.times.spans.append([since, until + timedelta(days=1)])
        return "|"

    def since(self, found: re.Match[str]) -> str:
        self.times.spans.append([self._dates[found[1]].before(self._now), self._now])
        return "|"

    def day(self, found: re.Match[str]) -> str:
        """A day; of several the first one."""
        date = self._dates[found[0]]
        if self.times.day == NO_DAY:
            self.times.day = datetime(2023, date.month, 1, tzinfo=UTC).timetuple().tm_yday + date.day - 1
        self.times.months.append(date.month)
        self.times.years += [date.year] if date.year else []
        return "|"

    def months(self, found: re.Match[str]) -> str:
        """Two months and all between them."""
        first, last = _month(found[1]), _month(found[2])
        self.times.months += [(first - 1 + n) % 12 + 1 for n in range((last - first) % 12 + 1)]
        return "|"

    def month_or_year(self, found: re.Match[str]) -> str:
        if found["year"]:
            self.times.years.append(int(found["year"]))
        else:
            self.times.months.append(_month(found["long"] or found["short"] or found["before"]))
        return "|"

    def length(self, found: re.Match[str]) -> str | None:
        """About so long ago; from so long ago to now; or the last week, month or year, or the present one."""
        which, number, unit = found["which"], found["number"], _UNITS[found["unit"]]
        days = (_NUMBERS.get(number) or int(number)) * unit if number else unit
        if found["ago"] and number and not which:
            return self._around(days, max(1.0, unit / 2))  # people are imprecise
        if which and number and which != "this":
            return self._around(days / 2 + 0.5, days / 2 + 0.5)
        if which and not number:
            return self._around(days if which in ("last", "previous") else days / 2, days * 0.75)
        return None

    def day_before(self, found: re.Match[str]) -> str | None:
        """Today, yesterday or the day before, a little widened, or the last such weekday before today."""
        if found["named"]:
            return self._around(_NAMED[found["named"]], 1)
        if found["which"] == "on" and not self._past:
            return None
        days = (self._now.weekday() - _WEEKDAYS.index(found["weekday"]) - 1) % 7 + 1
        start = self._now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
        half = timedelta(hours=12)  # the time zone of the person is not known
        self.times.spans.append([start - half, start + timedelta(days=1) + half])
        return "|"

    def _around(self, days: float, width: float) -> str:
        middle, half = self._now - timedelta(days=days), timedelta(days=width)
        self.times.spans.append([middle - half, middle + half])
        return "|"


def _number(text: str) -> int:
    return int("".join(filter(str.isdecimal, text))[:4] or 0)


def _month(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


_Rule = Callable[[_Reader, re.Match[str]], str | None]
_RULES: Final[tuple[tuple[re.Pattern[str], _Rule], ...]] = (
    *((form, _Reader.date) for form in _DATES),
    (_RANGE, _Reader.days),
    (_SINCE, _Reader.since),
    (_SIGNS, _Reader.day),
    (_FROM_TO, _Reader.months),
    (_DAY, _Reader.day_before),
    (_LENGTH, _Reader.length),
    (_OF_YEAR, _Reader.month_or_year),
)
"""Longer expressions come first."""
