"""The judgement of a thought: how valuable it is to recall, and what the curator does with it.

Pure functions over what is known about the thought; no statement is run.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypedDict

from legacymind.model.maintenance import Verdict


class ActiveThought(TypedDict):
    """A thought to judge. ``used_at``, as text, is when it was created or last recalled.

    ``visible`` is false for a private thought of another session than the caller's. ``summary`` is the id of
    one that was made of the thought before it was restored.
    """

    id: str
    session_id: str | None
    summary: str | None
    door: str | None
    thought_type: str | None
    is_private: bool
    salience: float | None
    outcome: float | None
    accesses: int
    used_at: str | None
    pinned: bool
    standing: bool
    playbook: bool
    unresolved: bool | None
    visible: bool | None
    text: str


KEEP: Final = 0.4
"""The value from which a thought stays active."""

DUMP: Final = 0.2
"""The value below which a thought is dumped."""

MIN_AGE: Final = 30
"""Days since it was stored in which a thought is not judged: the window of injection scale 3."""

LEAST_SOURCES: Final = 3
MOST_SOURCES: Final = 20
"""The least and the most thoughts of one session that become a summary."""

SUMMARY: Final = "summary"
"""The ``thought_type`` of summaries."""

CURATOR: Final = "curator"
"""The ``door`` of the curator's own thoughts."""

_RECENCY, _ACCESS, _SALIENCE, _OUTCOME = 0.25, 0.25, 0.35, 0.15
"""The weights of the parts of a value; their sum is 1."""

_TAU: Final = 30.0
"""Days without use in which recency decays to 1/e: the longest of recall's own (debugging)."""

_MANY: Final = 101
"""Accesses, plus one, from which more make no difference, as in the score of recall."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a thought, from 0 to 1, what it is made of, and what follows from it."""

    verdict: Verdict
    value: float
    reason: str
    protected: bool = False


def judge(thought: ActiveThought, now: datetime, *, keep: float = KEEP, dump: float = DUMP) -> Judgement:
    """Judge a thought at a time.

    The value is 0.25 · recency + 0.25 · accesses + 0.35 · salience + 0.15 · outcome, each from 0 to 1:
    recency is exp(-days since the last use / 30), accesses count as log(1 + n) / log 101, and an unknown
    outcome is 0.5.
    """
    idle = _days(thought["used_at"], now)
    salience = 0.5 if thought["salience"] is None else min(max(thought["salience"], 0.0), 1.0)
    outcome = 0.0 if thought["outcome"] is None else min(max(thought["outcome"], -1.0), 1.0)
    accesses = max(thought["accesses"], 0)
    value = (
        _RECENCY * math.exp(-idle / _TAU)
        + _ACCESS * min(1.0, math.log1p(accesses) / math.log(_MANY))
        + _SALIENCE * salience
        + _OUTCOME * (outcome + 1) / 2
    )
    shield = _shield(thought)
    if shield is not None:
        return Judgement("keep", value, shield, protected=True)
    told = "" if thought["outcome"] is None else f", outcome {outcome:+.1f}"
    reason = f"not used for {idle:.0f} days, recalled {accesses} times, salience {salience:.2f}{told}"
    verdict: Verdict = "keep" if value >= keep else "dump" if value < dump else "crystallise"
    return Judgement(verdict, value, reason)


def _shield(thought: ActiveThought) -> str | None:
    """The reason for which a thought stays whatever its value, or None."""
    if thought["pinned"]:
        return "pinned"
    if thought["standing"]:
        return "a standing preference or instruction"
    if thought["playbook"]:
        return "a playbook: it solved a problem"
    if thought["unresolved"]:
        return "an unresolved problem"
    if thought["door"] == CURATOR and thought["thought_type"] == SUMMARY:
        return "a summary of other thoughts"
    return None


def _days(used_at: str | None, now: datetime) -> float:
    """Days since the last use; one without a usable time counts as just used."""
    if used_at is None:
        return 0.0
    return max((now - datetime.fromisoformat(used_at)).total_seconds() / 86_400, 0.0)
