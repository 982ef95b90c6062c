"""The engine is killed while calls run over MCP's standard input: each is answered, and the process ends."""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from legacymind.engine import Engine
from legacymind.settings import Settings
from tests import engines
from tests.doors.mcp.test_stdio import Agent, call

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
    pytest.mark.engine,
    pytest.mark.limit(600),
]

BOUND = 200.0
"""Seconds for an answer: 120 for the start of an engine, 30 of retries, and what a busy machine takes."""

END = 30.0
"""Seconds in which a process ends after its input; the door allows itself half of them."""


@pytest.fixture
def own_engine(engine_settings: Settings, tmp_path: Path) -> Iterator[Engine]:
    engine = Engine(
        Settings(home=str(tmp_path / "home"), cache=engine_settings.cache, heap_mb=512, page_cache_mb=64)
    )
    with engines.brief():
        asyncio.run(engine.up())
    yield engine
    engines.discard(engine)


@pytest.fixture
def agent(own_engine: Engine, engine_settings: Settings, real_env: dict[str, str]) -> Iterator[Agent]:
    ours = {name: value for name, value in real_env.items() if not name.startswith("NEO4J_")}
    home = {"LEGACYMIND_HOME": str(own_engine.home.folder), "LEGACYMIND_CACHE": engine_settings.cache}
    opened = Agent(ours | home | {"LEGACYMIND_HEAP_MB": "512", "LEGACYMIND_PAGE_CACHE_MB": "64"})
    yield opened
    opened.process.kill()  # one that is left would start its engine again


def test_calls_during_kills_of_the_engine_are_answered_and_the_process_ends_after_its_input(
    agent: Agent, own_engine: Engine
) -> None:
    thinking = {"name": "legacymind_think", "arguments": {"content": "A kettle.", "idempotency_key": "first"}}
    while (first := agent.request("tools/call", thinking))["isError"]:
        assert first["structuredContent"]["error"]["code"] == "starting", first
    for turn in range(2):
        pid = own_engine.status().pid
        assert pid is not None
        begun = time.monotonic()
        for id in ("before", "after"):
            agent.write(call(f"{turn}-{id}", "legacymind_think", content=f"A kettle {id} kill {turn}."))
            if id == "before":
                psutil.Process(pid).kill()
        answers = {answer["id"]: answer["result"] for answer in (agent.read(), agent.read())}
        assert time.monotonic() - begun < BOUND
        assert set(answers) == {f"{turn}-before", f"{turn}-after"}
        for result in answers.values():
            # Stored after a new start, or refused with what became of the write.
            assert not result["isError"] or result["structuredContent"]["error"]["code"] in (
                "database_unreachable",
                "starting",
            )
    pid = own_engine.status().pid
    if pid is not None:
        psutil.Process(pid).kill()
    agent.write(call("last", "legacymind_think", content="The last words."))
    begun = time.monotonic()
    out, _ = agent.process.communicate(timeout=END)
    assert time.monotonic() - begun < END
    assert agent.process.returncode == 0
    assert all(json.loads(line)["id"] == "last" for line in out.splitlines())
