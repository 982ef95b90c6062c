"""Kill the engine twice while two processes write one session: each acknowledged thought is stored once."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from legacymind.engine import Engine
from legacymind.settings import Settings
from tests import engines
from tests.bench.writers import stored, write

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]

PROCESSES, WRITERS, THOUGHTS = 2, 4, 6


@pytest.fixture
def own_engine(engine_settings: Settings, tmp_path: Path) -> Iterator[Settings]:
    """Settings of an engine of its own, with long waits, because a restarted server plans again."""
    settings = Settings(
        home=str(tmp_path / "home"),
        cache=engine_settings.cache,
        heap_mb=512,
        page_cache_mb=64,
        query_timeout=120.0,
    )
    engine = Engine(settings)
    with engines.brief():
        asyncio.run(engine.up())
        yield settings
    engines.discard(engine)


async def test_acknowledged_thoughts_survive_kill_9_and_verify(own_engine: Settings) -> None:
    expected = PROCESSES * WRITERS * THOUGHTS
    outcome = await write(
        own_engine,
        processes=PROCESSES,
        writers=WRITERS,
        thoughts=THOUGHTS,
        # The second time as soon as it answers again: the writers reconnect, and no statement is planned.
        kill_after=(expected // 3, expected // 3),
        seconds=900.0,
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
