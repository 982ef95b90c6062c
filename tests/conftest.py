"""One real Neo4j for the whole run, in its own home; a new namespace for every test.

All processes of the run share the engine.

``LEGACYMIND_TEST_HOME`` names a home to use instead. Its engine keeps running, to save time.
"""

import asyncio
import os
import socket
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from neo4j import GraphDatabase

from legacymind import settings as settings_module
from legacymind.db.options import Address
from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines, rows
from tests.audit import Audit, audited
from tests.fakes import FakeEmbedder
from tests.runs import RUN, unlimited

pytest_plugins = ("tests.runs",)

rows.install()


class _DriverSocket(socket.socket):
    """A socket of the Neo4j driver.

    It names its protocol, because asyncio turns Nagle's algorithm off only for sockets that do; otherwise
    each new connection waits 40 ms for a delayed acknowledgement. It closes itself without a warning, because
    the driver leaves the socket of a connection that is cancelled while it opens to the garbage collector.
    """

    def __init__(self, family: int) -> None:
        super().__init__(family, proto=socket.IPPROTO_TCP)

    def __del__(self) -> None:
        self.close()


def pytest_configure(config: pytest.Config) -> None:
    """Set up the sockets of the driver."""
    pytest.MonkeyPatch().setattr("neo4j._async_compat.network._bolt_socket.socket", _DriverSocket)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the run's engines after the last process of the run."""
    if not hasattr(config, "workerinput"):
        for home in config.stash[RUN].iterdir():
            if home.is_dir():
                engines.discard(Engine(Settings(home=str(home))))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def engine_settings(pytestconfig: pytest.Config) -> Settings:
    """Settings of the run's engine, which is running: the first process that needs it starts it."""
    home = os.environ.get("LEGACYMIND_TEST_HOME") or pytestconfig.stash[RUN] / "home"
    # Of the developer's own configuration, tests use only the folder for downloads.
    cache = settings_module.load_settings(toml=None).cache
    # A hundred thousand nodes and all plans fill half a gigabyte. An engine that ends starts again, cold.
    # A statement's first run on a busy machine may take longer than the 30 seconds of the default.
    # Many tests create unfinished nodes by hand, which must stay as they are.
    settings = Settings(
        home=str(home),
        cache=cache,
        heap_mb=1024,
        page_cache_mb=128,
        query_timeout=120,
        adopt_interval=0,
    )
    with engines.brief(tests=hasattr(pytestconfig, "workerinput")), unlimited(pytestconfig):
        asyncio.run(Engine(settings).up())
    return settings


@pytest.fixture
def address(engine_settings: Settings) -> Address:
    """The address of the run's engine."""
    engine = Engine(engine_settings)
    return Address(engine.status().uri, "neo4j", engine.password())


@pytest.fixture
def namespace() -> str:
    """A namespace that no other test uses."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def settings(engine_settings: Settings, namespace: str) -> Settings:
    """Settings of the run's engine with a new namespace."""
    return engine_settings.changed(namespace=namespace)


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    """A mind over the run's engine with a deterministic embedder and its own namespace and session."""
    async with Mind(settings, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.fixture
def others_hidden(address: Address) -> Iterator[None]:
    """Hide the nodes that other tests made by hand from adoption, which reads all namespaces.

    For tests marked ``alone``. Adoption leaves out stubs of merged entities, so the nodes look like these.
    """
    made_by_hand = "MATCH (n:Entity|Observation|Thought) WHERE n.ns_key IS NULL"
    with GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver:  # pyright: ignore[reportUnknownMemberType]
        driver.execute_query(f"{made_by_hand} AND n.merged_at IS NULL SET n.merged_at = 'hidden'")
        yield
        driver.execute_query(f"{made_by_hand} AND n.merged_at = 'hidden' REMOVE n.merged_at")


@pytest.fixture(scope="session")
def real_env(engine_settings: Settings) -> dict[str, str]:
    """The environment of a user: the real model, the run's engine, `legacymind` on the PATH."""
    plain = {
        name: value for name, value in os.environ.items() if not name.startswith(("LEGACYMIND_", "NEO4J_"))
    }
    plain["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{plain.get('PATH', '')}"
    plain |= {"LEGACYMIND_HOME": engine_settings.home, "PYTHONPATH": ""}
    # Otherwise a command of one test would adopt the nodes that another one makes by hand.
    plain["LEGACYMIND_ADOPT_INTERVAL"] = "0"
    plain["LEGACYMIND_QUERY_TIMEOUT"] = str(engine_settings.query_timeout)
    # Without a terminal, an agent runs the command.
    plain["LEGACYMIND_USER"] = "1"
    if engine_settings.cache:
        plain["LEGACYMIND_CACHE"] = engine_settings.cache
    return plain


@pytest.fixture
def audit(real_env: dict[str, str], engine_settings: Settings, tmp_path: Path) -> Audit:
    """The environment of a user whose processes are watched."""
    return audited(real_env, tmp_path, engine_settings)
