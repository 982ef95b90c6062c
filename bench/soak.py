"""Hours of mixed use of one server: `python -m bench.soak`.

Options: `--minutes 120 --pause 1`. `legacymind serve` runs as a user's, with the real model and an engine
of its own. One client thinks, searches and reads nodes over GraphQL; one connects over MCP for each thought
and context, in both eras of the protocol; one subscribes and connects again every
minute; one reads `/metrics`. Each waits `--pause` seconds between rounds, so that the machine can do other
things beside it.

Every 30 s the memory and open files of server and engine are read, and the median time of a thought since the
last reading. Restarts of the engine are counted. Needs a home of its own (LEGACYMIND_HOME); writes
bench-results/soak.json and prints a plot.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

import httpx2
import psutil
from mcp import Client

from bench.bare import RESULTS, sentence
from bench.servers import serving
from legacymind import settings as settings_module
from legacymind.engine import Engine

THINK: Final = """mutation ($input: ThinkInput!) {
  think(input: $input) { modeSelected memories { rank score text } } }"""
SEARCH: Final = """query ($query: String!) {
  search(input: {query: $query}) { hits { id score text } } }"""
NODES: Final = """{ sessions(first: 3) { edges { node { id chain { verdict }
  thoughts(first: 5) { edges { node { id recalls { edges { node { id } } } } }
    } } } } }"""
ADDED: Final = "subscription { thoughtAdded { cursor thought { id } } }"
READING: Final = 30.0
PER_SESSION: Final = 100
BLOCKS: Final = "▁▂▃▄▅▆▇█"


class Soak:
    """The clients of one server, what they counted, and the readings."""

    def __init__(self, address: str, pause: float) -> None:
        self.address = address
        self.pause = pause
        self.dice = random.Random(7)
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.times: list[float] = []
        self.readings: list[dict[str, float]] = []
        self.engines: list[int] = []

    async def run(self, server: psutil.Process, engine: Engine, seconds: float) -> None:
        """Let all clients work for a time; a failure is counted, and the client goes on."""
        limits = httpx2.Limits(max_connections=4)
        async with httpx2.AsyncClient(base_url=self.address, timeout=60, limits=limits) as http:
            rounds: tuple[Callable[[int], Awaitable[None]], ...] = (
                lambda number: self._graphql(http, number),
                self._mcp,
                lambda _: self._subscribe(http),
                lambda _: self._metrics(http),
            )
            clients = [asyncio.create_task(self._repeat(one)) for one in rounds]
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                await asyncio.sleep(READING)
                try:
                    self._read(server, engine)
                except psutil.NoSuchProcess:  # one of them ended just now
                    self.errors["a process was not running at a reading"] += 1
                RESULTS.mkdir(exist_ok=True)
                (RESULTS / "soak-so-far.json").write_text(json.dumps(self.readings), encoding="utf-8")
            for client in clients:
                client.cancel()
            await asyncio.gather(*clients, return_exceptions=True)

    async def _repeat(self, work: Callable[[int], Awaitable[None]]) -> None:
        for number in itertools.count():
            try:
                await work(number)
            except Exception as error:  # any failure is a result of the run
                self.errors[f"{type(error).__name__}: {error}"[:200]] += 1
            await asyncio.sleep(self.pause)

    async def _graphql(self, http: httpx2.AsyncClient, number: int) -> None:
        async def ask(document: str, **variables: Any) -> None:
            answer = (await http.post("/graphql", json={"query": document, "variables": variables})).json()
            self.counts["GraphQL"] += 1
            for error in answer.get("errors", []):
                self.errors[str(error["message"])[:200]] += 1

        session = f"graphql {number // PER_SESSION}"
        begun = time.perf_counter()
        await ask(THINK, input={"content": sentence(self.dice), "sessionId": session})
        self.times.append((time.perf_counter() - begun) * 1000)
        await ask(SEARCH, query=sentence(self.dice))
        if number % 10 == 0:
            await ask(NODES)

    async def _mcp(self, number: int) -> None:
        era: Literal["auto", "legacy"] = "legacy" if number % 2 else "auto"
        session = f"mcp {number // PER_SESSION}"
        async with Client(f"{self.address}/mcp", mode=era) as agent:
            for tool, arguments in (
                ("legacymind_think", {"content": sentence(self.dice), "session_id": session}),
                ("legacymind_context", {"session_id": session}),
            ):
                answer = await agent.call_tool(tool, arguments)
                self.counts["MCP"] += 1
                if answer.is_error:
                    self.errors[str(answer.content)[:200]] += 1

    async def _subscribe(self, http: httpx2.AsyncClient) -> None:
        accept = {"accept": "text/event-stream"}
        with suppress(TimeoutError):
            async with (
                asyncio.timeout(60),
                http.stream("POST", "/graphql", json={"query": ADDED}, headers=accept) as response,
            ):
                async for line in response.aiter_lines():
                    self.counts["events"] += line.startswith("data:")

    async def _metrics(self, http: httpx2.AsyncClient) -> None:
        await asyncio.sleep(15)
        (await http.get("/metrics")).raise_for_status()
        self.counts["metrics"] += 1

    def _read(self, server: psutil.Process, managed: Engine) -> None:
        pid = managed.status().pid
        if pid is None:
            self.errors["the engine was not running at a reading"] += 1
            return
        if pid not in self.engines:
            self.engines.append(pid)
        engine = psutil.Process(pid)
        times, self.times = self.times, []
        self.readings.append(
            {
                "server_mib": round(server.memory_info().rss / 2**20, 1),
                "engine_mib": round(engine.memory_info().rss / 2**20, 1),
                "server_files": server.num_fds(),
                "engine_files": engine.num_fds(),
                "think_ms": round(statistics.median(times), 1) if times else 0.0,
            }
        )


def quarters(readings: Sequence[dict[str, float]]) -> dict[str, list[float]]:
    """The mean of each measure in each quarter of the run."""
    size = max(len(readings) // 4, 1)
    parts = [readings[start : start + size] for start in range(0, size * 4, size)]
    return {
        name: [round(statistics.mean(one[name] for one in part), 1) for part in parts if part]
        for name in readings[0]
    }


def plot(readings: Sequence[dict[str, float]], width: int = 60) -> str:
    """One line of blocks for each measure, from zero to its largest value."""
    step = max(len(readings) / width, 1)
    chosen = [readings[int(column * step)] for column in range(min(width, len(readings)))]
    lines = list[str]()
    for name in readings[0]:
        values = [one[name] for one in chosen]
        top = max(*values, 1)
        blocks = "".join(BLOCKS[round(value / top * (len(BLOCKS) - 1))] for value in values)
        lines.append(f"{name:>12} {blocks} {values[0]:g} … {values[-1]:g}, at most {top:g}")
    return "\n".join(lines)


async def measure(minutes: float, pause: float) -> dict[str, Any]:
    """Start the server, run the clients, and summarise."""
    settings = settings_module.load_settings()
    await Engine(settings).up()
    async with serving() as (server, address):
        soak = Soak(address, pause)
        await soak.run(server, Engine(settings), minutes * 60)
    return {
        "minutes": minutes,
        "calls": dict(soak.counts),
        "errors": dict(soak.errors),
        "restarts": len(soak.engines) - 1,
        "quarters": quarters(soak.readings),
        "readings": soak.readings,
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--pause", type=float, default=1)
    given = parser.parse_args()
    result = asyncio.run(measure(given.minutes, given.pause))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "soak.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps({name: part for name, part in result.items() if name != "readings"}, indent=1))
    print(plot(result["readings"]))


if __name__ == "__main__":
    main()
