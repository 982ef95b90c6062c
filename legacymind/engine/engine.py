"""The managed Neo4j of one home: fetched, started, found again, stopped."""

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import psutil
from filelock import FileLock, Timeout

from legacymind.engine import admin, config, failure, process
from legacymind.engine.aot import AotCache
from legacymind.engine.home import Home, Record, write_private
from legacymind.engine.jars import JarCache
from legacymind.engine.lock import read_lock
from legacymind.errors import EngineError
from legacymind.model.progress import Progress, no_progress
from legacymind.settings import Settings

_USER = "neo4j"
_STOP_TIMEOUT = 30.0
_ATTEMPTS = 4
_POLL = 0.05
_LOOK = 20  # polls from one look into the log to the next

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Where the engine is and whether it runs; addresses are of the last start when it does not."""

    running: bool
    uri: str
    username: str
    password_file: str
    browser_url: str
    version: str
    gds: str
    home: str
    pid: int | None


class _Ended(Exception):
    """The process ended before it answered: the telling lines of its logs, the ports others have,
    and whether it would end so every time."""

    def __init__(self, lines: list[str], lost: frozenset[int] = frozenset(), *, final: bool = False) -> None:
        super().__init__()
        self.lines = lines
        self.lost = lost
        self.final = final


class Engine:
    """The engine of ``settings.home``; any number of these, in any processes, may name one home."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = read_lock()
        self._home = Home(settings.home_path)
        cache = settings.cache_path.resolve()
        self._jars = JarCache(cache, self._lock)
        self._aot = AotCache(cache, self._lock)

    @property
    def downloaded(self) -> bool:
        """Whether every jar is in the cache; reads none of them."""
        return self._jars.complete

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download what is missing, without starting anything. Raises DownloadFailed."""
        await _in_thread(self._jars.fetch, progress)

    async def verify(self) -> list[str]:
        """The file names of jars that are missing or damaged, every one hashed; ``fetch`` mends them."""
        return [jar.file_name for jar in await asyncio.to_thread(self._jars.damaged)]

    async def up(self, progress: Progress | None = None) -> EngineStatus:
        """Start the engine unless it runs, and wait until it answers.

        ``progress`` is called in the event loop. Raises DownloadFailed, PortTaken or EngineError.
        """
        return await _in_thread(self._up, progress)

    async def down(self) -> bool:
        """Stop the engine; whether one was running."""
        return await asyncio.to_thread(self._down)

    def status(self) -> EngineStatus:
        """What can be said at once; running means that the process is ours and its port answers."""
        record = self._home.record()
        found = process.find(self._home, record)
        return self._status(record, found, found is not None and process.answers(record.bolt_port))

    def logs(self, lines: int = 100) -> str:
        """The last lines of Neo4j's log, and what Java itself said, if anything."""
        log = failure.read_tail(self._home.logs / "neo4j.log").splitlines()
        console = failure.read_tail(self._home.logs / "console.log").splitlines()
        return "\n".join([*log, *console][-lines:]) if lines > 0 else ""

    def password(self) -> str:
        """The password of user ``neo4j``; EngineError when the home has none yet."""
        return self._home.password()

    def _status(self, record: Record, found: psutil.Process | None, running: bool) -> EngineStatus:
        bolt = record.bolt_port or self._settings.bolt_port or config.BOLT_PORT
        http = record.http_port or self._settings.http_port or config.HTTP_PORT
        return EngineStatus(
            running=running,
            uri=f"bolt://{config.LOOPBACK}:{bolt}",
            username=_USER,
            password_file=str(self._home.password_file),
            browser_url=f"http://{config.LOOPBACK}:{http}/browser/",
            version=self._lock.neo4j,
            gds=self._lock.gds,
            home=str(self._home.folder),
            pid=found.pid if found else None,
        )

    def _down(self) -> bool:
        if not self._home.run.is_dir():
            return False
        with self._alone():
            found = process.find(self._home, self._home.record())
            if found is not None:
                process.stop(found, _STOP_TIMEOUT)
            self._home.remember(replace(self._home.record(), pid=0, created=0.0))
            return found is not None

    def _up(self, progress: Progress, stop: threading.Event) -> EngineStatus:
        status = self.status()
        if status.running and not self._home.unanswered:
            return status
        self._jars.fetch(progress, stop)
        self._home.make()
        with self._alone(stop):
            record = self._home.record()
            found = process.find(self._home, record)
            progress("Starting Neo4j", 0, 1)
            if found is not None and not record.bolt_port:
                process.stop(found, _STOP_TIMEOUT)  # nobody knows its ports any more
                found = None
            if found is None or not self._waited_for(found, record, stop):
                self._start(record, stop)
            progress("Starting Neo4j", 1, 1)
        return self.status()

    def _waited_for(self, found: psutil.Process, record: Record, stop: threading.Event) -> bool:
        """Whether the engine that somebody else began to start came up."""
        try:
            ports = config.Ports(record.bolt_port, record.http_port)
            self._wait(found, ports, failure.LogMark(self._home, earlier=True), stop)
        except _Ended:
            return False
        return True

    def _start(self, record: Record, stop: threading.Event) -> None:
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
            except _Ended as ended:
                lines, lost, final = ended.lines, ended.lost, ended.final
            else:
                if not use_aot:
                    self._aot.reject(memory)  # it starts without, so that was the reason
                elif aot is None:
                    self._aot.train_in_background(memory)
                return
            if final:
                break
            if lost:  # between choosing and binding; choosing again finds others, or explains
                avoid |= lost
            elif self._jars.damaged():
                self._jars.fetch(no_progress, stop)
            elif aot is not None:
                use_aot = False
            else:
                break
        raise failure.explain("Neo4j did not start.", lines, self._home)

    def _start_once(
        self, ports: config.Ports, memory: config.Memory, aot: Path | None, stop: threading.Event
    ) -> None:
        home = self._home
        home.clear_scratch()
        plugins = home.link_plugins(self._jars, self._lock, home.record().plugins)
        classes = self._jars.class_path()
        write_private(home.conf / "neo4j.conf", config.neo4j_conf(ports, memory))
        home.begin()
        home.ensure_password()
        if not home.has_credentials:
            admin.set_initial_password(home, classes)
        options = [f"-XX:AOTCache={aot}"] if aot else []
        write_private(home.arguments_file, config.java_arguments(home, memory, classes, *options))
        mark = failure.LogMark(home)
        (home.run / "neo4j.pid").unlink(missing_ok=True)
        started = process.start(home)
        home.remember(Record(ports.bolt, ports.http, started.pid, process.created(started), plugins))
        self._wait(started, ports, mark, stop)

    def _wait(
        self, server: psutil.Process, ports: config.Ports, mark: failure.LogMark, stop: threading.Event
    ) -> None:
        """Until Bolt and Browser answer, and it is this process that answers."""
        end = time.monotonic() + self._settings.start_timeout
        for turn in itertools.count(1):
            ready = _ready(server, ports)
            if (ready or turn % _LOOK == 0) and (lines := mark.lost_logs()):
                process.stop(server, _STOP_TIMEOUT)
                raise _Ended(lines, final=True)
            if ready:
                self._home.answered()
                return
            if not process.is_alive(server):
                lines = mark.lines()
                raise _Ended(lines, ports.taken() if failure.port_was_taken(lines) else frozenset())
            if stop.wait(_POLL):
                process.stop(server, _STOP_TIMEOUT)
                raise EngineError("The start was stopped.", hint="Start it again.")
            if time.monotonic() > end:
                raise EngineError(
                    f"Neo4j (pid {server.pid}) runs but has not answered for "
                    f"{self._settings.start_timeout:g} s; it may be recovering its data.",
                    hint="Call legacymind up again to go on waiting, look into legacymind logs, or set "
                    "LEGACYMIND_START_TIMEOUT higher.",
                )

    @contextlib.contextmanager
    def _alone(self, stop: threading.Event | None = None) -> Generator[None]:
        """The home's lock: one process at a time starts or stops its engine."""
        patience = 2 * self._settings.start_timeout
        cancelled = stop.is_set if stop else None
        try:
            lock = FileLock(self._home.lock_file, mode=0o600).acquire(
                timeout=patience, cancel_check=cancelled
            )
        except Timeout:
            raise EngineError(
                f"Another process has been starting or stopping the engine of {self._home.folder} "
                f"for {patience:g} s.",
                hint="Look what it is waiting for (legacymind logs), or end it and try again.",
            ) from None
        with lock:
            yield


def _ready(server: psutil.Process, ports: config.Ports) -> bool:
    """Whether ``server`` answers; it is ended when another program does in its place."""
    for port in (ports.bolt, ports.http):
        if not process.answers(port):
            return False
        if not process.listens(server, port) and process.is_alive(server):
            process.stop(server, _STOP_TIMEOUT)
            raise _Ended([f"Port {port} was taken by another program during the start."], frozenset({port}))
    return process.speaks_bolt(ports.bolt)


async def _in_thread(
    work: Callable[[Progress, threading.Event], _Result], progress: Progress | None
) -> _Result:
    """Run blocking ``work`` in a thread; its progress is told in the event loop, and a cancelled
    task tells it to stop."""
    loop = asyncio.get_running_loop()
    stop = threading.Event()

    def tell(what: str, done: int, total: int) -> None:
        if progress is not None and not stop.is_set():
            loop.call_soon_threadsafe(progress, what, done, total)

    try:
        return await asyncio.to_thread(work, tell, stop)
    finally:
        stop.set()
