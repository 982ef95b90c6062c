"""Lines of logs and tracebacks: gaps in time, repeated messages, the frame and the cause of an error."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

_STAMP: Final = re.compile(
    r"^\[?(?P<day>\d{4}-\d\d-\d\d[T ])?(?P<time>\d\d:\d\d:\d\d)(?P<part>[.,]\d{1,6})?"
    r"(?:Z| ?[+-]\d\d:?\d\d)?\]?"
    r"[\s|:-]*(?:\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?[\s|:-]+)?(?P<message>.*)"
)
_BAD: Final = re.compile(r"\b(?:WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b")
_NUMBERS: Final = re.compile(r"\d+")
_FRAME: Final = re.compile(r'^\s*File "(?P<file>[^"]{1,300})", line (?P<line>\d+)')
_NOT_OWN: Final = re.compile(r"/lib/python|site-packages|dist-packages|<frozen|<string>|node_modules")
_ERROR: Final = re.compile(
    r"^(?P<error>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Timeout|Failure)\b(?:: .{1,200})?)\s*$"
)
_LEAST_GAP: Final = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class Gap:
    """The longest time without a line, and the messages around it."""

    seconds: float
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """A message that occurs several times."""

    message: str
    times: int


@dataclass(frozen=True, slots=True)
class Trace:
    """A traceback: its error, the source line of the innermost frame in own code, and the error before it."""

    error: str
    source: str | None
    first: str | None
    caused: bool


def is_stamped(line: str) -> bool:
    """Whether a line begins with a time, as those of logs do."""
    return _STAMP.match(line) is not None


def gap(lines: Sequence[str]) -> Gap | None:
    """The longest gap of a log, if it is at least 3 s and more than a third of the log's time."""
    stamped = [
        (moment, message) for line in lines if (moment := _moment(line)) for message in [_message(line)]
    ]
    if len(stamped) < 3:
        return None
    gaps = [(later[0] - earlier[0], earlier[1], later[1]) for earlier, later in pairwise(stamped)]
    longest, before, after = max(gaps, key=lambda one: one[0])
    whole = stamped[-1][0] - stamped[0][0]
    if longest < timedelta(seconds=_LEAST_GAP) or longest * 3 < whole or not (before and after):
        return None
    return Gap(longest.total_seconds(), before, after)


def before_trouble(lines: Sequence[str]) -> tuple[str, str] | None:
    """The message before the first warning or error of a log, and that one."""
    stamped = [line for line in lines if _STAMP.match(line)]
    for n, line in enumerate(stamped[1:], 1):
        if _BAD.search(line[:80]):
            earlier, later = _message(stamped[n - 1]), _message(line)
            return (earlier, later) if earlier and later and earlier != later else None
    return None


def repeated(lines: Sequence[str]) -> Repeated | None:
    """The warning or error that a log has most often, three times or more."""
    messages = [_message(line) for line in lines if _STAMP.match(line) and _BAD.search(line[:80])]
    counted = Counter(_NUMBERS.sub("#", message) for message in messages)
    for form, times in counted.most_common(1):
        if times > 2:
            return Repeated(next(one for one in messages if _NUMBERS.sub("#", one) == form), times)
    return None


def trace(lines: Sequence[str]) -> Trace | None:
    """The last traceback of Python in the lines."""
    errors: list[tuple[int, str]] = [
        (n, found["error"]) for n, line in enumerate(lines) if (found := _ERROR.match(line.strip()))
    ]
    frames = [n for n, line in enumerate(lines) if _FRAME.match(line)]
    errors = [one for one in errors if frames and one[0] > frames[0]]
    if not errors:
        return None
    last, error = errors[-1]
    start = errors[-2][0] if len(errors) > 1 else -1
    source = None
    for n in frames:
        if (
            start < n < last
            and not _NOT_OWN.search(lines[n])
            and n + 1 < last
            and not _FRAME.match(lines[n + 1])
        ):
            source = lines[n + 1].strip()
    between = " ".join(lines[start + 1 : last])
    caused = "direct cause" in between
    linked = caused or "another exception occurred" in between
    firsts = [one for _, one in errors if one != error]
    return Trace(error, source, firsts[0] if linked and firsts else None, caused)


def _moment(line: str) -> datetime | None:
    found = _STAMP.match(line)
    if not found:
        return None
    day = (found["day"] or "2000-01-01 ").strip(" T")
    part = (found["part"] or ".0")[1:].ljust(6, "0")
    try:
        return datetime.fromisoformat(f"{day}T{found['time']}.{part}")
    except ValueError:
        return None


def _message(line: str) -> str:
    found = _STAMP.match(line)
    return found["message"].strip() if found else line.strip()
