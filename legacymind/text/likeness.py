"""How alike two names are: spelling, order of words, initials and acronyms."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from legacymind.text.keys import normalised

_WORD: Final = re.compile(r"\d+|[^\W\d_]+")
_SPELLING: Final = 0.8
"""The least share of letters that two spellings of a word have in common."""
_SMALL: Final = frozenset("a an and of the".split())
"""Words that an acronym may leave out."""

ORDER: Final = 0.95
"""The same words in another order."""
INITIALS: Final = 0.9
"""The same words, some of them as initials: "A. Lovelace"."""
ACRONYM: Final = 0.8
PART: Final = 0.7
"""All words of one name are in the other: "Ada" and "Ada Lovelace"."""
OTHER_WORD: Final = 0.5
"""The most for names of as many words of which one is another word: "launch of Apollo", "entry of Apollo"."""
OTHER_NUMBER: Final = 0.3
"""The most for names with different numbers: "server 1" and "server 2"."""


def likeness(one: str, other: str) -> float:
    """The likeness of two names, from 0 to 1, regardless of case, accents and punctuation.

    Otherwise it is the share of letters that both have in the same order (``difflib``).
    """
    first, second = _words(one), _words(other)
    if not first or not second:
        return float(normalised(one) == normalised(other))
    if "".join(first) == "".join(second):
        return 1.0
    if _numbers(first) != _numbers(second):
        return min(OTHER_NUMBER, _ratio(first, second))
    if sorted(first) == sorted(second):
        return ORDER
    if _initials(first, second):
        return INITIALS
    if _acronym(first, second) or _acronym(second, first):
        return ACRONYM
    if len(first) == len(second) > 1 and not all(map(_spellings, first, second)):
        return min(OTHER_WORD, _ratio(first, second))
    part = PART if set(first) <= set(second) or set(second) <= set(first) else 0.0
    return max(part, _ratio(first, second))


def _words(name: str) -> list[str]:
    """The words and numbers of a name in lower case, without accents."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return _WORD.findall(plain.casefold())


def _numbers(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if word[0].isdigit())


def _ratio(first: Sequence[str], second: Sequence[str]) -> float:
    # In one order: the ratio of difflib depends on it.
    return SequenceMatcher(None, *sorted((" ".join(first), " ".join(second))), autojunk=False).ratio()


def _spellings(one: str, other: str) -> bool:
    """Whether two words may be one: they differ in few letters, or one begins with the other."""
    shorter, longer = sorted((one, other), key=len)
    return (longer.startswith(shorter) and len(shorter) > 1) or _ratio([one], [other]) >= _SPELLING


def _initials(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether each word is the other one or its initial, and at least one word is the same."""
    pairs = [sorted(pair, key=len) for pair in zip(first, second, strict=False)]
    return (
        len(first) == len(second)
        and any(one == other for one, other in pairs)
        and all(shorter in (longer, longer[0]) for shorter, longer in pairs)
    )


def _acronym(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether one word has the first letters of at least two words, with or without the small ones."""
    if len(short) != 1 or len(long) < 2 or len(short[0]) < 2:
        return False
    big = [word for word in long if word not in _SMALL]
    return short[0] in ("".join(word[0] for word in long), "".join(word[0] for word in big))
