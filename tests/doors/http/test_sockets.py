"""Connections of the server: an answer's packets do not wait for each other."""

import asyncio
import os
import socket
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from legacymind.doors.http.process import listen, serve
from legacymind.settings import Settings


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Never called."""


@pytest.mark.anyio
@pytest.mark.parametrize("workers", [1, 2])
async def test_a_connection_sends_each_packet_at_once(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[Any]()
    given = dict[str, Any]()

    def start(server: uvicorn.Server, **_: Any) -> None:
        given["http"] = server.config.http

    def start_several(app: str, **options: Any) -> None:
        given.update(options)

    monkeypatch.setattr(uvicorn.Server, "run", start)
    monkeypatch.setattr(uvicorn, "run", start_several)
    before = dict(os.environ)
    serve(Settings(serve_port=0), workers)
    assert dict(os.environ) == before

    def connection() -> Any:
        made.append(given["http"](uvicorn.Config(app), ServerState(), {}))
        return made[0]

    with listen("127.0.0.1", 0) as listening:
        async with await asyncio.get_running_loop().create_server(connection, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            while not made or made[0].transport is None:  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0.01)
            accepted: socket.socket = made[0].transport.get_extra_info("socket")
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()
