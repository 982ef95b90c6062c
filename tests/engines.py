"""Real engines for tests: compared with a user's, they plan and compile less, which takes most of their time.

What a statement does stays the same. The server of ``tests/engine/conftest.py`` is configured as a user's.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress

import psutil
import pytest

from legacymind.engine import Engine, config

_SETTINGS = """\
db.index.fulltext.eventually_consistent_refresh_interval=200ms
internal.dbms.index.lucene.merge_factor=30
"""


@contextmanager
def brief(*, tests: bool = False) -> Generator[None]:
    """Configure the engines that start inside this context for minutes of use; with ``tests``, for all tests.

    Java's second compiler (C2) pays off later: a start, 14 thoughts and 6 searches take 43 s of a core with
    it and 22 s without. After a quarter of all tests, it had taken 94 s on the engine that they share and
    their statements 73 s; without it, statements take half as long again. All tests take 7 % less with it.

    Refresh and merge the full-text indexes less often. By default every stored thought becomes a segment of
    each index, and two segments are merged at once: a third of the cost of storing.
    ``tests.wire.text_indexed`` waits for the refresh.

    Train no cache for Java: training takes 60 to 90 s of a core, and a start with the cache takes 6 s
    instead of 9. A cache that exists is used.
    """
    conf, java = config.neo4j_conf, config.java_arguments

    def with_settings(ports: config.Ports, memory: config.MemorySizes) -> str:
        return conf(ports, memory) + _SETTINGS

    def compile_once(home: config.Home, memory: config.MemorySizes, class_path: str, *options: str) -> str:
        return java(home, memory, class_path, *(() if tests else ("-XX:TieredStopAtLevel=1",)), *options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "neo4j_conf", with_settings)
        patch.setattr(config, "java_arguments", compile_once)
        patch.setattr("legacymind.engine.aot._NEEDED_MEMORY", 1 << 60)
        yield


def discard(engine: Engine) -> None:
    """Kill the engine of a home that is removed next: a clean stop takes seconds, to write the data."""
    pid = engine.status().pid
    if pid is not None:
        with suppress(psutil.NoSuchProcess):
            server = psutil.Process(pid)
            server.kill()
            server.wait(30)
