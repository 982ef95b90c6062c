"""MCP over streamable HTTP: the SDK's client against a listening server, in both eras of the protocol."""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

import httpx2
import pytest
import uvicorn
from mcp import Client, MCPError

from legacymind.doors.http.app import build_app
from legacymind.doors.mcp import readiness
from legacymind.doors.mcp.server import INSTRUCTIONS
from legacymind.mind import Mind
from legacymind.services.search.finder import Finder

pytestmark = pytest.mark.anyio

Era = Literal["auto", "legacy"]


@pytest.fixture
async def address(mind: Mind) -> AsyncIterator[str]:
    """The address of the server; the mind has no session of its own, as `legacymind serve`."""
    async with Mind(mind.settings, embedder=mind.vectors.embedder) as shared:
        config = uvicorn.Config(build_app(shared), log_level="warning", lifespan="on", ws="none")
        server = uvicorn.Server(config)
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            running = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
                await asyncio.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
            server.should_exit = True
            await running


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_tools_are_listed_and_called(address: str, mind: Mind, era: Era) -> None:
    async with Client(address, mode=era) as agent:
        core = {tool.name for tool in (await agent.list_tools()).tools}
        assert agent.instructions == INSTRUCTIONS["core"]
        thought = await agent.call_tool(
            "legacymind_think", {"content": "The kettle is copper", "session_id": "s"}
        )
        assert not thought.is_error
        assert thought.structured_content is not None
        found = await agent.call_tool("legacymind_search", {"query": "kettle", "method": "vector"})
        assert found.structured_content is not None
        assert len(found.structured_content["hits"]) == 1
        unknown = await agent.call_tool("legacymind_entity", {"name": "x"})
        assert unknown.is_error
    async with Client(f"{address}?profile=full", mode=era) as agent:
        full = {tool.name for tool in (await agent.list_tools()).tools}
        missing = await agent.call_tool("legacymind_entity", {"name": "x"})
        assert missing.structured_content is not None
        assert missing.structured_content["error"]["code"] == "not_found"
    async with Client(f"{address}?profile=chatgpt", mode=era) as agent:
        assert agent.instructions == INSTRUCTIONS["chatgpt"]
        assert [tool.name for tool in (await agent.list_tools()).tools] == ["search", "fetch"]
        results = await agent.call_tool("search", {"query": "kettle"})
        assert results.structured_content is not None
        assert [each["title"] for each in results.structured_content["results"]] == ["The kettle is copper"]
    assert core < full == {each.declaration.tool for each in mind.operations.values()}


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_long_operation_notifies_the_progress_of_its_stages(
    address: str, mind: Mind, era: Era, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_EVERY", 0.02)
    await mind.think("The kettle is copper", session_id="s")
    seen: list[tuple[float, float | None, str | None]] = []

    async def record(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with Client(f"{address}?profile=full", mode=era) as agent:
        answer = await agent.call_tool("legacymind_analyze", {"what": "mass"}, progress_callback=record)
    assert not answer.is_error, answer.content
    assert any(message == "Computing mass: 0 %" for _, _, message in seen)
    assert [progress for progress, _, _ in seen] == sorted({progress for progress, _, _ in seen})


async def test_a_profile_that_does_not_exist_is_an_error(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        refused = await http.post(f"{address}?profile=nope", json={})
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "invalid_input"
    assert "no profile 'nope'" in refused.json()["error"]["message"]
    assert "core, full, chatgpt" in refused.json()["error"]["message"]


async def test_each_connection_thinks_into_a_session_of_its_own(address: str, mind: Mind) -> None:
    sessions: list[list[str]] = []
    for _ in range(2):
        async with Client(f"{address}?profile=full", mode="legacy") as agent:
            for content in ("first", "second"):
                await agent.call_tool("legacymind_think", {"content": content, "is_private": True})
            found = await agent.call_tool("legacymind_search", {"query": "first", "method": "vector"})
            assert found.structured_content is not None
            # Private thoughts of other connections are not visible.
            assert {hit["text"] for hit in found.structured_content["hits"]} == {"first", "second"}
            sessions.append([hit["session_id"] for hit in found.structured_content["hits"]])
    (one, same), (other, also) = sessions
    assert one == same != other == also
    assert one.startswith("mcp-")
    report = await mind.verify(one)
    assert (report.verdict, report.thought_count) == ("intact", 2)


async def test_foreign_pages_and_large_requests_are_refused(address: str) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with httpx2.AsyncClient() as browser:
        foreign = await browser.post(address, json=hello, headers={"Origin": "https://evil.example"})
        renamed = await browser.post(address, json=hello, headers={"Host": "evil.example"})
        large = await browser.post(address, content=b" " * (1024 * 1024 + 1))
        lost = await browser.post(
            address,
            json=hello,
            headers={"Mcp-Session-Id": "gone", "Accept": "application/json, text/event-stream"},
        )
    assert [foreign.status_code, renamed.status_code, large.status_code] == [403, 421, 413]
    assert lost.status_code == 404


async def test_a_cancelled_call_ends_and_the_connection_goes_on(address: str) -> None:
    async with Client(address, mode="legacy") as agent:
        assert not (await agent.call_tool("legacymind_context", {})).is_error
        with pytest.raises(MCPError):
            await agent.call_tool("legacymind_search", {"query": "kettle"}, read_timeout_seconds=0.001)
        assert not (await agent.call_tool("legacymind_context", {})).is_error


async def test_a_client_without_a_session_that_hangs_up_ends_its_call(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def never(*_: Any, **__: Any) -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr(Finder, "find", never)
    async with Client(address, mode="auto") as agent:
        call = asyncio.create_task(agent.call_tool("legacymind_search", {"query": "kettle"}))
        await asyncio.wait_for(begun.wait(), 30)
        call.cancel()
        await asyncio.wait_for(ended.wait(), 30)


_ACCEPT: Final = {"accept": "application/json, text/event-stream"}
_BEGIN: Final[dict[str, Any]] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}


@asynccontextmanager
async def client_of(mind: Mind) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client of a server of the mind."""
    app = build_app(mind)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as http:
            yield http


async def test_a_callers_oldest_session_ends_for_one_too_many(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.doors.mcp.http.SESSIONS_OF_CALLER", 2)
    token = await mind.create_token("other")
    other = _ACCEPT | {"authorization": f"Bearer {token.text}"}
    async with client_of(mind) as http:
        sent = [other, _ACCEPT, _ACCEPT, _ACCEPT]
        begun = [await http.post("/mcp", json=_BEGIN, headers=headers) for headers in sent]
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        answers = [
            await http.post(
                "/mcp", json=ping, headers=headers | {"mcp-session-id": each.headers["mcp-session-id"]}
            )
            for headers, each in zip(sent, begun, strict=True)
        ]
    assert [answer.status_code for answer in answers] == [200, 404, 200, 200]
    await mind.revoke_token(token.id)


async def test_sessions_of_all_callers_have_a_limit(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legacymind.doors.mcp.http.SESSIONS", 2)
    tokens = [await mind.create_token(f"caller {number}") for number in range(3)]
    async with client_of(mind) as http:
        sent = [_ACCEPT | {"authorization": f"Bearer {token.text}"} for token in tokens]
        begun = [await http.post("/mcp", json=_BEGIN, headers=headers) for headers in sent]
    assert [answer.status_code for answer in begun] == [200, 200, 503]
    for token in tokens:
        await mind.revoke_token(token.id)
