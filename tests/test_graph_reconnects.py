"""When the server goes away callers are told, and the next call finds it again."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from legacymind import queries
from legacymind.engine import Engine
from legacymind.errors import DatabaseUnreachable
from legacymind.graph import Address, Graph
from legacymind.queries import Query
from legacymind.settings import Settings
from tests.test_graph import SLOW, at
from tests.wire import Wire

pytestmark = pytest.mark.anyio


@pytest.fixture
def address(engine_settings: Settings) -> Address:
    engine = Engine(engine_settings)
    return Address(engine.status().uri, "neo4j", engine.password())


async def stream(graph: Graph, query: Query[Any], **parameters: Any) -> None:
    async for _ in graph.stream(query, **parameters):
        pass


async def test_an_engine_that_comes_back_elsewhere_is_found_again(address: Address) -> None:
    where = Address("bolt://127.0.0.1:1", "neo4j", "")
    session = {"namespace": "n", "session_id": "s"}

    async def locate() -> Address:
        return where

    graph = Graph(locate)
    try:
        with pytest.raises(DatabaseUnreachable):
            await graph.ready()
        async with relay(address) as there:
            where = replace(address, uri=there.uri)
            assert await graph.run(queries.read_head, **session)
        with pytest.raises(DatabaseUnreachable) as raised:  # a stream is not tried again
            await stream(graph, queries.read_chain, **session, after=-1)
        assert raised.value.do
        where = address
        assert await graph.run(queries.read_head, **session)
    finally:
        await graph.close()


async def test_one_caller_that_is_cut_off_connects_anew_and_who_fails_later_does_no_harm(
    address: Address,
) -> None:
    session = {"namespace": "n", "session_id": "s"}
    async with relay(address) as there, contextlib.AsyncExitStack() as stack:
        graph = Graph(at(replace(address, uri=there.uri)))
        stack.push_async_callback(graph.close)
        await graph.ready()
        waiting = [asyncio.create_task(stream(graph, SLOW)) for _ in range(2)]
        while len(there.connections) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        there.connections[-1].close()
        (cut,), (late,) = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=20)
        with pytest.raises(DatabaseUnreachable):
            await cut
        assert await graph.run(queries.read_head, **session)
        with pytest.raises(DatabaseUnreachable):  # its driver made room for the new one
            await asyncio.wait_for(late, 20)
        with Wire() as wire:
            await graph.run(queries.read_head, **session)
        assert len(wire.statements) == 1  # not connected anew once more


@dataclass(frozen=True)
class Relay:
    """A port of our own that leads to the server."""

    uri: str
    connections: list[asyncio.StreamWriter]


@asynccontextmanager
async def relay(address: Address) -> AsyncGenerator[Relay]:
    """A relay to the server, which is gone when it is left."""
    connections: list[asyncio.StreamWriter] = []
    tasks: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = address.uri.removeprefix("bolt://").partition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        connections.append(writer)
        for ends in ((reader, far_writer), (far_reader, writer)):
            tasks.add(asyncio.create_task(pump(*ends)))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield Relay(f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}", connections)
    server.close()
    for connection in connections:
        connection.close()
    await asyncio.gather(*tasks)
