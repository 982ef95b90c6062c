"""The findings of the cognitive frameworks quote the text, depend on it, and are short."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import FrameworkAnalysis
from legacymind.text.frameworks import MODES, SUBMODES, analyze

BLIND = {
    name.strip(): text.strip()
    for name, _, text in (
        part.partition("\n")
        for part in re.split(
            r"^=== ", (Path(__file__).parent / "blind_texts.txt").read_text("utf-8"), flags=re.MULTILINE
        )[1:]
    )
}
"""60 texts: 30 written before the rules, commit messages, documentation, real logs and tracebacks."""


def findings(text: str, mode: Mode = "question", submode: Submode | None = None) -> list[str]:
    found = analyze(text, mode, submode)
    return [] if found is None else [*found.insights, *found.questions, *found.next_steps]


def template(finding: str) -> str:
    """A finding without its quotations and figures."""
    return re.sub(r"\d[\d.,:]*", "#", re.sub("“[^”]*”", "“”", finding))


def plain(text: str) -> str:
    return re.sub(r"[\s“”‘’'\"`…]", "", text).lower()


@pytest.mark.parametrize("mode", MODES)
def test_no_finding_is_generic(mode: Mode) -> None:
    """A finding quotes the text, is found in few texts, and not in the text's words in another order."""
    found = {name: findings(text, mode) for name, text in BLIND.items()}
    assert sum(map(bool, found.values())) >= 15
    shared = Counter(one for all_of in found.values() for one in {template(finding) for finding in all_of})
    assert all(count <= 3 for count in shared.values()), shared
    for name, all_of in found.items():
        after_shuffles = Counter[str]()
        for seed in range(5):
            words = BLIND[name].split()
            random.Random(seed).shuffle(words)
            after_shuffles.update({template(one) for one in findings(" ".join(words), mode)})
        for finding in all_of:
            quotations = re.findall("“([^”]*)”", finding)
            assert quotations, finding
            assert all(plain(one) in plain(BLIND[name]) for one in quotations), finding
            assert after_shuffles[template(finding)] < 3, finding
            assert len(finding) <= 280


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # OODA
            "p99 went from 180 ms to 1.4 s after the deploy.",
            "From “180 ms” to “1.4 s” is 7.78 times more.",
        ),
        ("Errors fell from 12% to 1%.", "From “12%” to “1%” is 12 times less."),
        (
            "Maybe it's DNS, maybe the load balancer drops idle connections.",
            "What would be seen if “it's DNS”, but not if “the load balancer drops idle connections”?",
        ),
        ("We decided to drop the app.", "Write down what would show that “drop the app” was wrong."),
        (  # Socratic
            "A promise must be kept. Is a promise to a thief a promise?",
            "Does “A promise must be kept” hold for the case of “Is a promise to a thief a promise”?",
        ),
        (
            "Everyone agrees that we should rewrite it in Rust.",
            "Who would disagree about “we should rewrite it in Rust”, and with which reason?",
        ),
        (  # first principles
            "Both together take 14 ms. The budget was 20 ms.",
            "“14 ms” leaves 6 ms of “20 ms”.",
        ),
        ("The file has 12 MB. The limit is 10 MB.", "“12 MB” is 2 MB over “10 MB”."),
        (
            "It takes 9 s for the largest file, and 7 s of that is one query.",
            "“7 s” is 77.8 % of “9 s”.",
        ),
        (
            "I assume the provider deduplicates by order id.",
            "How could it be checked that “the provider deduplicates by order id”?",
        ),
        (  # lateral
            "Should we shard the database or move to a bigger machine?",
            "What would make both “shard the database” and “move to a bigger machine” unnecessary?",
        ),
        (  # root cause
            "The deploy fails since the upgrade to 3.2.",
            "How could “the upgrade to 3.2” lead to “The deploy fails”?",
        ),
        (
            "I feel lonely since my sister moved away.",
            "Which part of “my sister moved away” weighs most in “I feel lonely”?",
        ),
        (
            "The container starts fine with docker run, but under Compose it exits with code 137.",
            "What else differs between “The container starts fine with docker run” and"
            " “under Compose it exits with code 137”?",
        ),
        (
            "It died: No space left on device.",
            "What grew on the device of “No space left on device”: logs, temporary files, data?",
        ),
        (
            "The deploy fails because the pool is too small. The pool is too small because nobody cared.",
            "And why “nobody cared”?",
        ),
        (  # systems
            "Memory grows by 40 MB an hour. The container has a limit of 1 GB.",
            "From nothing, “40 MB” each 1 hours reaches “1 GB” after 1.04 days.",
        ),
        (
            "We cannot drop the table before the app 4.2 is out.",
            "If “the app 4.2 is out” takes longer, what happens to “We cannot drop the table”?",
        ),
        (  # dialectical
            "Should we shard the database or move to a bigger machine?",
            "What would “shard the database” bring that “move to a bigger machine” would not?",
        ),
        (
            "The cache keeps the session of a user. The cache never keeps the session of a user.",
            "Both cannot hold: “The cache keeps the session of a user”, and"
            " “The cache never keeps the session of a user”.",
        ),
    ],
)
def test_what_the_frameworks_find(text: str, expected: str) -> None:
    submodes: list[Submode | None] = [None, *get_args(Submode)]
    assert any(expected in findings(text, mode, submode) for mode in MODES for submode in submodes)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "```\ncode()\n```", "Hm.", "ok, thanks", "…!? --- (((", "I miss her kitchen."]
)
def test_most_texts_have_no_finding(text: str) -> None:
    assert findings(text) == []


def analysed(text: str, mode: Mode, submode: Submode | None) -> FrameworkAnalysis:
    found = analyze(text, mode, submode)
    assert found
    return found


def test_the_submode_decides_which_frameworks_speak_and_its_heaviest_first() -> None:
    text = "I believe the cache is fine. The deploy fails since the upgrade. Maybe it is DNS, maybe the pool."
    empathetic = analysed(text, "question", "empathetic")
    assert "root_cause" in empathetic.meta
    assert "ooda" not in empathetic.meta
    assert [one.split()[0] for one in empathetic.questions] == ["How", "How"]
    assert empathetic.meta["root_cause"] == "50%: question 1, step 1"
    assert analysed(text, "question", "sarcastic").questions == [
        "What would be seen if “it is DNS”, but not if “the pool”?"
    ]


def test_profiles_are_those_of_the_seed_and_sum_up_to_100() -> None:
    assert SUBMODES["problem_solving"] == {"ooda": 40, "root_cause": 30, "first_principles": 30}
    assert all(sum(of.values()) == 100 for of in [*SUBMODES.values(), *MODES.values()] if of)


def test_technical_modes_and_adderall_have_no_analysis() -> None:
    text = "The deploy fails since the upgrade to 3.2."
    assert analyze(text, "question") is not None
    for mode in ("debug", "build", "plan", "stuck"):
        assert analyze(text, mode) is None
        assert analyze(text, mode, "problem_solving") is None
    assert analyze(text, "question", "adderall") is None


def test_of_a_long_text_both_ends_are_read() -> None:
    text = "A fine day. " * 3_000 + "The deploy fails since the upgrade to 3.2."
    found = analysed(text, "question", None)
    assert found.meta["read"] == "the first and the last 8,192 of 36,042 characters"
