"""Faults of the engine: it is killed, and its disk is full. No acknowledged thought is lost."""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

from legacymind.db import queries
from legacymind.engine import Engine
from legacymind.errors import DatabaseError
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines
from tests.bench.writers import stored, write
from tests.fakes import FakeEmbedder
from tests.wire import one as value

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]

PROCESSES, WRITERS, THOUGHTS = 2, 4, 6


@pytest.fixture(scope="module")
def own_engine(engine_settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of an engine of its own, with long waits, because a restarted server plans again."""
    settings = Settings(
        home=str(tmp_path_factory.mktemp("faults") / "home"),
        cache=engine_settings.cache,
        heap_mb=512,
        page_cache_mb=64,
        query_timeout=120.0,
        adopt_interval=0,
    )
    engine = Engine(settings)
    with engines.brief():
        asyncio.run(engine.up())
        yield settings
    engines.discard(engine)


async def test_acknowledged_thoughts_survive_kill_9_and_verify(own_engine: Settings) -> None:
    """Kill the engine twice while two processes write one session: each thought is stored once."""
    expected = PROCESSES * WRITERS * THOUGHTS
    outcome = await write(
        own_engine,
        processes=PROCESSES,
        writers=WRITERS,
        thoughts=THOUGHTS,
        # The second time as soon as it answers again: the writers reconnect, and no statement is planned.
        kill_after=(expected // 3, expected // 3),
        seconds=900.0,
        brief=True,
    )
    assert outcome.kills == 2
    assert len(outcome.acknowledged) == expected
    report, there = await stored(own_engine)
    # Nothing acknowledged is lost or misplaced, and nothing is stored twice.
    assert there == outcome.acknowledged
    assert sorted(there.values()) == list(range(expected))
    assert (report.broken, report.valid, report.complete) == (None, True, True)
    # The only error is that the server is gone: no deadlock, no timeout, no conflict. If it is back
    # before their retries end, they get none.
    assert set(outcome.errors) <= {"database_unreachable"}


async def leave(mind: Mind) -> None:
    """Store a node, with a statement that is planned in milliseconds."""
    await mind.graph.run(
        queries.store_leaves,
        {
            "namespace": "full",
            "root": "00",
            "id": str(uuid4()),
            "number": 0,
            "created_at": datetime.now(UTC),
            "leaves": ["some words" * 100],
        },
    )


async def test_a_full_disk_is_reported_and_the_managed_engine_is_restarted(own_engine: Settings) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux sets limits of other processes")
    engine = Engine(own_engine)
    before = engine.status()
    assert before.pid is not None
    logs = Path(before.home) / "data" / "transactions" / "neo4j"
    foreign = replace(own_engine, neo4j_uri=before.uri, neo4j_password=engine.password())
    async with Mind(foreign, embedder=FakeEmbedder()) as mind:
        await leave(mind)
        # A write beyond this size fails as on a full disk. A new process has no such limit.
        largest = max(file.stat().st_size for file in logs.iterdir())
        psutil.Process(before.pid).rlimit(psutil.RLIMIT_FSIZE, (largest, psutil.RLIM_INFINITY))
        with pytest.raises(DatabaseError, match="TransactionLogError") as failed:
            await leave(mind)
        failed.value.of_write()
        assert "not known whether the write was committed" in failed.value.effect
        assert "disk is not full" in failed.value.hint
        # The server of a user is not restarted.
        with pytest.raises(DatabaseError, match="accepts no statements since") as failed:
            await leave(mind)
        failed.value.of_write()
        assert failed.value.effect == "Nothing was stored or changed."
        assert "restart the server" in failed.value.hint
        assert engine.status().pid == before.pid
    minds = [Mind(own_engine, embedder=FakeEmbedder()) for _ in range(2)]
    async with minds[0] as one, minds[1] as other:
        with pytest.raises(DatabaseError, match="accepts no statements since"):
            await one.graph.ready(restart=False)  # as `status` does
        await asyncio.gather(leave(one), leave(one), leave(other))
        found = await value(one, "MATCH (a:Anchor {namespace: 'full'}) RETURN count(a)")
    assert found in (4, 5)  # four acknowledged; nobody knows of the fifth
    assert engine.status().pid not in (None, before.pid)
