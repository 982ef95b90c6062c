"""The recall policy of a thought: thresholds, windows, limits and weights by scale, mode and submode."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from legacymind.embed.base import Thresholds
from legacymind.model.base import ALWAYS, Mode, Submode
from legacymind.settings import Settings

RECALLS_CAP: Final = 8
"""The most RECALLS to thoughts that one thought keeps, strongest first. Knowledge does not count."""

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
"""Candidates by vector, and from scale 3 as many by full text."""

_BEST: Final = (0, 0, 0, 5, 8, 8)
"""Best-ranked thoughts recalled whatever their cosine; 0: ranking is by cosine alone."""

_HITS: Final = (0, 0, 0, 5, 5, 5)
"""Best full-text hits recalled in addition to the strongest memories."""

_LATERAL: Final[tuple[tuple[str, ...], ...]] = (
    (),
    (),
    (),
    (),
    ("ASSOCIATES",),
    ("ASSOCIATES", "REFERENCES"),
)
"""Relationships followed to further memories: one hop at scale 4, two at scale 5."""

_PLAYBOOKS: Final = 3
_STUCK_K: Final = 3
_RECENT: Final = timedelta(minutes=5)
_CONTRADICTION: Final = -0.1


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A submode's preference among memories with nearly equal scores: its name and a pattern of words."""

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
    """The weights of a thought's score. ``tau`` is the decay time of recency in seconds."""

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
    """The parameters of one thought's recall.

    ``via`` is the label of memories found by vector alone. ``contradiction`` is added to a memory's score for
    each of its contradictions.
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

    @property
    def window(self) -> timedelta | None:
        """The age limit of recalled thoughts; None when there is none."""
        return _RECENT if self.via == "recent" else _WINDOWS[self.scale]


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
    """The recall policy of one thought. Thresholds are the model's unless the settings override them.

    The submode ``adderall`` recalls nothing at scale 0, and only the nearest thought of the last five minutes
    at higher scales. ``contradictions`` also recalls thoughts that contradict the memories and does not lower
    the scores of contradicted memories.
    """
    recent = submode == "adderall"
    requested, scale = scale, 0 if recent else scale
    knowledge, thoughts = _thresholds(scale, submode, thresholds, settings)
    window = _RECENT if recent else _WINDOWS[scale]
    thoughts_k = (1 if requested else 0) if recent else _THOUGHTS_K[scale]
    floor = thresholds.floor if settings.floor is None else settings.floor
    return RecallPolicy(
        scale=scale,
        knowledge_k=min(_KNOWLEDGE_K[scale], settings.candidates),
        knowledge_threshold=knowledge,
        floor=floor,
        thoughts_k=min(thoughts_k, _STUCK_K) if mode == "stuck" else thoughts_k,
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
    """The minimum cosines of knowledge and of thoughts."""
    step = min(max(scale, 1), 3) - 1
    override = (settings.t1, settings.t2, settings.t3)[step]
    knowledge = thresholds.knowledge[step] if override is None else override
    thoughts = thresholds.thoughts[max(scale, 1) - 1]
    if not settings.submode_tuning or submode is None:
        return knowledge, thoughts
    delta = _DELTAS.get(submode, 0.0)
    return min(max(knowledge + delta, 0.0), 0.99), min(max(thoughts + delta, 0.0), 0.99)
