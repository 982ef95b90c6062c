"""Every wait has a limit: for a connection, for a silent server, and for a statement."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from legacymind.db.graph import Graph, Transaction
from legacymind.db.options import Address, Limits
from legacymind.db.query import Parameters, Query
from legacymind.engine import Engine
from legacymind.errors import DatabaseBusy, DatabaseError, DatabaseUnreachable
from legacymind.mind import Mind
from legacymind.services.chain.reads import READ_CHAIN, READ_HEAD
from tests.db.relay import relay
from tests.db.test_graph import SLOW, at, limit
from tests.wire import Wire

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SESSION: Final[Parameters] = {"namespace": "n", "session_id": "s"}


@asynccontextmanager
async def opened(address: Address, limits: Limits) -> AsyncGenerator[Graph]:
    """A connected graph with these limits."""
    graph = Graph(at(address), limits=replace(limits, statement=30.0))
    try:
        await graph.ready()
        limit(graph, limits)
        yield graph
    finally:
        await graph.close()


async def streamed(graph: Graph) -> list[Any]:
    return [row async for row in graph.stream(SLOW, {})]


async def test_a_call_without_a_free_connection_fails_and_does_not_affect_others(address: Address) -> None:
    limits = Limits(connections=2, wait=0.3)
    async with opened(address, limits) as graph:
        held, free = asyncio.Barrier(3), asyncio.Event()

        async def hold(tx: Transaction) -> list[Any]:
            await tx.run(READ_HEAD, SESSION)
            await held.wait()
            await free.wait()
            return await tx.run(READ_HEAD, SESSION)

        holding = [asyncio.create_task(graph.transaction(hold)) for _ in range(2)]
        await held.wait()
        with pytest.raises(DatabaseBusy) as raised:
            await graph.run(READ_HEAD, SESSION)
        assert raised.value.hint
        free.set()
        assert all(await asyncio.gather(*holding))  # their connections still work
        assert await graph.run(READ_HEAD, SESSION)


@pytest.mark.parametrize("kind", ["statement", "transaction", "stream"])
async def test_the_server_ends_every_statement_over_the_time_limit(
    address: Address, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "transaction", 1.0)
    monkeypatch.setattr(Limits, "stream", 1.0)
    async with opened(address, Limits(statement=1.0)) as graph:
        calls = {
            "statement": lambda: graph.run(SLOW, {}),
            "transaction": lambda: graph.transaction(lambda tx: tx.run(SLOW, {})),
            "stream": lambda: streamed(graph),
        }
        async with asyncio.timeout(30):
            with pytest.raises(DatabaseError, match="took too long"):
                await calls[kind]()
        assert await graph.run(READ_HEAD, SESSION)


async def test_the_first_run_of_a_statement_has_the_time_to_be_planned(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "transaction", 120.0)
    text = "UNWIND range(1, 100000000) AS x RETURN sum(x % 7) AS slow"
    slow = replace(SLOW, file="planned", row=int, text=text)
    async with opened(address, Limits(statement=1.0)) as graph:
        await graph.run(slow, {})
        await graph.run(replace(slow, text=f"{text} // with another filter"), {})
        with pytest.raises(DatabaseError, match="took too long"):
            await graph.run(slow, {})


@pytest.mark.parametrize("kind", ["statement", "transaction", "stream"])
async def test_a_silent_server_is_abandoned_and_found_again(
    address: Address, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with relay(address) as there, contextlib.AsyncExitStack() as stack:
        graph = await stack.enter_async_context(opened(replace(address, uri=there.uri), Limits()))

        async def read(tx: Transaction) -> list[Any]:
            return await tx.run(READ_HEAD, SESSION)

        async def streaming() -> list[Any]:
            return [row async for row in graph.stream(READ_CHAIN, {**SESSION, "after": -1})]

        calls = {
            "statement": lambda: graph.run(READ_HEAD, SESSION),
            "transaction": lambda: graph.transaction(read),
            "stream": streaming,
        }
        await calls[kind]()
        with monkeypatch.context() as impatient:
            impatient.setattr(Limits, "answer", 0.5)
            impatient.setattr(Limits, "transaction", 0.5)
            limit(graph, Limits(connect=0.5, retry=0.5))
            there.silence()
            connections = len(there.connections)
            async with asyncio.timeout(30):
                with pytest.raises(DatabaseUnreachable) as raised:
                    await calls[kind]()
        # The time of retries was over with the silence of the first try.
        assert len(there.connections) == connections
        assert not raised.value.effect  # nothing was written
        raised.value.of_write()
        assert "whole or not at all" in raised.value.effect
        graph._limits = Limits()  # pyright: ignore[reportPrivateUsage]  # it is no longer connected
        there.passing.set()
        await calls[kind]()


@pytest.mark.parametrize("wait", [0.2, 60.0])
async def test_a_retry_waits_no_longer_than_retries_may_take_for_a_server_that_opens_no_connection(
    address: Address, wait: float
) -> None:
    async with relay(address) as there:
        limits = Limits(wait=wait, connect=60.0, retry=0.5)
        async with opened(replace(address, uri=there.uri), limits) as graph:
            there.silence()
            for connection in there.connections:
                connection.close()
            async with asyncio.timeout(30):
                with pytest.raises(DatabaseUnreachable, match="No Neo4j answers"):  # and not that it is busy
                    await graph.run(READ_HEAD, SESSION)


async def test_a_thought_sent_to_a_silent_server_is_stored_once(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mind.operations["think"].call({"content": "warm"})
    engine = Engine(mind.settings)
    async with relay(Address(engine.status().uri, "", "")) as there:
        settings = mind.settings.changed(
            neo4j_uri=there.uri, neo4j_password=engine.password(), retry_time=60.0
        )
        async with Mind(settings, session_id="session", embedder=mind.vectors.embedder) as cut_off:
            await cut_off.operations["think"].call({"content": "heard"})
            with monkeypatch.context() as impatient:
                impatient.setattr(Limits, "answer", 0.5)
                there.silence()
                thinking = asyncio.create_task(cut_off.operations["think"].call({"content": "into silence"}))
                await asyncio.sleep(1.0)
                assert not thinking.done()
            there.passing.set()
            assert (await thinking).chain.step_index == 2
    report = await mind.operations["verify_chain"].call({"session_id": "session"})
    assert (report.complete, report.thought_count) == (True, 3)


# 20,000 rows, each charged with a list of 20,000 numbers: 3 GB by the server's count, and 1 MB in fact.
GREEDY: Query[dict[str, Any]] = Query(
    "greedy",
    dict[str, Any],
    False,
    "UNWIND range(1, 20000) AS n WITH collect(n) AS listed"
    " CALL (listed) { UNWIND listed AS n RETURN n ORDER BY n DESC LIMIT 20000 } RETURN count(n) AS n",
    frozenset(),
)


@pytest.mark.alone  # the memory of all statements is limited together
async def test_a_statement_without_enough_memory_is_not_repeated(address: Address) -> None:
    async with opened(address, Limits()) as graph:
        with Wire() as wire, pytest.raises(DatabaseError, match="more memory") as raised:
            await graph.run(GREEDY, {})
        assert len(wire.statements) == 1
        assert "LEGACYMIND_HEAP_MB" in raised.value.hint
        assert await graph.run(READ_HEAD, SESSION)
