"""The jar cache: what the lock file names, fetched once, checked, shared between homes."""

import contextlib
import hashlib
import json
import logging
import os
import shutil
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import requests
from filelock import FileLock, Timeout

from legacymind.engine.download import Downloader, Stopped
from legacymind.engine.lock import EngineLock, Jar
from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress

_log = logging.getLogger(__name__)

_PARALLEL = 8
_TRIES = 3
_SPARE = 64 * 1024 * 1024  # bytes of disk to leave beside the jars


class _Damaged(Exception):
    """What arrived is not what the lock file names."""


class _Stamp(NamedTuple):
    """What a jar looked like when its SHA-256 was last computed."""

    sha256: str
    size: int
    mtime_ns: int


class JarCache:
    """The folder ``<cache>/jars`` and the lock file it must match.

    A file under its final name is whole: jars arrive elsewhere and are renamed. ``stamps.json``
    keeps size and modification time of every checked jar, so that the everyday question
    "is everything here?" reads no jar; a jar that looks different is hashed again.
    """

    def __init__(self, cache: Path, lock: EngineLock, *, repositories: dict[str, str] | None = None) -> None:
        self.folder = cache / "jars"
        self._lock = lock
        self._repositories = repositories
        self._stamps_file = self.folder / "stamps.json"

    def path(self, jar: Jar) -> Path:
        """Where ``jar`` is, or would be."""
        return self.folder / jar.file_name

    def class_path(self) -> str:
        """Java's class path of all jars; Java's AOT cache wants the very same paths at each start."""
        return os.pathsep.join(str(self.path(jar)) for jar in self._lock.jars)

    @property
    def complete(self) -> bool:
        """Whether every jar is there and looks as it did when it was checked."""
        stamps = self._read_stamps()
        return all(self._looks_right(jar, stamps) for jar in self._lock.jars)

    def fingerprint(self) -> str:
        """Changes whenever any jar does, even to the same content: Java's AOT cache compares
        modification times."""
        seen = hashlib.sha256(self._lock.digest.encode())
        for jar in self._lock.jars:
            stat = self.path(jar).stat()
            seen.update(f"{jar.file_name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        return seen.hexdigest()

    def damaged(self) -> list[Jar]:
        """Hash every jar; the missing and the wrong ones are no longer taken as present."""
        stamps: dict[str, _Stamp] = {}
        with ThreadPoolExecutor(_PARALLEL) as pool:
            checked = list(pool.map(self._check, self._lock.jars))
        for jar, stamp in zip(self._lock.jars, checked, strict=True):
            if stamp is not None:
                stamps[jar.file_name] = stamp
        if self.folder.is_dir():
            self._write_stamps(stamps)
        return [jar for jar in self._lock.jars if jar.file_name not in stamps]

    def fetch(self, progress: Progress, stop: threading.Event) -> None:
        """Fetch what is missing or damaged, until ``stop`` is set.

        ``progress`` counts bytes and is called from this thread. Raises DownloadFailed; what
        arrived whole until then is kept.
        """
        if self.complete:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Another process may be fetching the same; then there is nothing left to do.
            with FileLock(self.folder / ".lock").acquire(cancel_check=stop.is_set):
                self._fetch_missing(progress, stop)
        except Timeout:
            raise DownloadFailed("The download was stopped.", hint="Start it again.") from None
        except OSError as reason:
            raise DownloadFailed(
                f"The engine's parts cannot be written to {self.folder}: {reason}.",
                hint="Free some space or make the folder writable, or set LEGACYMIND_CACHE to another one.",
            ) from reason

    def _fetch_missing(self, progress: Progress, stop: threading.Event) -> None:
        stamps = self._read_stamps()
        missing: list[Jar] = []
        for jar in self._lock.jars:
            if self._looks_right(jar, stamps):
                continue
            stamp = self._check(jar)
            if stamp is None:
                missing.append(jar)
            else:
                stamps[jar.file_name] = stamp
        total = self._lock.size
        done = total - sum(jar.size for jar in missing)
        self._make_room(total - done)
        progress("Downloading Neo4j", done, total)
        failures: list[tuple[Jar, BaseException]] = []

        def stopped() -> bool:
            return stop.is_set() or bool(failures)

        with (
            tempfile.TemporaryDirectory(prefix=".arriving-", dir=self.folder) as arriving,
            contextlib.closing(Downloader(_PARALLEL, stopped, self._repositories)) as downloader,
            ThreadPoolExecutor(_PARALLEL) as pool,
        ):
            # The largest first, so that none is left to arrive alone.
            queue = sorted(missing, key=lambda jar: -jar.size)
            running = {pool.submit(self._fetch_one, jar, downloader, Path(arriving)): jar for jar in queue}
            for future in as_completed(running):
                jar = running[future]
                reason = future.exception()
                if reason is None:
                    stamps[jar.file_name] = future.result()
                    done += jar.size
                    progress("Downloading Neo4j", done, total)
                else:
                    failures.append((jar, reason))
        self._write_stamps(stamps)
        if failures:
            raise self._explain(*failures[0], done, total) from failures[0][1]

    def _make_room(self, needed: int) -> None:
        for left in self.folder.glob(".arriving-*"):  # of a process that was killed
            shutil.rmtree(left, ignore_errors=True)
        free = shutil.disk_usage(self.folder).free
        if needed and free < needed + _SPARE:
            raise DownloadFailed(
                f"{self.folder} has {free >> 20} MiB left; the engine needs {needed >> 20} MiB.",
                hint="Free some space, or set LEGACYMIND_CACHE to a folder on another disk.",
            )

    def _fetch_one(self, jar: Jar, downloader: Downloader, arriving: Path) -> _Stamp:
        for attempt in range(1, _TRIES + 1):
            try:
                arrived = downloader.fetch(jar, Path(tempfile.mkdtemp(dir=arriving)))
                if _sha256(arrived) != jar.sha256:
                    raise _Damaged(f"{arrived.stat().st_size} of {jar.size} bytes")
                arrived.replace(self.path(jar))
            except (requests.RequestException, RuntimeError, _Damaged) as reason:
                _log.info("Fetching %s, try %d: %s", jar.file_name, attempt, reason)
                if attempt == _TRIES:
                    raise
                time.sleep(attempt)
                continue
            return _stamp(self.path(jar), jar.sha256)
        raise AssertionError("unreachable")

    def _explain(self, jar: Jar, reason: BaseException, done: int, total: int) -> DownloadFailed:
        do = "Check the network (HTTPS_PROXY and REQUESTS_CA_BUNDLE are honoured) and try again."
        if isinstance(reason, Stopped):
            why, do = "the download was stopped", "Start it again; it goes on where it ended."
        elif isinstance(reason, _Damaged):
            why = f"{jar.file_name} arrived damaged {_TRIES} times ({reason})"
            do = "Something on the way changes downloads (a proxy?); try another network."
        elif isinstance(reason, OSError) and not isinstance(reason, requests.RequestException):
            why = f"{jar.file_name} cannot be written to {self.folder} ({reason})"
            do = "Free some space or make the folder writable, or set LEGACYMIND_CACHE to another one."
        else:
            why = f"{jar.file_name} could not be fetched ({str(reason)[:300]})"
        return DownloadFailed(
            f"The engine is not complete: {why}.",
            effect=f"{done >> 20} of {total >> 20} MiB are kept; stored data is untouched.",
            hint=do,
        )

    def _looks_right(self, jar: Jar, stamps: dict[str, _Stamp]) -> bool:
        known = stamps.get(jar.file_name)
        if known is None or known.sha256 != jar.sha256:
            return False
        try:
            stat = self.path(jar).stat()
        except OSError:
            return False
        return (known.size, known.mtime_ns) == (stat.st_size, stat.st_mtime_ns)

    def _check(self, jar: Jar) -> _Stamp | None:
        path = self.path(jar)
        try:
            if path.stat().st_size == jar.size and _sha256(path) == jar.sha256:
                return _stamp(path, jar.sha256)
        except OSError:
            pass
        return None

    def _read_stamps(self) -> dict[str, _Stamp]:
        try:
            data = json.loads(self._stamps_file.read_bytes())
            return {name: _Stamp(*stamp) for name, stamp in data.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}  # then every jar is hashed once more

    def _write_stamps(self, stamps: dict[str, _Stamp]) -> None:
        arriving = self._stamps_file.with_name(f".stamps-{os.getpid()}.json")
        with contextlib.suppress(OSError):  # it only saves time
            arriving.write_text(json.dumps(stamps), encoding="utf-8")
            arriving.replace(self._stamps_file)


def _stamp(path: Path, sha256: str) -> _Stamp:
    stat = path.stat()
    return _Stamp(sha256, stat.st_size, stat.st_mtime_ns)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
