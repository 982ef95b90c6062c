"""Whether a stored text states a hypothesis, and the regular expression of contradiction patterns."""

import string
import time

import pytest

from legacymind.errors import InvalidInput
from legacymind.text.hypothesis import (
    MAX_PATTERN,
    MAX_PATTERNS,
    PATTERNS,
    Stance,
    contradiction_regex,
    stance,
)

CASES: list[tuple[list[str] | None, str, bool]] = [
    # the default patterns, as whole words
    *((None, f"It {pattern} so.", True) for pattern in PATTERNS),
    (None, "The pump is fine and the valve holds.", False),
    (None, "NOT so", True),
    (None, "a note about nothing, knots and notions", False),
    (None, "falsehood, unbroken, failsafe", False),
    (None, "status is not_found", False),
    (None, "one line\nand another says\r\nno\nbefore the last", True),
    (None, "not-so-good", True),
    (None, "It isn’t so", True),
    (None, "It doesnʼt say", True),
    (None, "e\u0301no", False),  # a combining accent belongs to the word
    (None, "naïve", False),
    # what a caller may send
    (["is"], "it isn't", False),
    (["is"], "it is", True),
    (["t"], "it isn't", False),
    (["does not"], "it does\n   not hold", True),
    (["does not"], "it doesnot hold", False),
    (["não"], "isso NÃO funciona", True),
    (["нет"], "Ответ: НЕТ.", True),
    (["нет"], "интернет", False),
    (["不"], "我不是", True),
    (["ไม่"], "มันไม่ทำงาน", True),
    (["!="], "a!=b", True),
    (["a.c"], "abc", False),
    (["a.c"], "is a.c there", True),
    ([r"\E.*\Q"], r"it has \E.*\Q in it", True),
    (["[a-z]"], "abc", False),
    (["[a-z]"], "class [a-z] here", True),
    (["^x", "#", "&&", "{2}", "?"], "really?", True),
    (["C++"], "written in C++", True),
    (["👎"], "that is 👎!", True),
    (["wrong"], "it is not so", False),  # the caller's patterns replace the defaults
    (["not so", "not yet", "no", "!", "!="], "notyet", False),
    (["", "  ", "\n"], "it is not so", True),
    (["a\x00b"], "a b", True),
    (["x" * MAX_PATTERN], f"so {'x' * MAX_PATTERN} it is", True),
    ([f"word{n}" for n in range(MAX_PATTERNS)], "has word49", True),
]


@pytest.mark.parametrize(("patterns", "text", "held"), CASES)
def test_whole_words_are_found_in_any_case_line_and_script(
    patterns: list[str] | None, text: str, held: bool
) -> None:
    assert (contradiction_regex(patterns).search(text) is not None) is held


@pytest.mark.parametrize("pattern", [f"a{sign}b" for sign in string.punctuation])
def test_every_character_of_a_pattern_is_literal(pattern: str) -> None:
    regex = contradiction_regex([pattern])
    assert regex.search(pattern)
    assert not any(regex.search(other) for other in ("ab", "aab", "abb", "a b", "aXb", "b", ""))


def test_the_longest_hostile_text_takes_a_moment() -> None:
    """A backtracking expression would take years."""
    regex = contradiction_regex([f"{'a ' * 45}{n}" for n in range(MAX_PATTERNS)])
    begun = time.process_time()
    for long in ("a " * 51_200, "a" * 102_400, "\n" * 102_400, "'" * 102_400, "no" * 51_200):
        assert regex.search(long) is None
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("patterns", [None, [], [""], [" \t", "\x07"]])
def test_blank_patterns_select_the_defaults(patterns: list[str] | None) -> None:
    assert contradiction_regex(patterns) == contradiction_regex(PATTERNS)


def test_repeated_patterns_count_once() -> None:
    assert contradiction_regex(["no  way"] * 200 + [" no way"]) == contradiction_regex(["no way"])


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        ([f"word{n}" for n in range(MAX_PATTERNS + 1)], "51 patterns"),
        (["ok", "x" * (MAX_PATTERN + 1)], "101 characters"),
        (["ok", "\ud800"], "lone surrogate"),
    ],
)
def test_invalid_patterns_are_rejected(patterns: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as raised:
        contradiction_regex(patterns)
    assert raised.value.hint
    str(raised.value).encode()


@pytest.mark.parametrize(
    ("hypothesis", "text", "expected"),
    [
        ("Hydra runs Airflow 2.9", "Hydra runs Airflow 2.9.", "supports"),
        ("Hydra runs Airflow 2.9", "Since May, Hydra runs Airflow 2.9 on Kubernetes.", "supports"),
        ("Hydra runs Airflow 2.9", "Hydra's Airflow version is 3.1", "related"),
        ("Hydra runs Airflow 2.9", "Hydra runs Airflow 3.1", "contradicts"),
        ("Hydra runs Airflow 2.9", "Hydra does not run Airflow 2.9", "contradicts"),
        ("Hydra runs Airflow 2.9", "Hydra's Slack channel is #hydra", "related"),
        ("Hydra runs Airflow 2.9", "Medusa's Airflow version is 3.1", "related"),
        ("Hydra runs Airflow 2.9", "Hydra: a data platform that schedules 2.9 million jobs", "related"),
        ("The lead of Hydra is Ada", "Hydra's lead is Bob", "related"),
        ("The lead of Hydra is Ada", "Hydra's lead is Ada", "supports"),
        ("The build takes 10 minutes", "The build takes 25 minutes on CI.", "contradicts"),
        ("The build takes 10 minutes", "The build server has 25 cores.", "related"),
        ("The cache is enabled", "The cache is disabled", "related"),
        ("The API is not rate limited", "The API is not rate limited", "supports"),
        ("The API is not rate limited", "The API is rate limited", "contradicts"),
        ("Deploys are safe on Fridays", "Ada never works on Fridays", "related"),
    ],
)
def test_only_a_text_about_the_same_statement_is_evidence(
    hypothesis: str, text: str, expected: Stance
) -> None:
    assert stance(hypothesis, text, contradiction_regex()) == expected
