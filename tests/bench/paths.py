"""think, search and remember compared with bare statements, by `python -m tests.bench.paths`.

Options: `--thoughts 1000 --entities 5000 --rounds 100`. W is a statement that creates one node with a
vector. VF is a vector SEARCH with the filters and the limit of think, K the same among knowledge, and FT a
full-text query as LegacyMind makes it. think runs at scales 2 to 5 in a warm session, with ranking,
continuity, chain, RECALLS and access counts, without the embedding; "vector" and "ranked" are whole
searches. A batch has 50 thoughts, and its time is per thought. remember stores one new entity, or 100 as U
does, one bare UNWIND; its embedder has the vectors ready. All are interleaved. Prints medians of the wall
time, the mean CPU time of the engine, and ratios of both. Needs a home of its own (LEGACYMIND_HOME); writes
bench-results/paths-N.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase

from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS
from legacymind.services.think.answer import AnswerOptions
from legacymind.services.think.parameters import ThoughtWithVector
from legacymind.text import fulltext
from tests.fakes import FakeEmbedder

WORDS = (
    "tank pump valve cache deploy alarm index query node heater switch crew engine pressure log retry".split()
)
RESULTS = Path("bench-results")

BARE = (
    "CREATE CONSTRAINT bare_id IF NOT EXISTS FOR (b:Bare) REQUIRE b.id IS UNIQUE",
    """CYPHER 25 CREATE VECTOR INDEX bare_embedding IF NOT EXISTS FOR (b:Bare) ON b.embedding
       OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'COSINE'}}""",
    "CREATE FULLTEXT INDEX bare_text IF NOT EXISTS FOR (b:Bare) ON EACH [b.content]",
)
W = "CREATE (:Bare {id: $id, content: $content, embedding: $vector})"
VF = """CYPHER 25 MATCH (t:Thought) SEARCH t IN (VECTOR INDEX thought_embedding_a FOR $vector
         WHERE t.namespace = $namespace AND t.is_private = false AND t.hot = true AND t.created_at >= $since
         AND t.created_at < $now LIMIT 40) SCORE AS score
       RETURN t.id, t.content, score"""
K = """CYPHER 25 MATCH (n:Entity|Observation) SEARCH n IN (VECTOR INDEX knowledge_embedding_a FOR $vector
         WHERE n.namespace = $namespace AND n.valid_from <= $now AND n.valid_to > $now
         LIMIT 10) SCORE AS score
       RETURN n.id, n.name, n.content, score"""
FT = """CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: 40}) YIELD node, score
       RETURN node.id, node.content, score"""
FILL_BARE = "UNWIND $rows AS row CREATE (b:Bare {id: row.id, content: row.content, embedding: row.vector})"


def sentence(random: random.Random) -> str:
    """A sentence that shares words with others."""
    return f"{' '.join(random.choices(WORDS, k=8))} {random.randrange(10_000)}"


FILL = """CYPHER 25
UNWIND $rows AS row
CREATE (t:Thought) SET t = row.properties
WITH t, row
CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)"""
THINKS = ("think", "scale 3", "scale 4", "scale 5")
BATCH = 50
ENTITIES = 100


class Ready(FakeEmbedder):
    """An embedder that returns vectors made before."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self._ready = self.of([sentence(dice) for _ in range(ENTITIES)])

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """The vectors made before, in any order."""
        return self._ready[: len(texts)]

    def rows(self, number: int) -> list[dict[str, Any]]:
        """Bare nodes with these vectors."""
        return [
            {"id": str(uuid.uuid4()), "content": f"bare {n}", "vector": vector}
            for n, vector in enumerate(self._ready[:number])
        ]


async def fill(mind: Mind, driver: AsyncDriver, thoughts: int, entities: int, dice: random.Random) -> None:
    """Store the requested numbers of thoughts of the last six days, entities and bare nodes."""
    embedder, namespace = FakeEmbedder(), mind.settings.namespace
    now = datetime.now(UTC)
    for start in range(0, thoughts, 500):
        texts = [sentence(dice) for _ in range(min(500, thoughts - start))]
        vectors = await embedder.embed(texts)
        rows = [
            {
                "id": str(uuid.uuid4()),
                "content": content,
                "vector": vector,
                "properties": {
                    "id": str(uuid.uuid4()),
                    "namespace": namespace,
                    "ns_key": fulltext.namespace_key(namespace),
                    "content": content,
                    "mode": "question",
                    "significance": dice.random(),
                    "salience": dice.random(),
                    "created_at": now - timedelta(seconds=dice.randrange(6 * 86_400)),
                    "hot": True,
                    "pinned": False,
                    "is_private": False,
                },
            }
            for content, vector in zip(texts, vectors, strict=True)
        ]
        await driver.execute_query(FILL_BARE, rows=rows)
        await driver.execute_query(FILL, rows=rows)
    for start in range(0, entities, 500):
        named = [{"name": f"{sentence(dice)} {start + n}"} for n in range(min(500, entities - start))]
        await mind.operations["remember"].call({"entities": named})


def seconds_of(engine: psutil.Process) -> float:
    """CPU time of the engine so far."""
    used = engine.cpu_times()
    return used.user + used.system


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[float, Any]:
    """Milliseconds of one call, and its result."""
    start = time.perf_counter()
    result = await work()
    return (time.perf_counter() - start) * 1000, result


async def measure(thoughts: int, entities: int, rounds: int) -> dict[str, Any]:
    """Medians in milliseconds, and their ratios."""
    settings = replace(settings_module.load_settings(), namespace=f"bench-{uuid.uuid4()}")
    dice = random.Random(7)
    embedder = FakeEmbedder()
    ready = Ready(dice)
    async with (
        Mind(settings, session_id="warm", embedder=embedder) as mind,
        Mind(settings, embedder=ready) as keeper,
    ):
        status = await mind.engine.up()
        driver = AsyncGraphDatabase.driver(status.uri, auth=(status.username, mind.engine.password()))  # pyright: ignore[reportUnknownMemberType]
        await mind.vectors.claim()
        for statement in BARE:
            await driver.execute_query(statement)  # pyright: ignore[reportArgumentType]
        await driver.execute_query("CALL db.awaitIndexes(120)")
        await fill(mind, driver, thoughts, entities, dice)
        times: dict[str, list[float]] = {}
        cpu: dict[str, list[float]] = {}
        assert status.pid is not None
        engine = psutil.Process(status.pid)
        recalled: list[int] = []
        for number in range(rounds + 10):
            content = sentence(dice)
            (vector,) = await embedder.embed([content])

            def bare_write(content: str = content, vector: list[float] = vector) -> Awaitable[Any]:
                return driver.execute_query(W, id=str(uuid.uuid4()), content=content, vector=vector)

            def read(statement: LiteralString, vector: list[float] = vector) -> Awaitable[Any]:
                return driver.execute_query(
                    statement,
                    vector=vector,
                    namespace=settings.namespace,
                    since=ALWAYS,
                    now=datetime.now(UTC),
                    routing_="r",
                )

            def bare_text(content: str = content) -> Awaitable[Any]:
                words = fulltext.full_text_query(settings.namespace, content)
                return driver.execute_query(FT, words=words, routing_="r")

            def think(
                size: int, scale: int = 2, content: str = content, vector: list[float] = vector
            ) -> Awaitable[Any]:
                given = [
                    mind.services.think.prepare(
                        content=content, session_id="warm", injection_scale=scale, enhance=False
                    )
                    for _ in range(size)
                ]
                return mind.services.store.store(
                    [ThoughtWithVector(thought, vector) for thought in given],
                    options=AnswerOptions() if size == 1 else None,
                )

            def search(method: str, content: str = content) -> Awaitable[Any]:
                return mind.operations["search"].call(
                    {"query": content, "method": method, "kinds": ["thought"], "limit": 20}
                )

            def remember(number: int, size: int) -> Awaitable[Any]:
                names = [f"{WORDS[n % len(WORDS)]} {number} of {size}: {n}" for n in range(size)]
                return keeper.operations["remember"].call({"entities": [{"name": name} for name in names]})

            works: dict[str, Callable[[], Awaitable[Any]]] = {
                "W": bare_write,
                "VF": lambda: read(VF),
                "K": lambda: read(K),
                "FT": bare_text,
                "think": lambda: think(1),
                **{f"scale {scale}": lambda scale=scale: think(1, scale) for scale in (3, 4, 5)},
                "vector": lambda: search("vector"),
                "ranked": lambda: search("graph"),
                "remember": lambda number=number: remember(number, 1),
            }
            if number % 10 == 0:
                works["batch"] = lambda: think(BATCH)
                works["U"] = lambda: driver.execute_query(FILL_BARE, rows=ready.rows(ENTITIES))
                works["remember 100"] = lambda number=number: remember(number, ENTITIES)
            for name, work in works.items():
                before = seconds_of(engine)
                taken, result = await timed(work)
                if number >= 10:  # the first rounds plan and warm up
                    times.setdefault(name, []).append(taken)
                    cpu.setdefault(name, []).append(1000 * (seconds_of(engine) - before))
                    if name == "think":
                        recalled.append(len(result[0].memories))
        await driver.close()
    p50 = {name: round(statistics.median(values), 2) for name, values in times.items()}
    engine_ms = {name: round(statistics.mean(values), 2) for name, values in cpu.items()}

    def ratios(of: dict[str, float]) -> dict[str, float]:
        bare, found = of["W"] + of["VF"] + of["K"] + of["FT"], of["VF"] + of["FT"]
        return {
            **{f"{name} / (W + VF + K + FT)": round(of[name] / bare, 2) for name in THINKS},
            "ranked / (VF + FT)": round(of["ranked"] / found, 2),
            "vector / VF": round(of["vector"] / of["VF"], 2),
        }

    return {
        "thoughts": thoughts,
        "entities": entities,
        "rounds": rounds,
        "p50_ms": p50,
        "engine_ms": engine_ms,
        "memories": statistics.mean(recalled),
        "wall": ratios(p50),
        "engine": ratios(engine_ms),
        "batch, per thought / think": round(p50["batch"] / BATCH / p50["think"], 2),
        "remember / W": round(p50["remember"] / p50["W"], 2),
        "remember 100 / U": round(p50["remember 100"] / p50["U"], 2),
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
    (RESULTS / f"paths-{given.thoughts}.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
