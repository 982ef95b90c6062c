"""Homes, each with a database of its own."""

import asyncio
import os
from collections.abc import AsyncIterator

import pytest

from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines
from tests.fakes import FakeEmbedder
from tests.runs import RUN, unlimited


def _another(engine_settings: Settings, pytestconfig: pytest.Config, number: int) -> Settings:
    own = os.environ.get("LEGACYMIND_TEST_HOME")
    home = f"{own}-{number}" if own else str(pytestconfig.stash[RUN] / f"home-{number}")
    settings = engine_settings.changed(home=home, heap_mb=512, page_cache_mb=64)
    with engines.brief(tests=hasattr(pytestconfig, "workerinput")), unlimited(pytestconfig):
        asyncio.run(Engine(settings).up())
    return settings


@pytest.fixture(scope="session")
def other_engine(engine_settings: Settings, pytestconfig: pytest.Config) -> Settings:
    """Settings of a second engine, which is running."""
    return _another(engine_settings, pytestconfig, 2)


@pytest.fixture(scope="session")
def third_engine(engine_settings: Settings, pytestconfig: pytest.Config) -> Settings:
    """Settings of a third engine, which is running."""
    return _another(engine_settings, pytestconfig, 3)


@pytest.fixture
async def other(other_engine: Settings, namespace: str) -> AsyncIterator[Mind]:
    """A mind over the second engine, with the same namespace."""
    settings = other_engine.changed(namespace=namespace)
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.fixture
async def third(third_engine: Settings, namespace: str) -> AsyncIterator[Mind]:
    """A mind over the third engine, with the same namespace."""
    settings = third_engine.changed(namespace=namespace)
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.fixture
def homes(mind: Mind, other: Mind, third: Mind) -> list[Mind]:
    """Minds over three engines."""
    return [mind, other, third]
