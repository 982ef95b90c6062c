"""What the fixtures of the engine's tests hand out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from legacymind.engine import Engine
from legacymind.settings import Settings

MakeSettings = Callable[[Path], Settings]


@dataclass(frozen=True)
class Started:
    """The server most tests share, started by two processes at once that have both ended."""

    engine: Engine
    pids: list[int]
    command_lines: set[str]
