"""A port that forwards to the server, so that a test can close its connections or silence it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from legacymind.db.options import Address


@dataclass(frozen=True)
class Relay:
    """The address, the connections, and whether data passes."""

    uri: str
    connections: list[asyncio.StreamWriter]
    passing: asyncio.Event = field(default_factory=asyncio.Event)

    def silence(self) -> None:
        """Drop all data without closing, like a firewall that forgot the connection."""
        self.passing.clear()


@asynccontextmanager
async def relay(address: Address) -> AsyncGenerator[Relay]:
    """A relay to the server, closed at the end."""
    connections: list[asyncio.StreamWriter] = []
    writers: list[asyncio.StreamWriter] = []
    tasks: set[asyncio.Task[None]] = set()
    there: Relay

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await there.passing.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = address.uri.removeprefix("bolt://").partition(":")
        writers.append(writer)  # it stays open if the server refuses
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writers.append(far_writer)
        connections.append(writer)
        for ends in ((reader, far_writer), (far_reader, writer)):
            tasks.add(asyncio.create_task(pump(*ends)))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    there = Relay(f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}", connections)
    there.passing.set()
    yield there
    server.close()
    there.passing.set()
    for connection in connections:
        connection.close()
    await asyncio.gather(*tasks)
    for writer in writers:
        writer.transport.abort()
    await asyncio.sleep(0)  # transports close in the next turn of the loop
