"""The engine's configuration: ports, memory that fits the machine, neo4j.conf, logs, Java's arguments."""

import contextlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from string import Template

import psutil

from legacymind.engine.home import Home
from legacymind.errors import PortTaken
from legacymind.settings import Settings

LOOPBACK = "127.0.0.1"
BOLT_PORT = 7687
HTTP_PORT = 7474
MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"

_MEBIBYTE = 1024 * 1024
_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports where the engine listens, on the loopback interface only."""

    bolt: int
    http: int

    def taken(self) -> frozenset[int]:
        """Return the ports where no server could listen now."""
        return frozenset(port for port in (self.bolt, self.http) if not is_free(port))


@dataclass(frozen=True, slots=True)
class MemorySizes:
    """Java's heap and Neo4j's page cache, in MiB."""

    heap: int
    page_cache: int

    @property
    def collector(self) -> str:
        """Java's flag for the garbage collector.

        The serial collector starts fastest and, up to 1 GiB of heap, pauses no longer than the others. The
        parallel one takes 1 ms of a thought where G1 takes 7, but its full collections stop everything: .3 s
        with 1.5 GiB.
        """
        if self.heap <= 2048:
            return "-XX:+UseSerialGC" if self.heap <= 1024 else "-XX:+UseParallelGC"
        return "-XX:+UseG1GC"


def fit_memory(settings: Settings) -> MemorySizes:
    """Return the configured sizes, else a sixteenth of the machine's memory each, within limits."""
    share = allowed_memory() // _MEBIBYTE // 16
    return MemorySizes(
        heap=settings.heap_mb or min(max(share, 512), 4096),
        page_cache=settings.page_cache_mb or min(max(share, 128), 2048),
    )


def allowed_memory() -> int:
    """The bytes of the machine's memory, or of the strictest limit of the control groups of this process."""
    limits = [psutil.virtual_memory().total]
    with contextlib.suppress(OSError, ValueError):
        for line in _OWN_GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, group = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            root, name = (
                (_GROUPS / "memory", "memory.limit_in_bytes") if controllers else (_GROUPS, "memory.max")
            )
            folder = root / group.lstrip("/")
            for each in (folder, *folder.parents):  # psutil sees none of them
                with contextlib.suppress(OSError, ValueError):  # ValueError: "max"
                    limits.append(int((each / name).read_text(encoding="ascii")))
    return min(limits)


def choose_ports(settings: Settings, previous: Ports, avoid: frozenset[int] = frozenset()) -> Ports:
    """Return the configured ports, else the previous start's, else Neo4j's defaults, else any free ones.

    ``avoid`` contains ports known not to work. Raises PortTaken when a configured port is in use.
    """
    bolt = _choose("Bolt", "LEGACYMIND_BOLT_PORT", settings.bolt_port, (previous.bolt, BOLT_PORT), avoid)
    http = _choose(
        "Browser", "LEGACYMIND_HTTP_PORT", settings.http_port, (previous.http, HTTP_PORT), avoid | {bolt}
    )
    return Ports(bolt, http)


def _choose(what: str, variable: str, configured: int, usual: tuple[int, ...], avoid: frozenset[int]) -> int:
    if configured:
        if configured in avoid or not is_free(configured):
            raise port_taken(what, variable, configured)
        return configured
    for port in usual:
        if port and port not in avoid and is_free(port):
            return port
    return _free_port()


def free_ports() -> Ports:
    """Return two unused ports."""
    return Ports(_free_port(), _free_port())


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((LOOPBACK, 0))
        return int(free.getsockname()[1])


def is_free(port: int) -> bool:
    """Return whether a server could listen on ``port`` of the loopback interface now."""
    with socket.socket() as probe:
        if os.name == "posix":  # as Java does; otherwise closing connections look like a server
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except (OSError, OverflowError):
            return False
    return True


def port_taken(what: str, variable: str, port: int) -> PortTaken:
    """Return the error for a configured port in use, with the program's name where the system allows it."""
    holder = _holder(port)
    by = f"by {holder.name()} (pid {holder.pid})" if holder else "by another program"
    return PortTaken(
        f"The {what} port {port} is in use {by}.",
        hint=f"Stop that program, set {variable} to another port, or unset it to use any free port.",
    )


def _holder(port: int) -> psutil.Process | None:
    with contextlib.suppress(psutil.Error, OSError):  # macOS allows this only for root
        listening = (c for c in psutil.net_connections("tcp") if c.laddr and c.status == psutil.CONN_LISTEN)
        for connection in listening:
            if connection.laddr and connection.laddr.port == port and connection.pid:
                return psutil.Process(connection.pid)
    return None


def neo4j_conf(ports: Ports, memory: MemorySizes) -> str:
    """Return the text of neo4j.conf, which is rewritten at each start."""
    return Template(_file("neo4j.conf")).substitute(
        bolt=ports.bolt, http=ports.http, page_cache=memory.page_cache
    )


def server_logs() -> str:
    """Return the text of server-logs.xml: Neo4j's own logs, without the texts of thoughts."""
    return _file("server-logs.xml")


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def java_arguments(home: Home, memory: MemorySizes, class_path: str, *options: str) -> str:
    """Return the text of Java's argument file, with further Java ``options``.

    A file, because 370 jars make the command line too long for some systems.
    """
    arguments = [
        f"-Xmx{memory.heap}m",
        memory.collector,
        # The options of Neo4j's default neo4j.conf that matter here.
        "-XX:+DisableExplicitGC",
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:-UsePerfData",
        "-Xlog:aot*=error",
        f"-Djava.io.tmpdir={home.scratch}",
        "-Dlog4j2.disable.jmx=true",
        "-Dfile.encoding=UTF-8",
        "-Djava.awt.headless=true",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        # A server that ran out of memory is in an unknown state; one that ends recovers at its next start.
        "-XX:+ExitOnOutOfMemoryError",
        f"-XX:ErrorFile={home.logs / 'java-crash.log'}",
        *options,
        "-cp",
        class_path,
        MAIN_CLASS,
        f"--home-dir={home.folder}",
        f"--config-dir={home.conf}",
    ]
    return argument_file(arguments)


def argument_file(arguments: list[str]) -> str:
    """Return ``arguments`` as a Java argument file: quoted, one per line."""
    escaped = (argument.replace("\\", "\\\\").replace('"', '\\"') for argument in arguments)
    return "".join(f'"{argument}"\n' for argument in escaped)
