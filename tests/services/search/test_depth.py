"""Deep pages: their memory on the server, where a search ends, and offsets that are too large."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.steps import own_namespace, search
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
    deep = (await search(greetings, None, **asked, offset=DEEP - 20)).next_cursor
    assert await peak_memory(greetings, "search", asked | {"cursor": deep}) < 1.2 * first
    # An offset without a cursor may keep a sort key for each thought before the page.
    assert await peak_memory(greetings, "search", asked | {"offset": DEEP}) < 1.2 * first + 1_200 * DEEP


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
    ids, note = list[str](), None
    while True:
        page = await search(greetings, "good morning", **asked, offset=len(ids))
        ids += [hit.id for hit in page.hits]
        note = page.note
        if not page.more:
            break
        assert note is None
    assert 60 <= len(set(ids)) == len(ids) < STORED
    assert note == "These are the nearest; for all, list with a filter and without a query."
    past = await search(greetings, "good morning", **asked, offset=900)
    assert (past.hits, past.more) == ([], False)


@pytest.mark.parametrize("filters", LISTS)
async def test_pages_of_a_list_by_cursor_and_by_offset_are_equal(
    greetings: Mind, filters: dict[str, Any]
) -> None:
    asked: dict[str, Any] = {"limit": 70, "max_tokens": 100_000, **filters}
    ids, cursor = list[str](), None
    while True:
        page = await search(greetings, None, **asked, cursor=cursor)
        same = await search(greetings, None, **asked, offset=len(ids))
        assert page.hits == same.hits
        ids += [hit.id for hit in page.hits]
        cursor = page.next_cursor
        if not page.more:
            break
    assert len(set(ids)) == len(ids) == STORED


@pytest.mark.parametrize(
    ("operation", "arguments", "known"),
    [
        ("search", {"offset": 1_001}, "1,000"),
        ("search", {"query": "x", "offset": "2000"}, "1,000"),
        ("search_thoughts", {"offset": 1e6}, "1,000"),
        ("thoughts_thread", {"session_id": "s", "offset": 1_000_001}, "1,000,000"),
        ("walk_trail", {"thought_id": "x", "offset": 100_001}, "100,000"),
        ("thoughts_links", {"thought_id": "x", "offset": float("inf")}, "1,000,000"),
        ("explain_recall", {"thought_id": "x", "offset": 10_001}, "10,000"),
        ("thought_for_action", {"action_id": "x", "offset": 1_000_001}, "1,000,000"),
        ("thought_reasoning_trail", {"action_id": "x", "offset": 1_000_001}, "1,000,000"),
    ],
)
async def test_an_offset_beyond_what_can_be_skipped_is_an_error(
    mind: Mind, operation: str, arguments: dict[str, Any], known: str
) -> None:
    with pytest.raises(InvalidInput, match=f"offset must be at most {known}; ."):
        await mind.operations[operation].call(arguments)


async def test_every_offset_has_such_a_limit(mind: Mind) -> None:
    checked = 0
    for operation in mind.operations.values():
        schema = operation.input_schema()["properties"]
        if "offset" in schema:
            required = dict.fromkeys(operation.input_schema().get("required", []), "x")
            with pytest.raises(InvalidInput, match="offset must be at most"):
                await operation.call(required | {"offset": schema["offset"].get("maximum", 10**9) + 1})
            checked += 1
    assert checked >= 8
