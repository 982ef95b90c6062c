"""What is recalled of ranked candidates: relatedness, windows, copies, successors, scores, order."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from legacymind.ranking import order
from legacymind.ranking.copies import are_copies
from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import Features, KnowledgeFeatures, Ranked, ThoughtFeatures
from legacymind.ranking.knowledge import ModelCosines, facts_first, rank_knowledge
from legacymind.ranking.memories import (
    RankedMemory,
    Scoring,
    Successors,
    answering,
    choose_knowledge,
    choose_standing,
    choose_thoughts,
    in_order,
    no_preference,
    pattern_preference,
    weighed,
    with_successors,
)
from legacymind.ranking.relatedness import Relatedness
from legacymind.ranking.words import Asked
from legacymind.text.fulltext import word_stems
from tests.ranking.lists import NOW, fact, thought

MODEL = ModelCosines(unrelated=0.1, related=0.5, same=0.7)
RULE = Relatedness(threshold=0.5, zero=0.1)
STRICT = replace(RULE, strict=True)
NOTHING = Asked(())

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


def asks(text: str, found: Sequence[Features]) -> Asked:
    """The words of a text, as asked of what was found."""
    return Asked.among(word_stems(text), found)


def ranked(*thoughts: ThoughtFeatures) -> list[Ranked[ThoughtFeatures]]:
    return [Ranked(one, one.cosine) for one in sorted(thoughts, key=lambda one: -one.cosine)]


def chosen(
    *thoughts: ThoughtFeatures,
    text: str = "",
    words: Sequence[str] = (),
    rule: Relatedness = RULE,
    **other: Any,
) -> dict[str, str]:
    asked = Asked.among(words, thoughts)
    opened = rule.opens(answering(thoughts, text), [], asked)
    options: dict[str, Any] = {"most": 3, "opened": opened, **other}
    memories = choose_thoughts(ranked(*thoughts), rule, text, asked, **options)
    return {memory.node.id: memory.via for memory in memories}


def test_the_same_question_asked_before_is_not_recalled() -> None:
    again, other = (
        thought(text, text, 0.65) for text in ("Where is the key?", "Where is the blue key then?")
    )
    assert chosen(again, other, text="where is the key") == {other.id: "vector"}


def test_nothing_is_recalled_unless_one_memory_is_related() -> None:
    assert chosen(thought("near", cosine=0.61)) == {}
    assert chosen(thought("near", cosine=0.63)) == {"near": "vector"}
    words = (" kettle", " copper")
    assert chosen(thought("worded", "a copper kettle", 0.23, text_score=3.0), words=words) == {
        "worded": "fulltext"
    }


def test_what_few_candidates_have_is_asked_more_than_what_all_have() -> None:
    about = [thought(f"t{n}", f"Quillnote {n}", 0.4) for n in range(9)]
    asked = Asked.among((" quillnote", " licence"), about)
    assert asked.share(about[0].read) < 0.05
    assert not RULE.opens(about, [], asked)
    assert RULE.opens([*about, thought("told", "The licence of Quillnote", 0.4)], [], asked)
    assert Asked.among((), about).share("") == 0


def test_a_fact_opens_by_what_sets_it_apart_from_the_facts_of_its_entity() -> None:
    asked = Asked.among((" licence",), [])
    near = [replace(fact(f"f{n}", "Ada sails.", 0.5), entity_id="e") for n in range(4)]
    assert not RULE.opens([], near, asked)
    assert RULE.opens([], [*near, replace(fact("told", "It is free.", 1.0), entity_id="e")], asked)
    assert RULE.opens([], [fact("whole", "the licence", 0.3)], asked)
    entity = fact("e", "Ada: a sailor", 0.9, kind="entity", name="Ada")
    assert not RULE.opens([], [entity, *near], asked)  # it is nearer than its facts by its name


def test_once_recall_is_open_the_best_comes_and_others_whose_score_is_high_enough() -> None:
    near, mid, far = (thought(name, cosine=cosine) for name, cosine in (("n", 0.65), ("m", 0.5), ("f", 0.49)))
    assert chosen(near, mid, far) == {"n": "vector", "m": "vector"}
    low = thought("low", "a copper kettle", 0.3, text_score=1.0)
    assert chosen(low, far, words=(" kettle", " copper")) == {"f": "graph"}
    assert chosen(near, mid, far, most=1) == {"n": "vector"}


def test_by_thresholds_only_cosines_count_and_the_best_of_full_text_come_too() -> None:
    strict = replace(RULE, strict=True)
    near, mid = thought("n", cosine=0.6), thought("m", "kettle", cosine=0.3)
    worded = [thought(f"w{n}", f"kettle {n}", 0.2, text_score=float(n)) for n in range(3)]
    assert chosen(near, mid, *worded, words=(" kettle",), rule=strict, most=9) == {"n": "vector"}
    assert chosen(near, mid, *worded, rule=strict, most=9, by_words=2) == {
        "n": "vector",
        "w1": "fulltext",
        "w2": "fulltext",
    }


def test_of_about_equal_thoughts_those_of_the_window_come_first() -> None:
    old, new = thought("old", cosine=0.705, days=30), thought("new", cosine=0.7, days=1)
    better = thought("better", cosine=0.8, days=30)
    week = microseconds(NOW - timedelta(days=7))
    assert list(chosen(old, new, better, since=week)) == ["better", "new", "old"]


def test_a_thought_outside_its_chain_is_not_recalled_and_opens_nothing() -> None:
    assert chosen(thought("forged", cosine=0.9, chained=False), thought("mid", cosine=0.3)) == {}


def test_of_about_equal_thoughts_the_salient_one_stands_for_its_copies() -> None:
    plain, vivid = (
        thought("plain", "The kettle boils.", 0.705),
        thought("vivid", "the kettle boils", 0.7, salience=1.0),
    )
    (memory,) = choose_thoughts(ranked(plain, vivid), RULE, "", NOTHING, most=3, opened=True)
    assert (memory.node.id, memory.copies) == ("vivid", 2)


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


def known(*facts: KnowledgeFeatures, rule: Relatedness = STRICT) -> tuple[list[str], list[str]]:
    """The ids of the chosen facts and of the fallback; the score of a fact is its cosine here."""
    of_cosines = [Ranked(one, one.cosine) for one in sorted(facts, key=lambda one: -one.cosine)]
    found, fallback = choose_knowledge(of_cosines, rule, NOTHING, most=9, floor=0.1, opened=False)
    assert {memory.via for memory in fallback} <= {"fallback"}
    return [memory.node.id for memory in found], [memory.node.id for memory in fallback]


def test_by_thresholds_knowledge_that_is_nearly_related_is_a_fallback_of_three() -> None:
    facts = [fact(f"f{n}", f"fact {n} {'x' * n * 9}", 0.45 - n / 1000) for n in range(5)]
    assert known(*facts) == ([], ["f0", "f1", "f2"])
    assert known(fact("best", "yes", 0.7), *facts) == (["best"], [])
    assert known(fact("best", "yes", 0.7), *facts, rule=RULE) == ([], [])


def test_a_fact_comes_when_the_thoughts_that_come_to_mind_are_about_it() -> None:
    facts = [fact("told", "SeaTrack sends local times.", 0.2), fact("other", "Marit prefers tea.", 0.2)]
    talk = [thought("t", "SeaTrack sends local times, and we read them as UTC.", 0.6)]
    told, other = rank_knowledge(facts, asks("The arrival jumps by hours.", facts), MODEL, beside=talk)
    assert (told.node.id, told.parts["beside"] > 0.5, other.parts["beside"]) == ("told", True, 0.0)
    alone, _ = rank_knowledge(facts, asks("When do local times come from SeaTrack?", facts), MODEL)
    assert (alone.node.id, alone.parts["beside"], alone.parts["words"] > 0.5) == ("told", 0.0, True)


def test_what_is_asked_ranks_a_fact_above_shorter_ones_with_the_name_whatever_comes_to_mind() -> None:
    named = [
        fact(f"f{n}", f"Quillnote has {word}.", 0.4) for n, word in enumerate(("tabs", "icons", "themes"))
    ]
    told = fact("told", "A CRDT library, Yjs, is used since its documents stay small for years.", 0.3)
    asked = asks("Which CRDT library does Quillnote use?", [*named, told])
    for talk in ([], [thought("t", "Quillnote drains the battery of old phones.", 0.5)]):
        assert rank_knowledge([*named, told], asked, MODEL, beside=talk)[0].node.id == "told"


def test_a_cosine_of_the_same_content_is_a_score_whatever_the_words() -> None:
    facts = [fact(f"f{n}", "kettle", 0.5 + n / 10) for n in range(5)]
    scores = {one.node.id: one.score for one in rank_knowledge(facts, NOTHING, MODEL)}
    assert [scores["f3"], scores["f4"]] == [0.8, 0.9]
    assert scores["f1"] < MODEL.related


def test_standing_preferences_need_a_topic_near_the_text_and_come_once() -> None:
    found = [thought("a", "Never push to main.", 0.6), thought("b", "Never push to main.", 0.6, days=9)]
    far = thought("far", "Use tabs.", 0.4)
    memories = choose_standing([*found, far], RULE, NOTHING, most=2)
    assert [memory.node.id for memory in memories] == ["a"]
    besides = [RankedMemory(thought("c", "Never push to main."), "vector", 0.5)]
    assert choose_standing(found, RULE, NOTHING, most=2, besides=besides) == []


def test_what_revises_solves_or_contradicts_a_memory_ranks_above_it() -> None:
    memory = RankedMemory(thought("old"), "vector", 0.5)
    revision, solution, against = thought("new"), thought("fix"), thought("no")
    successors = {
        "old": Successors(revision=revision, solutions=[solution], contradicted_by="no", against=against)
    }
    current = with_successors([memory], successors, [])
    memories = in_order([], [weighed(one, SCORING, successors) for one in current], 5, successors, [])
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


def test_a_weight_is_the_sum_of_its_parts() -> None:
    node = thought("t", days=1, salience=0.8, accesses=100)
    successors = {"t": Successors(contradictions=2)}
    memory = weighed(RankedMemory(node, "vector", 0.7), SCORING, successors)
    assert memory.parts == pytest.approx(
        {
            "similarity": 0.42,
            "recency": 0.25 / 2.718281828,
            "salience": 0.12,
            "access": 0.05,
            "contradiction": -0.2,
        }
    )
    assert memory.weight == pytest.approx(sum(memory.parts.values()))
    known = weighed(RankedMemory(fact("f", "x", 0.4), "vector", 0.4), SCORING, {})
    assert known.weight == known.parts["similarity"] == 0.4


def test_a_preference_decides_between_about_equally_relevant_memories_only() -> None:
    scoring = replace(SCORING, prefers=pattern_preference("solution", re.compile("fixed")))
    memories = [
        RankedMemory(thought("best", "x"), "vector", 0.9),
        RankedMemory(thought("a", "x", salience=1.0), "vector", 0.5),
        RankedMemory(thought("worded", "fixed it"), "vector", 0.5),
    ]
    result = in_order([], [weighed(one, scoring, {}) for one in memories], 5, {}, [])
    assert [one.node.id for one in result] == ["best", "worded", "a"]


def test_scores_of_memories_are_at_most_one_and_fall_with_their_rank() -> None:
    relevances = {"over": 1.3, "kept": 0.995, "low": 0.604, "lower": 0.6, "worded": 0.6039}
    scoring = replace(SCORING, prefers=pattern_preference("solution", re.compile("worded")))
    memories = [RankedMemory(thought(name, name), "vector", one) for name, one in relevances.items()]
    result = in_order([], [weighed(one, scoring, {}) for one in memories], 9, {}, [])
    assert [one.node.id for one in result][:3] == ["over", "kept", "worded"]
    assert [one.score for one in result] == [1.0, 0.995, 0.6039, 0.6039, 0.6]


def test_hits_have_one_order_in_which_scores_do_not_rise() -> None:
    best = ranked(thought("a", cosine=0.4), thought("b", cosine=0.3), thought("d", cosine=0.1))
    known = [Ranked(fact("f", "x", 0.35), 0.35)]
    found = order.places(best, known, 0.2, 10, "query")
    assert [(place.node.id, place.score) for place in found] == [("a", 0.4), ("f", 0.35), ("b", 0.3)]
    assert [place.node.id for place in order.places(best, [], -2, 1, "query")] == ["a"]


def test_the_best_of_copies_is_the_hit_and_a_question_that_repeats_the_query_is_none() -> None:
    text = "The deploy of Harborline waits until the tests of the payment service are green again"
    found = ranked(
        thought("asked", text="When is the deploy, of Harborline?", cosine=0.9),
        thought("best", text=text, cosine=0.6),
        thought("copy", text=f"{text}!", cosine=0.59),
        thought("other", text="The deploy of the website is on Monday", cosine=0.58),
    )
    query = "when is the deploy of Harborline"
    hits = order.places(found, [], -2, 10, query)
    assert [(place.node.id, place.copies) for place in hits] == [("best", 2), ("other", 1)]
    first = order.places(found, [], -2, 1, query)
    assert [(place.node.id, place.copies) for place in first] == [("best", 2)]
    assert "asked" in [place.node.id for place in order.places(found, [], -2, 10, "Harborline")]


def test_a_changed_hit_comes_after_what_changes_it_each_once() -> None:
    nodes = {name: thought(name, cosine=0.5) for name in ("old", "new", "a", "b", "elsewhere")}
    hits = [Ranked(nodes[name], score) for name, score in (("old", 0.5), ("a", 0.4), ("b", 0.3))]
    changes = {
        "old": Successors(revision=nodes["new"]),
        "a": Successors(against=nodes["b"]),
        "b": Successors(against=nodes["a"], revision=nodes["elsewhere"]),
    }
    placed = order.changed_last(
        hits, changes, lambda node: None if node.id == "elsewhere" else Ranked(node, 0.1)
    )
    assert [(place.node.id, place.score) for place in placed] == [
        ("new", 0.5),
        ("old", 0.5),
        ("b", 0.4),
        ("a", 0.4),
    ]


@pytest.mark.parametrize(
    ("question", "cosine", "first"),
    [
        ("Where does Ada live?", 0.6, "fact"),
        ("where does Ada work", 0.95, "fact"),
        ("Who is Ada?", 0.95, "fact"),
        ("Ada wrote the report", 0.6, "fact"),
        ("Ada", 1.0, "name"),
        ("Ada?", 0.95, "name"),
    ],
)
@pytest.mark.parametrize(
    "text",
    ["Ada lives in Lyon", "He resides in Accra", "Works at Bosch", "Based in Turin", "Address: 5 Elm Street"],
)
def test_what_is_said_or_asked_of_a_thing_ranks_its_facts_above_its_bare_name(
    question: str, cosine: float, first: str, text: str
) -> None:
    name = fact("name", "Ada", cosine, kind="entity", name="Ada")
    own = {"fact": text, "other": "likes tea"}
    other = fact("bob", "Bob lives in Rome", 0.3, entity_id="bob")
    found = [name, other, *(fact(id, fact_text, 0.4, entity_id="name") for id, fact_text in own.items())]
    ranked = facts_first(rank_knowledge(found, asks(question, found), ModelCosines(0.1, 0.4, 0.9)), question)
    order = [one.node.id for one in ranked]
    assert (order.index("name") < order.index("fact")) is (first == "name")
    assert [one.score for one in ranked] == sorted([one.score for one in ranked], reverse=True)


def test_a_name_with_a_description_or_of_another_thing_keeps_its_place() -> None:
    described = fact("described", "Ada: an engineer who lives in Lyon", 0.9, kind="entity", name="Ada")
    bare = fact("bare", "Lyon", 0.9, kind="entity", name="Lyon")
    facts = [
        fact("a", "likes tea", 0.2, entity_id="described"),
        fact("b", "is a city", 0.2, entity_id="bare"),
    ]
    question = "Where does Ada live?"
    found = [described, bare, *facts]
    known = rank_knowledge(found, asks(question, found), ModelCosines(0.1, 0.4, 0.8))
    ranked = facts_first(known, question)
    assert {one.node.id for one in ranked[:2]} == {"described", "bare"}
