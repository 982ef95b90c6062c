"""How far a thought reaches for memories: scales, thresholds, windows, weights."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from legacymind.embed.base import Thresholds
from legacymind.model import ALWAYS, Mode, Submode
from legacymind.settings import Settings

RECALLS_CAP: Final = 8
"""RECALLS to thoughts that one thought keeps; knowledge does not count."""

_KNOWLEDGE_K: Final = (0, 5, 10, 20, 20, 20)
_THOUGHTS_K: Final = (0, 2, 5, 8, 12, 20)
_WINDOWS: Final = (
    timedelta(0),
    timedelta(hours=24),
    timedelta(days=7),
    timedelta(days=30),
    None,
    None,
)
_POOLS: Final = (20, 20, 20, 40, 40, 60)
"""Candidates by meaning, and from scale 3 as many by words."""

_BEST: Final = (0, 0, 0, 5, RECALLS_CAP, RECALLS_CAP)
"""How many of the best ranked come whatever their cosine; 0: nothing is ranked but by cosine."""

_STUCK_K: Final = 3
_DELTAS: Final[dict[Submode, float]] = {"sarcastic": -0.05, "empathetic": 0.02}


@dataclass(frozen=True, slots=True)
class Weights:
    """The addends of a thought's score; ``tau`` is the recency's decay in seconds."""

    similarity: float
    recency: float
    salience: float
    access: float
    tau: float


_DAY = 86_400.0
_CONVERSATION = Weights(0.55, 0.25, 0.15, 0.05, 3 * _DAY)
_DEBUGGING = Weights(0.60, 0.10, 0.20, 0.10, 30 * _DAY)
WEIGHTS: Final[dict[Mode, Weights]] = {
    "question": _CONVERSATION,
    "conclude": _CONVERSATION,
    "plan": Weights(0.45, 0.10, 0.35, 0.10, 14 * _DAY),
    "build": Weights(0.50, 0.05, 0.35, 0.10, 21 * _DAY),
    "debug": _DEBUGGING,
    "stuck": _DEBUGGING,
}


@dataclass(frozen=True, slots=True)
class Reach:
    """Everything a retrieval needs to know for one thought."""

    scale: int
    knowledge_k: int
    knowledge_threshold: float
    floor: float
    thoughts_k: int
    thoughts_threshold: float
    since: datetime
    pool: int
    best: int
    weights: Weights


def reach(
    scale: int,
    mode: Mode,
    submode: Submode | None,
    now: datetime,
    thresholds: Thresholds,
    settings: Settings,
) -> Reach:
    """The retrieval of one thought; thresholds are the model's unless the settings override them."""
    if submode == "adderall":
        scale = 0
    set_by_hand = (settings.t1, settings.t2, settings.t3)
    step = min(max(scale, 1), 3) - 1
    wished = set_by_hand[step]
    knowledge = thresholds.knowledge[step] if wished is None else wished
    thoughts = thresholds.thoughts[max(scale, 1) - 1]
    if settings.submode_tuning and submode is not None:
        delta = _DELTAS.get(submode, 0.0)
        knowledge = min(max(knowledge + delta, 0.0), 0.99)
        thoughts = min(max(thoughts + delta, 0.0), 0.99)
    window = _WINDOWS[scale]
    most = _THOUGHTS_K[scale]
    return Reach(
        scale=scale,
        knowledge_k=_KNOWLEDGE_K[scale],
        knowledge_threshold=knowledge,
        floor=thresholds.floor if settings.floor is None else settings.floor,
        thoughts_k=min(most, _STUCK_K) if mode == "stuck" else most,
        thoughts_threshold=thoughts,
        since=ALWAYS if window is None or now - ALWAYS < window else now - window,
        pool=_POOLS[scale],
        best=_BEST[scale],
        weights=WEIGHTS[mode],
    )
