"""The engine's jars: the lock file, and the cache where they are downloaded once, verified and shared.

``scripts/lock_engine.py`` writes the lock file: Maven coordinates and SHA-256 of each jar.
"""

import contextlib
import hashlib
import json
import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from filelock import FileLock, Timeout

from legacymind.errors import DownloadFailed
from legacymind.maven import TRIES, Artifact, Cancelled, Downloader, has_sha256, network_failure
from legacymind.model.progress import Progress

LOCK_FILE = Path(__file__).with_name("engine.lock.json")

_PARALLEL = 8
_SPARE = 64 * 1024 * 1024  # bytes of disk to leave free

_LEFTOVERS = "tmp*"  # pooch's temporary files, left by killed processes


@dataclass(frozen=True, slots=True)
class Jar(Artifact):
    """One jar; a ``plugin`` must also be in the home's ``plugins/``. ``size`` is in bytes.

    File names are unique within the lock file.
    """

    size: int
    role: Literal["plugin", "classpath"]


@dataclass(frozen=True, slots=True)
class EngineLock:
    """The engine's versions and jars; ``jars`` are in the order of the class path."""

    neo4j: str
    gds: str
    browser: str
    digest: str
    jars: tuple[Jar, ...]

    @property
    def plugins(self) -> tuple[Jar, ...]:
        """The jars of Graph Data Science."""
        return tuple(jar for jar in self.jars if jar.role == "plugin")

    @property
    def size(self) -> int:
        """The size of all jars, in bytes."""
        return sum(jar.size for jar in self.jars)


@cache
def read_lock() -> EngineLock:
    """Return the lock file of this LegacyMind."""
    content = LOCK_FILE.read_bytes()
    data = json.loads(content)
    return EngineLock(
        neo4j=data["neo4j"],
        gds=data["gds"],
        browser=data["browser"],
        digest=hashlib.sha256(content).hexdigest(),
        jars=tuple(Jar(**entry) for entry in data["jars"]),
    )


class _Stamp(NamedTuple):
    """A jar's size and modification time when its SHA-256 was last computed."""

    sha256: str
    size: int
    mtime_ns: int


class JarCache:
    """The folder ``<cache>/jars``, which must match the lock file.

    A file under its final name is complete, because downloads are renamed at the end. ``stamps.json`` records
    the size and modification time of every verified jar, so that the check at each start reads no jar
    (190 MB). A jar whose stamp does not match is hashed again.
    """

    def __init__(
        self, cache_folder: Path, lock: EngineLock, *, repositories: dict[str, str] | None = None
    ) -> None:
        self.folder = cache_folder / "jars"
        self._lock = lock
        self._repositories = repositories
        self._stamps_file = self.folder / "stamps.json"

    def path(self, jar: Jar) -> Path:
        """Return the path of ``jar``, whether or not it exists."""
        return self.folder / jar.file_name

    def class_path(self) -> str:
        """Return Java's class path of all jars; Java's AOT cache requires the same paths at each start."""
        return os.pathsep.join(str(self.path(jar)) for jar in self._lock.jars)

    @property
    def complete(self) -> bool:
        """Whether every jar exists and has the size and time of its last verification."""
        stamps = self._read_stamps()
        return all(self._is_unchanged(jar, stamps) for jar in self._lock.jars)

    def fingerprint(self) -> str:
        """Return a digest that changes with any jar's name, size or time, which Java's AOT cache compares."""
        seen = hashlib.sha256(self._lock.digest.encode())
        for jar in self._lock.jars:
            stat = self.path(jar).stat()
            seen.update(f"{jar.file_name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        return seen.hexdigest()

    def damaged(self) -> list[Jar]:
        """Hash every jar and return the missing and damaged ones, which no longer count as present."""
        stamps: dict[str, _Stamp] = {}
        with ThreadPoolExecutor(_PARALLEL) as pool:
            verified = list(pool.map(self._verify, self._lock.jars))
        for jar, stamp in zip(self._lock.jars, verified, strict=True):
            if stamp is not None:
                stamps[jar.file_name] = stamp
        if self.folder.is_dir():
            self._write_stamps(stamps)
        return [jar for jar in self._lock.jars if jar.file_name not in stamps]

    def fetch(self, progress: Progress, stop: threading.Event) -> None:
        """Download missing and damaged jars, until ``stop`` is set.

        ``progress`` counts bytes and is called from this thread. Raises DownloadFailed; complete jars are
        kept, so the next call continues.
        """
        if self.complete:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Another process may be downloading the same jars; then none are missing afterwards.
            with FileLock(self.folder / ".lock").acquire(cancel_check=stop.is_set):
                self._fetch_missing(progress, stop)
        except Timeout:
            raise DownloadFailed("The download was cancelled.", hint="Start it again.") from None
        except OSError as reason:
            raise DownloadFailed(
                f"The engine's jars cannot be written to {self.folder}: {reason}.",
                hint="Free some space, make the folder writable, or set LEGACYMIND_CACHE to another folder.",
            ) from reason

    def _fetch_missing(self, progress: Progress, stop: threading.Event) -> None:
        stamps = self._read_stamps()
        missing: list[Jar] = []
        for jar in self._lock.jars:
            if self._is_unchanged(jar, stamps):
                continue
            stamp = self._verify(jar)
            if stamp is None:
                missing.append(jar)
            else:
                stamps[jar.file_name] = stamp
        total = self._lock.size
        done = total - sum(jar.size for jar in missing)
        self._check_space(total - done)
        progress("Downloading Neo4j", done, total)
        failures: list[tuple[Jar, BaseException]] = []

        def cancelled() -> bool:
            return stop.is_set() or bool(failures)

        with (
            Downloader(
                self.folder, cancelled=cancelled, repositories=self._repositories, parallel=_PARALLEL
            ) as downloader,
            ThreadPoolExecutor(_PARALLEL) as pool,
        ):
            # The largest first, so that none is left to download alone at the end.
            queue = sorted(missing, key=lambda jar: -jar.size)
            running = {pool.submit(downloader.fetch, jar): jar for jar in queue}
            for future in as_completed(running):
                jar = running[future]
                reason = future.exception()
                if reason is None:
                    stamps[jar.file_name] = _stamp(future.result(), jar.sha256)
                    done += jar.size
                    progress("Downloading Neo4j", done, total)
                else:
                    failures.append((jar, reason))
        self._write_stamps(stamps)
        if failures:
            raise self._error(*failures[0], done, total) from failures[0][1]

    def _check_space(self, needed: int) -> None:
        for leftover in self.folder.glob(_LEFTOVERS):
            leftover.unlink(missing_ok=True)
        free = shutil.disk_usage(self.folder).free
        if needed and free < needed + _SPARE:
            raise DownloadFailed(
                f"{self.folder} has {free >> 20} MiB free; the engine needs {needed >> 20} MiB.",
                hint="Free some space, or set LEGACYMIND_CACHE to a folder on another disk.",
            )

    def _error(self, jar: Jar, reason: BaseException, done: int, total: int) -> DownloadFailed:
        import requests

        hint = "Check the network (HTTPS_PROXY and REQUESTS_CA_BUNDLE are used) and try again."
        if isinstance(reason, Cancelled):
            why, hint = "the download was cancelled", "Start it again; it continues where it ended."
        elif isinstance(reason, requests.RequestException | LookupError):
            why = f"{jar.file_name} could not be downloaded ({network_failure(reason)})"
        elif isinstance(reason, ValueError):
            why = f"{jar.file_name} arrived damaged {TRIES} times"
            hint = "Something in between, such as a proxy, changes downloads; try another network."
        else:
            why = f"{jar.file_name} cannot be written to {self.folder} ({reason})"
            hint = "Free some space, make the folder writable, or set LEGACYMIND_CACHE to another folder."
        return DownloadFailed(
            f"The engine is incomplete: {why}.",
            effect=f"{done >> 20} of {total >> 20} MiB are kept; stored data is untouched.",
            hint=hint,
        )

    def _is_unchanged(self, jar: Jar, stamps: dict[str, _Stamp]) -> bool:
        stamp = stamps.get(jar.file_name)
        if stamp is None or stamp.sha256 != jar.sha256:
            return False
        try:
            stat = self.path(jar).stat()
        except OSError:
            return False
        return (stamp.size, stamp.mtime_ns) == (stat.st_size, stat.st_mtime_ns)

    def _verify(self, jar: Jar) -> _Stamp | None:
        """Return the jar's stamp if its hash is that of the lock file."""
        path = self.path(jar)
        return _stamp(path, jar.sha256) if has_sha256(path, jar.sha256) else None

    def _read_stamps(self) -> dict[str, _Stamp]:
        try:
            data = json.loads(self._stamps_file.read_bytes())
            return {name: _Stamp(*stamp) for name, stamp in data.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}  # every jar is hashed again

    def _write_stamps(self, stamps: dict[str, _Stamp]) -> None:
        temporary = self._stamps_file.with_name(f".stamps-{os.getpid()}.json")
        with contextlib.suppress(OSError):  # stamps only save time
            temporary.write_text(json.dumps(stamps), encoding="utf-8")
            temporary.replace(self._stamps_file)


def _stamp(path: Path, sha256: str) -> _Stamp:
    stat = path.stat()
    return _Stamp(sha256, stat.st_size, stat.st_mtime_ns)
