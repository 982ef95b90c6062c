"""Export and import compared with bare statements: ``python -m bench.exporting``.

Fills a namespace with sessions of 1,000 thoughts, and exports it to a file. In the same run, bare statements
stream the same nodes and relationships and discard them. Then the namespace is removed and imported, and
bare statements create as many nodes with the same properties and relationships elsewhere, in batches of the
same size. ``rss_mb`` is the resident memory of this process at each tenth of the exported lines, and after
each tenth of the import. Needs a home of its own (LEGACYMIND_HOME); prints JSON.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import psutil
from neo4j import AsyncDriver, AsyncGraphDatabase

from bench.verify import NAMESPACE, fill
from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.sync import Restoration
from tests.fakes import FakeEmbedder
from tests.wire import one, raw

SESSION: Final = 1000
BATCH: Final = 500
NODES: Final = "MATCH (t:Thought {namespace: $ns}) RETURN properties(t) AS row"
LINKS: Final = (
    "MATCH (t:Thought {namespace: $ns})-[r]->(m) RETURN t.id AS id, type(r) AS type, m.id AS other, "
    "properties(r) AS row"
)
CREATE: Final = "UNWIND $rows AS row CREATE (t:Thought) SET t = row"
RELATE: Final = """UNWIND $rows AS row MATCH (a:Thought {id: row[0]}), (b:Thought {id: row[2]})
CREATE (a)-[:$(row[1])]->(b)"""
JOIN: Final = (
    "UNWIND $rows AS row MATCH (a:Thought {id: row[0]}) MERGE (s:Session {namespace: $ns, id: row[2]}) "
    "CREATE (a)-[:IN_SESSION]->(s)"
)
REMOVE: Final = "MATCH (n {namespace: $ns}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS"


def resident() -> float:
    """The resident memory of this process, in MiB."""
    return round(psutil.Process().memory_info().rss / 2**20, 1)


async def prepared(count: int) -> None:
    """Fill the namespace, unless it is filled."""
    async with Mind(settings_module.load_settings(), embedder=FakeEmbedder()) as mind:
        await mind.engine.up()
        for number in range(count // SESSION):
            session = f"session-{number:06}"
            known = "MATCH (s:Session {namespace: $ns, id: $session}) RETURN count(s)"
            if not await one(mind, known, ns=NAMESPACE, session=session):
                await fill(mind, session, SESSION)


def filled(count: int) -> None:
    """Run ``prepared``."""
    asyncio.run(prepared(count))


async def streamed(driver: AsyncDriver, statement: Any, namespace: str) -> AsyncIterator[Any]:
    """The rows of a statement, as they arrive."""
    async with driver.session() as session:  # pyright: ignore[reportUnknownMemberType]
        async for row in await session.run(statement, ns=namespace):
            yield row


async def read(driver: AsyncDriver) -> float:
    """Seconds in which bare statements read what an export reads."""
    begun = time.perf_counter()
    for statement in (NODES, LINKS):
        async for _ in streamed(driver, statement, NAMESPACE):
            pass
    return time.perf_counter() - begun


async def written(driver: AsyncDriver, namespace: str) -> float:
    """Seconds in which bare statements create what an import creates, without the time to read it."""
    seconds = 0.0

    async def run(statement: Any, rows: list[Any]) -> None:
        nonlocal seconds
        begun = time.perf_counter()
        await driver.execute_query(statement, rows=rows, ns=namespace)
        seconds += time.perf_counter() - begun

    rows: list[Any] = []
    async for row in streamed(driver, NODES, NAMESPACE):
        rows.append({**row["row"], "id": f"bare-{row['row']['id']}", "namespace": namespace})
        if len(rows) == BATCH:
            await run(CREATE, rows)
            rows = []
    links: dict[Any, list[Any]] = {JOIN: [], RELATE: []}
    async for row in streamed(driver, LINKS, NAMESPACE):
        joins = row["type"] == "IN_SESSION"
        batch = links[JOIN if joins else RELATE]
        batch.append([f"bare-{row['id']}", row["type"], row["other"] if joins else f"bare-{row['other']}"])
        if len(batch) == BATCH:
            await run(JOIN if joins else RELATE, batch)
            batch.clear()
    for statement, batch in links.items():
        if batch:
            await run(statement, batch)
    return seconds


async def measure(count: int, file: Path) -> dict[str, Any]:
    """Export, read, import and create; seconds, rates, ratios and memory."""
    settings = settings_module.load_settings().changed(namespace=NAMESPACE)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.graph.ready()
        status = mind.engine.status()
        auth = (status.username, mind.engine.password())
        driver = AsyncGraphDatabase.driver(status.uri, auth=auth)  # pyright: ignore[reportUnknownMemberType]
        await read(driver)  # warms the server's cache for both
        lines, memory = 0, [resident()]
        begun = time.perf_counter()
        with file.open("w", encoding="utf-8") as target:
            async for line in mind.export():
                target.write(f"{line}\n")
                lines += 1
                if lines % max(count // 3, 1) == 0:  # a thought has about three lines
                    memory.append(resident())
        exported = time.perf_counter() - begun
        bare_read = await read(driver)
        bare_written = await written(driver, f"{NAMESPACE}-bare")
        await raw(mind, REMOVE, ns=f"{NAMESPACE}-bare")
        await raw(mind, REMOVE, ns=NAMESPACE)
        during: list[float] = [resident()]

        def progress(stage: str, done: int, total: int, /) -> None:
            if stage == "importing" and done * 10 // max(lines, total) >= len(during):
                during.append(resident())

        begun = time.perf_counter()
        restored = await mind.import_file(file, trust=True, progress=progress)
        imported = time.perf_counter() - begun
        await driver.close()
    assert isinstance(restored, Restoration)
    assert restored.chains is not None
    assert (restored.stored, restored.chains.intact) == (count, count // SESSION)
    return {
        "thoughts": count,
        "lines": lines,
        "file_mb": round(os.path.getsize(file) / 2**20, 1),  # noqa: ASYNC240, PTH202
        "export": {"seconds": round(exported, 2), "thoughts_per_second": round(count / exported)},
        "bare_read_seconds": round(bare_read, 2),
        "export / bare read": round(exported / bare_read, 2),
        "import": {"seconds": round(imported, 2), "thoughts_per_second": round(count / imported)},
        "bare_write_seconds": round(bare_written, 2),
        "import / bare write": round(imported / bare_written, 2),
        "rss_mb": {"export": memory, "import": during},
    }


def main() -> None:
    """Measure, and print JSON. Filling has a process of its own, so that its memory does not count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=100_000, help="a multiple of 1,000")
    given = parser.parse_args()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        other.submit(filled, given.thoughts).result()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measure(given.thoughts, Path(folder, "export.jsonl")))
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
