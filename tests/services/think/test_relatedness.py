"""Which memories count as related: opening, order, the window and copies."""

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import pairwise

import pytest

from legacymind.mind import Mind
from legacymind.model.think import RecallResult, ThinkResult
from legacymind.services.recall import policy as recall_policy
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.services.think.dated import NOW, Strict, ago, now
from tests.steps import bare, remember, remember_entity, think, think_apart
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio

OPENING = 0.55
"""The cosine that recalls without a shared word at scale 2: nine tenths of the way from 0.10 to 0.60."""


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(settings, session_id="session", embedder=Strict()) as opened:
        yield opened


def ways(result: ThinkResult) -> dict[str, str]:
    return {memory.text: memory.via for memory in result.memories}


async def test_an_unrelated_thought_recalls_nothing_at_any_scale(mind: Mind) -> None:
    for text in ("the copper kettle boils water", "blue whales sing in the deep", "tomatoes need sun"):
        await ago(mind, text, 1)
        await remember_entity(mind, text, valid_from=NOW - timedelta(days=1))
    for scale in range(1, 6):
        nothing = await now(mind, "the passport is in the drawer of the desk", scale)
        assert nothing.memories == []
        assert nothing.enriched_content == ""
        assert nothing.memory_summary.startswith("No related memories")
        # One word of five is too little.
        assert (await now(mind, "renew passport before copper expires again", scale)).memories == []
        assert len((await now(mind, "which copper kettle boils water", scale)).memories) == 2


async def test_the_answer_names_the_thought_before_where_it_would_have_been_recalled(mind: Mind) -> None:
    await think(mind, "the copper kettle boils water", session_id="follows")
    after = await think(mind, "which copper kettle boils water", session_id="follows")
    assert after.memories == []
    assert after.memory_summary.endswith("(scale 2). Follows: the copper kettle boils water")
    unrelated = await think(mind, "blue whales sing in the deep", session_id="follows")
    assert "Follows" not in unrelated.memory_summary


async def test_words_and_meaning_open_recall_together(mind: Mind) -> None:
    await ago(mind, "copper kettle stands there rusty", 1)
    result = await now(mind, "copper kettle")
    (memory,) = result.memories
    assert memory.cosine is not None
    assert memory.cosine >= (result.telemetry.threshold_thoughts or 1) == OPENING
    assert memory.via == "vector"
    await ago(mind, "the green tea was cold when somebody drank it yesterday evening beside the fence", 1)
    result = await now(mind, "cold tea")
    (memory,) = result.memories
    assert memory.cosine is not None
    assert memory.cosine < OPENING
    assert memory.via == "fulltext"


async def test_an_old_thought_that_answers_comes_before_what_the_window_holds(mind: Mind) -> None:
    recent = [await ago(mind, f"copper kettle {word} talk rumour", 2) for word in ("first", "second")]
    old = [await ago(mind, f"copper kettle boils water slowly turn{number}", 30) for number in range(4)]
    result = await now(mind, "copper kettle boils water slowly")
    found = [memory.id for memory in result.memories]
    assert set(found[:4]) == set(old)
    assert set(found[4:]) <= set(recent)


async def test_of_equal_thoughts_those_of_the_window_come_first(mind: Mind) -> None:
    old = await ago(mind, "copper kettle boils water alpha", 30)
    new = await ago(mind, "copper kettle boils water gamma", 1)
    assert [memory.id for memory in (await now(mind, "copper kettle boils water")).memories] == [new, old]


async def test_a_larger_scale_shows_what_a_smaller_one_does_in_its_order_and_more(mind: Mind) -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda sigma".split()
    long = "and much more is told of this in many other words, since people talk. " * 6
    for number, word in enumerate(words):
        near = " ".join(["copper kettle boils water", *words[: number // 2]])
        await ago(mind, f"{near} {word}{number} {long if number % 3 else ''}", number * 4 + 1)
    await ago(mind, "Always boil the water of the copper kettle twice.", 90, standing=True)
    facts = [f"copper kettle boils {' '.join(words[: number // 2])} fact{number}" for number in range(12)]
    await remember(
        mind,
        entities=[{"name": "copper kettle"}],
        observations=[
            {"entity": "copper kettle", "content": fact, "valid_from": NOW - timedelta(days=1)}
            for fact in facts
        ],
    )
    await text_indexed(mind)
    shown = [
        [memory.id for memory in (await recall(mind, "copper kettle boils water", scale)).memories]
        for scale in range(2, 5)
    ]
    for fewer, more in pairwise(shown):
        assert len(more) > len(fewer) > 2
        assert [id for id in more if id in fewer] == fewer


async def test_by_thresholds_the_window_excludes(mind: Mind) -> None:
    old = await ago(mind, "copper kettle boils water slowly", 30)
    settings = mind.settings.changed(recall="thresholds")
    async with Mind(settings, session_id="session", embedder=Strict()) as by_cosine:
        nothing = await now(by_cosine, "copper kettle boils water slowly")
        assert nothing.memory_summary == "No related memories within 7 days (scale 2)."
        late = await think_apart(by_cosine, "copper kettle boils water slowly", created_at=NOW)
        explained = await by_cosine.explain_recall(bare(late), memory_id=old)
        assert [miss.reason for miss in explained.missed] == ["outside_window"]
        await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=bare(late))
        found = await now(by_cosine, "copper kettle boils water slowly", 4)
    assert list(ways(found).values()) == ["vector"]


async def recall(mind: Mind, content: str, scale: int) -> RecallResult:
    """What comes within the usual budget of tokens."""
    arguments = {"content": content, "injection_scale": scale, "created_at": NOW}
    return await mind.operations["recall"].call(arguments)


THOUGHT = "copper kettle whistles loud"


async def test_knowledge_that_is_only_nearly_related_does_not_come(mind: Mind) -> None:
    options = {"valid_from": NOW - timedelta(days=1)}
    for number in range(5):
        await remember_entity(mind, f"copper pan{number}", **options)
    assert (await now(mind, THOUGHT)).memories == []
    recalled = await ago(mind, "the kettle whistles loud", 1)
    assert [memory.id for memory in (await now(mind, THOUGHT)).memories] == [recalled]


async def test_by_thresholds_a_fallback_comes_again_and_is_no_access(mind: Mind) -> None:
    await remember_entity(mind, "copper kettle", valid_from=NOW - timedelta(days=1))
    await text_indexed(mind)
    options = {"session_id": "s", "idempotency_key": "k", "created_at": NOW}
    async with Mind(
        mind.settings.changed(recall="thresholds", t2=0.75), session_id="session", embedder=Strict()
    ) as by_hand:
        first = await think_apart(by_hand, THOUGHT, **options)
        again = await think_apart(by_hand, THOUGHT, **options)
    shown = [(memory.id, memory.rank, memory.score, memory.via) for memory in first.memories]
    assert [via for *_, via in shown] == ["fallback"]
    assert [(memory.id, memory.rank, memory.score, memory.via) for memory in again.memories] == shown
    (kept,) = await raw(
        mind,
        "MATCH (t:Thought {id: $id})"
        " RETURN t.injected_memories AS listed, count { (t)-[:RECALLS]->() } AS recalls",
        id=bare(first),
    )
    assert kept == {"listed": [memory.id for memory in first.memories], "recalls": 0}
    accesses = await one(
        mind,
        "MATCH (e:Entity {namespace: $n}) RETURN sum(coalesce(e.access_count, 0)) + count(e.last_accessed)",
        n=mind.settings.namespace,
    )
    assert accesses == 0


async def test_nearly_equal_texts_are_one_memory_with_a_count(mind: Mind) -> None:
    for text in (
        "Copper kettle boils.",
        "copper kettle boils",
        "copper kettle boils",
        "Copper, kettle: boils!",
    ):
        await ago(mind, text, 1)
    others = {f"copper kettle boils {word}" for word in ("alpha", "beta", "gamma", "delta")}
    for text in others:
        await ago(mind, text, 1)
    result = await now(mind, "copper kettle boils")
    assert len(result.memories) == 5  # the copies take one of the five places
    assert {memory.copies for memory in result.memories if memory.text in others} == {1}
    (folded,) = [memory for memory in result.memories if memory.text not in others]
    assert folded.copies == 4
    assert folded.rank == 1


async def test_nearly_equal_facts_of_any_entities_are_one_memory(mind: Mind) -> None:
    texts = ["copper kettle boils", "Copper  kettle boils", "copper kettle boils slowly"]
    names = ["one", "two", "three"]
    facts = [{"entity": name, "content": text} for name, text in zip(names, texts, strict=True)]
    await remember(
        mind,
        entities=[{"name": name} for name in names],
        observations=[{**fact, "valid_from": NOW - timedelta(days=1)} for fact in facts],
    )
    result = await now(mind, "copper kettle boils")
    assert {memory.kind for memory in result.memories} == {"observation"}
    assert [memory.copies for memory in result.memories] == [2, 1]


async def test_an_old_copy_does_not_take_the_place_of_a_recent_one(mind: Mind) -> None:
    await ago(mind, "copper kettle boils water", 1)
    recent = await ago(mind, "copper kettle boils", 1)
    old = mind.services.think.prepare(
        content="copper kettle boils",
        id=f"0 comes first {mind.settings.namespace}",  # equally relevant thoughts are in the order of ids
        created_at=NOW - timedelta(days=30),
        session_id="old",
        injection_scale=0,
    )
    await mind.services.store.think([old])
    result = await now(mind, "copper kettle boils water")
    assert [memory.via for memory in result.memories] == ["vector", "vector"]
    assert (result.memories[1].id, result.memories[1].copies) == (recent, 2)


async def test_another_sessions_private_copy_is_not_counted(mind: Mind) -> None:
    await ago(mind, "copper kettle boils", 1)
    await ago(mind, "copper kettle boils!", 1, session_id="hers", is_private=True)
    (memory,) = (await now(mind, "copper kettle boils")).memories
    assert memory.copies == 1


async def test_a_threshold_set_by_hand_is_a_strict_minimum_whatever_the_words(mind: Mind) -> None:
    options = {"valid_from": NOW - timedelta(days=1)}
    await remember_entity(mind, "copper kettle", **options)  # cosine .71
    await remember_entity(mind, "copper kettle lid spoon", **options)  # cosine .50
    both = {"copper kettle", "copper kettle lid spoon"}
    for t2, found in ((0.45, both), (0.6, {"copper kettle"}), (0.75, {"copper kettle"})):
        by_cosine = mind.settings.changed(recall="thresholds", t2=t2)
        async with Mind(by_cosine, session_id="session", embedder=Strict()) as by_hand:
            result = await now(by_hand, THOUGHT)
        assert set(ways(result)) == found
        assert result.telemetry.threshold_knowledge == t2
        assert set(ways(result).values()) == ({"fallback"} if t2 == 0.75 else {"vector"})


async def test_relevance_leads_and_among_equals_the_weight_decides(mind: Mind) -> None:
    faded = await ago(mind, "copper kettle boils", 6.5, significance=0.0)
    plain = await ago(mind, "copper kettle boils alpha", 6.5, significance=0.1)
    vivid = await ago(mind, "copper kettle boils gamma", 0.1, significance=1.0)
    result = await now(mind, "copper kettle boils", verbose_analysis=True)
    assert [memory.id for memory in result.memories] == [faded, vivid, plain]
    first, second, third = result.memories
    assert first.score > second.score >= third.score
    assert first.parts is not None
    assert second.parts is not None
    assert third.parts is not None
    weight = recall_policy.WEIGHTS["build"].similarity
    assert first.parts.similarity - second.parts.similarity > weight / 50
    assert second.parts.similarity == pytest.approx(third.parts.similarity, abs=weight / 50)


async def test_a_revised_thought_is_recalled_with_its_latest_revision_above_it(mind: Mind) -> None:
    first = await think_apart(mind, "the copper kettle holds ten litres", injection_scale=0)
    second = await think_apart(mind, "no, eleven", injection_scale=0, revises_thought=bare(first))
    latest = await think_apart(mind, "twelve after all", injection_scale=0, revises_thought=bare(second))
    hidden = await think_apart(
        mind, "thirteen", injection_scale=0, revises_thought=bare(latest), is_private=True
    )
    result = await think_apart(mind, "copper kettle litres")
    assert [(memory.id, memory.via, memory.revised_by) for memory in result.memories[:2]] == [
        (bare(latest), "revision", None),
        (bare(first), "vector", bare(latest)),
    ]
    assert bare(hidden) not in [memory.id for memory in result.memories]
    revising = await think_apart(mind, "copper kettle litres", revises_thought=bare(latest))
    assert bare(latest) not in [memory.id for memory in revising.memories]


async def test_a_question_is_embedded_for_recall_in_the_words_of_the_author_it_names(mind: Mind) -> None:
    await think_apart(mind, "my kettle is made of copper", author="Ada", injection_scale=0)
    await text_indexed(mind)
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.calls.clear()
    result = await think_apart(mind, "What is Ada's kettle made of?", author="Ben")
    assert embedder.calls == [["What is Ada's kettle made of?", "What is my kettle made of?"]]
    (memory,) = result.memories
    (own,) = await embedder.embed(["What is Ada's kettle made of?"])
    (asked,) = await embedder.embed(["What is my kettle made of?"])
    (told,) = await embedder.embed(["my kettle is made of copper"])
    assert memory.cosine == pytest.approx(sum(a * b for a, b in zip(asked, told, strict=True)), abs=1e-3)
    stored = await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.embedding_a", id=bare(result))
    assert stored == pytest.approx(own, abs=1e-6)
    embedder.calls.clear()
    await think_apart(mind, "The kettle of Ada is new.", author="Ben")
    assert embedder.calls == [["The kettle of Ada is new."]]


async def test_a_thought_names_authors_by_introductions_as_search_does(
    mind: Mind,
) -> None:
    for author, text in (
        ("Emi", "Hi, I’m Kate!"),
        ("Muhhamed", "my kettle is new"),
        ("Emi", "my kettle is old"),
    ):
        await ago(mind, text, 1, author=author)
    embedder = mind.vectors.embedder
    assert isinstance(embedder, Strict)
    embedder.calls.clear()
    result = await now(mind, "Is Kate's kettle old?")
    assert next(m.text for m in result.memories if "kettle" in m.text) == "my kettle is old"
    assert any(text.startswith("Is my kettle") for call in embedder.calls for text in call)
    # A word that begins a text has a capital anyway, so it is not an introduction.
    embedder.calls.clear()
    await now(mind, "Kate kettle?")
    assert not any("I kettle" in text for call in embedder.calls for text in call)
