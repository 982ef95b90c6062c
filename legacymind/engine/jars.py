"""The engine's jars: the lock file, and the cache where they are downloaded once, verified and shared.

``scripts/lock_engine.py`` writes the lock file: Maven coordinates and SHA-256 of each jar.
"""

import asyncio
import hashlib
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from legacymind import downloads
from legacymind.downloads import Artifact, has_sha256
from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress

LOCK_FILE = Path(__file__).with_name("engine.lock.json")

_SPARE = 64 * 1024 * 1024  # bytes of disk to leave free


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


class JarCache:
    """The folder ``<cache>/jars``, which must match the lock file.

    A file under its final name was complete and verified when it arrived. A start compares its size;
    ``damaged`` reads all 190 MB.
    """

    def __init__(self, cache_folder: Path, lock: EngineLock) -> None:
        self.folder = cache_folder / "jars"
        self._lock = lock

    def path(self, jar: Jar) -> Path:
        """Return the path of ``jar``, whether or not it exists."""
        return self.folder / jar.file_name

    def class_path(self) -> str:
        """Return Java's class path of all jars; Java's AOT cache requires the same paths at each start."""
        return os.pathsep.join(str(self.path(jar)) for jar in self._lock.jars)

    @property
    def complete(self) -> bool:
        """Whether every jar exists and has its size."""
        return not self._missing()

    def fingerprint(self) -> str:
        """Return a digest that changes with any jar's name, size or time, which Java's AOT cache compares."""
        seen = hashlib.sha256(self._lock.digest.encode())
        for jar in self._lock.jars:
            stat = self.path(jar).stat()
            seen.update(f"{jar.file_name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        return seen.hexdigest()

    def damaged(self) -> list[Jar]:
        """Hash every jar and return the missing and damaged ones."""

        def is_right(jar: Jar) -> bool:
            return has_sha256(self.path(jar), jar.sha256)

        with ThreadPoolExecutor() as pool:
            right = pool.map(is_right, self._lock.jars)
            return [jar for jar, fits in zip(self._lock.jars, right, strict=True) if not fits]

    async def fetch(self, progress: Progress, *, verify: bool = False) -> None:
        """Download missing jars, and those that are damaged if ``verify``; ``progress`` counts bytes.

        Raises DownloadFailed; complete jars are kept, so the next call continues.
        """
        if not verify and self.complete:
            return
        async with downloads.writing(self.folder):
            # Another process may have downloaded the same jars; then none are missing any more.
            missing = await asyncio.to_thread(self.damaged if verify else self._missing)
            total = self._lock.size
            needed = sum(jar.size for jar in missing)
            done = total - needed
            free = shutil.disk_usage(self.folder).free
            if needed and free < needed + _SPARE:
                raise DownloadFailed(
                    f"{self.folder} has {free >> 20} MiB free; the engine needs {needed >> 20} MiB.",
                    hint="Free some space, or set LEGACYMIND_CACHE to a folder on another disk.",
                )

            def arrived(size: int) -> None:
                nonlocal done
                done += size
                progress("Downloading Neo4j", done, total)

            arrived(0)
            # The largest first, so that none is left to download alone at the end.
            missing.sort(key=lambda jar: -jar.size)
            await downloads.fetch(missing, self.folder, arrived)

    def _missing(self) -> list[Jar]:
        present = {each.name: each.stat().st_size for each in self.folder.glob("*.jar")}
        return [jar for jar in self._lock.jars if present.get(jar.file_name) != jar.size]
