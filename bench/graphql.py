"""A three-level GraphQL query compared with its statements run bare, by `python -m bench.graphql`.

Options: `--thoughts 50 --rounds 50`. The query reads a session's thoughts, what each recalled, and the
session and the line of thought of what was recalled. Bare, a driver sends the same statements with the same
parameters, and discards the rows. Both are interleaved, without HTTP. Needs a home of its own
(LEGACYMIND_HOME); writes bench-results/graphql.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from neo4j import AsyncGraphDatabase

from bench.bare import RESULTS, sentence
from legacymind import settings as settings_module
from legacymind.db.query import Query
from legacymind.db.sending import checked, sent_text
from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from tests.fakes import FakeEmbedder

QUERY: Final = """query ($first: Int) { session(name: "bench") { thoughts(first: $first) { edges
  { node {
  id content mode createdAt
  recalls(first: 5) { edges { rank score node { id
    ... on Thought { content createdAt session { id: name steps } follows { id
      content } } } } } } } } } }"""


async def measure(thoughts: int, rounds: int) -> dict[str, Any]:
    """Medians in milliseconds, and their ratio."""
    settings = settings_module.load_settings().changed(namespace=f"bench-{uuid.uuid4()}")
    dice = random.Random(7)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        status = await mind.engine.up()
        for number in range(2 * thoughts):
            session = "bench" if number >= thoughts else f"earlier {number % 5}"
            await mind.operations["think"].call(
                {"content": sentence(dice), "session_id": session, "injection_scale": 4}
            )
        schema = build_schema(mind)

        async def through() -> Any:
            result = await schema.execute(QUERY, {"first": thoughts})
            assert result.errors is None, result.errors
            return result.data

        sent: list[tuple[Query[Any], Any]] = []
        run = mind.graph.run

        async def listen(query: Query[Any], parameters: Any) -> list[Any]:
            sent.append((query, parameters))
            return await run(query, parameters)

        mind.graph.run = listen
        data = await through()
        del mind.graph.run
        auth = (status.username, mind.engine.password())
        async with AsyncGraphDatabase.driver(status.uri, auth=auth) as driver:  # pyright: ignore[reportUnknownMemberType]

            async def bare() -> None:
                for query, parameters in sent:
                    await driver.execute_query(
                        cast("Any", sent_text(query)), checked(query, parameters), routing_="r"
                    )

            times: dict[str, list[float]] = {"graphql": [], "bare": []}
            ways: dict[str, Callable[[], Awaitable[Any]]] = {"graphql": through, "bare": bare}
            for number in range(rounds + 10):
                for name, way in ways.items():
                    begun = time.perf_counter()
                    await way()
                    if number >= 10:  # the first ones warm up
                        times[name].append((time.perf_counter() - begun) * 1000)
    edges = data["session"]["thoughts"]["edges"]
    medians = {name: statistics.median(each) for name, each in times.items()}
    return {
        "thoughts": len(edges),
        "recalls": sum(len(one["node"]["recalls"]["edges"]) for one in edges),
        "statements": [query.file for query, _ in sent],
        "graphql_ms": round(medians["graphql"], 1),
        "bare_ms": round(medians["bare"], 1),
        "graphql / bare": round(medians["graphql"] / medians["bare"], 2),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=50)
    given = parser.parse_args()
    result = asyncio.run(measure(given.thoughts, given.rounds))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "graphql.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
