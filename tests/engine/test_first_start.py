"""Interrupted first starts, and homes without their transaction logs, on real servers.

Each step starts Java, so one test has all failures of a home in sequence.
"""

import asyncio
import shutil
import socket
import time
from collections.abc import Callable, Generator
from itertools import chain, repeat
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from legacymind.engine import Engine, config
from legacymind.engine.aot import AotCache
from legacymind.engine.home import Home
from legacymind.errors import EngineError, EngineNotRunning
from legacymind.settings import Settings
from tests import engines
from tests.engine.servers import MakeSettings, port_of, query

pytestmark = [pytest.mark.engine, pytest.mark.limit(600)]


async def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


def _half_made(home: Home, former: int = 0) -> bool:
    """Whether the server after the process ``former`` has written files of its first database."""
    server, store = home.record(), home.data / "databases" / "system" / "neostore"
    return server.pid not in (0, former) and store.exists() and store.stat().st_mtime >= server.created - 1


def _pid(engine: Engine) -> int:
    pid = engine.status().pid
    assert pid is not None
    return pid


@pytest.fixture
def other(engine_settings: Settings) -> Engine:
    """A running engine of another home: the run's."""
    return Engine(engine_settings)


@pytest.fixture
def engine(tmp_path: Path, make_settings: MakeSettings) -> Generator[Engine]:
    """The engine of a new home, always stopped at the end."""
    made = Engine(make_settings(tmp_path / "home"))
    with engines.brief():
        yield made
    engines.discard(made)


@pytest.mark.anyio
async def test_a_first_start_that_is_cancelled_killed_or_loses_its_port_is_repeated(
    other: Engine,
    tmp_path: Path,
    engine: Engine,
    make_settings: MakeSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AotCache, "usable", Mock(return_value=None))  # a start without it is attempted once
    home = Home(tmp_path / "home")
    starting = asyncio.create_task(engine.up())
    await _until(lambda: _half_made(home))
    cancelled = psutil.Process(home.record().pid)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await asyncio.to_thread(cancelled.wait, 30)  # no process is left
    password = engine.password()

    starting = asyncio.create_task(engine.up())
    await _until(lambda: _half_made(home, cancelled.pid))
    psutil.Process(home.record().pid).kill()
    with pytest.raises(EngineError, match="did not start"):
        await starting

    # Java's cache is damaged, and another program takes the port between choosing and binding.
    damaged = tmp_path / "damaged.aot"
    damaged.write_bytes(b"no cache" * 1000)
    caches = chain([damaged], repeat(None))  # a start may lose its port twice
    monkeypatch.setattr(AotCache, "usable", Mock(side_effect=caches))
    killed = home.record().pid
    starting = asyncio.create_task(engine.up())
    await _until(lambda: _half_made(home, killed))
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        lost = home.record().bolt_port
        taken.bind((config.LOOPBACK, lost))
        taken.listen()
        status = await starting
        assert status.running
        assert port_of(status.uri) != lost
        assert await query(engine, "RETURN 1") == [1]
    assert engine.password() == password
    assert not home.unanswered

    other_status = other.status()
    assert {status.uri, status.browser_url}.isdisjoint({other_status.uri, other_status.browser_url})
    assert password != other.password()
    await query(other, "CREATE (:InTheOtherHome)")
    assert await query(engine, "MATCH (n:InTheOtherHome) RETURN n") == []

    # As after a caller abandoned the first start: the next one waits for that server.
    home.unanswered_file.touch()
    assert await engine.up() == status
    assert not home.unanswered

    # So does a call that needs the database, and tells for what it waits.
    home.unanswered_file.touch()
    stages: list[str] = []
    waiting = Engine(make_settings(tmp_path / "home"), lambda stage, done, total: stages.append(stage))
    assert await waiting.ensure() == status
    assert stages[-1] == "Starting Neo4j"

    assert await engine.down()
    assert not await engine.down()
    assert not engine.status().running
    assert other.status().running
    with pytest.raises(EngineNotRunning, match="stopped with `legacymind down`"):
        await engine.ensure()  # as a call that needs the database


@pytest.mark.anyio
@pytest.mark.parametrize("database", ["system", "neo4j"])
async def test_a_home_without_its_transaction_logs_fails_at_once_and_is_unchanged(
    other: Engine,
    tmp_path: Path,
    make_settings: MakeSettings,
    engine: Engine,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = Home(tmp_path / "home")
    home.make()
    # Neo4j misses the logs before it reads what another process may be writing.
    source = Path(other.status().home) / "data"
    changing = shutil.ignore_patterns("schema", "id-buffer.*", "transactions")
    shutil.copytree(source, home.data, ignore=changing, dirs_exist_ok=True)
    if database != "system":
        shutil.copytree(source / "transactions" / "system", home.data / "transactions" / "system")
    home.password_file.write_text(other.password(), encoding="utf-8")
    left = 0
    if database == "system":
        # A caller abandons a server that cannot start; the next one finds that server.
        with monkeypatch.context() as patched:
            patched.setattr("legacymind.engine.engine.START_TIMEOUT", 0.1)
            with pytest.raises(EngineError, match="Run legacymind up again"):
                await Engine(make_settings(home.folder)).up()
        left = _pid(engine)
    with pytest.raises(EngineError, match=rf"\[{database}/\w+\] Transaction logs are missing[\s\S]*backup"):
        await engine.up()  # a timeout would have another message
    assert engine.status().pid is None
    assert not left or not psutil.pid_exists(left)
    for name in ("system", "neo4j"):
        assert (home.data / "databases" / name / "neostore").exists()
    shutil.rmtree(home.data)  # as large as the run's data
