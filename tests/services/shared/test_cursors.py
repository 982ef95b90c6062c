"""Cursors: one codec for every read, and a clear error for every other text."""

import base64
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legacymind.errors import InvalidInput
from legacymind.services.shared import cursors
from legacymind.services.shared.cursors import ListPosition, RankPosition, TimePosition

READ: Final = {"namespace": "default", "session_id": "s", "tags": ["a"], "min_similarity": 0.5}

times: Final = st.builds(
    TimePosition,
    st.integers(-62_135_596_800, 253_402_300_799),
    st.integers(0, 10**9 - 1),
    st.integers(-(2**63), 2**63 - 1),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=512 // 4),
)


def rejected(cursor: str, read: dict[str, Any] = READ, expected: Any = TimePosition) -> str:
    with pytest.raises(InvalidInput) as raised:
        cursors.decode(cursor, read, expected)
    assert raised.value.hint
    return raised.value.what


def forged(*position: Any) -> str:
    """A cursor with a valid digest and any position."""
    made: Any = position
    return cursors.encode(READ, made)


@given(times, st.integers(0, 2**31 - 1))
def test_a_position_is_decoded_unchanged(time: TimePosition, offset: int) -> None:
    for position in (time, RankPosition(offset), ListPosition(offset, time)):
        decoded = cursors.decode(cursors.encode(READ, position), READ, type(position))
        assert decoded == position
        assert type(decoded) is type(position)


@pytest.mark.parametrize(
    "other",
    [
        READ | {"session_id": "t"},
        READ | {"tags": ["a", "b"]},
        READ | {"min_similarity": 0.6},
        READ | {"order": "relevance"},
        {},
    ],
)
def test_a_cursor_is_bound_to_the_arguments_of_its_read(other: dict[str, Any]) -> None:
    cursor = cursors.encode(READ, TimePosition(1, 0, 2, "x"))
    assert rejected(cursor, other) == "The cursor belongs to a read with other arguments."


@pytest.mark.parametrize(
    "position",
    [
        (),
        (1, 2),
        (1, 2, "x"),
        (1, 2, 3, "x", 4),
        (1, 10**9, 3, "x"),
        (1, -1, 3, "x"),
        (10**12, 0, 3, "x"),
        (-(10**12), 0, 3, "x"),
        (1, 0, 3, "x" * 513),
        (1, 0, 3, 2),
        (1, 0, 3, None),
        (1, 0, "3", "x"),
        (1, 0, 3.0, "x"),
        (1, 0, None, "x"),
        (1, 0, 2**63, "x"),
        (1.5, 0, 3, "x"),
        (1.0, 0, 3, "x"),
        (True, 0, 3, "x"),
        ("1", 0, 3, "x"),
        (1, 0, 3, "\ud800"),
        ([1], 0, 3, "x"),
    ],
)
def test_a_position_outside_its_range_is_rejected(position: tuple[Any, ...]) -> None:
    assert rejected(forged(*position)) == "The cursor is malformed."
    assert rejected(forged(3, position), expected=ListPosition) == "The cursor is malformed."


@pytest.mark.parametrize("offset", [-1, 2**31, 1.0, True, "1", None])
def test_an_offset_outside_its_range_is_rejected(offset: Any) -> None:
    assert rejected(forged(offset), expected=RankPosition) == "The cursor is malformed."
    time = TimePosition(1, 0, 2, "x")
    assert rejected(forged(offset, time), expected=ListPosition) == "The cursor is malformed."


def test_a_position_of_another_type_is_rejected() -> None:
    time, rank = TimePosition(1, 0, 2, "x"), RankPosition(1)
    listed = ListPosition(1, time)
    for position in (time, rank, listed):
        for expected in (TimePosition, RankPosition, ListPosition):
            if type(position) is not expected:
                rejected(cursors.encode(READ, position), expected=expected)


def _base64(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "nonsense",
        "é",
        "\ud800",
        "a b c d",
        "A" * 10_000,
        _base64(b"not json"),
        _base64(b"\xff\xfe"),
        _base64(b"1"),
        _base64(b"{}"),
        _base64(b"null"),
        _base64(b"[]"),
        _base64(b'["x"]'),
        _base64(b'["x", [1, 2, "x"], 3]'),
        _base64(b"[" * 2_000),
    ],
)
def test_text_that_is_no_cursor_is_rejected(cursor: str) -> None:
    assert rejected(cursor) == "The cursor is malformed."


@given(st.text(max_size=200) | st.binary(max_size=200).map(_base64))
@example(_base64(b'{"a": 1, "b": 2}'))
def test_no_text_crashes_the_decoder(cursor: str) -> None:
    for expected in (TimePosition, RankPosition, ListPosition):
        rejected(cursor, expected=expected)
