"""Selects a thought's mode: by hint, trigger phrase or keywords. Holds the defaults of each mode."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, get_args

from legacymind.model.base import Mode, Submode
from legacymind.model.names import MODE_ALIASES, folded
from legacymind.model.think import Heuristics
from legacymind.text.passages import without_code

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
    """A mode's values for what the caller leaves out. ``technical`` modes embed code blocks too."""

    scale: int
    significance: float
    technical: bool


DEFAULTS: Final[dict[Mode, Defaults]] = {
    "question": Defaults(2, 0.5, technical=False),
    "conclude": Defaults(2, 0.5, technical=False),
    "debug": Defaults(3, 0.8, technical=True),
    "build": Defaults(2, 0.6, technical=True),
    "plan": Defaults(3, 0.7, technical=True),
    "stuck": Defaults(3, 0.9, technical=True),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected mode and the reason for it, and the submode that was asked for."""

    mode: Mode
    reason: str
    trigger: str | None = None
    heuristics: Heuristics | None = None
    submode: Submode | None = None


_SUBMODES: Final[dict[str, Submode]] = {folded(name): name for name in get_args(Submode)}
_VERBS: Final = frozenset({"wrap", "add"})  # inflected although another word follows: "wrapping up"
_DOUBLED: Final = {"wrap": "p", "bug": "g", "panic": "k"}
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ´＇", "'"))


def _form(phrase: str) -> str:
    """The group of a phrase in ``_WORDS``: its words with the endings s, es, ed and ing, as in "wiring"."""
    *first, last = phrase.replace("-", " ").split(" ")
    words = ["|".join(_endings(word) if word in _VERBS else [word]) for word in first]
    return "(" + r"(?:\s++|[-‐‑])".join(f"(?:{word})" for word in [*words, "|".join(_endings(last))]) + ")"


def _endings(word: str) -> list[str]:
    if word.endswith("e"):
        return [word, f"{word}s", f"{word[:-1]}ed", f"{word[:-1]}ing"]
    if word.endswith("y"):
        return [word, f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"]
    stem = word + _DOUBLED.get(word, "")
    return [word, f"{word}s", f"{word}es", f"{stem}ed", f"{stem}ing"]


_PHRASES: Final = tuple(dict.fromkeys(chain((phrase for phrase, _ in TRIGGERS), *KEYWORDS.values())))
_WORDS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(map(_form, _PHRASES))})(?!\w)")
"""All triggers and keywords as whole words: "error" is in "errors" but not in "terror" or "error_code"."""


def mode_of(name: str) -> Mode | None:
    """The mode of a name or alias, such as ``Debugging``; None for any other name."""
    wanted = folded(name)
    return MODE_ALIASES.get(wanted) or next((mode for mode in MODES if mode == wanted), None)


def select(
    content: str, hint: str | None = None, submode: str | None = None, among: Sequence[Mode] | None = None
) -> Selection:
    """The mode by hint, trigger phrase or keywords; ``question`` if keywords tie or are absent.

    A hint and a submode may each be in the other's place. With ``among``, only those modes are possible, and
    the first of them replaces ``question``. A hint that is not understood is a note in ``reason``.

    Fenced code counts for keywords only, and only if the prose has none: a pasted log shows that something
    failed, but identifiers in a program do not show what its author is doing.
    """
    hint, submode = (hint or "").strip(), submode or ""
    style = _SUBMODES.get(folded(submode)) or _SUBMODES.get(folded(hint))
    mode, reason, note = mode_of(hint), "hint specified", ""
    if hint and not mode and folded(hint) not in _SUBMODES:
        note = f"; hint {hint[:40]!r} is unknown; hints are {', '.join(MODES)}"
    if not mode and (mode := mode_of(submode)):
        reason = f"submode {submode!r} specified"
    if mode and among and mode not in among:
        mode, note = None, f"; mode {mode} does not apply here; modes are {', '.join(among)}"
    chosen = (
        Selection(mode, reason)
        if mode
        else _by_text(content, among or MODES, "question" if not among else among[0])
    )
    return replace(chosen, reason=chosen.reason + note, submode=style)


def _by_text(content: str, allowed: Sequence[Mode], usual: Mode) -> Selection:
    everything = unicodedata.normalize("NFC", content).translate(_APOSTROPHES).lower()
    prose = without_code(everything)
    texts = [text for text in (prose, everything) if text.strip()]
    for text in texts:
        phrases = {_PHRASES[phrase.lastindex - 1] for phrase in _WORDS.finditer(text) if phrase.lastindex}
        triggers = [pair for pair in TRIGGERS if pair[0] in phrases and pair[1] in allowed]
        if triggers and text is texts[0]:
            phrase, mode = triggers[0]
            return Selection(mode, f"trigger phrase '{phrase}'", trigger=phrase)
        words: dict[Mode, list[str]] = {
            mode: [word for word in KEYWORDS[mode] if word in phrases] for mode in KEYWORDS if mode in allowed
        }
        if best := max(map(len, words.values()), default=0):
            leaders: list[Mode] = [mode for mode, own in words.items() if len(own) == best]
            heuristics = Heuristics(keywords=[word for mode in leaders for word in words[mode]], score=best)
            if len(leaders) > 1:
                return Selection(usual, "default: keywords tie", heuristics=heuristics)
            return Selection(leaders[0], "heuristic keyword match", heuristics=heuristics)
    return Selection(usual, "default: no keyword matched")
