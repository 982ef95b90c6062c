"""Trees and trails of sessions of 1,000 and of 2,500 thoughts, within limits, with one statement each."""

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
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio

COUNT: Final = {"session": MAX_NODES, "long": 2_500}
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
    if STAR < step <= STAR + CHILDREN or step >= MAX_NODES:
        return STAR
    if step in CYCLE:
        return CYCLE[CYCLE.index(step) - 1]
    return None


ROOTS: Final = [step for step in range(MAX_NODES) if parent(step) is None or step == CYCLE[0]]


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


def measured(nodes: list[ThoughtNode], level: int = 1) -> tuple[int, int]:
    """The number of nodes and of levels."""
    count, deepest = len(nodes), level if nodes else 0
    for node in nodes:
        below, depth = measured(node.children, level + 1)
        count, deepest = count + below, max(deepest, depth)
    return count, deepest


async def tree(mind: Mind, **options: Any) -> Any:
    """A page, in one statement."""
    with Wire() as wire:
        page = await mind.operations["thought_tree"].call({"session_id": "session", **options})
    assert len(wire.statements) == 1
    assert page.more is (page.next_after is not None)
    assert measured(page.tree)[0] <= MAX_NODES
    assert measured(page.tree)[1] <= MAX_DEPTH + 1
    return page


async def pages(mind: Mind, **options: Any) -> list[Any]:
    """All pages."""
    found, after = list[Any](), 0
    while True:
        found.append(await tree(mind, after=after, **options))
        if found[-1].next_after is None:
            return found
        assert found[-1].next_after > after
        after = found[-1].next_after


def line(node: ThoughtNode) -> list[int | None]:
    """The steps of a tree that does not branch, from the top."""
    return [node.step_index, *(step for child in node.children for step in line(child))]


@pytest.mark.parametrize("limit", [10, 500])
@pytest.mark.parametrize("nested", [False, True], ids=["flat", "nested"])
async def test_all_roots_are_paged_in_order_of_steps(mind: Mind, nested: bool, limit: int) -> None:
    found = await pages(mind, limit=limit, include_children=nested)
    roots = [root for page in found for root in page.tree]
    assert [root.step_index for root in roots] == ROOTS
    assert {page.count for page in found} == {MAX_NODES}
    shown = {root.step_index: root for root in roots}
    assert shown[STAR].child_count == CHILDREN
    assert shown[0].child_count == 1
    assert {ORPHAN, STRANGER} <= set(shown)
    assert set(CYCLE) & set(shown) == {CYCLE[0]}  # each of them has a parent in the session
    assert line(shown[CYCLE[0]]) == (CYCLE if nested else CYCLE[:1])
    assert all(root.children == [] for root in roots if not nested)
    assert {len(root.content) for root in roots} == {101}


async def test_a_deep_tree_ends_at_the_limit_and_reports_more_children(mind: Mind) -> None:
    page = await tree(mind, limit=1, include_children=True, max_tokens=100_000)
    assert line(page.tree[0]) == list(range(MAX_DEPTH + 1))
    node = page.tree[0]
    while node.children:
        (node,) = node.children
    assert node.child_count == 1


async def test_every_level_is_reached_from_the_end_of_the_previous_result(mind: Mind) -> None:
    seen, root = [0], own(0)
    while root is not None:
        page = await tree(mind, root_id=root, include_children=True, max_tokens=100_000)
        (node,) = page.tree
        assert node.step_index == seen[-1]
        while node.children:
            (node,) = node.children
            seen.append(node.step_index)
        root = node.thought_id if node.child_count else None
    assert seen == list(range(DEEP))


@pytest.mark.parametrize(("limit", "allowed"), [(300, 100_000), (500, 20_000), (500, 5_000)])
@pytest.mark.parametrize("session", COUNT)
async def test_a_tree_from_a_star_pages_all_its_children(
    mind: Mind, session: str, limit: int, allowed: int
) -> None:
    arguments = {"session_id": session, "root_id": f"thoughts:{own(STAR, session)}", "include_children": True}
    expected = [step for step in range(COUNT[session]) if parent(step) == STAR]
    shown: list[int | None] = []
    for page in await pages(mind, **arguments, limit=limit, max_tokens=allowed):
        (star,) = page.tree
        assert (star.step_index, star.child_count) == (STAR, len(expected))
        assert 0 < len(star.children) <= limit
        assert tokens(jsonable(page)) <= allowed
        shown += [child.step_index for child in star.children]
    assert shown == expected


async def test_in_a_long_session_a_thought_may_stand_apart_from_its_parent_but_none_is_missing(
    mind: Mind,
) -> None:
    found = await pages(mind, session_id="long", include_children=True, limit=500, max_tokens=100_000)
    roots = [root.step_index for page in found for root in page.tree]
    assert roots == [*ROOTS, *range(MAX_NODES, COUNT["long"])]
    assert found[0].count == COUNT["long"]


async def test_a_tree_from_a_thought_of_a_cycle_shows_the_cycle(mind: Mind) -> None:
    page = await tree(mind, root_id=own(CYCLE[1]), include_children=True)
    assert line(page.tree[0]) == [CYCLE[1], CYCLE[2]]  # steps before it are not read again
    page = await tree(mind, root_id=own(CYCLE[0]), include_children=True)
    assert line(page.tree[0]) == CYCLE


async def test_without_nesting_a_tree_is_its_first_thought_alone(mind: Mind) -> None:
    page = await tree(mind, root_id=own(STAR))
    assert [(node.step_index, node.child_count, node.children) for node in page.tree] == [
        (STAR, CHILDREN, [])
    ]
    assert (page.count, page.next_after) == (MAX_NODES, None)


@pytest.mark.parametrize(
    ("session", "root", "namespace"),
    [
        ("session", "nobody", None),
        ("session", f"{PREFIX}-outside", None),
        ("another", own(0), None),
        ("session", own(0), "elsewhere"),
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


async def test_whole_trees_are_returned_while_they_fit_and_the_next_page_begins_with_the_rest(
    mind: Mind,
) -> None:
    roots: list[int] = []
    after = 0
    for _ in range(5):
        page = await tree(mind, after=after, limit=50, max_tokens=1_500)
        assert tokens(jsonable(page)) <= 1_500
        assert 5 <= len(page.tree) < 50
        assert page.left_out == min(50, len(ROOTS) - len(roots)) - len(page.tree)
        roots += [root.step_index for root in page.tree]
        assert (page.more, page.next_after) == (True, roots[-1] + 1)
        after = page.next_after
    assert roots == ROOTS[: len(roots)]


async def test_a_tree_larger_than_a_page_is_cut_and_the_next_page_continues_after_it(mind: Mind) -> None:
    page = await tree(mind, include_children=True)
    (root,) = page.tree  # the line of 300 levels
    count, depth = measured(page.tree)
    assert 10 <= count == depth < MAX_DEPTH
    assert tokens(jsonable(page)) <= 2_000
    assert (root.step_index, page.next_after) == (0, 1)
    page = await tree(mind, include_children=True, after=page.next_after)
    (star,) = page.tree
    shown = [child.step_index for child in star.children]
    assert shown == list(range(STAR + 1, STAR + 1 + len(shown)))
    assert page.next_after == STAR + 1


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
    assert (found.more, found.left_out) == (False, DEEP - MAX_TRAIL)


async def test_reasoning_trails_and_thoughts_of_an_action_keep_to_their_budget(mind: Mind) -> None:
    arguments: dict[str, Any] = {"action_id": "act", "max_tokens": 400}
    found = await mind.operations["thought_reasoning_trail"].call(arguments)
    (deep,) = found.trails
    assert tokens(jsonable(found)) <= 400
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
