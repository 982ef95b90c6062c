"""Deep pages: their memory on the server, and where a search ends."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.steps import own_namespace, pages_of
from tests.wire import db_hits, peak_memory, text_indexed

pytestmark = pytest.mark.anyio

STORED = 320
DEEP = 220
"""Items before the deep page."""


@pytest.fixture(scope="module")
async def greetings(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Similar thoughts with a tag. Shared by the module: the tests only read."""
    async with own_namespace(engine_settings, "session") as mind:
        texts = [f"Good morning, {n}." for n in range(STORED)]
        thoughts = [{"content": text, "tags": ["greeting"], "injection_scale": 0} for text in texts]
        for batch in range(0, STORED, 80):
            await mind.operations["think_batch"].call({"thoughts": thoughts[batch : batch + 80]})
        await text_indexed(mind)
        yield mind


LISTS: list[dict[str, Any]] = [
    {},
    {"order": "created_at_asc"},
    {"session_id": "session"},
    {"tags": ["greeting"]},
]


@pytest.mark.parametrize("filters", LISTS)
@pytest.mark.slow
async def test_a_page_of_a_list_takes_the_same_memory_at_any_depth(
    greetings: Mind, filters: dict[str, Any]
) -> None:
    asked = {"limit": 20, "max_tokens": 100_000, **filters}
    first = await peak_memory(greetings, "search", asked)
    deep = (await pages_of(greetings, "search", **asked))[DEEP // 20].next
    assert await peak_memory(greetings, "search", asked | {"after": deep}) < 1.2 * first


@pytest.mark.slow
async def test_a_list_without_filters_reads_no_more_than_its_page(greetings: Mind) -> None:
    # A filter may match few, so 200 of those that match are read first.
    assert await db_hits(greetings, "search", {"limit": 1, "session_id": "session"}) > 200
    assert await db_hits(greetings, "search", {"limit": 1}) < STORED  # some are of the nodes that are shown


@pytest.mark.slow
@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_a_search_ends_with_its_candidates_and_says_how_to_read_all(
    greetings: Mind, method: str
) -> None:
    asked: dict[str, Any] = {"method": method, "limit": 100, "max_tokens": 100_000, "kinds": ["thought"]}
    *pages, last = await pages_of(greetings, "search", query="good morning", **asked)
    ids = [hit.id for page in (*pages, last) for hit in page.hits]
    assert 60 <= len(set(ids)) == len(ids) < STORED
    assert {page.note for page in pages} <= {None}
    assert last.note == "These are the nearest; for all, list with a filter and without a query."


@pytest.mark.parametrize("filters", LISTS)
async def test_pages_of_a_list_have_everything_once(greetings: Mind, filters: dict[str, Any]) -> None:
    pages = await pages_of(greetings, "search", limit=70, max_tokens=100_000, **filters)
    ids = [hit.id for page in pages for hit in page.hits]
    assert len(set(ids)) == len(ids) == STORED
