"""Without a query, knowledge is listed page by page in the order in which it was stored."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import Hit
from legacymind.settings import Settings
from tests.steps import own_namespace, remember, search, store_thought

pytestmark = pytest.mark.anyio

PLANETS = ("Mercury", "Venus", "Earth", "Mars")
EARLY = datetime.now(UTC) - timedelta(days=20)


@pytest.fixture(scope="module")
async def sky(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Four planets with three facts each, one of them no longer true; and a thought."""
    async with own_namespace(engine_settings) as mind:
        for name in PLANETS:
            observations: list[dict[str, Any]] = [
                {"entity": name, "content": f"{name} has property {n}."} for n in range(2)
            ]
            ended = {"valid_from": EARLY, "valid_to": EARLY + timedelta(days=10)}
            observations.append({"entity": name, "content": f"{name} is a god.", **ended})
            await remember(mind, entities=[{"name": name}], observations=observations)
        await store_thought(mind, "Mercury is near the Sun.")
        yield mind


async def pages(mind: Mind, **options: Any) -> list[Hit]:
    found: list[Hit] = []
    after = None
    while True:
        page = await search(mind, None, limit=3, after=after, **options)
        found += page.hits
        after = page.next
        if after is None:
            return found


@pytest.mark.parametrize("order", ["created_at_desc", "created_at_asc"])
@pytest.mark.parametrize(
    ("kinds", "per_planet"), [(["entity"], 1), (["observation"], 2), (["observation", "entity"], 3)]
)
async def test_pages_have_everything_once_in_order(
    sky: Mind, kinds: list[str], per_planet: int, order: str
) -> None:
    found = await pages(sky, kinds=kinds, order=order)
    ids = [hit.id for hit in found]
    assert len(ids) == len(set(ids)) == per_planet * len(PLANETS)
    assert {hit.kind for hit in found} == set(kinds)
    times = [hit.created_at for hit in found]
    assert times == sorted(times, reverse=order == "created_at_desc")  # pyright: ignore[reportArgumentType]


async def test_only_what_is_true_is_listed(sky: Mind) -> None:
    now = await pages(sky, kinds=["observation"])
    assert not [hit for hit in now if "god" in hit.text]
    then = await pages(sky, kinds=["observation"], as_of=EARLY + timedelta(days=1))
    assert {hit.text for hit in then} == {f"{name} is a god." for name in PLANETS}


async def test_about_chooses_entities_and_their_facts(sky: Mind) -> None:
    found = await pages(sky, kinds=["entity", "observation"], about=["Venus", "mars"])
    assert sorted(hit.entity or "" for hit in found) == ["Mars"] * 3 + ["Venus"] * 3
    assert [hit.text for hit in await pages(sky, kinds=["thought"], about=["Mercury"])] == [
        "Mercury is near the Sun."
    ]
