"""One real Neo4j for the whole run, in a home of its own; a fresh namespace for every test.

``LEGACYMIND_TEST_HOME`` names a home to use, and to leave running, instead: quicker while developing.
"""

import asyncio
import os
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from legacymind import settings as settings_module
from legacymind.db.options import Address
from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those marked ``last`` come last: a server that was killed plans and compiles everything again."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def engine_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of the run's engine, which is up."""
    kept = os.environ.get("LEGACYMIND_TEST_HOME")
    home = Path(kept) if kept else tmp_path_factory.mktemp("home")
    # Nothing of the developer's own configuration may reach a test but where downloads are.
    cache = settings_module.load_settings(toml=None).cache
    # A hundred thousand nodes and every plan there is fill half a gigabyte; one that ends starts again, cold.
    settings = Settings(home=str(home), cache=cache, heap_mb=1024, page_cache_mb=128)
    engine = Engine(settings)
    asyncio.run(engine.up())
    yield settings
    if not kept:
        asyncio.run(engine.down())


@pytest.fixture
def address(engine_settings: Settings) -> Address:
    """Where the run's engine is."""
    engine = Engine(engine_settings)
    return Address(engine.status().uri, "neo4j", engine.password())


@pytest.fixture
def namespace() -> str:
    """A namespace nobody else uses."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def settings(engine_settings: Settings, namespace: str) -> Settings:
    """The run's engine, with a fresh namespace as default."""
    return replace(engine_settings, namespace=namespace)


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    """A mind over the run's engine with a deterministic embedder and its own namespace and session."""
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.fixture(scope="session")
def real_env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a user: an own home with the real model, its engine up, `legacymind` on the PATH."""
    kept = os.environ.get("LEGACYMIND_TEST_HOME")
    home = Path(f"{kept}-real") if kept else tmp_path_factory.mktemp("real home")
    plain = {
        name: value for name, value in os.environ.items() if not name.startswith(("LEGACYMIND_", "NEO4J_"))
    }
    plain["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{plain.get('PATH', '')}"
    plain |= {"LEGACYMIND_HOME": str(home), "LEGACYMIND_HEAP_MB": "512", "PYTHONPATH": ""}
    if cache := settings_module.load_settings(toml=None).cache:
        plain["LEGACYMIND_CACHE"] = cache
    engine = Engine(settings_module.load_settings(plain))
    asyncio.run(engine.up())
    yield plain
    if not kept:
        asyncio.run(engine.down())
