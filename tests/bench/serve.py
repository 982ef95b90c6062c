"""Many clients of the HTTP server compared with bare statements, by `python -m tests.bench.serve`.

Options: `--clients 50 --seconds 120 --thoughts 1000`. Each client thinks and searches in turn, over
GraphQL, in a session of its own. The server is a process with the fake embedder, so that embedding, which
`tests.bench.embedders` measures, takes no part. The same number of bare clients first runs statements
alone: W, VF, K and FT in place of a thought, VF, K and FT in place of a search (see `tests.bench.bare`).
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
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
import psutil
import uvicorn
from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind import settings as settings_module
from legacymind.doors.http.app import build_app
from legacymind.doors.http.sockets import listen, shown
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS
from legacymind.text import fulltext
from tests.bench.bare import BARE, FT, RESULTS, VF, K, W, fill, sentence
from tests.fakes import FakeEmbedder

THINK: Final = """mutation ($content: String!, $session: ID) {
  think(input: {content: $content, sessionId: $session}) { modeSelected memories { rank score text } } }"""
SEARCH: Final = "query ($query: String!) { search(input: {query: $query}) { count hits { id score text } } }"
BARE_SECONDS: Final = 20
EVERY: Final = 2.0
"""Seconds between two readings of the server's memory."""

Pair = Callable[[int], Awaitable[None]]
"""One thought and one search of the client with this number."""


def serve() -> None:
    """Serve the namespace of the environment with the fake embedder, and print the address."""
    settings = replace(settings_module.load_settings(), serve_rate=0)
    with listen("127.0.0.1", 0) as listening:
        print(f"http://{shown(listening)}", flush=True)
        app = build_app(Mind(settings, embedder=FakeEmbedder()))
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
    embedder = FakeEmbedder()

    async def pair(number: int) -> None:
        content = sentence(dice)
        (vector,) = embedder.of([content])
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


def over_http(client: httpx2.AsyncClient, address: str, dice: random.Random, errors: Counter[str]) -> Pair:
    """A thought and a search over GraphQL; failures are counted."""

    async def post(query: str, variables: dict[str, Any]) -> None:
        try:
            answer = await client.post(f"{address}/graphql", json={"query": query, "variables": variables})
        except httpx2.HTTPError as error:
            errors[type(error).__name__] += 1
            return
        body = answer.json()
        for error in body.get("errors", [body["error"]] if "error" in body else []):
            errors[str(error.get("extensions", error).get("code"))] += 1

    async def pair(number: int) -> None:
        await post(THINK, {"content": sentence(dice), "session": f"client {number}"})
        await post(SEARCH, {"query": sentence(dice)})

    return pair


async def watch(process: psutil.Process, readings: list[float]) -> None:
    """Read the memory of the server, in MiB, until cancelled."""
    while True:
        readings.append(process.memory_info().rss / 2**20)
        await asyncio.sleep(EVERY)


async def measure(clients: int, seconds: float, thoughts: int) -> dict[str, Any]:
    """Throughputs, latencies, errors and memory."""
    settings = replace(settings_module.load_settings(), namespace=f"bench-{uuid.uuid4()}")
    dice = random.Random(7)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        status = await mind.engine.up()
        driver = AsyncGraphDatabase.driver(status.uri, auth=(status.username, mind.engine.password()))  # pyright: ignore[reportUnknownMemberType]
        await mind.warm_up()
        for statement in BARE:
            await driver.execute_query(statement)  # pyright: ignore[reportArgumentType]
        await driver.execute_query("CALL db.awaitIndexes(120)")
        await fill(mind, driver, thoughts, 100, dice)
        await load(bare(driver, settings.namespace, dice), clients, 5)  # plans and warms up
        bare_pairs, _ = await load(
            bare(driver, settings.namespace, dice), clients, min(BARE_SECONDS, seconds)
        )
        await driver.close()
    server = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-m", "tests.bench.serve", "--serve"],
        env=os.environ | {"LEGACYMIND_NAMESPACE": settings.namespace},
        stdout=subprocess.PIPE,
        text=True,
    )
    errors: Counter[str] = Counter()
    memory: list[float] = []
    try:
        assert server.stdout is not None
        address = (await asyncio.to_thread(server.stdout.readline)).strip()
        limits = httpx2.Limits(max_connections=clients)
        async with httpx2.AsyncClient(timeout=60, limits=limits) as client:
            while not (await client.get(f"{address}/readyz")).json()["ok"]:  # noqa: ASYNC110
                await asyncio.sleep(0.5)
            pair = over_http(client, address, dice, errors)
            await load(pair, clients, 10)
            watching = asyncio.create_task(watch(psutil.Process(server.pid), memory))
            pairs, times = await load(pair, clients, seconds)
            watching.cancel()
    finally:
        server.terminate()
        server.wait()
    times.sort()
    quarter = max(len(memory) // 4, 1)
    return {
        "clients": clients,
        "seconds": seconds,
        "thoughts": thoughts,
        "calls_per_second": round(2 * pairs, 1),
        "bare_pairs_per_second": round(bare_pairs, 1),
        "pairs_per_second": round(pairs, 1),
        "throughput / bare": round(pairs / bare_pairs, 2),
        "pair_ms": {
            "p50": round(statistics.median(times)),
            "p95": round(times[int(len(times) * 0.95)]),
            "p99": round(times[int(len(times) * 0.99)]),
            "max": round(times[-1]),
        },
        "errors": dict(errors),
        "memory_mib": {
            "second quarter": round(statistics.mean(memory[quarter : 2 * quarter] or memory), 1),
            "last quarter": round(statistics.mean(memory[-quarter:]), 1),
            "readings": [round(one, 1) for one in memory[:: max(len(memory) // 12, 1)]],
        },
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--thoughts", type=int, default=1000)
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
