"""The ranking of thoughts: each signal, with the others equal."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.thoughts import rank_thoughts
from tests.ranking.lists import asked, thought

OTHERS = [thought(f"other {n}", f"something else {n}", 0.1 + n / 100) for n in range(20)]


def order(question: str, *found: ThoughtFeatures, names: tuple[str, ...] = ()) -> list[str]:
    ranked = rank_thoughts([*found, *OTHERS], asked(question, *names))
    return [one.node.id for one in ranked if one.node in found]


def parts(
    question: str, *found: ThoughtFeatures, names: tuple[str, ...] = ()
) -> dict[str, Mapping[str, float]]:
    ranked = rank_thoughts([*found, *OTHERS], asked(question, *names))
    return {one.node.id: one.parts for one in ranked if one.node in found}


def test_nothing_found_is_ranked_as_nothing() -> None:
    assert rank_thoughts([], asked("kettle")) == []


def test_what_is_nearer_in_meaning_comes_first_and_equals_in_the_order_of_their_ids() -> None:
    assert order("kettle", thought("far", cosine=0.2), thought("near", cosine=0.6)) == ["near", "far"]
    assert order("kettle", thought("b", "x"), thought("a", "x")) == ["a", "b"]


def test_a_rare_word_counts_more_than_a_frequent_one_and_less_in_the_rest_of_a_long_text() -> None:
    frequent = [thought(f"f{n}", "the kettle boils") for n in range(8)]
    rare = thought("rare", "the samovar boils")
    assert order("kettle or samovar", *frequent, rare)[0] == "rare"
    late = thought("late", "x" * 700 + " samovar")
    found = parts("samovar", rare, late, thought("none", "nothing"))
    assert found["rare"]["words"] > found["late"]["words"] > found["none"]["words"]


@pytest.mark.parametrize("link", ["previous_thought_id", "revises_thought", "branch_from", "parent_id"])
def test_the_neighbours_of_a_good_hit_gain_in_both_directions(link: str) -> None:
    newer: dict[str, Any] = {link: "hit"}
    hit = thought("hit", cosine=0.9, previous_thought_id="older")
    found = parts("kettle", hit, thought("newer", **newer), thought("older"), thought("alone"))
    assert found["newer"]["beside"] == found["older"]["beside"] > found["alone"]["beside"]


def test_the_answer_to_a_question_gains_and_the_question_itself_loses() -> None:
    question = thought("question", "Where is the kettle?", 0.9, trust=3)
    found = parts("kettle", question, thought("answer", previous_thought_id="question"))
    assert found["question"]["question"] == -1.0
    assert found["answer"]["answer"] > 0


def test_the_session_of_a_good_hit_gains_less_with_every_step() -> None:
    here: dict[str, Any] = {"session_id": "s"}
    found = parts(
        "kettle",
        thought("hit", cosine=0.9, step=10, **here),
        thought("next", step=11, **here),
        thought("distant", step=200, **here),
        thought("elsewhere"),
    )
    assert found["next"]["session"] > found["distant"]["session"] >= found["elsewhere"]["session"]
    assert found["hit"]["session"] <= 1.25


def test_only_the_one_author_that_a_question_names_gains() -> None:
    ada, grace = thought("ada", author="Ada Lovelace"), thought("grace", author="Grace")
    assert order("what did she buy", ada, grace, names=("grace",))[0] == "grace"
    assert parts("what", ada, grace, names=("ada",))["ada"]["author"] == 1.5
    both = parts("what", ada, grace, names=("ada", "grace"))
    assert {one["author"] for one in both.values()} == {0.0}


@pytest.mark.parametrize(
    ("question", "when", "score"),
    [
        ("what happened on 7 May 2023", datetime(2023, 5, 9, tzinfo=UTC), 3.0),
        ("what happened on 7 May 2023", datetime(2023, 5, 20, tzinfo=UTC), 2.0),
        ("what happened in May 2023", datetime(2022, 5, 9, tzinfo=UTC), 0.0),
        ("what happened in 2023", datetime(2023, 1, 1, tzinfo=UTC), 0.6),
        ("what happened yesterday", datetime(2026, 3, 14, 12, tzinfo=UTC), 2.0),
        ("what happened", datetime(2026, 3, 14, 12, tzinfo=UTC), 0.0),
    ],
)
def test_the_time_that_a_question_is_about(question: str, when: datetime, score: float) -> None:
    found = parts(question, thought("then", created=microseconds(when)))
    assert found["then"]["date"] == score


def test_a_question_for_a_time_prefers_texts_with_one() -> None:
    yesterday, plain = thought("time", "we met yesterday"), thought("plain", "we met there")
    assert order("When did you meet?", plain, yesterday)[0] == "time"


def test_the_order_does_not_depend_on_the_order_of_the_candidates() -> None:
    dice = random.Random(1)
    found = [
        thought(
            f"t{n}",
            " ".join(dice.choices(["kettle", "tea", "copper", "lid", "stove"], k=6)),
            dice.random(),
            session_id=f"s{n % 5}",
            step=n,
            previous_thought_id=f"t{n - 5}",
        )
        for n in range(60)
    ]
    expected = [(one.node.id, one.score) for one in rank_thoughts(found, asked("copper kettle"))]
    for _ in range(5):
        dice.shuffle(found)
        again = [(one.node.id, one.score) for one in rank_thoughts(found, asked("copper kettle"))]
        assert [one for one, _ in again] == [one for one, _ in expected]
        assert [score for _, score in again] == pytest.approx([score for _, score in expected], abs=2e-6)


@pytest.mark.parametrize("text", ["Where is the kettle?", "kettle 在哪里？", "«Ποῦ kettle;»", '"kettle؟"'])
@pytest.mark.parametrize("kind", [{"trust": 2}, {"trust": 3, "thought_type": "prompt"}])
def test_a_question_to_memory_never_outranks_an_answer(text: str, kind: dict[str, Any]) -> None:
    question = thought("question", text.replace(";", "\u037e"), 0.95, **kind)
    answer = thought("answer", "It stands on the stove", 0.5)
    for others in (OTHERS, []):
        ranked = rank_thoughts([question, answer, *others], asked("Where is the kettle?"))
        assert [one.node.id for one in ranked if one.node in (question, answer)] == ["answer", "question"]
    assert (question.asks, question.trusted, answer.asks) == (True, 0.0, False)
    only = rank_thoughts([question], asked("Where is the kettle?"))
    assert only[0].score == pytest.approx(0.95 - 1, abs=0.5)


def test_a_question_of_a_conversation_only_loses() -> None:
    question = thought("question", "Where is the kettle?", 0.95, trust=3)
    assert not question.asks
    assert order("kettle", question, thought("other", "Tomatoes", 0.3)) == ["question", "other"]
