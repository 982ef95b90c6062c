"""The jar cache, against a small repository on the loopback interface."""

import os
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from legacymind.engine import jars
from legacymind.engine.jars import EngineLock, Jar, JarCache, read_lock
from legacymind.errors import DownloadFailed
from legacymind.model.progress import no_progress
from tests.maven import Repository, published

pytestmark = pytest.mark.anyio

CONTENTS = {"one": b"1" * 10_000, "two": b"2" * 20_000, "three": b"3" * 300}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Repository]:
    with published(tmp_path / "repository", monkeypatch) as server:
        yield server


@pytest.fixture
def lock(repository: Repository) -> EngineLock:
    made = [
        Jar("org.example", name, "1.0", "", "", len(text), "classpath") for name, text in CONTENTS.items()
    ]
    pinned = [replace(jar, sha256=repository.put(jar, CONTENTS[jar.artifact])) for jar in made]
    return EngineLock("1", "2", "3", "digest", tuple(pinned))


@pytest.fixture
def cache(tmp_path: Path, lock: EngineLock) -> JarCache:
    return JarCache(tmp_path / "a cache", lock)


async def test_every_jar_is_downloaded_once_with_progress(cache: JarCache, repository: Repository) -> None:
    assert not cache.complete
    progress = Mock()
    await cache.fetch(progress)
    assert cache.complete
    assert progress.call_args_list[0].args == ("Downloading Neo4j", 0, 30_300)
    assert progress.call_args_list[-1].args == ("Downloading Neo4j", 30_300, 30_300)
    await cache.fetch(no_progress)
    assert cache.damaged() == []
    assert len(repository.asked) == 3


async def test_a_download_continues_where_it_ended(
    cache: JarCache, repository: Repository, lock: EngineLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.downloads._PARALLEL", 1)
    last = lock.jars[2]  # the smallest
    repository.file(last).rename(repository.folder / "away")
    with pytest.raises(DownloadFailed, match=r"three-1\.0\.jar could not be downloaded[\s\S]*is kept"):
        await cache.fetch(no_progress)
    (repository.folder / "away").rename(repository.file(last))
    repository.asked.clear()
    await cache.fetch(no_progress)
    assert [path.rsplit("/")[-1] for path in repository.asked] == ["three-1.0.jar"]
    assert cache.complete


async def test_damage_is_found_by_hashing_and_mended(
    cache: JarCache, repository: Repository, lock: EngineLock
) -> None:
    await cache.fetch(no_progress)
    path = cache.path(lock.jars[0])
    path.write_bytes(b"x" * 10_000)
    assert cache.complete
    assert cache.damaged() == [lock.jars[0]]
    await cache.fetch(no_progress, verify=True)
    assert cache.damaged() == []
    path.write_bytes(b"x")
    assert not cache.complete
    await cache.fetch(no_progress)
    assert path.read_bytes() == CONTENTS["one"]
    assert len(repository.asked) == 5


async def test_too_little_disk_is_an_error_before_anything_is_downloaded(
    cache: JarCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars.shutil, "disk_usage", Mock(return_value=Mock(free=1000)))
    with pytest.raises(DownloadFailed, match="Free some space"):
        await cache.fetch(no_progress)
    assert repository.asked == []


async def test_the_fingerprint_changes_with_the_time_of_any_jar(cache: JarCache, lock: EngineLock) -> None:
    await cache.fetch(no_progress)
    before = cache.fingerprint()
    assert before == cache.fingerprint()
    os.utime(cache.path(lock.jars[2]))
    assert before != cache.fingerprint()


def test_the_lock_file_contains_the_whole_engine() -> None:
    lock = read_lock()
    assert len({jar.file_name for jar in lock.jars}) == len(lock.jars)
    roots = {(jar.artifact, jar.version, jar.role) for jar in lock.jars}
    assert ("neo4j", lock.neo4j, "classpath") in roots
    assert ("neo4j-server", lock.neo4j, "classpath") in roots
    assert ("neo4j-browser", lock.browser, "classpath") in roots
    assert ("proc", lock.gds, "plugin") in roots
    assert ("opengds-extension", lock.gds, "plugin") in roots
    # Plugins come first on the class path and contain no jar of the server.
    assert list(lock.jars[: len(lock.plugins)]) == list(lock.plugins)
    ours = {(jar.group, jar.artifact) for jar in lock.plugins}
    assert ours.isdisjoint({(jar.group, jar.artifact) for jar in lock.jars if jar.role == "classpath"})
    assert all(len(jar.sha256) == 64 and jar.size > 0 for jar in lock.jars)


def test_a_filled_cache_imports_nothing_for_downloads() -> None:
    program = "import sys, legacymind.engine\nprint(*{'requests', 'jgo', 'httpx2'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
