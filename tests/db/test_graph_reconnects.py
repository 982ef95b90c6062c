"""When the server stops, calls fail with an error, and the next call finds it again."""

import asyncio
import contextlib
import uuid
from dataclasses import replace
from typing import Any, Final

import pytest
from neo4j.exceptions import IncompleteCommit

from legacymind.db.graph import Graph, Transaction
from legacymind.db.options import Address, Limits
from legacymind.db.query import Parameters, Query
from legacymind.errors import DatabaseUnreachable
from legacymind.mind import Mind
from legacymind.services.chain.reads import READ_CHAIN, READ_HEAD
from legacymind.services.think.store import LOCK_HEAD
from tests.db.relay import relay
from tests.db.test_graph import NOW, SLOW, at
from tests.wire import Wire

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


SESSION: Final[Parameters] = {"namespace": "n", "session_id": "s"}


async def stream(graph: Graph, query: Query[Any], parameters: Parameters) -> None:
    async for _ in graph.stream(query, parameters):
        pass


async def test_an_engine_that_restarts_at_another_port_is_found_again(address: Address) -> None:
    where = Address("bolt://127.0.0.1:1", "neo4j", "")

    async def locate() -> Address:
        return where

    graph = Graph(locate)
    try:
        with pytest.raises(DatabaseUnreachable):
            await graph.ready()
        async with relay(address) as there:
            where = replace(address, uri=there.uri)
            assert await graph.run(READ_HEAD, SESSION)
        with pytest.raises(DatabaseUnreachable) as raised:  # a stream is not retried
            await stream(graph, READ_CHAIN, {**SESSION, "after": -1})
        assert raised.value.hint
        where = address
        assert await graph.run(READ_HEAD, SESSION)
    finally:
        await graph.close()


async def test_one_disconnected_caller_reconnects_and_later_failures_do_not(
    address: Address,
) -> None:
    async with relay(address) as there, contextlib.AsyncExitStack() as stack:
        graph = Graph(at(replace(address, uri=there.uri)))
        stack.push_async_callback(graph.close)
        await graph.ready()
        waiting = [asyncio.create_task(stream(graph, SLOW, {})) for _ in range(2)]
        while len(there.connections) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        there.connections[-1].close()
        (cut,), (late,) = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=20)
        with pytest.raises(DatabaseUnreachable):
            await cut
        assert await graph.run(READ_HEAD, SESSION)
        with pytest.raises(DatabaseUnreachable):  # its driver was replaced by the new one
            await asyncio.wait_for(late, 20)
        with Wire() as wire:
            await graph.run(READ_HEAD, SESSION)
        assert len(wire.statements) == 1  # no second reconnection


async def test_a_call_continues_after_its_connections_were_closed(address: Address) -> None:
    async with relay(address) as there, contextlib.AsyncExitStack() as stack:
        graph = Graph(at(replace(address, uri=there.uri)))
        stack.push_async_callback(graph.close)
        for _ in range(3):
            assert await graph.run(READ_HEAD, SESSION)
            for connection in there.connections:
                connection.close()
            assert await graph.transaction(lambda tx: tx.run(READ_HEAD, SESSION))
            for connection in there.connections:
                connection.close()


@pytest.mark.parametrize(
    ("writes", "effect"), [(True, "It is not known"), (False, "Nothing was acknowledged")]
)
async def test_a_write_that_loses_its_connection_may_have_been_committed(
    address: Address, writes: bool, effect: str
) -> None:
    async with relay(address) as there, contextlib.AsyncExitStack() as stack:
        graph = Graph(at(replace(address, uri=there.uri)), limits=Limits(retry=0.0))
        stack.push_async_callback(graph.close)
        await graph.ready()
        running = asyncio.create_task(graph.run(replace(SLOW, writes=writes), {}))
        await asyncio.sleep(0.3)
        for connection in there.connections:
            connection.close()
        with pytest.raises(DatabaseUnreachable) as raised:
            await running
        raised.value.of_write()
        assert raised.value.effect.startswith(effect)


async def test_a_retried_commit_with_a_lost_response_finds_what_it_stored(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mind.operations["think"].call({"content": "warm"})
    link = mind.graph._connected()  # pyright: ignore[reportPrivateUsage]
    execute, lost = link.execute, False

    async def committed_but_cut_off(query: Query[Any], *given: Any) -> Any:
        nonlocal lost
        rows = await execute(query, *given)
        if query.writes and not lost:
            lost = True
            raise IncompleteCommit("cut off")
        return rows

    monkeypatch.setattr(link, "execute", committed_but_cut_off)
    thought = await mind.operations["think"].call({"content": "stored once"})
    assert (lost, thought.repeated, thought.chain.step_index) == (True, True, 1)
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.complete, report.thought_count) == (True, 2)


async def test_a_call_waits_for_a_server_that_restarts_even_at_another_port(address: Address) -> None:
    where = Address("bolt://127.0.0.1:1", "neo4j", "")

    async def locate() -> Address:
        return where

    graph = Graph(locate)
    try:
        async with relay(address) as there:
            where = replace(address, uri=there.uri)
            await graph.run(READ_HEAD, SESSION)
        where = Address("bolt://127.0.0.1:1", "neo4j", "")
        calls = [asyncio.create_task(graph.run(READ_HEAD, SESSION)) for _ in range(3)]
        await asyncio.sleep(0.5)
        assert not any(call.done() for call in calls)
        where = address
        assert await asyncio.gather(*calls)
    finally:
        await graph.close()


async def test_the_start_of_the_engine_takes_nothing_of_the_time_for_retries(address: Address) -> None:
    where, seconds = address, 0.0

    async def locate() -> Address:
        await asyncio.sleep(seconds)
        return where

    graph = Graph(locate, limits=Limits(retry=1.0))
    try:
        async with relay(address) as there:
            where = replace(address, uri=there.uri)
            await graph.run(READ_HEAD, SESSION)
        where, seconds = address, 3.0
        calls = [graph.run(READ_HEAD, SESSION) for _ in range(3)]
        assert all(await asyncio.gather(*calls))
    finally:
        await graph.close()


async def test_a_call_waits_no_longer_than_retry_time(address: Address) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with relay(address) as there:
            graph = Graph(at(replace(address, uri=there.uri)), limits=Limits(retry=0.5))
            stack.push_async_callback(graph.close)
            await graph.ready()
        async with asyncio.timeout(10):
            with pytest.raises(DatabaseUnreachable):
                await graph.run(READ_HEAD, SESSION)


async def test_a_deadlock_is_retried(address: Address) -> None:
    graph, met = Graph(at(address)), asyncio.Barrier(2)
    tries = 0

    async def lock(tx: Transaction, number: int) -> None:
        await tx.run(LOCK_HEAD, {**numbered(number), "genesis": "g", "recorded_at": NOW})

    async def both(tx: Transaction, first: int, second: int) -> None:
        nonlocal tries
        tries += 1
        await lock(tx, first)
        if tries <= 2:
            await met.wait()
        await lock(tx, second)

    space = f"test-{uuid.uuid4()}"

    def numbered(number: int) -> Parameters:
        return {"namespace": space, "session_id": str(number)}

    try:
        async with asyncio.timeout(30):
            await asyncio.gather(
                graph.transaction(lambda tx: both(tx, 1, 2)), graph.transaction(lambda tx: both(tx, 2, 1))
            )
        assert tries == 3
    finally:
        await graph.close()


async def test_a_poll_never_connects_and_lets_the_next_statement_connect(address: Address) -> None:
    located = 0

    async def locate() -> Address:
        nonlocal located
        located += 1
        return replace(address, uri=there.uri)

    async with relay(address) as there:
        graph = Graph(locate)
        try:
            with pytest.raises(DatabaseUnreachable):
                await graph.poll(READ_HEAD, SESSION)
            assert located == 0
            assert await graph.run(READ_HEAD, SESSION) == await graph.poll(READ_HEAD, SESSION)
            there.silence()
            for connection in there.connections:
                connection.close()
            with pytest.raises(DatabaseUnreachable):
                await graph.poll(READ_HEAD, SESSION)
            assert (located, graph.server) == (1, None)
            there.passing.set()
            assert await graph.run(READ_HEAD, SESSION)
            assert located == 2
        finally:
            await graph.close()
