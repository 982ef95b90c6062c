"""The words that make a text speak against a hypothesis, as one regular expression for Cypher's ``=~``."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from legacymind.errors import InvalidInput

PATTERNS: Final = (
    "not",
    "no",
    "cannot",
    "false",
    "incorrect",
    "fails",
    "broken",
    "doesn't",
    "isn't",
    "won't",
)
"""What contradicts when the caller names nothing."""

MAX_PATTERNS: Final = 50
MAX_PATTERN: Final = 100
"""Characters of one pattern, spaces in a row counted once."""

_APOSTROPHES: Final = "'‘’ʼ＇"
_WORDS_TOUCH: Final = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
"""Scripts that put no space between words, by the beginning of their letters' Unicode names."""


def contradiction_regex(patterns: Sequence[str] | None = None) -> str:
    """One Java regular expression that is true of a text which holds any of the patterns as whole words.

    Matches the whole text, as ``=~`` asks for, over any number of lines, in any case, with straight or curly
    apostrophes and any run of spaces between the words of a pattern. ``not`` is found neither in ``nothing``
    nor in ``not_found``, and ``is`` not in ``isn't``. A pattern is plain text: whatever it has of regular
    expressions stands for itself. Without a pattern that says anything the default ones are used.
    Raises InvalidInput for more than 50 patterns, or one of more than 100 characters.
    """
    shown = [_plain(pattern) for pattern in patterns or ()]
    wanted = list(dict.fromkeys(pattern for pattern in shown if pattern))
    if len(wanted) > MAX_PATTERNS:
        raise InvalidInput(
            f"contradiction_patterns has {len(wanted):,} patterns; at most {MAX_PATTERNS} are looked for.",
            hint="Send the ones that matter most.",
        )
    for pattern in wanted:
        if len(pattern) > MAX_PATTERN:
            raise InvalidInput(
                f"A pattern of contradiction_patterns has {len(pattern):,} characters; "
                f"at most {MAX_PATTERN} are looked for.",
                hint="Send the words that contradict, not sentences.",
            )
    # Nothing repeats inside a repetition and the tail gives nothing back: the time grows with the text only.
    return f"(?isuU).*{_any([_whole(pattern) for pattern in wanted or PATTERNS])}.*+"


def _plain(pattern: str) -> str:
    """A pattern with single spaces, composed, without control characters."""
    try:
        pattern.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            "A pattern of contradiction_patterns is not valid Unicode: it has a lone surrogate.",
            hint="Send well-formed UTF-8.",
        ) from None
    shown = "".join(" " if unicodedata.category(one) == "Cc" else one for one in pattern)
    return unicodedata.normalize("NFC", " ".join(shown.split()))


def _whole(pattern: str) -> list[str]:
    """A pattern in Java's parts, standing on its own where it begins and ends with a letter or digit."""
    before = [rf"(?<!\w)(?<!\w[{_APOSTROPHES}])"] if _joins(pattern[0]) else []
    after = [rf"(?![{_APOSTROPHES}]?\w)"] if _joins(pattern[-1]) else []
    return [*before, *(_literal(character) for character in pattern), *after]


def _any(patterns: list[list[str]]) -> str:
    """One of the patterns; what several begin with is tried once, not once for each."""
    if not all(patterns):
        return ""  # one is complete here, and the longer ones add nothing to it
    tails: dict[str, list[list[str]]] = {}
    for head, *tail in patterns:
        tails.setdefault(head, []).append(tail)
    branches = [f"{head}{_any(rest)}" for head, rest in tails.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _joins(character: str) -> bool:
    """Whether a word would go on beside this character."""
    return (character.isalnum() or character == "_") and not unicodedata.name(character, "").startswith(
        _WORDS_TOUCH
    )


def _literal(character: str) -> str:
    if character == " ":
        return r"\s++"
    if character in _APOSTROPHES:
        return f"[{_APOSTROPHES}]"
    return f"\\{character}" if character.isascii() and not character.isalnum() else character
