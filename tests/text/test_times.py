"""The times that a query is about, by a table; now is Thursday, 26 November 2026, at noon."""

from datetime import UTC, datetime

import pytest

from legacymind.ranking.dates import date_match, microseconds
from legacymind.text import query_analysis, times

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "years", "months", "day"),
    [
        ("What broke on Oct 3rd?", [], [10], 276),
        ("Oct. 3", [], [10], 276),
        ("the 3rd of October, 2025", [2025], [10], 276),
        ("on Nov 3, 2026", [2026], [11], 307),
        ("3 Nov 2026", [2026], [11], 307),
        ("2026-09-14", [2026], [9], 257),
        ("2026/9/14", [2026], [9], 257),
        ("am 21.09.2026", [2026], [9], 264),
        ("10/24/2026", [2026], [10], 297),
        ("24/10/2026", [2026], [10], 297),
        ("10/24/26", [2026], [10], 297),
        ("February 29", [], [2], 60),
        ("since Sept", [], [9], times.NO_DAY),
        ("from March to May 2026", [2026], [3, 4, 5], times.NO_DAY),
        ("between November and January", [], [11, 12, 1], times.NO_DAY),
        ("Jan said that it may do", [], [], times.NO_DAY),
        ("I mar the dec of 12 sun", [], [], times.NO_DAY),
        ("version 1.2.26 at 10.0.0.1:80", [], [], times.NO_DAY),
        ("2026-13-45 and 99/99/2026", [2026], [], times.NO_DAY),
    ],
)
def test_dates_months_and_years(query: str, years: list[int], months: list[int], day: int) -> None:
    found = times.read(query, NOW)
    assert (found.years, found.months, found.day, found.spans) == (years, months, day, [])


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ("last Friday", ["2026-11-20"], ["2026-11-18", "2026-11-22"]),
        ("last Wednesday", ["2026-11-25"], ["2026-11-22"]),
        ("what did we decide on Monday?", ["2026-11-23"], ["2026-11-21", "2026-11-25"]),
        ("in the last 3 days", ["2026-11-24", "2026-11-26"], ["2026-11-20"]),
        ("in the past two weeks", ["2026-11-13", "2026-11-25"], ["2026-11-10"]),
        ("the last few days", ["2026-11-24"], ["2026-11-19"]),
        ("ten days ago", ["2026-11-16"], ["2026-11-13", "2026-11-19"]),
        ("a couple of weeks ago", ["2026-11-12"], ["2026-11-22", "2026-11-02"]),
        ("the day before yesterday", ["2026-11-24"], ["2026-11-20"]),
        ("last night", ["2026-11-25"], ["2026-11-22"]),
        ("since 2026-11-20", ["2026-11-20", "2026-11-26"], ["2026-11-19"]),
        ("between Oct 3 and Oct 7", ["2026-10-03", "2026-10-07"], ["2026-10-02", "2026-10-08", "2025-10-05"]),
        ("from 3 to 7 October 2025", ["2025-10-03", "2025-10-07"], ["2026-10-05"]),
        ("Oct 30 – Nov 2nd", ["2026-11-01"], ["2026-10-29", "2026-11-03"]),
        ("October 3-7", ["2026-10-05"], ["2026-10-08"]),
        ("between 2026-09-01 and 2026-09-14", ["2026-09-14"], ["2026-09-15"]),
        ("from Dec 20 to Jan 5", ["2025-12-24", "2026-01-05"], ["2026-12-24", "2026-02-01"]),
    ],
)
def test_ranges_and_relative_times_are_spans(query: str, inside: list[str], outside: list[str]) -> None:
    found = times.read(query, NOW)
    assert (found.years, found.months, found.day) == ([], [], times.NO_DAY)

    def is_meant(day: str) -> bool:
        noon = datetime.fromisoformat(day).replace(hour=11, tzinfo=UTC)
        return any(start <= noon < end for start, end in found.spans)

    assert [is_meant(day) for day in inside] == [True] * len(inside)
    assert [is_meant(day) for day in outside] == [False] * len(outside)


@pytest.mark.parametrize("query", ["Never deploy on a Friday", "Let's deploy on Friday"])
def test_what_is_no_time_before_now_is_none(query: str) -> None:
    assert times.read(query, NOW) == times.Times()


def test_a_time_that_the_calendar_does_not_reach_is_none() -> None:
    start = datetime(1, 1, 2, tzinfo=UTC)
    for query in ("a year ago", "in the last 30 years", "last friday", "Feb 29 - Mar 1"):
        assert all(len(span) == 2 for span in times.read(query, start).spans)


@pytest.mark.parametrize(
    ("query", "created", "match"),
    [
        ("on Oct 3rd", "2025-10-05", 3.0),
        ("on Oct 3rd 2026", "2025-10-03", 0.0),
        ("on Oct 3rd 2026", "2026-10-20", 2.0),
        ("on Jan 1", "2025-12-30", 3.0),
        ("in 2026", "2026-08-01", 0.6),
        ("last Friday, for the plan of 2025", "2026-11-20", 2.0),
        ("copper", "2026-11-20", 0.0),
    ],
)
def test_a_thought_matches_the_time_of_a_question(query: str, created: str, match: float) -> None:
    question = query_analysis.analyse(query, [], NOW)
    moment = datetime.fromisoformat(created).replace(hour=12, tzinfo=UTC)
    assert date_match(microseconds(moment), question) == match
