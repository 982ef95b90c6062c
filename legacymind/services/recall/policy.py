"""The recall policy of a thought: thresholds, windows, limits and weights by scale, mode and submode."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

from legacymind.embed.base import Thresholds
from legacymind.model.base import ALWAYS, Mode, Submode
from legacymind.ranking.knowledge import ModelCosines
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

STANDING: Final = 2
"""Most standing preferences and instructions recalled in addition."""

ListedRole = Literal["standing", "playbook"]
POOLS: Final[dict[ListedRole, int]] = {"standing": 64, "playbook": 50}
"""The newest standing preferences and instructions that are compared with a thought, and the most salient
playbooks that are compared with a problem.

Those standing come whose relatedness alone would open recall. On BEAM, 33 of the 42 that answer a question
come, and 0.8 for each question; with a relatedness of .45 it was 35 and 1.6, and all that came in
bench/precision.py were noise.
"""

STRICTNESS: Final = (1.0, 1.05, 0.9, 0.8, 0.7, 0.6)
"""The score from which a memory comes, by scale, as the way from the floor (0) to t1 (1).

Measured with MiniLM (bench/precision.py) on 16 texts with judged memories: of what comes at scale 2,
half is relevant and an eighth is noise, at scale 4 36 and 31 %, with 76 and 94 % of what is relevant.
The way from the floor to t1 fits other models. Scale 1 is that of the hook, which nobody asked: with 1.05
instead of 1, 9 instead of 11 of 102 prompts without an answer bring something (bench/silence.py), and one
of 60 answers fewer comes.
"""

_MOST: Final = "3,8,12,16,24; stuck=3,3,3,3,3"
"""Most thoughts by scale, where relatedness decides; in mode stuck playbooks come first."""

_MOST_BY_THRESHOLDS: Final = "2,5,8,12,20; stuck=3,3,3,3,3"
_BY_WORDS: Final = (0, 0, 0, 5, 5, 5)
"""With thresholds, the best by full text that come too, by scale."""

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

_POOLS: Final = (40, 40, 40, 60, 60)
"""Thoughts by vector, and as many by full text, that recall ranks at scales 1 to 5."""
"""The values of what a setting leaves out. At scale 5 a pool of more than 60 finds nothing more."""


def _weights_for(mode: Mode, settings: Settings) -> Weights:
    similarity, recency, salience, access, days = numbers_for(mode, settings.weights, _DEFAULTS.weights)
    return Weights(similarity, recency, salience, access, days * _DAY)


WEIGHTS: Final[dict[Mode, Weights]] = {mode: _weights_for(mode, _DEFAULTS) for mode in get_args(Mode)}
"""The default weights of each mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """The parameters of one thought's recall.

    ``since`` is the start of the window, whose memories are preferred, and ``reach`` the time of the oldest
    candidate. ``by_words`` thoughts come by full text alone. In addition, at most ``standing`` standing
    preferences or instructions are recalled. At most ``playbooks`` are recalled: for the same error, else for
    problems with a cosine of at least ``similar_problem``. If ``playbooks_suffice``, those for the same error
    replace the search for thoughts. ``contradiction`` is added to a memory's score for each of its
    contradictions.
    """

    scale: int
    knowledge_k: int
    knowledge: Relatedness
    floor: float
    cosines: ModelCosines
    thoughts_k: int
    thoughts: Relatedness
    by_words: int
    since: datetime
    reach: datetime
    standing: int
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
        if self.via == "recent":
            return _RECENT
        return None if self.reach == ALWAYS else _WINDOWS[self.scale]


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
    """The recall policy of one thought, by relatedness or, as the setting ``recall`` says, by thresholds.

    The submode ``adderall`` recalls nothing at scale 0, and only the nearest thought of the last five minutes
    at higher scales. ``contradictions`` also recalls thoughts that contradict the memories and does not lower
    the scores of contradicted memories.
    """
    recent = submode == "adderall"
    requested, scale = scale, 0 if recent else scale
    window = _RECENT if recent else _WINDOWS[scale]
    since = ALWAYS if window is None or now - ALWAYS < window else now - window
    level = max(scale, 1) - 1
    strict = settings.recall == "thresholds"
    most = _MOST_BY_THRESHOLDS if strict else _MOST
    most_thoughts = numbers_for(mode, settings.thoughts_k, most) if scale else (0,)
    most_knowledge = numbers_for(mode, settings.knowledge_k, _DEFAULTS.knowledge_k) if scale else (0,)
    thoughts_k = (1 if requested else 0) if recent else int(most_thoughts[level])
    floor = cosines(thresholds, settings).unrelated
    of_knowledge = of_thoughts = relatedness(STRICTNESS[scale], thresholds, settings).threshold
    if strict:
        third = min(max(scale, 1), 3) - 1
        by_hand = (settings.t1, settings.t2, settings.t3)[third]
        of_knowledge = thresholds.knowledge[third] if by_hand is None else by_hand
        of_thoughts = thresholds.thoughts[level]
    delta = _DELTAS.get(submode, 0.0) if settings.submode_tuning and submode is not None else 0.0
    return RecallPolicy(
        scale=scale,
        knowledge_k=min(int(most_knowledge[level]), settings.candidates),
        knowledge=_relatedness(of_knowledge, delta, floor, strict=strict),
        floor=floor,
        cosines=cosines(thresholds, settings),
        thoughts_k=thoughts_k,
        thoughts=_relatedness(floor if recent else of_thoughts, delta, floor, strict=strict or recent),
        by_words=_BY_WORDS[scale] if strict else 0,
        since=since,
        reach=since if strict or recent else ALWAYS,
        standing=STANDING if scale else 0,
        pool=min(_POOLS[level], settings.candidates),
        via="recent" if recent else "vector",
        playbooks=_PLAYBOOKS if scale else 0,
        playbooks_suffice=mode == "stuck",
        similar_problem=thresholds.knowledge[0] if mode in ("debug", "stuck") else _NEVER,
        lateral=(*_LATERAL[scale], "CONTRADICTS") if contradictions and scale else _LATERAL[scale],
        tie_break=_TIE_BREAKS.get(submode) if settings.submode_tuning and submode is not None else None,
        contradiction=0.0 if contradictions else _CONTRADICTION,
        weights=_weights_for(mode, settings),
    )


def cosines(thresholds: Thresholds, settings: Settings) -> ModelCosines:
    """The cosines that scores of knowledge refer to."""
    t1, _, t3 = thresholds.knowledge
    return ModelCosines(thresholds.floor if settings.floor is None else settings.floor, t1, t3)


def relatedness(strictness: float, thresholds: Thresholds, settings: Settings) -> Relatedness:
    """Related from this part of the way from the floor to t1, whatever the setting ``recall`` is."""
    floor, related, _ = cosines(thresholds, settings)
    return _relatedness(floor + strictness * (related - floor), 0.0, floor, strict=False)


def _relatedness(threshold: float, delta: float, floor: float, *, strict: bool) -> Relatedness:
    """The threshold moved by a submode, within 0 and 0.99, and a zero below it."""
    moved = min(max(threshold + delta, 0.0), 0.99)
    return Relatedness(moved, min(floor, moved - _LEAST_WAY), strict)
