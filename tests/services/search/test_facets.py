"""Facets of a search: what its first hits have in common."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from legacymind.model.graph import FacetValue, SearchFacets
from legacymind.operations.budget import tokens
from legacymind.services.search import service
from legacymind.settings import Settings
from tests.steps import own_namespace, remember, search, think_without_recall
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def kitchen(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Six thoughts of two authors, one of them private, and an entity with a fact. The tests only read."""
    async with own_namespace(engine_settings, "elsewhere") as mind:
        for number in range(6):
            await think_without_recall(
                mind,
                f"the copper kettle boils {number}",
                session_id=f"s{number % 2}",
                author="ada" if number < 4 else "bo",
                chain_id="breakfast",
                is_private=number == 5,
            )
        await remember(
            mind,
            entities=[{"name": "copper kettle", "entity_type": "tool"}],
            observations=[{"entity": "copper kettle", "content": "The copper kettle leaks."}],
        )
        await text_indexed(mind)
        yield mind


async def facets_of(mind: Mind, query: str | None = None, **options: Any) -> SearchFacets:
    return await mind.operations["search_facets"].call({"query": query, **options})


def counts(values: list[FacetValue]) -> dict[str, int]:
    return {one.value: one.count for one in values}


@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_facets_count_the_hits_of_the_same_search(kitchen: Mind, method: str) -> None:
    found = await facets_of(kitchen, "copper kettle", method=method)
    hits = (await search(kitchen, "copper kettle", method=method, limit=100, max_tokens=100_000)).hits
    assert (found.counted, found.more) == (len(hits), False)
    assert counts(found.kinds) == {"thought": 5, "entity": 1, "observation": 1}
    assert counts(found.authors) == {"ada": 4, "bo": 1}
    assert [one.value for one in found.authors] == ["ada", "bo"]  # the most frequent first
    assert counts(found.sessions) == {"s0": 3, "s1": 2}
    assert counts(found.chains) == {"breakfast": 5}
    assert counts(found.entity_types)["tool"] > 0


async def test_filters_narrow_what_is_counted(kitchen: Mind) -> None:
    found = await facets_of(kitchen, "copper kettle", author="ada", session_id="s1")
    assert counts(found.sessions) == {"s1": 2}
    own = await facets_of(kitchen, "copper kettle", own_session_id="s1", kinds=["thought"])
    assert counts(own.authors) == {"ada": 4, "bo": 2}
    listed = await facets_of(kitchen, author="ada")
    assert (listed.counted, counts(listed.kinds)) == (4, {"thought": 4})
    assert (await facets_of(kitchen, author="nobody")).counted == 0


async def test_only_the_first_items_of_a_list_are_counted(
    kitchen: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "COUNTED", 3)
    found = await facets_of(kitchen, None, kinds=["thought"])
    assert (found.counted, found.more) == (3, True)
    assert sum(counts(found.authors).values()) == 3


async def test_the_most_frequent_values_of_each_facet_come_first_in_a_budget(kitchen: Mind) -> None:
    everything = await facets_of(kitchen, "copper kettle", max_tokens=100_000)
    assert everything.left_out == 0
    for allowed in (130, 150, 170):
        found = await facets_of(kitchen, "copper kettle", max_tokens=allowed)
        assert tokens(jsonable(found)) <= allowed
        assert found.left_out > 0
        assert found.kinds[0] == everything.kinds[0]
        assert len(found.sessions) < 2


async def test_listed_knowledge_is_counted(kitchen: Mind) -> None:
    listed = await search(kitchen, None, kinds=["entity", "observation"], limit=100)
    counted = await facets_of(kitchen, kinds=["entity", "observation"])
    assert counted.counted == len(listed.hits) > 0
    assert {one.value for one in counted.kinds} == {hit.kind for hit in listed.hits}
