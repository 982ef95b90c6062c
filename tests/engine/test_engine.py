"""The engine against a real server that the tests share."""

import asyncio
import http.client
import os
import socket
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psutil
import pytest
from neo4j import AsyncGraphDatabase

from legacymind.engine import Engine, config
from legacymind.engine.home import EngineRecord, Home
from legacymind.engine.jars import JarCache, read_lock
from legacymind.errors import EngineError, EngineNotRunning, PortTaken
from tests.engine.servers import MakeSettings, Started, guess_passwords, port_of, query

pytestmark = [pytest.mark.engine, pytest.mark.limit(600)]


def test_two_processes_starting_one_home_at_once_share_one_server_that_outlives_them(server: Started) -> None:
    assert server.pids[0] == server.pids[1] == server.engine.status().pid
    assert psutil.pid_exists(server.pids[0])


@pytest.mark.anyio
async def test_status_has_the_addresses_and_versions_of_the_server(server: Started) -> None:
    status = server.engine.status()
    assert status.running
    assert (status.version, status.gds) == (read_lock().neo4j, read_lock().gds)
    versions = "CALL dbms.components() YIELD versions RETURN versions[0]"
    assert status.version in await query(server.engine, versions)
    assert await query(server.engine, "RETURN gds.version()") == [status.gds]


@pytest.mark.anyio
async def test_a_statement_has_one_plan_for_lists_of_any_length(server: Started) -> None:
    rows: set[float] = set()
    status = server.engine.status()
    credentials = (status.username, server.engine.password())
    async with AsyncGraphDatabase.driver(status.uri, auth=credentials) as driver:  # pyright: ignore[reportUnknownMemberType]
        for length in (1, 10, 1000):
            ran = await driver.execute_query("EXPLAIN UNWIND $list AS one RETURN one", list=["x"] * length)
            summary: Any = ran.summary
            rows.add(summary.plan["args"]["EstimatedRows"])
    assert len(rows) == 1  # a plan made for the length expects as many rows


@pytest.mark.anyio
async def test_a_second_up_changes_nothing_and_looks_at_no_jar(
    server: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars = Mock(side_effect=AssertionError)
    monkeypatch.setattr(JarCache, "complete", property(jars))
    monkeypatch.setattr(JarCache, "fetch", jars)
    before = server.engine.status()
    progress = Mock()
    assert await server.engine.up(progress) == await server.engine.ensure() == before
    progress.assert_not_called()


def test_browser_is_served_with_the_bolt_address(server: Started) -> None:
    status = server.engine.status()
    connection = http.client.HTTPConnection(config.LOOPBACK, port_of(status.browser_url), timeout=10)
    connection.request("GET", "/", headers={"Accept": "application/json"})
    assert str(port_of(status.uri)) in connection.getresponse().read().decode()
    connection.request("GET", "/browser/")
    assert "Neo4j Browser" in connection.getresponse().read().decode()
    connection.close()


def test_the_server_listens_on_and_talks_to_the_loopback_interface_only(server: Started) -> None:
    connections = psutil.Process(server.pids[0]).net_connections("inet")
    listening = {c.laddr for c in connections if c.status == psutil.CONN_LISTEN}
    assert len(listening) == 2
    for connection in connections:
        for address in (connection.laddr, connection.raddr):
            assert not address or address.ip.removeprefix("::ffff:") == "127.0.0.1", connection


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_password_and_data_are_readable_by_their_owner_only(server: Started) -> None:
    status = server.engine.status()
    assert stat.S_IMODE(Path(status.password_file).stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(status.home).stat().st_mode) == 0o700
    home = Home(Path(status.home))
    written = [path for folder in (home.data, home.logs, home.run) for path in folder.rglob("*")]
    assert written
    assert [path for path in written if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_the_password_is_in_no_process_list_and_no_file_but_its_own(server: Started) -> None:
    password = server.engine.password()
    assert any("java" in line for line in server.command_lines)
    assert not any(password in line for line in server.command_lines)
    status = server.engine.status()
    for path in Path(status.home).rglob("*"):
        if path.is_file() and not path.is_symlink() and str(path) != status.password_file:
            assert password.encode() not in path.read_bytes(), path


@pytest.mark.anyio
async def test_wrong_passwords_of_other_programs_lock_nobody_out(server: Started) -> None:
    codes = await guess_passwords(server.engine.status().uri)
    assert codes == ["Neo.ClientError.Security.Unauthorized"] * 5
    assert await query(server.engine, "RETURN 1") == [1]


def test_logs_contain_the_output_of_the_server(server: Started) -> None:
    assert "Bolt enabled" in server.engine.logs()
    assert len(server.engine.logs(3).splitlines()) == 3


@pytest.mark.anyio
async def test_the_engine_is_found_after_the_clock_was_set(server: Started) -> None:
    """The system reckons the start time of a process from its clock."""
    home, pid = server.engine.home, server.engine.status().pid
    record = home.record()
    for seconds in (-3600, 3600):
        home.save_record(replace(record, created=record.created + seconds))
        assert (server.engine.status().running, server.engine.status().pid) == (True, pid)
        assert (await server.engine.up()).pid == pid
    home.save_record(record)


@pytest.mark.anyio
async def test_data_and_ports_survive_kill_9_of_the_server(server: Started) -> None:
    engine, before = server.engine, server.engine.status()
    await query(engine, "CREATE (:Kept {word: 'kept'})")
    assert before.pid is not None
    psutil.Process(before.pid).kill()
    psutil.Process(before.pid).wait(10)
    dead = engine.status()
    assert (dead.running, dead.pid, dead.uri) == (False, None, before.uri)
    after = await engine.up()
    assert after.running
    assert (after.uri, after.browser_url) == (before.uri, before.browser_url)
    assert after.pid != before.pid
    assert await query(engine, "MATCH (k:Kept) RETURN k.word") == ["kept"]


@pytest.mark.anyio
async def test_a_configured_port_in_use_is_explained_with_its_program(
    tmp_path: Path, make_settings: MakeSettings
) -> None:
    with socket.socket() as taken:
        taken.bind((config.LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        for change in ({"bolt_port": port}, {"http_port": port}):
            with pytest.raises(PortTaken, match=rf"port {port} is in use by .+ \(pid {os.getpid()}\)"):
                await Engine(make_settings(tmp_path).changed(**change)).up()


@pytest.mark.anyio
async def test_a_recycled_pid_is_not_taken_for_the_engine(
    tmp_path: Path, make_settings: MakeSettings, foreign_process: psutil.Process
) -> None:
    home = Home(tmp_path)
    home.make()
    home.save_record(
        EngineRecord(bolt_port=1, http_port=2, pid=foreign_process.pid, created=foreign_process.create_time())
    )
    (home.run / "neo4j.pid").write_text(f"{foreign_process.pid}\n", encoding="ascii")
    engine = Engine(make_settings(tmp_path))
    assert engine.status().pid is None
    assert not await engine.down()
    assert foreign_process.is_running()


@pytest.mark.anyio
async def test_a_start_that_fails_shows_the_error_of_java(
    tmp_path: Path, make_settings: MakeSettings
) -> None:
    engine = Engine(make_settings(tmp_path).changed(heap_mb=1))
    with pytest.raises(EngineError, match=r"Too small maximum heap[\s\S]*LEGACYMIND_HEAP_MB"):
        await engine.up()
    assert not engine.status().running


def test_an_engine_that_was_never_downloaded_starts_only_with_permission_to_download(
    tmp_path: Path, make_settings: MakeSettings
) -> None:
    engine = Engine(make_settings(tmp_path / "none").changed(cache=str(tmp_path / "cache")))
    with pytest.raises(EngineNotRunning, match="legacymind up"):
        asyncio.run(engine.ensure())
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_never_ran_has_no_password(tmp_path: Path, make_settings: MakeSettings) -> None:
    engine = Engine(make_settings(tmp_path / "none"))
    with pytest.raises(EngineNotRunning, match="legacymind up"):
        engine.password()
    assert not engine.status().running
    assert engine.logs() == ""
    assert not (tmp_path / "none").exists()
