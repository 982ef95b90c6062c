"""Overload of the HTTP server: refusals say when to call again, and clients that hang up leave the queue."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from legacymind.doors.http.app import build_app
from legacymind.mind import Mind
from tests.doors.http.test_app import BASE, SEARCH
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def crowded(mind: Mind, waiting: int) -> AsyncGenerator[tuple[Mind, Any]]:
    """A mind whose only place is taken and where so many calls may wait, and its server."""
    settings = replace(mind.settings, max_statements=1, max_waiting=waiting)
    async with Mind(settings, embedder=FakeEmbedder()) as full:
        await full.warm_up()
        taken, released = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            async with full.graph.gate.place():
                taken.set()
                await released.wait()

        holding = asyncio.create_task(hold())
        await taken.wait()
        try:
            yield full, build_app(full)  # not in its lifespan, whose own work would wait too
        finally:
            released.set()
            await holding


async def test_a_refused_request_says_when_to_repeat_it(mind: Mind) -> None:
    async with (
        crowded(mind, 0) as (_, app),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE) as client,
    ):
        response = await client.post("/graphql", json=SEARCH)
    (error,) = response.json()["errors"]
    assert error["extensions"] == {"code": "busy", "retryAfter": 1}
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert "Wait 1 s" in error["message"]


async def test_a_client_that_hangs_up_leaves_the_queue(mind: Mind) -> None:
    async with crowded(mind, 5) as (full, app):
        sent: list[Any] = []
        messages: asyncio.Queue[Any] = asyncio.Queue()
        messages.put_nowait({"type": "http.request", "body": json.dumps(SEARCH).encode()})

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/graphql",
            "headers": headers,
            "query_string": b"",
        }
        before = full.graph.gate.waiting
        answering = asyncio.create_task(app(scope, messages.get, send))
        while full.graph.gate.waiting == before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        messages.put_nowait({"type": "http.disconnect"})
        await answering
        assert full.graph.gate.waiting == before
        assert sent == []
