"""What a run runs, in which order, how long a test may take, and what is said at the end.

``pytest`` leaves out what is marked with one of ``REASONS``; ``pytest --all`` runs everything. A file or a
test that is named on the command line runs, and so does what ``-m`` selects.

pytest-xdist splits the run between processes: one for each core, at most four. One or two files run in this
process. The tests of a file stay in one process, because they share its data.

PYTEST_DONT_REWRITE: conftest.py imports this module before pytest does.
"""

import faulthandler
import os
import re
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from filelock import FileLock
from xdist.scheduler import LoadFileScheduling  # pyright: ignore[reportMissingTypeStubs]

REASONS: Final = {
    "engine": "starts, stops or kills an engine of its own",
    "node": "installs packages of npm, and runs Node.js",
    "docs": "runs every command of a page",
    "slow": "takes seconds: a browser, real clients, a large graph, long crashes and races",
    "quality": "format, lint, types and imports, as `make check`",
}
"""The markers of tests that ``pytest`` without ``--all`` leaves out."""

LIMIT: Final = 120.0
"""Seconds after which a test has failed, if it has no marker ``limit``; more while the machine is busy."""

RUN: Final = pytest.StashKey[Path]()
"""The folder that all processes of a run share."""

_MOST: Final = 32
"""The most processes of a run, with those that take the place of others."""

_LEFT: Final = pytest.StashKey[Counter[str]]()
_STDERR: Final = pytest.StashKey[int]()
_SECONDS: Final = pytest.StashKey[float]()

_NEEDS: Final = re.compile(r"(?:Skipped: )?needs ([^(,;]+)")
"""Begins the reason of a skipped test, if something can be installed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--all``."""
    reasons = ", ".join(REASONS)
    parser.addoption("--all", action="store_true", help=f"also run the tests marked {reasons}")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, and agree on one folder: the first process creates it, others get its path."""
    given: str | None = getattr(config, "workerinput", {}).get("run")
    config.stash[RUN] = Path(given or tempfile.mkdtemp(prefix="legacymind-tests-"))
    for name, what in REASONS.items():
        config.addinivalue_line("markers", f"{name}: {what}; runs with --all")
    # During a test, pytest captures the process's own standard error.
    config.stash[_STDERR] = os.dup(2)
    config.stash[_LEFT] = Counter()
    if not hasattr(config, "workerinput"):
        # A run that is told to end stops its engines, as one that is interrupted.
        signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the folder to another process of the run."""
    node.workerinput["run"] = str(node.config.stash[RUN])


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder after the last process of the run."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[RUN], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Choose the number of processes, unless ``-n`` sets it."""
    option = config.option
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("xdist"):
        return
    files = {argument.partition("::")[0] for argument in config.args}
    if option.numprocesses is None and (len(files) > 2 or not all(file.endswith(".py") for file in files)):
        option.numprocesses = min(os.cpu_count() or 1, 4)
    if option.numprocesses:
        option.dist = "loadfile"
        option.loadscopereorder = False


class _ByFile(LoadFileScheduling):
    """Gives each process whole files, and never again the test at which a process ended.

    That of xdist repeats this test, in one new process after another. It also gives a new process one file,
    and a process begins its last test only when it has another one or is told that there is none.
    """

    def schedule(self) -> None:
        super().schedule()
        for node in self.nodes:
            while not node.shutting_down and self._pending_of(self.assigned_work[node]) <= 2:
                self._reschedule(node)

    def remove_node(self, node: Any) -> str | None:
        work = self.assigned_work[node]
        ended = next((test for unit in work.values() for test, done in unit.items() if not done), None)
        if ended is None:
            return super().remove_node(node)
        work[self._split_scope(ended)][ended] = True
        super().remove_node(node)
        return ended


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """Keep the tests of a file in one process."""
    return _ByFile(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out marked tests, and order the others by file.

    The longest files begin: at the end they would leave other processes idle. A test marked ``alone`` waits
    until the tests of the other processes have ended, which are short by then. After one marked ``last``, the
    server has to plan every statement again.
    """
    if not (config.option.all or config.option.markexpr):
        named = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
        left = [item for item in items if _reasons(item) and item.path not in named]
        items[:] = [item for item in items if not _reasons(item) or item.path in named]
        config.stash[_LEFT].update(reason for item in left for reason in _reasons(item)[:1])
        config.hook.pytest_deselected(items=left)

    def having(*marks: str) -> set[Path]:
        return {item.path for item in items if any(item.get_closest_marker(mark) for mark in marks)}

    alone, last, long = having("alone"), having("last"), having("long", *REASONS)
    items.sort(key=lambda item: (item.path in last, item.path in alone, item.path not in long))


def _reasons(item: pytest.Item) -> list[str]:
    return [reason for reason in REASONS if item.get_closest_marker(reason)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test marked ``alone`` while no other process runs any, and end a process whose test hangs."""
    run = item.config.stash[RUN]
    workerinput: dict[str, Any] = getattr(item.config, "workerinput", {})
    own = workerinput.get("workerid", "gw0")
    alone = item.get_closest_marker("alone") is not None
    with ExitStack() as held:
        with FileLock(run / "gate.lock"):
            # A test that waits for the others holds the gate, so that no process begins another test.
            for name in [f"gw{number}" for number in range(_MOST)] if alone else [own]:
                held.enter_context(FileLock(run / f"{name}.lock"))
        marker = item.get_closest_marker("limit")
        item.config.stash[_SECONDS] = float(marker.args[0]) if marker else LIMIT
        _limit(item.config)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _limit(config: pytest.Config) -> None:
    """End this process after the time of its test with all stacks; xdist says that the test failed.

    Unlike a signal or a thread of Python, it also ends a regular expression that never does.
    """
    load = os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 0.0
    late = config.stash.get(_SECONDS, LIMIT) * max(1.0, load / 2)
    faulthandler.dump_traceback_later(late, exit=True, file=config.stash[_STDERR])


@contextmanager
def unlimited(config: pytest.Config) -> Generator[None]:
    """Lift the limit for what may be downloaded; that of the test begins anew at the end."""
    faulthandler.cancel_dump_traceback_later()
    yield
    _limit(config)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the first process what this one left out."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left"] = dict(session.config.stash[_LEFT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Keep what a process left out: all leave out the same."""
    node.config.stash[_LEFT] |= Counter(getattr(node, "workeroutput", {}).get("left", {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say in one line what was not run, and what to install."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", ())]
    if said := not_run(config.stash[_LEFT], reasons):
        terminalreporter.write_line(said)


def not_run(left: Counter[str], skipped: list[str]) -> str:
    """The line about what was left out by marker and skipped for these reasons; empty if nothing was."""
    needs = Counter(match[1].strip() if (match := _NEEDS.match(reason)) else "" for reason in skipped)
    others = needs.pop("", 0)
    parts = [f"{left.total()} tests marked {_listed(left)} (pytest --all runs them)"] if left else []
    parts += [f"skipped without {_listed(needs)} (install them)"] if needs else []
    parts += [f"{others} skipped for other reasons (-rs says them)"] if others else []
    return f"Not run: {'; '.join(parts)}." if parts else ""


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
