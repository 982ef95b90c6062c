"""Which mode a thought is in, and what follows from it: three tiers, and defaults."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from legacymind.model.base import Mode
from legacymind.model.think import Heuristics
from legacymind.text.passages import CODE_FENCE

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


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A trigger or keyword as it is looked for in lower-case text; ``stem`` is in whatever matches."""

    name: str
    stem: str
    form: re.Pattern[str]

    def found_in(self, low: str) -> bool:
        """Whether the text has it."""
        return self.stem in low and self.form.search(low) is not None


_VERBS: Final = frozenset({"wrap", "add"})  # take endings though another word follows: "wrapping up"
_SHORT: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ´＇", "'"))


def _endings(word: str) -> list[str]:
    """A word with s, es, ed and ing, as English spells them: wiring, strategies, bugged, panicked."""
    if word.endswith("e"):
        return [word, f"{word}s", f"{word[:-1]}ed", f"{word[:-1]}ing"]
    if word.endswith("y"):
        return [word, f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"]
    doubled = "k" if word.endswith("c") else word[-1] if _SHORT.fullmatch(word) else ""
    return [word, *(f"{word}{end}" for end in ("s", "es", "ed", "ing", f"{doubled}ed", f"{doubled}ing"))]


def _phrase(name: str) -> _Phrase:
    """Standing on its own: "errors" is "error"; "terror" and "error_code" are not."""
    *first, last = re.split("[ -]", name)
    words = [_endings(word) if word in _VERBS else [word] for word in first] + [_endings(last)]
    parts = ("|".join(re.escape(form) for form in dict.fromkeys(forms)) for forms in words)
    return _Phrase(
        name,
        words[0][0].rstrip("ey"),
        re.compile(r"(?<!\w)" + r"(?:\s+|[-‐‑])".join(f"(?:{part})" for part in parts) + r"(?!\w)"),
    )


_TRIGGERS: Final[tuple[tuple[_Phrase, Mode], ...]] = tuple((_phrase(name), mode) for name, mode in TRIGGERS)
_KEYWORDS: Final[dict[Mode, tuple[_Phrase, ...]]] = {
    mode: tuple(_phrase(word) for word in words) for mode, words in KEYWORDS.items()
}


def select(content: str, hint: str | None, among: Sequence[Mode] | None = None) -> Selection:
    """Hint, else trigger phrase, else keywords; a tie or no keyword at all is ``question``.

    ``among``: no other mode is looked for, and the first of them stands for ``question``.

    Fenced code is looked at for keywords only, and only when the prose has none: a pasted log says that
    something failed, but the names in a program are not what its writer is doing.
    """
    wished = (hint or "").strip().lower()
    allowed = among or MODES
    if wished in allowed:
        return Selection(cast("Mode", wished), "hint specified")
    everything = unicodedata.normalize("NFC", content).translate(_APOSTROPHES).lower()
    prose = CODE_FENCE.sub(" ", everything)
    if not prose.strip():
        prose = everything
    for phrase, mode in _TRIGGERS:
        if mode in allowed and phrase.found_in(prose):
            return Selection(mode, f"trigger phrase '{phrase.name}'", trigger=phrase.name)
    usual: Mode = among[0] if among else "question"
    chosen = _by_keywords(prose, allowed, usual) or _by_keywords(everything, allowed, usual)
    return chosen or Selection(usual, "default: no keyword matched")


def explained(stored: Mode, content: str, chosen: Selection) -> Selection:
    """Why a thought that is stored already has its mode: as just chosen, else by its text, else by a hint."""
    for selection in (chosen, select(content, None)):
        if selection.mode == stored:
            return selection
    return Selection(stored, "hint specified")


def _by_keywords(low: str, allowed: Sequence[Mode], usual: Mode) -> Selection | None:
    """The mode with the most different keywords, or None when there is no keyword."""
    found: dict[Mode, list[str]] = {
        mode: [phrase.name for phrase in phrases if phrase.found_in(low)]
        for mode, phrases in _KEYWORDS.items()
        if mode in allowed
    }
    best = max((len(words) for words in found.values()), default=0)
    if best == 0:
        return None
    leaders: list[Mode] = [mode for mode, words in found.items() if len(words) == best]
    words = [word for mode in leaders for word in found[mode]]
    heuristics = Heuristics(keywords=words, score=best)
    if len(leaders) > 1:
        return Selection(usual, "default: keywords tie", heuristics=heuristics)
    return Selection(leaders[0], "heuristic keyword match", heuristics=heuristics)
