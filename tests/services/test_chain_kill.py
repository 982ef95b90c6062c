"""The engine is killed while many processes think into one session: what was acknowledged is there."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from legacymind.engine import Engine
from legacymind.settings import Settings
from tests.bench.writers import stored, write

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
    # Minutes of both cores, and its outcome hangs on how long a restart takes: run by name before a release.
    pytest.mark.skipif("LEGACYMIND_SLOW_TESTS" not in os.environ, reason="LEGACYMIND_SLOW_TESTS is not set"),
]

PROCESSES, WRITERS, THOUGHTS = 4, 2, 12


@pytest.fixture
async def own(engine_settings: Settings, tmp_path: Path) -> AsyncIterator[Settings]:
    """An engine that nobody else uses."""
    settings = Settings(
        home=str(tmp_path / "home"),
        cache=engine_settings.cache,
        heap_mb=512,
        page_cache_mb=64,
        query_timeout=120,
    )
    engine = Engine(settings)
    await engine.up()
    yield settings
    await engine.down()


async def test_what_was_acknowledged_survives_kill_9_and_verifies(own: Settings) -> None:
    expected = PROCESSES * WRITERS * THOUGHTS
    outcome = await write(
        own, processes=PROCESSES, writers=WRITERS, thoughts=THOUGHTS, kill_after=expected // 4
    )
    assert outcome.killed
    assert len(outcome.acknowledged) == expected
    report, there = await stored(own)
    # Nothing acknowledged is lost or elsewhere, and nothing is there twice.
    assert there == outcome.acknowledged
    assert sorted(there.values()) == list(range(expected))
    assert (report.broken, report.valid, report.complete) == (None, True, True)
    # The killed server is all that callers get to see: no deadlock, no conflict, no broken promise.
    assert outcome.errors
    assert set(outcome.errors) == {"database_unreachable"}
