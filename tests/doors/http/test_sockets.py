"""Connections of the server: an answer's packets do not wait for each other."""

import asyncio
import socket

import pytest

from legacymind.doors.http.process import listen


@pytest.mark.anyio
async def test_a_connection_sends_each_packet_at_once() -> None:
    accepted: asyncio.Future[asyncio.StreamWriter] = asyncio.get_running_loop().create_future()

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result(writer)

    with listen("127.0.0.1", 0) as listening:
        async with await asyncio.start_server(take, sock=listening):
            _, client = await asyncio.open_connection(*listening.getsockname())
            server = await accepted
            assert server.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            client.close()
            server.close()
