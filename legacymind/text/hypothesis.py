"""Whether a stored text states a hypothesis, contradicts it, or is only about something near."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, Literal

from legacymind.errors import InvalidInput
from legacymind.text.excerpts import sentences
from legacymind.text.words import STOP_WORDS, is_unspaced

Stance = Literal["supports", "contradicts", "related"]

PATTERNS: Final = tuple(
    """not no cannot false incorrect fails broken never doesn't isn't won't don't didn't can't couldn't wasn't
    weren't aren't hasn't haven't hadn't shouldn't wouldn't""".split()
)

MAX_PATTERNS: Final = 50
MAX_PATTERN: Final = 100  # characters

_SAME: Final = 0.75  # share of a hypothesis's words that a sentence about the same statement has

_APOSTROPHES: Final = "'‘’ʼ＇"
_IN_WORD: Final = r"[\w\u0300-\u036f]"
_WORD: Final = re.compile(rf"\d+(?:[.,:]\d+)*|{_IN_WORD}+")


def contradiction_regex(patterns: Sequence[str] | None = None) -> re.Pattern[str]:
    """A regular expression that finds at least one of the patterns in a text, as whole words.

    Case, kind of apostrophe and number of spaces do not matter. Patterns are plain text. Without a pattern
    that is not blank, ``PATTERNS`` are used. Raises InvalidInput for too many, too long or broken ones.
    """
    sent = dict.fromkeys(plain for pattern in patterns or () if (plain := _plain(pattern)))
    wanted: Sequence[str] = [*sent] or PATTERNS
    if len(wanted) > MAX_PATTERNS:
        said = f"contradiction_patterns has {len(wanted):,} patterns; the maximum is {MAX_PATTERNS}."
        raise InvalidInput(said, hint="Send only the most important ones.")
    longest = max(map(len, wanted))
    if longest > MAX_PATTERN:
        raise InvalidInput(
            f"A pattern of contradiction_patterns has {longest:,} characters; the maximum is {MAX_PATTERN}.",
            hint="Send words or short phrases instead of sentences.",
        )
    return re.compile("|".join(map(_whole, wanted)), re.IGNORECASE)


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


def _whole(pattern: str) -> str:
    """The expression of a pattern, with word boundaries where its script has them."""
    before = rf"(?<!{_IN_WORD})(?<!{_IN_WORD}[{_APOSTROPHES}])" if _has_borders(pattern[0]) else ""
    after = rf"(?![{_APOSTROPHES}]?{_IN_WORD})" if _has_borders(pattern[-1]) else ""
    literal = re.escape(pattern).replace(r"\ ", r"\s++")
    literal = "".join(f"[{_APOSTROPHES}]" if one in _APOSTROPHES else one for one in literal)
    return before + literal + after


def _has_borders(character: str) -> bool:
    in_word = character.isalnum() or character == "_"
    return in_word and not (is_unspaced(character) or "\u0e00" <= character <= "\u0eff")


def stance(hypothesis: str, text: str, contradicts: re.Pattern[str]) -> Stance:
    """How a stored text stands to a hypothesis: the sentence that says most about it decides.

    A sentence with nearly all of its words contradicts it if it has other numbers, or a pattern while the
    hypothesis denies nothing, or none while it does. One with its words and its numbers supports it. Words
    are compared, not meanings.
    """
    asked, numbers = _statement(hypothesis)
    denied = _DENIAL.search(hypothesis) is not None
    found: set[Stance] = set()
    for start, end in sentences(text):
        sentence = text[start:end]
        others, given = _statement(sentence)
        if len(asked & others) >= _SAME * max(len(asked), 1):
            opposed = denied is not (contradicts.search(sentence) is not None)
            if opposed or (numbers and given and not numbers & given):
                found.add("contradicts")
            elif numbers <= given:
                found.add("supports")
    return "contradicts" if "contradicts" in found else "supports" if "supports" in found else "related"


def _statement(text: str) -> tuple[set[str], set[str]]:
    """The words of a sentence apart from negations and stop words, without the ending s, and its numbers."""
    words = {word.lower() for word in _WORD.findall(_DENIAL.sub(" ", text))} - STOP_WORDS
    numbers = {word for word in words if word[0].isdigit()}
    return {word if len(word) < 4 else word.removesuffix("s") for word in words - numbers} - {"s"}, numbers


_DENIAL: Final = contradiction_regex()
