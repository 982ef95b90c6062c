"""Windows of long texts: their boundaries, and how they become one vector."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legacymind.embed.windows import Window, cut_by_bytes, pooled, runs, unit


def test_a_text_that_fits_is_one_window() -> None:
    assert cut_by_bytes("Two sentences. In one.", 22) == [("Two sentences. In one.", 22)]
    assert cut_by_bytes("", 10) == [("", 0)]


def test_windows_end_at_the_ends_of_sentences() -> None:
    text = "The first one is here. The second follows it. A third."
    assert [window for window, _ in cut_by_bytes(text, 48)] == [
        "The first one is here. The second follows it. ",
        "A third.",
    ]


def test_without_sentences_windows_end_between_words_and_without_words_between_characters() -> None:
    assert [w for w, _ in cut_by_bytes("alpha beta gamma delta", 12)] == ["alpha beta", " gamma delta"]
    assert [w for w, _ in cut_by_bytes("漢" * 7, 10)] == ["漢漢漢", "漢漢漢", "漢"]
    assert [w for w, _ in cut_by_bytes("x" * 25, 10)] == ["x" * 10, "x" * 10, "x" * 5]


@given(st.text(max_size=400), st.integers(8, 60))
def test_windows_contain_the_whole_text_in_order_and_none_is_too_long(text: str, limit: int) -> None:
    windows = cut_by_bytes(text, limit)
    assert "".join(content for content, _ in windows) == text
    assert all(len(content.encode("utf-8", "replace")) <= limit for content, _ in windows)
    assert len(windows) <= 2 * len(text.encode("utf-8", "replace")) // limit + 1


def test_runs_group_similar_lengths_within_the_limit() -> None:
    windows = [Window(i, "", tokens) for i, tokens in enumerate([100, 8, 9, 120, 300])]
    assert runs(windows, 256) == [[1, 2], [0, 3], [4]]
    assert runs([], 256) == []


def test_a_unit_vector_has_single_precision_and_length_one() -> None:
    assert unit([3.0, 4.0]) == pytest.approx([0.6, 0.8])
    assert math.fsum(x * x for x in unit([0.1] * 100)) == pytest.approx(1, abs=1e-6)
    assert unit([0.0, 0.0]) == [1.0, 0.0]


def test_a_window_unlike_the_others_has_more_weight() -> None:
    few = [Window(0, "", 1)] * 8
    many = [Window(0, "", 1)] * 9
    alike = [[1.0, 0.0]] * 8
    (plain,) = pooled(few, [*alike[1:], [0.0, 1.0]], 1)
    assert plain[1] / plain[0] == pytest.approx(1 / 7)
    (lifted,) = pooled(many, [*alike, [0.0, 1.0]], 1)
    assert lifted[1] / lifted[0] > 0.4
    assert pooled(many, [[0.6, 0.8]] * 9, 1) == [pytest.approx([0.6, 0.8])]


def test_windows_are_weighted_by_their_tokens() -> None:
    windows = [Window(0, "", 3), Window(1, "", 5), Window(0, "", 4)]
    assert pooled(windows, [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], 2) == [
        pytest.approx([0.6, 0.8]),
        [0.0, 1.0],
    ]
