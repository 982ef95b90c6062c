"""Hits with equal scores appear once each over all pages."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import Hit
from legacymind.settings import Settings
from tests.steps import own_namespace
from tests.wire import Wire, db_hits, text_indexed

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

EQUALS = 200
METHODS = ("graph", "vector", "text")


@pytest.fixture(scope="module")
async def greetings(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Two hundred equal thoughts, some others between them, and private ones of another session.

    Shared by the module: the tests only read.
    """
    async with own_namespace(engine_settings, "session") as mind:
        await fill(mind)
        yield mind


async def fill(mind: Mind) -> None:
    same = [{"content": "Good morning."} for _ in range(100)]
    for batch in range(EQUALS // 100):
        other = [{"content": f"the kettle number {batch} {n} boils"} for n in range(10)]
        await mind.operations["think_batch"].call({"thoughts": [*same[:50], *other]})
        await mind.operations["think_batch"].call({"thoughts": same[50:]})
    await mind.operations["think_batch"].call(
        {
            "thoughts": [{"content": "Good morning.", "is_private": True} for _ in range(40)],
            "session_id": "other",
        }
    )
    await text_indexed(mind)


async def pages(mind: Mind, query: str = "good morning", *, by: str, limit: int, **given: Any) -> list[Hit]:
    """Every hit of a search, page by page."""
    hits: list[Hit] = []
    where: dict[str, Any] = {}
    while True:
        page = await mind.operations["search"].call(
            {"query": query, "limit": limit, "max_tokens": 100_000} | given | where
        )
        hits += page.hits
        if not page.more:
            return hits
        where = {"cursor": page.next_cursor} if by == "cursor" else {"offset": len(hits)}


@pytest.mark.parametrize("method", METHODS)
async def test_pages_of_equal_hits_neither_lose_nor_repeat_any(greetings: Mind, method: str) -> None:
    ways: list[tuple[str, int, dict[str, Any]]] = [
        ("offset", 20, {}),
        ("cursor", 7, {}),
        ("cursor", 50, {"kinds": ["thought"]}),
        ("cursor", 20, {"session_id": "session", "order": "relevance"}),
        ("offset", 20, {"own_session_id": "other"}),
    ]
    read = [await pages(greetings, by=by, limit=limit, method=method, **given) for by, limit, given in ways]
    for (_, _, given), hits in zip(ways, read, strict=True):
        assert len({hit.id for hit in hits}) == len(hits)
        same = EQUALS + 40 * ("own_session_id" in given)
        found = [hit for hit in hits if hit.text == "Good morning."]
        # Ranked search folds the copies among its candidates, and the first hit counts them.
        assert len(found) + sum((hit.copies or 1) - 1 for hit in found) == same
    first, *others = [[hit.id for hit in hits] for hits in read[:3]]
    assert others == [first, first]


async def test_a_tie_takes_one_further_read(greetings: Mind) -> None:
    for method in METHODS:
        for given in ({}, {"session_id": "session"}):
            asked = {"query": "good morning", "limit": 5, "method": method, "kinds": ["thought"]} | given
            await greetings.operations["search"].call(asked)
            with Wire() as wire:
                await greetings.operations["search"].call(asked)
            assert len(wire.statements) <= 4, (method, given)


@pytest.mark.parametrize("method", METHODS)
async def test_equal_facts_appear_once_each(mind: Mind, method: str) -> None:
    await mind.operations["remember"].call(
        {
            "entities": [{"name": f"Ada{n}"} for n in range(80)],
            "observations": [{"entity": f"Ada{n}", "content": "likes green tea"} for n in range(80)],
        }
    )
    await text_indexed(mind)
    given: dict[str, Any] = {"kinds": ["observation"], "method": method}
    hits = await pages(mind, "green tea", by="cursor", limit=6, **given)
    assert len(hits) == len({hit.id for hit in hits}) == 80


async def test_private_thoughts_of_others_displace_no_hit(mind: Mind) -> None:
    secrets = [{"content": f"kettle {n}", "is_private": True} for n in range(60)]
    await mind.operations["think_batch"].call({"thoughts": secrets, "session_id": "other"})
    await mind.operations["think_batch"].call(
        {"thoughts": [{"content": f"the kettle of the house number {n} is old"} for n in range(10)]}
    )
    await text_indexed(mind)
    assert len(await pages(mind, "kettle", by="offset", limit=4, method="text")) == 10


async def test_without_a_tie_the_index_is_queried_once(mind: Mind) -> None:
    """Only ties read the deep list, so other searches do not pay for it."""
    rows = [{"content": f"kettle {' '.join(f'w{m}' for m in range(n))}"} for n in range(90)]
    await mind.operations["think_batch"].call({"thoughts": rows})
    await text_indexed(mind)
    asked = {"query": "kettle", "limit": 5, "method": "vector", "kinds": ["thought"]}
    assert await db_hits(mind, "search", asked) < 500  # up to 450; the deep list of 90 costs 114 more
