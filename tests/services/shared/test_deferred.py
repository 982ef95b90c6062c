"""While the embedder is down, items are rejected, or stored and embedded as soon as it works again."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import pytest

from legacymind.doors.cli import show
from legacymind.errors import EmbeddingError, EmbeddingMismatch
from legacymind.mind import Mind
from legacymind.services.shared import deferred
from legacymind.services.shared.deferred import EMBED_DEFERRED, READ_DEFERRED
from tests.fakes import FakeEmbedder
from tests.steps import bare, remember, think
from tests.wire import Wire, noted_statements, one, raw, text_indexed

# Deferred items are embedded by the next process that searches for them, in any namespace.
pytestmark = [pytest.mark.anyio, pytest.mark.alone]


@pytest.fixture
async def deferring(mind: Mind) -> Any:
    """A mind that stores without its embedder and has an earlier thought."""
    settings = mind.settings.changed(on_embedder_down="defer")
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        await opened.operations["think"].call({"content": "the copper kettle"})
        yield opened


def embedder(mind: Mind) -> FakeEmbedder:
    found = mind.vectors.embedder
    assert isinstance(found, FakeEmbedder)
    return found


async def deferred_count(mind: Mind) -> int:
    return await one(
        mind,
        "MATCH (t:Thought {namespace: $n}) WHERE t.embedding_deferred RETURN count(t)",
        n=mind.settings.namespace,
    )


async def test_a_thought_without_the_embedder_is_stored_chained_linked_and_marked_deferred(
    deferring: Mind,
) -> None:
    embedder(deferring).down = True
    result = await think(deferring, "a copper kettle", hypothesis="it boils", injection_scale=5, tags="debug")
    assert (result.deferred, result.memories, result.verification) == (True, [], None)
    assert result.chained
    assert result.links.previous_thought_id is not None
    report = await deferring.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 2)
    (stored,) = await raw(deferring, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
    assert not [name for name in stored["t"] if name.startswith("embedding_a")]
    thread = await deferring.operations["thoughts_thread"].call({"session_id": "session"})
    assert [thought.text for thought in thread.thoughts] == ["the copper kettle", "a copper kettle"]
    await text_indexed(deferring)
    found = await deferring.operations["search"].call({"query": "kettle", "method": "text"})
    assert len(found.hits) == 2


async def test_the_next_thought_embeds_and_recalls_deferred_items(deferring: Mind) -> None:
    embedder(deferring).down = True
    late = await think(deferring, "a blue whale sings", session_id="other")
    await deferring.operations["think_batch"].call({"thoughts": [{"content": "one"}, {"content": "two"}]})
    assert await deferred_count(deferring) == 3
    embedder(deferring).down = False
    after = await think(deferring, "the blue whale sings", session_id="third")
    assert not after.deferred
    assert bare(late) in [memory.id for memory in after.memories]
    assert await deferred_count(deferring) == 0
    (stored,) = await raw(deferring, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(late))
    assert stored["t"]["embedding_a_at"] > stored["t"]["recorded_at"]
    with noted_statements() as ran:
        await think(deferring, "nothing waits any more")
    assert not [name for name in ran if name.startswith("maintain/")]


async def test_a_batch_and_a_decision_record_report_deferred_thoughts(
    deferring: Mind, capsys: pytest.CaptureFixture[str]
) -> None:
    call = deferring.operations
    known = {"content": "known before", "idempotency_key": f"{deferring.settings.namespace} known"}
    whole = await call["think_batch"].call({"thoughts": [known]})
    plan = await call["thought_plan"].call({"session_id": "plans", "plan_description": "Boil it."})
    assert (whole.deferred, whole.thoughts[0].deferred, plan.deferred) == (0, False, False)
    embedder(deferring).down = True
    batch = await call["think_batch"].call({"thoughts": [known, {"content": "new"}]})
    assert (batch.deferred, [thought.deferred for thought in batch.thoughts]) == (1, [False, True])
    plan = await call["thought_plan"].call({"session_id": "plans", "plan_description": "Pour it."})
    assert plan.deferred
    show.result(whole)
    assert "embedder was down" not in capsys.readouterr().out
    show.result(batch)
    assert "embedder was down" in " ".join(capsys.readouterr().out.split())


async def test_another_process_embeds_deferred_items_with_any_setting(deferring: Mind) -> None:
    embedder(deferring).down = True
    await think(deferring, "a blue whale sings", session_id="other")
    async with Mind(deferring.settings.changed(on_embedder_down="error"), embedder=FakeEmbedder()) as other:
        await think(other, "something else")
    assert await deferred_count(deferring) == 0


@pytest.mark.slow
async def test_many_deferred_items_are_embedded_over_several_calls(deferring: Mind) -> None:
    embedder(deferring).down = True
    for start in (0, 70):
        thoughts = [{"content": f"thought {start + n}"} for n in range(70)]
        await deferring.operations["think_batch"].call({"thoughts": thoughts})
    embedder(deferring).down = False
    left: list[int] = []
    for number in range(2):
        await think(deferring, f"later {number}")
        left.append(await deferred_count(deferring))
    assert left == [40, 0]


async def test_a_deferred_thought_is_found_by_its_key_before_and_after_embedding(deferring: Mind) -> None:
    embedder(deferring).down = True
    first = await think(deferring, "once", idempotency_key="k")
    again = await think(deferring, "once", idempotency_key="k")
    assert (first.deferred, first.repeated) == (True, False)
    assert (again.deferred, again.repeated) == (True, True)
    embedder(deferring).down = False
    after = await think(deferring, "once", idempotency_key="k")
    assert (after.deferred, after.repeated) == (False, True)


async def test_a_redacted_thought_is_no_longer_deferred(deferring: Mind) -> None:
    embedder(deferring).down = True
    result = await think(deferring, "a secret")
    await deferring.operations["redact_thought"].call({"thought_id": bare(result), "reason": "asked to"})
    embedder(deferring).down = False
    await think(deferring, "later")
    (stored,) = await raw(deferring, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
    assert not [name for name in stored["t"] if name.startswith("embedding")]


async def test_by_default_nothing_is_stored(mind: Mind) -> None:
    await think(mind, "before")
    embedder(mind).down = True
    with pytest.raises(EmbeddingError):
        await think(mind, "lost")
    count = await one(mind, "MATCH (t:Thought {namespace: $n}) RETURN count(t)", n=mind.settings.namespace)
    assert count == 1


async def node(mind: Mind, id: str) -> dict[str, Any]:
    return await one(mind, "MATCH (n:Entity|Observation {id: $id}) RETURN n {.*}", id=id)


def cosine(stored: dict[str, Any], text: str) -> float:
    (vector,) = FakeEmbedder.of([text])
    return sum(x * y for x, y in zip(stored["embedding_a"], vector, strict=True))


FACTS: Final[dict[str, Any]] = {
    "entities": [{"name": "Ada", "entity_type": "person", "description": "writes programs"}],
    "observations": [
        {
            "entity": "Ada",
            "content": "Ada met Babbage in London.",
            "source": "a letter",
            "valid_from": "1833-06-05T00:00:00",
        }
    ],
    "relations": [{"source_entity": "Ada", "type": "KNOWS", "target_entity": "Babbage"}],
}


async def test_knowledge_without_the_embedder_is_stored_without_vectors_only(deferring: Mind) -> None:
    embedder(deferring).down = True
    first = await remember(deferring, **FACTS)
    assert (first.deferred, first.created) == (True, 4)
    again = await remember(deferring, **FACTS)
    assert (again.deferred, again.created) == (True, 0)
    for kind in ("entities", "observations", "relations"):
        assert [item.id for item in getattr(again, kind)] == [item.id for item in getattr(first, kind)]
    for item in (*first.entities, *first.observations):
        stored = await node(deferring, item.id)
        assert stored["embedding_deferred"] is True
        assert not [name for name in stored if name.startswith("embedding_a")]
    fact = await node(deferring, first.observations[0].id)
    assert (fact["source"], fact["valid_from"]) == ("a letter", datetime(1833, 6, 5, tzinfo=UTC))
    await text_indexed(deferring)
    embedder(deferring).down = False
    for method in ("text", "graph"):
        asked = {"query": "Babbage", "method": method, "kinds": ["entity", "observation"]}
        found = await deferring.operations["search"].call(asked)
        assert {hit.text for hit in found.hits} == {"Ada met Babbage in London.", "Babbage"}


async def test_deferred_knowledge_gets_the_vectors_it_would_have_had(deferring: Mind) -> None:
    embedder(deferring).down = True
    result = await remember(deferring, **FACTS)
    embedder(deferring).down = False
    other = await remember(deferring, entities=[{"name": "kettle"}])
    assert not other.deferred
    texts = ["Ada (person) - writes programs", "Babbage", "Ada: Ada met Babbage in London."]
    for item, text in zip((*result.entities, *result.observations), texts, strict=True):
        stored = await node(deferring, item.id)
        assert "embedding_deferred" not in stored
        assert stored["embedding_a_at"] > stored["recorded_at"]
        assert cosine(stored, text) == pytest.approx(1)
    with Wire() as wire:
        await remember(deferring, entities=[{"name": "pot"}])
    assert len(wire.statements) == 1


async def test_known_knowledge_stored_again_without_the_embedder_is_not_deferred(deferring: Mind) -> None:
    result = await remember(deferring, **FACTS)
    ids = [item.id for item in (*result.entities, *result.observations)]
    stated = {"changed_at": None, "noted_at": None, "stated_at": None}
    before = [await node(deferring, id) | stated for id in ids]
    embedder(deferring).down = True
    again = await remember(deferring, **FACTS)
    assert (again.deferred, again.created) == (False, 0)
    assert [await node(deferring, id) | stated for id in ids] == before


async def test_an_entity_with_a_new_description_keeps_its_old_vector_until_it_has_the_new(
    deferring: Mind,
) -> None:
    (result,) = (
        await remember(deferring, entities=[{"name": "kettle", "description": "boils water"}])
    ).entities
    embedder(deferring).down = True
    anew = await remember(deferring, entities=[{"name": "kettle", "description": "whistles loudly"}])
    assert anew.deferred
    assert cosine(await node(deferring, result.id), "kettle - boils water") == pytest.approx(1)
    embedder(deferring).down = False
    await think(deferring, "something else")
    stored = await node(deferring, result.id)
    assert cosine(stored, "kettle - whistles loudly") == pytest.approx(1)
    assert "embedding_deferred" not in stored


async def test_a_deferred_item_stored_again_is_embedded_at_once_if_its_whole_text_is_sent(
    deferring: Mind,
) -> None:
    """Another process defers, and this one, which has just looked, does not look again yet."""
    async with Mind(deferring.settings, embedder=FakeEmbedder()) as other:
        embedder(other).down = True
        result = await remember(other, **FACTS)
        bare_entity = (await remember(other, entities=[{"name": "kettle"}])).entities[0]
    ada, babbage, fact = [item.id for item in (*result.entities, *result.observations)]
    named = await remember(deferring, entities=[{"name": "Ada", "entity_type": "person"}, {"name": "kettle"}])
    assert named.deferred  # her name alone is not her whole text
    assert "embedding_a" not in await node(deferring, ada)
    assert cosine(await node(deferring, bare_entity.id), "kettle") == pytest.approx(1)
    whole = await remember(deferring, **FACTS)
    assert (whole.deferred, whole.created) == (False, 0)
    texts = ["Ada (person) - writes programs", "Babbage", "Ada: Ada met Babbage in London."]
    for id, text in zip((ada, babbage, fact), texts, strict=True):
        stored = await node(deferring, id)
        assert "embedding_deferred" not in stored
        assert cosine(stored, text) == pytest.approx(1)


async def test_a_process_that_looked_before_embeds_later_what_another_deferred(
    deferring: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Mind(deferring.settings, embedder=FakeEmbedder()) as other:
        embedder(other).down = True
        await think(other, "left behind")
        await remember(other, entities=[{"name": "kettle"}])
    with noted_statements() as ran:
        await think(deferring, "too early to look again")
    assert not [name for name in ran if name.startswith("maintain/")]
    assert await deferred_count(deferring) == 1
    monkeypatch.setattr(deferred, "RETRY_INTERVAL", 0.0)
    await think(deferring, "late enough")
    assert await deferred_count(deferring) == 0
    found = await deferring.operations["search"].call({"query": "kettle", "kinds": ["entity"]})
    assert found.hits[0].score == pytest.approx(1)


async def test_texts_that_the_embedder_refuses_are_not_retried_with_every_thought(deferring: Mind) -> None:
    embedder(deferring).down = True
    await think(deferring, "poison")
    embedder(deferring).down = False
    embedder(deferring).refused = "poison"
    for number in range(3):
        await think(deferring, f"another thought {number}")
    assert [call for call in embedder(deferring).calls[2:] if "poison" in call] == [["poison"]]
    assert await deferred_count(deferring) == 1


async def test_an_entity_described_while_it_is_embedded_stays_deferred(deferring: Mind) -> None:
    embedder(deferring).down = True
    (result,) = (await remember(deferring, entities=[{"name": "kettle", "description": "boils"}])).entities
    (row,) = [
        row
        for row in await deferring.graph.run(READ_DEFERRED, {"limit": 100})
        if row["id"] == result.id and row["content"] == "boils"
    ]
    await remember(deferring, entities=[{"name": "kettle", "description": "whistles"}])
    (vector,) = FakeEmbedder.of(["kettle - boils"])
    claim = await deferring.vectors.claim()
    (done,) = await deferring.graph.run(
        EMBED_DEFERRED,
        {
            "fingerprint": claim.fingerprint,
            "now": datetime.now(UTC),
            "rows": [{"kind": row["kind"], "id": row["id"], "content": "boils", "vector": vector}],
        },
    )
    assert done == 0
    assert (await node(deferring, result.id))["embedding_deferred"] is True


async def test_a_mismatch_of_models_defers_nothing(deferring: Mind) -> None:
    other = FakeEmbedder()
    other.info = replace(other.info, model="another")
    async with Mind(deferring.settings, embedder=other) as odd:
        with pytest.raises(EmbeddingMismatch):
            await remember(odd, **FACTS)
    known = await one(
        deferring, "MATCH (e:Entity {namespace: $n}) RETURN count(e)", n=deferring.settings.namespace
    )
    assert known == 0


async def test_imported_knowledge_is_deferred_too(deferring: Mind) -> None:
    embedder(deferring).down = True
    lines = [
        '{"kind": "header", "format": "legacymind", "version": 1}',
        '{"kind": "entity", "name": "kettle"}',
        '{"kind": "observation", "entity": "kettle", "content": "It whistles."}',
    ]
    imported = await deferring.import_lines(lines)
    assert (imported.entities, imported.observations, imported.deferred) == (1, 1, True)
    embedder(deferring).down = False
    await think(deferring, "later")
    again = await deferring.import_lines(lines)
    assert (again.known, again.deferred) == (2, False)


@pytest.mark.slow
async def test_deferred_items_are_found_without_reading_others(deferring: Mind) -> None:
    text = re.sub(r"^CYPHER 25\b", "CYPHER 25 EXPLAIN", READ_DEFERRED.text, flags=re.MULTILINE)
    async with deferring.graph._connected().session("READ") as session:  # pyright: ignore[reportPrivateUsage]  # rows say nothing of it
        result = await session.run(cast("LiteralString", text), {"limit": 1})
        plan = cast("dict[str, Any]", (await result.consume()).plan)
    assert operators(plan) & {"NodeIndexSeek", "NodeByLabelScan", "AllNodesScan"} == {"NodeIndexSeek"}


def operators(plan: dict[str, Any]) -> set[str]:
    """The names of a plan's operators."""
    found = {plan["operatorType"].partition("@")[0]}
    return found.union(*(operators(child) for child in plan.get("children", [])))


async def test_what_waits_for_its_vector_goes_through_an_export_and_an_import_as_it_is(
    deferring: Mind, tmp_path: Path
) -> None:
    async def lines() -> list[str]:
        return [line async for line in deferring.export()]

    embedder(deferring).down = True
    waiting = bare(await think(deferring, "a copper kettle", injection_scale=5))
    await remember(deferring, observations=[{"entity": "kettle", "content": "it whistles"}])
    before = await lines()
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join(before), encoding="utf-8")
    await raw(deferring, "MATCH (n {namespace: $ns}) DETACH DELETE n", ns=deferring.settings.namespace)
    restored = await deferring.import_file(file)
    assert getattr(restored, "chains").verdict == "intact"  # noqa: B009
    assert set((await lines())[:-1]) == set(before[:-1])  # the end counts what is there twice
    await text_indexed(deferring)
    found = await deferring.operations["search"].call({"query": "copper", "method": "text"})
    assert waiting in {hit.id for hit in found.hits}
    embedder(deferring).down = False
    await deferring.services.adoption._deferred_embedding.catch_up(everything=True)  # pyright: ignore[reportPrivateUsage]
    found = await deferring.operations["search"].call({"query": "kettle", "method": "vector"})
    assert waiting in {hit.id for hit in found.hits}
