"""One real Neo4j for the whole run, in its own home; a new namespace for every test.

pytest-xdist splits the run between processes: one for each core, at most four. One or two files run in this
process. All processes share the engine. The tests of a file stay in one process, because they share its data.

``LEGACYMIND_TEST_HOME`` names a home to use instead. Its engine keeps running, to save time.
"""

import asyncio
import os
import shutil
import socket
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from neo4j import GraphDatabase

from legacymind import settings as settings_module
from legacymind.db.options import Address
from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines, rows
from tests.audit import Audit, audited
from tests.fakes import FakeEmbedder

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


_RUN = pytest.StashKey[Path]()
"""The folder that all processes of a run share."""


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Choose the number of processes, unless ``-n`` sets it, and keep the tests of a file in one process."""
    option = config.option
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("xdist"):
        return
    files = {argument.partition("::")[0] for argument in config.args}
    if option.numprocesses is None and (len(files) > 2 or not all(file.endswith(".py") for file in files)):
        option.numprocesses = min(os.cpu_count() or 1, 4)
    if option.numprocesses:
        option.dist = "loadfile"
        option.loadscopereorder = False


def pytest_configure(config: pytest.Config) -> None:
    """Agree on one folder: the first process creates it, and the others get its path."""
    given: str | None = getattr(config, "workerinput", {}).get("run")
    config.stash[_RUN] = Path(given or tempfile.mkdtemp(prefix="legacymind-tests-"))
    pytest.MonkeyPatch().setattr("neo4j._async_compat.network._bolt_socket.socket", _DriverSocket)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the folder to another process of the run."""
    node.workerinput["run"] = str(node.config.stash[_RUN])


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the run's engines and remove their homes after the last process of the run."""
    if not hasattr(config, "workerinput"):
        run = config.stash[_RUN]
        for home in run.iterdir():
            if home.is_dir():
                engines.discard(Engine(Settings(home=str(home))))
        shutil.rmtree(run, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files marked ``long``, and end with those that have tests marked ``alone`` or ``last``.

    A long file at the end would leave other processes idle. A test marked ``alone`` waits until the tests of
    the other processes have ended, which are short by then. After one marked ``last``, the server has to plan
    every statement again.
    """

    def having(mark: str) -> set[Path]:
        return {item.path for item in items if item.get_closest_marker(mark)}

    alone, last = having("alone"), having("last")
    items.sort(
        key=lambda item: (
            item.path in last,
            item.path in alone,
            item.get_closest_marker("long") is None,
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test marked ``alone`` while no other process runs any."""
    run = item.config.stash[_RUN]
    workerinput: dict[str, Any] = getattr(item.config, "workerinput", {})
    own = workerinput.get("workerid", "gw0")
    alone = item.get_closest_marker("alone") is not None
    with ExitStack() as held:
        with FileLock(run / "gate.lock"):
            # A test that waits for the others holds the gate, so that no process begins another test.
            count = workerinput.get("workercount", 1)
            for name in [f"gw{number}" for number in range(count)] if alone else [own]:
                held.enter_context(FileLock(run / f"{name}.lock"))
        return (yield)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def engine_settings(pytestconfig: pytest.Config) -> Settings:
    """Settings of the run's engine, which is running: the first process that needs it starts it."""
    home = os.environ.get("LEGACYMIND_TEST_HOME") or pytestconfig.stash[_RUN] / "home"
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
    with engines.brief():
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
    return replace(engine_settings, namespace=namespace)


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
    if engine_settings.cache:
        plain["LEGACYMIND_CACHE"] = engine_settings.cache
    return plain


@pytest.fixture
def audit(real_env: dict[str, str], engine_settings: Settings, tmp_path: Path) -> Audit:
    """The environment of a user whose processes are watched."""
    return audited(real_env, tmp_path, engine_settings)
