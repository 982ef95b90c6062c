"""Many clients of the HTTP server compared with bare statements, by `python -m bench.serve`.

Options: `--clients 64 --seconds 120 --thoughts 2000`. Each client thinks and searches in turn, first over
GraphQL, then over MCP, in a session of its own. The memory is that of `bench.scale`; in its home, the
thoughts that are there already count. The server is a process with a fake embedder, so that embedding, which
`bench.embedders` measures, takes no part. Before and after, the same number of bare clients
runs statements alone: W, VF, K and FT in place of a thought, VF, K and FT in place of a search (see
`bench.bare`).
Clients, server and engine share the machine's cores. Needs a home of its own (LEGACYMIND_HOME); writes
bench-results/serve.json.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
import psutil
import uvicorn
from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.bare import FT, RESULTS, VF, K, W
from bench.scale import NAMESPACE, Clustered, grown, sentence, stored
from legacymind import settings as settings_module
from legacymind.doors.http.app import build_app
from legacymind.doors.http.process import listen, shown
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS
from legacymind.text import fulltext

THINK: Final = """mutation ($content: String!, $session: ID) {
  think(input: {content: $content, sessionId: $session}) { modeSelected memories { rank score text } } }"""
SEARCH: Final = """query ($query: String!) {
  search(input: {query: $query}) { hits { id score text } } }"""
MCP_HEADERS: Final = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
HELLO: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
WARM: Final = 60
BARE_SECONDS: Final = 30
EVERY: Final = 2.0
"""Seconds between two readings of the server's memory."""

Pair = Callable[[int], Awaitable[None]]
"""One thought and one search of the client with this number."""


def serve() -> None:
    """Serve the namespace of the environment with the fake embedder, and print the address."""
    settings = settings_module.load_settings().changed(serve_rate=0)
    with listen("127.0.0.1", 0) as listening:
        print(f"http://{shown(listening)}", flush=True)
        app = build_app(Mind(settings, embedder=Clustered()))
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, ws="none")).run(
            sockets=[listening]
        )


async def load(pair: Pair, clients: int, seconds: float) -> tuple[float, list[float]]:
    """Pairs per second of all clients, and the milliseconds of each pair."""
    begun, times = time.perf_counter(), list[float]()

    async def client(number: int) -> None:
        while time.perf_counter() - begun < seconds:
            start = time.perf_counter()
            await pair(number)
            times.append((time.perf_counter() - start) * 1000)

    await asyncio.gather(*(client(number) for number in range(clients)))
    return len(times) / (time.perf_counter() - begun), times


def bare(driver: AsyncDriver, namespace: str, dice: random.Random) -> Pair:
    """The statements in place of a thought and a search."""

    async def pair(number: int) -> None:
        content = sentence(dice)
        (vector,) = await Clustered().embed([content])
        await driver.execute_query(W, id=str(uuid.uuid4()), content=content, vector=vector)
        where: dict[str, Any] = {
            "vector": vector,
            "namespace": namespace,
            "since": ALWAYS,
            "now": datetime.now(UTC),
            "words": fulltext.full_text_query(namespace, content),
        }
        for limit, knowledge in ((40, 10), (64, 64)):  # of a thought, of a search
            await driver.execute_query(VF, {**where, "limit": limit}, routing_="r")
            await driver.execute_query(K, {**where, "limit": knowledge}, routing_="r")
            await driver.execute_query(FT, {**where, "limit": limit}, routing_="r")

    return pair


def over_graphql(client: httpx2.AsyncClient, dice: random.Random, errors: Counter[str]) -> Pair:
    """A thought and a search over GraphQL; failures are counted."""

    async def post(query: str, variables: dict[str, Any]) -> None:
        with counted(errors):
            answer = await client.post("/graphql", json={"query": query, "variables": variables})
            body = answer.json()
            for error in body.get("errors", [body["error"]] if "error" in body else []):
                errors[str(error.get("extensions", error).get("code"))] += 1

    async def pair(number: int) -> None:
        await post(THINK, {"content": sentence(dice), "session": f"client {number}"})
        await post(SEARCH, {"query": sentence(dice)})

    return pair


def over_mcp(client: httpx2.AsyncClient, dice: random.Random, errors: Counter[str]) -> Pair:
    """A thought and a search by tools of MCP, each client in a session of its own; failures are counted."""
    sessions: dict[int, dict[str, str]] = {}

    async def post(headers: dict[str, str], method: str, params: dict[str, Any]) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return await client.post("/mcp", json=message, headers=MCP_HEADERS | headers)

    async def call(number: int, tool: str, arguments: dict[str, str]) -> None:
        with counted(errors):
            if number not in sessions:
                answer = await post({}, "initialize", HELLO)
                sessions[number] = {"mcp-session-id": answer.headers["mcp-session-id"]}
            answer = await post(sessions[number], "tools/call", {"name": tool, "arguments": arguments})
            if answer.status_code != 200 or '"isError":true' in answer.text or '"error":' in answer.text:
                errors[answer.text[:200]] += 1

    async def pair(number: int) -> None:
        await call(number, "legacymind_think", {"content": sentence(dice)})
        await call(number, "legacymind_search", {"query": sentence(dice)})

    return pair


DOORS: Final = {"graphql": over_graphql, "mcp": over_mcp}


@contextmanager
def counted(errors: Counter[str]) -> Generator[None]:
    """Count a request that fails."""
    try:
        yield
    except httpx2.HTTPError as error:
        errors[type(error).__name__] += 1


async def watch(process: psutil.Process, readings: list[float]) -> None:
    """Read the memory of the server, in MiB, until cancelled."""
    while True:
        readings.append(process.memory_info().rss / 2**20)
        await asyncio.sleep(EVERY)


async def measure(clients: int, seconds: float, thoughts: int) -> dict[str, Any]:
    """Throughputs, latencies, errors and memory."""
    settings = settings_module.load_settings().changed(namespace=NAMESPACE)
    dice = random.Random()
    async with Mind(settings, embedder=Clustered()) as mind:
        status = await mind.engine.up()
        auth = (status.username, mind.engine.password())
        driver = AsyncGraphDatabase.driver(status.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType]
        await grown(mind, await stored(mind), thoughts, datetime.now(UTC), dice)
        there = await stored(mind)
        await load(bare(driver, NAMESPACE, dice), clients, WARM)  # plans, and Java compiles
        first, _ = await load(bare(driver, NAMESPACE, dice), clients, BARE_SECONDS)
        await driver.close()
    server = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-m", "bench.serve", "--serve"],
        env=os.environ | {"LEGACYMIND_NAMESPACE": NAMESPACE},
        stdout=subprocess.PIPE,
        text=True,
    )
    result: dict[str, Any] = {"clients": clients, "seconds": seconds, "thoughts": there}
    try:
        assert server.stdout is not None
        address = (await asyncio.to_thread(server.stdout.readline)).strip()
        limits = httpx2.Limits(max_connections=clients)
        async with httpx2.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
            while not (await client.get("/readyz")).json()["ok"]:  # noqa: ASYNC110
                await asyncio.sleep(0.5)
            for door, over in DOORS.items():
                errors: Counter[str] = Counter()
                memory: list[float] = []
                pair = over(client, dice, errors)
                await load(pair, clients, WARM)
                watching = asyncio.create_task(watch(psutil.Process(server.pid), memory))
                pairs, times = await load(pair, clients, seconds)
                watching.cancel()
                result[door] = figures(pairs, times, memory) | {"errors": dict(errors)}
    finally:
        server.terminate()
        server.wait()
    async with AsyncGraphDatabase.driver(status.uri, auth=auth) as driver:  # pyright: ignore[reportUnknownMemberType]
        last, _ = await load(bare(driver, NAMESPACE, dice), clients, BARE_SECONDS)
    result["bare_pairs_per_second"] = [round(first, 1), round(last, 1)]
    for door in DOORS:
        result[door]["throughput / bare"] = round(result[door]["pairs_per_second"] / max(first, last), 2)
    return result


def figures(pairs: float, times: list[float], memory: list[float]) -> dict[str, Any]:
    """Throughput, latencies and memory of one door."""
    times.sort()
    quarter = max(len(memory) // 4, 1)
    return {
        "pairs_per_second": round(pairs, 1),
        "pair_ms": {
            "p50": round(statistics.median(times)),
            "p95": round(times[int(len(times) * 0.95)]),
            "p99": round(times[int(len(times) * 0.99)]),
            "max": round(times[-1]),
        },
        "memory_mib": {
            "second quarter": round(statistics.mean(memory[quarter : 2 * quarter] or memory), 1),
            "last quarter": round(statistics.mean(memory[-quarter:]), 1),
            "readings": [round(one, 1) for one in memory[:: max(len(memory) // 12, 1)]],
        },
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--thoughts", type=int, default=2000)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    result = asyncio.run(measure(given.clients, given.seconds, given.thoughts))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "serve.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
