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


async def test_a_list_without_kinds_has_thoughts_and_knowledge_in_one_order(sky: Mind) -> None:
    for order in ("created_at_desc", "created_at_asc"):
        found = await pages(sky, order=order)
        assert len({hit.id for hit in found}) == len(found) == 3 * len(PLANETS) + 1
        times = [hit.created_at for hit in found]
        assert times == sorted(times, reverse=order == "created_at_desc")  # pyright: ignore[reportArgumentType]


async def test_what_is_known_about_an_entity_is_listed_or_searched(sky: Mind) -> None:
    listed = await search(sky, None, about=["Mercury"])
    assert sorted(hit.text for hit in listed.hits) == [
        "Mercury",
        "Mercury has property 0.",
        "Mercury has property 1.",
        "Mercury is near the Sun.",
    ]
    searched = await search(sky, "property", about=["Mercury"])
    assert {hit.text for hit in searched.hits} >= {"Mercury has property 0.", "Mercury has property 1."}
    assert not [hit for hit in searched.hits if "Mercury" not in hit.text]


async def test_a_query_about_an_entity_finds_a_fact_that_many_others_outrank(mind: Mind) -> None:
    others = [{"entity": f"Crate {n}", "content": f"The lid of crate {n} is copper."} for n in range(70)]
    await remember(mind, observations=[*others, {"entity": "Barrel", "content": "Its hoops are oak."}])
    found = await search(mind, "The lid of the crate is copper.", about=["Barrel"], kinds=["observation"])
    assert [hit.text for hit in found.hits] == ["Its hoops are oak."]


async def test_what_changed_since_a_time_was_made_ended_corrected_or_forgotten(mind: Mind) -> None:
    before = await remember(
        mind,
        observations=[
            {"entity": "Depot", "content": "The depot opens at 7.", "valid_from": EARLY},
            {"entity": "Depot", "content": "The depot has a crane.", "valid_from": EARLY},
            {"entity": "Depot", "content": "The depot has a roof.", "valid_from": EARLY},
        ],
    )
    opens, crane, _ = (fact.id for fact in before.observations)
    gone = await store_thought(mind, "The gate code is 4417.")
    begin = datetime.now(UTC).isoformat()
    newer = {"entity": "Depot", "content": "The depot opens at 8.", "supersedes": opens}
    closed: dict[str, Any] = {"entity": "Depot", "content": "The depot has a crane.", "valid_from": EARLY}
    closed["valid_to"] = datetime.now(UTC)
    stored = await remember(mind, observations=[newer, closed])
    await mind.operations["forget"].call({"id": gone, "confirm": True})
    changed = {hit.text: hit for hit in (await search(mind, None, date_from=begin)).hits}
    assert changed["The depot opens at 7."].valid_to is not None
    assert changed["The depot opens at 7."].revised_by == stored.observations[0].id
    assert changed["The depot has a crane."].id == crane
    assert changed["The depot opens at 8."].valid_to is None
    assert "The depot has a roof." not in changed
    assert [hit for hit in changed.values() if hit.thought_type == "redaction"]
    ended = await search(mind, None, ended=True)
    assert [hit.id for hit in ended.hits] == [opens, crane]
    assert not (await search(mind, None, ended=True, date_to=begin)).hits
