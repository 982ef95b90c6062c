"""Pages: one codec of cursors for every read, an error for every other text, and what fits in a budget."""

import base64
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legacymind.errors import InvalidInput
from legacymind.model.analysis import CommunitiesResult, Community, Member
from legacymind.model.base import Hit, SearchResult
from legacymind.operations.budget import tokens
from legacymind.operations.pages import IN_TIME, by_offset, check, cursor, fitted, position
from legacymind.operations.results import jsonable

READ: Final = {"namespace": "default", "session_id": "s", "tags": ["a"], "min_similarity": 0.5}

times: Final = st.tuples(
    st.integers(-62_135_596_800, 253_402_300_799),
    st.integers(0, 10**9 - 1),
    st.integers(-(2**63), 2**63 - 1),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=512 // 4),
)


def rejected(after: str, read: dict[str, Any] = READ, form: str = IN_TIME) -> str:
    def begin() -> None:
        check(after, read)
        position(after, form)

    with pytest.raises(InvalidInput) as raised:
        begin()
    assert raised.value.hint
    return raised.value.what


@given(times, st.integers(0, 2**31 - 1))
def test_a_position_is_read_unchanged(time: Any, offset: int) -> None:
    for form, place in ((IN_TIME, time), ("o", (offset,)), (f"o{IN_TIME}", (offset, *time))):
        made = cursor(READ, place)
        check(made, READ)
        assert position(made, form) == [*place]
    assert position(None, IN_TIME, time) == time


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
    made = cursor(READ, (1, 0, 2, "x"))
    assert rejected(made, other) == "The cursor belongs to a read with other arguments."


@pytest.mark.parametrize(
    "place",
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
        (1, 0, 2**63, "x"),
        (True, 0, 3, "x"),
        ("1", 0, 3, "x"),
        (1, 0, 3, "\ud800"),
        ([1], 0, 3, "x"),
    ],
)
def test_a_position_outside_its_range_is_rejected(place: Any) -> None:
    assert rejected(cursor(READ, place)) == "The cursor is malformed."
    assert rejected(cursor(READ, (3, *place)), form=f"o{IN_TIME}") == "The cursor is malformed."


@pytest.mark.parametrize("offset", [-1, 2**31, 1.0, True, "1", None])
def test_an_offset_outside_its_range_is_rejected(offset: Any) -> None:
    assert rejected(cursor(READ, (offset,)), form="o") == "The cursor is malformed."


def _base64(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode()


@pytest.mark.parametrize(
    "text",
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
        _base64(b'["x", {"1": 2}]'),
        _base64(b"[" * 2_000),
    ],
)
def test_text_that_is_no_cursor_is_rejected(text: str) -> None:
    assert rejected(text) == "The cursor is malformed."


@given(st.text(max_size=200) | st.binary(max_size=200).map(_base64))
@example(_base64(b'{"a": 1, "b": 2}'))
def test_no_text_crashes_the_decoder(text: str) -> None:
    rejected(text)


def hits(count: int) -> list[Hit]:
    text = "The copper kettle boils on the old stove. " * 20
    return [Hit(id=f"t{n}", kind="thought", text=text, score=0.5, rank=n) for n in range(count)]


def search(words: list[str] | None, standing: int = 0, **arguments: Any) -> SearchResult:
    found = SearchResult(hits=hits(8), standing=hits(standing), order="relevance", method="graph")
    page = by_offset(found, "hits", "standing", offset=10, more=True)
    return fitted(replace(page, words=words), READ, arguments, 8)


@pytest.mark.parametrize("words", [None, [" kettle"]], ids=["whole", "excerpts"])
@pytest.mark.parametrize("allowed", [300, 600, 1_200, 5_000])
def test_a_page_keeps_to_its_budget_and_the_next_begins_with_what_was_left_out(
    words: list[str] | None, allowed: int
) -> None:
    page = search(words, max_tokens=allowed)
    assert 1 <= len(page.hits) == 8 - page.left_out
    assert tokens(jsonable(page)) <= allowed
    assert page.next is not None
    assert position(page.next, "o") == [10 + len(page.hits)]
    assert (page.left_out == 0) is (allowed == 5_000 or (words is not None and allowed > 300))


def test_the_last_list_is_cut_first() -> None:
    for allowed in range(300, 1_500, 100):
        page = search([], standing=2, max_tokens=allowed)
        assert len(page.hits) == 8 or not page.standing


def test_lists_abreast_are_cut_at_one_length() -> None:
    members = [Member(id=f"m{n}", kind="thought", text="a copper kettle", mass=None) for n in range(30)]
    community = Community(number=1, label="x", size=9, thoughts=9, entities=0, observations=0, members=[])
    found = CommunitiesResult(communities=[community] * 20, members=members, community_count=1, unassigned=0)
    page = by_offset(found, "communities", "members", offset=0, more=False, abreast=True)
    cut = fitted(page, READ, {"max_tokens": 500}, 8)
    assert 1 < len(cut.communities) == len(cut.members) < 20
    assert cut.left_out == 50 - 2 * len(cut.members)
    assert position(cut.next, "o") == [len(cut.members)]
    whole = fitted(page, READ, {"max_tokens": 50_000}, 8)
    assert (len(whole.communities), len(whole.members), whole.next) == (20, 30, None)
