"""Trees and trails of sessions of 1,000 and of 2,500 thoughts, within limits, with one statement each."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from legacymind.mind import Mind
from legacymind.model.chain import ThoughtNode
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from legacymind.services.chain.trees import MAX_TRAIL
from legacymind.settings import Settings
from tests.steps import own_namespace, pages_of
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio

NODES: Final = 1_000
COUNT: Final = {"session": NODES, "long": 2_500}
DEEP: Final = 300
STAR: Final = DEEP
CHILDREN: Final = 600
CYCLE: Final = [STAR + CHILDREN + 1 + n for n in range(3)]
ORPHAN: Final = CYCLE[-1] + 1
STRANGER: Final = CYCLE[-1] + 2
PREFIX: Final = str(uuid.uuid4())
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def parent(step: int) -> int | None:
    """A line of 300 levels, a star, a cycle of three, roots; after 1,000 steps, the star goes on."""
    if 0 < step < DEEP:
        return step - 1
    if STAR < step <= STAR + CHILDREN or step >= NODES:
        return STAR
    if step in CYCLE:
        return CYCLE[CYCLE.index(step) - 1]
    return None


ROOTS: Final = [step for step in range(NODES) if parent(step) is None or step == CYCLE[0]]


def own(step: int, session: str = "session") -> str:
    """The id of a step."""
    return f"{PREFIX}-{session}-{step}"


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, large=True) as opened:
        for session in COUNT:
            await fill(opened, session)
        # A thought with its parent in another session is a root. Three thoughts led to one action.
        await raw(
            opened,
            "MATCH (t:Thought {id: $stranger}) CREATE (t)-[:CHILD_OF]->(p:Thought {id: $outside, namespace: "
            "$ns, session_id: 'another', step_index: 0}) SET t.parent_id = p.id "
            "CREATE (a:Action {namespace: $ns, id: 'act'}) WITH a UNWIND $acting AS id "
            "MATCH (t:Thought {id: id}) CREATE (t)-[:FOR_ACTION]->(a)",
            stranger=own(STRANGER),
            outside=f"{PREFIX}-outside",
            ns=opened.settings.namespace,
            acting=[own(step) for step in (DEEP - 1, STAR + CHILDREN, CYCLE[0])],
        )
        yield opened


async def fill(mind: Mind, session: str) -> None:
    """Insert thoughts without any checks and without vectors."""
    steps: list[dict[str, Any]] = [
        {
            "id": own(step, session),
            "namespace": mind.settings.namespace,
            "session_id": session,
            "step_index": step,
            "thought_type": "note",
            "content": f"Step {step}, and some words more than a hundred characters long: {'x' * 60}",
            "author": "bench",
            "is_private": False,
            "created_at": START + timedelta(seconds=step),
            "parent_id": "never-thought"
            if step == ORPHAN
            else None
            if (above := parent(step)) is None
            else own(above, session),
        }
        for step in range(COUNT[session])
    ]
    await raw(mind, "UNWIND $steps AS one CREATE (t:Thought) SET t = one", steps=steps)
    await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns, session_id: $session}) WHERE t.parent_id IS NOT NULL "
        "MATCH (p:Thought {id: t.parent_id}) CREATE (t)-[:CHILD_OF]->(p)",
        ns=mind.settings.namespace,
        session=session,
    )


def line(node: ThoughtNode) -> list[int | None]:
    """The steps of a tree that does not branch, from the top."""
    return [node.step_index, *(step for child in node.children for step in line(child))]


def flat(nodes: list[ThoughtNode]) -> list[ThoughtNode]:
    """All thoughts of trees."""
    return [node for top in nodes for node in (top, *flat(top.children))]


@pytest.mark.parametrize("limit", [10, 500])
async def test_roots_are_paged_in_order_of_steps(mind: Mind, limit: int) -> None:
    found = await pages_of(mind, "thought_tree", session_id="session", limit=limit)
    roots = [root for page in found for root in page.tree]
    assert [root.step_index for root in roots] == [step for step in ROOTS if step not in CYCLE]
    assert {page.count for page in found} == {NODES}
    shown = {root.step_index: root for root in roots}
    assert (shown[STAR].child_count, shown[0].child_count) == (CHILDREN, 1)
    assert {ORPHAN, STRANGER} <= set(shown)
    assert all(root.children == [] for root in roots)
    assert {len(root.content) for root in roots} == {101}


@pytest.mark.parametrize(
    ("limit", "allowed"),
    [(500, 1_000_000), pytest.param(500, 5_000, marks=pytest.mark.slow), (70, None)],
)
@pytest.mark.parametrize("session", COUNT)
async def test_pages_have_every_thought_once_below_its_parent_if_that_is_on_the_page(
    mind: Mind, session: str, limit: int, allowed: int | None
) -> None:
    asked: dict[str, Any] = {"session_id": session, "include_children": True, "max_tokens": allowed}
    found = await pages_of(mind, "thought_tree", **asked, limit=limit)
    seen: list[int | None] = []
    for page in found:
        here = {node.thought_id: node for node in flat(page.tree)}
        assert len(here) == len(flat(page.tree)) <= limit - page.left_out
        for node in here.values():
            assert all(child.parent_id == node.thought_id for child in node.children)
        apart = [top for top in page.tree if top.parent_id in here and top.step_index != CYCLE[0]]
        assert all(0 < (top.step_index or 0) < DEEP for top in apart)  # below the last level
        seen += sorted(node.step_index or 0 for node in here.values())
        if allowed:
            assert tokens(jsonable(page)) <= 1.2 * allowed
    assert seen == list(range(COUNT[session]))
    assert found[0].count == COUNT[session]


async def test_a_cycle_begins_with_its_first_step(mind: Mind) -> None:
    found = await pages_of(mind, "thought_tree", session_id="session", include_children=True, limit=500)
    (cycle,) = [line(top) for page in found for top in page.tree if top.step_index == CYCLE[0]]
    assert cycle == CYCLE


async def test_a_trail_keeps_the_thoughts_nearest_to_the_action_and_counts_the_others(mind: Mind) -> None:
    with Wire() as wire:
        found = await mind.operations["thought_reasoning_trail"].call(
            {"action_id": "act", "max_tokens": 100_000}
        )
    assert len(wire.statements) == 1
    assert found.trail_count == 3
    deep, star, cycle = ([thought.step_index for thought in trail] for trail in found.trails)
    assert deep == list(range(DEEP - MAX_TRAIL, DEEP))
    assert star == [STAR, STAR + CHILDREN]
    assert cycle == [CYCLE[1], CYCLE[2], CYCLE[0]]  # each once, up to where the cycle closes
    assert found.earlier == [DEEP - MAX_TRAIL, 0, 0]
    assert (found.next, found.left_out) == (None, 0)


async def test_reasoning_trails_and_thoughts_of_an_action_keep_to_their_budget(mind: Mind) -> None:
    arguments: dict[str, Any] = {"action_id": "act", "max_tokens": 400}
    found = await mind.operations["thought_reasoning_trail"].call(arguments)
    (deep,) = found.trails
    assert tokens(jsonable(found)) <= 400
    assert [thought.step_index for thought in deep] == list(range(DEEP - len(deep), DEEP))
    assert 1 <= len(deep) < 10
    assert found.trail_count == 3
    assert found.earlier == [DEEP - len(deep)]
    assert found.left_out == 2
    after = await mind.operations["thought_reasoning_trail"].call(arguments | {"after": found.next})
    assert after.trails[0][0].step_index == STAR
    pages = await pages_of(mind, "thought_for_action", action_id="act", max_tokens=300)
    assert len(pages) > 1
    steps = [one.step_index for page in pages for one in page.thoughts]
    assert steps == [CYCLE[0] if step == CYCLE[0] else step for step in sorted(steps)]
    assert set(steps) == {DEEP - 1, STAR + CHILDREN, CYCLE[0]}
