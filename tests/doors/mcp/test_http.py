"""MCP over streamable HTTP: the SDK's client against a listening server, in both eras of the protocol."""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Literal

import httpx2
import pytest
import uvicorn
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from legacymind.doors.http.app import build_app
from legacymind.doors.mcp import readiness
from legacymind.doors.mcp.server import INSTRUCTIONS
from legacymind.mind import Mind

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
        assert found.structured_content["count"] == 1
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
    assert any(total and message == "Computing mass: 0 %" for _, total, message in seen)
    assert [progress for progress, _, _ in seen] == sorted({progress for progress, _, _ in seen})


async def test_a_profile_that_does_not_exist_is_an_error(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        refused = await http.post(f"{address}?profile=nope", json={})
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "invalid_input"
    assert "no profile 'nope'" in refused.json()["error"]["message"]
    assert "core, full, chatgpt" in refused.json()["error"]["message"]


async def test_without_sessions_every_request_stands_alone(mind: Mind) -> None:
    app = build_app(mind, stateless=True)
    async with app.router.lifespan_context(app):
        base = "http://127.0.0.1:8787"
        async with (
            httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=base) as http,
            Client(streamable_http_client(f"{base}/mcp", http_client=http), mode="legacy") as agent,
        ):
            for content in ("first", "second"):
                arguments = {"content": content, "session_id": "named"}
                assert not (await agent.call_tool("legacymind_think", arguments)).is_error
            report = await agent.call_tool("thought_verify_chain", {"session_id": "named"})
    assert report.structured_content is not None
    assert report.structured_content["thoughtCount"] == 2


async def test_each_connection_thinks_into_a_session_of_its_own(address: str, mind: Mind) -> None:
    sessions: list[list[str]] = []
    for _ in range(2):
        async with Client(address, mode="legacy") as agent:
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
