"""Relating and pinning thoughts after they were stored."""

import asyncio
from typing import Any

import pytest

from legacymind.doors.answer import jsonable
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.base import ThoughtRelation
from legacymind.model.think import RelateResult
from legacymind.operations.budget import tokens
from legacymind.services.think.relations import NO_ROOM, TOO_MANY
from tests.steps import remember, remember_entity, store_thought, think
from tests.wire import raw

pytestmark = pytest.mark.anyio


async def relate(mind: Mind, thought: str, target: str, **options: Any) -> RelateResult:
    return await mind.operations["relate_thought"].call(
        {"thought_id": thought, "target_id": target, **options}
    )


@pytest.mark.parametrize("kind", ThoughtRelation.__args__)  # type: ignore[attr-defined]
async def test_a_relation_is_walked_by_trails_and_undone(mind: Mind, kind: str) -> None:
    thought = await store_thought(mind, "The pump fails", session_id="one")
    other = await store_thought(mind, "Reactor manual", session_id="two")
    made = await relate(mind, thought, other, type=kind, note="same plant")
    assert (made.type, made.target_kind, made.created, made.removed) == (kind, "thought", True, False)
    again = await relate(mind, f"thoughts:{thought}", other, type=kind, weight=0.5)
    assert again.created is False
    (row,) = await raw(
        mind, "MATCH (:Thought {id: $id})-[r]->(:Thought) RETURN type(r) AS type, r {.*} AS r", id=thought
    )
    assert row["type"] == kind
    assert (row["r"]["weight"], row["r"]["note"]) == (0.5, "same plant")
    trail = await mind.operations["walk_trail"].call({"thought_id": thought, "types": [kind]})
    assert [(step.id, step.via) for step in trail.steps] == [(other, kind)]
    assert (await relate(mind, thought, other, type=kind, remove=True)).removed
    assert not (await relate(mind, thought, other, type=kind, remove=True)).removed
    assert (await mind.operations["walk_trail"].call({"thought_id": thought, "types": [kind]})).steps == []
    for session in ("one", "two"):
        assert (await mind.operations["verify_chain"].call({"session_id": session})).verdict == "intact"


async def test_what_was_redacted_has_relations_without_notes_only(mind: Mind) -> None:
    thought, other = [await store_thought(mind, text) for text in ("The pump fails", "Reactor manual")]
    await mind.operations["redact_thought"].call({"thought_id": other, "reason": "a name"})
    with pytest.raises(InvalidInput, match="redacted"):
        await relate(mind, thought, other, note="same plant")
    assert (await relate(mind, thought, other)).created


async def test_a_thought_is_related_to_knowledge(mind: Mind) -> None:
    thought = await store_thought(mind, "The pump fails")
    entity = await remember_entity(mind, "Pump")
    stored = await remember(mind, observations=[{"entity": "Pump", "content": "It is old"}])
    assert (await relate(mind, thought, entity)).target_kind == "entity"
    assert (await relate(mind, thought, stored.observations[0].id)).target_kind == "observation"


@pytest.mark.parametrize(
    ("kind", "named"), [("CONTRADICTS", "contradicted_by"), ("SOLVES", "solved_by"), ("REINFORCES", None)]
)
async def test_only_a_thought_is_contradicted_reinforced_or_solved_and_reads_say_by_whom(
    mind: Mind, kind: str, named: str | None
) -> None:
    claim = await store_thought(mind, "The pump fails at noon", session_id="one")
    answer = await store_thought(mind, "The pump ran all day", session_id="two")
    await relate(mind, answer, claim, type=kind)
    read = await mind.operations["get"].call({"id": claim})
    found = {name: getattr(read, name) for name in ("contradicted_by", "solved_by", "revised_by")}
    assert {name: by for name, by in found.items() if by} == ({named: answer} if named else {})
    entity = await remember_entity(mind, "Pump")
    with pytest.raises(InvalidInput, match=f"{kind} leads to a thought, and .* is an entity"):
        await relate(mind, answer, entity, type=kind)
    (row,) = await raw(
        mind, "MATCH (:Thought {id: $id})-[r]->(:Entity) RETURN collect(type(r)) AS types", id=answer
    )
    assert {*row["types"]} <= {"MENTIONS"}  # maintenance may have found the name


async def test_recall_at_scale_4_follows_an_association(mind: Mind) -> None:
    far = await store_thought(mind, "zinc lamp umbrella", session_id="far")
    near = await store_thought(mind, "the copper kettle boils", session_id="near")
    question = {"injection_scale": 4}
    before = await think(mind, "does the copper kettle boil?", session_id="before", **question)
    assert far not in [memory.id for memory in before.memories]
    await relate(mind, near, far)
    after = await think(mind, "will the copper kettle boil soon?", session_id="after", **question)
    assert far in [memory.id for memory in after.memories], [memory.text for memory in after.memories]


async def test_two_relations_at_once_create_one(mind: Mind) -> None:
    thought, other = await store_thought(mind, "a"), await store_thought(mind, "b")
    made = await asyncio.gather(*(relate(mind, thought, other, type="DEPENDS_ON") for _ in range(8)))
    assert sum(one.created for one in made) == 1
    (row,) = await raw(mind, "MATCH (:Thought {id: $id})-[r:DEPENDS_ON]->() RETURN count(r) AS n", id=thought)
    assert row["n"] == 1


async def test_private_thoughts_are_related_in_their_session_only(mind: Mind) -> None:
    thought = await store_thought(mind, "public")
    secret = await store_thought(mind, "secret", session_id="mine", is_private=True)
    for pair in ((thought, secret), (secret, thought)):
        with pytest.raises(NotFound, match=secret):
            await relate(mind, *pair)
    assert (await relate(mind, secret, thought, own_session_id="mine")).created


@pytest.mark.parametrize(
    ("target", "options", "raised"),
    [
        ("nothing", {}, NotFound),
        ("itself", {}, InvalidInput),
        ("", {}, InvalidInput),
        ("nothing", {"type": "RECALLS"}, InvalidInput),
        ("nothing", {"type": "x]->() DETACH DELETE t //"}, InvalidInput),
        ("nothing", {"note": "x" * 1001}, InvalidInput),
    ],
)
async def test_a_relation_that_cannot_be_is_refused(
    mind: Mind, target: str, options: dict[str, Any], raised: type[Exception]
) -> None:
    thought = await store_thought(mind, "a")
    with pytest.raises(raised):
        await relate(mind, thought, thought if target == "itself" else target, **options)
    assert await raw(mind, "MATCH (:Thought {id: $id})-[r:ASSOCIATES]->() RETURN r", id=thought) == []


async def test_a_pinned_thought_begins_every_context(mind: Mind) -> None:
    thought = await store_thought(mind, "Never deploy on Fridays")
    pin = mind.operations["pin_thought"].call
    assert (await pin({"thought_id": thought})).changed
    assert not (await pin({"thought_id": thought})).changed
    context = await mind.operations["context"].call({})
    assert [hit.id for hit in context.pinned] == [thought]
    assert (await pin({"thought_id": thought, "pinned": False})).changed
    assert (await mind.operations["context"].call({})).pinned == []
    with pytest.raises(NotFound):
        await pin({"thought_id": "nothing"})


async def test_every_pinned_thought_is_in_a_context_and_a_warning_names_what_is_too_much(mind: Mind) -> None:
    thought = await store_thought(mind, "Never deploy on Fridays")
    pin, context = mind.operations["pin_thought"].call, mind.operations["context"].call
    await raw(
        mind,
        "UNWIND range(1, 19) AS n CREATE (:Thought {id: $ns + n, namespace: $ns, content: $said, hot: true, "
        "pinned: true, is_private: false, created_at: datetime() - duration({hours: n})})",
        ns=mind.settings.namespace,
        said="who I am " * 200,
    )
    assert (await pin({"thought_id": thought})).warnings == []
    found = await context({"limit": 1})
    assert (len(found.pinned), found.left_out, found.warnings) == (20, 0, [])
    assert found.pinned[0].id == thought
    few = await context({"max_tokens": 500})
    assert 0 < len(few.pinned) < 20
    assert few.left_out == 20 - len(few.pinned)
    assert few.warnings == [NO_ROOM]
    assert tokens(jsonable(few)) <= 500
    more = await store_thought(mind, "Always roll back first")
    assert (await pin({"thought_id": more})).warnings == [TOO_MANY]
    found = await context({})
    assert len(found.pinned) == 20
    assert (found.pinned[0].id, found.warnings) == (more, [TOO_MANY])
    assert (await pin({"thought_id": more, "pinned": False})).warnings == []
