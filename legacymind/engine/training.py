"""The training run that creates Java's ahead-of-time cache, as a program of its own.

    python -m legacymind.engine.training CACHE HEAP PAGE_CACHE

A temporary, empty engine starts, runs a few statements and stops. Java writes the cache as it stops.
"""

import contextlib
import http.client
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from filelock import FileLock, Timeout

from legacymind.engine import config, process
from legacymind.engine.aot import AotCache
from legacymind.engine.home import Home, write_private
from legacymind.engine.jars import EngineLock, JarCache, read_lock

_START = 120.0  # seconds to wait for the temporary engine
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


def train(cache: Path, lock: EngineLock, memory: config.MemorySizes) -> bool:
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
                run(Home(Path(scratch) / "home"), JarCache(cache, lock), lock, memory, output)
                if not output.is_file():
                    aot.reject(memory)
                    return False
                output.replace(path)
            aot.drop_old()
    except Timeout:
        return False
    return True


def run(home: Home, jars: JarCache, lock: EngineLock, memory: config.MemorySizes, output: Path) -> None:
    """Run the temporary engine in ``home``; on success Java leaves the cache at ``output``."""
    home.make()
    home.clear_scratch()
    ports = config.free_ports()
    home.link_plugins(jars, lock, ())
    conf = config.neo4j_conf(ports, memory) + "dbms.security.auth_enabled=false\n"
    write_private(home.conf / "neo4j.conf", conf)
    arguments = config.java_arguments(home, memory, jars.class_path(), f"-XX:AOTCacheOutput={output}")
    write_private(home.arguments_file, arguments)
    server = process.start(home)
    give_way(server.pid)
    try:
        end = time.monotonic() + _START
        while not (process.speaks_bolt(ports.bolt) and process.accepts_connections(ports.http)):
            if time.monotonic() > end or not process.is_alive(server):
                return
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


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(19)
    give_way(os.getpid())
    _cache, _heap, _page_cache = sys.argv[1:]
    train(Path(_cache), read_lock(), config.MemorySizes(int(_heap), int(_page_cache)))
