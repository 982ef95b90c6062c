"""Checks of values before they reach the database."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_CONTENT, MAX_KEY, RESERVED
from legacymind.model.values import NO_TIME
from legacymind.services.shared import checks


def rejected(check: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as raised:
        check(*arguments, **options)
    assert raised.value.hint
    str(raised.value).encode()  # every door can send it
    return raised.value.what


@pytest.mark.parametrize("value", ["", " ", "\n\t ", "\u2003\u00a0"])
def test_empty_text_is_rejected_by_name(value: str) -> None:
    assert rejected(checks.text, "content", value) == "content is empty."
    assert rejected(checks.key, "author", value) == "author is empty."


def test_limits_are_in_bytes_and_inclusive() -> None:
    assert checks.text("content", "x" * MAX_CONTENT)
    assert checks.text("content", "ü" * (MAX_CONTENT // 2))
    assert "102,401 bytes" in rejected(checks.text, "content", "x" * (MAX_CONTENT + 1))
    assert "bytes" in rejected(checks.text, "content", "ü" * (MAX_CONTENT // 2 + 1))
    assert checks.key("author", "ü" * (MAX_KEY // 2))
    assert "513 bytes" in rejected(checks.key, "author", "x" * (MAX_KEY + 1))
    assert "bytes" in rejected(checks.key, "author", "👋" * (MAX_KEY // 4 + 1))


@pytest.mark.parametrize("value", ["\ud800", "ok \udfff", "\ude00\ud83d"])
def test_lone_surrogates_are_rejected_and_not_quoted(value: str) -> None:
    assert "surrogate" in rejected(checks.text, "content", value)
    assert "surrogate" in rejected(checks.key, "author", value)
    assert "surrogate" in rejected(checks.thought_id, "parent_id", f"thoughts:{value}")


BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("value", ["a\x00b", "a\nb", "\x7f", "a\x85", *(f"a{each}b" for each in BIDI)])
def test_control_characters_are_rejected_in_keys_but_not_in_text(value: str) -> None:
    assert "control character" in rejected(checks.key, "session_id", value)
    assert checks.text("content", f"{value} and more") == f"{value} and more"


@pytest.mark.parametrize(
    "value",
    [
        "a",
        "a b",
        "Zoë",
        "会议",
        "👋",
        "a" * 512,
        "x/y:z#1",
        "thoughts:x",
        " a",
        "\u2764\ufe0f\u200d\U0001f525",
    ],
)
def test_any_other_key_is_unchanged(value: str) -> None:
    assert checks.key("session_id", value) == value


def test_none_stays_none() -> None:
    assert checks.key("author", None) is None
    assert checks.thought_id("parent_id", None) is None
    assert checks.moment(None) is None
    assert checks.day("date_from", None, end=False) is None


def test_a_thought_id_may_have_the_prefix_thoughts() -> None:
    assert checks.thought_id("parent_id", "abc") == "abc"
    assert checks.thought_id("parent_id", "thoughts:abc") == "abc"
    assert checks.thought_id("parent_id", "thoughts:thoughts:abc") == "thoughts:abc"
    assert "empty" in rejected(checks.thought_id, "parent_id", "thoughts:")


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),
        (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)),
        (
            datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2))),
            datetime(2025, 12, 31, 22, tzinfo=UTC),
        ),
    ],
)
def test_times_are_taken_as_utc(sent: datetime, meant: datetime) -> None:
    taken = checks.moment(sent)
    assert taken == meant
    assert taken is not None
    assert taken.tzinfo is UTC


def test_times_outside_the_calendar_are_rejected() -> None:
    early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))
    late = datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5)))
    for moment in (early, late):
        assert "outside the years" in rejected(checks.moment, moment)


@pytest.mark.parametrize(
    ("sent", "first", "last"),
    [
        ("2026-02-03", datetime(2026, 2, 3), datetime(2026, 2, 3, 23, 59, 59, 999999)),
        (" 2026-02-03 ", datetime(2026, 2, 3), datetime(2026, 2, 3, 23, 59, 59, 999999)),
        ("20260203", datetime(2026, 2, 3), datetime(2026, 2, 3, 23, 59, 59, 999999)),
        ("2026-02-03T04:05", datetime(2026, 2, 3, 4, 5), datetime(2026, 2, 3, 4, 5)),
        ("2026-02-03T04:05:06Z", datetime(2026, 2, 3, 4, 5, 6), datetime(2026, 2, 3, 4, 5, 6)),
        ("2026-02-03T04:00:00+02:00", datetime(2026, 2, 3, 2), datetime(2026, 2, 3, 2)),
    ],
)
def test_a_day_becomes_its_first_or_last_instant_and_a_time_is_unchanged(
    sent: str, first: datetime, last: datetime
) -> None:
    assert checks.day("date_from", sent, end=False) == first.replace(tzinfo=UTC)
    assert checks.day("date_to", sent, end=True) == last.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "sent", ["", "yesterday", "2026-13-01", "2026-02-30", "03.02.2026", "2026-2-3", "1e9", "\ud800"]
)
def test_an_invalid_date_is_rejected(sent: str) -> None:
    assert rejected(checks.day, "date_from", sent, end=False) == f"date_from {NO_TIME}."
    assert rejected(checks.day, "date_to", sent, end=True) == f"date_to {NO_TIME}."


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("WORKS_ON", "WORKS_ON"),
        ("works on", "WORKS_ON"),
        (" works-on ", "WORKS_ON"),
        ("part2", "PART2"),
        ("a" * 64, "A" * 64),
    ],
)
def test_a_relation_type_becomes_an_identifier(sent: str, stored: str) -> None:
    assert checks.relation_type(sent) == stored


@pytest.mark.parametrize("sent", ["", " ", "a\0b", "\ud800", "ü" * 257])
def test_a_relation_type_that_cannot_be_stored_is_rejected(sent: str) -> None:
    assert rejected(checks.relation_type, sent).startswith("type ")


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_relation_types_get_a_prefix_in_any_spelling(name: str) -> None:
    assert checks.relation_type(name) == f"ENTITY_{name}"
    assert checks.relation_type(name.lower().replace("_", " ")) == f"ENTITY_{name}"
