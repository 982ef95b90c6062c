"""Threads: the thoughts of a session or of a chain_id in order of time."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.trails import ThreadResult
from legacymind.operations.budget import size
from legacymind.settings import Settings
from tests.steps import own_namespace, store_thought
from tests.wire import Wire, db_hits, raw

pytestmark = pytest.mark.anyio

LONG: Final = 10_000
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


async def thread(mind: Mind, **options: Any) -> ThreadResult:
    with Wire() as wire:
        page = await mind.operations["thoughts_thread"].call(options)
    assert len(wire.statements) <= 2
    return page


def contents(page: ThreadResult) -> list[str]:
    return [thought.text for thought in page.thoughts]


async def test_a_session_is_read_in_order_of_time(mind: Mind) -> None:
    first = await store_thought(mind, "first", chain_id="red", confidence=0.25)
    second = await store_thought(mind, "second", revises_thought=first, branch_from="not-there-yet")
    await store_thought(mind, "elsewhere", session_id="other")
    page = await thread(mind, session_id="session")
    assert contents(page) == ["first", "second"]
    one, two = page.thoughts
    assert (one.id, one.session_id, one.chain_id, one.confidence) == (first, "session", "red", 0.25)
    assert (one.previous_thought_id, one.revises_thought, one.branch_from) == (None, None, None)
    assert (two.id, two.revises_thought, two.branch_from) == (second, first, "not-there-yet")
    assert (page.order, page.next is not None, page.left_out) == ("created_at_asc", False, 0)
    latest = await thread(mind, session_id="session", order="created_at_desc")
    assert contents(latest) == ["second", "first"]


async def test_the_order_is_by_created_at_not_by_recorded_at(mind: Mind) -> None:
    await store_thought(mind, "now")
    await store_thought(mind, "long ago", created_at="2001-01-01T00:00:00Z")
    assert contents(await thread(mind, session_id="session")) == ["long ago", "now"]


async def test_a_chain_id_is_read_over_all_sessions_or_within_one(mind: Mind) -> None:
    await store_thought(mind, "here", chain_id="red")
    await store_thought(mind, "there", chain_id="red", session_id="other")
    await store_thought(mind, "blue", chain_id="blue")
    assert contents(await thread(mind, chain_id="red")) == ["here", "there"]
    assert contents(await thread(mind, chain_id="red", order="created_at_desc")) == ["there", "here"]
    assert contents(await thread(mind, chain_id="red", session_id="session")) == ["here"]
    assert contents(await thread(mind, chain_id="green")) == []


async def test_private_thoughts_are_read_if_their_session_is_named(mind: Mind) -> None:
    await store_thought(mind, "open", chain_id="red")
    await store_thought(mind, "secret", chain_id="red", is_private=True)
    assert contents(await thread(mind, session_id="session")) == ["open", "secret"]
    # "session" is the process's own.
    assert contents(await thread(mind, chain_id="red")) == ["open", "secret"]
    assert contents(await thread(mind, chain_id="red", own_session_id="other")) == ["open"]
    assert contents(await thread(mind, chain_id="red", session_id="session")) == ["open", "secret"]
    assert contents(await thread(mind, chain_id="red", session_id="other")) == []


async def test_a_thread_stays_in_its_namespace(mind: Mind) -> None:
    await store_thought(mind, "ours", chain_id="red")
    await store_thought(mind, "theirs", chain_id="red", namespace=f"{mind.settings.namespace}-theirs")
    assert contents(await thread(mind, session_id="session")) == ["ours"]
    assert contents(await thread(mind, chain_id="red")) == ["ours"]


async def test_a_redacted_thought_keeps_its_place_without_its_content(mind: Mind) -> None:
    gone = await store_thought(mind, "gone")
    await store_thought(mind, "stays")
    await mind.operations["redact_thought"].call({"thought_id": gone, "reason": "a test"})
    page = await thread(mind, session_id="session")
    assert [(thought.id == gone, thought.text) for thought in page.thoughts] == [
        (True, ""),
        (False, "stays"),
        (False, f"Redacted {gone}: a test"),
    ]


@pytest.mark.parametrize("order", ["created_at_asc", "created_at_desc"])
async def test_pages_have_everything_once_even_within_one_instant(mind: Mind, order: str) -> None:
    for number in range(9):
        await store_thought(mind, f"step {number}", created_at=START if number < 6 else None)
    whole = (await thread(mind, session_id="session", order=order)).thoughts
    assert len(whole) == 9
    seen: list[Any] = []
    after = None
    while True:
        page = await thread(mind, session_id="session", order=order, limit=2, after=after)
        seen += page.thoughts
        after = page.next
        if after is None:
            break
    assert seen == whole
    steps = [f"step {number}" for number in range(9)]
    in_order = steps if order == "created_at_asc" else steps[::-1]
    assert [thought.text for thought in seen] == in_order


async def test_forged_step_numbers_neither_hide_nor_repeat_a_thought(mind: Mind) -> None:
    for number in range(3):
        await store_thought(mind, f"step {number}", created_at=START)
    await raw(
        mind,
        "UNWIND $steps AS step CREATE (:Thought {id: randomUUID(), namespace: $ns, session_id: 'session', "
        "is_private: false, content: 'forged', step_index: step, created_at: $at})",
        ns=mind.settings.namespace,
        at=START,
        steps=["5", None, [1], 2.5],
    )
    seen: list[str] = []
    after = None
    for _ in range(10):
        page = await thread(mind, session_id="session", limit=1, after=after)
        seen += contents(page)
        after = page.next
        if after is None:
            break
    assert after is None
    assert [content for content in seen if content != "forged"] == ["step 0", "step 1", "step 2"]


@pytest.mark.parametrize(
    "other",
    [
        {"session_id": "session", "order": "created_at_desc"},
        {"session_id": "session", "chain_id": "red"},
        {"session_id": "other"},
        {"chain_id": "red"},
        {"session_id": "session", "namespace": "other"},
    ],
)
async def test_a_cursor_is_bound_to_its_thread(mind: Mind, other: dict[str, Any]) -> None:
    for number in range(2):
        await store_thought(mind, f"step {number}", chain_id="red")
    after = (await thread(mind, session_id="session", limit=1)).next
    assert contents(await thread(mind, session_id="session", after=after)) == ["step 1"]
    with pytest.raises(InvalidInput, match="other arguments"):
        await mind.operations["thoughts_thread"].call(other | {"after": after})
    with pytest.raises(InvalidInput, match="other arguments"):
        await mind.operations["search"].call({"session_id": "session", "after": after})


async def test_pages_continue_at_nanoseconds_and_in_other_time_zones(mind: Mind) -> None:
    await raw(
        mind,
        "UNWIND range(0, 9) AS n CREATE (:Thought {id: $prefix + n, namespace: $ns, session_id: 'fine', "
        "is_private: false, content: toString(n), created_at: CASE WHEN n < 5 "
        "THEN datetime({epochSeconds: 1, nanosecond: n}) "
        "ELSE datetime({epochSeconds: 2, nanosecond: n, timezone: '+01:00'}) END})",
        ns=mind.settings.namespace,
        prefix=str(uuid.uuid4()),
    )
    for order in ("created_at_asc", "created_at_desc"):
        seen: list[str] = []
        after = None
        for _ in range(10):
            page = await thread(mind, session_id="fine", limit=1, after=after, order=order)
            seen += contents(page)
            after = page.next
        assert after is None
        assert seen == sorted("0123456789", reverse=order == "created_at_desc")


async def test_thoughts_that_do_not_fit_begin_the_next_page(mind: Mind) -> None:
    for number in range(6):
        await store_thought(mind, f"{number} " + "words and words " * 60)
    page = await thread(mind, session_id="session", max_tokens=900)
    assert [content[0] for content in contents(page)] == ["0", "1"]
    assert (page.left_out, page.next is not None) == (4, True)
    assert sum(size(thought) for thought in page.thoughts) < 900
    after = await thread(mind, session_id="session", max_tokens=900, after=page.next)
    assert [content[0] for content in contents(after)] == ["2", "3"]
    whole = await thread(mind, session_id="session", limit=100)
    assert (len(whole.thoughts), whole.left_out) == (6, 0)


async def test_a_thought_longer_than_the_budget_is_shortened(mind: Mind) -> None:
    await store_thought(mind, "long " * 10_000)
    await store_thought(mind, "short")
    page = await thread(mind, session_id="session", max_tokens=500)
    assert len(page.thoughts) == 1
    assert page.thoughts[0].text.endswith("…")
    assert size(page.thoughts[0]) <= 500
    assert contents(await thread(mind, session_id="session", after=page.next)) == ["short"]
    whole = await thread(mind, session_id="session", max_tokens=100_000)
    assert len(whole.thoughts[0].text) == 50_000


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"session_id": ""},
        {"session_id": "s", "order": "relevance"},
        {"session_id": "s", "after": "nonsense"},
        {"session_id": "s", "after": "bm90IGpzb24="},
        {"session_id": "s", "after": "WzEsMl0="},
        {"session_id": "s", "after": "A" * 10_000},
        {"session_id": "s", "after": "\ud800"},
        {"session_id": "s", "limit": "many"},
    ],
)
async def test_invalid_arguments_are_rejected(mind: Mind, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as refused:
        await mind.operations["thoughts_thread"].call(arguments)
    assert refused.value.hint


@pytest.fixture(scope="module")
async def long(engine_settings: Settings) -> AsyncIterator[Mind]:
    """A session and a chain_id with ten thousand thoughts, inserted without any checks."""
    async with own_namespace(engine_settings, large=True) as opened:
        space = opened.settings.namespace
        for first in range(0, LONG, 2000):
            rows = [
                {
                    "id": f"{space}-{number}",
                    "namespace": space,
                    "session_id": "long",
                    "chain_id": "long label",
                    "content": f"step {number}",
                    "is_private": False,
                    "created_at": START + timedelta(seconds=number),
                }
                for number in range(first, first + 2000)
            ]
            await raw(opened, "UNWIND $rows AS row CREATE (t:Thought) SET t = row", rows=rows)
        yield opened


@pytest.mark.parametrize("order", ["created_at_asc", "created_at_desc"])
@pytest.mark.parametrize(
    "named", [{"session_id": "long"}, {"chain_id": "long label"}], ids=["session", "label"]
)
@pytest.mark.slow
async def test_a_deep_page_by_cursor_takes_no_more_work_than_the_first(
    long: Mind, named: dict[str, Any], order: str
) -> None:
    options = named | {"order": order, "limit": 20}
    first, after = await db_hits(long, "thoughts_thread", options), None
    for _ in range(10):
        page = await thread(long, **options | {"limit": 500, "max_tokens": 100_000}, after=after)
        after = page.next
    later = await db_hits(long, "thoughts_thread", options | {"after": after})
    assert later < 1.2 * first


@pytest.mark.slow
async def test_ten_thousand_thoughts_are_read_completely_by_cursor(long: Mind) -> None:
    seen: list[str] = []
    after = None
    while True:
        page = await thread(long, session_id="long", limit=500, after=after, max_tokens=100_000)
        seen += contents(page)
        after = page.next
        if after is None:
            break
    assert seen == [f"step {number}" for number in range(LONG)]
