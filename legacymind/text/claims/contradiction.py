"""Builds the regular expression that finds texts contradicting a hypothesis."""

import re
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
    "never",
    "don't",
    "didn't",
    "can't",
    "couldn't",
    "wasn't",
    "weren't",
    "aren't",
    "hasn't",
    "haven't",
    "hadn't",
    "shouldn't",
    "wouldn't",
)
"""The default patterns: ten of the design, and further negations of verbs."""

MAX_PATTERNS: Final = 50
MAX_PATTERN: Final = 100
"""Maximum length of a pattern, in characters; a run of spaces counts as one."""

_APOSTROPHES: Final = "'‘’ʼ＇"
_IN_WORD: Final = r"[\w\u0300-\u036f]"
r"""``\w`` lacks combining accents."""

_UNSPACED_SCRIPTS: Final = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
"""Prefixes of Unicode names of letters in scripts that put no space between words."""


def contradiction_regex(patterns: Sequence[str] | None = None) -> re.Pattern[str]:
    """A regular expression that finds at least one of the patterns in a text, as whole words.

    It finds them regardless of case, kind of apostrophe and number of spaces. ``not`` matches neither
    ``nothing`` nor ``not_found``, and ``is`` does not match ``isn't``. Patterns are plain text: characters
    with a meaning in regular expressions are escaped. Without a pattern that is not blank, ``PATTERNS`` are
    used. Raises InvalidInput for more than 50 patterns, for a pattern of more than 100 characters, or for one
    that is not valid Unicode.
    """
    plain = [_plain(pattern) for pattern in patterns or ()]
    wanted = list(dict.fromkeys(pattern for pattern in plain if pattern))
    if len(wanted) > MAX_PATTERNS:
        raise InvalidInput(
            f"contradiction_patterns has {len(wanted):,} patterns; the maximum is {MAX_PATTERNS}.",
            hint="Send only the most important ones.",
        )
    for pattern in wanted:
        if len(pattern) > MAX_PATTERN:
            raise InvalidInput(
                f"A pattern of contradiction_patterns has {len(pattern):,} characters; "
                f"the maximum is {MAX_PATTERN}.",
                hint="Send words or short phrases instead of sentences.",
            )
    # No nested repetition: matching time is linear in the length of the text.
    return re.compile(_any([_whole(pattern) for pattern in wanted or PATTERNS]), re.IGNORECASE)


def _plain(pattern: str) -> str:
    """A pattern in NFC with single spaces and no control characters. Raises InvalidInput."""
    try:
        pattern.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            "A pattern of contradiction_patterns is not valid Unicode: it contains a lone surrogate.",
            hint="Send well-formed UTF-8.",
        ) from None
    shown = "".join(" " if unicodedata.category(one) == "Cc" else one for one in pattern)
    return unicodedata.normalize("NFC", " ".join(shown.split()))


def _whole(pattern: str) -> list[str]:
    """The parts of a pattern's expression, with word boundaries at its ends where needed."""
    before = [rf"(?<!{_IN_WORD})(?<!{_IN_WORD}[{_APOSTROPHES}])"] if _needs_boundary(pattern[0]) else []
    after = [rf"(?![{_APOSTROPHES}]?{_IN_WORD})"] if _needs_boundary(pattern[-1]) else []
    return [*before, *(_literal(character) for character in pattern), *after]


def _any(patterns: list[list[str]]) -> str:
    """An alternation of the patterns as a prefix tree, so that common beginnings are matched once."""
    if not all(patterns):
        return ""  # one pattern ends here; longer ones match nothing more
    tails: dict[str, list[list[str]]] = {}
    for head, *tail in patterns:
        tails.setdefault(head, []).append(tail)
    branches = [f"{head}{_any(rest)}" for head, rest in tails.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _needs_boundary(character: str) -> bool:
    """Whether this character needs a word boundary beside it."""
    return (character.isalnum() or character == "_") and not unicodedata.name(character, "").startswith(
        _UNSPACED_SCRIPTS
    )


def _literal(character: str) -> str:
    if character == " ":
        return r"\s++"
    if character in _APOSTROPHES:
        return f"[{_APOSTROPHES}]"
    return f"\\{character}" if character.isascii() and not character.isalnum() else character
