"""Why a start failed: the telling lines of the logs, and what to do about the known reasons."""

import re
from pathlib import Path

from legacymind.engine.home import Home
from legacymind.errors import EngineError

_TELLING = re.compile(r"\bERROR\b|Exception\b|\bError\b|Caused by")
_NOISE = re.compile(r"^WARNING|\[warning\]|^\s+at ")
_LOST_LOGS = re.compile(r"\[\w+/\w+\] Transaction logs are missing and recovery is not possible\.")
_BEGINNING = "Starting 'DatabaseId{00000000[system]}'"  # the first database of every start
_LINES = 4  # of the beginning, where it says what failed, and of the end, where it says why
_TAIL = 256 * 1024  # bytes

_REASONS = (
    (
        _LOST_LOGS,
        "data/transactions was taken away or damaged, or the first start was interrupted: put the whole "
        "data folder back from a backup. Without one, move it away, start again and restore an export.",
    ),
    (
        re.compile(r"FileLockException|StoreLock|Lock file has been locked"),
        "Another server uses this home's data; stop it.",
    ),
    (
        re.compile(
            r"insufficient memory|Could not reserve enough space|OutOfMemoryError|Cannot allocate memory"
        ),
        "Free some memory, or lower LEGACYMIND_HEAP_MB and LEGACYMIND_PAGE_CACHE_MB.",
    ),
    (
        re.compile(r"initialization of VM|Invalid maximum heap"),
        "Look whether LEGACYMIND_HEAP_MB suits this machine.",
    ),
    (re.compile(r"No space left on device"), "Free some disk space."),
    (re.compile(r"Too many open files"), "Raise the limit of open files (ulimit -n)."),
    (re.compile(r"Permission denied|AccessDeniedException"), "Make the home writable for this user."),
)


class LogMark:
    """Where the logs of a home ended before a start; console.log begins anew at each.

    With ``earlier``, where they begin: the start was somebody else's.
    """

    def __init__(self, home: Home, *, earlier: bool = False) -> None:
        self._console = home.logs / "console.log"
        self._logs = [home.logs / "neo4j.log", home.logs / "debug.log"]
        self._ends = [path.stat().st_size if path.exists() and not earlier else 0 for path in self._logs]

    def lines(self) -> list[str]:
        """The telling lines since then, each once: Java's own, then the first log's that has any."""
        console = [line for line in read_tail(self._console).splitlines() if not _NOISE.search(line)]
        for path, end in zip(self._logs, self._ends, strict=True):
            telling = [line for line in read_tail(path, end).splitlines() if _TELLING.search(line)]
            if telling:
                console += telling
                break
        return list(dict.fromkeys(line.strip()[:300] for line in console if line.strip()))

    def lost_logs(self) -> list[str]:
        """What databases have said in this start about not starting; Neo4j goes on without them, and
        without ``system`` it never answers."""
        said = read_tail(self._logs[1], self._ends[1]).rpartition(_BEGINNING)[2]
        return list(dict.fromkeys(_LOST_LOGS.findall(said)))


def port_was_taken(lines: list[str]) -> bool:
    """Whether the start failed because a port was taken between choosing and binding it."""
    return any("Address already in use" in line or "BindException" in line for line in lines)


def explain(what: str, lines: list[str], home: Home) -> EngineError:
    """The error for a start that failed, with the first telling lines of the log."""
    known = [do for pattern, do in _REASONS if any(pattern.search(line) for line in lines)]
    if lines:
        shown = lines if len(lines) <= 2 * _LINES else [*lines[:_LINES], *lines[-_LINES:]]
        what += " Its log says:" + "".join(f"\n    {line}" for line in shown) + "\n"
    return EngineError(what, hint=" ".join([*known[:1], f"The whole log is in {home.logs}."]))


def read_tail(path: Path, start: int = 0) -> str:
    """The end of a log from byte ``start`` on, at most 256 KiB; empty when it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            # Shorter than it was: it has been rotated.
            file.seek(max(start if start <= size else 0, size - _TAIL))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
