"""Real engines for tests. They plan and compile less than a user's, because that takes most of their time.

The results of statements are the same. The server of ``tests/engine/conftest.py`` is that of a user.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from legacymind.engine import Engine, config
from legacymind.settings import Settings


def start(settings: Settings) -> None:
    """Start the engine of ``settings``, which many tests share."""
    with pytest.MonkeyPatch.context() as patch:
        _keep_plans(patch)
        asyncio.run(Engine(settings).up())


@contextmanager
def brief() -> Generator[None]:
    """Make engines that start inside this context ready sooner, for a few calls.

    Java's second compiler (C2) takes half of a new server's time and pays off after minutes: a start, 14
    thoughts and 6 searches take 54 s of a core with it and 35 s without.
    """
    written = config.java_arguments

    def arguments(home: config.Home, memory: config.Memory, class_path: str, *options: str) -> str:
        return written(home, memory, class_path, "-XX:TieredStopAtLevel=1", *options)

    with pytest.MonkeyPatch.context() as patch:
        _keep_plans(patch)
        patch.setattr(config, "java_arguments", arguments)
        patch.setattr("legacymind.engine.aot._NEEDED_MEMORY", 1 << 60)  # no training, which takes a minute
        yield


def _keep_plans(patch: pytest.MonkeyPatch) -> None:
    """Keep the plan of a statement while its data grows.

    By default Neo4j plans a statement again when its plan is older than 10 s and the counts it was made for
    have grown fourfold, so an empty database that fills costs ten plans of each.
    """
    written = config.neo4j_conf

    def conf(ports: config.Ports, memory: config.Memory) -> str:
        return written(ports, memory) + "dbms.cypher.min_replan_interval=1h\n"

    patch.setattr(config, "neo4j_conf", conf)
