"""think, search, verify, start, memory and disk as a memory grows: ``python -m bench.scale``.

``--thoughts 10000 100000 1000000`` are the sizes; the same database grows from one to the next. Thoughts have
vectors around 1,000 random centres, words as frequent as in language (Zipf), and chained sessions of 1,000,
each thought after the one before, with two memories of its session. What is loaded later is older, so that
the last week is alike at each size. At each size the engine is restarted. The first calls after it are
measured, then each call in turn with bare statements on the same server (`bench.bare`), with the limits
of think (40), VS and FS with those of a ranked search (60), and V with that of one by vectors (200). Nothing
is embedded. Thoughts are stored at scales 2 to 5. A batch has 50 thoughts, and its time is per thought.
remember stores one entity, or 100 as U does, a bare UNWIND. Wall times are medians; the engine's CPU times,
of all of its threads, are means. Needs a home of its own (LEGACYMIND_HOME); prints a table and bars, writes
bench-results/scale.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
import uuid
import zlib
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, LiteralString

import numpy as np
import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.bare import BARE, FILL_BARE, FT, VF, K, V, W, seconds_of, timed
from bench.verify import chain
from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import ALWAYS
from legacymind.text import fulltext
from tests.fakes import FakeEmbedder
from tests.wire import raw

NAMESPACE: Final = "bench-scale"
THINKS: Final = ("think", "scale 3", "scale 4", "scale 5")
ENTITIES: Final = 2_000
BATCH: Final = 50
MANY: Final = 100
SESSION: Final = 1000
SESSIONS_IN_A_BATCH: Final = 2
CLUSTERS: Final = 1000
NOISE: Final = 0.9
"""Length of the random part of a vector, whose centre has length 1."""

LOAD: Final = """CYPHER 25
UNWIND $sessions AS one
CREATE (s:Session {namespace: $ns, id: one.id, head_hash: one.hash, head_id: one.head, head_step: one.step,
                   created_at: one.created_at})
WITH s, one
UNWIND one.thoughts AS row
CREATE (t:Thought)-[:IN_SESSION]->(s)
SET t = row.properties
WITH t, row
CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)"""
LINK: Final[LiteralString] = """CYPHER 25
UNWIND $links AS link
MATCH (t:Thought {id: link[0]}), (p:Thought {id: link[1]})
CREATE (t)-[:FOLLOWS]->(p)"""
RECALL: Final[LiteralString] = """CYPHER 25
UNWIND $links AS link
MATCH (t:Thought {id: link[0]}), (p:Thought {id: link[1]})
CREATE (t)-[:RECALLS {rank: 1, score: 0.5, weight: 0.5, via: 'vector', created_at: link[2]}]->(p)"""

VOCABULARY: Final = [f"w{number:x}" for number in range(20_000)]
WEIGHTS: Final = np.cumsum(1.0 / np.arange(1, len(VOCABULARY) + 1)).tolist()


class Clustered(FakeEmbedder):
    """An embedder whose vectors are a centre, chosen by the text, and noise."""

    centres: Final = np.random.default_rng(1).standard_normal((CLUSTERS, 384), dtype=np.float32)

    @staticmethod
    def around(clusters: Sequence[int], dice: np.random.Generator) -> list[list[float]]:
        """A unit vector near each of the centres."""
        centres = Clustered.centres[clusters]
        noise = dice.standard_normal(centres.shape, dtype=np.float32)
        vectors = centres + NOISE * noise
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).tolist()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector for each text, the same at every call."""
        seeds = [zlib.crc32(text.encode()) for text in texts]
        return [self.around([seed % CLUSTERS], np.random.default_rng(seed))[0] for seed in seeds]


def sentence(dice: random.Random) -> str:
    """Twelve words, the frequent ones more often."""
    return " ".join(dice.choices(VOCABULARY, cum_weights=WEIGHTS, k=12))


async def load(driver: AsyncDriver, number: int, now: datetime, dice: random.Random) -> float:
    """Store the sessions of one batch; return the seconds that the server took."""
    generator = np.random.default_rng(number)
    sessions: list[dict[str, Any]] = []
    follows: list[tuple[Any, Any]] = []
    recalls: list[tuple[Any, Any, Any]] = []
    for offset in range(SESSIONS_IN_A_BATCH):
        name = f"session-{number * SESSIONS_IN_A_BATCH + offset:06}"
        start = now - timedelta(minutes=(number * SESSIONS_IN_A_BATCH + offset + 1) * SESSION)
        thoughts = [
            {**thought, "ns_key": fulltext.namespace_key(NAMESPACE), "pinned": False}
            for thought in chain(
                NAMESPACE, name, SESSION, lambda _: sentence(dice), start, timedelta(minutes=1), parents=False
            )
        ]
        vectors = Clustered.around([dice.randrange(CLUSTERS) for _ in thoughts], generator)
        sessions.append(
            {
                "id": name,
                "hash": thoughts[-1]["chain_hash"],
                "head": thoughts[-1]["id"],
                "step": SESSION - 1,
                "created_at": start,
                "thoughts": [
                    {"properties": thought, "vector": vector}
                    for thought, vector in zip(thoughts, vectors, strict=True)
                ],
            }
        )
        follows += [(thought["id"], thought["previous_thought_id"]) for thought in thoughts[1:]]
        recalls += [
            (thought["id"], thoughts[dice.randrange(step)]["id"], thought["created_at"])
            for step, thought in enumerate(thoughts[1:], 1)
            for _ in range(2)
        ]
    begun = time.perf_counter()
    await driver.execute_query(LOAD, sessions=sessions, ns=NAMESPACE)
    await driver.execute_query(LINK, links=follows)
    await driver.execute_query(RECALL, links=recalls)
    return time.perf_counter() - begun


async def stored(mind: Mind) -> int:
    """The number of thoughts."""
    (counted,) = await raw(mind, "MATCH (t:Thought {namespace: $ns}) RETURN count(t) AS count", ns=NAMESPACE)
    return counted["count"]


async def size_on_disk(home: Path) -> float:
    """MiB of the database's files, transaction logs included."""

    def total() -> int:
        return sum(file.stat().st_size for file in (home / "data").rglob("*") if file.is_file())

    return await asyncio.to_thread(total) / 2**20


async def measure(
    mind: Mind, driver: AsyncDriver, sessions: int, rounds: int, dice: random.Random
) -> dict[str, float]:
    """Milliseconds of each work, and their ratios to bare statements."""
    walls: dict[str, list[float]] = {}
    engines: dict[str, list[float]] = {}
    pid = mind.engine.status().pid
    assert pid is not None
    engine = psutil.Process(pid)
    for number in range(rounds):
        text = sentence(dice)
        (vector,) = await mind.vectors.embed([text])

        def bare(
            statement: LiteralString, limit: int = 40, text: str = text, vector: list[float] = vector
        ) -> Awaitable[Any]:
            return driver.execute_query(
                statement,
                vector=vector,
                namespace=NAMESPACE,
                since=ALWAYS,
                now=datetime.now(UTC),
                words=fulltext.full_text_query(NAMESPACE, text),
                limit=limit,
                routing_="r",
            )

        def write(text: str = text, vector: list[float] = vector) -> Awaitable[Any]:
            return driver.execute_query(W, id=str(uuid.uuid4()), content=text, vector=vector)

        def search(method: str, text: str = text) -> Awaitable[Any]:
            return mind.operations["search"].call(
                {"query": text, "method": method, "kinds": ["thought"], "limit": 20}
            )

        def think(scale: int, text: str = text) -> Awaitable[Any]:
            return mind.operations["think"].call({"content": text, "injection_scale": scale})

        def remember(number: int, size: int) -> Awaitable[Any]:
            names = [f"{number} of {size}: {n} {uuid.uuid4()}" for n in range(size)]
            return mind.operations["remember"].call({"entities": [{"name": name} for name in names]})

        session = f"session-{dice.randrange(sessions):06}"
        works: dict[str, Callable[[], Awaitable[Any]]] = {
            "W": write,
            "VF": lambda: bare(VF),
            "K": lambda: bare(K),
            "FT": lambda: bare(FT),
            "V": lambda: bare(V, 200),
            "VS": lambda: bare(V, 60),
            "FS": lambda: bare(FT, 60),
            "vector": lambda: search("vector"),
            "ranked": lambda: search("graph"),
            **{name: lambda scale=scale: think(scale) for scale, name in enumerate(THINKS, 2)},
            "remember": lambda number=number: remember(number, 1),
        }
        if number % 10 == 0:
            texts = [sentence(dice) for _ in range(BATCH)]
            names = [sentence(dice) for _ in range(MANY)]
            rows = [
                {"id": str(uuid.uuid4()), "content": name, "vector": vector}
                for name, vector in zip(names, await Clustered().embed(names), strict=True)
            ]
            await mind.vectors.embed(texts)
            works |= {
                "verify 1,000": lambda session=session: mind.verify(session),
                "batch": lambda texts=texts: mind.operations["think_batch"].call(
                    {"thoughts": [{"content": text} for text in texts]}
                ),
                "U": lambda rows=rows: driver.execute_query(FILL_BARE, rows=rows),
                "remember 100": lambda number=number: remember(number, MANY),
            }
        for name in dice.sample(sorted(works), k=len(works)):
            before = seconds_of(engine)
            wall, _ = await timed(works[name])
            walls.setdefault(name, []).append(wall)
            engines.setdefault(name, []).append(1000 * (seconds_of(engine) - before))
    wall = {name: statistics.median(values) for name, values in walls.items()}
    cpu = {name: statistics.mean(values) for name, values in engines.items()}
    wall["batch"], cpu["batch"] = wall["batch"] / BATCH, cpu["batch"] / BATCH
    return {
        **{f"{name}_ms": wall[name] for name in wall},
        **{f"{name}, engine": cpu[name] for name in cpu},
        **{f"{name}, wall": ratio for name, ratio in ratios(wall).items()},
        **{f"{name}, engine": ratio for name, ratio in ratios(cpu).items()},
        "batch / think": wall["batch"] / wall["think"],
        "remember / W": wall["remember"] / wall["W"],
        "remember 100 / U": wall["remember 100"] / wall["U"],
    }


def ratios(of: dict[str, float]) -> dict[str, float]:
    """Times of operations as multiples of those of their bare statements."""
    bare = sum(of[name] for name in ("W", "VF", "K", "FT"))
    return {
        **{f"{name} / bare": of[name] / bare for name in THINKS},
        "ranked / (VS + FS)": of["ranked"] / (of["VS"] + of["FS"]),
        "vector / V": of["vector"] / of["V"],
    }


async def grown(mind: Mind, old: int, new: int, now: datetime, dice: random.Random) -> float:
    """Load thoughts until there are ``new``, and first entities; return the seconds that thoughts took."""
    await mind.vectors.claim()
    for statement in BARE:
        await raw(mind, statement)
    if not old:
        for start in range(0, ENTITIES, 500):
            named = [{"name": f"{sentence(dice)} {start + n}"} for n in range(500)]
            await mind.operations["remember"].call({"entities": named})
    status = mind.engine.status()
    auth = (status.username, mind.engine.password())
    driver = AsyncGraphDatabase.driver(status.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType]
    batch, seconds = SESSION * SESSIONS_IN_A_BATCH, 0.0
    for number in range(old // batch, new // batch):
        seconds += await load(driver, number, now, dice)
        if number % 25 == 0:
            print(f"{(number + 1) * batch:>10,} thoughts  {seconds:8,.0f} s", flush=True)
    await driver.execute_query("CALL db.awaitIndexes(3600)")
    await driver.close()
    return seconds


async def stage(old: int, new: int, rounds: int, now: datetime) -> dict[str, float]:
    """Grow the memory to a size, restart the engine, and measure."""
    settings = settings_module.load_settings().changed(namespace=NAMESPACE, query_timeout=600)
    dice = random.Random(new)
    result: dict[str, float] = {"thoughts": new}
    async with Mind(settings, embedder=Clustered()) as mind:
        await mind.engine.up()
        result["loading_s"] = await grown(mind, old, new, now, dice)
        await mind.engine.down()
    async with Mind(settings, session_id=f"warm-{new}", embedder=Clustered()) as mind:
        begun = time.perf_counter()
        status = await mind.engine.up()
        result["start_s"] = time.perf_counter() - begun
        driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            status.uri, auth=(status.username, mind.engine.password())
        )
        text = sentence(dice)
        first = await timed(lambda: mind.search(text, method="vector", kinds=["thought"]))
        result["first_search_s"] = first[0] / 1000
        result["first_think_s"] = (await timed(lambda: mind.think(text)))[0] / 1000
        await measure(
            mind, driver, new // SESSION, rounds, dice
        )  # fills the server's caches, and Java compiles
        result |= await measure(mind, driver, new // SESSION, rounds, dice)
        assert status.pid is not None
        result["engine_mb"] = psutil.Process(status.pid).memory_info().rss / 2**20
        result["disk_mb"] = await size_on_disk(Path(settings.home))
        assert await stored(mind) >= new
        await driver.close()
    return result


def table(results: Sequence[dict[str, float]]) -> str:
    """A row for each figure, a column for each size; below it bars of the milliseconds."""
    lines = [f"{'':>28}" + "".join(f"{result['thoughts']:>14,.0f}" for result in results)]
    names = [name for name in results[0] if name != "thoughts"]
    lines += [f"{name:>28}" + "".join(f"{result[name]:>14,.2f}" for result in results) for name in names]
    shown = [name for name in names if name.endswith("_ms")]
    longest = max(result[name] for result in results for name in shown)
    for name in shown:
        lines.append("")
        lines += [
            f"{name.removesuffix('_ms'):>12} {result['thoughts']:>9,.0f} "
            f"{'█' * max(1, round(60 * result[name] / longest))} {result[name]:.0f} ms"
            for result in results
        ]
    return "\n".join(lines)


def main() -> None:
    """Measure each size, print, and keep the results in bench-results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    now, results, old = datetime.now(UTC), list[dict[str, float]](), 0
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    for size in sorted(given.thoughts):
        results.append(asyncio.run(stage(old, size, given.rounds, now)))
        old = size
        (folder / "scale.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
        print(table(results), flush=True)


if __name__ == "__main__":
    main()
