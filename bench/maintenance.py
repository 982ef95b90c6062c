"""Time of pruning and curation, compared with bare statements: ``python -m bench.maintenance``.

Fills a namespace of LEGACYMIND_HOME's engine with thoughts that each recall four others, and then lets each
job and a bare statement with the same effect take turns, so that other load on the machine affects both
alike. A bare statement reads the whole namespace, and writes in one transaction for each 200 or 500 rows.
"""

import argparse
import asyncio
import random
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, LiteralString

from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import OPEN
from tests.fakes import FakeEmbedder
from tests.wire import raw

BATCH: Final = 1_000
RECALLS: Final = 4
SESSION: Final = 15
"""Thoughts of a session, which become one summary."""

START: Final = datetime(2025, 1, 1, tzinfo=UTC)

CREATE: Final[LiteralString] = """
UNWIND $rows AS row
MERGE (s:Session {namespace: $ns, id: row.properties.session_id})
ON CREATE SET s.head_hash = 'x', s.head_step = -1
CREATE (t:Thought)-[:IN_SESSION]->(s)
SET t = row.properties
WITH t, row
CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)
RETURN count(*) AS n
"""
RECALL: Final[LiteralString] = """
UNWIND $rows AS row
MATCH (t:Thought {id: row.id})
UNWIND row.recalls AS id
MATCH (m:Thought {id: id})
CREATE (t)-[r:RECALLS {weight: 0.3, score: 0.3, rank: 1}]->(m)
SET r.created_at = t.recorded_at, r.last_accessed = t.recorded_at
RETURN count(*) AS n
"""
FIND: Final[LiteralString] = """
MATCH (t:Thought)-[r:RECALLS]->() WHERE t.namespace = $ns AND r.weight < 0.5 AND r.last_accessed < $now
RETURN count(r) AS n
"""
DELETE: Final[LiteralString] = """
MATCH (t:Thought)-[r:RECALLS]->() WHERE t.namespace = $ns AND r.weight < 0.5 AND r.last_accessed < $now
WITH r LIMIT 800 DELETE r RETURN count(*) AS n
"""
JUDGE: Final[LiteralString] = """
MATCH (t:Thought) WHERE t.namespace = $ns AND t.hot = true
RETURN collect([t.id, t.salience, t.access_count, t.last_accessed, t.created_at, left(t.content, 120)]) AS n
"""
COOL: Final[LiteralString] = """
MATCH (t:Thought) WHERE t.namespace = $ns AND t.hot = true
WITH t LIMIT 500 SET t.hot = false RETURN count(*) AS n
"""
HEAT: Final[LiteralString] = """
MATCH (t:Thought) WHERE t.namespace = $ns AND t.hot = false
WITH t LIMIT 500 SET t.hot = true REMOVE t.curated, t.curated_at RETURN count(*) AS n
"""


REMOVE: Final[LiteralString] = """
MATCH (n:Thought|Session) WHERE n.namespace = $ns
WITH n LIMIT 500 DETACH DELETE n RETURN count(*) AS n
"""


async def fill(mind: Mind, count: int) -> list[str]:
    """Store thoughts with vectors, without chain hashes; they recall nothing yet."""
    ns, ids, chance = mind.settings.namespace, [str(uuid.uuid4()) for _ in range(count)], random.Random(1)
    for start in range(0, count, BATCH):
        rows = [
            {
                "properties": {
                    "id": ids[n],
                    "namespace": ns,
                    "session_id": f"s{n // SESSION}",
                    "step_index": n % SESSION,
                    "chained": True,
                    "content": f"Note {n}: kettle {n % 97} was weighed again, lighter by {n % 13} g.",
                    "mode": "build",
                    "origin": "tool",
                    "is_private": False,
                    "hot": True,
                    "found_until": OPEN,
                    "salience": 0.5,
                    "access_count": 0,
                    "created_at": START + timedelta(minutes=n),
                    "recorded_at": START + timedelta(minutes=n),
                },
                "vector": [chance.gauss(0, 1) for _ in range(mind.vectors.embedder.info.dimensions)],
            }
            for n in range(start, min(start + BATCH, count))
        ]
        await raw(mind, CREATE, rows=rows, ns=ns)
    return ids


async def recall(mind: Mind, ids: list[str]) -> None:
    """Let each thought recall four earlier ones."""
    chance = random.Random(2)
    for start in range(RECALLS, len(ids), BATCH):
        rows = [
            {"id": ids[n], "recalls": [ids[m] for m in chance.sample(range(n), RECALLS)]}
            for n in range(start, min(start + BATCH, len(ids)))
        ]
        await raw(mind, RECALL, rows=rows)


async def drained(mind: Mind, statement: LiteralString, **parameters: Any) -> None:
    """Run a statement until it changes nothing."""
    while (await raw(mind, statement, ns=mind.settings.namespace, **parameters))[0]["n"]:
        pass


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun


async def measure(count: int, rounds: int) -> None:
    """Print the medians of both, and their ratio."""
    settings = settings_module.load_settings().changed(namespace=f"bench-{uuid.uuid4()}", query_timeout=600.0)
    now = datetime.now(UTC)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.vectors.claim()
        ids = await fill(mind, count)
        await recall(mind, ids)
        ns = settings.namespace
        times: dict[str, tuple[list[float], list[float]]] = {
            name: ([], []) for name in ("plan of prune", "prune", "plan of curate", "dump")
        }

        def note(name: str, own: float, bare: float) -> None:
            times[name][0].append(own)
            times[name][1].append(bare)
            print(f"{name}: {own:.2f} s, bare {bare:.2f} s", flush=True)

        for _ in range(rounds):
            own = await timed(mind.prune)
            note("plan of prune", own, await timed(lambda: raw(mind, FIND, ns=ns, now=now)))
            own = await timed(lambda: mind.prune(apply=True))
            await recall(mind, ids)
            note("prune", own, await timed(lambda: drained(mind, DELETE, now=now)))
            await recall(mind, ids)
            curator = partial(mind.services.curation.run, ns)
            own = await timed(curator)
            note("plan of curate", own, await timed(lambda: raw(mind, JUDGE, ns=ns)))
            own = await timed(partial(curator, apply=True, keep=0.9, dump=0.9))
            await drained(mind, HEAT)
            note("dump", own, await timed(lambda: drained(mind, COOL)))
            await drained(mind, HEAT)
        for name, (own, bare) in times.items():
            if own:
                ratio = statistics.median(a / b for a, b in zip(own, bare, strict=True))
                both = f"{statistics.median(own):8.2f} s  bare {statistics.median(bare):8.2f} s"
                print(f"{name:15} {both}  x {ratio:.2f}")
        await drained(mind, REMOVE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    asyncio.run(measure(given.thoughts, given.rounds))
