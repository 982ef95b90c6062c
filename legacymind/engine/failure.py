"""Why a start failed: the relevant lines of the logs, and advice for known causes."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

from legacymind.engine.home import Home
from legacymind.errors import EngineError

_RELEVANT = re.compile(r"\bERROR\b|Exception\b|\bError\b|Caused by")
_NOISE = re.compile(r"^WARNING|\[warning\]|^\s+at ")
_MISSING_LOGS = re.compile(r"\[\w+/\w+\] Transaction logs are missing and recovery is not possible\.")
_FAILED = "Failed to start DatabaseId{"
_PANIC = "The database has encountered a critical error, and needs to be restarted"
_BEGINNING = "Starting 'DatabaseId{00000000[system]}'"  # the first database of every start
_LINES = 4  # to show from the beginning, which names the failure, and from the end, which names its cause
_TAIL = 256 * 1024  # bytes

_REASONS = (
    (
        _MISSING_LOGS,
        "data/transactions was removed or damaged, or the first start was interrupted. Restore the whole "
        "data folder from a backup. Without a backup, move it away, start again and restore an export.",
    ),
    (
        re.compile(r"Error reading transaction logs, recovery not possible"),
        "The end of a transaction log in data/transactions is damaged. Restore a backup. Without one, keep a "
        "copy of the data folder and report this message.",
    ),
    (
        re.compile(r"FileLockException|StoreLock|Lock file has been locked"),
        "Another server uses this home's data; stop it.",
    ),
    (
        re.compile(
            r"exceeds a limit|insufficient memory|Could not reserve enough space|OutOfMemoryError"
            r"|Cannot allocate memory"
        ),
        "Free some memory, or lower LEGACYMIND_HEAP_MB and LEGACYMIND_PAGE_CACHE_MB.",
    ),
    (
        re.compile(r"initialization of VM|Invalid maximum heap"),
        "Check that LEGACYMIND_HEAP_MB suits this machine.",
    ),
    (re.compile(r"No space left on device"), "Free some disk space."),
    (re.compile(r"Too many open files"), "Raise the limit of open files (ulimit -n)."),
    (re.compile(r"Permission denied|AccessDeniedException"), "Make the home writable for this user."),
)


class LogMark:
    """The ends of a home's logs before a start, to read only what the start adds.

    console.log is emptied at each start. With ``earlier`` the logs are read from their beginnings,
    because another process began the start.
    """

    def __init__(self, home: Home, *, earlier: bool = False) -> None:
        self._console = home.logs / "console.log"
        self._logs = [home.logs / "neo4j.log", home.logs / "debug.log"]
        self._ends = [path.stat().st_size if path.exists() and not earlier else 0 for path in self._logs]

    def lines(self) -> list[str]:
        """Return the relevant lines since the mark, each once: Java's, then the first log's with any."""
        console = [line for line in read_tail(self._console).splitlines() if not _NOISE.search(line)]
        for path, end in zip(self._logs, self._ends, strict=True):
            relevant = [line for line in read_tail(path, end).splitlines() if _RELEVANT.search(line)]
            if relevant:
                console += relevant
                break
        return list(dict.fromkeys(line.strip()[:300] for line in console if line.strip()))

    def failed_databases(self) -> list[str]:
        """Return the messages and causes of databases that did not start.

        Neo4j carries on without such a database; without ``system`` it never accepts queries.
        """
        started = read_tail(self._logs[1], self._ends[1]).rpartition(_BEGINNING)[2]
        lines = _MISSING_LOGS.findall(started)
        for line in started.splitlines():
            if _FAILED in line:
                logged = _logged(line)
                causes = re.findall(r"Caused by: (.*)", logged.get("stacktrace", ""))
                lines += [logged.get("message", ""), *causes]
        return list(dict.fromkeys(line.strip()[:300] for line in lines))


def has_panicked(home: Home, since: float) -> bool:
    """Return whether a database of the server that started at ``since`` could not write its files."""
    begun = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%d %H:%M:%S")
    lines = read_tail(home.logs / "debug.log").splitlines()
    return any(_PANIC in line and _logged(line).get("time", "") >= begun for line in lines)


def _logged(line: str) -> dict[str, str]:
    """A line of debug.log, which is JSON; empty if the line is cut."""
    try:
        return json.loads(line)
    except ValueError:
        return {}


def is_port_conflict(lines: list[str]) -> bool:
    """Return whether the start failed because a port was taken between choosing and binding it."""
    return any("Address already in use" in line or "BindException" in line for line in lines)


def explain(what: str, lines: list[str], home: Home) -> EngineError:
    """Return the error for a failed start, with the relevant lines of the log."""
    known = [advice for pattern, advice in _REASONS if any(pattern.search(line) for line in lines)]
    if lines:
        shown = lines if len(lines) <= 2 * _LINES else [*lines[:_LINES], *lines[-_LINES:]]
        what += " Its log:" + "".join(f"\n    {line}" for line in shown) + "\n"
    return EngineError(what, hint=" ".join([*known[:1], f"The full logs are in {home.logs}."]))


def read_tail(path: Path, start: int = 0) -> str:
    """Return the end of a log from byte ``start``, at most 256 KiB; empty when it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            # A log shorter than the start was rotated.
            file.seek(max(start if start <= size else 0, size - _TAIL))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
