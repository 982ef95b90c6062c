"""How far a thought reaches for memories: scales, thresholds, windows, weights."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from legacymind.embed.base import Thresholds
from legacymind.model.base import ALWAYS, Mode, Submode
from legacymind.settings import Settings

RECALLS_CAP: Final = 8
"""RECALLS to thoughts that one thought keeps, the strongest; knowledge does not count."""

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

_BEST: Final = (0, 0, 0, 5, 8, 8)
"""How many of the best ranked come whatever their cosine; 0: nothing is ranked but by cosine."""

_HITS: Final = (0, 0, 0, 5, 5, 5)
"""How many of the best by words come besides the strongest."""

_LATERAL: Final[tuple[tuple[str, ...], ...]] = (
    (),
    (),
    (),
    (),
    ("ASSOCIATES",),
    ("ASSOCIATES", "REFERENCES"),
)
"""Relationships that memories are looked for along; at scale 5 over two hops."""

_PLAYBOOKS: Final = 3
_STUCK_K: Final = 3
_RECENT: Final = timedelta(minutes=5)
_CONTRADICTION: Final = -0.1


@dataclass(frozen=True, slots=True)
class TieBreak:
    """What a submode would rather recall, of memories nearly as good: a name, and the words that tell it."""

    name: str
    words: str


def _tie_break(name: str, words: str) -> TieBreak:
    return TieBreak(name, rf"(?isU).*\b(?:{words})\b.*+")


_DELTAS: Final[dict[Submode, float]] = {"sarcastic": -0.05, "empathetic": 0.02}
_TIE_BREAKS: Final[dict[Submode, TieBreak]] = {
    "sarcastic": _tie_break(
        "contrarian",
        "but|however|although|yet|instead|despite|unlike|contrary|disagree(?:s|d)?|doubt(?:s|ed|ful)?|wrong"
        "|overrated|myth|supposedly",
    ),
    "philosophical": _tie_break(
        "abstract",
        "principles?|concepts?|theor(?:y|ies)|ideas?|meaning|nature|essence|pattern|purpose|values?|truth"
        "|abstract(?:ion|ly)?|in general|why",
    ),
    "empathetic": _tie_break(
        "emotional",
        "feel(?:s|ings?)?|felt|happy|sad|afraid|fear(?:s|ed)?|angry|anger|worr(?:y|ied)|anxious|proud|love(?:s|d)?"
        "|hate(?:s|d)?|hope(?:s|d)?|joy|grief|lonely|excited|frustrat(?:ed|ing|ion)|tired|relieved|grateful",
    ),
    "problem_solving": _tie_break(
        "solution",
        "fix(?:es|ed)?|solv(?:e|es|ed)|solutions?|resolv(?:e|es|ed)|works? now|worked|workarounds?|answers?"
        "|the cause was|helped|repaired|recovered",
    ),
}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """Everything a retrieval needs to know for one thought.

    ``via`` names the way of what is found by meaning alone. ``contradiction`` is what each contradiction of
    a memory adds to its score.
    """

    scale: int
    knowledge_k: int
    knowledge_threshold: float
    floor: float
    thoughts_k: int
    thoughts_threshold: float
    since: datetime
    pool: int
    best: int
    hits: int
    via: str
    playbooks: int
    lateral: tuple[str, ...]
    tie_break: TieBreak | None
    contradiction: float
    weights: Weights


def policy_for(
    scale: int,
    mode: Mode,
    submode: Submode | None,
    now: datetime,
    thresholds: Thresholds,
    settings: Settings,
    *,
    contradictions: bool = False,
) -> RecallPolicy:
    """The retrieval of one thought; thresholds are the model's unless the settings override them.

    With the submode ``adderall`` nothing is recalled but, from scale 1 on, the nearest thought of the last
    five minutes. ``contradictions`` recalls what contradicts the memories and takes nothing off their scores.
    """
    recent = submode == "adderall"
    wished, scale = scale, 0 if recent else scale
    knowledge, thoughts = _thresholds(scale, submode, thresholds, settings)
    window = _RECENT if recent else _WINDOWS[scale]
    most = (1 if wished else 0) if recent else _THOUGHTS_K[scale]
    floor = thresholds.floor if settings.floor is None else settings.floor
    return RecallPolicy(
        scale=scale,
        knowledge_k=min(_KNOWLEDGE_K[scale], settings.candidates),
        knowledge_threshold=knowledge,
        floor=floor,
        thoughts_k=min(most, _STUCK_K) if mode == "stuck" else most,
        thoughts_threshold=floor if recent else thoughts,
        since=ALWAYS if window is None or now - ALWAYS < window else now - window,
        pool=min(_POOLS[scale], settings.candidates),
        best=_BEST[scale],
        hits=0 if mode == "stuck" else _HITS[scale],
        via="recent" if recent else "vector",
        playbooks=_PLAYBOOKS if mode == "stuck" and scale else 0,
        lateral=(*_LATERAL[scale], "CONTRADICTS") if contradictions and scale else _LATERAL[scale],
        tie_break=_TIE_BREAKS.get(submode) if settings.submode_tuning and submode is not None else None,
        contradiction=0.0 if contradictions else _CONTRADICTION,
        weights=WEIGHTS[mode],
    )


def _thresholds(
    scale: int, submode: Submode | None, thresholds: Thresholds, settings: Settings
) -> tuple[float, float]:
    """The least cosines of knowledge and of thoughts."""
    step = min(max(scale, 1), 3) - 1
    set_by_hand = (settings.t1, settings.t2, settings.t3)[step]
    knowledge = thresholds.knowledge[step] if set_by_hand is None else set_by_hand
    thoughts = thresholds.thoughts[max(scale, 1) - 1]
    if not settings.submode_tuning or submode is None:
        return knowledge, thoughts
    delta = _DELTAS.get(submode, 0.0)
    return min(max(knowledge + delta, 0.0), 0.99), min(max(thoughts + delta, 0.0), 0.99)
