"""The engine is killed while many processes think into one session: what was acknowledged is there."""

import sys
from dataclasses import replace

import pytest

from legacymind.settings import Settings
from tests.bench.writers import stored, write

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.last,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
]

PROCESSES, WRITERS, THOUGHTS = 2, 4, 6


async def test_what_was_acknowledged_survives_kill_9_and_verifies(settings: Settings) -> None:
    # The run's own engine is killed: another one would have to be started and to plan everything first.
    expected = PROCESSES * WRITERS * THOUGHTS
    patient = replace(settings, query_timeout=120.0)  # a cold server on a busy machine is not what is tested
    outcome = await write(
        patient,
        processes=PROCESSES,
        writers=WRITERS,
        thoughts=THOUGHTS,
        kill_after=expected // 4,
        seconds=900.0,
    )
    assert outcome.killed
    assert len(outcome.acknowledged) == expected
    report, there = await stored(settings)
    # Nothing acknowledged is lost or elsewhere, and nothing is there twice.
    assert there == outcome.acknowledged
    assert sorted(there.values()) == list(range(expected))
    assert (report.broken, report.valid, report.complete) == (None, True, True)
    # At most the killed server is what callers get to see: no deadlock, no time-out, no conflict. Not even
    # that when it comes back soon enough for their own tries.
    assert set(outcome.errors) <= {"database_unreachable"}
