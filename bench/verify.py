"""Time and memory of verification, compared with reading the same fields: ``python -m bench.verify``.

Fills a session of LEGACYMIND_HOME's engine once, then reads and verifies it in turn, so that other load on
the machine affects both alike.
"""

import argparse
import asyncio
import json
import multiprocessing
import statistics
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

import psutil

from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.base import OPEN
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import READ_CHAIN
from legacymind.services.shared.chain_keys import HASH_ALG
from tests.fakes import FakeEmbedder
from tests.wire import one, raw

BATCH: Final = 1000
NAMESPACE: Final = "bench-verify"
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def weighing(step: int) -> str:
    """The text of a step."""
    return f"Step {step}: the kettle was weighed again, and it was lighter. ✓"


def chain(
    namespace: str,
    session: str,
    count: int,
    text: Callable[[int], str] = weighing,
    start: datetime = START,
    every: timedelta = timedelta(seconds=1),
    parents: bool = True,
) -> Iterator[dict[str, Any]]:
    """The properties of thoughts, hashed without a key; with ``parents``, of children of the tenth before."""
    last, ids = hashing.genesis(namespace, session), [str(uuid.uuid4()) for _ in range(count)]
    for step, own in enumerate(ids):
        content, salt = text(step), hashing.new_salt()
        thought = {
            "id": own,
            "namespace": namespace,
            "session_id": session,
            "step_index": step,
            "chained": True,
            "thought_type": "analysis",
            "mode": "plan",
            "origin": "tool",
            "author": "bench",
            "content": content,
            "salt": salt,
            "content_digest": hashing.content_digest(salt, content),
            "tags": ["plan", "idea"],
            "confidence": (step % 1000) / 1000,
            "significance": 0.5,
            "salience": 0.5,
            "hot": True,
            "found_until": OPEN,
            "is_private": False,
            "created_at": start + step * every,
            "recorded_at": start + step * every + timedelta(microseconds=1),
            "previous_thought_id": ids[step - 1] if step else None,
            "parent_id": ids[step - 10] if parents and step >= 10 else None,
            "hash_version": hashing.HASH_VERSION,
            "hash_alg": HASH_ALG,
            "prev_hash": last,
        }
        thought["content_hash"] = hashing.content_hash(thought)
        last = thought["chain_hash"] = hashing.chain_hash(last, thought["content_hash"])
        yield thought


async def fill(mind: Mind, session: str, count: int) -> None:
    """Store a chain of ``count`` thoughts without vectors and without LegacyMind's checks."""
    where = {"ns": NAMESPACE, "session": session}
    await raw(mind, "MERGE (:Session {namespace: $ns, id: $session})", **where)
    thoughts = chain(NAMESPACE, session, count)
    while batch := list(islice(thoughts, BATCH)):
        await raw(
            mind,
            "MATCH (s:Session {namespace: $ns, id: $session}) UNWIND $batch AS one "
            "CREATE (t:Thought) SET t = one CREATE (t)-[:IN_SESSION]->(s)",
            batch=batch,
            **where,
        )
        for kind, name in (("FOLLOWS", "previous_thought_id"), ("CHILD_OF", "parent_id")):
            await raw(
                mind,
                "UNWIND $links AS link MATCH (t:Thought {id: link[0]}), (p:Thought {id: link[1]}) "
                "CREATE (t)-[:$($kind)]->(p)",
                links=[(thought["id"], thought[name]) for thought in batch if thought[name]],
                kind=kind,
            )
    await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns, session_id: $session, step_index: $last}), "
        "(s:Session {namespace: $ns, id: $session}) "
        "SET s.head_hash = t.chain_hash, s.head_id = t.id, s.head_step = $last",
        last=count - 1,
        **where,
    )


@contextmanager
def peak() -> Generator[list[int]]:
    """The highest resident memory while entered, in bytes, measured every 20 ms."""
    process, done = psutil.Process(), threading.Event()
    highest = [process.memory_info().rss]

    def watch() -> None:
        while not done.wait(0.02):
            highest[0] = max(highest[0], process.memory_info().rss)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield highest
    finally:
        done.set()
        watching.join()


async def read(mind: Mind, session: str) -> int:
    """Read the fields that verification reads, and discard them."""
    rows: AsyncIterator[Any] = mind.graph.stream(
        READ_CHAIN, {"namespace": NAMESPACE, "session_id": session, "after": -1}
    )
    return sum([1 async for _ in rows])


async def prepare(count: int) -> str:
    """The session of ``count`` thoughts; it is filled if it does not exist."""
    session = f"verify-{count}"
    async with Mind(settings_module.load_settings(), embedder=FakeEmbedder()) as mind:
        known = "MATCH (t:Thought {namespace: $ns, session_id: $session}) RETURN count(t)"
        there = await one(mind, known, ns=NAMESPACE, session=session)
        if there == 0:
            await fill(mind, session, count)
        elif there != count:
            raise SystemExit(
                f"{session} holds {there} thoughts: its filling was interrupted. Use a new home."
            )
    return session


async def measure(session: str, count: int, rounds: int) -> dict[str, Any]:
    """Median seconds of both, their ratio, and the memory of verification beyond that of the idle process."""
    settings = settings_module.load_settings().changed(namespace=NAMESPACE)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.graph.ready()
        idle = psutil.Process().memory_info().rss
        reading: list[float] = []
        verifying: list[float] = []
        with peak() as highest:
            for _ in range(rounds):
                begun = time.perf_counter()
                report = await mind.verify(session)
                verifying.append(time.perf_counter() - begun)
                assert (report.valid, report.complete, report.thought_count) == (True, True, count), report
                begun = time.perf_counter()
                assert await read(mind, session) == count
                reading.append(time.perf_counter() - begun)
    return {
        "thoughts": count,
        "read_seconds": statistics.median(reading),
        "verify_seconds": statistics.median(verifying),
        "ratio": statistics.median(v / r for v, r in zip(verifying, reading, strict=True)),
        "idle_mb": idle / 2**20,
        "growth_mb": (highest[0] - idle) / 2**20,
    }


def filled(count: int) -> str:
    """Run ``prepare``."""
    return asyncio.run(prepare(count))


def main() -> None:
    """Measure, print, and keep the result in bench-results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    # In a process of its own, so that the memory of filling does not count as idle.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        session = other.submit(filled, given.thoughts).result()
    result = asyncio.run(measure(session, given.thoughts, given.rounds))
    for name, value in result.items():
        print(f"{name:>16}  {value:,.2f}" if isinstance(value, float) else f"{name:>16}  {value:,}")
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / f"verify-{given.thoughts}.json").write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
