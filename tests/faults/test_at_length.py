"""Faults that take minutes, with the settings of a user: ``python -m tests.faults --long``."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench import reembed
from legacymind.db import schema
from legacymind.db.schema import DROP_INDEX
from legacymind.engine import Engine
from legacymind.errors import DatabaseUnreachable, LegacyMindError
from legacymind.mind import Mind, limits_of
from legacymind.settings import Settings
from tests import engines
from tests.fakes import FakeEmbedder, FoldedEmbedder
from tests.faults.writers import stored, write
from tests.wire import noted_statements, raw

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.limit(3600),
    pytest.mark.skipif(
        os.environ.get("LEGACYMIND_TEST_FAULTS") != "long", reason="minutes: python -m tests.faults --long"
    ),
    pytest.mark.engine,
]

KILLS = 8
MOMENTS = 10


@pytest.fixture
async def own_engine(engine_settings: Settings, tmp_path: Path) -> AsyncIterator[Settings]:
    """Settings of an engine of its own, configured as a user's."""
    settings = Settings(home=str(tmp_path / "home"), cache=engine_settings.cache, heap_mb=512)
    engine = Engine(settings)
    await engine.up()
    yield settings
    engines.discard(engine)


async def test_twelve_writers_of_a_keyed_chain_survive_eight_kills(own_engine: Settings) -> None:
    settings = own_engine.changed(chain_key="a secret of this test")
    expected = 3 * 4 * 20
    outcome = await write(
        settings,
        processes=3,
        writers=4,
        thoughts=20,
        kill_after=[expected * number // (KILLS + 1) for number in range(1, KILLS + 1)],
        seconds=1_800.0,
    )
    report, there = await stored(settings)
    assert outcome.kills == KILLS
    assert there == outcome.acknowledged
    assert sorted(there.values()) == list(range(expected))
    assert (report.verdict, report.unkeyed) == ("intact", 0)


async def test_a_server_that_stands_still_ends_no_process_and_stores_once(own_engine: Settings) -> None:
    impatient = own_engine.changed(retry_time=2, query_timeout=5)
    limits = replace(limits_of(impatient), connect=2, wait=2)
    pid = Engine(own_engine).status().pid
    assert pid is not None
    thought = {"content": "The kettle boils.", "idempotency_key": "k", "session_id": "s"}
    async with Mind(own_engine, embedder=FakeEmbedder()) as mind:
        await mind.operations["think"].call(thought | {"idempotency_key": "planned"})
    async with Mind(impatient, embedder=FakeEmbedder(), limits=limits) as mind:
        await mind.graph.ready()
        os.kill(pid, signal.SIGSTOP)
        try:
            with noted_statements() as tries, pytest.raises(DatabaseUnreachable):
                async with asyncio.timeout(120):
                    await mind.operations["think"].call(thought)
            # A silent server is given up after 14 s, longer than calls are retried.
            assert len(tries) == 1
        finally:
            os.kill(pid, signal.SIGCONT)
        while True:
            try:
                first = await mind.operations["think"].call(thought)
                break
            except LegacyMindError as error:  # the server needs a moment
                print(error)
                await asyncio.sleep(1)
        again = await mind.operations["think"].call(thought)
        assert again.repeated
        assert again.delegated_result.thought_id == first.delegated_result.thought_id
        report = await mind.operations["verify_chain"].call({"session_id": "s"})
        assert (report.verdict, report.thought_count) == ("intact", 2)


async def test_a_home_that_is_copied_while_stopped_is_the_same_memory(
    own_engine: Settings, tmp_path: Path
) -> None:
    async with Mind(own_engine, embedder=FakeEmbedder()) as mind:
        await mind.think_batch([{"content": f"Thought {number}"} for number in range(20)], session_id="s")  # pyright: ignore[reportArgumentType]
    assert await Engine(own_engine).down()
    copy = own_engine.changed(home=str(tmp_path / "copy"))
    shutil.copytree(own_engine.home, copy.home, symlinks=True)
    engine = Engine(copy)
    try:
        await engine.up()
        async with Mind(copy, embedder=FakeEmbedder()) as mind:
            report = await mind.verify("s")
        assert (report.verdict, report.thought_count) == ("intact", 20)
    finally:
        engines.discard(engine)


async def test_a_reembedding_that_is_killed_at_any_moment_is_continued_by_the_next(
    own_engine: Settings,
) -> None:
    settings = own_engine.changed(namespace=reembed.NAMESPACE, adopt_interval=0)
    env = os.environ | {"LEGACYMIND_HOME": settings.home, "LEGACYMIND_CACHE": settings.cache}
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await reembed.fill(mind, 2_000)
        left: list[int] = []
        for lines in range(MOMENTS):
            job = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.reembed", "--job", stdout=asyncio.subprocess.PIPE, env=env
            )
            assert job.stdout is not None
            for _ in range(lines):
                await job.stdout.readline()
            await asyncio.sleep(0.05 * lines)
            if job.returncode is None:
                job.kill()
            await job.wait()
            await mind.think(f"A thought beside, {lines}", session_id="beside", injection_scale=0)
            left.append((await mind.reembed("status")).waiting_in_other)
        assert min(left[1:]) < 2_000
        async with Mind(settings, embedder=FoldedEmbedder()) as other:
            assert (await other.reembed("run")).state == "ready"
            found = await raw(
                other,
                "MATCH (t:Thought) RETURN count(t) AS thoughts, count(t.embedding_a) AS old, "
                "count(t.embedding_b) AS new, count(t.embedding_deferred) AS waiting",
            )
            count = 2_000 + MOMENTS
            assert found == [{"thoughts": count, "old": count, "new": count, "waiting": 0}]
            assert (await other.reembed("switch")).state == "switched"
            assert (await other.verify("beside")).complete


async def test_an_upgrade_during_which_the_server_is_killed_is_completed(
    own_engine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step has dropped an index, and the version is not written yet."""
    engine = Engine(own_engine)
    async with Mind(own_engine, embedder=FakeEmbedder()) as mind:
        thought = await mind.think("Before the upgrade", session_id="upgraded", injection_scale=0)
        before = await names_of_indexes(mind)
    pids: list[int | None] = []

    async def step(run: schema.Run) -> None:
        await run(DROP_INDEX, {"name": "thought_standing"})
        pids.append(engine.status().pid)
        if len(pids) == 1:
            engines.discard(engine)

    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setitem(schema.STEPS, 2, step)
    patient = own_engine.changed(retry_time=300.0)
    async with Mind(patient, embedder=FakeEmbedder()) as mind:
        found = await mind.get(thought.delegated_result.thought_id)
        assert found.text == "Before the upgrade"
        assert await names_of_indexes(mind) == before
        assert (await mind.graph.reread())["schema_version"] == 2
        assert (await mind.verify("upgraded")).complete
        await raw(mind, "MATCH (d:LegacyMind) SET d.schema_version = 1")
    assert len(pids) == len(set(pids)) == 2


async def names_of_indexes(mind: Mind) -> set[str]:
    """The names of all indexes that are online."""
    return {row["name"] for row in await raw(mind, "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'")}
