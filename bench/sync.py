"""Synchronisation: histories of three homes, ``python -m bench.sync --histories 2000 --seed 0``, or its cost.

Each seed is a history of three homes that act apart, lose and change files, and die (tests/services/sync);
what does not hold after one is printed with its seed and with the fewest steps that show it.

``--size 20000`` measures a memory of so many thoughts, as ``bench.scale`` makes them: the first
synchronisation of its home with a folder and of an empty home, beside a bare reading and a bare writing of
the same thoughts and relationships on the same servers, in transactions of 500; the most memory of this
process above that before; then seconds and statements of both for one new thought.

The engines are started in FOLDER, ``--homes``; a measurement needs a new one.
"""

import argparse
import asyncio
import random
import tempfile
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, LiteralString

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.scale import LINK, NAMESPACE, RECALL, Clustered, load, sentence
from legacymind import settings as settings_module
from legacymind.embed.base import Embedder
from legacymind.engine import Engine
from legacymind.mind import Mind
from tests import engines
from tests.fakes import FakeEmbedder
from tests.services.sync.histories import HOMES, History
from tests.services.sync.homes import clocks
from tests.services.sync.world import Broken, play
from tests.wire import noted_statements

BARE: Final = "bench-bare"
"""The namespace of what is written without LegacyMind."""

READ: Final = "MATCH (t:Thought {namespace: $ns}) RETURN t {.*, embedding_a: null} AS row"
READ_LINKS: Final = """MATCH (t:Thought {namespace: $ns})-[r:FOLLOWS|RECALLS]->(p)
RETURN type(r) AS type, [t.id, p.id, r.created_at] AS link"""
WRITE: Final = """CYPHER 25
UNWIND $rows AS row
MERGE (s:Session {namespace: $ns, id: row.session_id})
CREATE (t:Thought)-[:IN_SESSION]->(s)
SET t = row"""
STORED: Final = """CYPHER 25
MATCH (t:Thought {namespace: $ns})
CALL (t) { SET t.stored_at = t.created_at, t.noted_at = t.created_at } IN TRANSACTIONS OF 1000 ROWS"""
"""What a home says of its thoughts, and a load did not."""

BATCH: Final = 500


async def broken(minds: Sequence[Mind], history: History) -> str | None:
    """What does not hold after a history."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            await play(minds, history, Path(folder), f"model-{uuid.uuid4()}")
        except Broken as reason:
            return str(reason)
        except Exception as reason:  # any error of the product is one
            return f"{type(reason).__name__}: {reason}"
    return None


async def smallest(minds: Sequence[Mind], history: History) -> tuple[History, str]:
    """A part of a history that is broken, too, and of which no step can be left out."""
    reason, size = "", max(1, len(history.steps) // 2)
    while True:
        at = 0
        while at < len(history.steps):
            part = replace(history, steps=history.steps[:at] + history.steps[at + size :])
            if found := await broken(minds, part):
                history, reason = part, found
            else:
                at += size
        if size == 1:
            return history, reason or await broken(minds, history) or "it did not happen again"
        size //= 2


@asynccontextmanager
async def opened(folder: Path, count: int, embedder: Embedder, **changed: Any) -> AsyncGenerator[list[Mind]]:
    """Minds over engines in folders of their own, which are started."""
    own = settings_module.load_settings()
    small = {"heap_mb": 512, "page_cache_mb": 64, "query_timeout": 120, "adopt_interval": 0, **changed}
    settings = [own.changed(home=str(folder / f"home-{number}"), **small) for number in range(count)]
    with engines.brief(tests=True):
        for each in settings:
            await Engine(each).up()
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Mind(each, embedder=embedder)) for each in settings]


async def histories(folder: Path, first: int, count: int, *, at_once: int, shrink: bool) -> int:
    """Run histories, several at once in namespaces of their own; print and count those that are broken."""
    failed, begun, seeds = 0, time.monotonic(), iter(range(first, first + count))

    async def worker() -> None:
        nonlocal failed
        for seed in seeds:
            history = History.of(seed)
            if reason := await broken(minds, history):
                failed += 1
                print(f"seed {seed}: {reason}", flush=True)
                if shrink:
                    part, reason = await smallest(minds, history)
                    print(f"{part.places} {part.skews}", *part.steps, reason, sep="\n  ", flush=True)
            if (seed + 1 - first) % 20 == 0:
                seconds = time.monotonic() - begun
                print(f"to seed {seed}, {failed} broken, {seconds:.0f} s", flush=True)

    async with opened(folder, HOMES, FakeEmbedder()) as minds:
        with clocks():
            async with asyncio.TaskGroup() as tasks:
                for _ in range(at_once):
                    tasks.create_task(worker())
    return failed


async def measured(work: Awaitable[Any]) -> tuple[float, float]:
    """Seconds of some work, and the most MiB of this process above those before."""
    process = psutil.Process()
    before = most = process.memory_info().rss
    task, begun = asyncio.ensure_future(work), time.perf_counter()
    while not task.done():
        await asyncio.wait({task}, timeout=0.05)
        most = max(most, process.memory_info().rss)
    await task
    return time.perf_counter() - begun, (most - before) / 2**20


async def read_bare(driver: AsyncDriver) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """Thoughts and relationships between them, with other ids."""
    rows: list[dict[str, Any]] = []
    links: dict[str, list[Any]] = {"FOLLOWS": [], "RECALLS": []}
    async with driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
        async for record in await session.run(READ, ns=NAMESPACE):
            rows.append({**record["row"], "id": f"bare {record['row']['id']}", "namespace": BARE})
        async for record in await session.run(READ_LINKS, ns=NAMESPACE):
            start, end, at = record["link"]
            links[record["type"]].append([f"bare {start}", f"bare {end}", at])
    return rows, links


async def write_bare(
    driver: AsyncDriver, rows: Sequence[dict[str, Any]], links: dict[str, list[Any]]
) -> None:
    """Write them in transactions of a batch."""
    for at in range(0, len(rows), BATCH):
        await driver.execute_query(WRITE, rows=rows[at : at + BATCH], ns=BARE)
    statements: dict[str, LiteralString] = {"FOLLOWS": LINK, "RECALLS": RECALL}
    for name, statement in statements.items():
        for at in range(0, len(links[name]), BATCH):
            await driver.execute_query(statement, links=links[name][at : at + BATCH])


async def cost(folder: Path, size: int) -> None:
    """Print what the synchronisation of a memory costs."""
    dice = random.Random(size)
    place = folder / "place"
    place.mkdir(parents=True)
    async with opened(
        folder, 2, Clustered(), namespace=NAMESPACE, heap_mb=1024, page_cache_mb=256, query_timeout=600
    ) as (here, there):
        drivers: list[AsyncDriver] = []
        for mind in (here, there):
            await mind.vectors.claim()
            status = mind.engine.status()
            auth = (status.username, mind.engine.password())
            drivers.append(AsyncGraphDatabase.driver(status.uri, auth=auth))  # pyright: ignore[reportUnknownMemberType]
        for number in range(size // 2_000):
            await load(drivers[0], number, datetime.now(UTC), dice)
        async with drivers[0].session() as session:  # pyright: ignore[reportUnknownMemberType]
            await (await session.run(STORED, ns=NAMESPACE)).consume()
        rows, links = await read_bare(drivers[0])  # fills the server's cache
        reading, _ = await measured(read_bare(drivers[0]))
        sending, sending_mb = await measured(here.sync(place, trust=True))
        writing, _ = await measured(write_bare(drivers[1], rows, links))
        storing, storing_mb = await measured(there.sync(place, trust=True))
        print(f"{len(rows):,} thoughts, {sum(map(len, links.values())):,} relationships")
        print(f"bare: read {reading:.1f} s, write {writing:.1f} s")
        print(
            f"first: send {sending:.1f} s, {sending_mb:.0f} MiB; store {storing:.1f} s, {storing_mb:.0f} MiB"
        )
        print(f"ratio {(sending + storing) / (reading + writing):.2f}")
        for number in range(3):
            await here.think(sentence(dice), session_id=f"new {number}")
            for name, mind in (("send", here), ("store", there)):
                with noted_statements() as statements:
                    seconds, _ = await measured(mind.sync(place, trust=True))
                print(f"one thought: {name} {seconds:.2f} s, {len(statements)} statements", flush=True)
        for driver in drivers:
            await driver.close()


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--size", type=int, metavar="THOUGHTS", help="measure the cost instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--homes", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--at-once", type=int, default=4, metavar="HISTORIES")
    parser.add_argument("--shrink", action="store_true", help="find the fewest steps of each broken one")
    given = parser.parse_args()
    if given.size:
        asyncio.run(cost(given.homes, given.size))
        return
    failed = asyncio.run(
        histories(given.homes, given.seed, given.histories, at_once=given.at_once, shrink=given.shrink)
    )
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
