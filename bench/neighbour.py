"""A server beside one that is overloaded: `python -m bench.neighbour`.

Options: `--searches 300 --rounds 5 --thoughts 1000`. Two `legacymind serve` use one engine, with the real
model, as two users on one machine would. Someone thinks and searches in turn at the second one, without a
pause: in each round first for some seconds alone, then while as many searches arrive at the first one.
All share the machine's cores. The neighbour is unharmed if none of its calls fails and their median takes at
most three times as long as alone: two servers and the engine share the cores. Needs a home of its own
(LEGACYMIND_HOME); writes bench-results/neighbour.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import httpx2

from bench.bare import RESULTS, sentence
from bench.serve import SEARCH, THINK
from bench.servers import serving
from legacymind import settings as settings_module
from legacymind.mind import Mind

ALONE: Final = 8.0
"""Seconds of a round without overload."""

ANSWERED: Final = "answered"

Seconds = dict[str, list[float]]
"""Seconds of the calls by their outcome: answered, or the code of the error."""


class Caller:
    """Calls one server over GraphQL, and keeps the seconds of each outcome."""

    def __init__(self, http: httpx2.AsyncClient, address: str) -> None:
        self._http = http
        self._address = address

    async def call(self, seconds: Seconds, query: str, /, **variables: Any) -> None:
        """Send a call, and add its seconds to those of its outcome."""
        begun = time.perf_counter()
        try:
            sent = {"query": query, "variables": variables}
            body = (await self._http.post(f"{self._address}/graphql", json=sent)).json()
            errors = body.get("errors") or ([body["error"]] if "error" in body else [])
            outcome = str(errors[0].get("extensions", errors[0]).get("code")) if errors else ANSWERED
        except httpx2.HTTPError as error:
            outcome = type(error).__name__
        seconds[outcome].append(time.perf_counter() - begun)


async def measure(searches: int, rounds: int, thoughts: int) -> dict[str, Any]:
    """Seconds of the neighbour's calls alone and beside the overload, and what became of the overload's."""
    dice = random.Random(7)
    settings = settings_module.load_settings().changed(namespace="neighbour")
    async with Mind(settings) as mind:
        await mind.engine.up()
        for start in range(0, thoughts, 50):
            texts = [sentence(dice) for _ in range(min(50, thoughts - start))]
            await mind.think_batch([{"content": text} for text in texts])
    ours = {"LEGACYMIND_NAMESPACE": settings.namespace, "LEGACYMIND_SERVE_RATE": "0"}
    alone, beside, overload = (defaultdict[str, list[float]](list) for _ in range(3))
    async with (
        serving(**ours) as (_, crowded),
        serving(**ours) as (_, quiet),
        httpx2.AsyncClient(timeout=120, limits=httpx2.Limits(max_connections=searches)) as crowd,
        httpx2.AsyncClient(timeout=120) as own,
    ):
        burst, neighbour = Caller(crowd, crowded), Caller(own, quiet)

        async def work(seconds: Seconds, until: asyncio.Event) -> None:
            while not until.is_set():
                await neighbour.call(seconds, THINK, content=sentence(dice), session="neighbour")
                await neighbour.call(seconds, SEARCH, query=sentence(dice))

        for number in range(rounds + 1):
            if number == 1:  # Neo4j plans the statements in the first round, which is not counted
                for counted in (alone, beside, overload):
                    counted.clear()
            end = asyncio.Event()
            working = asyncio.create_task(work(alone, end))
            await asyncio.sleep(ALONE)
            end.set()
            await working
            end = asyncio.Event()
            working = asyncio.create_task(work(beside, end))
            await asyncio.gather(
                *(
                    burst.call(overload, SEARCH, query=sentence(dice))
                    for _ in range(searches if number else 20)
                )
            )
            end.set()
            await working
    ratio = statistics.median(beside[ANSWERED]) / statistics.median(alone[ANSWERED])
    return {
        "searches": searches,
        "rounds": rounds,
        "overload": {outcome: _summary(seconds) for outcome, seconds in overload.items()},
        "neighbour alone": {outcome: _summary(seconds) for outcome, seconds in alone.items()},
        "neighbour beside": {outcome: _summary(seconds) for outcome, seconds in beside.items()},
        "beside / alone": round(ratio, 2),
        "unharmed": set(beside) == {ANSWERED} and ratio <= 3,
    }


def _summary(seconds: Sequence[float]) -> dict[str, float]:
    return {
        "calls": len(seconds),
        "median_s": round(statistics.median(seconds), 3),
        "max_s": round(max(seconds), 3),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--thoughts", type=int, default=1000)
    given = parser.parse_args()
    result = asyncio.run(measure(given.searches, given.rounds, given.thoughts))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "neighbour.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
