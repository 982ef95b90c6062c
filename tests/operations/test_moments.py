"""Times in all forms that callers send: one parser for arguments, filters and imports."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.model.values import last_instant, moment

TIMES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).flatmap(
    lambda time: st.sampled_from([time, time.replace(tzinfo=UTC)])
)


def utc(value: object) -> datetime:
    read = moment(value)
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


@given(TIMES, st.sampled_from([str, int]))
def test_years_and_dates_are_dates_and_never_seconds_since_1970(time: datetime, form: type) -> None:
    year, day = f"{time:%Y}".zfill(4), f"{time:%Y}".zfill(4) + f"{time:%m%d}"
    if form is str or time.year >= 1000:
        assert utc(form(year)) == datetime(time.year, 1, 1, tzinfo=UTC)
        assert utc(form(day)) == datetime(time.year, time.month, time.day, tzinfo=UTC)
    assert utc(time.isoformat()) == utc(time)
    assert utc(time.date().isoformat()) == datetime(time.year, time.month, time.day, tzinfo=UTC)


@given(st.integers(10**9, 10**11), st.sampled_from([str, int, float]))
def test_plausible_numbers_are_seconds_or_milliseconds_since_1970(seconds: int, form: type) -> None:
    wanted = datetime.fromtimestamp(seconds, UTC)
    assert utc(form(seconds)) == wanted
    if seconds * 1000 <= 10**14:
        assert utc(form(seconds * 1000)) == wanted


@given(
    st.integers(-(10**20), 10**20).filter(
        lambda n: len(str(n)) not in (4, 8) and not (10**9 <= n <= 10**11 or 10**12 <= n <= 10**14)
    )
)
def test_every_other_number_is_refused(number: int) -> None:
    for value in (number, str(number)):
        with pytest.raises(ValueError, match="must be a time in ISO 8601"):
            moment(value)


@given(st.text() | st.floats() | st.integers() | st.booleans() | st.none() | st.lists(st.text()))
def test_any_value_is_a_time_or_refused_with_the_accepted_forms(value: object) -> None:
    try:
        assert isinstance(moment(value), datetime)
    except ValueError as reason:
        assert "2026-03-01T12:00:00Z" in str(reason)  # noqa: PT017


@pytest.mark.parametrize(
    "value",
    [
        "0000", 0, 999, "20191301", 20190231, "201901", "2019-13", "2019-1-1", "03.02.2026", "1e9",
        "yesterday", "12:30", "201901011230", "2019-01-01T25:00", True, "", "２０１９", float("nan"),
        float("inf"), 2019.5, "2019.5",
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="must be a time"):
        moment(value)


def test_offsets_and_reduced_forms_are_read() -> None:
    assert moment("2019-05") == datetime(2019, 5, 1)
    assert moment("2019-05-01 10:00+02:00") == datetime(2019, 5, 1, 10, tzinfo=timezone(timedelta(hours=2)))
    assert moment("2019-05-01t10:00:00z") == datetime(2019, 5, 1, 10, tzinfo=UTC)
    assert moment("2019-W01-1") == datetime(2018, 12, 31)


@pytest.mark.parametrize(
    ("sent", "last"),
    [("2019", (2019, 12, 31)), ("2020-02", (2020, 2, 29)), ("20190101", (2019, 1, 1)),
     ("2019-01-01", (2019, 1, 1)), ("2019-W01-1", (2018, 12, 31)), ("2019-01-01T10:00", None),
     ("1700000000", None)],
)  # fmt: skip
def test_the_last_instant_is_that_of_the_year_month_or_day(
    sent: str, last: tuple[int, int, int] | None
) -> None:
    wanted = last and datetime(*last, 23, 59, 59, 999_999)
    assert last_instant(sent) == wanted
