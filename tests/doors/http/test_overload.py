"""Overload of the HTTP server: refusals say when to call again, and clients that hang up leave the queue."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from legacymind.calls import call_from
from legacymind.doors.http.app import build_app
from legacymind.doors.http.view import GraphQLView
from legacymind.mind import Mind
from legacymind.model.maintenance import NewToken
from legacymind.services.maintain import tokens as recognition
from legacymind.services.maintain.tokens import READ_TOKENS
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
    settings = replace(mind.settings, max_statements=1, max_waiting=waiting)
    async with Mind(settings, embedder=FakeEmbedder()) as full:
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
    assert (response.status_code, response.headers["retry-after"]) == (503, f"{seconds}")
    assert f"Wait {seconds} s" in error["message"]


@pytest.mark.slow
async def test_of_many_requests_at_once_only_those_that_can_wait_are_read(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0
    run: Any = GraphQLView.run

    async def count(view: GraphQLView, request: Any) -> Any:
        nonlocal read
        read += 1
        return await run(view, request)

    monkeypatch.setattr(GraphQLView, "run", count)
    async with (
        crowded(mind, 2) as (_, app, released),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE) as client,
    ):
        sent = [asyncio.create_task(client.post("/graphql", json=SEARCH)) for _ in range(12)]
        while sum(each.done() for each in sent) < 10:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        released.set()
        answers = await asyncio.gather(*sent)
        assert (await client.post("/graphql", json=SEARCH)).status_code == 200
    assert read == 2 + 1
    assert [each.status_code for each in answers] == [200] * 2 + [503] * 10
    busy = answers[-1].json()["errors"][0]["extensions"]
    assert busy == {"code": "busy", "retryAfter": int(answers[-1].headers["retry-after"])}


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


async def test_a_client_of_mcp_without_a_session_that_hangs_up_leaves_the_queue(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a session the call goes on, as the protocol asks for: only a cancellation ends it."""
    search = {"name": "legacymind_search", "arguments": {"query": "kettle"}}
    async with crowded(mind, 5) as (full, _, _):
        monkeypatch.setattr(full, "warm_up", full.vectors.slot)  # it is warm, and has no place for more
        app = build_app(full, stateless=True)
        async with app.router.lifespan_context(app):
            await hang_up(
                full, app, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": search}
            )


@pytest.mark.slow
async def test_a_token_with_many_requests_leaves_another_its_turn(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "_FRESH", 600.0)
    greedy, modest = await mind.create_token("greedy"), await mind.create_token("modest")
    finished: list[str] = []
    statuses: dict[str, int] = {}
    async with (
        crowded(mind, 3, [greedy, modest]) as (full, app, released),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=BASE) as client,
    ):

        async def search(name: str, token: NewToken) -> None:
            headers = {"authorization": f"Bearer {token.text}"}
            statuses[name] = (await client.post("/graphql", json=SEARCH, headers=headers)).status_code
            finished.append(name)

        async with asyncio.TaskGroup() as requests:
            for number in range(3):
                requests.create_task(search(f"greedy {number}", greedy))
                while full.graph.gate.waiting <= number:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            requests.create_task(search("modest", modest))
            while not finished:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            released.set()
    assert statuses == {"greedy 0": 200, "greedy 1": 200, "greedy 2": 503, "modest": 200}
    assert finished[0] == "greedy 2"
    assert finished.index("modest") < finished.index("greedy 1")
    for token in (greedy, modest):
        await mind.revoke_token(token.id)


async def test_reading_tokens_does_not_wait_behind_the_calls_of_one_caller(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognition, "_FRESH", -1.0)
    token = await mind.create_token("waits for its turn")
    finished: list[str] = []
    async with crowded(mind, 2, [token]) as (full, _, released):

        async def read(name: str) -> None:
            with call_from("greedy"):
                await full.graph.run(READ_TOKENS, {})
            finished.append(name)

        async def recognise() -> None:
            with call_from("greedy"):  # as in a WebSocket of a token whose calls wait
                assert await full.services.tokens.recognise(token.text)
            finished.append("recognised")

        async with asyncio.TaskGroup() as tasks:
            for number, work in enumerate((read("first"), read("second"), recognise())):
                tasks.create_task(work)
                while full.graph.gate.waiting <= number:  # noqa: ASYNC110  # the last one, too, though 2 wait
                    await asyncio.sleep(0.01)
            released.set()
    assert finished == ["first", "recognised", "second"]
    await mind.revoke_token(token.id)
