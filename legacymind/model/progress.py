"""How long-running work reports its progress: downloads, the engine's start, imports, verification."""

from contextvars import ContextVar
from typing import Final, Protocol


class Progress(Protocol):
    """A callback for progress, called as ``progress(stage, done, total)``."""

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Receive that ``done`` of ``total`` units of ``stage`` are finished.

        ``stage`` is a label for people, such as "Downloading Neo4j"; each label has a count of its own. The
        unit depends on the stage: bytes for a download, lines for an import, thoughts for a verification,
        1 of 1 for a step that cannot be divided. ``done`` never falls within a stage and never exceeds
        ``total``; ``total`` is an estimate where the size is not known in advance. Async work calls this on
        its event loop.
        """
        ...


def no_progress(stage: str, done: int, total: int, /) -> None:
    """Ignore progress."""


call_progress: Final[ContextVar[Progress]] = ContextVar("call_progress", default=no_progress)
"""Receives the progress of the current call; a door sets it if the caller asked for it."""
