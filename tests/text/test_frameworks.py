"""The findings of the cognitive frameworks quote the text, depend on it, and are short."""

import itertools
import os
import re
import subprocess
import sys
import unicodedata
from typing import get_args

import pytest

from legacymind.model.base import Mode, Submode
from legacymind.model.frameworks import Framework, FrameworkAnalysis
from legacymind.text.frameworks import FRAMEWORKS, MODES, SUBMODES, analyze, blend, read
from legacymind.text.frameworks.findings import MOST
from tests.text.framework_texts import TEXTS

LONGEST = 280


def of(framework: Framework, text: str) -> FrameworkAnalysis:
    """The findings of one framework in a text, given by name or as is."""
    return blend(read(TEXTS.get(text, text)), {framework: 100})


def findings(found: FrameworkAnalysis) -> list[str]:
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
        quoted = re.findall("“([^”]*)”", sentence)
        assert quoted
        for one in quoted:
            word = re.sub(r"[\s…‘’']", "", one).lower()
            plain = re.sub("[‘’“”'\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u2069]", "", content)
            assert word in plain or word in content, sentence
    assert len(set(findings(found))) == len(findings(found))


def test_different_texts_have_different_findings() -> None:
    for framework in FRAMEWORKS:
        results = [one for one in (findings(of(framework, name)) for name in TEXTS) if one]
        assert all(one != other for one, other in itertools.combinations(results, 2))


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_empty_text_has_no_findings(framework: Framework) -> None:
    for empty in ("", " \n\t", TEXTS["punctuation"], "```\ncode()\n```", "Hm.", "ok"):
        assert findings(of(framework, empty)) == []


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
    assert len(answers.pop()) > 3_000


# --- what each framework finds ----------------------------------------------------------------------


def test_ooda_computes_changes_gaps_and_differences() -> None:
    changed = of("ooda", "The start went from 7 s to 14 s. We will revert the patch.")
    assert changed.insights == ["“14 s” is 2 times “7 s”: “The start went from 7 s to 14 s”."]
    assert changed.next_steps == ["After “revert the patch”, compare with “7 s” and “14 s”."]
    assert of("ooda", "The start went from 7 s to 8 s.").insights == []
    assert (
        of("ooda", "Errors fell from 12% to 1%.").insights[0].startswith("“12%” became “1%”, 12 times less")
    )
    log = "10:00:01 INFO Opening the store\n10:00:08 INFO Store is open\n10:00:08 INFO Ready"
    assert of("ooda", log).questions == [
        "What runs in the 7 s between “Opening the store” and “Store is open”?"
    ]
    text = "Maybe it drops idle connections after 60 s. It always hangs for 75 s."
    assert of("ooda", text).questions == [
        "If “Maybe it drops idle connections after 60 s” is the explanation, where do the other 15 s of"
        " “It always hangs for 75 s” come from?"
    ]


def test_ooda_finds_the_line_before_an_error_and_repeated_errors() -> None:
    lines = ["10:00:01 INFO Lease renewed", *(f"10:00:0{n} ERROR try {n} failed" for n in range(2, 6))]
    found = of("ooda", "\n".join(lines))
    assert found.questions == ["Was “Lease renewed” finished when “try 2 failed” came?"]
    assert found.insights == ["“try 2 failed” comes 4 times."]


def test_ooda_asks_what_tells_two_explanations_apart() -> None:
    text = "The upload fails. Maybe the disk is full, maybe the quota is reached."
    assert of("ooda", text).questions == [
        "What would be seen if “the disk is full”, but not if “the quota is reached”?"
    ]
    assert of("ooda", "On Sunday I may be out, or maybe at home.").questions == []


def test_socratic_holds_a_rule_against_its_case() -> None:
    assert of("socratic", "philosophy").questions == [
        "Does “A promise must be kept, because trust rests on it” hold for the case of “Is a promise to a"
        " thief a promise?”?"
    ]
    assert of("socratic", "question").questions == [
        "What takes the 7 s between the two in “Why does the second start take 14 s, when the first one takes"
        " 7 s?”?"
    ]
    assert of("socratic", "We must hurry. Can you help me with the promise?").questions == []


def test_first_principles_compares_figures_with_limits_parts_and_names() -> None:
    over = of("first_principles", "Latency must stay under 200 ms. The search takes 500 ms.")
    assert over.insights == ["“500 ms” is over “under 200 ms”, 2.5 times as much."]
    assert over.questions == ["Which gives way, “The search takes 500 ms” or “under 200 ms”?"]
    within = of("first_principles", "The budget is 20 ms. Both together take 14 ms.")
    assert within.questions == ["What else has to fit into the 6 ms that “budget is 20 ms” leaves?"]
    part = of("first_principles", "The parser takes 9 s, and 7 s of that is one expression.")
    assert part.insights[0] == "“7 s” is 78 % of “9 s”; 2 s remain."
    names = of("first_principles", "max_size is 10 MB in nginx and MAX_SIZE is 25 MB in the app.")
    assert names.insights == ["One name has two values: “max_size is 10 MB” and “MAX_SIZE is 25 MB”."]
    assert of("first_principles", "max_size is 10 MB here and min_size is 25 MB there.").insights == [
        "Between “10 MB” and “25 MB” are 15 MB."
    ]


def test_figures_of_different_kinds_are_never_compared() -> None:
    for text in (
        "It must answer within 200 ms. We have 1,200 users.",
        "Tell 1,200 users within 3 days.",
        "It took between 2 and 6 days.",
        "99.9% of requests pass and 0.1% fail.",
        "Version 4.2 came 3 days before 4.3.",
    ):
        for framework in FRAMEWORKS:
            assert findings(of(framework, text)) == [], (framework, text)


def test_first_principles_asks_for_the_ground_of_an_assumption() -> None:
    found = of(
        "first_principles", "I assume that the provider removes duplicates. If it doesn't, people pay twice."
    )
    assert found.questions == [
        "What shows that “the provider removes duplicates”, so that not “people pay twice”?"
    ]
    assert found.next_steps == ["Try it out on purpose: does “people pay twice” happen?"]


def test_lateral_turns_round_what_the_text_states() -> None:
    part = of("lateral", "The parser takes 9 s, and 7 s of that is one expression.")
    assert part.questions == ["What if only “7 s of that is one expression” is changed, and nothing else?"]
    share = of("lateral", "The login test fails in 3 of 20 runs.")
    assert share.questions == ["What would make all 20 runs fail: “The login test fails in 3 of 20 runs”?"]
    assert of("lateral", "shard").questions == [
        "What would make both “shard the database” and “move to a bigger machine” unnecessary?"
    ]
    assert of("lateral", "The launch depends on the review.").questions == [
        "How could “The launch” do without “the review”?"
    ]


def test_root_cause_asks_what_an_event_changed() -> None:
    found = of("root_cause", "pool")
    assert "How could “the upgrade to 3.2” lead to “The deploy fails”?" in found.questions
    assert "Compare “The deploy fails” before and after “the upgrade to 3.2”." in found.next_steps
    text = "The heating turns on at 5 although the schedule says 6. It began after the clocks changed."
    assert of("root_cause", text).questions[0] == (
        "How could “the clocks changed” lead to “The heating turns on at 5”?"
    )


def test_root_cause_reads_an_event_at_the_beginning_and_cases_in_one_sentence() -> None:
    found = of("root_cause", "Since the move to the new runner the deploy fails on arm64 and works on x86.")
    assert found.questions == ["What else differs between “works on x86” and “the deploy fails on arm64”?"]
    (step,) = found.next_steps
    assert step.endswith(" before and after “the move to the new runner”.")
    assert of("root_cause", "Since the launch the team works on a new site.").questions == []


def test_root_cause_compares_cases_that_work_with_cases_that_fail() -> None:
    assert of("root_cause", "although").questions == [
        "What else differs between “the second search is fast” and “the search is slow”?"
    ]
    only = of("root_cause", "The export crashes only for users without an email.")
    assert only.questions == [
        "What is different for “users without an email”, compared with all other cases?"
    ]
    share = of("root_cause", "The login test fails in 3 of 20 runs.")
    assert share.questions == [
        "What do the 3 runs have in common that the other 17 lack: “The login test fails in 3 of 20 runs”?"
    ]


def test_root_cause_follows_a_chain_to_the_cause_without_a_cause() -> None:
    chained = of("root_cause", "therefore")
    assert chained.meta["root_cause.depth"] == "2"
    assert chained.questions == ["And why “The valve was left open”?"]
    assert "← “nobody changed the default of 10 connections”" in of("root_cause", "pool").insights[0]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("KeyError: 'user_id'", "Which input lacks the key of “KeyError: 'user_id'”"),
        (
            "curl: (7) Failed to connect to db.local port 9",
            "Does any process listen where “Failed to connect to",
        ),
        ("E   assert 13.95 == 13.9", "does the difference of 0.05 come from the code"),
        ("The job exits with code 137.", "How much memory did the process have when “exits with code 137”"),
        ('"GET /missing HTTP/1.1" 404 -', "is the path wrong, or is the resource gone?"),
        ("users get a 413", "which server on the way has the smallest limit for a body?"),
        ("UNIQUE constraint failed: orders.id", "written by an earlier try of the same call"),
        ("Strangely, a lower limit seems to help.", "Which explanation would predict that “a lower limit"),
        (
            "Between v1.0.0 and v1.1.0 it began to leak.",
            "Which change between “v1.0.0 and v1.1.0” is the first",
        ),
        (
            "Every time I run it, the memory grows by 10 MB.",
            "Has “I run it” ever happened without “the memory",
        ),
    ],
)
def test_root_cause_asks_what_the_kind_of_trouble_leaves_open(text: str, question: str) -> None:
    assert any(question in one for one in of("root_cause", text).questions)


def test_root_cause_finds_the_first_error_and_the_line_of_a_traceback() -> None:
    found = of("root_cause", "traceback")
    assert found.insights == [
        "“ValueError: invalid literal for int() with base 10: 'abc'” comes from the line"
        " “row = parse_cell(cell)”."
    ]
    nested = (
        'Traceback (most recent call last):\n  File "/srv/a.py", line 5, in pick\n    x[1]\nKeyError: 1\n\n'
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "/srv/a.py", line 7, in pick\n    y[2]\nValueError: bad'
    )
    assert of("root_cause", nested).insights[0] == (
        "The first error is “KeyError: 1”; it was being handled when “ValueError: bad” came."
    )


def test_root_cause_asks_about_the_beginning_of_a_feeling_and_proposes_no_test() -> None:
    found = analysed("grief", "stuck", "empathetic")
    assert found.questions == ["Which part of “my sister moved away” weighs most in “I feel lonely”?"]
    assert found.next_steps == []


def test_systems_computes_when_a_rate_reaches_a_limit() -> None:
    found = of("systems", "Memory grows by 40 MB an hour up to a limit of 1 GB. It starts at 200 MB.")
    assert found.insights == ["“40 MB an hour” reaches “limit of 1 GB” after 20 hours from “200 MB”."]
    assert of("systems", "It grows by 40 MB an hour. The limit is 5 minutes.").insights == []


def test_systems_finds_what_waits_and_what_grows_together() -> None:
    found = of("systems", "We cannot drop the table before version 4.2 is out.")
    assert found.questions == [
        "If it takes longer until “version 4.2 is out”, what is lost while “We cannot drop the table”?"
    ]
    assert of("systems", "release").insights == [
        "Two things grow together: “The more we test, the slower we ship”."
    ]
    late = of("systems", "She will send the copy on Thursday. The contract ends on Friday.")
    assert late.questions == [
        "If “She will send the copy on Thursday” is a day late, what about “The contract ends on Friday”?"
    ]


def test_dialectical_asks_for_what_an_option_lacks() -> None:
    assert (
        of("dialectical", "shard")
        .questions[0]
        .startswith("The text weighs “shard the database” by “Sharding is")
    )
    text = "Should we buy or build the parser? Buying costs 3,000 euros. Building takes 2 weeks."
    assert of("dialectical", text).questions == [] or "“Buying costs" in of("dialectical", text).questions[0]
    assert of("dialectical", "contradiction").insights == [
        "Both cannot hold: “The cache keeps the session of a user”, and “The cache does not keep the session"
        " of a user”."
    ]


@pytest.mark.parametrize(
    "name", ["plain", "hedged", "decision", "custom", "emoji", "bullets", "chinese", "arabic"]
)
def test_a_text_without_a_ground_has_no_analysis(name: str) -> None:
    for mode in get_args(Mode):
        assert analyze(TEXTS[name], mode) is None


def test_a_wrapped_line_is_read_with_the_next() -> None:
    text = (
        "After a long search through all of the logs, the export crashes only\n"
        "for users without an email.\n"
        "- first point of a list that is long enough to be wrapped somewhere\n- second"
    )
    assert of("root_cause", text).questions == [
        "What is different for “users without an email”, compared with all other cases?"
    ]
    assert [one.text for one in read(text).sentences][1:] == [
        "first point of a list that is long enough to be wrapped somewhere",
        "second",
    ]


def test_code_blocks_are_skipped() -> None:
    for framework in FRAMEWORKS:
        assert not any(
            "raise ValueError" in one or "for row in" in one for one in findings(of(framework, "code"))
        )
        assert not any("Main.java" in one for one in findings(of(framework, "java")))


# --- profiles ---------------------------------------------------------------------------------------


def test_every_mode_and_submode_has_a_profile() -> None:
    assert (set(MODES), set(SUBMODES)) == (set(get_args(Mode)), set(get_args(Submode)))


@pytest.mark.parametrize("weights", [*MODES.values(), *filter(None, SUBMODES.values())])
def test_weights_come_in_order_and_make_a_whole(weights: dict[Framework, int]) -> None:
    assert sum(weights.values()) == 100
    assert sorted(weights.values(), reverse=True) == list(weights.values())


def test_every_mode_reaches_every_framework() -> None:
    assert set(FRAMEWORKS) == set(get_args(Framework))
    assert all(set(weights) == set(FRAMEWORKS) for weights in MODES.values())


def test_adderall_has_no_frameworks() -> None:
    assert analyze(TEXTS["pool"], "question", "adderall") is None


def test_a_submode_decides_whatever_the_mode() -> None:
    for mode in get_args(Mode):
        assert analyze(TEXTS["pool"], mode, "empathetic") == analysed("pool", "question", "empathetic")


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("submode", [None, "sarcastic", "philosophical", "empathetic", "problem_solving"])
def test_an_analysis_is_bounded_has_no_duplicates_and_counts_the_findings_of_each_framework(
    mode: Mode, submode: Submode | None
) -> None:
    weights = (SUBMODES[submode] if submode else None) or MODES[mode]
    analyses = [found for text in TEXTS.values() if (found := analyze(text, mode, submode))]
    assert analyses
    for found in analyses:
        counts = [found.meta[one] for one in weights if one in found.meta]
        for kind, given in (
            ("insights", found.insights),
            ("questions", found.questions),
            ("next steps", found.next_steps),
        ):
            assert len(given) <= MOST
            assert len({one.lower() for one in given}) == len(given)
            assert sum(int(re.findall(rf"{kind} (\d)", count)[0]) for count in counts) == len(given)
        assert findings(found)
        assert found.meta["profile"] == (submode or mode)
        assert all(found.meta[one].startswith(f"{weights[one]}%") for one in weights if one in found.meta)
        assert all(isinstance(value, str) for value in found.meta.values())


def test_stronger_findings_come_first_and_the_weight_decides_between_equal_ones() -> None:
    both = "The start went from 7 s to 14 s. The search takes 500 ms; it must stay under 200 ms."
    assert analysed(both, "debug").insights == [
        *of("ooda", both).insights,
        *of("first_principles", both).insights,
    ]
    assert analysed(both, "build").insights == [
        *of("first_principles", both).insights,
        *of("ooda", both).insights,
    ]
    weaker = f"{both} The export crashes only for users without an email."
    assert "500 ms" in analysed(weaker, "debug").questions[0]


def test_findings_of_one_kind_rest_on_different_words() -> None:
    for name in TEXTS:
        for mode in get_args(Mode):
            if found := analyze(TEXTS[name], mode):
                for given in (found.insights, found.questions, found.next_steps):
                    grounds = [set(re.findall("“([^”]*)”", one)) for one in given]
                    assert all(not one & other for one, other in itertools.combinations(grounds, 2))


# --- how much is read -------------------------------------------------------------------------------


def test_a_long_text_is_read_at_both_ends_and_meta_reports_it() -> None:
    middle = "Nothing of this is read. " * 4_000
    end = "The valve can't open before the alarm is off."
    found = analysed(f"The pump can't stop before the tank is full. {middle} {end}", "build")
    assert found.meta["read"].startswith("the first and the last 8,192 of 100,")
    assert any("The pump can't stop" in one for one in findings(found))
    assert any("The valve can't open" in one for one in findings(found))
    assert analysed("pool").meta["read"] == "all"
    assert (
        "120 of 1,001 sentences"
        in analysed(
            "\n".join(["It fails in 3 of 20 runs.", *(f"Pump {n} is ok." for n in range(1_000))])
        ).meta["read"]
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
    for framework in FRAMEWORKS:
        assert all(len(one) <= LONGEST for one in findings(blend(reading, {framework: 100})))
    found = analyze(text, "debug")
    assert found is None or not any(
        unicodedata.category(one) in ("Cc", "Cs") for sentence in findings(found) for one in sentence
    )
