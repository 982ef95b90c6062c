"""Trees of a session of 10,000 thoughts come in pages, within limits, with one statement each."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.model.chain import ThoughtNode
from legacymind.operations.results import jsonable
from legacymind.services.chain.trees import MAX_DEPTH, MAX_NODES, MAX_TRAIL
from legacymind.services.shared.budget import tokens
from legacymind.settings import Settings
from tests.steps import own_namespace
from tests.wire import Wire, db_hits, raw

pytestmark = pytest.mark.anyio

COUNT: Final = 10_000
DEEP: Final = 300
STAR: Final = DEEP
CHILDREN: Final = 2_000
CYCLE: Final = [STAR + CHILDREN + 1 + n for n in range(3)]
ORPHAN: Final = CYCLE[-1] + 1
STRANGER: Final = CYCLE[-1] + 2
RUNGS: Final = 40
SESSION: Final = "large"
PREFIX: Final = str(uuid.uuid4())
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def parent(step: int) -> int | None:
    """A chain of 300 levels, a star of 2,000 children, a cycle of three, roots."""
    if 0 < step < DEEP:
        return step - 1
    if STAR < step <= STAR + CHILDREN:
        return STAR
    if step in CYCLE:
        return CYCLE[CYCLE.index(step) - 1]
    return None


ROOTS: Final = [step for step in range(COUNT) if parent(step) is None or step == CYCLE[0]]


def own(step: int) -> str:
    """The id of a step."""
    return f"{PREFIX}-{step}"


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, large=True) as opened:
        await fill(opened)
        yield opened


async def fill(mind: Mind) -> None:
    """Insert thoughts without any checks and without vectors."""
    steps: list[dict[str, Any]] = [
        {
            "id": own(step),
            "namespace": mind.settings.namespace,
            "session_id": SESSION,
            "step_index": step,
            "thought_type": "note",
            "content": f"Step {step}, and some words more than a hundred characters long: {'x' * 60}",
            "author": "bench",
            "is_private": False,
            "created_at": START + timedelta(seconds=step),
            "parent_id": "never-thought" if step == ORPHAN else None,
        }
        for step in range(COUNT)
    ]
    for first in range(0, COUNT, 2000):
        batch = steps[first : first + 2000]
        await raw(mind, "UNWIND $batch AS one CREATE (t:Thought) SET t = one", batch=batch)
    links = [[own(step), own(above)] for step in range(COUNT) if (above := parent(step)) is not None]
    await raw(
        mind,
        "UNWIND $links AS link MATCH (t:Thought {id: link[0]}), (p:Thought {id: link[1]}) "
        "CREATE (t)-[:CHILD_OF]->(p)",
        links=links,
    )
    await fill_ladder(mind)
    # A thought with its parent in another session is a root. Three thoughts led to one action.
    await raw(
        mind,
        "MATCH (t:Thought {id: $stranger}) CREATE (t)-[:CHILD_OF]->(:Thought {id: $outside, namespace: $ns, "
        "session_id: 'another', step_index: 0}) "
        "CREATE (a:Action {namespace: $ns, id: 'act'}) WITH a UNWIND $acting AS id "
        "MATCH (t:Thought {id: id}) CREATE (t)-[:FOR_ACTION]->(a)",
        stranger=own(STRANGER),
        outside=f"{PREFIX}-outside",
        ns=mind.settings.namespace,
        acting=[own(step) for step in (DEEP - 1, STAR + CHILDREN, CYCLE[0])],
    )


async def fill_ladder(mind: Mind) -> None:
    """Two thoughts on each level, both children of both above: 2^40 paths, created by hand."""
    await raw(
        mind,
        "UNWIND range(0, $count - 1) AS n CREATE (t:Thought {id: $prefix + '-ladder-' + n, namespace: $ns, "
        "session_id: 'ladder', step_index: n, thought_type: 'note', content: 'rung ' + n / 2, "
        "is_private: false, created_at: datetime({epochSeconds: n})})",
        count=2 * RUNGS,
        prefix=PREFIX,
        ns=mind.settings.namespace,
    )
    await raw(
        mind,
        "UNWIND range(2, $count - 1) AS n MATCH (t:Thought {id: $prefix + '-ladder-' + n}) "
        "UNWIND [n - n % 2 - 2, n - n % 2 - 1] AS above MATCH (p:Thought {id: $prefix + '-ladder-' + above}) "
        "CREATE (t)-[:CHILD_OF]->(p)",
        count=2 * RUNGS,
        prefix=PREFIX,
    )
    await raw(
        mind,
        "MATCH (t:Thought {id: $id}) CREATE (t)-[:FOR_ACTION]->(:Action {namespace: $ns, id: 'climb'})",
        id=f"{PREFIX}-ladder-{2 * RUNGS - 1}",
        ns=mind.settings.namespace,
    )


def measured(nodes: list[ThoughtNode], level: int = 1) -> tuple[int, int]:
    """The number of nodes and of levels."""
    count, deepest = len(nodes), level if nodes else 0
    for node in nodes:
        if node.children:
            below, depth = measured(node.children, level + 1)
            count, deepest = count + below, max(deepest, depth)
    return count, deepest


async def pages(mind: Mind, **options: Any) -> list[ThoughtNode]:
    """The roots of all pages; each page is checked against the limits."""
    roots: list[ThoughtNode] = []
    after = 0
    while True:
        with Wire() as wire:
            page = await mind.operations["thought_tree"].call(
                {"session_id": SESSION, "after": after, **options}
            )
        assert len(wire.statements) == 1
        assert page.count == COUNT
        count, depth = measured(page.tree)
        assert count <= MAX_NODES
        assert depth <= MAX_DEPTH + 1
        roots += page.tree
        if page.next_after is None:
            return roots
        assert page.next_after > after
        assert page.tree
        after = page.next_after


def line(node: ThoughtNode) -> list[int | None]:
    """The steps of a tree that does not branch, from the top."""
    return [node.step_index, *(step for child in node.children for step in line(child))]


@pytest.mark.parametrize("nested", [False, True], ids=["flat", "nested"])
async def test_all_roots_are_paged_in_order_of_steps(mind: Mind, nested: bool) -> None:
    roots = await pages(mind, limit=500, include_children=nested)
    assert [root.step_index for root in roots] == ROOTS
    shown = {root.step_index: root for root in roots}
    assert shown[STAR].child_count == CHILDREN
    assert shown[0].child_count == 1
    assert {ORPHAN, STRANGER} <= set(shown)
    assert set(CYCLE) & set(shown) == {CYCLE[0]}  # each of them has a parent in the session
    assert line(shown[CYCLE[0]]) == (CYCLE if nested else CYCLE[:1])
    assert all(root.children == [] for root in roots if not nested)
    assert {len(root.content) for root in roots} == {101}


async def test_a_deep_tree_ends_at_the_limit_and_reports_more_children(mind: Mind) -> None:
    page = await mind.operations["thought_tree"].call(
        {"session_id": SESSION, "limit": 1, "include_children": True, "max_tokens": 100_000}
    )
    node, levels = page.tree[0], 1
    while node.children:
        (node,) = node.children
        levels += 1
        assert node.step_index == levels - 1
    assert levels == MAX_DEPTH + 1
    assert node.child_count == 1


async def test_a_star_shows_its_first_children_up_to_the_limit(mind: Mind) -> None:
    page = await mind.operations["thought_tree"].call(
        {
            "session_id": SESSION,
            "limit": 1,
            "after": STAR,
            "include_children": True,
            "max_tokens": 100_000,
        }
    )
    (star,) = page.tree
    assert star.child_count == CHILDREN
    assert measured(page.tree)[0] + page.left_out == MAX_NODES
    assert page.left_out < MAX_NODES / 2
    assert [child.step_index for child in star.children] == [
        STAR + 1 + number for number in range(len(star.children))
    ]


@pytest.mark.parametrize(("limit", "allowed"), [(300, 100_000), (500, 20_000), (500, 5_000)])
async def test_a_tree_from_a_star_pages_all_its_children(mind: Mind, limit: int, allowed: int) -> None:
    after: int | None = 0
    shown: list[int | None] = []
    arguments: dict[str, Any] = {
        "session_id": SESSION,
        "root_id": f"thoughts:{own(STAR)}",
        "limit": limit,
        "max_tokens": allowed,
    }
    while after is not None:
        with Wire() as wire:
            page = await mind.operations["thought_tree"].call(
                arguments | {"after": after, "include_children": True}
            )
        assert len(wire.statements) == 1
        (star,) = page.tree
        assert (star.step_index, star.child_count) == (STAR, CHILDREN)
        assert 0 < len(star.children) <= limit
        assert tokens(jsonable(page)) <= allowed
        assert page.more is (page.next_after is not None)
        shown += [child.step_index for child in star.children]
        after = page.next_after
    assert shown == [STAR + 1 + number for number in range(CHILDREN)]


async def test_a_tree_from_a_thought_of_a_cycle_shows_the_cycle(mind: Mind) -> None:
    arguments = {"session_id": SESSION, "root_id": own(CYCLE[0]), "include_children": True}
    page = await mind.operations["thought_tree"].call(arguments)
    shown: list[tuple[int | None, int]] = []
    nodes = page.tree
    while nodes:
        (node,) = nodes
        shown.append((node.step_index, node.child_count))
        nodes = node.children
    assert shown == [(step, 1) for step in CYCLE]


async def test_without_nesting_a_tree_is_its_first_thought_alone(mind: Mind) -> None:
    page = await mind.operations["thought_tree"].call({"session_id": SESSION, "root_id": own(STAR)})
    assert [(node.step_index, node.child_count, node.children) for node in page.tree] == [
        (STAR, CHILDREN, [])
    ]
    assert (page.count, page.next_after) == (COUNT, None)


@pytest.mark.parametrize(
    ("session", "root", "namespace"),
    [
        (SESSION, "nobody", None),
        (SESSION, f"{PREFIX}-outside", None),
        ("another", own(0), None),
        (SESSION, own(0), "elsewhere"),
    ],
    ids=["unknown", "of another session", "in another session", "in another namespace"],
)
async def test_a_thought_outside_the_session_is_not_found(
    mind: Mind, session: str, root: str, namespace: str | None
) -> None:
    arguments = {"session_id": session, "root_id": root, "namespace": namespace, "include_children": True}
    with pytest.raises(NotFound, match="There is no thought") as raised:
        await mind.operations["thought_tree"].call(arguments)
    assert raised.value.hint


async def test_thoughts_that_the_budget_leaves_out_are_reached_from_their_parent(
    mind: Mind,
) -> None:
    wanted: list[tuple[str, int]] = [(own(0), 0), (own(STAR), 0)]
    shown: set[int | None] = {0, STAR}
    while wanted:
        start, after = wanted.pop()
        if after >= STAR + 50:
            continue
        page = await mind.operations["thought_tree"].call(
            {
                "session_id": SESSION,
                "root_id": start,
                "after": after,
                "include_children": True,
                "include_content": True,
                "max_tokens": 1_500,
            }
        )
        assert tokens(jsonable(page)) <= 1_500
        (top,) = page.tree
        if page.next_after is not None:
            wanted.append((start, page.next_after))
        below = list(top.children)
        while below:
            node = below.pop()
            shown.add(node.step_index)
            if len(node.children) < node.child_count:
                wanted.append((node.thought_id, node.children[-1].step_index + 1 if node.children else 0))
            below += node.children
    assert {*range(DEEP), *range(STAR, STAR + 50)} <= shown


async def test_a_tree_from_either_of_two_parents_shows_the_shared_children(mind: Mind) -> None:
    for rung in (0, 1, 2 * RUNGS - 20):
        page = await mind.operations["thought_tree"].call(
            {
                "session_id": "ladder",
                "root_id": f"{PREFIX}-ladder-{rung}",
                "include_children": True,
                "max_tokens": 100_000,
            }
        )
        below = 2 * RUNGS - rung + rung % 2 - 2
        assert measured(page.tree) == (1 + below, 1 + below / 2)
        assert (page.more, page.left_out) == (False, 0)


async def test_reasoning_trails_of_a_deep_leaf_a_star_and_a_cycle_are_finite(mind: Mind) -> None:
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
    assert (found.more, found.left_out) == (False, DEEP - MAX_TRAIL)


async def test_a_thought_with_two_parents_is_under_one_and_counted_under_both(mind: Mind) -> None:
    page = await mind.operations["thought_tree"].call(
        {"session_id": "ladder", "include_children": True, "max_tokens": 100_000}
    )
    assert measured(page.tree) == (2 * RUNGS, RUNGS)
    assert [root.step_index for root in page.tree] == [0, 1]
    assert [root.child_count for root in page.tree] == [2, 2]
    found = await mind.operations["thought_reasoning_trail"].call(
        {"action_id": "climb", "max_tokens": 100_000}
    )
    (trail,) = found.trails
    assert [thought.content for thought in trail] == [f"rung {n}" for n in range(RUNGS)]
    assert (found.earlier, found.left_out) == ([0], 0)


async def test_whole_trees_are_returned_while_they_fit_and_the_next_page_begins_with_the_rest(
    mind: Mind,
) -> None:
    roots: list[int] = []
    after = 0
    for _ in range(5):
        page = await mind.operations["thought_tree"].call(
            {"session_id": SESSION, "after": after, "limit": 50, "max_tokens": 1_500}
        )
        assert tokens(jsonable(page)) <= 1_500
        assert 5 <= len(page.tree) < 50
        assert page.left_out == 50 - len(page.tree)
        roots += [root.step_index for root in page.tree]
        assert (page.more, page.next_after) == (True, roots[-1] + 1)
        after = page.next_after
    assert roots == ROOTS[: len(roots)]


async def test_a_tree_larger_than_a_page_is_cut_and_the_next_page_continues_after_it(
    mind: Mind,
) -> None:
    options = {"session_id": SESSION, "include_children": True, "limit": 100}
    page = await mind.operations["thought_tree"].call(options)
    (root,) = page.tree  # the chain of 300 levels
    count, depth = measured(page.tree)
    assert 10 <= count == depth < MAX_DEPTH
    assert tokens(jsonable(page)) <= 2_000
    assert (root.step_index, page.next_after) == (0, 1)
    page = await mind.operations["thought_tree"].call(options | {"after": page.next_after})
    (star,) = page.tree
    shown = [child.step_index for child in star.children]
    assert shown == list(range(STAR + 1, STAR + 1 + len(shown)))
    assert (page.left_out + len(shown) + 1, page.next_after) == (MAX_NODES, STAR + 1)


async def test_reasoning_trails_and_thoughts_of_an_action_keep_to_their_budget(mind: Mind) -> None:
    arguments: dict[str, Any] = {"action_id": "act", "max_tokens": 400}
    found = await mind.operations["thought_reasoning_trail"].call(arguments)
    (deep,) = found.trails
    assert [thought.step_index for thought in deep] == list(range(DEEP - len(deep), DEEP))
    assert 1 <= len(deep) < 10
    assert (found.trail_count, found.more) == (3, True)
    assert found.earlier == [DEEP - len(deep)]
    assert found.left_out == DEEP + 2 + 3 - len(deep)
    after = await mind.operations["thought_reasoning_trail"].call(arguments | {"offset": 1})
    assert after.trails[0][0].step_index == STAR
    listed = await mind.operations["thought_for_action"].call(arguments | {"max_tokens": 300})
    assert (listed.count, len(listed.thoughts) + listed.left_out, listed.more) == (3, 3, True)
    rest = await mind.operations["thought_for_action"].call(
        {"action_id": "act", "offset": len(listed.thoughts)}
    )
    assert [one.step_index for one in (*listed.thoughts, *rest.thoughts)] == [
        DEEP - 1,
        STAR + CHILDREN,
        CYCLE[0],
    ]
    assert not rest.more


@pytest.mark.slow
async def test_a_page_of_roots_reads_nothing_below_them(mind: Mind) -> None:
    flat = await db_hits(mind, "thought_tree", {"session_id": SESSION, "limit": 2})
    nested = await db_hits(
        mind, "thought_tree", {"session_id": SESSION, "limit": 2, "include_children": True}
    )
    assert nested - flat > CHILDREN
