"""Excerpts of long texts."""

import pytest

from legacymind.text.excerpts import Passage, excerpt
from legacymind.text.fulltext import word_stems

BEFORE = "Copper kettles are common here. Each kettle stands on a shelf. "
ANSWER = "The lid leaks when its seal is worn."
AFTER = " Then we replace it. A kettle needs care."
TEXT = BEFORE * 20 + ANSWER + AFTER * 20
QUESTION = "Why does the lid of my kettle leak?"


def within(text: str, limit: int, question: str = QUESTION) -> str:
    shown = Passage(text, word_stems(question)).within(limit)
    assert len(shown) <= limit
    # Apart from its marks, an excerpt is a part of the text.
    assert shown.removeprefix("…").removesuffix("…") in text
    return shown


@pytest.mark.parametrize(
    ("content", "expected"), [("four", "four"), ("fives", "five…"), ("", ""), (None, "")]
)
def test_an_excerpt_ends_with_an_ellipsis_only_when_something_is_missing(
    content: str | None, expected: str
) -> None:
    assert excerpt(content, 4) == expected


def test_a_text_that_is_short_enough_is_not_cut() -> None:
    assert within(ANSWER, len(ANSWER)) == ANSWER
    assert within("", 10) == ""


@pytest.mark.parametrize("limit", [40, 80, 150, 400])
def test_an_excerpt_has_the_sentence_that_matches_best_and_its_neighbours(limit: int) -> None:
    shown = within(TEXT, limit)
    assert ANSWER in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) > limit * 0.6


def test_a_word_of_every_sentence_does_not_choose_one() -> None:
    text = (
        "The copper kettle of the kettle shop. " * 10 + "A leak! " + "This kettle is a copper kettle. " * 10
    )
    assert "A leak!" in within(text, 60, "leak of the copper kettle")


def test_without_a_match_an_excerpt_is_the_beginning() -> None:
    shown = within(TEXT, 100, "zebra crossing")
    assert shown.startswith("Copper kettles")
    assert shown.endswith("…")
    assert Passage(TEXT).within(100) == shown


def test_an_excerpt_at_the_end_has_no_mark_there() -> None:
    assert within(BEFORE * 20 + ANSWER, 80).endswith(ANSWER)
    assert within(ANSWER + AFTER * 20, 80).startswith(ANSWER)


@pytest.mark.parametrize("limit", [30, 60, 120])
def test_a_long_sentence_is_cut_between_words_around_the_match(limit: int) -> None:
    shown = within("some words without any end " * 50 + "leaking lid " + "and further words " * 50, limit)
    assert "leaking lid" in shown
    assert set(shown.strip("…").split()) <= set("some words without any end leaking lid and further".split())


@pytest.mark.parametrize("text", ["x" * 1000, "漢字" * 500, "\n" * 500 + "x" * 600, "İ" * 700, " " * 700])
@pytest.mark.parametrize("limit", [3, 20, 400])
def test_any_text_has_an_excerpt(text: str, limit: int) -> None:
    within(text, limit, "x 漢字")


def test_lines_and_other_full_stops_end_sentences_too() -> None:
    lines = "\n".join(["- an item about copper"] * 20 + ["- the lid"] + ["- an item about tin"] * 20)
    assert "- the lid" in within(lines, 40, "lid")
    assert "盖子漏水。" in within("铜壶很常见。" * 50 + "盖子漏水。" + "铜壶很常见。" * 50, 20, "盖子漏水")
