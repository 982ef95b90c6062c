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
    for said in ("Thanks to Ada the kiln works.", "So the kiln broke.", "No oven is cold."):
        assert said in summary([said])


@pytest.mark.parametrize(
    "said",
    [
        "Thanks, my new number is 555-1234.",
        "I'm sorry, but Rex died on Tuesday.",
        "Sure, my door code is 4711.",
        "Great, the surgery is on 5 May then.",
        "That's hard, I have had diabetes for ten years.",
        "Absolutely, I have two daughters.",
        "Of course! Bye, my train leaves at 9.",
        "Good luck with the exam on Monday.",
        "You're welcome, the key is under the mat.",
        "Wow, you moved to Oslo!",
        "Hello Ada, I sold the car.",
        "Thank you, I am allergic to nuts.",
        "No problem, Ada owns a boat.",
        "Yes, I passed.",
        "I love that, my mother painted it.",
        "Nice, we won the final.",
        "I hope you like rice.",
        "Let me know when Bob calls.",
    ],
)
def test_what_is_said_after_a_courtesy_stays(said: str) -> None:
    fact = said.split("! ")[-1] if said.startswith("Of course") else said
    assert fact in summary([said, "The kiln is old."], ["Ada", "Ada"])


@pytest.mark.parametrize(
    "said",
    [
        "Hey Mel!",
        "Hey Bob!",
        "Good to see you!",
        "Yay!",
        "Keep it up!",
        "Glad I could help.",
        "Your kind words mean a lot.",
        "Talk to you later!",
        "I'll do my best!",
        "You’ve got this!",
        "Wow, that's so cool, Melanie!",
        "Thanks, Ada Lovelace!",
        "Hope you're doing great!",
        "Can't wait to hear all about it!",
        "No worries at all, take care!",
        "I really appreciate your support and encouragement.",
        "That must have felt amazing!",
        "I'm here for you, always.",
        "How are you doing today?",
    ],
)
def test_a_courtesy_of_any_form_is_left_out(said: str) -> None:
    assert summary([said, said], ["Melanie", "Ada Lovelace"]) == ""


def test_nothing_but_courtesies_has_no_summary() -> None:
    texts = ["Thanks!", "I love that! It wraps it up nicely.", "You're welcome."]
    assert summary(texts, ["Ada", "assistant", "assistant"]) == ""


@pytest.mark.parametrize("author", ["assistant", "Assistant", "AI", "bot", "Model"])
@pytest.mark.parametrize(
    "comfort",
    [
        "I'm so sorry to hear that your exam went badly, losing a year must be incredibly painful for you.",
        "I am deeply sorry about your exam.",
        "It's completely understandable to feel upset about the exam you failed on Friday.",
        "That must have been exhausting, an exam on a Friday.",
        "I hope your next exam in May goes better and that you can rest before it.",
        "My heart goes out to you after that exam.",
        "Oh, I can only imagine how stressful the exam was.",
        "You're not alone, many people fail an exam.",
        "Thank you for sharing how the exam went.",
    ],
)
def test_an_assistants_sympathy_is_left_out_however_long_it_is(author: str, comfort: str) -> None:
    texts = [
        "I failed my exam on Friday.",
        f"{comfort} The exam has two parts.",
        "The exam is repeated in May.",
    ]
    assert summary(texts, ["Ada", author, "Ada"]).splitlines()[1:] == [
        "- Ada: I failed my exam on Friday.",
        f"- {author}: The exam has two parts.",
        "- Ada: The exam is repeated in May.",
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ["hm", "ok", "yes"],
        ["ok", "lol", "👍"],
        ["Good morning!", "How are you?", "Fine, you?"],
        ["Same here.", "Me too!", "Exactly.", "Right."],
        ["Got it, thanks!", "Sure.", "…"],
    ],
)
def test_what_says_nothing_has_no_summary(texts: list[str]) -> None:
    assert summary(texts, ["Ada", "Bob", "Ada", "Bob"][: len(texts)]) == ""


@pytest.mark.parametrize(
    "said",
    [
        "Right now the kiln is cold.",
        "True north is 3 degrees off.",
        "How are you heating the kiln?",
        "Fine sand is in the cellar.",
        "I hope to finish the kiln by May.",
        "I'm sorry that I broke the kiln.",
        "It must be fired at 900 degrees.",
        "This can be done in May.",
    ],
)
def test_what_only_begins_like_a_courtesy_or_comes_from_a_person_is_kept(said: str) -> None:
    assert said in summary([said, "The kiln is old."], ["Ada", "Bob"])


def test_sentences_are_whole_and_prose() -> None:
    texts = [
        "## Kiln\n**Steps with the kiln**\nDear Mr. Kiln, these are the steps:\n\n"
        "1. Heat the kiln slowly.\n2. Ask Dr. J. Osei about the kiln, "
        "e.g. by mail.\n\n| kiln | heat |\n|---|---|\n| old | 900 |",
        "The kiln is old.\n```python\nkiln.heat(900)\n```\nThe kiln is heavy.\n```\nkiln.stop()",
    ]
    head, *lines = summary(texts, ["assistant", "Ada"]).splitlines()
    assert head == "Summary of 2 thoughts:"
    assert {*lines} <= {
        "- assistant: 1. Heat the kiln slowly.",
        "- assistant: 2. Ask Dr. J. Osei about the kiln, e.g. by mail.",
        "- Ada: The kiln is old.",
        "- Ada: The kiln is heavy.",
    }
    assert len(lines) >= 3


@pytest.mark.parametrize(
    "code",
    [
        "```python\nkiln.heat(900)\n```",
        "```python title=kiln.py\nkiln.heat(900)\n```",
        "```\nkiln.heat(900)",
        "```js\nkiln.heat(900);\nkiln.",
        "~~~\nkiln.heat(900)\n~~~",
        "~~~\nkiln.heat(900)",
        "````\n```\nkiln.heat(900)\n```\n````",
        "> ```\n> kiln.heat(900)\n> ```",
        "  ```\n  kiln.heat(900)\n  ```",
        "- ```sh\n  kiln.heat(900)\n  ```",
        "Look here: ```python\nkiln.heat(900)\n```",
        "Look here: ```python\nkiln.heat(900)",
        "Look here: ```\nkiln.heat(900)```",
        "| kiln | heat(900) |\n|---|---|",
        "### kiln.heat(900)",
        "**kiln.heat(900)**",
        "  - **kiln.heat(900):**",
        "1.",
        "2)",
        "(b)",
        "iv.",
        "-",
    ],
)
def test_no_code_table_heading_or_bare_mark_is_in_a_summary_but_all_around_it(code: str) -> None:
    text = f"The kiln is old.\n{code}\n"
    after = "" if code.count("```") == 1 or code.count("~~~") == 1 else "The kiln has 3 doors."
    lines = summary([text + after, "The kiln is old and heavy."], ["Ada", "Ada"]).splitlines()[1:]
    assert "- Ada: The kiln is old." in lines or "- Ada: The kiln is old and heavy." in lines
    assert not any(mark in line for line in lines for mark in ("heat(", "```", "~~~", "|", "**", "#"))
    assert not any(line.removeprefix("- Ada: ") == code for line in lines)
    assert not after or f"- Ada: {after}" in lines


@pytest.mark.parametrize(
    "said",
    [
        "I live in Oslo. Here is my code:",
        "My kiln needs these:",
        "I use Flask 2.3.1 for the kiln and get this:",
        "The kiln is ```9000``` watts.",
        "```kiln start``` fails with error 7.",
        "Use ``` for the kiln.",
        "**The kiln is broken.**",
        "So cute~~~ is the kiln.",
        "The kiln burned 3 pots | 4 cups.",
        "C# runs the kiln.",
    ],
)
def test_what_a_person_says_beside_code_and_marks_stays(said: str) -> None:
    text = summary([f"{said}\n```python\nheat(900)\n```\n", "Old kiln."], ["Ada", "Ada"])
    assert said.split(". ")[0] in text
    assert "heat(" not in text


@pytest.mark.parametrize(
    "said",
    [
        "I'm sorry, the exam was moved.",
        "I'm sorry to say that your exam is on 5 May.",
        "I'm glad you asked, but the exam costs 40.",
        "I hope the exam helps, however the room of the exam is closed.",
        "It's normal for the exam hall to hum.",
        "It's okay to take a calculator to the exam.",
        "It sounds like an exam of Osei's.",
        "That sounds like the exam in physics.",
        "I understand the exam has a second part.",
        "Thank you for sharing; the exam is on Friday.",
        "You're not alone, 40 of 90 failed the exam.",
        "I can imagine the exam failed because the hall was cold.",
    ],
)
def test_what_an_assistant_says_in_its_sympathy_stays(said: str) -> None:
    text = summary(["I failed my exam.", said], ["Ada", "assistant"])
    assert f"- assistant: {said}" in text
