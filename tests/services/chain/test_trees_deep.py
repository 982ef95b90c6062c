"""A session of 10,000 thoughts, each a child of the previous one: results report what they leave out."""

import uuid
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from legacymind.mind import Mind
from legacymind.operations.results import jsonable
from legacymind.services.chain.trees import MAX_DEPTH, MAX_TRAIL
from legacymind.services.shared.budget import tokens
from legacymind.settings import Settings
from tests.steps import own_namespace
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio

COUNT: Final = 10_000
SESSION: Final = "deep"
PREFIX: Final = str(uuid.uuid4())
# Fifty from the end would walk half a million steps for each page; one is enough for the depth.
ACTIONS: Final = {"deepest": [COUNT - 1], "fits": [MAX_TRAIL - 1], "one more": [MAX_TRAIL]} | {
    "fifty": list(range(950, 1_000))
}


def own(step: int) -> str:
    """The id of a step."""
    return f"{PREFIX}-{step}"


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, large=True) as opened:
        space = opened.settings.namespace
        steps: list[dict[str, Any]] = [
            {
                "id": own(step),
                "namespace": space,
                "session_id": SESSION,
                "step_index": step,
                "thought_type": "note",
                "content": f"Step {step}",
                "is_private": False,
            }
            for step in range(COUNT)
        ]
        await raw(
            opened,
            "UNWIND $steps AS step CREATE (t:Thought) SET t = step, t.created_at = datetime({year: 2026}) "
            "WITH collect(t) AS made UNWIND range(1, size(made) - 1) AS i "
            "WITH made[i] AS t, made[i - 1] AS parent CREATE (t)-[:CHILD_OF]->(parent)",
            steps=steps,
        )
        leaves = [{"action": name, "id": own(step)} for name, steps in ACTIONS.items() for step in steps]
        await raw(
            opened,
            "UNWIND $leaves AS leaf MATCH (t:Thought {id: leaf.id}) "
            "MERGE (a:Action {namespace: $ns, id: leaf.action}) CREATE (t)-[:FOR_ACTION]->(a)",
            leaves=leaves,
            ns=space,
        )
        yield opened


@pytest.mark.parametrize("action", ACTIONS)
async def test_a_trail_keeps_the_thoughts_nearest_to_the_action_and_counts_the_others(
    mind: Mind, action: str
) -> None:
    reached: list[int] = []
    more = True
    while more:
        arguments = {"action_id": action, "offset": len(reached), "max_tokens": 100_000}
        with Wire() as wire:
            found = await mind.operations["thought_reasoning_trail"].call(arguments)
        assert len(wire.statements) == 1
        assert found.trail_count == len(ACTIONS[action])
        assert len(found.trails) == len(found.earlier) > 0
        for trail, earlier in zip(found.trails, found.earlier, strict=True):
            last = trail[-1].step_index
            assert earlier == max(0, last + 1 - MAX_TRAIL)
            assert [thought.step_index for thought in trail] == list(range(earlier, last + 1))
        reached += [trail[-1].step_index for trail in found.trails]
        more = found.more
    assert sorted(reached) == ACTIONS[action]


@pytest.mark.parametrize("allowed", [300, 2_000, 5_000])
async def test_a_budget_shortens_a_trail_at_the_root_and_counts_what_it_leaves_out(
    mind: Mind, allowed: int
) -> None:
    arguments = {"action_id": "deepest", "max_tokens": allowed}
    found = await mind.operations["thought_reasoning_trail"].call(arguments)
    (trail,) = found.trails
    assert tokens(jsonable(found)) <= allowed
    assert 1 <= len(trail) < MAX_TRAIL
    assert [thought.step_index for thought in trail] == list(range(COUNT - len(trail), COUNT))
    assert found.earlier == [found.left_out] == [COUNT - len(trail)]


async def test_every_level_is_reached_from_the_end_of_the_previous_result(mind: Mind) -> None:
    seen, root = [0], own(0)
    while root is not None:
        page = await mind.operations["thought_tree"].call(
            {"session_id": SESSION, "root_id": root, "include_children": True, "max_tokens": 100_000}
        )
        (node,) = page.tree
        assert node.step_index == seen[-1]
        while node.children:
            (node,) = node.children
            seen.append(node.step_index)
        root = node.thought_id if node.child_count else None
        assert root is None or len(seen) % MAX_DEPTH == 1
    assert seen == list(range(COUNT))
