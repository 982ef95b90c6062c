"""The managed Neo4j of one home: downloading, starting, finding and stopping it."""

import asyncio
import contextlib
import itertools
import shutil
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import psutil
from filelock import FileLock, Timeout

from legacymind.engine import config, failure, process
from legacymind.engine.aot import AotCache, stop_training, training
from legacymind.engine.home import EngineRecord, Home, write_private
from legacymind.engine.jars import JarCache, read_lock
from legacymind.errors import EngineError, EngineNotRunning
from legacymind.model.progress import Progress, no_progress
from legacymind.settings import Settings

_USER = "neo4j"
START_TIMEOUT: Final = 120.0
"""Seconds to wait until the engine, or a server elsewhere, answers."""

_STOP_TIMEOUT = 30.0
_ATTEMPTS = 4
_POLL = 0.05
_POLLS_PER_LOG_CHECK = 20
_STARTING = "Starting Neo4j"

FULL = 16 * 1024 * 1024
"""Free bytes of the disk below which Neo4j is not started: it would hang while it cannot write its files."""

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """The engine's addresses and whether it runs; when stopped, the addresses of its last start.

    ``training`` is a process that prepares Java's cache of classes for faster starts, which ends by itself.
    ``free_disk`` is the bytes that are free on the disk of the home.
    """

    running: bool
    uri: str
    username: str
    password_file: str
    browser_url: str
    version: str
    gds: str
    home: str
    pid: int | None
    training: int | None
    free_disk: int = field(compare=False)


class _StartFailed(Exception):
    """A start failed: the relevant log lines, ports that others hold, and whether every start would fail."""

    def __init__(
        self, lines: list[str], lost_ports: frozenset[int] = frozenset(), *, final: bool = False
    ) -> None:
        super().__init__()
        self.lines = lines
        self.lost_ports = lost_ports
        self.final = final


@dataclass(kw_only=True)
class Pause:
    """A time in which an engine is stopped, for a caller that holds its home's lock.

    ``start`` and ``stop`` are for work that needs the engine meanwhile. ``seconds`` is how long it did not
    answer; 0 if it did not run before.
    """

    start: Callable[[], None]
    stop: Callable[[], bool]
    seconds: float = 0.0


class Engine:
    """The engine of ``settings.home``; any number of instances, in any processes, may share one home.

    ``progress`` is called while ``ensure`` starts the engine.
    """

    def __init__(self, settings: Settings, progress: Progress | None = None) -> None:
        self._settings = settings
        self._progress = progress
        self._lock = read_lock()
        self.home = Home(settings.home_path)
        cache = settings.cache_path.resolve()
        self._jars = JarCache(cache, self._lock)
        self._aot = AotCache(cache, self._lock)

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download missing jars without starting anything. Raises DownloadFailed."""
        await self._jars.fetch(progress or no_progress)

    async def repair(self) -> None:
        """Hash every jar and download missing and damaged ones. Raises DownloadFailed."""
        await self._jars.fetch(no_progress, verify=True)

    async def verify(self) -> list[str]:
        """Hash every jar and return the file names of missing or damaged ones; ``repair`` replaces them."""
        return [jar.file_name for jar in await asyncio.to_thread(self._jars.damaged)]

    async def up(self, progress: Progress | None = None) -> EngineStatus:
        """Start the engine unless it runs, and wait until it accepts queries.

        ``progress`` is called on the event loop. Raises DownloadFailed, PortTaken or EngineError.
        """
        if not self._answers(self.status()):  # before any look at the 370 jars
            self.check_disk()
            await self.fetch(progress)
        return await in_thread(partial(self._up, True), progress)

    async def ensure(self) -> EngineStatus:
        """Start the engine for a call that needs it: without a download, and not after ``down``.

        Raises EngineNotRunning if the engine must be started and jars are missing, or if it was stopped with
        ``down``; otherwise as ``up``.
        """
        return await in_thread(partial(self._up, False), self._progress)

    @property
    def set_up(self) -> bool:
        """Whether every jar was downloaded; compares sizes."""
        return self._jars.complete

    @property
    def memory(self) -> int:
        """The bytes of memory that the engine's heap and page cache may take."""
        memory = config.fit_memory(self._settings)
        return (memory.heap + memory.page_cache) * 1024 * 1024

    def check_ports(self) -> None:
        """Return if a start would find its ports free. Raises PortTaken for a configured one in use."""
        record = self.home.record()
        config.choose_ports(self._settings, config.Ports(record.bolt_port, record.http_port))

    @property
    def free_disk(self) -> int:
        """The free bytes of the disk of the home."""
        folder = self.home.folder
        return shutil.disk_usage(next(each for each in (folder, *folder.parents) if each.exists())).free

    def check_disk(self) -> None:
        """Return if Neo4j has room to write. Raises EngineError if the disk is full."""
        if (free := self.free_disk) < FULL:
            raise EngineError(
                f"The disk of {self.home.folder} is full: {free // 1024:,} KiB are free, and Neo4j cannot "
                "write its files.",
                hint=f"Free at least {FULL // 1024**2} MiB, then repeat the call. It restarts Neo4j if "
                "necessary.",
            )

    def check_startable(self) -> None:
        """Return if ``ensure`` may start the engine. Raises EngineNotRunning as it would."""
        if not self._jars.complete:
            raise EngineNotRunning(
                "The managed Neo4j has not been set up yet.",
                hint="Run `legacymind up` once, or point NEO4J_URI at a Neo4j of your own.",
            )
        self._check_released()

    def _check_released(self) -> None:
        if self.home.held:
            raise EngineNotRunning(
                "The managed Neo4j was stopped with `legacymind down`.",
                hint="Start it with `legacymind up`.",
            )

    @property
    def class_path(self) -> str:
        """Java's class path of the engine's jars."""
        return self._jars.class_path()

    @contextlib.contextmanager
    def paused(self, stop: threading.Event, progress: Progress) -> Generator[Pause]:
        """Keep the engine stopped while the block runs; one that ran is started again at its end.

        ``progress`` is told when it stops and starts. Other processes that want to start it wait, because the
        home's lock is held.
        """
        with self._locked(stop):
            begun = time.monotonic()
            progress("Stopping Neo4j", 0, 1)
            ran = self._stop_locked()
            progress("Stopping Neo4j", 1, 1)
            pause = Pause(start=partial(self._start_locked, progress), stop=self._stop_locked)
            try:
                yield pause
            finally:
                if ran:
                    if process.find(self.home, self.home.record()) is None:
                        pause.start()
                    pause.seconds = time.monotonic() - begun

    async def down(self) -> bool:
        """Stop the engine until ``up`` starts it; return whether it was running."""
        return await asyncio.to_thread(self._down)

    async def restart(self, pid: int | None) -> None:
        """Restart an engine that cannot write, if its process is still ``pid``.

        Wait until it accepts queries. Raises as ``ensure``. While the disk is full, the engine is left alone.
        """
        self.check_disk()
        await asyncio.to_thread(self._stop, pid, broken=True)
        await self.ensure()

    def status(self) -> EngineStatus:
        """Return the status at once.

        Running means that the process belongs to this home and accepts connections.
        """
        record = self.home.record()
        server = process.find(self.home, record)
        return self._status(
            record, server, server is not None and process.accepts_connections(record.bolt_port)
        )

    def logs(self, lines: int = 100) -> str:
        """Return the last lines of Neo4j's log, followed by Java's own output.

        Java may end its output with a lone control character; lines of these only are left out.
        """
        log = failure.read_tail(self.home.logs / "neo4j.log").splitlines()
        console = failure.read_tail(self.home.logs / "console.log").splitlines()
        shown = [line for line in (*log, *console) if not line or any(map(str.isprintable, line))]
        return "\n".join(shown[-lines:]) if lines > 0 else ""

    def password(self) -> str:
        """Return the password of user ``neo4j``. Raises EngineError when the home has none yet."""
        return self.home.password()

    def _status(self, record: EngineRecord, server: psutil.Process | None, running: bool) -> EngineStatus:
        bolt = record.bolt_port or self._settings.bolt_port or config.BOLT_PORT
        http = record.http_port or self._settings.http_port or config.HTTP_PORT
        return EngineStatus(
            running=running,
            uri=f"bolt://{config.LOOPBACK}:{bolt}",
            username=_USER,
            password_file=str(self.home.password_file),
            browser_url=f"http://{config.LOOPBACK}:{http}/browser/",
            version=self._lock.neo4j,
            gds=self._lock.gds,
            home=str(self.home.folder),
            pid=server.pid if server else None,
            training=preparing.pid if (preparing := training(self.home)) else None,
            free_disk=self.free_disk,
        )

    def _down(self) -> bool:
        if not self.home.has(self.home.run):
            return False
        self.home.hold()  # first: a call in another process must not start it again
        stop_training(self.home)
        return self._stop(None)

    def _stop(self, pid: int | None, *, broken: bool = False) -> bool:
        """Stop the process of the engine, if it is ``pid`` or None is passed; return whether it ran.

        A server that could not write is killed. Its log ends in the middle of a transaction, which the next
        start removes; a clean stop would write the rest, and then no start reads the log.
        """
        with self._locked():
            return self._stop_locked(pid, broken=broken)

    def _stop_locked(self, pid: int | None = None, *, broken: bool = False) -> bool:
        """``_stop`` for a caller that holds the home's lock."""
        server = process.find(self.home, self.home.record())
        if server is None or pid not in (None, server.pid):
            return False
        broken = broken or self.free_disk < FULL
        if broken or failure.has_panicked(self.home, process.creation_time(server)):
            process.kill(server)
        else:
            process.stop(server, _STOP_TIMEOUT)
        self.home.save_record(replace(self.home.record(), pid=0, created=0.0))
        return True

    def _start_locked(self, progress: Progress) -> None:
        """Start a stopped engine for a caller that holds the home's lock."""
        progress(_STARTING, 0, 1)
        self.home.release()
        # Its own event: cancelling the work must not cancel the start that ends it.
        self._start(self.home.record(), threading.Event())
        progress(_STARTING, 1, 1)

    def _up(self, asked: bool, progress: Progress, stop: threading.Event) -> EngineStatus:
        """Start the engine, which is downloaded; ``asked`` by a user."""
        status = self.status()
        if self._answers(status):
            return status
        if not asked:
            self.check_startable()
        self.check_disk()
        self.home.make()
        with self._locked(stop):
            if asked:
                self.home.release()
            else:
                self._check_released()
            record = self.home.record()
            server = process.find(self.home, record)
            progress(_STARTING, 0, 1)
            if server is not None and not record.bolt_port:
                process.stop(server, _STOP_TIMEOUT)  # its ports are unknown
                server = None
            if server is None or not self._join_start(server, record, stop):
                self._start(record, stop)
            progress(_STARTING, 1, 1)
        return self.status()

    def _answers(self, status: EngineStatus) -> bool:
        return status.running and not self.home.unanswered and not self.home.held

    def _join_start(self, server: psutil.Process, record: EngineRecord, stop: threading.Event) -> bool:
        """Wait for an engine that another process began to start; return whether it came up."""
        try:
            ports = config.Ports(record.bolt_port, record.http_port)
            self._wait(server, ports, failure.LogMark(self.home, earlier=True), stop)
        except _StartFailed:
            return False
        return True

    def _start(self, record: EngineRecord, stop: threading.Event) -> None:
        memory = config.fit_memory(self._settings)
        previous = config.Ports(record.bolt_port, record.http_port)
        avoid: frozenset[int] = frozenset()
        use_aot = True
        lines: list[str] = []
        for _ in range(_ATTEMPTS):
            ports = config.choose_ports(self._settings, previous, avoid)
            aot = self._aot.usable(memory) if use_aot else None
            try:
                self._start_once(ports, memory, aot, stop)
            except _StartFailed as failed:
                lines, lost, final = failed.lines, failed.lost_ports, failed.final
            else:
                if not use_aot:
                    self._aot.reject(memory)  # the start succeeds only without the cache
                elif aot is None:
                    self._aot.train_in_background(memory, self.home)
                return
            if final:
                break
            if lost:  # taken between choosing and binding; the next choice avoids them or raises PortTaken
                avoid |= lost
            elif self._jars.damaged():
                asyncio.run(self.repair())  # this is a thread of its own
            elif aot is not None:
                use_aot = False
            else:
                break
        if not lines:
            allowed = config.allowed_memory() >> 20
            lines = [f"It ended without a word, as when its memory exceeds a limit: here {allowed:,} MiB."]
        raise failure.explain("Neo4j did not start.", lines, self.home)

    def _start_once(
        self, ports: config.Ports, memory: config.MemorySizes, aot: Path | None, stop: threading.Event
    ) -> None:
        home = self.home
        home.clear_scratch()
        plugins = home.link_plugins(self._jars, self._lock, home.record().plugins)
        classes = self._jars.class_path()
        write_private(home.conf / "neo4j.conf", config.neo4j_conf(ports, memory))
        write_private(home.conf / "server-logs.xml", config.server_logs())
        home.prepare_data()
        home.ensure_password()
        if not home.has_credentials:
            process.set_initial_password(home, classes)
        options = [f"-XX:AOTCache={aot}"] if aot else []
        write_private(home.arguments_file, config.java_arguments(home, memory, classes, *options))
        mark = failure.LogMark(home)
        (home.run / "neo4j.pid").unlink(missing_ok=True)
        started = process.start(home)
        home.save_record(
            EngineRecord(ports.bolt, ports.http, started.pid, process.creation_time(started), plugins)
        )
        self._wait(started, ports, mark, stop)

    def _wait(
        self, server: psutil.Process, ports: config.Ports, mark: failure.LogMark, stop: threading.Event
    ) -> None:
        """Wait until Bolt and Browser answer, and ``server`` is the process that answers."""
        end = time.monotonic() + START_TIMEOUT
        for turn in itertools.count(1):
            ready = _ready(server, ports)
            if (ready or turn % _POLLS_PER_LOG_CHECK == 0) and (lines := mark.failed_databases()):
                process.stop(server, _STOP_TIMEOUT)
                raise _StartFailed(lines, final=True)
            if ready:
                self.home.mark_answered()
                return
            if not process.is_alive(server):
                lines = mark.lines()
                raise _StartFailed(lines, ports.taken() if failure.is_port_conflict(lines) else frozenset())
            if turn % _POLLS_PER_LOG_CHECK == 0 and self.free_disk < FULL:
                process.kill(server)  # it would hang
                self.check_disk()
            if stop.wait(_POLL):
                process.stop(server, _STOP_TIMEOUT)
                raise EngineError("The start was cancelled.", hint="Start it again.")
            if time.monotonic() > end:
                raise EngineError(
                    f"Neo4j (pid {server.pid}) runs but has not answered for {START_TIMEOUT:g} s; it may be "
                    "recovering its data.",
                    hint="Run legacymind up again to keep waiting, or look at legacymind logs.",
                )

    @contextlib.contextmanager
    def _locked(self, stop: threading.Event | None = None) -> Generator[None]:
        """Hold the home's lock, so that one process at a time starts or stops its engine."""
        timeout = 2 * START_TIMEOUT
        cancelled = stop.is_set if stop else None
        try:
            lock = FileLock(self.home.lock_file, mode=0o600).acquire(timeout=timeout, cancel_check=cancelled)
        except Timeout:
            raise EngineError(
                f"Another process has been starting or stopping the engine of {self.home.folder} "
                f"for {timeout:g} s.",
                hint="Look at legacymind logs to see why, or end that process and try again.",
            ) from None
        with lock:
            yield


def _ready(server: psutil.Process, ports: config.Ports) -> bool:
    """Return whether ``server`` answers; stop it when another program answers on one of its ports."""
    for port in (ports.bolt, ports.http):
        if not process.accepts_connections(port):
            return False
        if not process.listens(server, port) and process.is_alive(server):
            process.stop(server, _STOP_TIMEOUT)
            raise _StartFailed(
                [f"Port {port} was taken by another program during the start."], frozenset({port})
            )
    return process.speaks_bolt(ports.bolt)


async def in_thread(
    work: Callable[[Progress, threading.Event], _Result], progress: Progress | None
) -> _Result:
    """Run blocking ``work`` in a thread.

    Progress is reported on the event loop, and cancelling the task sets the event that stops the work. A
    future cannot hold StopIteration, and would never end: RuntimeError takes its place.
    """
    loop = asyncio.get_running_loop()
    stop = threading.Event()

    def report(stage: str, done: int, total: int, /) -> None:
        if progress is not None and not stop.is_set():
            loop.call_soon_threadsafe(progress, stage, done, total)

    def run() -> _Result:
        try:
            return work(report, stop)
        except StopIteration as ended:
            raise RuntimeError("The work in a thread raised StopIteration.") from ended

    try:
        return await asyncio.to_thread(run)
    finally:
        stop.set()
