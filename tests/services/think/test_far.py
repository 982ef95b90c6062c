"""Recall beyond similarity: related, contradicting, tie-breaking and very recent memories."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from tests.steps import bare, remember_entity, think_apart
from tests.wire import raw

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


async def earlier(mind: Mind, content: str, **options: Any) -> str:
    arguments = {"created_at": NOW - timedelta(days=1), "injection_scale": 0, **options}
    return bare(await think_apart(mind, content, **arguments))


async def remember(mind: Mind, name: str) -> str:
    return await remember_entity(mind, name, valid_from=NOW - timedelta(days=1))


def ways(result: ThinkResult) -> dict[str, str]:
    return {memory.text: memory.via for memory in result.memories}


async def relate(mind: Mind, source: str, kind: str, target: str) -> None:
    """Create a relationship by hand, as in Neo4j Browser."""
    await raw(
        mind,
        "MATCH (a:Thought|Entity|Observation {id: $source}), (b:Thought|Entity|Observation {id: $target}) "
        "CREATE (a)-[:$($kind)]->(b)",
        source=source,
        target=target,
        kind=kind,
    )


async def test_associated_memories_are_recalled_from_scale_4_and_two_hops_at_scale_5(
    mind: Mind,
) -> None:
    kettle = await earlier(mind, "copper kettle")
    whale = await earlier(mind, "blue whale")
    song = await earlier(mind, "deep song")
    lighthouse = await remember(mind, "lighthouse")
    await relate(mind, kettle, "ASSOCIATES", whale)
    await relate(mind, song, "ASSOCIATES", whale)
    await relate(mind, kettle, "REFERENCES", lighthouse)
    found = [
        {
            text: via
            for text, via in ways(
                await think_apart(mind, "copper kettle", injection_scale=scale, created_at=NOW)
            ).items()
            if via == "lateral"
        }
        for scale in (3, 4, 5)
    ]
    near = {"blue whale": "lateral"}
    assert found == [{}, near, near | {"deep song": "lateral", "lighthouse": "lateral"}]


async def test_each_hop_reduces_the_relevance_by_a_fifth(mind: Mind) -> None:
    kettle, whale, song = [await earlier(mind, text) for text in ("copper kettle", "blue whale", "deep song")]
    await relate(mind, kettle, "ASSOCIATES", whale)
    await relate(mind, whale, "ASSOCIATES", song)
    result = await think_apart(
        mind, "copper kettle", injection_scale=5, created_at=NOW, verbose_analysis=True
    )
    parts = {memory.text: memory.parts for memory in result.memories}
    first, second, third = (parts[text] for text in ("copper kettle", "blue whale", "deep song"))
    assert first is not None
    assert second is not None
    assert third is not None
    assert second.similarity == pytest.approx(0.8 * first.similarity, abs=1e-3)
    assert third.similarity == pytest.approx(0.64 * first.similarity, abs=1e-3)
    kept = await raw(
        mind,
        "MATCH (:Thought {id: $id})-[r:RECALLS {via: 'lateral'}]->(n) RETURN n.id AS id",
        id=bare(result),
    )
    assert {row["id"] for row in kept} == {whale, song}


async def test_related_memories_that_are_not_eligible_are_not_recalled(
    mind: Mind,
) -> None:
    kettle = await earlier(mind, "copper kettle")
    hidden = {
        "private": await earlier(mind, "a private walk", is_private=True),
        "later": await earlier(mind, "a later walk", created_at=NOW + timedelta(days=1)),
        "dumped": await earlier(mind, "a dumped walk"),
        "redacted": await earlier(mind, "a redacted walk"),
        "linked": await earlier(mind, "a linked walk"),
        "elsewhere": await earlier(mind, "a walk elsewhere", namespace=f"{mind.settings.namespace}-x"),
    }
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.hot = false", id=hidden["dumped"])
    await mind.operations["redact_thought"].call({"thought_id": hidden["redacted"], "reason": "asked to"})
    for other in hidden.values():
        await relate(mind, kettle, "ASSOCIATES", other)
    options = {"injection_scale": 5, "created_at": NOW, "branch_from": hidden["linked"]}
    assert list(ways(await think_apart(mind, "copper kettle", **options))) == ["copper kettle"]


async def test_a_hub_is_bounded(mind: Mind) -> None:
    kettle = await earlier(mind, "copper kettle")
    await raw(
        mind,
        "MATCH (k:Thought {id: $id}) UNWIND range(1, 3000) AS i"
        " CREATE (k)-[:ASSOCIATES]->(:Thought {id: $id + i, namespace: $namespace, content: 'hub ' + i,"
        " hot: true, is_private: false, found_until: k.valid_to, created_at: k.created_at})",
        id=kettle,
        namespace=mind.settings.namespace,
    )
    result = await think_apart(mind, "copper kettle", injection_scale=5, created_at=NOW)
    assert len(result.memories) == 17  # the hub itself and sixteen of the three thousand


async def test_one_contradiction_is_recalled_and_all_on_request_which_then_cost_no_score(
    mind: Mind,
) -> None:
    claim = await earlier(mind, "the copper kettle is safe")
    doubt = await remember(mind, "lead solder")
    second = await earlier(mind, "an unrelated worry")
    await relate(mind, doubt, "CONTRADICTS", claim)
    await relate(mind, second, "CONTRADICTS", claim)
    options: dict[str, Any] = {"injection_scale": 2, "created_at": NOW, "verbose_analysis": True}
    plain = await think_apart(mind, "the copper kettle is safe", **options)
    strongest, memory = plain.memories  # one of the two comes in any case
    assert (strongest.via, strongest.id) == ("contradiction", max(doubt, second))
    assert (memory.id, memory.contradicted_by) == (claim, strongest.id)
    assert memory.parts is not None
    assert memory.parts.contradiction == -0.2
    asked = await think_apart(mind, "the copper kettle is safe", include_contradictions=True, **options)
    assert ways(asked) == {
        "the copper kettle is safe": "vector",
        "lead solder": "contradiction",
        "an unrelated worry": "contradiction",
    }
    assert {memory.parts and memory.parts.contradiction for memory in asked.memories} == {0}


async def test_a_tie_break_decides_between_nearly_equal_memories(mind: Mind) -> None:
    words = "copper kettle stove boils water slowly every morning here"
    for word in ("plain", "however", "principle", "felt", "fixed"):
        await earlier(mind, f"{words} {word}", significance=0.5)
    first = {
        submode: (await think_apart(mind, words, created_at=NOW, injection_scale=2, submode=submode))
        .memories[0]
        .text
        for submode in ("sarcastic", "philosophical", "empathetic", "problem_solving")
    }
    assert {submode: text.removeprefix(words + " ") for submode, text in first.items()} == {
        "sarcastic": "however",
        "philosophical": "principle",
        "empathetic": "felt",
        "problem_solving": "fixed",
    }


async def test_a_tie_break_does_not_raise_a_worse_memory(mind: Mind) -> None:
    await earlier(mind, "copper kettle", significance=0.1)
    await earlier(mind, "copper kettle whistles fixed", significance=0.9)
    result = await think_apart(
        mind, "copper kettle", created_at=NOW, injection_scale=2, submode="problem_solving"
    )
    assert [memory.text for memory in result.memories] == ["copper kettle", "copper kettle whistles fixed"]


async def test_the_empathetic_submode_prefers_emotional_memories(mind: Mind) -> None:
    heavy = await earlier(mind, "copper kettle one")
    await earlier(mind, "copper kettle two")
    await earlier(mind, "copper kettle six")
    await mind.operations["record_outcome"].call(
        {"thought_id": heavy, "outcome": 0, "emotional_weight": -0.8}
    )
    result = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=2, submode="empathetic")
    assert result.memories[0].id == heavy


async def test_adderall_with_a_scale_recalls_one_thought_of_the_last_five_minutes(mind: Mind) -> None:
    await earlier(mind, "copper kettle", created_at=NOW - timedelta(minutes=6))
    await earlier(mind, "copper pan", created_at=NOW - timedelta(minutes=4))
    recent = await earlier(mind, "copper kettle lid", created_at=NOW - timedelta(minutes=3))
    await remember(mind, "copper kettle")
    result = await think_apart(mind, "copper kettle", created_at=NOW, injection_scale=1, submode="adderall")
    assert [(memory.id, memory.via) for memory in result.memories] == [(recent, "recent")]
    assert "copper kettle lid" in (result.enriched_content or "")
    none = await think_apart(mind, "copper kettle", created_at=NOW, submode="adderall")
    assert (none.memories, none.enriched_content) == ([], "")
