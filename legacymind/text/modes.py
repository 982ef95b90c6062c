"""Selects a thought's mode: by hint, trigger phrase or keywords. Holds the defaults of each mode."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, cast, get_args

from legacymind.model.base import Mode, Submode
from legacymind.model.names import MODE_ALIASES, folded
from legacymind.model.think import Heuristics
from legacymind.text.error_signature import is_only_error
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
    """The selected mode and the reason for it."""

    mode: Mode
    reason: str
    trigger: str | None = None
    heuristics: Heuristics | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What a hint and a submode ask for. ``notes`` has what was not understood or not used."""

    mode: Mode | None = None
    submode: Submode | None = None
    reason: str = "hint specified"
    notes: tuple[str, ...] = ()


_SUBMODES: Final[dict[str, Submode]] = {folded(name): name for name in get_args(Submode)}
_VERBS: Final = frozenset({"wrap", "add"})  # inflected although another word follows: "wrapping up"
_SHORT: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘ʼ´＇", "'"))

_SOLVED: Final = re.compile(
    r"\W*(?:(?:problem|issue|bug|it(?:'s| is)|this is|that's)\s+)?(?:solved|resolved|fixed)"
    r"(?:\s*(?:[^\w\s?-]|$)|\s+-|\s+(?:by|with|in|it|now|that|this|the|my|our)\b)|"
    r"\W*(?:it|that) works now\b",
    re.IGNORECASE,
)
"""Words at the beginning that end a problem; no adjective, as in "fixed costs"."""


def _endings(word: str) -> list[str]:
    """A word and its English forms with s, es, ed and ing, such as wiring, strategies, bugged, panicked."""
    if word.endswith("e"):
        return [word, f"{word}s", f"{word[:-1]}ed", f"{word[:-1]}ing"]
    if word.endswith("y"):
        return [word, f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"]
    doubled = "k" if word.endswith("c") else word[-1] if _SHORT.fullmatch(word) else ""
    return [word, *(f"{word}{end}" for end in ("s", "es", "ed", "ing", f"{doubled}ed", f"{doubled}ing"))]


def _found(phrase: str, low: str) -> bool:
    """Whether a lower-case text contains a trigger or keyword."""
    stem, form = _form(phrase)
    return stem in low and form.search(low) is not None


@cache
def _form(phrase: str) -> tuple[str, re.Pattern[str]]:
    """What every match of a phrase contains, and its pattern.

    A phrase matches as whole words: "error" matches "errors" but not "terror" or "error_code".
    """
    *first, last = re.split("[ -]", phrase)
    words = [_endings(word) if word in _VERBS else [word] for word in first] + [_endings(last)]
    parts = ("|".join(re.escape(form) for form in dict.fromkeys(forms)) for forms in words)
    return words[0][0].rstrip("ey"), re.compile(
        r"(?<!\w)" + r"(?:\s+|[-‐‑])".join(f"(?:{part})" for part in parts) + r"(?!\w)"
    )


def mode_of(name: str) -> Mode | None:
    """The mode of a name or alias, such as ``Debugging``; None for any other name."""
    wanted = folded(name)
    return MODE_ALIASES.get(wanted) or next((mode for mode in MODES if mode == wanted), None)


def understand(hint: str | None, submode: str | None, among: Sequence[Mode] | None = None) -> Wish:
    """The mode and the submode that a hint and a submode name, each of them possibly in the other's place.

    With ``among``, only those modes are possible.
    """
    by_hint = mode_of(hint) if hint else None
    by_submode = mode_of(submode) if submode else None
    style = None if by_submode or not submode else cast("Submode", submode)
    notes: list[str] = []
    if hint and hint.strip() and by_hint is None:
        shown = hint.strip()[:40]
        named = _SUBMODES.get(folded(hint))
        if named is None:
            notes.append(f"hint {shown!r} is unknown; hints are {', '.join(MODES)}")
        elif style is None:
            style = named
            notes.append(f"hint {shown!r} is a submode and was used as one")
        elif style != named:
            notes.append(f"hint {shown!r} is a submode; the submode {style} was used")
    if by_hint and by_submode and by_hint != by_submode:
        notes.append(f"submode {submode!r} is the mode {by_submode}; the hint was used")
    mode, reason = by_hint, "hint specified"
    if mode is None and by_submode:
        mode, reason = by_submode, f"submode {submode!r} specified"
    if mode and among and mode not in among:
        notes.append(f"mode {mode} does not apply here; modes are {', '.join(among)}")
        mode = None
    return Wish(mode, style, reason, tuple(notes))


def select(content: str, hint: str | Wish | None, among: Sequence[Mode] | None = None) -> Selection:
    """The mode by hint, trigger phrase or keywords; ``question`` if keywords tie or are absent.

    A text that is only an error is ``debug``, whatever words its message has.

    With ``among``, only those modes are possible, and the first of them replaces ``question``. A hint that is
    not understood is a note in ``reason``.

    Fenced code counts for keywords only, and only if the prose has none: a pasted log shows that something
    failed, but identifiers in a program do not show what its author is doing.
    """
    wish = hint if isinstance(hint, Wish) else understand(hint, None, among)
    chosen = Selection(wish.mode, wish.reason) if wish.mode else _by_text(content, among)
    return replace(chosen, reason="; ".join((chosen.reason, *wish.notes)))


def _by_text(content: str, among: Sequence[Mode] | None) -> Selection:
    allowed = among or MODES
    everything = unicodedata.normalize("NFC", content).translate(_APOSTROPHES).lower()
    prose = without_code(everything)
    if not prose.strip():
        prose = everything
    only_error = "debug" in allowed and is_only_error(content)
    for phrase, mode in TRIGGERS:
        # A single word may be part of the error's message.
        if mode in allowed and _found(phrase, prose) and not (only_error and " " not in phrase):
            return Selection(mode, f"trigger phrase '{phrase}'", trigger=phrase)
    if only_error:
        return Selection("debug", "the text is only an error")
    usual: Mode = among[0] if among else "question"
    chosen = _by_keywords(prose, allowed, usual) or _by_keywords(everything, allowed, usual)
    return chosen or Selection(usual, "default: no keyword matched")


def _by_keywords(low: str, allowed: Sequence[Mode], usual: Mode) -> Selection | None:
    """The mode with the most distinct keywords; None if there is no keyword."""
    matches: dict[Mode, list[str]] = {
        mode: [word for word in words if _found(word, low)]
        for mode, words in KEYWORDS.items()
        if mode in allowed
    }
    best = max((len(words) for words in matches.values()), default=0)
    if best == 0:
        return None
    leaders: list[Mode] = [mode for mode, words in matches.items() if len(words) == best]
    words = [word for mode in leaders for word in matches[mode]]
    heuristics = Heuristics(keywords=words, score=best)
    if len(leaders) > 1:
        return Selection(usual, "default: keywords tie", heuristics=heuristics)
    return Selection(leaders[0], "heuristic keyword match", heuristics=heuristics)


def ends_problem(mode: Mode, content: str) -> bool:
    """Whether a thought ends the problem that it followed from: it concludes, or begins with "Solved:"."""
    return mode == "conclude" or _SOLVED.match(content) is not None
