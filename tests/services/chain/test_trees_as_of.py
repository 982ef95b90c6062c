"""Trees and reasoning trails as of an earlier time: later thoughts are left out and not counted."""

import pytest

from legacymind.errors import NotFound
from legacymind.mind import Mind
from tests.steps import store_thought

pytestmark = pytest.mark.anyio

THEN = "2020-01-02T12:00:00Z"


async def stored(mind: Mind) -> list[str]:
    """A root, its child, grandchild and a later root, a day apart. The last three led to an action."""
    root = await store_thought(mind, "root", created_at="2020-01-01T00:00:00Z")
    led = {"action_id": "deploy"}
    child = await store_thought(mind, "child", created_at="2020-01-02T00:00:00Z", parent_id=root, **led)
    last = await store_thought(mind, "last", created_at="2020-01-03T00:00:00Z", parent_id=child, **led)
    late = await store_thought(mind, "late", created_at="2020-01-04T00:00:00Z", **led)
    return [root, child, last, late]


async def test_a_tree_as_of_an_earlier_time_has_no_later_thoughts(mind: Mind) -> None:
    root, child, last, late = await stored(mind)
    tree = mind.operations["thought_tree"].call
    then = await tree({"session_id": "session", "include_children": True, "as_of": THEN})
    assert (then.count, [node.thought_id for node in then.tree]) == (2, [root])
    below = then.tree[0].children
    assert [(node.thought_id, node.child_count, node.children) for node in below] == [(child, 0, [])]
    now = await tree({"session_id": "session", "include_children": True})
    assert (now.count, [node.thought_id for node in now.tree]) == (4, [root, late])
    at_child = await tree({"session_id": "session", "root_id": child, "as_of": THEN})
    assert (at_child.tree[0].children, at_child.more) == ([], False)
    with pytest.raises(NotFound):
        await tree({"session_id": "session", "root_id": last, "as_of": THEN})


async def test_the_thoughts_and_the_reasoning_of_an_action_as_of_an_earlier_time(mind: Mind) -> None:
    root, child, _, _ = await stored(mind)
    asked = {"action_id": "deploy", "as_of": THEN}
    led = await mind.operations["thought_for_action"].call(asked)
    assert (led.count, [thought.thought_id for thought in led.thoughts]) == (1, [child])
    trail = await mind.operations["thought_reasoning_trail"].call(asked)
    assert trail.trail_count == 1
    assert [[step.thought_id for step in steps] for steps in trail.trails] == [[root, child]]
    assert (await mind.operations["thought_for_action"].call({"action_id": "deploy"})).count == 3
