"""The jar cache, against a small repository on the loopback interface."""

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import Mock

import pytest
import requests

from legacymind.engine import jars
from legacymind.engine.jars import EngineLock, Jar, JarCache, read_lock
from legacymind.errors import DownloadFailed
from legacymind.maven import network_failure

CONTENTS = {"one": b"1" * 10_000, "two": b"2" * 20_000, "three": b"3" * 300}


class Repository(ThreadingHTTPServer):
    """Serves a folder and records the requested paths."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))

    @property
    def repositories(self) -> dict[str, str]:
        return {"here": f"http://127.0.0.1:{self.server_port}"}

    def place(self, artifact: str) -> Path:
        return self.folder / "org" / "example" / artifact / "1.0" / f"{artifact}-1.0.jar"


class Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Repository)
        self.server.asked.append(self.path)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def lock() -> EngineLock:
    made = [
        Jar("org.example", name, "1.0", "", hashlib.sha256(content).hexdigest(), len(content), "classpath")
        for name, content in CONTENTS.items()
    ]
    return EngineLock("1", "2", "3", "digest", tuple(made))


@pytest.fixture
def repository(tmp_path: Path) -> Generator[Repository]:
    server = Repository(tmp_path / "repository")
    for artifact, content in CONTENTS.items():
        server.place(artifact).parent.mkdir(parents=True)
        server.place(artifact).write_bytes(content)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def cache(
    tmp_path: Path, lock: EngineLock, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> JarCache:
    monkeypatch.setattr("pooch.core.time.sleep", Mock())  # between attempts
    return JarCache(tmp_path / "a cache", lock, repositories=repository.repositories)


def fetch(cache: JarCache, progress: Mock | None = None) -> None:
    cache.fetch(progress or Mock(), threading.Event())


def test_every_jar_is_downloaded_once_with_progress_and_without_output(
    cache: JarCache, repository: Repository, capfd: pytest.CaptureFixture[str]
) -> None:
    assert not cache.complete
    progress = Mock()
    fetch(cache, progress)
    assert cache.complete
    assert progress.call_args_list[0].args == ("Downloading Neo4j", 0, 30_300)
    assert progress.call_args_list[-1].args == ("Downloading Neo4j", 30_300, 30_300)
    assert len(repository.asked) == 3
    fetch(cache)
    assert cache.damaged() == []
    assert len(repository.asked) == 3
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_users_who_share_a_cache_can_read_its_jars(cache: JarCache, tmp_path: Path, lock: EngineLock) -> None:
    fetch(cache)
    (tmp_path / "plain").touch()
    assert cache.path(lock.jars[0]).stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("arrives", [b"2" * 19_999, b"x" * 20_000, b""], ids=["short", "changed", "empty"])
def test_a_damaged_download_is_repeated_then_an_error_and_never_kept(
    cache: JarCache, repository: Repository, lock: EngineLock, arrives: bytes
) -> None:
    repository.place("two").write_bytes(arrives)
    with pytest.raises(DownloadFailed, match=r"two-1\.0\.jar arrived damaged 3 times"):
        fetch(cache)
    assert sum(path.endswith("two-1.0.jar") for path in repository.asked) == 3
    assert not cache.complete
    assert not cache.path(lock.jars[1]).exists()
    assert list(cache.folder.glob("tmp*")) == []


def test_a_download_continues_where_it_ended(
    cache: JarCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars, "_PARALLEL", 1)  # one after another: the first failure cancels the rest
    repository.place("three").rename(repository.folder / "away")  # the smallest, so the last
    with pytest.raises(DownloadFailed, match=r"three-1\.0\.jar could not be downloaded[\s\S]*are kept"):
        fetch(cache)
    (repository.folder / "away").rename(repository.place("three"))
    repository.asked.clear()
    fetch(cache)
    assert [path.rsplit("/")[-1] for path in repository.asked] == ["three-1.0.jar"]
    assert cache.complete


def test_a_cached_jar_that_was_changed_is_fetched_again(
    cache: JarCache, repository: Repository, lock: EngineLock
) -> None:
    fetch(cache)
    cache.path(lock.jars[0]).write_bytes(b"x" * 10_000)
    assert not cache.complete
    fetch(cache)
    assert cache.path(lock.jars[0]).read_bytes() == CONTENTS["one"]
    assert len(repository.asked) == 4


def test_damage_that_keeps_size_and_time_is_found_by_hashing(cache: JarCache, lock: EngineLock) -> None:
    fetch(cache)
    path = cache.path(lock.jars[0])
    before = path.stat()
    path.write_bytes(b"x" * 10_000)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.complete
    assert cache.damaged() == [lock.jars[0]]
    assert not cache.complete
    fetch(cache)
    assert cache.damaged() == []


def test_jars_without_stamps_are_hashed_and_not_downloaded(cache: JarCache, repository: Repository) -> None:
    fetch(cache)
    (cache.folder / "stamps.json").write_text("not json", encoding="utf-8")
    (cache.folder / "tmp1234").write_bytes(b"of a killed process")
    assert not cache.complete
    fetch(cache)
    assert cache.complete
    assert len(repository.asked) == 3
    left = {path.name for path in cache.folder.iterdir() if path.suffix != ".jar"}
    assert left == {".lock", "stamps.json"}


def test_no_network_is_explained(tmp_path: Path, lock: EngineLock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pooch.core.time.sleep", Mock())
    cache = JarCache(tmp_path, lock, repositories={"nowhere": "http://127.0.0.1:1"})
    with pytest.raises(DownloadFailed, match=r"could not be downloaded[\s\S]*Check the network") as raised:
        fetch(cache)
    assert "(the server cannot be reached" in raised.value.what


def test_a_cancelled_download_asks_for_nothing(cache: JarCache, repository: Repository) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(DownloadFailed, match="cancelled"):
        cache.fetch(Mock(), stop)
    assert repository.asked == []


def test_a_cache_that_cannot_be_written_is_explained(tmp_path: Path, lock: EngineLock) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DownloadFailed, match="LEGACYMIND_CACHE"):
        fetch(JarCache(tmp_path / "file", lock))


def test_too_little_disk_is_an_error_before_anything_is_downloaded(
    cache: JarCache, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars.shutil, "disk_usage", Mock(return_value=Mock(free=1000)))
    with pytest.raises(DownloadFailed, match="Free some space"):
        fetch(cache)
    assert repository.asked == []


def test_the_fingerprint_changes_with_the_time_of_any_jar(cache: JarCache, lock: EngineLock) -> None:
    fetch(cache)
    before = cache.fingerprint()
    assert before == cache.fingerprint()
    os.utime(cache.path(lock.jars[2]))
    assert before != cache.fingerprint()


def test_a_jar_of_another_lock_with_the_same_name_is_not_used(
    cache: JarCache, tmp_path: Path, lock: EngineLock, repository: Repository
) -> None:
    fetch(cache)
    other = replace(lock, jars=(replace(lock.jars[0], sha256="0" * 64),))
    assert not JarCache(tmp_path / "a cache", other, repositories=repository.repositories).complete


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
    program = "import sys, legacymind.engine\nprint(*{'requests', 'jgo', 'pooch'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


@pytest.mark.parametrize("status", [403, 500])
def test_a_refusal_of_a_repository_is_named_by_its_status(status: int) -> None:
    response = requests.Response()
    response.status_code, response.reason = status, "Refused"
    assert network_failure(requests.HTTPError(response=response)) == f"the server answered {status} Refused"


def test_no_reason_of_a_failed_download_names_objects_of_python() -> None:
    kinds = [requests.ConnectionError, requests.Timeout, requests.exceptions.SSLError]
    kinds += [requests.exceptions.ProxyError, requests.exceptions.ChunkedEncodingError]
    said = {network_failure(kind("HTTPSConnectionPool(host='x'): Max retries exceeded")) for kind in kinds}
    assert len(said) == 4
    assert not any("Pool" in one for one in said)
