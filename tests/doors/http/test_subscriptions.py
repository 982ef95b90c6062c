"""Subscriptions over WebSocket and as server-sent events, on a port."""

# pyright: reportPrivateUsage=false

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.typing import Subprotocol

from legacymind import files
from legacymind.doors.http import view
from legacymind.doors.http.app import build_app
from legacymind.doors.http.process import listen
from legacymind.mind import Mind
from tests.steps import store_thought

pytestmark = pytest.mark.anyio

EXAMPLE = files.text("graphql", "operations", "nodes", "thought_added.graphql")
ADDED = "subscription ($after: DateTime) { thoughtAdded(after: $after) { cursor thought { content } } }"


@asynccontextmanager
async def served(mind: Mind) -> AsyncGenerator[str]:
    """The address of a running server."""
    with listen("127.0.0.1", 0) as listening:
        options: Any = {"log_level": "error", "ws": "websockets-sansio", "lifespan": "on"}
        server = uvicorn.Server(uvicorn.Config(build_app(mind), **options))
        running = asyncio.create_task(server._serve([listening]))
        while not server.started:  # noqa: ASYNC110  # the server has no event
            await asyncio.sleep(0.01)
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}"
        finally:
            mind.arrivals.end()
            server.should_exit = True
            await running


class Socket:
    """A client of the protocol graphql-transport-ws."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, type: str, **more: Any) -> None:
        await self.connection.send(json.dumps({"type": type, **more}))

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            return json.loads(await self.connection.recv())

    async def subscribe(self, id: str, query: str = ADDED, **variables: Any) -> None:
        await self.send("subscribe", id=id, payload={"query": query, "variables": variables})

    async def thought(self) -> dict[str, Any] | None:
        message = await self.receive()
        assert message["type"] == "next", message
        event: dict[str, Any] = message["payload"]["data"]["thoughtAdded"]
        return event["thought"]


@asynccontextmanager
async def opened(address: str, payload: Any = None, **headers: str) -> AsyncGenerator[Socket]:
    protocol = Subprotocol("graphql-transport-ws")
    async with connect(
        f"ws://{address}/graphql", subprotocols=[protocol], additional_headers=headers, proxy=None
    ) as connection:
        socket = Socket(connection)
        await socket.send("connection_init", payload=payload or {})
        assert await socket.receive() == {"type": "connection_ack"}
        yield socket


@asynccontextmanager
async def streamed(address: str, **more: Any) -> AsyncGenerator[AsyncIterator[tuple[str, Any]]]:
    """The events of a subscription as server-sent events."""

    async def events(response: httpx2.Response) -> AsyncIterator[tuple[str, Any]]:
        name = ""
        async for line in response.aiter_lines():
            kind, _, value = line.partition(": ")
            if kind == "event":
                name = value
            elif kind == "data" or (kind == "data:" and not value):
                yield name, json.loads(value) if value else None

    async with (
        httpx2.AsyncClient(trust_env=False, timeout=60) as client,
        client.stream(
            "POST",
            f"http://{address}/graphql",
            json={"query": ADDED, **more.pop("body", {})},
            headers={"accept": "text/event-stream", **more},
        ) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        yield events(response)


async def until(events: AsyncIterator[tuple[str, Any]], *contents: str) -> str:
    """The cursor after these contents, which arrive in this order; earlier ones may come again before."""
    seen: list[str] = []
    while True:
        async with asyncio.timeout(60):
            _, event = await anext(events)
        added = event["data"]["thoughtAdded"]
        seen.append(added["thought"]["content"])
        if tuple(seen[-len(contents) :]) == contents:
            return added["cursor"]


async def test_thoughts_arrive_over_both_protocols_until_the_process_ends(mind: Mind) -> None:
    async with served(mind) as address, opened(address) as socket, streamed(address) as events:
        await socket.subscribe("1", EXAMPLE)
        assert await socket.thought() is None
        _, begun = await anext(events)
        assert begun["data"]["thoughtAdded"]["thought"] is None
        await store_thought(mind, "one", session_id="a")
        thought = await socket.thought()
        assert thought is not None
        assert (thought["content"], thought["recalls"]) == ("one", {"edges": []})
        name, event = await anext(events)
        assert (name, event["data"]["thoughtAdded"]["thought"]) == ("next", {"content": "one"})
        async with httpx2.AsyncClient(trust_env=False) as client:
            metrics = await client.get(f"http://{address}/metrics")
        assert "legacymind_subscriptions 2.0" in metrics.text
        await socket.send("ping")
        assert await socket.receive() == {"type": "pong"}
        # A query over the same connection, with a context of its own.
        await socket.subscribe("2", "{ authors { edges { node { name } } } }")
        assert (await socket.receive())["payload"]["data"] == {"authors": {"edges": []}}
        assert await socket.receive() == {"id": "2", "type": "complete"}
        mind.arrivals.end()
        assert await socket.receive() == {"id": "1", "type": "complete"}
        assert await anext(events) == ("complete", None)


@pytest.mark.slow
async def test_several_servers_send_each_others_thoughts_and_continue_each_others_streams(mind: Mind) -> None:
    async with (
        Mind(mind.settings, session_id="session", embedder=mind.vectors.embedder) as other,
        served(mind) as one,
        served(other) as two,
    ):

        async def read(after: dict[str, str | None], number: int) -> dict[str, str | None]:
            """Store thoughts through both servers, and read them from each. Returns the last cursors."""
            last = dict[str, str | None]()
            for address, cursor in after.items():
                async with streamed(address, body={"variables": {"after": cursor}}) as events:
                    await anext(events)
                    if address == one:
                        await store_thought(mind, f"{number}", session_id="a")
                        await store_thought(other, f"{number + 1}", session_id="b")
                    last[address] = await until(events, f"{number}", f"{number + 1}")
            return last

        async with streamed(two) as begun:
            start = (await anext(begun))[1]["data"]["thoughtAdded"]["cursor"]
        first = await read({one: start, two: start}, 0)
        await read({one: first[two], two: first[one]}, 2)


async def test_a_token_comes_with_the_handshake_or_the_first_message(mind: Mind) -> None:
    token = await mind.create_token("reader", role="read")
    exposed = mind.settings.changed(serve_host="0.0.0.0")
    bearer = f"Bearer {token.text}"
    async with Mind(exposed, embedder=mind.vectors.embedder) as other, served(other) as address:
        for payload in ({}, {"Authorization": "Bearer lm_x"}, {"authorization": 5}):
            with pytest.raises(ConnectionClosedError) as closed:
                async with opened(address, payload):
                    pass
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
        with pytest.raises(InvalidStatus):
            async with opened(address, Authorization="Bearer lm_x"):
                pass
        with pytest.raises(InvalidStatus):  # a page of another server
            async with opened(address, {"authorization": bearer}, origin="https://page.example"):
                pass
        async with (
            opened(address, {"authorization": bearer}) as late,
            opened(address, Authorization=bearer) as early,
            streamed(address, authorization=bearer) as events,
        ):
            await early.subscribe("1", 'subscription { thoughtAdded(namespace: "x") { cursor } }')
            (error,) = (await early.receive())["payload"]["errors"]
            assert error["extensions"]["code"] == "refused"
            assert (await early.receive())["type"] == "complete"
            await early.subscribe("2", 'mutation { think(input: {content: "x"}) { chained } }')
            (error,) = (await early.receive())["payload"]["errors"]
            assert error["extensions"]["code"] == "refused"
            assert (await early.receive())["type"] == "complete"
            await late.subscribe("1")
            assert await late.thought() is None
            await anext(events)
            await mind.revoke_token(token.id)
            (error,) = (await late.receive())["payload"]["errors"]
            assert error["extensions"]["code"] == "token_missing"
            assert (await late.receive())["type"] == "complete"
            _, event = await anext(events)
            assert event["errors"][0]["extensions"]["code"] == "token_missing"
            assert (await anext(events))[0] == "complete"
            await late.subscribe("2")
            with pytest.raises(ConnectionClosedError):
                await late.receive()


async def test_the_subscription_of_a_client_that_hangs_up_ends(mind: Mind) -> None:
    async with served(mind) as address:
        async with streamed(address) as events:
            await anext(events)
            assert mind.arrivals.open == 1
        async with asyncio.timeout(60):
            while mind.arrivals.open:  # noqa: ASYNC110  # the end of a stream has no event
                await asyncio.sleep(0.05)


async def test_operations_of_a_web_socket_are_limited_and_its_errors_are_messages(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "MAX_OPERATIONS", 1)
    limited = mind.settings.changed(serve_rate=1.0)
    async with (
        Mind(limited, embedder=mind.vectors.embedder) as other,
        served(other) as address,
        opened(address) as socket,
    ):
        for id, query, message in (
            ("1", "subscription { nothing }", "nothing"),
            ("2", "{ nothing }", "nothing"),
        ):
            await socket.send("subscribe", id=id, payload={"query": query})
            answer = await socket.receive()
            assert (answer["id"], answer["type"]) == (id, "error")
            assert answer["payload"][0]["extensions"] == {"code": "invalid_input"}
            assert message in answer["payload"][0]["message"]
        await socket.subscribe("4")
        assert await socket.thought() is None
        await socket.subscribe("5")
        (error,) = (await socket.receive())["payload"]
        assert "limit" in error["message"]
        await socket.send("complete", id="4")
        codes = set[str]()
        for number in range(6, 20):
            await socket.subscribe(str(number), "{ nothing }")
            codes.add((await socket.receive())["payload"][0]["extensions"]["code"])
        assert codes == {"invalid_input", "rate_limited"}
    async with served(mind) as address:
        for sent in ("{", "[]", '{"type": 5}', '{"type": "subscribe", "id": "1", "payload": 5}'):
            async with opened(address) as socket:
                await socket.connection.send(sent)
                with pytest.raises(ConnectionClosedError) as closed:
                    await socket.receive()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4400
