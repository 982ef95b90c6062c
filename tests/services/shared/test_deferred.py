"""What is stored while the embedder is down: refused, or kept and embedded as soon as it answers."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, LiteralString, cast

import pytest

from legacymind.db import queries
from legacymind.doors.cli import show_think as show
from legacymind.errors import EmbeddingError, EmbeddingMismatch
from legacymind.mind import Mind
from legacymind.services.shared import deferred
from tests.fakes import FakeEmbedder
from tests.steps import bare, remember, think
from tests.wire import Wire, one, raw, text_indexed

pytestmark = pytest.mark.anyio


@pytest.fixture
async def patient(mind: Mind) -> Any:
    """A mind that stores without its embedder, and has a thought from before."""
    settings = replace(mind.settings, on_embedder_down="defer")
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        await opened.operations["think"].call({"content": "the copper kettle"})
        yield opened


def embedder(mind: Mind) -> FakeEmbedder:
    found = mind.vectors.embedder
    assert isinstance(found, FakeEmbedder)
    return found


async def waiting(mind: Mind) -> int:
    return await one(
        mind,
        "MATCH (t:Thought {namespace: $n}) WHERE t.embedding_deferred RETURN count(t)",
        n=mind.settings.namespace,
    )


async def test_a_thought_without_the_embedder_is_stored_chained_linked_and_says_so(patient: Mind) -> None:
    embedder(patient).down = True
    result = await think(patient, "a copper kettle", hypothesis="it boils", injection_scale=5, tags="debug")
    assert (result.deferred, result.memories, result.verification) == (True, [], None)
    assert result.chained
    assert result.links.previous_thought_id is not None
    report = await patient.operations["verify_chain"].call({"session_id": "session"})
    assert (report.valid, report.complete, report.thought_count) == (True, True, 2)
    (stored,) = await raw(patient, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
    assert not [name for name in stored["t"] if name.startswith("embedding_a")]
    thread = await patient.operations["thoughts_thread"].call({"session_id": "session"})
    assert [thought.content for thought in thread.thoughts] == ["the copper kettle", "a copper kettle"]
    await text_indexed(patient)
    found = await patient.operations["search"].call({"query": "kettle", "method": "text"})
    assert len(found.hits) == 2


async def test_the_next_thought_embeds_what_waited_and_recalls_it(patient: Mind) -> None:
    embedder(patient).down = True
    late = await think(patient, "a blue whale sings", session_id="other")
    await patient.operations["think_batch"].call({"thoughts": [{"content": "one"}, {"content": "two"}]})
    assert await waiting(patient) == 3
    embedder(patient).down = False
    after = await think(patient, "the blue whale sings", session_id="third")
    assert not after.deferred
    assert bare(late) in [memory.id for memory in after.memories]
    assert await waiting(patient) == 0
    (stored,) = await raw(patient, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(late))
    assert stored["t"]["embedding_a_model"] == "bag-of-words"
    with Wire() as wire:
        await think(patient, "nothing waits any more")
    assert len(wire.statements) == 1


async def test_a_batch_and_a_decision_record_say_what_of_them_waits(
    patient: Mind, capsys: pytest.CaptureFixture[str]
) -> None:
    call = patient.operations
    known = {"content": "known before", "idempotency_key": f"{patient.settings.namespace} known"}
    whole = await call["think_batch"].call({"thoughts": [known]})
    plan = await call["thought_plan"].call({"session_id": "plans", "plan_description": "Boil it."})
    assert (whole.deferred, whole.thoughts[0].deferred, plan.deferred) == (0, False, False)
    embedder(patient).down = True
    batch = await call["think_batch"].call({"thoughts": [known, {"content": "new"}]})
    assert (batch.deferred, [thought.deferred for thought in batch.thoughts]) == (1, [False, True])
    plan = await call["thought_plan"].call({"session_id": "plans", "plan_description": "Pour it."})
    assert plan.deferred
    show.result(whole)
    assert "embedder was down" not in capsys.readouterr().out
    show.result(batch)
    assert "embedder was down" in " ".join(capsys.readouterr().out.split())


async def test_another_process_catches_up_as_well_whatever_its_setting(patient: Mind) -> None:
    embedder(patient).down = True
    await think(patient, "a blue whale sings", session_id="other")
    async with Mind(replace(patient.settings, on_embedder_down="error"), embedder=FakeEmbedder()) as other:
        await think(other, "something else")
    assert await waiting(patient) == 0


async def test_more_than_one_call_can_take_is_caught_up_with_call_by_call(patient: Mind) -> None:
    embedder(patient).down = True
    for start in (0, 70):
        thoughts = [{"content": f"thought {start + n}"} for n in range(70)]
        await patient.operations["think_batch"].call({"thoughts": thoughts})
    embedder(patient).down = False
    left: list[int] = []
    for number in range(2):
        await think(patient, f"later {number}")
        left.append(await waiting(patient))
    assert left == [40, 0]


async def test_a_deferred_thought_is_met_again_by_its_key_before_and_after(patient: Mind) -> None:
    embedder(patient).down = True
    first = await think(patient, "once", idempotency_key="k")
    again = await think(patient, "once", idempotency_key="k")
    assert (first.deferred, first.repeated) == (True, False)
    assert (again.deferred, again.repeated) == (True, True)
    embedder(patient).down = False
    after = await think(patient, "once", idempotency_key="k")
    assert (after.deferred, after.repeated) == (False, True)


async def test_a_redacted_thought_waits_for_nothing(patient: Mind) -> None:
    embedder(patient).down = True
    result = await think(patient, "a secret")
    await patient.operations["redact_thought"].call({"thought_id": bare(result), "reason": "asked to"})
    embedder(patient).down = False
    await think(patient, "later")
    (stored,) = await raw(patient, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))
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


async def test_knowledge_without_the_embedder_is_stored_whole_but_for_its_vectors(patient: Mind) -> None:
    embedder(patient).down = True
    first = await remember(patient, **FACTS)
    assert (first.deferred, first.created) == (True, 4)
    again = await remember(patient, **FACTS)
    assert (again.deferred, again.created) == (True, 0)
    for kind in ("entities", "observations", "relations"):
        assert [item.id for item in getattr(again, kind)] == [item.id for item in getattr(first, kind)]
    for item in (*first.entities, *first.observations):
        stored = await node(patient, item.id)
        assert stored["embedding_deferred"] is True
        assert not [name for name in stored if name.startswith("embedding_a")]
    fact = await node(patient, first.observations[0].id)
    assert (fact["source"], fact["valid_from"]) == ("a letter", datetime(1833, 6, 5, tzinfo=UTC))
    await text_indexed(patient)
    embedder(patient).down = False
    for method in ("text", "graph"):
        asked = {"query": "Babbage", "method": method, "kinds": ["entity", "observation"]}
        found = await patient.operations["search"].call(asked)
        assert {hit.text for hit in found.hits} == {"Ada met Babbage in London.", "Babbage"}


async def test_knowledge_that_waited_gets_the_vectors_it_would_have_had(patient: Mind) -> None:
    embedder(patient).down = True
    told = await remember(patient, **FACTS)
    embedder(patient).down = False
    other = await remember(patient, entities=[{"name": "kettle"}])
    assert not other.deferred
    texts = ["Ada (person) - writes programs", "Babbage", "Ada: Ada met Babbage in London."]
    for item, text in zip((*told.entities, *told.observations), texts, strict=True):
        stored = await node(patient, item.id)
        assert "embedding_deferred" not in stored
        assert (stored["embedding_a_model"], cosine(stored, text)) == ("bag-of-words", pytest.approx(1))
    with Wire() as wire:
        await remember(patient, entities=[{"name": "pot"}])
    assert len(wire.statements) == 1


async def test_known_knowledge_told_again_without_the_embedder_waits_for_nothing(patient: Mind) -> None:
    told = await remember(patient, **FACTS)
    before = [await node(patient, item.id) for item in (*told.entities, *told.observations)]
    embedder(patient).down = True
    again = await remember(patient, **FACTS)
    assert (again.deferred, again.created) == (False, 0)
    assert [await node(patient, item.id) for item in (*told.entities, *told.observations)] == before


async def test_an_entity_described_anew_is_found_by_its_old_vector_until_it_has_the_new(
    patient: Mind,
) -> None:
    (told,) = (await remember(patient, entities=[{"name": "kettle", "description": "boils water"}])).entities
    embedder(patient).down = True
    anew = await remember(patient, entities=[{"name": "kettle", "description": "whistles loudly"}])
    assert anew.deferred
    assert cosine(await node(patient, told.id), "kettle - boils water") == pytest.approx(1)
    embedder(patient).down = False
    await think(patient, "something else")
    stored = await node(patient, told.id)
    assert cosine(stored, "kettle - whistles loudly") == pytest.approx(1)
    assert "embedding_deferred" not in stored


async def test_what_waits_and_is_told_again_gets_its_vector_at_once_if_the_whole_text_is_there(
    patient: Mind,
) -> None:
    """While another process defers, this one, which has just looked, does not look again for a while."""
    async with Mind(patient.settings, embedder=FakeEmbedder()) as other:
        embedder(other).down = True
        told = await remember(other, **FACTS)
        bare_entity = (await remember(other, entities=[{"name": "kettle"}])).entities[0]
    ada, babbage, fact = [item.id for item in (*told.entities, *told.observations)]
    named = await remember(patient, entities=[{"name": "Ada", "entity_type": "person"}, {"name": "kettle"}])
    assert named.deferred  # by her name alone she would be known as less than she is
    assert "embedding_a" not in await node(patient, ada)
    assert cosine(await node(patient, bare_entity.id), "kettle") == pytest.approx(1)
    whole = await remember(patient, **FACTS)
    assert (whole.deferred, whole.created) == (False, 0)
    texts = ["Ada (person) - writes programs", "Babbage", "Ada: Ada met Babbage in London."]
    for id, text in zip((ada, babbage, fact), texts, strict=True):
        stored = await node(patient, id)
        assert "embedding_deferred" not in stored
        assert cosine(stored, text) == pytest.approx(1)


async def test_a_process_that_looked_before_finds_later_what_another_left_waiting(
    patient: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Mind(patient.settings, embedder=FakeEmbedder()) as other:
        embedder(other).down = True
        await think(other, "left behind")
        await remember(other, entities=[{"name": "kettle"}])
    with Wire() as wire:
        await think(patient, "too early to look again")
    assert (len(wire.statements), await waiting(patient)) == (1, 1)
    monkeypatch.setattr(deferred, "RETRY_INTERVAL", 0.0)
    await think(patient, "late enough")
    assert await waiting(patient) == 0
    found = await patient.operations["search"].call({"query": "kettle", "kinds": ["entity"]})
    assert found.hits[0].score == pytest.approx(1)


async def test_texts_that_the_embedder_refuses_are_not_tried_with_every_thought(patient: Mind) -> None:
    embedder(patient).down = True
    await think(patient, "poison")
    embedder(patient).down = False
    embedder(patient).refused = "poison"
    for number in range(3):
        await think(patient, f"another thought {number}")
    assert [call for call in embedder(patient).calls[2:] if "poison" in call] == [["poison"]]
    assert await waiting(patient) == 1


async def test_an_entity_described_while_its_vector_was_made_waits_for_the_next(patient: Mind) -> None:
    embedder(patient).down = True
    (told,) = (await remember(patient, entities=[{"name": "kettle", "description": "boils"}])).entities
    (row,) = [
        row
        for row in await patient.graph.run(queries.read_deferred, {"limit": 100})
        if row["id"] == told.id and row["content"] == "boils"
    ]
    await remember(patient, entities=[{"name": "kettle", "description": "whistles"}])
    (vector,) = FakeEmbedder.of(["kettle - boils"])
    claim = await patient.vectors.claim()
    (done,) = await patient.graph.run(
        queries.embed_deferred,
        {
            "fingerprint": claim.fingerprint,
            "details": {},
            "rows": [{"kind": row["kind"], "id": row["id"], "content": "boils", "vector": vector}],
        },
    )
    assert done["embedded"] == 0
    assert (await node(patient, told.id))["embedding_deferred"] is True


async def test_another_models_vectors_are_no_reason_to_remember_without(patient: Mind) -> None:
    other = FakeEmbedder()
    other.info = replace(other.info, model="another")
    async with Mind(patient.settings, embedder=other) as odd:
        with pytest.raises(EmbeddingMismatch):
            await remember(odd, **FACTS)
    known = await one(
        patient, "MATCH (e:Entity {namespace: $n}) RETURN count(e)", n=patient.settings.namespace
    )
    assert known == 0


async def test_imported_knowledge_waits_as_well(patient: Mind) -> None:
    embedder(patient).down = True
    lines = [
        '{"kind": "header", "format": "legacymind", "version": 1}',
        '{"kind": "entity", "name": "kettle"}',
        '{"kind": "observation", "entity": "kettle", "content": "It whistles."}',
    ]
    imported = await patient.import_lines(lines)
    assert (imported.entities, imported.observations, imported.deferred) == (1, 1, True)
    embedder(patient).down = False
    await think(patient, "later")
    again = await patient.import_lines(lines)
    assert (again.known, again.deferred) == (2, False)


async def test_what_waits_is_found_without_reading_what_does_not(patient: Mind) -> None:
    text = re.sub(r"^CYPHER 25\b", "CYPHER 25 EXPLAIN", queries.read_deferred.text, flags=re.MULTILINE)
    async with patient.graph._connected().session("READ") as session:  # pyright: ignore[reportPrivateUsage]  # rows say nothing of it
        result = await session.run(cast("LiteralString", text), {"limit": 1})
        plan = cast("dict[str, Any]", (await result.consume()).plan)
    assert operators(plan) & {"NodeIndexSeek", "NodeByLabelScan", "AllNodesScan"} == {"NodeIndexSeek"}


def operators(plan: dict[str, Any]) -> set[str]:
    """What a plan is made of."""
    found = {plan["operatorType"].partition("@")[0]}
    return found.union(*(operators(child) for child in plan.get("children", [])))
