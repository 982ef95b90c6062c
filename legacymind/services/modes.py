"""Which mode a thought is in, and what follows from it: three tiers, and defaults."""

import re
from dataclasses import dataclass
from typing import Final

from legacymind.model import Heuristics, Mode

MODES: Final[tuple[Mode, ...]] = ("debug", "build", "plan", "stuck", "question", "conclude")

TRIGGERS: Final[tuple[tuple[str, Mode], ...]] = (
    ("debug time", "debug"),
    ("building time", "build"),
    ("plan time", "plan"),
    ("planning time", "plan"),
    ("i'm stuck", "stuck"),
    ("stuck", "stuck"),
    ("question time", "question"),
    ("wrap up", "conclude"),
    ("conclude", "conclude"),
)

KEYWORDS: Final[dict[Mode, tuple[str, ...]]] = {
    "debug": ("error", "bug", "stack trace", "failed", "exception", "panic"),
    "build": ("implement", "create", "add function", "build", "scaffold", "wire"),
    "plan": ("architecture", "design", "approach", "how should", "strategy", "trade-off"),
    "stuck": ("stuck", "unsure", "confused", "not sure", "blocked"),
}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a mode sets when the caller does not: injection scale, significance, origin."""

    scale: int
    significance: float
    origin: str
    technical: bool


DEFAULTS: Final[dict[Mode, Defaults]] = {
    "question": Defaults(2, 0.5, "human", technical=False),
    "conclude": Defaults(2, 0.5, "human", technical=False),
    "debug": Defaults(3, 0.8, "tool", technical=True),
    "build": Defaults(2, 0.6, "tool", technical=True),
    "plan": Defaults(3, 0.7, "tool", technical=True),
    "stuck": Defaults(3, 0.9, "tool", technical=True),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """A chosen mode and why."""

    mode: Mode
    reason: str
    trigger: str | None = None
    heuristics: Heuristics | None = None


def _matcher(phrase: str) -> re.Pattern[str]:
    # At the start of a word, with its usual endings: "errors" is "error", "terror" is not.
    stem = re.escape(phrase[:-1]) + "(?:e|es|ed|ing)" if phrase.endswith("e") else re.escape(phrase)
    return re.compile(rf"(?<!\w){stem}(?:s|es|ed|ing)?(?!\w)", re.IGNORECASE)


_TRIGGERS: Final[tuple[tuple[str, Mode, re.Pattern[str]], ...]] = tuple(
    (phrase, mode, _matcher(phrase)) for phrase, mode in TRIGGERS
)
_KEYWORDS: Final[dict[Mode, tuple[tuple[str, re.Pattern[str]], ...]]] = {
    mode: tuple((word, _matcher(word)) for word in words) for mode, words in KEYWORDS.items()
}


def select(content: str, hint: str | None) -> Selection:
    """Hint, else trigger phrase, else keywords; a tie or no keyword at all is ``question``."""
    wished = (hint or "").strip().lower()
    if wished in MODES:
        return Selection(wished, "hint specified")
    plain = content.replace("’", "'")
    for phrase, mode, matcher in _TRIGGERS:
        if matcher.search(plain):
            return Selection(mode, f"trigger phrase '{phrase}'", trigger=phrase)
    found: dict[Mode, list[str]] = {
        mode: [word for word, matcher in matchers if matcher.search(plain)]
        for mode, matchers in _KEYWORDS.items()
    }
    best = max(len(words) for words in found.values())
    leaders: list[Mode] = [mode for mode, words in found.items() if len(words) == best]
    if best == 0:
        return Selection("question", "default: no keyword matched")
    if len(leaders) > 1:
        every = [word for mode in leaders for word in found[mode]]
        return Selection(
            "question", "default: keywords tie", heuristics=Heuristics(keywords=every, score=best)
        )
    (mode,) = leaders
    return Selection(mode, "heuristic keyword match", heuristics=Heuristics(keywords=found[mode], score=best))
