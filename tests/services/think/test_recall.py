"""Recall: windows, thresholds, scores, sources, and the stored RECALLS relationships."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.calls import calling
from legacymind.mind import Mind
from legacymind.model.think import Memory, ThinkResult
from legacymind.services.recall import policy
from legacymind.services.recall.policy import RECALLS_CAP, WEIGHTS
from legacymind.services.recall.recall import Recalled
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import bare, remember, store_thought, think, think_apart
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def texts(result: ThinkResult, via: str | None = None) -> list[str]:
    return [memory.text for memory in result.memories if via in (None, memory.via)]


async def ago(mind: Mind, content: str, back: timedelta, **options: Any) -> ThinkResult:
    return await think_apart(mind, content, created_at=NOW - back, injection_scale=0, **options)


async def remember_named(mind: Mind, *names: str, **options: Any) -> None:
    await remember(mind, entities=[{"name": name, **options} for name in names])


async def test_the_stored_recalls_are_the_returned_memories(mind: Mind) -> None:
    await remember_named(mind, "copper kettle")
    arguments = {"observations": [{"entity": "copper kettle", "content": "The copper kettle whistles."}]}
    await mind.operations["remember"].call(arguments)
    await think_apart(mind, "the copper kettle is hot", author="ada")
    result = await think_apart(mind, "a copper kettle", verbose_analysis=True, submode="philosophical")
    assert {memory.kind for memory in result.memories} == {"thought", "entity", "observation"}
    rows = await raw(
        mind,
        "MATCH (t:Thought {id: $id})-[r:RECALLS]->(n) RETURN n.id AS id, r {.*} AS r, n.lock AS lock"
        " ORDER BY r.rank",
        id=bare(result),
    )
    assert [row["lock"] for row in rows] == [0] * len(rows)  # locked in one order: no deadlock
    assert [row["id"] for row in rows] == [memory.id for memory in result.memories]
    for row, memory in zip(rows, result.memories, strict=True):
        recall: dict[str, Any] = row["r"]
        assert (recall["rank"], recall["via"]) == (memory.rank, memory.via)
        assert (recall["mode"], recall["scale"]) == ("build", 2)
        assert recall["score"] == memory.score  # rounded: Neo4j Browser shows it, and cannot round
        assert round(recall["cosine"], 4) == memory.cosine
        assert memory.parts is not None
        parts = ("similarity", "recency", "salience", "access", "contradiction")
        for name in parts:
            assert round(recall[f"part_{name}"], 4) == getattr(memory.parts, name)
        assert recall["weight"] == pytest.approx(sum(recall[f"part_{name}"] for name in parts))
        assert recall["created_at"] == recall["last_accessed"]
    assert [memory.rank for memory in result.memories] == [1, 2, 3]
    relevance: list[float] = []
    for memory in result.memories:
        assert memory.parts is not None
        weight = WEIGHTS["build"].similarity if memory.kind == "thought" else 1.0
        relevance.append(memory.parts.similarity / weight)
    assert relevance == sorted(relevance, reverse=True)
    (kept,) = await raw(mind, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
    assert kept["t"]["injected_memories"] == [memory.id for memory in result.memories]
    assert kept["t"]["injected_scores"] == [memory.score for memory in result.memories]


async def test_a_score_is_the_relevance_that_search_finds(mind: Mind) -> None:
    await ago(mind, "green tea from Japan", timedelta(days=1), significance=0.7)
    await ago(mind, "black tea from Japan", timedelta(days=2), significance=0.2)
    await text_indexed(mind)
    ranked = await mind.operations["search"].call({"query": "green tea Japan", "kinds": ["thought"]})
    relevance: dict[str, float] = {hit.id: hit.score for hit in ranked.hits}
    assert len(set(relevance.values())) == 2
    (first, second) = (
        await think_apart(mind, "green tea Japan", created_at=NOW, verbose_analysis=True)
    ).memories
    weights = WEIGHTS["build"]
    for memory in (first, second):
        days, significance = (1, 0.7) if memory.text.startswith("green") else (2, 0.2)
        parts = memory.parts
        assert parts is not None
        assert memory.score == pytest.approx(min(1.0, relevance[memory.id]), abs=1e-4)
        assert parts.similarity == pytest.approx(
            weights.similarity * min(1.0, relevance[memory.id]), abs=1e-4
        )
        assert parts.salience == pytest.approx(weights.salience * significance, abs=1e-4)
        assert parts.recency == pytest.approx(weights.recency * 2.718281828 ** (-days / 21), abs=1e-4)
        assert (parts.access, parts.contradiction) == (0, 0)
    await raw(
        mind,
        "MATCH (t:Thought {namespace: $n}) WHERE NOT t.content STARTS WITH 'green' DETACH DELETE t",
        n=mind.settings.namespace,
    )
    (same,) = (
        await think_apart(mind, "green tea from Japan", created_at=NOW, verbose_analysis=True)
    ).memories
    assert same.cosine == pytest.approx(1.0, abs=1e-3)
    assert same.parts is not None
    assert same.parts.similarity == pytest.approx(
        weights.similarity, abs=1e-3
    )  # relevance above 1 counts as 1
    plain = await think_apart(mind, "tea from Japan", created_at=NOW, verbose_analysis=False)
    assert [memory.parts for memory in plain.memories] == [None]


async def test_accesses_and_contradictions_move_the_score(mind: Mind) -> None:
    liked = await ago(mind, "green tea from Japan", timedelta(days=1))
    doubted = await ago(mind, "green tea from China", timedelta(days=1))
    await raw(
        mind,
        "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) SET a.access_count = 1000 "
        "CREATE (a)-[:CONTRADICTS]->(b)",
        a=bare(liked),
        b=bare(doubted),
    )
    result = await think_apart(mind, "green tea", created_at=NOW, verbose_analysis=True)
    found = {memory.id: memory.parts for memory in result.memories}
    strong, weak = found[bare(liked)], found[bare(doubted)]
    assert strong is not None
    assert weak is not None
    assert (strong.access, strong.contradiction) == (0.1, 0)  # the access part is bounded by its weight
    assert (weak.access, weak.contradiction) == (0, -0.1)


async def test_a_recalled_memory_is_counted_once_and_gets_an_access_time(mind: Mind) -> None:
    await remember_named(mind, "copper kettle")
    first = await think_apart(mind, "the copper kettle")
    second = await think_apart(mind, "the copper kettle")
    assert len(second.memories) == 2
    rows = await raw(
        mind,
        "MATCH (n {namespace: $ns}) WHERE n:Thought OR n:Entity "
        "RETURN n.id AS id, n.access_count AS count, n.last_accessed AS at",
        ns=mind.settings.namespace,
    )
    counts = {row["id"]: row["count"] for row in rows}
    assert (counts[bare(first)], counts[bare(second)]) == (1, 0)
    assert sorted(counts.values()) == [0, 1, 2]
    assert all((row["at"] is None) == (row["count"] == 0) for row in rows)
    await mind.operations["search"].call({"query": "copper kettle"})
    assert (
        await one(mind, "MATCH (n {namespace: $ns}) RETURN sum(n.access_count)", ns=mind.settings.namespace)
        == 3
    )


async def test_knowledge_less_than_half_as_related_as_the_best_is_not_recalled(mind: Mind) -> None:
    await remember_named(mind, "copper kettle", "copper mine shaft")
    result = await think_apart(mind, "copper kettle whistles", injection_scale=3)
    assert texts(result) == ["copper kettle"]
    assert result.memories[0].via == "vector"
    assert (result.memories[0].cosine or 0) >= (result.telemetry.threshold_knowledge or 1) == 0.18
    alone = await think_apart(mind, "mine shaft", injection_scale=3)
    assert texts(alone) == ["copper mine shaft"]


async def test_by_thresholds_the_window_of_a_scale_ends_at_the_time_of_the_thought(mind: Mind) -> None:
    for name, back in {
        "hours": timedelta(hours=5),
        "days": timedelta(days=3),
        "weeks": timedelta(days=20),
        "years": timedelta(days=900),
    }.items():
        await ago(mind, f"copper kettle boils water for tea {name}", back)
    settings = mind.settings.changed(recall="thresholds")
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as by_cosine:
        reached = [
            len(found.memories)
            for found in [
                await by_cosine.recall(
                    "copper kettle boils water for tea", injection_scale=scale, created_at=NOW
                )
                for scale in (1, 2, 3, 4, 5)
            ]
        ]
    assert reached == [1, 2, 3, 4, 4]


async def test_an_imported_thought_recalls_only_earlier_memories(mind: Mind) -> None:
    arguments = {"name": "copper kettle", "valid_from": NOW}
    await mind.operations["remember"].call({"entities": [arguments]})
    await think_apart(mind, "copper kettle today", injection_scale=0)
    await ago(mind, "copper kettle once", timedelta(days=30))
    then = NOW - timedelta(days=29)
    past = await think_apart(mind, "copper kettle", created_at=then)
    assert texts(past) == ["copper kettle once"]
    assert all(memory.created_at is not None and memory.created_at < then for memory in past.memories)
    later = await think_apart(mind, "copper kettle", created_at=NOW + timedelta(days=1))
    assert "copper kettle" in [memory.text for memory in later.memories if memory.kind == "entity"]


async def test_a_private_thought_is_recalled_in_its_own_session_only(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "_POOLS", (8, 8, 8, 8, 8))
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as mind:
        for number in range(21):  # more public ones, and nearer, than a pool holds must not displace it
            await think_apart(
                mind, "the secret about the copper kettle", session_id=f"s{number}", injection_scale=0
            )
        secret = await think_apart(
            mind, "a secret about the copper kettle lid", session_id="mine", is_private=True, significance=1
        )
        await think_apart(mind, "something else", session_id="mine", injection_scale=0)
        for scale in (2, 5):
            await text_indexed(mind)
            query = "the secret about the copper kettle"
            own: dict[str, Any] = {"session_id": "mine", "is_private": True}
            mine = await think_apart(mind, query, injection_scale=scale, **own)
            other = await think_apart(mind, query, injection_scale=scale)
            assert bare(secret) in [memory.id for memory in mine.memories]
            recalled = {memory.id for memory in other.memories}
            assert recalled
            assert not recalled & {bare(secret), bare(mine)}
        async with Mind(mind.settings, embedder=mind.vectors.embedder) as free:
            arguments = {"content": "the secret about the copper kettle", "injection_scale": 5}
            outside = await free.operations["think"].call(arguments)
        assert bare(secret) not in [memory.id for memory in outside.memories]


async def test_linked_thoughts_are_not_recalled(mind: Mind) -> None:
    linked = [bare(await think_apart(mind, "copper kettle", injection_scale=0)) for _ in range(4)]
    free = bare(await think_apart(mind, "copper kettle", injection_scale=0))
    names = ("previous_thought_id", "revises_thought", "branch_from", "parent_id")
    result = await think_apart(
        mind, "copper kettle", injection_scale=5, **dict(zip(names, linked, strict=True))
    )
    assert [memory.id for memory in result.memories] == [free]
    follower = await think_apart(mind, "copper kettle", session_id="s", injection_scale=0)
    after = await think_apart(mind, "copper kettle", session_id="s", injection_scale=5)
    assert bare(follower) not in [memory.id for memory in after.memories]


async def test_full_text_finds_what_vectors_miss_at_every_scale(mind: Mind) -> None:
    long = "zanzibar " + " ".join(f"filler{number}" for number in range(40))
    await think_apart(mind, long, injection_scale=0)
    await text_indexed(mind)
    for scale in range(1, 6):
        result = await think_apart(mind, "zanzibar", injection_scale=scale)
        found = {memory.text[:16]: memory for memory in result.memories}["zanzibar filler0"]
        assert found.via == "fulltext"
        assert (found.cosine or 0) < (result.telemetry.threshold_thoughts or 0)
        await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=bare(result))
        unknown = await think_apart(mind, "madagascar", injection_scale=scale)  # as far, without the word
        assert unknown.memories == []
        await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=bare(unknown))


@pytest.mark.parametrize("asked", ["how is KX9 today?", "a long walk along Zanzibar's sandy northern coast"])
@pytest.mark.parametrize("facts", [2, 3])
async def test_a_name_or_an_alias_brings_the_facts_about_what_has_few(
    mind: Mind, asked: str, facts: int
) -> None:
    await remember(
        mind,
        entities=[{"name": "KX9"}],
        observations=[{"entity": "Zanzibar", "content": f"copper kettle{n}"} for n in range(facts)],
    )
    await mind.merge("Zanzibar", ["KX9"])
    await think_apart(mind, asked.rstrip("?"), injection_scale=0)
    recalled = await mind.recall(asked, injection_scale=1)
    came = {memory.text for memory in recalled.memories if memory.kind == "observation"}
    assert came == ({"copper kettle0", "copper kettle1"} if facts == 2 else set())


async def test_among_equally_near_thoughts_a_rare_shared_word_leads(mind: Mind) -> None:
    for number in range(12):
        await think_apart(mind, f"kettle tea pot{number}", injection_scale=0, significance=0.9)
    rare = await think_apart(mind, "kettle ZX9981QQ pan", injection_scale=0, significance=0.1)
    await text_indexed(mind)
    found = await think_apart(mind, "kettle tea ZX9981QQ", injection_scale=3)
    assert len(found.memories) == 12
    assert {memory.cosine for memory in found.memories} == {found.memories[0].cosine}
    assert found.memories[0].id == bare(rare)
    stuck = await think_apart(mind, "kettle tea ZX9981QQ", injection_scale=3, hint="stuck")
    assert len(stuck.memories) == 3


async def test_twelve_thoughts_are_recalled_and_the_8_strongest_get_a_relationship(
    mind: Mind,
) -> None:
    await remember_named(mind, *(f"copper kettle {number}" for number in range(10)))
    for number in range(12):
        await think_apart(mind, f"copper kettle pot{number}", injection_scale=0, significance=number / 12)
    result = await think_apart(mind, "copper kettle", injection_scale=5)
    kinds = [memory.kind for memory in result.memories]
    assert (kinds.count("thought"), kinds.count("entity")) == (12, 10)
    thoughts: list[Memory] = [memory for memory in result.memories if memory.kind == "thought"]
    kept = await raw(
        mind,
        "MATCH (:Thought {id: $id})-[r:RECALLS]->(n) RETURN n:Thought AS thought, n.id AS id ORDER BY r.rank",
        id=bare(result),
    )
    assert [row["id"] for row in kept if row["thought"]] == [memory.id for memory in thoughts[:RECALLS_CAP]]
    assert len([row for row in kept if not row["thought"]]) == 10
    (listed,) = await raw(
        mind, "MATCH (t:Thought {id: $id}) RETURN t.injected_memories AS m", id=bare(result)
    )
    assert listed["m"] == [memory.id for memory in result.memories]
    counted = await raw(
        mind,
        "MATCH (t:Thought) WHERE t.id IN $ids RETURN t.access_count AS n",
        ids=[memory.id for memory in thoughts],
    )
    assert [row["n"] for row in counted] == [1] * 12


async def test_scale_0_and_adderall_recall_nothing(mind: Mind) -> None:
    await remember_named(mind, "copper kettle")
    await think_apart(mind, "copper kettle")
    for options in ({"injection_scale": 0}, {"submode": "adderall"}):
        result = await think_apart(mind, "copper kettle", **options)
        assert (result.memories, result.enriched_content) == ([], "")
        assert result.memory_summary == "Recall is off (scale 0)."


async def test_a_stuck_thought_recalls_three_thoughts(mind: Mind) -> None:
    for number in range(5):
        await think_apart(mind, f"copper kettle pot{number}", injection_scale=0)
    result = await think_apart(mind, "copper kettle", hint="stuck", injection_scale=5)
    assert len(result.memories) == 3


async def test_thoughts_that_are_not_hot_are_not_recalled(mind: Mind) -> None:
    cold = await think_apart(mind, "copper kettle", injection_scale=0)
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.hot = false", id=bare(cold))
    await text_indexed(mind)
    assert (await think_apart(mind, "copper kettle", injection_scale=5)).memories == []


async def test_a_thought_made_by_hand_is_recalled_without_its_counters(mind: Mind) -> None:
    made = await think_apart(mind, "copper kettle", injection_scale=0)
    await raw(
        mind,
        "MATCH (t:Thought {id: $id}) REMOVE t.access_count, t.salience, t.significance, t.author",
        id=bare(made),
    )
    result = await think_apart(mind, "copper kettle")
    assert [memory.id for memory in result.memories] == [bare(made)]
    assert 0 < result.memories[0].score <= 1


async def test_the_enriched_content_has_the_top_5_of_knowledge_and_3_thoughts(mind: Mind) -> None:
    await remember_named(mind, *(f"kettle {word}" for word in "a b c d e f".split()), entity_type="thing")
    for word in "a b c d e".split():
        await think_apart(mind, f"{word} kettle", injection_scale=0)
    result = await think_apart(mind, "kettle", injection_scale=3, submode="sarcastic")
    lines = (result.enriched_content or "").splitlines()
    assert lines[0] == "Submode: sarcastic"
    assert lines[1] == "Nearby entities:"
    assert all(line.startswith("- (") and line.endswith("[thing]") for line in lines[2:7])
    assert lines[7] == "Earlier thoughts:"
    assert all(line.startswith("- ") and "(" not in line and line.endswith(" kettle") for line in lines[8:])
    assert len(lines) == 11
    assert result.memory_summary.startswith("Recalled 11 memories (scale 3, mean distance 0.")


async def test_a_memory_that_is_redacted_between_recall_and_storing_is_left_out(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = await store_thought(mind, "the copper kettle boils", session_id="a")
    gone = await store_thought(mind, "the copper kettle whistles", session_id="b")
    recollector = mind.services.store._recollector  # pyright: ignore[reportPrivateUsage]
    recollect = recollector.recollect

    async def slowly(hashed: list[Thought]) -> dict[str, Recalled]:
        found = await recollect(hashed)
        await mind.operations["redact_thought"].call({"thought_id": gone, "reason": "asked"})
        return found

    monkeypatch.setattr(recollector, "recollect", slowly)
    result = await think_apart(mind, "does the copper kettle boil", verbose_analysis=True)
    assert [(memory.id, memory.rank) for memory in result.memories] == [(kept, 1)]
    assert result.memory_summary.endswith("Left out 1 that was removed meanwhile.")
    assert "whistles" not in (result.enriched_content or "")
    recalls = "MATCH (:Thought {id: $id})-[r:RECALLS]->(m) RETURN collect(m.id)"
    assert await one(mind, recalls, id=bare(result)) == [kept]


async def test_an_agents_own_question_never_outranks_what_answers_it(mind: Mind) -> None:
    with calling(agent=True):
        asked = await think(mind, "Why does the copper kettle leak at the spout?", session_id="a")
        answer = await think(mind, "The spout of the kettle has a worn seal", session_id="b")
        await think(mind, "Tomatoes grow in the garden", session_id="c")
        hits = (await mind.search("copper kettle leak spout", kinds=["thought"])).hits
        again = await think(mind, "the copper kettle leaks at its spout", session_id="d")
    both = [bare(answer), bare(asked)]
    assert [hit.id for hit in hits if hit.id in both] == both
    assert next(memory.id for memory in again.memories if memory.id in both) == both[0]


async def test_a_thought_recalls_no_prompt_of_its_own_session(mind: Mind) -> None:
    asked = {"thought_type": "prompt"}
    ids = {
        session: await store_thought(mind, "Mend the spout of the kettle", session_id=session, **asked)
        for session in ("own", "other")
    }
    found = await think(mind, "the spout of the kettle is to be mended", session_id="own")
    assert [memory.id for memory in found.memories] == [ids["other"]]
