"""Fixtures of the engine's tests: few real servers, using the user's download cache."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from legacymind import settings
from legacymind.engine import Engine
from legacymind.settings import Settings
from tests import engines
from tests.engine.servers import MakeSettings, Started

# Like `legacymind up`, without training, which would occupy the cores.
START = """
import asyncio, sys
from legacymind.engine import Engine
from legacymind.engine.aot import AotCache
from legacymind.settings import Settings
AotCache.train_in_background = lambda *_: None
home, cache = sys.argv[1:]
engine = Engine(Settings(home=home, cache=cache, heap_mb=512, page_cache_mb=64))
print(asyncio.run(engine.up()).pid)
"""


@pytest.fixture(scope="session")
def cache() -> Path:
    """The user's own download cache, filled if necessary."""
    configured = settings.load_settings()
    asyncio.run(Engine(configured).fetch())
    return configured.cache_path


@pytest.fixture(scope="session", autouse=True)
def no_training() -> Generator[None]:
    """Keep engines from training Java's cache, which takes a minute, by asking for too much memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("legacymind.engine.aot._NEEDED_MEMORY", 1 << 60)
        yield


@pytest.fixture(scope="session")
def make_settings(cache: Path) -> MakeSettings:
    """Return settings of a small engine in a home."""
    return lambda home: Settings(home=str(home), cache=str(cache), heap_mb=512, page_cache_mb=64)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, make_settings: MakeSettings) -> Generator[Started]:
    home = tmp_path_factory.mktemp("engine") / "a home with spaces"
    configured = make_settings(home)
    arguments = [sys.executable, "-W", "error", "-c", START, configured.home, configured.cache]
    starters = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    seen: set[str] = set()
    while any(starter.poll() is None for starter in starters):
        seen |= {" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])}
        time.sleep(0.1)  # an admin command runs for a second
    pids = [int(starter.communicate()[0]) for starter in starters]
    engine = Engine(configured)
    yield Started(engine, pids, seen)
    engines.discard(engine)


@pytest.fixture
def foreign_process() -> Generator[psutil.Process]:
    """A program that is not an engine."""
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    program = subprocess.Popen(command, start_new_session=True)
    yield psutil.Process(program.pid)
    program.kill()
    program.wait()
