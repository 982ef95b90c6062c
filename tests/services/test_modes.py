"""A thought's mode: hint, else trigger phrase, else keywords."""

import pytest

from legacymind.model import Heuristics
from legacymind.services.modes import DEFAULTS, KEYWORDS, MODES, TRIGGERS, Defaults, select


@pytest.mark.parametrize("mode", MODES)
def test_a_hint_wins_over_everything(mode: str) -> None:
    chosen = select("I'm stuck: implement the architecture, panic!", f" {mode.upper()} ")
    assert (chosen.mode, chosen.reason) == (mode, "hint specified")
    assert chosen.trigger is None
    assert chosen.heuristics is None


@pytest.mark.parametrize("hint", [None, "", "  ", "shout", "debugging"])
def test_an_unknown_hint_leaves_it_to_the_text(hint: str | None) -> None:
    assert select("An exception was thrown.", hint).mode == "debug"


@pytest.mark.parametrize(
    ("content", "phrase", "mode"),
    [
        ("Debug time! The build fails.", "debug time", "debug"),
        ("it is BUILDING TIME", "building time", "build"),
        ("plan time for the error handling", "plan time", "plan"),
        ("Planning time.", "planning time", "plan"),
        ("I'm stuck", "i'm stuck", "stuck"),
        ("I’m stuck with a typographic apostrophe", "i'm stuck", "stuck"),
        ("we are stuck on this bug", "stuck", "stuck"),
        ("question time: why?", "question time", "question"),
        ("Let us wrap up.", "wrap up", "conclude"),
        ("I conclude that it works", "conclude", "conclude"),
        ("He concluded, concludes, is concluding", "conclude", "conclude"),
        ("debug time, but also wrap up", "debug time", "debug"),
    ],
)
def test_a_trigger_phrase_decides_before_keywords(content: str, phrase: str, mode: str) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.trigger) == (mode, phrase)
    assert chosen.reason == f"trigger phrase '{phrase}'"
    assert chosen.heuristics is None


@pytest.mark.parametrize("content", ["unstuck at last", "a conclusion", "wrap upholstery", "debug timer"])
def test_a_trigger_phrase_stands_on_its_own(content: str) -> None:
    assert select(content, None).trigger is None


@pytest.mark.parametrize(
    ("content", "mode", "keywords"),
    [
        ("The error is in the parser.", "debug", ["error"]),
        ("Errors everywhere, two exceptions, one panic", "debug", ["error", "exception", "panic"]),
        ("error error error", "debug", ["error"]),
        ("See the stack traces; the job failed", "debug", ["stack trace", "failed"]),
        ("Implementing the reader, then wiring it", "build", ["implement", "wire"]),
        ("She created and builds it", "build", ["create", "build"]),
        ("Please add function parse()", "build", ["add function"]),
        ("The trade-offs of each approach", "plan", ["approach", "trade-off"]),
        ("How should the design look?", "plan", ["design", "how should"]),
        ("I am confused and not sure", "stuck", ["confused", "not sure"]),
        ("BLOCKED", "stuck", ["blocked"]),
    ],
)
def test_keywords_match_whole_words_with_their_usual_endings(
    content: str, mode: str, keywords: list[str]
) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.reason) == (mode, "heuristic keyword match")
    assert chosen.heuristics == Heuristics(keywords=keywords, score=len(keywords))


@pytest.mark.parametrize(
    "content",
    [
        "Terror and debugger: neither is a keyword.",
        "A bugle, a wireless set and a designation",
        "unfailed, rebuild, recreate",
        "What is the weather like?",
        "Ein Gedanke auf Deutsch über das Wetter",
        "",
        "…!?",
    ],
)
def test_without_a_keyword_it_is_a_question(content: str) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.heuristics) == ("question", None)
    assert chosen.reason.startswith("default")


def test_a_tie_goes_to_question_and_says_between_which_words() -> None:
    chosen = select("Build it or design it", None)
    assert chosen.mode == "question"
    assert "tie" in chosen.reason
    assert chosen.heuristics == Heuristics(keywords=["build", "design"], score=1)


def test_the_most_keywords_win() -> None:
    assert select("error, exception; design", None).mode == "debug"
    assert select("error; design, strategy", None).mode == "plan"


def test_the_defaults_by_mode_are_those_of_the_specification() -> None:
    assert {
        "question": Defaults(2, 0.5, "human", technical=False),
        "conclude": Defaults(2, 0.5, "human", technical=False),
        "debug": Defaults(3, 0.8, "tool", technical=True),
        "build": Defaults(2, 0.6, "tool", technical=True),
        "plan": Defaults(3, 0.7, "tool", technical=True),
        "stuck": Defaults(3, 0.9, "tool", technical=True),
    } == DEFAULTS


def test_every_phrase_and_keyword_finds_itself() -> None:
    for phrase, mode in TRIGGERS:
        assert select(f"so, {phrase}.", None).mode == mode
    for mode, words in KEYWORDS.items():
        for word in words:
            assert select(f"so, {word}.", None).mode == mode
