"""A thought's mode by hint, else by trigger phrase, else by keywords; the complete table of cases."""

import pytest

from legacymind.model.base import Mode
from legacymind.model.think import Heuristics
from legacymind.text.modes import KEYWORDS, MODES, TRIGGERS, mode_of, select


def keywords(content: str) -> list[str]:
    """The keywords in a text without a trigger phrase."""
    chosen = select(content, None)
    assert chosen.trigger is None
    return chosen.heuristics.keywords if chosen.heuristics else []


# --- the hint ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("written", ["{}", " {} ", "{}\n"])
def test_a_hint_overrides_everything(mode: str, written: str) -> None:
    for hint in (mode, mode.upper(), mode.title()):
        chosen = select("I'm stuck: implement the architecture, panic!", written.format(hint))
        assert (chosen.mode, chosen.reason) == (mode, "hint specified")
        assert chosen.trigger is None
        assert chosen.heuristics is None


@pytest.mark.parametrize("hint", [None, "", "  ", "shout", "debugger", "débug", "debug plan", "debug,", "0"])
def test_with_an_unknown_hint_the_text_decides(hint: str | None) -> None:
    assert select("An exception was thrown.", hint).mode == "debug"
    assert select("debug time", hint).trigger == "debug time"
    assert select("What now?", hint).mode == "question"


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("planning", "plan"),
        ("Building", "build"),
        (" DEBUGGING ", "debug"),
        ("panic", "stuck"),
        ("Conversation", "question"),
        ("stuck", "stuck"),
        ("debugger", None),
        ("problem_solving", None),
        ("", None),
    ],
)
def test_modes_have_the_aliases_of_the_design(name: str, mode: Mode | None) -> None:
    assert mode_of(name) == mode
    if mode:
        assert (select("x", name).mode, select("x", name).reason) == (mode, "hint specified")
        assert (select("x", None, name).mode, select("x", name).submode) == (mode, None)


def test_an_unknown_hint_is_a_note_of_the_reason() -> None:
    chosen = select("An exception was thrown.", "shout " * 20)
    assert chosen.mode == "debug"
    assert chosen.reason.startswith("heuristic keyword match; hint 'shout shout")
    assert chosen.reason.endswith("is unknown; hints are debug, build, plan, stuck, question, conclude")
    assert len(chosen.reason) < 200
    for nothing in (None, "", "  "):
        assert select("An exception was thrown.", nothing).reason == "heuristic keyword match"


@pytest.mark.parametrize("hint", ["ProblemSolving", "problem-solving", "PROBLEM_SOLVING", "Problem Solving"])
def test_a_hint_that_names_a_submode_is_used_as_one(hint: str) -> None:
    chosen = select("debug time", hint)
    assert (chosen.submode, chosen.reason) == ("problem_solving", "trigger phrase 'debug time'")
    assert select("x", hint, "sarcastic").submode == "sarcastic"


def test_a_submode_that_names_a_mode_is_used_as_a_hint() -> None:
    chosen = select("What now?", None, "debugging")
    assert (chosen.mode, chosen.submode, chosen.reason) == ("debug", None, "submode 'debugging' specified")
    both = select("What now?", "plan", "debugging")
    assert (both.mode, both.reason) == ("plan", "hint specified")
    chosen = select("What now?", None, "panic", ("question", "conclude"))
    assert chosen.mode == "question"
    assert chosen.reason.endswith("; mode stuck does not apply here; modes are question, conclude")


# --- trigger phrases --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "phrase", "mode"),
    [
        ("Debug time! The build fails.", "debug time", "debug"),
        ("debug times are over", "debug time", "debug"),
        ("I'm stuck", "i'm stuck", "stuck"),
        ("I’m stuck with a typographic apostrophe", "i'm stuck", "stuck"),
        ("don't get stuck", "stuck", "stuck"),  # negation and quotation make no difference
        ("'I was never \"stuck\"', she said", "stuck", "stuck"),
        ("question time: why?", "question time", "question"),
        ("Question  time", "question time", "question"),
        ("Let us wrap up.", "wrap up", "conclude"),
        ("wrap-up of the week", "wrap up", "conclude"),
        ("Wrapping up: it works", "wrap up", "conclude"),
        ("that wraps up the week; we wrapped up", "wrap up", "conclude"),
        ("I conclude that it works", "conclude", "conclude"),
        ("is concluding", "conclude", "conclude"),
    ],
)
def test_a_trigger_phrase_decides_before_keywords(content: str, phrase: str, mode: str) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.trigger) == (mode, phrase)
    assert chosen.reason == f"trigger phrase '{phrase}'"
    assert chosen.heuristics is None


@pytest.mark.parametrize(
    "content",
    [
        "unstuck at last",
        "a conclusion",
        "wrap upholstery",
        "debug timer",
        "stuck_at",
        "wrap it up",
        "overtime",
    ],
)
def test_a_trigger_phrase_matches_whole_words_only(content: str) -> None:
    assert select(content, None).trigger is None


def test_the_first_of_several_trigger_phrases_in_the_table_decides() -> None:
    for n, (first, mode) in enumerate(TRIGGERS):
        for second, _ in TRIGGERS[n + 1 :]:
            chosen = select(f"{second}, {first}", None)
            assert (chosen.mode, chosen.trigger) == (mode, first)


# --- keywords with their endings --------------------------------------------------------------------

FORMS = {
    "error": "error errors errored erroring error's errors'",
    "bug": "bug bugs bugged bugging",
    "stack trace": "stack trace|stack traces|stack-trace|stack\ntrace|stack  tracing",
    "panic": "panic panics panicked panicking",
    "create": "create creates created creating",
    "add function": "add function|adds functions|added function|adding functions",
    "how should": "how should|How  should|how\nshould",
    "strategy": "strategy strategies",
    "trade-off": "trade-off|trade-offs|trade off|trade offs|trade‑off",
}
"""One keyword of each shape: ending in a consonant, a doubled one, c, e and y, and of two words."""

NOT_FORMS = {
    "error": "terror errorless error_code my_error MyError erro",
    "bug": "bugle buggy debug bugfix ladybug",
    "stack trace": "stacktrace|stack of traces|haystack trace",
    "failed": "unfailed failure fails failing fail",
    "create": "creation creator recreate creature",
    "add function": "add a function|functions to add|adder function",
    "build": "rebuild builder built",
    "how should": "however, should|how I should|show should",
    "strategy": "strategic strategist",
    "trade-off": "tradeoff|trade it off|trade",
}
"""Similar words that do not match, and forms without one of the four endings, such as "built" and "fails"."""


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (word, form)
        for word, forms in table.items()
        for form in (forms.split("|") if "|" in forms else forms.split(" "))
    ]


@pytest.mark.parametrize(("word", "form"), cases(FORMS))
def test_a_keyword_is_found_with_its_endings_in_any_case_between_any_signs(word: str, form: str) -> None:
    (mode,) = (mode for mode, words in KEYWORDS.items() if word in words)
    for content in (form, form.upper(), f"So ({form}), then", f"a/{form}/b", f"日 {form} 本"):
        chosen = select(content, None)
        assert (chosen.mode, chosen.reason) == (mode, "heuristic keyword match")
        assert chosen.heuristics == Heuristics(keywords=[word], score=1)


@pytest.mark.parametrize(("word", "form"), cases(NOT_FORMS))
def test_a_similar_word_does_not_match(word: str, form: str) -> None:
    assert word not in keywords(f"So, {form}.")


@pytest.mark.parametrize(
    "content",
    [
        "éerror",
        "errorá",
        "error\u0301",  # a combining accent belongs to its letter
        "ошибкаerror",
        "bug本",
        "error1",
        "1bug",
    ],
)
def test_letters_of_any_script_and_digits_are_part_of_a_word(content: str) -> None:
    assert keywords(content) == []


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("Der Bug im Parser", ["bug"]),  # the same word
        ("Un pensamiento sobre errores y diseño", ["error"]),  # with the ending es
        ("Panik beim Fehler, der Entwurf ist gescheitert", []),
        ("错误：设计不对", []),
    ],
)
def test_other_languages_trigger_no_mode_by_chance(content: str, found: list[str]) -> None:
    assert keywords(content) == found


# --- the most keywords, and ties --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mode", "found"),
    [
        ("Errors everywhere, two exceptions, one panic", "debug", ["error", "exception", "panic"]),
        ("error error error", "debug", ["error"]),
        ("See the stack traces; the job failed", "debug", ["stack trace", "failed"]),
        ("Implementing the reader, then wiring it", "build", ["implement", "wire"]),
        ("The trade-offs of each approach", "plan", ["approach", "trade-off"]),
        ("How should the design look?", "plan", ["design", "how should"]),
        ("I am confused and not sure", "stuck", ["confused", "not sure"]),
        ("error, exception; design", "debug", ["error", "exception"]),
        ("error; design, strategy", "plan", ["design", "strategy"]),
        ("There is no error and no design, only strategy", "plan", ["design", "strategy"]),
    ],
)
def test_the_mode_with_the_most_distinct_keywords_wins(content: str, mode: str, found: list[str]) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.reason) == (mode, "heuristic keyword match")
    assert chosen.heuristics == Heuristics(keywords=found, score=len(found))


def test_every_tie_selects_question_and_lists_its_keywords() -> None:
    firsts: dict[Mode, str] = {"debug": "error", "build": "wire", "plan": "design", "stuck": "unsure"}
    for one, a in firsts.items():
        for other, b in firsts.items():
            if one != other:
                chosen = select(f"{a} and {b}", None)
                assert (chosen.mode, chosen.reason) == ("question", "default: keywords tie")
                assert chosen.heuristics == Heuristics(
                    keywords=[word for word in firsts.values() if word in (a, b)], score=1
                )


@pytest.mark.parametrize(
    "content", ["What is the weather like?", "", " \n", "…!?", "\x00", "🦊", "a" * 10_000]
)
def test_without_a_keyword_the_mode_is_question(content: str) -> None:
    chosen = select(content, None)
    assert (chosen.mode, chosen.heuristics, chosen.trigger) == ("question", None, None)
    assert chosen.reason == "default: no keyword matched"


# --- code -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mode"),
    [
        # the prose decides, not the names in the code
        ("The design of login:\n```python\nexcept Exception as error:\n    raise\n```", "plan"),
        ("Wiring it:\n~~~\npanic(error)\n~~~\nthen more", "build"),
        # without a keyword in the prose, the code or a pasted log decides
        ("Why?\n```\nerror: linker failed\n```", "debug"),
        ("Look:\n```\nbuild()\n```", "build"),
        ("See\n```python\nraise ValueError('x')\n```", "question"),  # "ValueError" is another word
        # a trigger phrase in code counts only if there is nothing else
        ("What is this?\n```\nstuck = True\n```", "stuck"),
        ("The error:\n```\nstuck = True\n```", "debug"),
        ("```\nI'm stuck\n```", "stuck"),
        # inline code and a fence that is never closed are prose
        ("`error` is the name", "debug"),
        ("So:\n```\nthe error", "debug"),
    ],
)
def test_prose_comes_before_code(content: str, mode: str) -> None:
    assert select(content, None).mode == mode


@pytest.mark.parametrize(
    "content",
    [
        "1. Run this:\n   ```\n   raise error; stuck\n   ```\nNice weather",
        "> ~~~\n> stuck\n> ~~~\nNice weather",
        "Nice weather\n````\n```\nstuck\n````",
    ],
)
def test_code_may_be_indented_and_quoted_and_contain_shorter_fences(content: str) -> None:
    assert select(content, None).trigger is None


def test_code_on_one_line_opens_nothing() -> None:
    assert select("```x = 1``` and then\nI am stuck", None).mode == "stuck"


def test_only_the_given_modes_are_considered() -> None:
    work: tuple[Mode, ...] = ("build", "debug")
    text = "We concluded that the error is a bug in the exception handler."
    assert select(text).mode == "conclude"
    chosen = select(text, among=work)
    assert (chosen.mode, chosen.reason) == ("debug", "heuristic keyword match")
    for undecided in ("Nice weather", "an error in the build", "I'm stuck"):
        assert select(undecided, among=work).mode == "build"
    assert select(text, "stuck", among=work).mode == "debug"
