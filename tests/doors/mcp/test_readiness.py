"""A call that meets the start of the database reports progress and is answered in time."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.server.lowlevel import Server

from legacymind.doors.mcp import readiness
from legacymind.doors.mcp.readiness import Readiness, ServerContext
from legacymind.doors.mcp.server import read_catalogue, serve
from legacymind.errors import EngineNotRunning
from legacymind.mind import Mind
from legacymind.observe import Step, observed_by
from legacymind.operations.registry import Operation
from tests.wire import raw

pytestmark = pytest.mark.anyio


def server(memory: Readiness) -> Server[Any]:
    async def operations(context: ServerContext) -> Mapping[str, Operation]:
        return (await memory.mind(context)).operations

    return serve("core", read_catalogue("core"), operations)


def error(result: types.CallToolResult) -> dict[str, str]:
    assert result.is_error
    assert result.structured_content is not None
    return result.structured_content["error"]


async def test_a_call_during_the_start_gets_progress_and_then_an_answer(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_EVERY", 0.05)
    started = asyncio.Event()

    async def open() -> Mind:
        await started.wait()
        return mind

    seen: list[tuple[float, str | None]] = []

    async def record(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))
        started.set()

    async with Client(server(Readiness(open, patience=600))) as agent:
        answer = await agent.call_tool("legacymind_context", {}, progress_callback=record)
    assert not answer.is_error
    assert seen[0][1] == "Preparing the database"
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


@pytest.mark.slow
async def test_a_start_that_takes_long_is_an_answer_and_goes_on(mind: Mind) -> None:
    started = asyncio.Event()
    opened = 0

    async def open() -> Mind:
        nonlocal opened
        opened += 1
        await started.wait()
        return mind

    memory = Readiness(open, patience=0.05)
    async with Client(server(memory)) as agent:
        said = error(await agent.call_tool("legacymind_think", {"content": "too early"}))
        assert said["code"] == "starting"
        loads = "LegacyMind is still being loaded. Nothing was stored or changed. Call again in 10 s."
        assert said["message"] == loads
        started.set()
        while (await agent.call_tool("legacymind_context", {})).is_error:  # noqa: ASYNC110  # no event for it
            await asyncio.sleep(0.05)
    assert opened == 1
    assert await raw(mind, "MATCH (t:Thought {namespace: $ns}) RETURN t", ns=mind.settings.namespace) == []


async def test_a_call_needs_no_warm_process(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    async def open() -> Mind:
        return mind

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(mind, "warm_up", never)
    memory = Readiness(open)
    async with Client(server(memory)) as agent:
        assert not (await agent.call_tool("legacymind_context", {})).is_error
    silent = Readiness(open, patience=0.2)
    monkeypatch.setattr(mind.graph, "ready", never)
    async with Client(server(silent)) as agent:
        said = error(await agent.call_tool("legacymind_context", {}))
        assert said["message"].startswith("The database is still starting")
    await memory.stop()
    await silent.stop()


async def test_a_failed_start_is_reported_repeated_by_the_next_call_and_logged(
    caplog: pytest.LogCaptureFixture, mind: Mind
) -> None:
    attempts = 0

    async def open() -> Mind:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise EngineNotRunning("There is no engine.", hint="Start it.")
        return mind

    async with Client(server(Readiness(open))) as agent:
        for _ in range(2):
            said = error(await agent.call_tool("legacymind_context", {}))
            assert said["message"].startswith("There is no engine.")
        assert not (await agent.call_tool("legacymind_context", {})).is_error
    assert attempts == 3
    assert [message[:30] for message in caplog.messages] == ["Not ready: There is no engine."] * 2


async def test_warming_up_connects_and_stores_nothing(mind: Mind) -> None:
    observed: list[str] = []

    @contextmanager
    def observe(step: Step) -> Generator[None]:
        observed.append(step.kind)
        yield

    with observed_by(observe):
        await mind.warm_up()
    assert "statement" in observed
    assert "operation" not in observed  # nobody called one
    counted = "MATCH (n) WHERE n.namespace = $ns RETURN count(n) AS n"
    assert await raw(mind, counted, ns=mind.settings.namespace) == [{"n": 0}]
