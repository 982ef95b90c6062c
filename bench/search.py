"""Search compared with bare statements, and its recall compared with an exact scan.

`python -m bench.search --thoughts N`. V is a bare vector SEARCH with LIMIT 20, F a bare full-text query
with limit 20, on the same nodes, all interleaved. The filter matches five thoughts. Recall@10 is that of a
vector search, relative to an exact scan in numpy. Vectors are in clusters, like those of texts. Needs a home
of its own (LEGACYMIND_HOME), which it fills once for each N; writes bench-results/search-N.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
from neo4j import AsyncDriver, AsyncGraphDatabase
from numpy.typing import NDArray

from bench.bare import sentence
from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import OPEN
from legacymind.text import fulltext
from tests.fakes import FakeEmbedder

RESULTS: Final = Path("bench-results")
START: Final = datetime(2026, 1, 1, tzinfo=UTC)
SESSION: Final = 40
CLUSTERS: Final = 300

FILL = """CYPHER 25
UNWIND $rows AS row
CREATE (t:Thought) SET t = row.properties
WITH t, row
CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)"""
LINK = """CYPHER 25
MATCH (t:Thought {namespace: $namespace}) WHERE t.previous_thought_id IS NOT NULL
CALL (t) { MATCH (p:Thought {id: t.previous_thought_id}) CREATE (t)-[:FOLLOWS]->(p) }
IN TRANSACTIONS OF 5000 ROWS"""
COUNT = "CYPHER 25 MATCH (t:Thought {namespace: $namespace}) RETURN count(t) AS n"
V = """CYPHER 25 MATCH (t:Thought)
SEARCH t IN (
  VECTOR INDEX thought_embedding_a FOR $vector WHERE t.namespace = $namespace LIMIT 20
) SCORE AS score
RETURN t.id, t.content, score"""
F = """CYPHER 25 CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: 20}) YIELD node, score
RETURN node.id, node.content, score"""

Matrix = NDArray[np.float32]


class Chosen(FakeEmbedder):
    """Embeds each text as its given vector."""

    def __init__(self) -> None:
        super().__init__()
        self.vectors: dict[str, list[float]] = {}

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        return [self.vectors[given] for given in texts]


def clustered(count: int, seed: int) -> Matrix:
    """Unit vectors around shared centres; the same for the same count and seed."""
    centres = np.random.default_rng(1).normal(size=(CLUSTERS, 384))
    dice = np.random.default_rng(seed)
    vectors = centres[dice.integers(CLUSTERS, size=count)] + dice.normal(size=(count, 384)) * 0.8
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


async def fill(driver: AsyncDriver, namespace: str, vectors: Matrix) -> None:
    """Thoughts in sessions of forty, each following the last; five of them by a rare author."""
    dice = random.Random(7)
    rare = set(random.Random(8).sample(range(len(vectors)), 5))
    for start in range(0, len(vectors), 1000):
        rows: list[dict[str, Any]] = []
        for n in range(start, min(start + 1000, len(vectors))):
            properties: dict[str, Any] = {
                "id": f"{namespace}/{n}",
                "namespace": namespace,
                "ns_key": fulltext.namespace_key(namespace),
                "content": sentence(dice),
                "author": "rare" if n in rare else f"author {n % 3}",
                "session_id": f"{namespace}/s{n // SESSION}",
                "mode": "question",
                "created_at": START + timedelta(minutes=n),
                "hot": True,
                "found_until": OPEN,
                "pinned": False,
                "is_private": False,
            }
            if n % SESSION:
                properties["previous_thought_id"] = f"{namespace}/{n - 1}"
            rows.append({"properties": properties, "vector": vectors[n].tolist()})
        await driver.execute_query(FILL, rows=rows)
    async with driver.session() as session:  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        await (await session.run(LINK, namespace=namespace)).consume()


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[float, Any]:
    """Milliseconds of one call, and its result."""
    start = time.perf_counter()
    result = await work()
    return (time.perf_counter() - start) * 1000, result


async def measure(count: int, rounds: int) -> dict[str, Any]:
    """Medians in milliseconds, their ratios, and recall."""
    namespace = f"bench-search-{count}"
    vectors, queries = clustered(count, 2), clustered(rounds + 10, 3)
    embedder = Chosen()
    settings = settings_module.load_settings().changed(namespace=namespace)
    times: dict[str, list[float]] = {}
    recalls: list[float] = []
    async with Mind(settings, embedder=embedder) as mind:
        status = await mind.engine.up()
        driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            status.uri, auth=(status.username, mind.engine.password()), notifications_min_severity="OFF"
        )
        await mind.vectors.claim()
        stored = (await driver.execute_query(COUNT, namespace=namespace)).records[0]["n"]
        start = time.perf_counter()
        if stored != count:
            await fill(driver, namespace, vectors)
            await driver.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
        filled = time.perf_counter() - start
        search = mind.operations["search_thoughts"].call
        dice = random.Random(9)
        for number in range(rounds + 10):
            query = sentence(dice)
            vector = embedder.vectors[query] = queries[number].tolist()
            words = fulltext.full_text_query(namespace, query)

            def bare(vector: list[float] = vector) -> Awaitable[Any]:
                return driver.execute_query(V, vector=vector, namespace=namespace, routing_="r")

            def full_text(words: str | None = words) -> Awaitable[Any]:
                return driver.execute_query(F, words=words, routing_="r")

            def ours(given: dict[str, Any], query: str = query) -> Callable[[], Awaitable[Any]]:
                return lambda: search({"query": query, "limit": 20, **given})

            for name, work in {
                "V": bare,
                "F": full_text,
                "vector": ours({"method": "vector"}),
                "vector, five match": ours({"method": "vector", "author": "rare"}),
                "ranked": ours({}),
                "ranked, five match": ours({"author": "rare"}),
                "text": ours({"method": "text"}),
            }.items():
                taken, result = await timed(work)
                if number >= 10:  # the first rounds plan and warm up
                    times.setdefault(name, []).append(taken)
                if name.endswith("match"):
                    assert len(result.hits) == 5, f"{name} found {len(result.hits)} of five"
            found = await search({"query": query, "limit": 10, "method": "vector"})
            truth = np.argpartition(-(vectors @ queries[number]), 10)[:10]
            recalls.append(len({f"{namespace}/{n}" for n in truth} & {hit.id for hit in found.hits}) / 10)
        await driver.close()
    p50 = {name: round(statistics.median(taken), 2) for name, taken in times.items()}
    return {
        "thoughts": count,
        "rounds": rounds,
        "filled_s": round(filled, 1),
        "p50_ms": p50,
        "recall@10": round(statistics.mean(recalls), 4),
        "vector / V": round(p50["vector"] / p50["V"], 2),
        "ranked / (V + F)": round(p50["ranked"] / (p50["V"] + p50["F"]), 2),
        "vector, five match / vector": round(p50["vector, five match"] / p50["vector"], 2),
        "ranked, five match / ranked": round(p50["ranked, five match"] / p50["ranked"], 2),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=60)
    given = parser.parse_args()
    result = asyncio.run(measure(given.thoughts, given.rounds))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"search-{given.thoughts}.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
