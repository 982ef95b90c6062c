"""Effects of a vector index's options: `python -m bench.index_options --thoughts 100000 [--data DIR]`.

One index for each choice of options over the same vectors, queried in turn, so that other load on the machine
affects all alike. Recall is relative to an exact scan. With --data (a folder with locomo10.json and its
scorer), also with MiniLM's vectors of real turns and real questions. Needs a home of its own
(LEGACYMIND_HOME), which it fills in each run. Writes bench-results/index-options.json.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import numpy as np
from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.locomo import load_scorer
from bench.search import Matrix, clustered, timed
from legacymind import settings as settings_module
from legacymind.mind import Mind

RESULTS: Final = Path("bench-results")
LIMITS: Final = (10, 60)
"""Requested hits: those of a page, and the candidates of ranking."""

PRESENT: Final = "not quantized, factor 10"
"""The options of cypher/schema/v01 and v02; the times of the others are divided by its times."""

OPTIONS: Final[dict[str, dict[str, float | bool]]] = {
    "server's own (quantized, factor 3)": {},
    "quantized, factor 10": {"vector.default_search_expansion_factor": 10.0},
    "not quantized, factor 3": {
        "vector.quantization.enabled": False,
        "vector.default_search_expansion_factor": 3.0,
    },
    "not quantized, factor 5": {
        "vector.quantization.enabled": False,
        "vector.default_search_expansion_factor": 5.0,
    },
    PRESENT: {"vector.quantization.enabled": False, "vector.default_search_expansion_factor": 10.0},
    "not quantized, factor 3, m 32, ef 200": {
        "vector.quantization.enabled": False,
        "vector.default_search_expansion_factor": 3.0,
        "vector.hnsw.m": 32,
        "vector.hnsw.ef_construction": 200,
    },
}

# A label for each index, since a property of a label can have one vector index only.
CLEAR: Final = "CYPHER 25 MATCH (b:Bench) CALL (b) { DETACH DELETE b } IN TRANSACTIONS OF 10000 ROWS"
DROP: Final = "DROP INDEX bench_{n} IF EXISTS"
FILL: Final = """CYPHER 25 UNWIND range(0, size($vectors) - 1) AS i
CREATE (b:Bench:{labels} {{number: $start + i, namespace: 'bench', is_private: false}}) WITH b, i
CALL db.create.setNodeVectorProperty(b, 'vector', $vectors[i])"""
CREATE: Final = """CYPHER 25 CREATE VECTOR INDEX bench_{n} FOR (b:Bench{n}) ON b.vector
WITH [b.namespace, b.is_private]
OPTIONS {{indexConfig:
  {{`vector.dimensions`: $dimensions, `vector.similarity_function`: 'COSINE'{options}}}
}}"""
ASK: Final = """CYPHER 25 MATCH (b:Bench{n}) SEARCH b IN (VECTOR INDEX bench_{n} FOR $vector
WHERE b.namespace = 'bench' AND b.is_private = false LIMIT {limit}) SCORE AS score
RETURN collect(b.number) AS found"""


def statement(text: str, **values: Any) -> LiteralString:
    """A statement of this benchmark; names and options cannot be parameters of a statement."""
    return cast("LiteralString", text.format(**values))


async def build(driver: AsyncDriver, vectors: Matrix) -> dict[str, float]:
    """Create the nodes, then each index alone; returns the seconds of each."""
    async with driver.session() as session:  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        for n in range(len(OPTIONS)):
            await (await session.run(statement(DROP, n=n))).consume()
        await (await session.run(CLEAR)).consume()
    labels = ":".join(f"Bench{n}" for n in range(len(OPTIONS)))
    for start in range(0, len(vectors), 2000):
        rows = vectors[start : start + 2000].tolist()
        await driver.execute_query(statement(FILL, labels=labels), vectors=rows, start=start)
    took: dict[str, float] = {}
    for n, (name, options) in enumerate(OPTIONS.items()):
        written = "".join(f", `{key}`: {str(value).lower()}" for key, value in options.items())
        begin = time.perf_counter()
        await driver.execute_query(statement(CREATE, n=n, options=written), dimensions=vectors.shape[1])
        await driver.execute_query("CALL db.awaitIndexes(3600)")
        took[name] = round(time.perf_counter() - begin, 1)
    return took


async def compare(driver: AsyncDriver, vectors: Matrix, queries: Matrix) -> list[dict[str, Any]]:
    """Recall and median milliseconds of each choice, at each limit."""
    took = await build(driver, vectors)
    rows = {name: {"options": name, "build_s": took[name]} for name in OPTIONS}
    for limit in LIMITS:
        times: dict[str, list[float]] = {name: [] for name in OPTIONS}
        recalls: dict[str, list[float]] = {name: [] for name in OPTIONS}
        for number, vector in enumerate(queries):
            truth = set(np.argpartition(-(vectors @ vector), limit)[:limit].tolist())
            given: list[float] = vector.tolist()
            order = list(enumerate(OPTIONS))
            for n, name in order[number % len(order) :] + order[: number % len(order)]:
                query = statement(ASK, n=n, limit=limit)

                def ask(query: LiteralString = query, given: list[float] = given) -> Awaitable[Any]:
                    return driver.execute_query(query, vector=given, routing_="r")

                taken, result = await timed(ask)
                if number >= 10:  # the first rounds plan and warm up
                    times[name].append(taken)
                    recalls[name].append(len(truth & set(result.records[0]["found"])) / limit)
        present = statistics.median(times[PRESENT])
        for name, row in rows.items():
            median = statistics.median(times[name])
            row[f"recall@{limit}"] = round(statistics.mean(recalls[name]), 4)
            row[f"p50_ms@{limit}"] = round(median, 2)
            row[f"time@{limit} / present"] = round(median / present, 2)
    return list(rows.values())


async def real(mind: Mind, folder: Path, rounds: int) -> tuple[Matrix, Matrix]:
    """MiniLM's vectors of all turns, and of as many questions."""
    data = load_scorer(folder).load(folder / "locomo10.json")
    turns = [turn[2] for turns, _ in data.values() for turn in turns if turn[2]]
    questions = [question[1] for _, questions in data.values() for question in questions]
    step = max(len(questions) // rounds, 1)

    async def embed(texts: Sequence[str]) -> Matrix:
        found = [await mind.vectors.embed(texts[at : at + 64]) for at in range(0, len(texts), 64)]
        return np.array([vector for batch in found for vector in batch], dtype=np.float32)

    return await embed(turns), await embed(questions[::step][:rounds])


async def measure(count: int, rounds: int, folder: Path | None) -> dict[str, Any]:
    """Both tables."""
    async with Mind(settings_module.load_settings()) as mind:
        status = await mind.engine.up()
        async with AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            status.uri, auth=(status.username, mind.engine.password()), notifications_min_severity="OFF"
        ) as driver:
            results: dict[str, Any] = {}
            if folder is not None:
                turns, questions = await real(mind, folder, rounds)
                results[f"{len(turns)} turns of LoCoMo"] = await compare(driver, turns, questions)
            vectors, queries = clustered(count, 2), clustered(rounds, 3)
            results[f"{count} clustered"] = await compare(driver, vectors, queries)
    return results


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=110)
    parser.add_argument("--data", type=Path, help="folder of locomo10.json and its scorer")
    given = parser.parse_args()
    results = asyncio.run(measure(given.thoughts, given.rounds, given.data))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "index-options.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    for name, rows in results.items():
        print(f"\n{name}")
        for row in rows:
            print(
                "  ".join(
                    f"{value:<40}" if key == "options" else f"{key} {value}" for key, value in row.items()
                )
            )


if __name__ == "__main__":
    main()
