"""Faults of the engine: it is killed, and its disk is full. No acknowledged thought is lost."""

import asyncio
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock
from uuid import uuid4

import psutil
import pytest

from legacymind.engine import Engine
from legacymind.engine.backup import Backups
from legacymind.engine.home import Home
from legacymind.errors import UNSETTLED, Conflict, DatabaseError, EngineError, InvalidInput
from legacymind.mind import Mind
from legacymind.services.maintain.tokens import CREATE_TOKEN
from legacymind.settings import Settings
from tests import engines
from tests.fakes import FakeEmbedder
from tests.faults.writers import stored, write
from tests.wire import one as value

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL"),
    pytest.mark.engine,
    pytest.mark.limit(600),
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


async def test_a_backup_taken_while_clients_think_is_restored_into_a_new_home_where_all_chains_verify(
    own_engine: Settings, tmp_path: Path
) -> None:
    """What was acknowledged before the backup is in it; no call fails meanwhile."""
    file = tmp_path / "memory.backup"
    # On a busy machine, Neo4j is stopped for longer than a call usually waits.
    patient = own_engine.changed(retry_time=300.0)
    async with Mind(patient, embedder=FakeEmbedder()) as mind:
        before = await mind.think("Before the backup.", session_id="before", namespace="other")
        own = before.delegated_result.thought_id
        # Not a thought: Neo4j plans its statement for ten seconds after each start.
        waiting = asyncio.create_task(mind.pin_thought(own, namespace="other"))
        stages: list[str] = []
        made = await mind.backup(file, progress=lambda stage, done, total: stages.append(stage))
        copying = ["Stopping Neo4j", "Copying the database", "Starting Neo4j"]
        assert list(dict.fromkeys(stages)) == [*copying, "Compressing", "Checking the backup"]
        assert made.stopped_for > 0
        assert (await waiting).pinned  # repeated, if its first answer was lost when Neo4j stopped
        with pytest.raises(Conflict):
            await mind.backup(file)
        secrets = [mind.engine.password(), "Before the backup."]
    members = {path.name for path in Home(Path(own_engine.home)).folder.iterdir()}
    assert not any(name.startswith("backup-") for name in members)
    assert not any(secret.encode() in file.read_bytes() for secret in secrets)  # compressed; and no password
    damaged = tmp_path / "damaged.backup"
    content = file.read_bytes()
    damaged.write_bytes(content[: len(content) // 2])
    new = own_engine.changed(home=str(tmp_path / "new"))
    async with Mind(new, embedder=FakeEmbedder()) as restored:
        with pytest.raises(InvalidInput, match="not a complete backup"):
            await restored.restore(damaged)
        assert not (tmp_path / "new" / "data" / "databases").exists()
        held = database_of(tmp_path / "new")
        with pytest.raises(Conflict, match="has a database"):
            await restored.restore(file)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Engine, "_start_locked", Mock(side_effect=EngineError("Neo4j did not start.")))
            with pytest.raises(EngineError, match="did not start"):
                await restored.restore(file, force=True)
        assert held.read_bytes() == b"an earlier database"
        hurried = Mind(new.changed(retry_time=3.0), embedder=FakeEmbedder())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Backups, "_load", lambda self, file, data, *_: unreadable(data))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
            with pytest.raises((InvalidInput, EngineError)):
                await hurried.restore(file, force=True)
        assert held.read_bytes() == b"an earlier database"
        assert not hurried.engine.status().running
        assert {path.name for path in (tmp_path / "new").iterdir() if "-" in path.name} == set()
        try:
            outcome, chains = await restored.restore(file, force=True)
            assert (chains.verdict, chains.faulty) == ("intact", [])
            assert chains.sessions == chains.intact >= 1
            thought = await restored.get(own, namespace="other")
            assert thought.text == "Before the backup."
        finally:
            engines.discard(restored.engine)
    assert outcome.replaced is not None
    aside = Path(outcome.replaced)
    assert (aside / held.relative_to(tmp_path / "new" / "data")).read_bytes() == b"an earlier database"


def unreadable(data: Path) -> None:
    """Write files that no Neo4j has written where the database lies."""
    for name in ("databases/neo4j/neostore", "transactions/neo4j/neostore.transaction.db.0"):
        (data / name).parent.mkdir(parents=True)
        (data / name).write_bytes(b"no store" * 1024)


def database_of(home: Path) -> Path:
    """A file where the database of a home lies: restoring only moves it, so no server needs to read it."""
    file = home / "data" / "databases" / "neo4j" / "neostore"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"an earlier database")
    return file


async def test_another_server_than_the_managed_one_is_neither_backed_up_nor_restored(tmp_path: Path) -> None:
    async with Mind(Settings(neo4j_uri="bolt://127.0.0.1:1"), embedder=FakeEmbedder()) as mind:
        with pytest.raises(InvalidInput, match="Only the managed Neo4j can be backed up"):
            await mind.backup(tmp_path / "file")
        with pytest.raises(InvalidInput, match="Only the managed Neo4j can be restored"):
            await mind.restore(tmp_path / "file")


async def leave(mind: Mind, namespace: str = "full") -> None:
    """Store a node, with a statement that is planned in milliseconds."""
    await mind.graph.run(
        CREATE_TOKEN,
        {
            "id": str(uuid4()),
            "name": "some words" * 100,
            "namespaces": [namespace],
            "role": "read",
            "trust": "agent",
            "digest": "00",
            "now": datetime.now(UTC),
        },
    )


async def test_a_full_disk_is_named_at_once_until_it_has_space_again(
    own_engine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux sets limits of other processes")
    engine = Engine(own_engine)
    pid = engine.status().pid
    assert pid is not None
    async with Mind(own_engine, embedder=FakeEmbedder()) as mind:
        await leave(mind, "named")
        logs = engine.home.data / "transactions" / "neo4j"
        largest = max(file.stat().st_size for file in logs.iterdir())
        psutil.Process(pid).rlimit(psutil.RLIMIT_FSIZE, (largest, psutil.RLIM_INFINITY))
        monkeypatch.setattr("legacymind.engine.engine.FULL", 1 << 62)  # so the disk counts as full
        for attempt in range(3):
            begun = time.monotonic()
            with pytest.raises(EngineError, match=r"The disk of .* is full: .* KiB are free") as failed:
                await leave(mind, "named")
            assert time.monotonic() - begun < 5
            failed.value.of_write()
            known = "Stored data is untouched." if attempt else UNSETTLED
            assert failed.value.effect == known
        assert engine.status().pid == pid  # a restart would need space
        engines.discard(engine)
        with pytest.raises(EngineError, match="is full"):  # and so does a start
            await leave(mind, "named")
        monkeypatch.undo()
        await leave(mind, "named")
        assert engine.status().pid not in (None, pid)


async def test_a_full_disk_is_reported_and_the_managed_engine_is_restarted(own_engine: Settings) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux sets limits of other processes")
    engine = Engine(own_engine)
    before = engine.status()
    assert before.pid is not None
    logs = Path(before.home) / "data" / "transactions" / "neo4j"
    foreign = own_engine.changed(neo4j_uri=before.uri, neo4j_password=engine.password())
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
        found = await value(one, "MATCH (a:AccessToken {namespaces: ['full']}) RETURN count(a)")
    assert found in (4, 5)  # four acknowledged; nobody knows of the fifth
    assert engine.status().pid not in (None, before.pid)
