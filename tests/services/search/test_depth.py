"""Deep pages: their memory on the server, and offsets that are too large."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from legacymind.settings import Settings
from tests.steps import own_namespace, search
from tests.wire import db_hits, peak_memory, raw, text_indexed

pytestmark = pytest.mark.anyio

STORED = 320
DEEP = 220
"""Hits before the deep page. The index is asked for 250 there."""


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
    assert await peak_memory(greetings, "search", asked | {"offset": DEEP}) < 1.2 * first + 1_000 * DEEP


@pytest.mark.slow
async def test_a_list_without_filters_reads_no_more_than_its_page(greetings: Mind) -> None:
    # A filter may match few, so 200 of those that match are read first.
    assert await db_hits(greetings, "search", {"limit": 1, "session_id": "session"}) > 200
    assert await db_hits(greetings, "search", {"limit": 1}) < 200


SEARCHES: list[dict[str, Any]] = [
    {"method": "text"},
    {"method": "text", "tags": ["greeting"], "kinds": ["thought"]},
    {"method": "vector"},
    {"method": "vector", "session_id": "session", "kinds": ["thought"]},
    {"method": "graph", "session_id": "session", "kinds": ["thought"]},
]


async def hits_read(mind: Mind, arguments: dict[str, Any], patch: pytest.MonkeyPatch) -> int:
    """The hits that the statements of a search return to this process."""
    read, run = list[Any](), mind.graph.run

    async def count(query: Any, parameters: Any) -> list[Any]:
        rows: list[Any] = await run(query, parameters)
        read.extend(hit for row in rows for hit in row.get("hits", []))
        return rows

    with patch.context() as patched:
        patched.setattr(mind.graph, "run", count)
        await mind.operations["search"].call(arguments)
    return len(read)


@pytest.mark.parametrize("asked", SEARCHES)
@pytest.mark.slow
async def test_a_page_of_a_search_takes_little_memory_for_each_hit_before_it(
    greetings: Mind, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a node and its score are kept of each; this process reads nothing of them."""
    arguments: dict[str, Any] = {"query": "good morning", "limit": 20, "max_tokens": 100_000, **asked}
    before = await search(greetings, **arguments, offset=DEEP - 20)
    pages = [arguments, arguments | {"cursor": before.next_cursor}]
    if asked.get("kinds") == ["thought"]:
        pages.append(arguments | {"offset": DEEP})
    first, *deep = [
        (
            await peak_memory(greetings, "search", page),
            await hits_read(greetings, page, monkeypatch),
        )
        for page in pages
    ]
    for memory, rows in deep:
        assert memory < first[0] + 1_600 * DEEP, (memory - first[0]) / DEEP
        assert rows == first[1]


@pytest.mark.parametrize("method", ["vector", "text"])
async def test_the_next_page_begins_after_the_last_hit_whatever_came_or_went_since(
    mind: Mind, method: str
) -> None:
    async def say(texts: list[str]) -> None:
        thoughts = [{"content": text, "injection_scale": 0} for text in texts]
        await mind.operations["think_batch"].call({"thoughts": thoughts})
        await text_indexed(mind)

    async def read(cursor: str | None = None) -> SearchResult:
        asked: dict[str, Any] = {"method": method, "limit": 10, "max_tokens": 100_000, "kinds": ["thought"]}
        return await search(mind, "kettle", **asked, cursor=cursor)

    await say([f"kettle {' '.join(f'w{m}' for m in range(n))}" for n in range(25)])
    first = await read()
    second = await read(first.next_cursor)
    await say(["kettle"] * 3)
    again = await read(first.next_cursor)
    assert [hit.id for hit in again.hits] == [hit.id for hit in second.hits]
    assert [hit.rank for hit in again.hits] == [*range(11, 21)]
    # Without its last hit, the place of the page counts.
    await raw(mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=first.hits[-1].id)
    await text_indexed(mind)
    moved = await read(first.next_cursor)
    assert [hit.id for hit in moved.hits[2:]] == [hit.id for hit in second.hits[:8]]


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
