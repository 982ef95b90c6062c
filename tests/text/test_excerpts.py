"""Excerpts of long texts."""

import unicodedata

import pytest

from legacymind.text.excerpts import Passage, character_end, excerpt, sentences
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


WITHOUT_SPACES = {
    "json": "1. " + '{"user":{"name":"ada","roles":["admin","dev"]},"n":12345},' * 40,
    "base64": "key: " + "TGVnYWN5TWluZCByZW1lbWJlcnM" * 40,
    "address": "see https://example.org/" + "a-long-path/of-an-address/" * 40,
    "chinese": "第1 " + "铜壶放在厨房的架子上而盖子漏水" * 60,
    "thai": "1 " + "เซิร์ฟเวอร์ไม่ตอบสนองเพราะใบรับรองหมดอายุ" * 30,
    "emoji": "a " + "👩🏽‍🚀👍🏽🇩🇪e\u0301" * 80,
}


@pytest.mark.parametrize("text", WITHOUT_SPACES.values(), ids=WITHOUT_SPACES)
@pytest.mark.parametrize("limit", [60, 110, 400])
@pytest.mark.parametrize("question", ["", "12345 盖子 漏水 admin"])
def test_an_excerpt_of_a_text_without_spaces_is_not_the_word_before_the_last_space(
    text: str, limit: int, question: str
) -> None:
    shown = within(text, limit, question)
    assert len(shown) > limit / 2
    begin = text.index(shown.strip("…"))
    for cut in (begin, begin + len(shown.strip("…"))):
        if 0 < cut < len(text):
            # No accent, joiner, skin tone or half of a flag is left alone.
            assert unicodedata.category(text[cut]) not in ("Mn", "Mc", "Me")
            assert text[cut] not in "\u200d\ufe0f🏽🇪"
            assert text[cut - 1] != "\u200d"


@pytest.mark.parametrize("character", ["e\u0301", "👍🏽", "👩\u200d🚀", "🇩🇪", "ที่", "\u0915\u0940"])
def test_a_beginning_ends_with_a_whole_character(character: str) -> None:
    for limit in range(3, 3 + len(character)):
        assert excerpt(f"abc{character}def", limit) == "abc…"
    assert excerpt(f"abc{character}def", 3 + len(character)) == f"abc{character}…"
    assert character_end("x" + "\u0301" * 100, 50) == 50


def test_lines_and_other_full_stops_end_sentences_too() -> None:
    lines = "\n".join(["- an item about copper"] * 20 + ["- the lid"] + ["- an item about tin"] * 20)
    assert "- the lid" in within(lines, 40, "lid")
    assert "盖子漏水。" in within("铜壶很常见。" * 50 + "盖子漏水。" + "铜壶很常见。" * 50, 20, "盖子漏水")


@pytest.mark.parametrize(
    "content",
    [
        "1. Heat the kiln.",
        "a. Heat the kiln.",
        "iv. Heat the kiln.",
        "(2. Heat the kiln.)",
        "- 3. Heat the kiln.",
        "Dear Mr. Osei, hello.",
        "Ask Dr. Osei about it.",
        "Fruit, e.g. apples, is sweet.",
        "E.g. apples are sweet.",
        "Filatova et al. Found it first.",
        "J. R. R. Tolkien wrote it.",
        "See Fig. 3 for the kiln.",
        "Olaplex No. 3 is mine.",
        "We meet on Jan. 5 at noon.",
        "At 5 p.m. - or later - we leave.",
        "Soap, towels, etc. are in the box.",
        "Acme Inc. makes kilns.",
        "Smith & Co. & sons sell it.",
        "He runs 5 min. each day.",
        "Version 3.11 is out.",
        "Read example.com today.",
    ],
)
def test_numbers_titles_and_abbreviations_end_no_sentence(content: str) -> None:
    assert sentences(content) == [(0, len(content))]


@pytest.mark.parametrize(
    "content",
    [
        "It is cold. Rex died.",
        "I moved in 2019. It was hot.",
        "No. I never said so.",
        "We sell soap, towels, etc. Prices are low.",
        "We leave at 5 p.m. Be there.",
        "It broke! Call Ada.",
        'She said "no." He left.',
        "It is over (at last.) Good.",
        "i moved to oslo. i like it.",
        "The kiln is hot\nThe oven is cold",
        "1. Heat the kiln.\n2. Open the door.",
        "Dear Mr. Osei, hello. Ada came.",
        "Ask Dr. Osei. He knows.",
        "会議がある。火曜日です。",
        "It was him?! Impossible.",
        "I am ill. 3 days are left.",
    ],
)
def test_each_of_two_sentences_is_one(content: str) -> None:
    first, second = sentences(content)
    assert (first[0], second[1]) == (0, len(content))
    assert content[first[1] : second[0]].isspace() or content[first[1] - 1] == "。"


def test_a_long_text_of_initials_is_one_sentence_in_no_time() -> None:
    content = "A. " * 100_000
    assert sentences(content) == [(0, len(content) - 1)]
