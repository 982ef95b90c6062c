"""Extractive summaries: what is shared is kept, in the words and the order of the texts."""

import pytest

from legacymind.text.summary import summary

KILN = [
    "The kiln cracked on Monday. We had lunch at noon.",
    "Heating the kiln slowly prevents cracks. Ada wrote the log.",
    "The kiln cracked on Monday.",
    "Slow heating of the kiln took six hours.",
]


def test_sentences_about_what_the_texts_share_are_kept_in_their_order_and_words() -> None:
    head, *lines = summary(KILN, length=75).splitlines()
    assert head == "Summary of 4 thoughts:"
    assert lines[:2] == ["- The kiln cracked on Monday.", "- Slow heating of the kiln took six hours."]
    assert all(line.removeprefix("- ") in " ".join(KILN) for line in lines)
    assert "lunch" not in "".join(lines)


def test_a_repeated_sentence_is_said_once_and_the_length_is_kept() -> None:
    text = summary(["The pump is loud."] * 9)
    assert text == "Summary of 9 thoughts:\n- The pump is loud."
    long = summary([f"Pump {n} of hall {n} runs at {n} bar and needs oil {n}. " * 3 for n in range(99)])
    assert len(long) < 1_500


def test_texts_without_words_or_borders_have_a_summary_too() -> None:
    assert summary(["…", "42"]).count("\n- ") == 1
    assert "- " + "x" * 300 + "…" in summary(["x" * 5_000])
    assert "- 火曜日に会議がある。" in summary(["火曜日に会議がある。", "会議は火曜日。"])


def test_each_sentence_has_its_author() -> None:
    texts = ["The kiln cracked on Monday.", "A kiln cracks when it heats too fast.", "The kiln is old."]
    head, *lines = summary(texts, ["Ada", "assistant", None]).splitlines()
    assert head == "Summary of 3 thoughts:"
    assert "- Ada: The kiln cracked on Monday." in lines
    assert "- assistant: A kiln cracks when it heats too fast." in lines
    assert "- The kiln is old." in lines


@pytest.mark.parametrize(
    "code",
    [
        "```python\nkiln.heat(900)\n```",
        "```\nkiln.heat(900)",
        "> ~~~\n> kiln.heat(900)\n> ~~~",
        "| kiln | heat(900) |",
        "## kiln.heat(900)",
        "Steps for heat(900):",
    ],
)
def test_no_code_table_heading_or_introduction_is_in_a_summary(code: str) -> None:
    text = summary([f"The kiln is old.\n{code}", "The kiln cracked."])
    assert "heat" not in text
    assert "- The kiln is old." in text


@pytest.mark.parametrize("text", ["", "```\ncode()\n```", "…"])
def test_what_says_nothing_has_no_summary(text: str) -> None:
    assert summary([text]) == ""
