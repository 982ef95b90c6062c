"""Reads newly stored thoughts of a namespace in order, each once, and resumes from a cursor.

The order is that of ``stored_at``, which the server sets when it writes a thought. The transaction commits
up to ``slack`` seconds later, so each read starts ``slack`` seconds before the previous one and skips the
thoughts that are known. Those of a session are known by the number of its last step, because a session is
locked while a step is added; thoughts without a session are known by their ids.
"""

import base64
import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, NamedTuple, TypedDict

from pydantic import Field

from legacymind.db.query import Parameters
from legacymind.model.base import ALWAYS, OPEN


class Arrived(TypedDict):
    """A stored thought. ``after_unknown``: the step before it was stored in the meantime, and is unknown."""

    id: str
    session_id: str | None
    chain_id: str | None
    is_private: bool | None
    stored_at: datetime
    step: int | None
    after_unknown: bool


class ArrivalsRow(TypedDict):
    """Stored thoughts, and the time of the server's clock at which the read began."""

    now: datetime
    found: list[Arrived]


PAGE: Final = 500
"""The most thoughts that one read returns."""

_MICROSECOND: Final = timedelta(microseconds=1)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = (OPEN - _EPOCH) // _MICROSECOND

Key = Annotated[str, Field(min_length=8, max_length=8)]


class ArrivalPosition(NamedTuple):
    """A position among newly stored thoughts, for a cursor. ``since`` is in microseconds.

    The subscriber has every thought stored before ``since``. Of the later ones, it has the steps of each
    session up to the number in ``steps``, and the thoughts in ``single``. Both are identified by keys.
    """

    since: Annotated[int, Field(strict=True, ge=0, le=_LAST)]
    steps: dict[Key, Annotated[int, Field(strict=True, ge=0, lt=2**63)]]
    single: list[Key]


def key(text: str) -> str:
    """A short key for the id of a session or thought: 48 bits of its digest, since a cursor holds many."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:6]).decode()


@dataclass(slots=True)
class Sent:
    """The thoughts sent to a subscriber since a moment: their keys, and when they were stored."""

    since: datetime
    steps: dict[str, tuple[int, datetime]] = field(default_factory=dict[str, tuple[int, datetime]])
    single: dict[str, datetime] = field(default_factory=dict[str, datetime])

    @classmethod
    def at(cls, position: ArrivalPosition) -> "Sent":
        """The thoughts of a position. It has no times of storing; ``date`` sets them."""
        return cls(
            _EPOCH + position.since * _MICROSECOND,
            {name: (step, OPEN) for name, step in position.steps.items()},
            dict.fromkeys(position.single, OPEN),
        )

    def date(self, now: datetime) -> None:
        """Set unknown times of storing to ``now``, before which the thoughts of a position were stored."""
        self.steps = {name: (step, min(at, now)) for name, (step, at) in self.steps.items()}
        self.single = {name: min(at, now) for name, at in self.single.items()}

    def position(self) -> ArrivalPosition:
        """The position after the thoughts that were sent."""
        return ArrivalPosition(
            (self.since - _EPOCH) // _MICROSECOND,
            {name: step for name, (step, _) in self.steps.items()},
            list(self.single),
        )

    def has(self, arrived: Arrived) -> bool:
        """Whether a thought was sent."""
        session, step = arrived["session_id"], arrived["step"]
        if session is None or step is None:
            return key(arrived["id"]) in self.single
        return step <= self.steps.get(key(session), (-1, ALWAYS))[0]

    def add(self, arrived: Arrived) -> None:
        """Record that a thought was sent."""
        session, step, at = arrived["session_id"], arrived["step"], arrived["stored_at"]
        if session is None or step is None:
            self.single[key(arrived["id"])] = at
        else:
            self.steps[key(session)] = (step, at)

    def forget(self, since: datetime) -> None:
        """Drop the thoughts stored before a moment. No read returns earlier thoughts any more."""
        if since > self.since:
            self.since = since
            self.steps = {name: found for name, found in self.steps.items() if found[1] >= since}
            self.single = {name: at for name, at in self.single.items() if at >= since}


class Arrivals(NamedTuple):
    """Newly stored thoughts. Later batches contain only thoughts stored after ``since``.

    ``complete``: no other thoughts were stored when the read began, at ``now``.
    """

    thoughts: list[Arrived]
    since: datetime
    now: datetime
    complete: bool


class Reader:
    """Reads the thoughts stored in a namespace since a moment, in batches."""

    def __init__(self, namespace: str, since: datetime, slack: timedelta) -> None:
        self._namespace = namespace
        self._slack = slack
        self.since = since
        self.steps: dict[str, tuple[int, datetime]] = {}
        self.single: dict[str, datetime] = {}
        self._held: set[str] = set()

    def parameters(self) -> Parameters:
        """The parameters of the next read."""
        return {
            "namespace": self._namespace,
            "since": self.since,
            "steps": {session: step for session, (step, _) in self.steps.items()},
            "ids": list(self.single),
            "most": PAGE,
        }

    def take(self, row: ArrivalsRow) -> Arrivals:
        """The batch of a read, without the steps that follow a gap in their session.

        A read that runs while others commit can miss a step. The next read, which begins at once, finds the
        step or shows that it does not exist.
        """
        if row["now"] < self.since:
            # The server's clock was set back. Some old thoughts may come again, and no new one is missed.
            self.since = row["now"] - self._slack
            return Arrivals([], self.since, row["now"], complete=False)
        since, held = self.since, set[str]()
        thoughts: list[Arrived] = []
        for arrived in _in_order(row["found"]):
            session, step = arrived["session_id"], arrived["step"]
            if session is None or step is None:
                self.single[arrived["id"]] = arrived["stored_at"]
            elif session in held:
                continue
            else:
                known = self.steps.get(session)
                gap = arrived["after_unknown"] if known is None else step != known[0] + 1
                if gap and session not in self._held:
                    held.add(session)
                    continue
                self.steps[session] = (step, arrived["stored_at"])
            thoughts.append(arrived)
        self._held = held
        full = len(row["found"]) >= PAGE
        complete = not full and not held
        if complete:
            self._forget(max(row["now"] - self._slack, since))
        elif full and not held:
            self._forget(max(min(row["now"] - self._slack, row["found"][-1]["stored_at"]), since))
        return Arrivals(thoughts, since, row["now"], complete)

    def _forget(self, since: datetime) -> None:
        self.since = since
        self.steps = {session: found for session, found in self.steps.items() if found[1] >= since}
        self.single = {id: at for id, at in self.single.items() if at >= since}


def _in_order(found: list[Arrived]) -> list[Arrived]:
    """Sort thoughts by the time of storing, and those of one session by step.

    The two orders differ only after the server's clock was set back.
    """
    latest: dict[str, datetime] = {}
    placed: list[tuple[datetime, int, Arrived]] = []
    for arrived in sorted(found, key=lambda one: one["step"] or 0):
        at = arrived["stored_at"]
        if arrived["session_id"] is not None:
            at = latest[arrived["session_id"]] = max(at, latest.get(arrived["session_id"], at))
        placed.append((at, arrived["step"] or 0, arrived))
    return [arrived for _, _, arrived in sorted(placed, key=lambda one: one[:2])]
