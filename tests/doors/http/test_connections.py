"""Silent connections: each ends in time, and none keeps a new client out."""

import asyncio
import errno
import logging
import os
import socket
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from legacymind.doors.http import connections
from legacymind.doors.http.connections import Connection, full_server_logged_once
from tests.doors.http.test_app import serving, until_serving

pytestmark = pytest.mark.anyio

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
WHOLE = HALF + b"\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer at once, or never on ``/slow``; accept a WebSocket and keep it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    if scope["path"] == "/slow":
        await receive()
        await receive()  # the client disconnects
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def served() -> AsyncGenerator[int]:
    """The port of a server of ``app``."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="websockets-sansio",
        lifespan="off",
        log_level="warning",
        timeout_keep_alive=75,
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.01)
        yield listening.getsockname()[1]
        server.should_exit = server.force_exit = True
        await running


class Client:
    """A connection that sends what it is told to."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def __aenter__(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def send(self, content: bytes, *, answered: bool = True) -> bytes:
        """Send, and return the beginning of an answer."""
        self.writer.write(content)
        if not answered:
            await asyncio.sleep(0.1)
            return b""
        async with asyncio.timeout(10):
            return await self.reader.read(4096)

    async def ended(self, seconds: float) -> bool:
        """Whether the server closes the connection within these seconds."""
        try:
            async with asyncio.timeout(seconds):
                while await self.reader.read(4096):
                    pass
        except TimeoutError:
            return False
        except ConnectionResetError:
            pass
        return True


@pytest.mark.parametrize(
    ("before", "then", "ends"),
    [
        ([], b"", True),
        ([], b"G", True),
        ([], HALF, True),
        ([WHOLE], HALF, True),
        ([WHOLE, WHOLE], b"P", True),
        ([WHOLE], b"", False),
        ([SLOW], b"", False),
        ([UPGRADE], b"", False),
    ],
    ids=[
        "silent",
        "a byte",
        "half headers",
        "later half",
        "later byte",
        "kept alive",
        "answering",
        "websocket",
    ],
)
@pytest.mark.slow
async def test_a_connection_ends_when_its_headers_do_not_arrive(
    before: list[bytes], then: bytes, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADERS", 0.5)
    async with served() as port, Client(port) as client:
        for request in before:
            assert (await client.send(request)).startswith(b"HTTP/1.1 ")
        await client.send(then, answered=False)
        assert await client.ended(3 if ends else 1.5) == ends


@pytest.mark.slow
async def test_beyond_the_limit_idle_connections_end_and_active_ones_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 8)  # 4 for one address
    async with served() as port:
        kept = [Client(port) for _ in range(3)]
        for client, request in zip(kept, (SLOW, UPGRADE, SLOW), strict=True):
            await client.__aenter__()
            await client.send(request)
        for _ in range(20):  # in the only place that is left
            async with Client(port) as silent:
                await silent.send(HALF, answered=False)
                async with Client(port) as client:
                    assert b" 200 " in await client.send(WHOLE)
                assert await silent.ended(5)
        async with Client(port) as last:
            await last.send(SLOW)
            async with Client(port) as refused:
                answer = await refused.send(WHOLE)
                assert b" 503 " in answer
                assert b'"code": "busy"' in answer
        assert not any([await client.ended(0.1) for client in kept])
        for client in kept:
            await client.__aexit__()


async def test_a_process_without_descriptors_logs_it_once(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.get_running_loop()
    passed_on: list[Any] = []
    loop.set_exception_handler(lambda _, context: passed_on.append(context))
    full = {"message": "m", "exception": OSError(errno.EMFILE, "Too many open files"), "socket": object()}
    with full_server_logged_once(), caplog.at_level(logging.ERROR):
        for _ in range(2000):
            loop.call_exception_handler(full)
        loop.call_exception_handler({"message": "another", "exception": ValueError()})
    loop.set_exception_handler(None)
    assert [record.getMessage() for record in caplog.records] == [
        "No new connection can be accepted: [Errno 24] Too many open files. Raise the limit (ulimit -n)."
    ]
    assert [context["message"] for context in passed_on] == ["another"]


FEW_DESCRIPTORS = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from legacymind.doors.cli.main import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="file descriptors")
@pytest.mark.slow
def test_300_silent_connections_do_not_stop_a_server_with_256_descriptors(real_env: dict[str, str]) -> None:
    env = real_env | {"LEGACYMIND_NAMESPACE": f"http-{uuid.uuid4()}"}
    with serving(env, program=("-c", FEW_DESCRIPTORS)) as (process, base), ExitStack() as held:
        until_serving(base)
        address = ("127.0.0.1", int(base.rpartition(":")[2]))
        for number in range(300):
            client = held.enter_context(socket.create_connection(address, timeout=30))
            if number % 3:
                client.sendall(HALF)
        waits: list[float] = []
        for _ in range(10):
            begun = time.monotonic()
            assert httpx2.get(f"{base}/healthz", timeout=30).json()["ok"]
            waits.append(time.monotonic() - begun)
            held.enter_context(socket.create_connection(address, timeout=30))
        if (descriptors := Path(f"/proc/{process.pid}/fd")).exists():
            assert len([*descriptors.iterdir()]) < 200
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert len(err) < 2_000, err
    assert b"Traceback" not in err
    assert max(waits) < 10
