"""Overload of the HTTP server: refusals say when to call again, and clients that hang up leave the queue."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from legacymind.doors.http.app import build_app
from legacymind.mind import Mind
from legacymind.model.maintenance import NewToken
from tests.doors.http.test_app import BASE, SEARCH
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def crowded(
    mind: Mind, waiting: int, tokens: Sequence[NewToken] = ()
) -> AsyncGenerator[tuple[Mind, Any, asyncio.Event]]:
    """A mind whose only place is taken until the event, where so many calls may wait, and its server.

    The tokens are read before, since reading them takes a place.
    """
    limits = replace(mind.limits, statements=1, waiting=waiting)
    async with Mind(mind.settings, embedder=FakeEmbedder(), limits=limits) as full:
        await full.warm_up()
        for token in tokens:
            assert await full.services.tokens.recognise(token.text)
        taken, released = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            async with full.graph.gate.place():
                taken.set()
                await released.wait()

        holding = asyncio.create_task(hold())
        await taken.wait()
        try:
            yield full, build_app(full), released  # not in its lifespan, whose own work would wait too
        finally:
            released.set()
            await holding


async def test_a_refused_request_says_when_to_repeat_it(mind: Mind) -> None:
    async with (
        crowded(mind, 0) as (_, app, _),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE) as client,
    ):
        response = await client.post("/graphql", json=SEARCH)
    (error,) = response.json()["errors"]
    # The seconds follow from how long earlier statements took.
    seconds = error["extensions"]["retryAfter"]
    assert seconds >= 1
    assert error["extensions"] == {"code": "busy", "retryAfter": seconds}
    assert f"Wait {seconds} s" in error["message"]


async def hang_up(full: Mind, app: Any, path: str, sent: dict[str, Any]) -> None:
    """Send a request, and end the connection when its call waits. It gets no answer, and waits no longer."""
    answer: list[Any] = []
    messages: asyncio.Queue[Any] = asyncio.Queue()
    messages.put_nowait({"type": "http.request", "body": json.dumps(sent).encode()})

    async def send(message: Any) -> None:
        answer.append(message)

    headers = [
        (b"host", b"127.0.0.1"),
        (b"content-type", b"application/json"),
        (b"accept", b"application/json, text/event-stream"),
    ]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    before = full.graph.gate.waiting
    answering = asyncio.create_task(app(scope, messages.get, send))
    while full.graph.gate.waiting == before:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    messages.put_nowait({"type": "http.disconnect"})
    await answering
    async with asyncio.timeout(30):
        while full.graph.gate.waiting > before:  # noqa: ASYNC110  # MCP ends the call in another task
            await asyncio.sleep(0.01)
    assert not any(message.get("body") for message in answer)


async def test_a_client_that_hangs_up_leaves_the_queue(mind: Mind) -> None:
    async with crowded(mind, 5) as (full, app, _):
        await hang_up(full, app, "/graphql", SEARCH)
