"""Extractive summaries: what is shared is kept, in the words and the order of the texts."""

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


def test_each_sentence_has_its_author_and_courtesies_are_left_out() -> None:
    texts = [
        "Hi! The kiln cracked on Monday.",
        "Oh no, I'm so sorry to hear that! It wraps it up nicely. A kiln cracks when it heats too fast.",
        "Thanks! Heating the kiln slowly prevents cracks.",
    ]
    head, *lines = summary(texts, ["Ada", "assistant", "Ada"]).splitlines()
    assert head == "Summary of 3 thoughts:"
    assert lines == [
        "- Ada: The kiln cracked on Monday.",
        "- assistant: A kiln cracks when it heats too fast.",
        "- Ada: Heating the kiln slowly prevents cracks.",
    ]
    # A sentence that begins politely and says something stays.
    long = "That's great, because the kiln of the old hall needs a new door and two more bricks by Friday."
    assert long in summary([long, "The kiln is old."], ["Ada", "Ada"])
    for said in ("Thanks to Ada the kiln works.", "So the kiln broke.", "No oven is cold.", "It is hard."):
        assert said in summary([said])


def test_nothing_but_courtesies_has_no_summary() -> None:
    texts = ["Thanks!", "I love that! It wraps it up nicely.", "You're welcome."]
    assert summary(texts, ["Ada", "assistant", "assistant"]) == ""
