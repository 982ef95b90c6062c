"""Reading one thought, observation or entity in full by its id."""

from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.nodes import NodeResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from tests.steps import remember, remember_entity, search, store_thought, think

pytestmark = pytest.mark.anyio

LONG = "".join(f"Fact {number} of the long report about the reactor. " for number in range(100))


async def get(mind: Mind, id: str, **options: Any) -> NodeResult:
    return await mind.operations["get"].call({"id": id, **options})


async def test_a_thought_is_read_with_all_its_fields(mind: Mind) -> None:
    first = await store_thought(mind, "The reactor hums.")
    stored = await think(
        mind,
        LONG,
        hint="plan",
        tags=["plan"],
        confidence=0.75,
        significance=0.5,
        author="Ada",
        chain_id="reactor",
        context_id="ticket-1",
        action_id="scram",
        previous_thought_id=first,
        created_at="2024-05-06T07:08:09Z",
    )
    own_id = stored.delegated_result.thought_id
    read = await get(mind, own_id)
    assert (read.id, read.kind, read.text, read.length, read.next) == (
        own_id.removeprefix("thoughts:"),
        "thought",
        LONG,
        len(LONG),
        None,
    )
    assert read.embedded
    assert read.observation is None
    assert read.entity is None
    thought = read.thought
    assert thought is not None
    assert (thought.mode, thought.tags, thought.confidence, thought.significance, thought.salience) == (
        "plan",
        ["plan"],
        0.75,
        0.5,
        0.5,
    )
    assert (thought.author, thought.chain_id, thought.context_id, thought.action_id) == (
        "Ada",
        "reactor",
        "ticket-1",
        "scram",
    )
    assert thought.created_at == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert (thought.session_id, thought.step_index, thought.previous_thought_id) == ("session", 1, first)
    assert stored.chain is not None
    assert (thought.chain_hash, thought.prev_hash) == (stored.chain.chain_hash, stored.chain.prev_hash)


async def test_what_replaces_and_solves_a_thought_is_named(mind: Mind) -> None:
    problem = await store_thought(mind, "The pump fails with KeyError: 'flow'", hint="stuck")
    solution = await store_thought(mind, "Set the key flow before the pump starts", hint="build")
    await mind.operations["record_outcome"].call(
        {"thought_id": solution, "outcome": "success", "solves": problem}
    )
    revision = await store_thought(mind, "The pump fails with KeyError: 'rate'", revises_thought=problem)
    read = await get(mind, problem)
    assert (read.solved_by, read.revised_by) == (solution, revision)
    solved = await get(mind, solution)
    assert solved.thought is not None
    assert solved.thought.outcome_score == 1.0


async def test_a_fact_is_read_whole_with_its_entity_source_and_validity(mind: Mind) -> None:
    told = await store_thought(mind, "Ada said where she lives.")
    stored = await remember(
        mind,
        observations=[
            {
                "entity": "Ada",
                "entity_type": "person",
                "content": LONG,
                "source": "letter",
                "learned_from": told,
                "valid_from": "2020-01-01T00:00:00Z",
            }
        ],
    )
    old = stored.observations[0].id
    newer = await remember(
        mind, observations=[{"entity": "Ada", "content": "Ada lives in Rome", "supersedes": old}]
    )
    read = await get(mind, old)
    assert (read.kind, read.text) == ("observation", LONG)
    assert read.revised_by == newer.observations[0].id
    fact = read.observation
    assert fact is not None
    assert fact.entity is not None
    assert (fact.entity.name, fact.entity.entity_type) == ("Ada", "person")
    assert (fact.source, fact.learned_from, fact.valid_from) == (
        "letter",
        [told],
        datetime(2020, 1, 1, tzinfo=UTC),
    )
    assert fact.valid_to is not None  # superseded
    current = (await get(mind, newer.observations[0].id)).observation
    assert current is not None
    assert (current.valid_to, current.supersedes) == (None, [old])


async def test_an_entity_is_read_with_its_data(mind: Mind) -> None:
    own_id = await remember_entity(
        mind, "Reactor 4", entity_type="unit", description="Makes steam", data={"rods": [1, 2], "hot": True}
    )
    read = await get(mind, own_id)
    assert (read.kind, read.text) == ("entity", "Makes steam")
    assert read.entity is not None
    assert (read.entity.name, read.entity.data) == ("Reactor 4", {"rods": [1, 2], "hot": True})


async def test_a_long_text_is_read_in_parts_that_join_to_the_whole(mind: Mind) -> None:
    own_id = await store_thought(mind, LONG)
    parts: list[str] = []
    after: str | None = None
    while not parts or after is not None:
        read = await get(mind, own_id, after=after, max_tokens=500)
        assert read.length == len(LONG)
        assert read.text
        parts.append(read.text)
        after = read.next
    assert len(parts) > 2
    assert "".join(parts) == LONG


async def test_without_a_budget_the_longest_thought_comes_in_pages(mind: Mind) -> None:
    whole = (LONG * 20)[:90_000]
    own_id = await store_thought(mind, whole)
    parts: list[str] = []
    after: str | None = None
    while not parts or after is not None:
        read = await get(mind, own_id, after=after)
        assert tokens(jsonable(read)) <= 4_000
        parts.append(read.text)
        after = read.next
    assert "".join(parts) == whole
    assert len(parts) < 10
    assert (await get(mind, own_id, max_tokens=100_000)).text == whole


async def test_a_private_thought_is_read_in_its_own_session_only(mind: Mind) -> None:
    own_id = await store_thought(mind, "My secret", session_id="mine", is_private=True)
    with pytest.raises(NotFound, match=own_id):
        await get(mind, own_id)
    with pytest.raises(NotFound, match=own_id):
        await get(mind, own_id, own_session_id="other")
    assert (await get(mind, own_id, own_session_id="mine")).text == "My secret"


async def test_a_redacted_thought_has_no_text_and_its_reason(mind: Mind) -> None:
    own_id = await store_thought(mind, "A phone number")
    await mind.operations["redact_thought"].call({"thought_id": own_id, "reason": "asked for"})
    read = await get(mind, own_id)
    assert (read.text, read.length, read.embedded) == ("", 0, False)
    answer = jsonable(read)
    assert answer["text"] == ""
    assert None not in answer["thought"].values()
    assert {"entity", "observation", "next"}.isdisjoint(answer)
    assert read.thought is not None
    assert read.thought.redacted_reason == "asked for"
    assert read.thought.redacted_at is not None


async def test_content_and_data_of_other_types_are_readable(mind: Mind) -> None:
    """Something else may have written a number as the content, or a text as the data."""
    thought = await store_thought(mind, "Seven")
    entity = await remember_entity(mind, "Odd")
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]
        await session.run("MATCH (t:Thought {id: $id}) SET t.content = 7", id=thought)
        await session.run("MATCH (e:Entity {id: $id}) SET e.data = 'no json'", id=entity)
    assert (await get(mind, thought)).text == "7"
    assert not (await get(mind, thought)).outside_chain
    read = (await get(mind, entity)).entity
    assert read is not None
    assert read.data == {"text": "no json"}


async def test_a_thought_outside_its_chain_is_marked(mind: Mind) -> None:
    thought = await store_thought(mind, "Forged")
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]
        await session.run("MATCH (t:Thought {id: $id}) SET t.step_index = '5', t.chained = null", id=thought)
    read = await get(mind, thought)
    assert read.outside_chain is True
    assert read.thought is not None
    assert read.thought.step_index is None


@pytest.mark.parametrize("id", ["", "  ", "x" * 600])
async def test_an_id_that_cannot_be_one_is_invalid(mind: Mind, id: str) -> None:
    with pytest.raises(InvalidInput):
        await get(mind, id)


async def test_an_unknown_id_is_not_found(mind: Mind) -> None:
    with pytest.raises(NotFound, match="has the id nothing in this namespace"):
        await get(mind, "nothing")


async def test_a_node_is_read_as_of_a_time_when_it_was_there(mind: Mind) -> None:
    thought = await store_thought(mind, "seen", created_at="2020-01-02T00:00:00+00:00")
    known = await remember(
        mind,
        observations=[
            {
                "entity": "Ada",
                "content": "Ada is ten.",
                "valid_from": "2020-01-02T00:00:00+00:00",
                "valid_to": "2021-01-02T00:00:00+00:00",
            }
        ],
    )
    fact = known.observations[0].id
    for id, text in ((thought, "seen"), (fact, "Ada is ten.")):
        assert (await get(mind, id)).text == (await get(mind, id, as_of="2020-06-01T00:00:00")).text == text
        with pytest.raises(NotFound, match="at 2019-01-01 00:00:00 UTC"):
            await get(mind, id, as_of="2019-01-01T00:00:00")
    assert (await get(mind, thought, as_of="2022-01-01T00:00:00")).text == "seen"
    with pytest.raises(NotFound, match="omit it"):
        await get(mind, fact, as_of="2021-01-02T00:00:00")


async def test_an_entity_has_its_facts_in_a_read_and_in_a_trail(mind: Mind) -> None:
    facts = [{"entity": "Ferry", "content": f"The ferry has deck {n}."} for n in range(3)]
    stored = await remember(mind, observations=facts)
    ferry = stored.entities[0].id if stored.entities else ""
    ferry = ferry or (await search(mind, None, kinds=["entity"])).hits[0].id
    found = await mind.operations["get"].call({"id": ferry})
    assert {fact.text for fact in found.facts} == {str(fact["content"]) for fact in facts}
    assert found.more_facts is None
    trail = await mind.operations["walk_trail"].call({"thought_id": ferry})
    assert {step.id for step in trail.steps} == {fact.id for fact in stored.observations}
    more = [{"entity": "Ferry", "content": f"The ferry carries car {n}."} for n in range(20)]
    await remember(mind, observations=more)
    found = await mind.operations["get"].call({"id": ferry})
    assert (len(found.facts), found.more_facts) == (20, True)
