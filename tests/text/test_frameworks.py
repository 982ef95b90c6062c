"""The findings of the cognitive frameworks quote the text, depend on it, and are short."""

import dataclasses
import itertools
import os
import re
import subprocess
import sys
import unicodedata
from typing import get_args

import pytest

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import Framework, FrameworkAnalysis, FrameworkOutput
from legacymind.text.frameworks import FRAMEWORKS, MODES, SUBMODES, analyze, read
from legacymind.text.frameworks.findings import MOST
from tests.text.framework_texts import TEXTS

LONGEST = 280


def of(framework: Framework, text: str) -> FrameworkOutput:
    """The findings of one framework in a text, given by name or as is."""
    return FRAMEWORKS[framework](read(TEXTS.get(text, text)))


def findings(found: FrameworkOutput | FrameworkAnalysis) -> list[str]:
    return [*found.insights, *found.questions, *found.next_steps]


def analysed(text: str, mode: Mode = "question", submode: Submode | None = None) -> FrameworkAnalysis:
    found = analyze(TEXTS.get(text, text), mode, submode)
    assert found
    return found


# --- properties of every framework, on every text ---------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_framework_quotes_the_text_and_stays_short(framework: Framework, name: str) -> None:
    found = of(framework, name)
    content = "".join(TEXTS[name].split()).lower()
    assert max(len(found.insights), len(found.questions), len(found.next_steps)) <= MOST
    for sentence in findings(found):
        assert 0 < len(sentence) <= LONGEST
        assert not any(unicodedata.category(one) in ("Cc", "Cs") or one in "\u202e\u2066" for one in sentence)
        if quoted := re.findall("“([^”]*)”", sentence):
            words = [re.sub(r"[\s…‘’]", "", one).lower() for one in quoted]
            plain = re.sub("[‘’“”'\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u2069]", "", content)
            assert any(word.replace("'", "") in plain or word in content for word in words), sentence
    assert len(set(findings(found))) == len(findings(found))


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_framework_has_different_findings_for_different_texts(framework: Framework) -> None:
    results = [one for one in (findings(of(framework, name)) for name in TEXTS) if one]
    assert len(results) > len(TEXTS) // 2
    assert all(one != other for one, other in itertools.combinations(results, 2))


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_empty_text_has_no_findings(framework: Framework) -> None:
    for empty in ("", " \n\t", TEXTS["punctuation"], "```\ncode()\n```", "Hm.", "ok"):
        assert findings(of(framework, empty)) == []


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_finding_refers_to_the_text(framework: Framework) -> None:
    """Every finding has a quotation, a figure or a name from the text."""
    for name, text in TEXTS.items():
        things = {*(thing for thing, _ in read(text).things), *read(text).names, *read(text).identifiers}
        for sentence in findings(of(framework, name)):
            assert "“" in sentence or re.search(r"\d", sentence) or any(one in sentence for one in things)


def test_the_result_is_the_same_in_every_process() -> None:
    """The order of sets differs between processes; the findings must not."""
    program = (
        "from legacymind.text.frameworks import analyze\n"
        "from tests.text.framework_texts import TEXTS\n"
        "print([analyze(t, m, None) for t in TEXTS.values() for m in ('debug', 'conclude')])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1
    assert len(answers.pop()) > 10_000


# --- what each framework looks for
# ----------------------------------------------------------------------------


def test_ooda_separates_observations_interpretations_and_decisions() -> None:
    found = of("ooda", "The pump took 14 s. I think the valve sticks. We will replace the valve.")
    assert found.insights == [
        "Observed: “The pump took 14 s”.",
        "An interpretation, not an observation (i think): “I think the valve sticks”.",
        "Decided: “replace the valve”.",
    ]
    assert found.questions == ["Which observation would show whether “I think the valve sticks” holds?"]
    assert found.next_steps[0] == "Do it: “replace the valve”, then look again at “The pump took 14 s”."
    assert found.meta["stage"] == "act"


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("The pump took 14 s.", "observe"),
        ("The pump took 14 s. Perhaps the valve sticks.", "orient"),
        ("Should we replace the valve or the pump?", "decide"),
        ("I'll replace the valve.", "act"),
    ],
)
def test_ooda_reports_the_stage_of_the_loop(text: str, stage: str) -> None:
    assert of("ooda", text).meta["stage"] == stage


def test_ooda_begins_with_the_error_itself() -> None:
    found = of("ooda", "traceback")
    assert found.insights[0].startswith("Observed: the error “ValueError: invalid literal for int()")
    assert any("after the upgrade of pandas" in one for one in found.questions)
    assert not any("row = parse_cell" in one for one in findings(found))


def test_socratic_asks_certainties_for_an_exception_and_reasons_for_evidence() -> None:
    assert any(
        "“everyone”" in one and "obviously hates it" in one for one in of("socratic", "release").questions
    )
    asked = of("socratic", "pool").questions
    assert (
        "How is it known that “the connection pool is too small” is why “The deploy fails”,"
        " and not merely coincidental?"
    ) in [one.replace(" since the upgrade to 3.2", "") for one in asked]
    assert any("“elegant” by which measure" in one for one in of("socratic", "shard").questions)
    assert any("“Maybe”" in one or "“maybe”" in one for one in of("socratic", "hedged").questions)


def test_a_plain_claim_gets_a_pointed_question_about_that_claim() -> None:
    for framework in ("socratic", "first_principles", "root_cause", "systems", "dialectical"):
        assert all("“The pump is fine”" in one for one in of(framework, "plain").questions)
        assert of(framework, "plain").questions


def test_first_principles_sets_facts_against_assumptions_constraints_and_custom() -> None:
    found = of("first_principles", "shard")
    assert "A constraint (“must”): “We must keep the latency under 200 ms”." in found.insights
    assert any("law or somebody's choice" in one for one in found.questions)
    assert any(
        one.startswith("By custom (“best practice”)") for one in of("first_principles", "custom").insights
    )
    assert of("first_principles", "decision").insights[0] == (
        "Given: “The mobile client had 40 users and cost 3 people”."
    )
    assert any("Assumed (“maybe”)" in one for one in of("first_principles", "hedged").insights)


def test_lateral_asks_for_a_third_option_and_exaggerates_figures() -> None:
    found = of("lateral", "shard")
    assert "Only two ways are in view, “shard the database” and “move to a bigger machine”." in found.insights
    assert "What would be done if it were 2,000 ms instead of 200 ms?" in found.questions
    assert any("third way" in one for one in found.next_steps)
    assert any(
        "“rewrite the parser”" in one or "rewrite the parser" in one
        for one in of("lateral", "options").insights
    )


def test_root_cause_follows_causes_to_the_one_that_has_none() -> None:
    found = of("root_cause", "pool")
    assert any("← “nobody changed the default of 10 connections”" in one for one in found.insights)
    assert found.questions[0] == "And why “nobody changed the default of 10 connections”?"
    assert found.next_steps[0].startswith("Undo “nobody changed the default of 10 connections” alone")
    assert any("“since the upgrade to 3.2”" in one for one in found.questions)
    chained = of("root_cause", "therefore")
    assert chained.meta["depth"] == "2"
    assert "And why “The valve was left open”?" in chained.questions


def test_root_cause_finds_feelings_and_errors() -> None:
    felt = of("root_cause", "grief")
    assert any(one.startswith("“lonely” is about this") for one in felt.insights)
    assert any("What is needed" in one and "lonely" in one for one in felt.questions)
    gentle = findings(analysed("grief", "stuck", "empathetic"))
    assert not any(re.search("Undo|counterexample|never seen|How is it known", one) for one in gentle)
    assert any("IllegalStateException: no session" in one for one in of("root_cause", "java").insights)


def test_systems_finds_loops_trends_and_what_recurs() -> None:
    found = of("systems", "loop")
    assert any("again and again" in one for one in found.insights)
    assert any("“queue”: 3 of 3 sentences" in one or "“queue”: 2 of 3" in one for one in found.insights)
    assert "Taking part: Anna." in found.insights
    assert any("The more we test, the slower we ship" in one for one in of("systems", "release").insights)
    assert any("“doubles”" in one for one in of("systems", "trend").insights)


def test_dialectical_finds_theses_antitheses_and_contradictions() -> None:
    found = of("dialectical", "shard")
    assert "Thesis “Sharding is elegant”, antithesis “it makes every query harder”." in found.insights
    assert any("Under which condition do both hold" in one for one in found.questions)
    assert any(
        one.startswith("Stated and denied: “The cache keeps")
        for one in of("dialectical", "contradiction").insights
    )
    assert any("“drop the mobile client”" in one for one in of("dialectical", "decision").questions)
    both = of("dialectical", "although").insights
    assert "Thesis “the index is small”, antithesis “the search is slow”." in both


@pytest.mark.parametrize("name", ["german", "spanish", "chinese", "arabic", "russian"])
def test_other_languages_are_asked_about_their_claims(name: str) -> None:
    found = analysed(name)
    assert found.questions
    assert all("“" in one for one in found.questions)


def test_german_causes_and_contrasts_are_found() -> None:
    assert "And why “die Uhr falsch geht”?" in of("root_cause", "german").questions
    assert of("dialectical", "german").meta["tensions"] == "1"


def test_code_blocks_and_stack_frames_are_skipped() -> None:
    for framework in FRAMEWORKS:
        assert not any(
            "raise ValueError" in one or "for row in" in one for one in findings(of(framework, "code"))
        )
        assert not any("Main.java" in one for one in findings(of(framework, "java")))


# --- profiles ---------------------------------------------------------------------------------------


def test_profiles_have_the_weights_of_the_specification() -> None:
    assert SUBMODES == {
        "sarcastic": {"ooda": 60, "socratic": 30, "lateral": 10},
        "philosophical": {"first_principles": 40, "socratic": 40, "lateral": 20},
        "empathetic": {"root_cause": 50, "socratic": 30, "first_principles": 20},
        "problem_solving": {"ooda": 40, "root_cause": 30, "first_principles": 30},
        "adderall": None,
    }
    assert set(SUBMODES) == set(get_args(Submode))
    assert set(MODES) == set(get_args(Mode))


@pytest.mark.parametrize("weights", [*MODES.values(), *filter(None, SUBMODES.values())])
def test_weights_come_in_order_and_make_a_whole(weights: dict[Framework, int]) -> None:
    assert sum(weights.values()) == 100
    assert sorted(weights.values(), reverse=True) == list(weights.values())


def test_every_framework_is_reached_by_a_question_or_a_conclusion() -> None:
    assert set(FRAMEWORKS) == set(get_args(Framework))
    used = {name for submode in SUBMODES.values() if submode for name in submode}
    assert used | set(MODES["question"]) | set(MODES["conclude"]) == set(FRAMEWORKS)


def test_adderall_has_no_frameworks() -> None:
    assert analyze(TEXTS["pool"], "question", "adderall") is None


def test_a_submode_decides_whatever_the_mode() -> None:
    for mode in get_args(Mode):
        assert analyze(TEXTS["pool"], mode, "sarcastic") == analysed("pool", "question", "sarcastic")


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("submode", [None, "sarcastic", "philosophical", "empathetic", "problem_solving"])
def test_a_blend_is_bounded_has_no_duplicates_and_counts_the_findings_of_each_framework(
    mode: Mode, submode: Submode | None
) -> None:
    weights = (SUBMODES[submode] if submode else None) or MODES[mode]
    for name in TEXTS:
        found = analysed(name, mode, submode)
        for kind, given in (
            ("insights", found.insights),
            ("questions", found.questions),
            ("next steps", found.next_steps),
        ):
            assert len(given) <= MOST
            assert len({one.lower() for one in given}) == len(given)
            counted = [int(re.findall(rf"{kind} (\d)", found.meta[one])[0]) for one in weights]
            assert sum(counted) == len(given)
        assert found.meta["profile"] == submode or mode
        assert all(found.meta[one].startswith(f"{percent}%") for one, percent in weights.items())
        assert all(isinstance(value, str) for value in found.meta.values())


def test_each_framework_of_a_profile_gets_its_share() -> None:
    found = analysed(
        "\n".join(TEXTS[name] for name in ("pool", "shard", "release", "loop", "hedged", "decision"))
    )
    assert found.meta["socratic"] == "50%: insights 3, questions 3, next steps 3"
    assert found.meta["first_principles"] == "30%: insights 2, questions 2, next steps 2"
    assert found.meta["lateral"] == "20%: insights 1, questions 1, next steps 1"


def test_a_framework_fills_places_that_the_others_leave_empty() -> None:
    found = analysed("Maybe the clock is wrong. Perhaps it is the battery.", "conclude")
    assert len(found.questions) > 2


# --- how much is read -------------------------------------------------------------------------------


def test_a_long_text_is_read_at_both_ends_and_meta_reports_it() -> None:
    middle = "Nothing of this is read. " * 4_000
    found = analysed(f"The pump must stop. {middle} The valve must close.", "build")
    assert found.meta["read"].startswith("the first and the last 8,192 of 100,")
    assert any("The pump must stop" in one for one in findings(found))
    assert analysed("pool").meta["read"] == "all"
    assert (
        "120 of 1,000 sentences" in analysed("\n".join(f"Pump {n} is ok." for n in range(1_000))).meta["read"]
    )


HOSTILE = [
    "because " * 12_800,
    "but " * 25_600,
    "the more " * 11_000,
    "either a or " * 8_500,
    "a" * 102_400,
    "1." * 51_200,
    "“" * 30_000,
    "`" * 102_400,
    "```\n" * 25_600,
    "?" * 102_400,
    "\n" * 102_400,
    " " * 102_400,
    "x_" * 51_200,
    "Aa" * 51_200,
    "since " * 17_000,
    "must should will " * 6_000,
    "ﷺ" * 30_000,
    "e\u0301" * 30_000,
    "👩‍👩‍👧‍👦" * 4_000,
    "İ because ẞ " * 8_000,
    "\ud800" * 10_000,
    "".join(map(chr, range(1, 40_000))),
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:8].encode("ascii", "replace")))
def test_hostile_texts_are_read_in_time(text: str) -> None:
    reading = read(text)
    for framework in FRAMEWORKS.values():
        assert all(len(one) <= LONGEST for one in findings(framework(reading)))
    found = analyze(text, "debug")
    assert found
    assert not any(
        unicodedata.category(one) in ("Cc", "Cs") for sentence in findings(found) for one in sentence
    )


def test_results_are_immutable() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        analysed("pool").meta = {}  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
