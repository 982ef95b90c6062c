"""Subscriptions, executed without HTTP: each new thought, in order, also over a reconnect."""

# pyright: reportPrivateUsage=false

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.db.options import Address
from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.services.nodes import arrivals
from tests.db.relay import relay

pytestmark = pytest.mark.anyio

ADDED = """subscription (
  $session: ID, $chain: ID, $after: DateTime, $own: ID, $namespace: String
) {
  thoughtAdded(
    sessionId: $session, chainId: $chain, after: $after, ownSessionId: $own, namespace: $namespace
  ) { cursor thought { id content session { id: name } } }
}"""


class Events:
    """The events of a subscription, of which the first says that it has begun."""

    def __init__(self, results: AsyncIterator[Any]) -> None:
        self._results = results
        self.cursor = ""

    async def next(self) -> dict[str, Any] | None:
        async with asyncio.timeout(60):
            result = await anext(self._results)
        assert not result.errors, result.errors
        event: dict[str, Any] = result.data["thoughtAdded"]
        self.cursor = event["cursor"]
        return event["thought"]

    async def contents(self, count: int) -> list[str]:
        found = [await self.next() for _ in range(count)]
        return [thought["content"] for thought in found if thought]

    async def fails(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            async for result in self._results:
                if result.errors:
                    formatted: dict[str, Any] = result.errors[0].formatted
                    return formatted
        raise AssertionError


@asynccontextmanager
async def subscribed(schema: Schema, **variables: Any) -> AsyncGenerator[Events]:
    """A subscription that has begun."""
    results: Any = await schema.subscribe(ADDED, variable_values=variables)
    try:
        events = Events(results)
        assert await events.next() is None
        yield events
    finally:
        await results.aclose()


async def think(mind: Mind, *contents: str, **more: Any) -> None:
    for content in contents:
        await mind.operations["think"].call({"content": content, "injection_scale": 0, **more})


async def test_a_subscriber_gets_each_new_thought_of_its_session_label_or_namespace(mind: Mind) -> None:
    schema = build_schema(mind)
    await think(mind, "before")
    async with (
        subscribed(schema) as all_of_them,
        subscribed(schema, session="a") as of_session,
        subscribed(schema, chain="c") as of_label,
        subscribed(schema, own="a") as with_own,
    ):
        await think(mind, "one", session_id="a")
        await think(mind, "two", session_id="b", chain_id="c")
        await think(mind, "secret", session_id="a", is_private=True)
        await think(mind, "elsewhere", session_id="a", namespace=f"{mind.settings.namespace}-other")
        await think(mind, "last", session_id="a", chain_id="c")
        assert await all_of_them.contents(3) == ["one", "two", "last"]
        assert await of_session.contents(3) == ["one", "secret", "last"]
        assert await of_label.contents(2) == ["two", "last"]
        assert await with_own.contents(4) == ["one", "two", "secret", "last"]
    assert mind.arrivals.open == 0


async def test_a_subscription_resumes_after_a_cursor_without_missing_any(mind: Mind) -> None:
    schema = build_schema(mind)
    async with subscribed(schema) as events:
        await think(mind, "one", "two", session_id="a")
        assert await events.contents(2) == ["one", "two"]
        cursor = events.cursor
    await think(mind, "three", session_id="b")
    async with subscribed(schema, after=cursor) as events:
        assert await events.contents(3) == ["one", "two", "three"]  # the minutes before come again
        await think(mind, "four", session_id="a")
        assert await events.contents(1) == ["four"]
    past = datetime.fromisoformat(cursor) + timedelta(minutes=5)
    async with subscribed(schema, after=past.isoformat(), session="b") as events:
        assert await events.contents(1) == ["three"]


STORED = """CREATE (t:Thought {
  id: $namespace + '-' + $id, content: $id, namespace: $namespace, session_id: $session, step_index: 0,
  is_private: false
}) SET t.stored_at = datetime.realtime()"""


@asynccontextmanager
async def held_open(mind: Mind, id: str, session: str | None) -> AsyncGenerator[None]:
    """A transaction that has stored a thought. It is committed at the end."""
    connection = mind.graph._connected()
    async with connection.session("WRITE") as own, await own.begin_transaction() as tx:
        await tx.run(STORED, id=id, namespace=mind.settings.namespace, session=session)
        yield
        await tx.commit()


async def test_what_is_committed_late_is_neither_missed_nor_repeated(mind: Mind) -> None:
    schema = build_schema(mind)
    async with subscribed(schema) as events:
        async with held_open(mind, "slow", "slow"), held_open(mind, "loose", None):
            await think(mind, "early", session_id="a")
            assert await events.contents(1) == ["early"]
            await think(mind, "later", session_id="a")
            assert await events.contents(1) == ["later"]
            later = events.cursor
        assert sorted(await events.contents(2)) == ["loose", "slow"]
        await think(mind, "last", session_id="a")
        assert await events.contents(1) == ["last"]
    async with subscribed(schema, after=later) as resumed:
        assert {"loose", "slow", "last"} <= set(await resumed.contents(5))


async def test_long_lists_arrive_completely_and_too_many_subscriptions_are_refused(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "PAGE", 2)
    monkeypatch.setattr(arrivals, "MOST", 1)
    schema = build_schema(mind)
    texts = ["one", "two", "three", "four", "five"]
    await think(mind, "before", "also before", session_id="a")
    async with subscribed(schema) as events:
        await think(mind, *texts, session_id="a")
        assert await events.contents(5) == texts
        error = await Events(await schema.subscribe(ADDED)).fails()
        assert error["extensions"] == {"code": "busy", "retryAfter": 30}
    wrong = await Events(await schema.subscribe(ADDED, variable_values={"after": "nowhere"})).fails()
    assert wrong["extensions"]["code"] == "invalid_input"


async def test_a_clock_that_was_set_back_hides_no_new_thoughts(mind: Mind) -> None:
    schema = build_schema(mind)
    later = datetime.now(UTC) + timedelta(hours=1)
    async with subscribed(schema, after=later.isoformat()) as events:
        await asyncio.sleep(0.5)
        await think(mind, "one")
        assert await events.contents(1) == ["one"]


async def test_a_subscription_continues_after_the_database_was_away(mind: Mind, address: Address) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(relay(address))
        away = mind.settings.changed(neo4j_uri=first.uri, neo4j_password=address.password)
        other = await stack.enter_async_context(Mind(away, embedder=mind.vectors.embedder))
        events = await stack.enter_async_context(subscribed(build_schema(other)))
        await think(mind, "one", session_id="a")
        assert await events.contents(1) == ["one"]
        first.silence()
        for connection in first.connections:
            connection.close()
        await think(mind, "two", "three", session_id="a")
        first.passing.set()
        assert await events.contents(2) == ["two", "three"]
        assert other.graph.server is not None
