"""First starts that are interrupted, and homes whose transaction logs are gone, on real servers."""

import asyncio
import shutil
import socket
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from legacymind.engine import Engine, config
from legacymind.engine.home import Home
from legacymind.errors import EngineError
from tests.engine.servers import MakeSettings, Started, port_of, query


async def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


def _half_made(home: Home) -> bool:
    """Neo4j makes its first database, and has not come to its log."""
    return (home.data / "databases" / "system" / "neostore").exists()


def _pid(engine: Engine) -> int:
    pid = engine.status().pid
    assert pid is not None
    return pid


@pytest.fixture
def engine(tmp_path: Path, make_settings: MakeSettings) -> Generator[Engine]:
    """The engine of a new home, stopped at the end whatever came between."""
    made = Engine(make_settings(tmp_path))
    yield made
    asyncio.run(made.down())


@pytest.mark.anyio
async def test_a_port_lost_during_the_first_start_costs_nothing_but_the_port(
    tmp_path: Path, engine: Engine
) -> None:
    home = Home(tmp_path)
    starting = asyncio.create_task(engine.up())
    await _until(lambda: _half_made(home) or starting.done())
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        lost = home.record().bolt_port
        other.bind((config.LOOPBACK, lost))
        other.listen()
        status = await starting
        assert status.running
        assert port_of(status.uri) != lost
        assert await query(engine, "RETURN 1") == [1]


@pytest.mark.anyio
async def test_a_first_start_that_was_cancelled_killed_or_given_up_is_made_again(
    tmp_path: Path, make_settings: MakeSettings, engine: Engine
) -> None:
    home = Home(tmp_path)
    starting = asyncio.create_task(engine.up())
    await _until(lambda: _half_made(home))
    cancelled = psutil.Process(_pid(engine))
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await asyncio.to_thread(cancelled.wait, 30)
    password = engine.password()
    assert _half_made(home)

    starting = asyncio.create_task(engine.up())
    await _until(lambda: engine.status().pid is not None and _half_made(home))
    psutil.Process(_pid(engine)).kill()
    with pytest.raises(EngineError, match="did not start"):
        await starting

    with pytest.raises(EngineError, match="Call legacymind up again"):
        await Engine(replace(make_settings(tmp_path), start_timeout=0.1)).up()
    await _until(lambda: engine.status().running)
    assert home.unanswered
    assert (await engine.up()).running
    assert not home.unanswered
    assert await query(engine, "RETURN 1") == [1]
    assert engine.password() == password


@pytest.mark.anyio
@pytest.mark.parametrize("database", ["system", "neo4j"])
async def test_a_home_without_its_transaction_logs_says_so_at_once_and_is_left_as_it_is(
    server: Started, tmp_path: Path, make_settings: MakeSettings, engine: Engine, database: str
) -> None:
    home = Home(tmp_path)
    home.make()
    shutil.copytree(Path(server.engine.status().home) / "data", home.data, dirs_exist_ok=True)
    home.password_file.write_text(server.engine.password(), encoding="utf-8")
    shutil.rmtree(home.data / "transactions" / database)
    # Left to itself, the first goes on in vain; the second finds it.
    with pytest.raises(EngineError, match="Call legacymind up again"):
        await Engine(replace(make_settings(tmp_path), start_timeout=0.1)).up()
    left = _pid(engine)
    telling = rf"\[{database}/\w+\] Transaction logs are missing[\s\S]*backup"
    for _ in range(2):
        with pytest.raises(EngineError, match=telling):  # a time-out would say something else
            await engine.up()
        assert engine.status().pid is None
    assert not psutil.pid_exists(left)
    for name in ("system", "neo4j"):
        assert (home.data / "databases" / name / "neostore").exists()
