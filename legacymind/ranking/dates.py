"""How well the time of a thought fits the time that a question is about."""

from datetime import UTC, datetime, timedelta
from typing import Final

from legacymind.text.query_analysis import Question

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(microseconds: int) -> datetime:
    """The time of so many microseconds since 1970 UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def date_match(created: int, question: Question) -> float:
    """3 for a day within three of the one asked for, 2 for the month or span, 0.6 for the year alone."""
    if not (question.years or question.months or question.spans or question.day >= 0):
        return 0.0
    at = moment(created)
    fits = not question.years or at.year in question.years
    if fits and _days_apart(at.timetuple().tm_yday, question.day) <= 3:
        return 3.0
    if (fits and at.month in question.months) or any(start <= at < end for start, end in question.spans):
        return 2.0
    return 0.6 if question.years and fits and not question.months else 0.0


def _days_apart(day: int, other: int) -> int:
    """Days between two days of any years; the first of January follows the last of December."""
    apart = abs(day - other)
    return min(apart, 365 - apart) if other >= 0 else apart
