"""A server on a real socket with OpenAI's embeddings API, which fails on demand."""

import asyncio
import base64
import json
from array import array
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from tests.fakes import FakeEmbedder

Body = dict[str, Any]
Answer = tuple[int, dict[str, str], bytes] | None
Act = Callable[[Body], Answer]


def answer(body: Body, dimensions: int = 384) -> Body:
    """The response of a correct server: the fake embedder's vectors, cut to the requested dimensions."""
    items: list[Body] = []
    for index, vector in enumerate(FakeEmbedder.of(body["input"])):
        given = vector[: body.get("dimensions", dimensions)]
        packed = base64.b64encode(array("f", given).tobytes()).decode()
        shown = packed if body.get("encoding_format") == "base64" else given
        items.append({"object": "embedding", "index": index, "embedding": shown})
    return {"object": "list", "model": body["model"], "data": items, "usage": {}}


def correct(body: Body) -> Answer:
    """A correct response."""
    return 200, {}, json.dumps(answer(body)).encode()


def changed(change: Callable[[Body], object]) -> Act:
    """A correct response, changed in place by ``change``."""

    def act(body: Body) -> Answer:
        response = answer({key: value for key, value in body.items() if key != "encoding_format"})
        change(response)
        return 200, {}, json.dumps(response).encode()

    return act


def failing(status: int, message: str = "no", **headers: str) -> Act:
    """An error in OpenAI's shape."""
    response = {"error": {"message": message, "type": "x", "code": "x"}}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda body: (status, given, json.dumps(response).encode())


def raw_response(text: bytes) -> Act:
    """Status 200 and these bytes."""
    return lambda body: (200, {}, text)


def hang_up(body: Body) -> Answer:
    """Close the connection without a response."""
    return None


class FakeOpenAI:
    """The server: it performs ``acts`` in order, then responds correctly. ``seen`` holds the requests."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.seen: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.delay = 0.0
        self.url = ""

    @asynccontextmanager
    async def up(self) -> AsyncGenerator["FakeOpenAI"]:
        """Listen at ``url`` on a free port of this machine."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # Cancelled when the loop ends, which asyncio's streams would report as an error.
            with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
                while await self._one(reader, writer):
                    pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body: Body = json.loads(await reader.readexactly(int(headers["content-length"])))
        self.paths.append(first.split()[1])
        self.headers.append(headers)
        self.seen.append(body)
        await asyncio.sleep(self.delay)
        response = (self.acts.pop(0) if self.acts else correct)(body)
        if response is None:
            return False
        status, more, content = response
        more = {"content-type": "application/json", "content-length": str(len(content))} | more
        writer.write(f"HTTP/1.1 {status} X\r\n".encode())
        writer.write("".join(f"{name}: {value}\r\n" for name, value in more.items()).encode() + b"\r\n")
        writer.write(content)
        await writer.drain()
        return True
