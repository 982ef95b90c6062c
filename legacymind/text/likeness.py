"""How alike two names are, and whether one only looks like another."""

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

_WORD: Final = re.compile(r"\d+|[^\W\d_]+")
_LONGEST: Final = 200  # characters of a name that are compared: the time of difflib is quadratic
_ALIKE: Final = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look the same, by the first word of the names of their letters."""

_OTHER_NUMBER: Final = 0.3
"""The most for names with different numbers: "server 1" and "server 2"."""


def likeness(one: str, other: str) -> float:
    """The share of letters that two names have in common, from 0 to 1 (``difflib``).

    Case, accents, punctuation and the order of words make no difference.
    """
    first, second = sorted((_words(one), _words(other)))  # the ratio of difflib depends on their order
    ratio = SequenceMatcher(None, " ".join(first), " ".join(second), autojunk=False).ratio()
    numbers, others = ([word for word in words if word[0].isdigit()] for words in (first, second))
    return ratio if numbers == others else min(ratio, _OTHER_NUMBER)


def mixes_scripts(name: str) -> bool:
    """Whether a word has letters of several scripts that look alike, as "pаypal" with a Cyrillic "а"."""
    words = _WORD.findall(name)
    return any(len(_ALIKE & {unicodedata.name(c, "").partition(" ")[0] for c in word}) > 1 for word in words)


def _words(name: str) -> list[str]:
    """The words and numbers of a name in lower case, without accents, sorted."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name[:_LONGEST]) if not unicodedata.combining(c))
    return sorted(_WORD.findall(plain.casefold()))
