"""The progress of a call, in the form that MCP asks for: a number that grows with every notification."""

import time
from typing import Final, NamedTuple

_TOWARDS: Final = 0.01
"""The share of what is left of a stage by which a notification grows if the stage has not advanced."""


class Notification(NamedTuple):
    """What a client gets; ``total`` is None while nobody knows how much there is to do."""

    progress: float
    total: float | None
    message: str


class CallProgress:
    """A ``model.progress.Progress`` that keeps the latest stage of a call until the next notification.

    The number counts seconds until the operation reports a stage, then the units of that stage. Notifications
    in between are signs of life, so they grow too.
    """

    def __init__(self) -> None:
        self._notified = time.monotonic()
        self._last = 0.0
        self._base = 0.0
        self._stage = ""
        self._done = self._total = 0

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Receive the progress of a stage."""
        if stage != self._stage:
            self._stage, self._base = stage, self._last
        self._done, self._total = done, total

    def notification(self, otherwise: str) -> Notification:
        """The next notification; ``otherwise`` is its message while no stage is under way."""
        now = time.monotonic()
        seconds, self._notified = now - self._notified, now
        if self._done >= self._total:
            self._last += seconds
            return Notification(self._last, None, otherwise)
        if self._base + self._total <= self._last:  # the total was an estimate, and has grown since
            self._base = self._last - self._done
        total = self._base + self._total
        self._last = max(self._base + self._done, self._last + _TOWARDS * (total - self._last))
        return Notification(self._last, total, f"{self._stage}: {100 * self._done // self._total} %")
