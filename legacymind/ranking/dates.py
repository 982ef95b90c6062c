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
    if abs(at.timetuple().tm_yday - question.day) <= 3 and fits:
        return 3.0
    if at.month in question.months and fits:
        return 2.0
    if not question.months and at.year in question.years:
        return 0.6
    return 2.0 if any(start <= at < end for start, end in question.spans) else 0.0
