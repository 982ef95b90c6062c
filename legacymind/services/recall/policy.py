"""The recall policy of a thought: thresholds, windows, limits and weights by scale, mode and submode."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, get_args

from legacymind.embed.base import Thresholds
from legacymind.model.base import ALWAYS, Mode, Submode
from legacymind.ranking.relatedness import Relatedness
from legacymind.settings import Settings
from legacymind.settings.by_mode import numbers_for

RECALLS_CAP: Final = 8
"""The most RECALLS to thoughts that one thought keeps, strongest first. Knowledge does not count."""

_WINDOWS: Final = (
    timedelta(0),
    timedelta(hours=24),
    timedelta(days=7),
    timedelta(days=30),
    None,
    None,
)
LINKED: Final = 10
"""The best thoughts by vector, and as many by full text, whose links are followed.

With a pool of 40, R@10 of LoCoMo, REALTALK and BEAM differs by at most 0.2 from that with twice as many.
"""

_BEYOND: Final = (0, 2, 2, 2, 0, 0)
"""Most thoughts recalled from before the window."""

STANDING: Final = 2
"""Most standing preferences and instructions recalled in addition."""

STANDING_POOL: Final = 64
"""The newest standing preferences and instructions that are compared with a thought."""

STANDING_RELATED: Final = 0.45
"""The relatedness that a standing preference or instruction needs.

It is a cosine of .3 without a shared word, for MiniLM at scale 2. On BEAM, 27 of 33 questions about a
preference reach it; of 40 unrelated thoughts in three data sets, 1 % exceed .26.
"""

PLAYBOOKS_POOL: Final = 50
"""The most salient playbooks of the namespace that are compared with a problem."""

SESSION: Final = 20
"""Most thoughts of its own session that a thought in mode conclude recalls in addition."""

SESSION_POOL: Final = 64
"""The latest thoughts of the session among which they are found: some may be redacted, dormant or copies."""

_STRICTNESS: Final = (1.0, 1.0, 0.9, 0.8, 0.7, 0.6)
"""The cosine that recalls without a shared word, by scale, as the way from the floor (0) to t1 (1).

Measured with MiniLM (tests/bench/recall.py) on LoCoMo, REALTALK, BEAM and forty facts: at .9, 95 to 100 % of
the evidence among the first five of the ranking is recalled, and an unrelated thought recalls 0.1 to 0.7
memories. The way from the floor to t1 carries the figure to other models.
"""

_KNOWLEDGE_SHARE: Final = 0.4
_THOUGHTS_SHARE: Final = 0.25
"""The relatedness that a memory needs once recall is open, as a share of the best one's."""

_LEAST_WAY: Final = 0.01
"""The least distance between the cosines that count 0 and 1."""

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
_NEVER: Final = 2.0
"""A threshold above every cosine."""

_STUCK_K: Final = 3
_RECENT: Final = timedelta(minutes=5)
_CONTRADICTION: Final = -0.1


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A submode's preference among memories with nearly equal scores: its name and a pattern of words."""

    name: str
    words: re.Pattern[str]


def _tie_break(name: str, words: str) -> TieBreak:
    return TieBreak(name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))


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
_DEFAULTS: Final = Settings()
"""The values of what a setting leaves out. At scale 5 a pool of more than 60 finds nothing more."""


def _weights_for(mode: Mode, settings: Settings) -> Weights:
    similarity, recency, salience, access, days = numbers_for(mode, settings.weights, _DEFAULTS.weights)
    return Weights(similarity, recency, salience, access, days * _DAY)


WEIGHTS: Final[dict[Mode, Weights]] = {mode: _weights_for(mode, _DEFAULTS) for mode in get_args(Mode)}
"""The default weights of each mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """The parameters of one thought's recall.

    ``since`` is the start of the window and ``reach`` the time of the oldest candidate; at most ``beyond``
    memories are from before the window. In addition, at most ``standing`` standing preferences or
    instructions and the latest ``session`` thoughts of its own session are recalled. At most ``playbooks``
    are recalled: for the same error, else for problems with a cosine of at least ``similar_problem``. If
    ``playbooks_suffice``, those for the same error replace the search for thoughts. ``contradiction`` is
    added to a memory's score for each of its contradictions.
    """

    scale: int
    knowledge_k: int
    knowledge: Relatedness
    floor: float
    thoughts_k: int
    thoughts: Relatedness
    since: datetime
    reach: datetime
    beyond: int
    standing: int
    session: int
    pool: int
    via: str
    playbooks: int
    playbooks_suffice: bool
    similar_problem: float
    lateral: tuple[str, ...]
    tie_break: TieBreak | None
    contradiction: float
    weights: Weights

    @property
    def recalls(self) -> bool:
        """Whether anything is recalled."""
        return bool(self.thoughts_k or self.knowledge_k)

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
    """The recall policy of one thought. Thresholds follow from the model's unless the settings override them.

    The submode ``adderall`` recalls nothing at scale 0, and only the nearest thought of the last five minutes
    at higher scales. ``contradictions`` also recalls thoughts that contradict the memories and does not lower
    the scores of contradicted memories.
    """
    recent = submode == "adderall"
    requested, scale = scale, 0 if recent else scale
    window = _RECENT if recent else _WINDOWS[scale]
    since = ALWAYS if window is None or now - ALWAYS < window else now - window
    level = max(scale, 1) - 1
    most_thoughts = numbers_for(mode, settings.thoughts_k, _DEFAULTS.thoughts_k) if scale else (0,)
    most_knowledge = numbers_for(mode, settings.knowledge_k, _DEFAULTS.knowledge_k) if scale else (0,)
    pools = numbers_for(mode, settings.pools, _DEFAULTS.pools)
    thoughts_k = (1 if requested else 0) if recent else int(most_thoughts[level])
    floor = thresholds.floor if settings.floor is None else settings.floor
    beyond = _BEYOND[scale] if settings.beyond_window else 0
    thresholds_by_hand = numbers_for(mode, settings.thought_thresholds)
    override = (settings.t1, settings.t2, settings.t3)[min(max(scale, 1), 3) - 1]
    opening = floor + _STRICTNESS[scale] * (thresholds.knowledge[0] - floor)
    delta = _DELTAS.get(submode, 0.0) if settings.submode_tuning and submode is not None else 0.0
    return RecallPolicy(
        scale=scale,
        knowledge_k=min(int(most_knowledge[level]), settings.candidates),
        knowledge=_relatedness(
            opening if override is None else override,
            delta,
            floor,
            _KNOWLEDGE_SHARE,
            strict=override is not None,
        ),
        floor=floor,
        thoughts_k=min(thoughts_k, _STUCK_K) if mode == "stuck" else thoughts_k,
        thoughts=_relatedness(
            floor if recent else thresholds_by_hand[level] if thresholds_by_hand else opening,
            delta,
            floor,
            _THOUGHTS_SHARE,
            strict=recent or bool(thresholds_by_hand),
        ),
        since=since,
        reach=ALWAYS if beyond else since,
        beyond=beyond,
        standing=STANDING if scale else 0,
        session=SESSION if scale and mode == "conclude" else 0,
        pool=min(int(pools[level]), settings.candidates),
        via="recent" if recent else "vector",
        playbooks=_PLAYBOOKS if scale else 0,
        playbooks_suffice=mode == "stuck",
        similar_problem=thresholds.knowledge[0] if mode in ("debug", "stuck") else _NEVER,
        lateral=(*_LATERAL[scale], "CONTRADICTS") if contradictions and scale else _LATERAL[scale],
        tie_break=_TIE_BREAKS.get(submode) if settings.submode_tuning and submode is not None else None,
        contradiction=0.0 if contradictions else _CONTRADICTION,
        weights=_weights_for(mode, settings),
    )


def _relatedness(threshold: float, delta: float, floor: float, share: float, *, strict: bool) -> Relatedness:
    """The threshold moved by a submode, within 0 and 0.99, and a zero below it."""
    moved = min(max(threshold + delta, 0.0), 0.99)
    return Relatedness(moved, min(floor, moved - _LEAST_WAY), 0.0 if strict else share, strict)
