"""What is recalled of ranked candidates: relatedness, windows, copies, successors, scores, order."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from legacymind.ranking.copies import are_copies
from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.knowledge import rank_knowledge
from legacymind.ranking.memories import (
    RankedMemory,
    RecallWindow,
    Scoring,
    Successors,
    choose_knowledge,
    choose_session,
    choose_standing,
    choose_thoughts,
    in_order,
    no_preference,
    pattern_preference,
    scored,
    with_successors,
)
from legacymind.ranking.order import all_places
from legacymind.ranking.relatedness import Relatedness
from legacymind.ranking.thoughts import Ranked
from tests.ranking.lists import NOW, fact, thought

RULE = Relatedness(threshold=0.5, zero=0.1, least_share=0.25)
WEEK = RecallWindow(microseconds(NOW - timedelta(days=7)), most=3, beyond=2)
SCORING = Scoring(
    now=microseconds(NOW),
    similarity=0.6,
    recency=0.25,
    salience=0.15,
    access=0.05,
    tau=86_400.0,
    contradiction=-0.1,
    prefers=no_preference,
)


def ranked(*thoughts: ThoughtFeatures) -> list[Ranked]:
    return [Ranked(one, one.cosine, 0, {}) for one in sorted(thoughts, key=lambda one: -one.cosine)]


def chosen(*thoughts: ThoughtFeatures, words: tuple[str, ...] = (), **other: Any) -> dict[str, str]:
    memories, _ = choose_thoughts(ranked(*thoughts), RULE, words, replace(WEEK, **other))
    return {memory.node.id: memory.via for memory in memories}


def test_nothing_is_recalled_unless_one_memory_is_related() -> None:
    assert chosen(thought("near", cosine=0.49)) == {}
    assert chosen(thought("near", cosine=0.5)) == {"near": "vector"}
    words = (" kettle", " copper")
    assert chosen(thought("worded", "a copper kettle", 0.12, text_score=3.0), words=words) == {
        "worded": "fulltext"
    }


def test_once_recall_is_open_others_need_a_share_and_a_threshold_by_hand_needs_all_of_it() -> None:
    near, mid, far = (thought(name, cosine=cosine) for name, cosine in (("n", 0.6), ("m", 0.3), ("f", 0.15)))
    assert chosen(near, mid, far) == {"n": "vector", "m": "graph"}
    strict = replace(RULE, strict=True, least_share=0.0)
    memories, _ = choose_thoughts(ranked(near, mid, far), strict, (" m",), WEEK)
    assert [memory.node.id for memory in memories] == ["n"]


def test_older_thoughts_come_only_above_all_of_the_window_and_the_others_are_counted() -> None:
    old = [thought(f"old {n}", cosine=0.9 - n / 100, days=30) for n in range(4)]
    inside = [thought(f"new {n}", cosine=0.8 - n / 100, days=1) for n in range(5)]
    memories, missed = choose_thoughts(
        ranked(*old, *inside, thought("low", cosine=0.7, days=30)), RULE, (), WEEK
    )
    found = [memory.node.id for memory in memories]
    assert found == ["new 0", "new 1", "new 2", "old 0", "old 1"]
    assert missed == 2


def test_a_thought_outside_its_chain_is_not_recalled_and_opens_nothing() -> None:
    assert chosen(thought("forged", cosine=0.9, chained=False), thought("mid", cosine=0.3)) == {}


def test_of_about_equal_thoughts_the_salient_one_stands_for_its_copies() -> None:
    plain, vivid = (
        thought("plain", "The kettle boils.", 0.705),
        thought("vivid", "the kettle boils", 0.7, salience=1.0),
    )
    memories, _ = choose_thoughts(ranked(plain, vivid), RULE, (), WEEK)
    assert [(memory.node.id, memory.copies) for memory in memories] == [("vivid", 2)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The kettle boils.", "the  kettle: boils!", True),
        ("The kettle boils.", "The kettle leaks.", False),
        ("kettle v0", "kettle v1", False),
        (" ".join(f"word{n}" for n in range(20)), " ".join(f"word{n}" for n in range(1, 21)), True),
        (" ".join(f"word{n}" for n in range(20)), " ".join(f"word{n}" for n in range(2, 22)), False),
    ],
)
def test_copies_have_nearly_the_same_words(one: str, other: str, same: bool) -> None:
    assert are_copies(thought("a", one), thought("b", other)) is same
    assert are_copies(fact("a", one), fact("b", other)) is same
    assert not are_copies(thought("a", one, 0.5), thought("b", other, 0.53))


def test_facts_with_one_key_are_copies_at_any_cosine_and_entities_never() -> None:
    assert are_copies(fact("a", "x", 0.9, fact_key="k"), fact("b", "y", 0.1, fact_key="k"))
    assert not are_copies(fact("a", "x", kind="entity"), fact("b", "x", kind="entity"))


def test_knowledge_that_is_nearly_related_is_a_fallback_of_three() -> None:
    facts = [fact(f"f{n}", f"fact {n} {'x' * n * 9}", 0.45 - n / 1000) for n in range(5)]
    known, fallback = choose_knowledge(facts, RULE, (), 0.1)
    assert (known, [memory.via for memory in fallback]) == ([], ["fallback"] * 3)
    known, fallback = choose_knowledge([fact("best", "yes", 0.7), *facts], RULE, (), 0.1)
    assert (known[0].node.id, len(known), fallback) == ("best", 6, [])


def test_standing_preferences_need_a_topic_near_the_text_and_come_once() -> None:
    found = [thought("a", "Never push to main.", 0.4), thought("b", "Never push to main.", 0.4, days=9)]
    far = thought("far", "Use tabs.", 0.1)
    memories = choose_standing([*found, far], RULE, (), least=0.45, most=2)
    assert [memory.node.id for memory in memories] == ["a"]
    besides = [RankedMemory(thought("c", "Never push to main."), "vector", 0.5)]
    assert choose_standing(found, RULE, (), least=0.45, most=2, besides=besides) == []


def test_the_latest_of_a_session_come_once_each() -> None:
    found = [thought(f"t{n}", "same" if n < 3 else f"text {n}", step=n) for n in range(6)]
    memories = choose_session(found, 3, [RankedMemory(thought("x", "text 5"), "vector", 0.5)])
    assert [(memory.node.id, memory.copies) for memory in memories] == [("t4", 1), ("t3", 1), ("t2", 3)]


def test_what_revises_solves_or_contradicts_a_memory_ranks_above_it() -> None:
    memory = RankedMemory(thought("old"), "vector", 0.5)
    revision, solution, against = thought("new"), thought("fix"), thought("no")
    successors = {
        "old": Successors(revision=revision, solutions=[solution], contradicted_by="no", against=against)
    }
    current = with_successors([memory], successors, [])
    memories = in_order([], [scored(one, SCORING, successors) for one in current], 5, successors, [])
    assert [one.node.id for one in memories][-1] == "old"
    last = memories[-1]
    assert (last.revised_by, last.solved_by, last.contradicted_by) == ("new", "fix", "no")
    assert {one.node.id: one.via for one in memories} == {
        "old": "vector",
        "new": "revision",
        "fix": "solution",
        "no": "contradiction",
    }
    assert [one.node.id for one in with_successors([memory], successors, ["new"])] == ["old", "fix"]


def test_a_score_is_the_sum_of_its_parts() -> None:
    node = thought("t", days=1, salience=0.8, accesses=100)
    successors = {"t": Successors(contradictions=2)}
    memory = scored(RankedMemory(node, "vector", 0.7), SCORING, successors)
    assert memory.parts == pytest.approx(
        {
            "similarity": 0.42,
            "recency": 0.25 / 2.718281828,
            "salience": 0.12,
            "access": 0.05,
            "contradiction": -0.2,
        }
    )
    assert memory.score == pytest.approx(sum(memory.parts.values()))
    known = scored(RankedMemory(fact("f", "x", 0.4), "vector", 0.4), SCORING, {})
    assert known.score == known.parts["similarity"] == 0.4


def test_a_preference_decides_between_about_equally_relevant_memories_only() -> None:
    scoring = replace(SCORING, prefers=pattern_preference("solution", re.compile("fixed")))
    memories = [
        RankedMemory(thought("best", "x"), "vector", 0.9),
        RankedMemory(thought("a", "x", salience=1.0), "vector", 0.5),
        RankedMemory(thought("worded", "fixed it"), "vector", 0.5),
    ]
    result = in_order([], [scored(one, scoring, {}) for one in memories], 5, {}, [])
    assert [one.node.id for one in result] == ["best", "worded", "a"]


def test_an_observation_gains_by_its_entity() -> None:
    entity = fact("e", "Ada", 0.9, kind="entity", name="Ada")
    about, alone = fact("z about", "x", 0.3, about=["e"]), fact("a alone", "x", 0.3)
    others = [fact(f"o{n}", f"other {n}", 0.2) for n in range(5)]
    order = [one.node.id for one in rank_knowledge([entity, about, alone, *others], [])]
    assert order.index("z about") < order.index("a alone")


def test_all_hits_have_one_order_in_which_scores_do_not_rise() -> None:
    best = ranked(thought("a", cosine=0.4), thought("b", cosine=0.3))
    places = all_places(best, [("c", 0.9), ("a", 0.4), ("d", 0.1)], 0.2, 10)
    assert [(place.id, place.score) for place in places] == [("a", 0.4), ("b", 0.3), ("c", 0.3)]
    assert [place.id for place in all_places(best, [], -2, 1)] == ["a"]
