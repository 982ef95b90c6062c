"""think and search against bare statements: `python -m tests.bench.paths --thoughts 1000 --entities 500`.

W is a statement that creates one node with a vector, V a vector SEARCH with LIMIT 20, both over as many
nodes; everything is interleaved. Needs a home of its own (LEGACYMIND_HOME); writes bench-results/paths.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind import settings as settings_module
from legacymind.mind import Mind
from tests.fakes import FakeEmbedder

WORDS = (
    "tank pump valve cache deploy alarm index query node heater switch crew engine pressure log retry".split()
)
RESULTS = Path("bench-results")

BARE = (
    "CREATE CONSTRAINT bare_id IF NOT EXISTS FOR (b:Bare) REQUIRE b.id IS UNIQUE",
    """CYPHER 25 CREATE VECTOR INDEX bare_embedding IF NOT EXISTS FOR (b:Bare) ON b.embedding
       OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'COSINE'}}""",
)
W = "CREATE (:Bare {id: $id, content: $content, embedding: $vector})"
V = """CYPHER 25 MATCH (b:Bare) SEARCH b IN (VECTOR INDEX bare_embedding FOR $vector LIMIT 20) SCORE AS score
       RETURN b.id, b.content, score"""
FILL_BARE = "UNWIND $rows AS row CREATE (b:Bare {id: row.id, content: row.content, embedding: row.vector})"


def sentence(random: random.Random) -> str:
    """A sentence that shares words with others."""
    return f"{' '.join(random.choices(WORDS, k=8))} {random.randrange(10_000)}"


async def fill(mind: Mind, driver: AsyncDriver, thoughts: int, entities: int, dice: random.Random) -> None:
    """As many thoughts (unchained, quickly), entities and bare nodes as asked for."""
    embedder = FakeEmbedder()
    for start in range(0, thoughts, 500):
        texts = [sentence(dice) for _ in range(min(500, thoughts - start))]
        vectors = await embedder.embed(texts)
        rows = [
            {"id": str(uuid.uuid4()), "content": text, "vector": vector}
            for text, vector in zip(texts, vectors, strict=True)
        ]
        await driver.execute_query(FILL_BARE, rows=rows)
        prepared = [
            mind.think.prepare(content=text, session_id=f"fill-{start % 7}", injection_scale=0)
            for text in texts
        ]
        await asyncio.gather(
            *(mind.think.store(thought, vector) for thought, vector in zip(prepared, vectors, strict=True))
        )
    for start in range(0, entities, 500):
        named = [{"name": f"{sentence(dice)} {start + n}"} for n in range(min(500, entities - start))]
        await mind.operations["remember"].call({"entities": named})


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


async def measure(thoughts: int, entities: int, rounds: int) -> dict[str, Any]:
    """Medians in milliseconds, and their ratios."""
    settings = replace(settings_module.load(), namespace=f"bench-{uuid.uuid4()}")
    dice = random.Random(7)
    embedder = FakeEmbedder()
    async with Mind(settings, session_id="warm", embedder=embedder) as mind:
        status = await mind.engine.up()
        driver = AsyncGraphDatabase.driver(status.uri, auth=(status.username, mind.engine.password()))  # pyright: ignore[reportUnknownMemberType]
        await mind.vectors.claim()
        for statement in BARE:
            await driver.execute_query(statement)  # pyright: ignore[reportArgumentType]
        await driver.execute_query("CALL db.awaitIndexes(120)")
        await fill(mind, driver, thoughts, entities, dice)
        times: dict[str, list[float]] = {name: [] for name in ("W", "V", "think", "search")}
        for number in range(rounds + 10):
            text = sentence(dice)
            (vector,) = await embedder.embed([text])
            thought = mind.think.prepare(content=text, session_id="warm", injection_scale=2)

            def bare_write(text: str = text, vector: list[float] = vector) -> Awaitable[Any]:
                return driver.execute_query(W, id=str(uuid.uuid4()), content=text, vector=vector)

            def bare_search(vector: list[float] = vector) -> Awaitable[Any]:
                return driver.execute_query(V, vector=vector, routing_="r")

            def think(thought: Any = thought, vector: list[float] = vector) -> Awaitable[Any]:
                return mind.think.store(thought, vector)

            def search(text: str = text) -> Awaitable[Any]:
                return mind.search.search(text, kinds=["thought"], limit=20)

            for name, work in (("W", bare_write), ("V", bare_search), ("think", think), ("search", search)):
                taken = await timed(work)
                if number >= 10:  # the first rounds plan and warm up
                    times[name].append(taken)
        await driver.close()
    p50 = {name: round(statistics.median(values), 2) for name, values in times.items()}
    return {
        "thoughts": thoughts,
        "entities": entities,
        "rounds": rounds,
        "p50_ms": p50,
        "think / (W + 2 V)": round(p50["think"] / (p50["W"] + 2 * p50["V"]), 2),
        "search / V": round(p50["search"] / p50["V"], 2),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=1000)
    parser.add_argument("--entities", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    result = asyncio.run(measure(given.thoughts, given.entities, given.rounds))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "paths.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
