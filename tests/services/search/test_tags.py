"""Search for a tag of more thoughts than are compared exactly: no match is missed."""

import random
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import OPEN, SearchResult
from legacymind.services.recall import finds
from legacymind.settings import Settings
from legacymind.text.fulltext import namespace_key
from tests.fakes import FakeEmbedder
from tests.wire import Wire, raw, text_indexed

pytestmark = [pytest.mark.anyio, pytest.mark.slow]  # stores 6,600 thoughts

OFTEN, BARE = 5_400, 1_200
QUERY, ANOTHER = "copper kettle", "tank valve heater pump"
WORDS = (
    "tank pump valve cache deploy alarm index query node heater switch crew engine pressure log retry".split()
)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """1,200 thoughts near the query without a tag, and 5,400 distant ones with a tag; some have two."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    dice = random.Random(5)
    rows: list[dict[str, Any]] = []
    for number in range(OFTEN + BARE):
        often = number < OFTEN
        words = [*dice.choices(WORDS, k=4 if often else 1), f"n{number % 400}"]
        rows.append(
            {
                "id": f"{settings.namespace}-{number}",
                "namespace": settings.namespace,
                "hot": True,
                "found_until": OPEN,
            }
            | {"ns_key": namespace_key(settings.namespace), "created_at": START + timedelta(minutes=number)}
            | {"content": " ".join([*words, *(["copper"] if often else ["copper", "kettle"])])}
            | {"tags": ["often", *(["rare"] if number % 1_000 == 7 else [])] if often else []}
            | {"author": "Ada" if number % 450 == 3 else "Grace"}
            | {"is_private": number in (40, 41), "session_id": "own" if number == 40 else "another"}
        )
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        await opened.vectors.claim()
        for batch in (rows[at : at + 600] for at in range(0, len(rows), 600)):
            vectors = await opened.vectors.embed([row["content"] for row in batch])
            await raw(
                opened,
                "UNWIND range(0, size($rows) - 1) AS i CREATE (t:Thought) SET t = $rows[i] WITH t, i "
                "CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vectors[i])",
                rows=batch,
                vectors=vectors,
            )
        await text_indexed(opened)
        yield opened


async def search(mind: Mind, query: str | None = QUERY, **options: Any) -> SearchResult:
    arguments = {"query": query, "tags": ["often"], "method": "vector", "limit": 10}
    arguments["max_tokens"] = 100_000
    return await mind.operations["search_thoughts"].call(arguments | options)


async def nearest(mind: Mind, query: str, count: int) -> list[float]:
    """The highest cosines of thoughts with the tag, computed for each of them."""
    (vector,) = await mind.vectors.embed([query])
    rows = await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns, is_private: false}) WHERE 'often' IN t.tags "
        "RETURN 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1 AS cosine "
        "ORDER BY cosine DESC LIMIT $count",
        ns=mind.settings.namespace,
        vector=vector,
        count=count,
    )
    return [row["cosine"] for row in rows]


def numbers(result: SearchResult) -> list[int]:
    return sorted(int(hit.id.rpartition("-")[2]) for hit in result.hits)


@pytest.mark.parametrize("wide", [500, 2_000])
@pytest.mark.parametrize("query", [QUERY, ANOTHER], ids=["others are nearer", "they are near"])
async def test_a_tag_of_thousands_returns_the_nearest_first(
    mind: Mind, query: str, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert OFTEN > finds._EXACT_LIMIT  # pyright: ignore[reportPrivateUsage]
    # None of the nearest 500 has the tag; some hundred of the nearest 2,000 have it.
    monkeypatch.setattr(finds, "_WIDE_LIMIT", wide)
    for limit in (10, 100):
        result = await search(mind, query, limit=limit)
        assert len(result.hits) == limit
        expected = await nearest(mind, query, limit)
        assert [hit.cosine for hit in result.hits] == pytest.approx(expected, abs=1e-3)


async def test_a_tag_of_thousands_fills_every_page_of_any_method(mind: Mind) -> None:
    for method in ("graph", "text", "vector"):
        after = None
        for _ in range(3):
            result = await search(mind, method=method, limit=10, after=after)
            assert len(result.hits) == 10, method
            assert max(numbers(result)) < OFTEN
            after = result.next
            assert after is not None, method
    assert numbers(await search(mind, None, limit=5)) == [OFTEN - n for n in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_a_rare_tag_is_found_at_any_distance(mind: Mind, method: str) -> None:
    rare = [7, 1007, 2007, 3007, 4007, 5007]
    assert numbers(await search(mind, method=method, tags=["rare"])) == rare
    assert numbers(await search(mind, method=method, tags=["often", "rare"])) == rare
    assert (await search(mind, method=method, tags=["often", "never"])).hits == []


@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_a_tag_and_a_filter_find_thoughts_that_pass_both(mind: Mind, method: str) -> None:
    adas = list(range(3, OFTEN, 450))
    assert numbers(await search(mind, method=method, author="Ada", limit=100)) == adas
    asked: dict[str, Any] = {"author": "Grace", "date_to": "2026-03-01", "limit": 20}
    first = await search(mind, method=method, **asked)
    day = await search(mind, method=method, **asked, after=first.next)
    assert (len(day.hits), numbers(day)[-1] < 12 * 60) == (20, True)


@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_private_thoughts_with_the_tag_are_found_in_their_own_session(mind: Mind, method: str) -> None:
    first_hour: dict[str, Any] = {"date_to": "2026-03-01T12:59:00Z", "limit": 100, "method": method}
    assert {40, 41}.isdisjoint(numbers(await search(mind, **first_hour)))
    own = numbers(await search(mind, **first_hour, own_session_id="own"))
    assert (len(own), 40 in own, 41 in own) == (59, True, False)


async def test_a_tag_of_thousands_takes_one_further_statement(mind: Mind) -> None:
    for method, statements in (("graph", 2), ("vector", 2), ("text", 1)):
        await search(mind, method=method)  # plans
        with Wire() as wire:
            await search(mind, method=method)
        assert len(wire.statements) == statements
