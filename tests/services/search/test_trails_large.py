"""Trails through ten thousand thoughts, a fan, diamonds and cycles are bounded and complete."""

import random
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from legacymind.mind import Mind
from legacymind.model.trails import TrailResult
from legacymind.settings import Settings
from tests.steps import own_namespace, pages_of
from tests.wire import Wire, db_hits, raw

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

LONG: Final = 10_000
SHORT: Final = 1_000
FAN: Final = 10_000
LEVELS: Final = 60
PREFIX: Final = str(uuid.uuid4())
START: Final = datetime(2026, 1, 1, tzinfo=UTC)

Edge = tuple[str, str, str, int | None]


def own(session: str, number: int) -> str:
    """The id of a thought."""
    return f"{PREFIX}-{session}-{number}"


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, large=True) as opened:
        for session, count in (("long", LONG), ("short", SHORT)):
            await thoughts(opened, session, count)
            await relate(opened, follows(session, count) + recalls(session, count))
        # A fan: ten thousand thoughts recall one thought.
        await thoughts(opened, "fan", FAN + 1)
        await relate(
            opened, [(own("fan", n), own("fan", 0), "RECALLS", 1 + n % 8) for n in range(1, FAN + 1)]
        )
        # Diamonds: two thoughts on each level, both children of both above, so there are 2^60 paths.
        await thoughts(opened, "diamonds", 2 * LEVELS)
        await relate(
            opened,
            [
                (own("diamonds", 2 * level + a), own("diamonds", 2 * level + b - 2), "CHILD_OF", None)
                for level in range(1, LEVELS)
                for a in (0, 1)
                for b in (0, 1)
            ],
        )
        # A cycle of a hundred, with a shortcut over half of it and a thought that follows itself.
        await thoughts(opened, "cycle", 100)
        ring = [(own("cycle", n), own("cycle", (n - 1) % 100), "FOLLOWS", None) for n in range(100)]
        await relate(opened, [*ring, (own("cycle", 99), own("cycle", 49), "REVISES", None)])
        await relate(opened, [(own("cycle", 30), own("cycle", 30), "FOLLOWS", None)])
        yield opened


async def thoughts(mind: Mind, session: str, count: int) -> None:
    """Insert thoughts without any checks and without vectors."""
    rows: list[dict[str, Any]] = [
        {
            "id": own(session, number),
            "namespace": mind.settings.namespace,
            "session_id": session,
            "step_index": number,
            "content": f"step {number} of {session}",
            "mode": "build",
            "is_private": False,
            "created_at": START + timedelta(seconds=number),
        }
        for number in range(count)
    ]
    for first in range(0, count, 2000):
        await raw(
            mind,
            "UNWIND $rows AS row CREATE (t:Thought) SET t = row",
            rows=rows[first : first + 2000],
        )


async def relate(mind: Mind, edges: list[Edge]) -> None:
    for first in range(0, len(edges), 20_000):
        await raw(
            mind,
            "UNWIND $edges AS e MATCH (a:Thought {id: e[0]}), (b:Thought {id: e[1]}) "
            "CREATE (a)-[r:$(e[2])]->(b) SET r.rank = e[3]",
            edges=[list(edge) for edge in edges[first : first + 20_000]],
        )


def follows(session: str, count: int) -> list[Edge]:
    return [(own(session, n), own(session, n - 1), "FOLLOWS", None) for n in range(1, count)]


def recalls(session: str, count: int) -> list[Edge]:
    """Eight earlier thoughts for each, the earliest most often, as in a memory in use."""
    chance = random.Random(7)
    return [
        (own(session, n), own(session, target), "RECALLS", rank)
        for n in range(1, count)
        for rank, target in enumerate(sorted({int(n * chance.random() ** 2) for _ in range(8)}), start=1)
    ]


async def walk(mind: Mind, start: str, **options: Any) -> TrailResult:
    with Wire() as wire:
        trail = await mind.operations["walk_trail"].call({"thought_id": start, **options})
    assert len(wire.statements) <= 3
    return trail


@pytest.mark.parametrize(
    "options", [{}, {"direction": "both"}, {"depth": 100}, {"types": ["FOLLOWS"]}], ids=str
)
async def test_a_page_takes_no_more_work_in_a_session_ten_times_as_long(
    mind: Mind, options: dict[str, Any]
) -> None:
    short, long = [
        await db_hits(mind, "walk_trail", {"thought_id": own(session, count // 2), **options})
        for session, count in (("short", SHORT), ("long", LONG))
    ]
    assert long < 2.5 * short  # reading all of it would take ten times as much


async def test_thoughts_that_recall_each_other_are_all_walked(mind: Mind) -> None:
    asked: dict[str, Any] = {"depth": 100, "limit": 200, "max_tokens": 100_000}
    pages = await pages_of(mind, "walk_trail", thought_id=own("short", SHORT - 1), **asked)
    seen = [step.id for page in pages for step in page.steps]
    assert sorted(seen) == sorted(own("short", n) for n in range(SHORT - 1))


async def test_a_long_chain_is_walked_a_hundred_steps_at_a_time_from_the_last_step(mind: Mind) -> None:
    start, count = own("long", LONG - 1), 0
    for _ in range(12):
        page = await walk(mind, start, types=["FOLLOWS"], depth=100, limit=200, max_tokens=100_000)
        assert [step.depth for step in page.steps] == list(range(1, 101))
        assert [step.step_index for step in page.steps] == [LONG - 2 - count - n for n in range(100)]
        assert (page.next, page.deeper) == (None, True)
        start, count = page.steps[-1].id, count + 100
    last = await walk(mind, own("long", 60), types=["FOLLOWS"], depth=100, limit=200, max_tokens=100_000)
    assert (len(last.steps), last.next, last.deeper) == (60, None, False)


async def test_each_step_is_reached_from_a_step_one_nearer(mind: Mind) -> None:
    for direction in ("back", "forward", "both"):
        page = await walk(
            mind, own("short", 500), direction=direction, depth=6, limit=200, max_tokens=100_000
        )
        assert len(page.steps) == 200
        depths = {page.start: 0} | {step.id: step.depth for step in page.steps}
        assert [depths[step.reached_from or ""] for step in page.steps] == [
            step.depth - 1 for step in page.steps
        ]
        keys = [(step.depth, step.rank or 0) for step in page.steps]
        assert keys == sorted(keys)


async def test_pages_of_a_fan_of_ten_thousand_have_no_gap_and_no_repetition(mind: Mind) -> None:
    center = own("fan", 0)
    asked: dict[str, Any] = {"direction": "forward", "limit": 200, "max_tokens": 100_000}
    pages = await pages_of(mind, "walk_trail", thought_id=center, **asked)
    assert {step.depth for page in pages for step in page.steps} == {1}
    assert len({step.id for page in pages for step in page.steps}) == sum(len(page.steps) for page in pages)
    assert sum(len(page.steps) for page in pages) == 10_000
    first = await walk(mind, center, direction="forward")
    assert {step.rank for step in first.steps} == {1}
    moments = [step.created_at or START for step in first.steps]
    assert moments == sorted(moments, reverse=True)


async def test_a_page_of_a_fan_takes_no_more_work_than_any_page(mind: Mind) -> None:
    fan = await db_hits(mind, "walk_trail", {"thought_id": own("fan", 0), "direction": "forward"})
    long = await db_hits(mind, "walk_trail", {"thought_id": own("long", LONG // 2)})
    assert fan < 2 * long


async def test_diamonds_return_each_node_once(mind: Mind) -> None:
    bottom = own("diamonds", 2 * LEVELS - 1)
    trail = await walk(mind, bottom, types=["CHILD_OF"], depth=100, limit=200, max_tokens=100_000)
    assert len(trail.steps) == len({step.id for step in trail.steps}) == 2 * (LEVELS - 1)
    assert [step.depth for step in trail.steps] == [1 + n // 2 for n in range(2 * (LEVELS - 1))]


async def test_a_cycle_is_walked_once_by_its_shortcut(mind: Mind) -> None:
    trail = await walk(mind, own("cycle", 99), depth=100, limit=200, max_tokens=100_000)
    assert len(trail.steps) == 99
    depths = {step.step_index: step.depth for step in trail.steps}
    assert (depths[49], depths[48], depths[98], depths[50], depths[0]) == (1, 2, 1, 49, 50)
    around = await walk(mind, own("cycle", 0), types=["FOLLOWS"], depth=100, limit=200, max_tokens=100_000)
    assert [step.step_index for step in around.steps] == list(range(99, 0, -1))


async def test_a_result_is_small_by_default_and_the_next_page_begins_at_its_end(
    mind: Mind,
) -> None:
    start = own("long", LONG - 1)
    page = await walk(mind, start)
    assert 10 <= len(page.steps) < 50
    assert page.left_out == 50 - len(page.steps)
    next_page = await walk(mind, start, after=page.next)
    whole = await walk(mind, start, limit=200)
    assert (len(whole.steps), whole.left_out) == (200, 0)
    assert [*page.steps, *next_page.steps] == whole.steps[: len(page.steps) + len(next_page.steps)]
    small = await walk(mind, start, max_tokens="300")
    assert 1 <= len(small.steps) <= 3
    assert len((await walk(mind, start, max_tokens=1)).steps) == 1  # clamped to 100; one always fits


async def test_a_missing_parent_ends_a_trail_until_it_is_stored(mind: Mind) -> None:
    space = f"{mind.settings.namespace}-pending"
    child = await mind.operations["think"].call(
        {
            "content": "child",
            "parent_id": f"{PREFIX}-late",
            "previous_thought_id": "never",
            "namespace": space,
        }
    )
    start = child.delegated_result.thought_id
    assert (await walk(mind, start, namespace=space)).steps == []
    prepared = mind.services.think.prepare(content="parent", id=f"{PREFIX}-late", namespace=space)
    await mind.services.store.think([prepared])
    (step,) = (await walk(mind, start, namespace=space)).steps
    assert (step.id, step.via, step.depth) == (f"{PREFIX}-late", "CHILD_OF", 1)


async def test_pages_of_any_size_are_the_same_trail(mind: Mind) -> None:
    async def ids(limit: int) -> list[str]:
        seen, after = list[str](), None
        while len(seen) < 1_000:
            page = await walk(
                mind, own("long", 5_000), limit=limit, after=after, depth=100, max_tokens=100_000
            )
            seen += [step.id for step in page.steps]
            after = page.next
        return seen[:1_000]

    whole = await ids(200)
    assert len(set(whole)) == 1_000
    for limit in (68, 100, 167):
        assert await ids(limit) == whole
