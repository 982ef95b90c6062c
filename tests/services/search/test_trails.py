"""Walks from a thought along the thoughts that it follows, revises and recalls."""

from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.trails import TrailResult
from tests.steps import pages_of, store_thought
from tests.wire import one, raw

pytestmark = pytest.mark.anyio


async def walk(mind: Mind, start: str, **options: Any) -> TrailResult:
    return await mind.operations["walk_trail"].call({"thought_id": start, **options})


def contents(trail: TrailResult) -> list[tuple[str, int, str | None]]:
    return [(step.text, step.depth, step.via) for step in trail.steps]


async def relate(mind: Mind, start: str, end: str, kind: str) -> None:
    statement = "MATCH (a {id: $start}), (b {id: $end}) CREATE (a)-[:$($kind)]->(b)"
    await raw(mind, statement, start=start, end=end, kind=kind)


async def line(mind: Mind, count: int) -> list[str]:
    return [await store_thought(mind, f"step {number}") for number in range(count)]


async def test_a_trail_goes_back_to_the_beginning_nearest_first(mind: Mind) -> None:
    steps = await line(mind, 4)
    trail = await walk(mind, steps[3])
    assert (trail.start, trail.direction, trail.next, trail.deeper) == (steps[3], "back", None, False)
    assert contents(trail) == [("step 2", 1, "FOLLOWS"), ("step 1", 2, "FOLLOWS"), ("step 0", 3, "FOLLOWS")]
    assert [step.id for step in trail.steps] == steps[2::-1]
    assert [step.reached_from for step in trail.steps] == steps[:0:-1]
    assert [step.step_index for step in trail.steps] == [2, 1, 0]
    assert {(step.kind, step.session_id) for step in trail.steps} == {("thought", "session")}


async def test_direction_is_back_forward_or_both(mind: Mind) -> None:
    steps = await line(mind, 5)
    back = await walk(mind, f"thoughts:{steps[2]}")
    forward = await walk(mind, steps[2], direction="forward")
    both = await walk(mind, steps[2], direction="both")
    assert [step.text for step in back.steps] == ["step 1", "step 0"]
    assert [step.text for step in forward.steps] == ["step 3", "step 4"]
    assert sorted(step.text for step in both.steps) == ["step 0", "step 1", "step 3", "step 4"]
    assert [step.depth for step in both.steps] == [1, 1, 2, 2]


async def test_depth_limits_the_trail(mind: Mind) -> None:
    steps = await line(mind, 5)
    assert [step.text for step in (await walk(mind, steps[4], depth=2)).steps] == ["step 3", "step 2"]
    assert len((await walk(mind, steps[4], depth=0)).steps) == 1  # clamped
    assert len((await walk(mind, steps[4], depth=1000)).steps) == 4


async def test_only_the_requested_types_are_walked(mind: Mind) -> None:
    first, second = await store_thought(mind, "first"), await store_thought(mind, "second")
    third = await store_thought(mind, "third", revises_thought=first, parent_id=second)
    assert contents(await walk(mind, third, types=["REVISES"])) == [("first", 1, "REVISES")]
    assert contents(await walk(mind, third, types=["CHILD_OF"])) == [("second", 1, "CHILD_OF")]
    mixed = await walk(mind, third, types=["CHILD_OF", "FOLLOWS"])
    assert [(step.text, step.depth) for step in mixed.steps] == [("second", 1), ("first", 2)]
    assert (await walk(mind, third, types=["SOLVES"])).steps == []


async def test_a_cycle_ends(mind: Mind) -> None:
    a, b, c = await line(mind, 3)
    await relate(mind, a, c, "ASSOCIATES")
    await relate(mind, b, b, "ASSOCIATES")
    trail = await walk(mind, a, types=["FOLLOWS", "ASSOCIATES"], depth=100)
    assert contents(trail) == [("step 2", 1, "ASSOCIATES"), ("step 1", 2, "FOLLOWS")]


async def test_a_diamond_returns_each_node_once_by_a_shortest_path(mind: Mind) -> None:
    top = await store_thought(mind, "top", session_id="a")
    sides = [await store_thought(mind, f"side {n}", session_id=f"side {n}", parent_id=top) for n in range(6)]
    bottom = await store_thought(mind, "bottom", session_id="b")
    for side in sides:
        await relate(mind, bottom, side, "CHILD_OF")
    trail = await walk(mind, bottom, types=["CHILD_OF"])
    assert [step.depth for step in trail.steps] == [1] * 6 + [2]
    assert (trail.steps[-1].text, len(trail.steps)) == ("top", 7)
    assert trail.steps[-1].reached_from in sides
    await relate(mind, bottom, top, "REVISES")
    assert (await walk(mind, bottom, types=["CHILD_OF", "REVISES"])).steps[0].depth == 1


async def test_recalled_memories_are_on_the_trail_with_rank_and_score(mind: Mind) -> None:
    await mind.operations["remember"].call(
        {
            "entities": [{"name": "copper kettle", "description": "boils water"}],
            "observations": [{"entity": "copper kettle", "content": "The copper kettle whistles."}],
        }
    )
    await store_thought(mind, "the copper kettle is hot", author="ada", hint="build", session_id="old")
    call = {"content": "copper kettle", "session_id": "new", "verbose_analysis": True}
    result = await mind.operations["think"].call(call)
    trail = await walk(mind, result.delegated_result.thought_id)
    assert [step.rank for step in trail.steps] == [1, 2, 3]
    assert [(step.id, step.kind, step.rank) for step in trail.steps] == [
        (memory.id, memory.kind, memory.rank) for memory in result.memories
    ]
    assert {step.via for step in trail.steps} == {"RECALLS"}
    for step, memory in zip(trail.steps, result.memories, strict=True):
        assert step.score == pytest.approx(memory.score, abs=1e-4)
    assert {step.text for step in trail.steps} >= {
        "copper kettle: boils water",
        "The copper kettle whistles.",
    }
    entity = next(step.id for step in trail.steps if step.kind == "entity")
    back = await walk(mind, entity, direction="forward")
    assert back.steps[0].text == "copper kettle"


async def test_pages_have_no_gap_and_no_repetition(mind: Mind) -> None:
    steps = await line(mind, 8)
    whole = await walk(mind, steps[7])
    pages = await pages_of(mind, "walk_trail", thought_id=steps[7], limit=3)
    assert [step for page in pages for step in page.steps] == whole.steps
    assert [len(page.steps) for page in pages] == [3, 3, 1]


async def test_a_trail_stays_in_its_namespace_even_at_a_forged_relationship(mind: Mind) -> None:
    ours = await line(mind, 2)
    theirs = await store_thought(mind, "theirs", namespace=f"{mind.settings.namespace}-theirs")
    beyond = await store_thought(mind, "ours again", session_id="other")
    await relate(mind, ours[0], theirs, "FOLLOWS")
    await relate(mind, theirs, beyond, "FOLLOWS")
    for direction in ("back", "both"):
        assert [step.id for step in (await walk(mind, ours[1], direction=direction)).steps] == [ours[0]]
    with pytest.raises(NotFound):
        await walk(mind, theirs)
    with pytest.raises(NotFound):
        await walk(mind, ours[0], namespace=f"{mind.settings.namespace}-theirs")


async def test_private_thoughts_are_walked_from_their_own_session_only(mind: Mind) -> None:
    await store_thought(mind, "open")
    secret = await store_thought(mind, "secret", is_private=True)
    after = await store_thought(mind, "after")
    stranger = await store_thought(mind, "stranger", session_id="another", parent_id=secret)
    async with Mind(mind.settings, embedder=mind.vectors.embedder) as free:
        outside = await store_thought(free, "outside", parent_id=secret)
        for start in (stranger, outside, after):
            assert (await walk(free, start)).steps == []
            assert (await walk(free, start, own_session_id="another")).steps == []
            # The links of others to a private thought wait, as if it did not exist.
            named = await walk(free, start, own_session_id="session")
            assert [step.text for step in named.steps] == (["secret", "open"] if start == after else [])
        for session in ("session", "another"):
            assert (await mind.verify(session)).verdict == "intact"
    assert [step.text for step in (await walk(mind, after)).steps] == ["secret", "open"]


async def test_an_unknown_or_invalid_start_is_rejected_and_the_next_walk_works(mind: Mind) -> None:
    steps = await line(mind, 2)
    with pytest.raises(NotFound) as missing:
        await walk(mind, "nothing")
    assert not missing.value.effect
    assert missing.value.hint
    refused: list[dict[str, Any]] = [
        {},
        {"thought_id": ""},
        {"thought_id": "thoughts:"},
        {"thought_id": "x" * 513},
        {"thought_id": "\ud800"},
        {"thought_id": None},
        {"thought_id": steps[0], "types": ["IN_SESSION"]},
        {"thought_id": steps[0], "types": ["FOLLOWS]->() DETACH DELETE a //"]},
        {"thought_id": steps[0], "types": ["FOLLOWS", "NO_SUCH_TYPE"]},
        {"thought_id": steps[0], "direction": "up"},
        {"thought_id": steps[0], "depth": "deep"},
        {"thought_id": steps[0], "limit": "nan"},
        {"thought_id": steps[0], "start": "x"},
    ]
    for arguments in refused:
        with pytest.raises(InvalidInput):
            await mind.operations["walk_trail"].call(arguments)
    assert len((await walk(mind, steps[1])).steps) == 1
    assert (
        await one(mind, "MATCH (t:Thought {namespace: $ns}) RETURN count(t)", ns=mind.settings.namespace) == 2
    )


async def test_a_redacted_thought_is_a_step_without_text(mind: Mind) -> None:
    steps = await line(mind, 2)
    await mind.operations["redact_thought"].call({"thought_id": steps[0], "reason": "a test"})
    assert contents(await walk(mind, steps[1])) == [("", 1, "FOLLOWS")]
