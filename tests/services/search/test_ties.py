"""Hits with equal scores appear once each over all pages."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import Hit
from legacymind.settings import Settings
from tests.steps import own_namespace, pages_of
from tests.wire import text_indexed

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


async def hits_of(mind: Mind, query: str = "good morning", **given: Any) -> list[Hit]:
    """Every hit of a search, page by page."""
    pages = await pages_of(mind, "search", query=query, max_tokens=100_000, **given)
    return [hit for page in pages for hit in page.hits]


@pytest.mark.parametrize("method", METHODS)
async def test_pages_of_equal_hits_neither_lose_nor_repeat_any(greetings: Mind, method: str) -> None:
    ways: list[dict[str, Any]] = [
        {"limit": 20},
        {"limit": 7},
        {"limit": 50, "kinds": ["thought"]},
        {"limit": 20, "session_id": "session", "order": "relevance"},
        {"limit": 20, "own_session_id": "other"},
    ]
    read = [await hits_of(greetings, method=method, **given) for given in ways]
    for hits in read:
        assert len({hit.id for hit in hits}) == len(hits)
        found = [hit for hit in hits if hit.text == "Good morning."]
        # A search folds the copies among its candidates, and the first hit counts them.
        assert len(found) + sum((hit.copies or 1) - 1 for hit in found) >= 60
    first, *others = [[hit.id for hit in hits] for hits in read[:3]]
    assert others == [first, first]


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
    hits = await hits_of(mind, "green tea", limit=6, **given)
    assert len(hits) == len({hit.id for hit in hits}) >= 60


async def test_private_thoughts_of_others_displace_no_hit(mind: Mind) -> None:
    secrets = [{"content": f"kettle {n}", "is_private": True} for n in range(60)]
    await mind.operations["think_batch"].call({"thoughts": secrets, "session_id": "other"})
    await mind.operations["think_batch"].call(
        {"thoughts": [{"content": f"the kettle of the house number {n} is old"} for n in range(10)]}
    )
    await text_indexed(mind)
    assert len(await hits_of(mind, "kettle", limit=4, method="text")) == 10
