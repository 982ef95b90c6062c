"""Keys that decide whether two names, or two facts, are the same, and whether a text has a name."""

import hashlib
import re
import uuid
from bisect import bisect_left
from functools import lru_cache
from itertools import islice
from typing import Final, TypedDict

from legacymind.text.words import MARKS, STOP_WORDS, unified

MAX_RUNS: Final = 8000
"""Runs of words of a text that are compared with names: those of its first 1,500 words or so."""

_UNSPACED = r"\u3040-\u309f\u3400-\u9fff"
_LETTERS = rf"(?:[^\W_{_UNSPACED}]|[{MARKS}])+"
_WORD = re.compile(rf"[{_UNSPACED}]|{_LETTERS}(?:(?:[.'’]|:(?!\d)|_+){_LETTERS})*[+#]*")
"""A word as full text cuts texts: a Chinese character, or letters and digits, and what is between them in
"Node.js" and "O'Brien". Its plus and number signs belong to it, so that "C++" is not "C"."""

_POSSESSIVES = ("'s", "’s")

_WORDS: Final = 5
_CHARACTERS: Final = 8
"""The most words of a name, and of one that begins with a Chinese character."""

_SIGNS: Final = 2
"""The most signs before a name and after it that may belong to it, as in ".NET" and "Yahoo!"."""

_LONGEST: Final = 200
"""The most characters of a run."""


def normalised(name: str) -> str:
    """The key of a name: one form of characters that look alike, case-folded, single spaces."""
    return " ".join(unified(name).split()).casefold()


def fact_key(content: str) -> str:
    """The key of a fact: the SHA-256 digest of its normalised text, in hexadecimal."""
    return hashlib.sha256(normalised(content).encode()).hexdigest()


_IDS: Final = uuid.UUID("6f9d3a52-7c1e-4b0a-9d55-2f1b8e0c4a17")


def knowledge_id(*key: str) -> str:
    """The id of knowledge with this key, on every machine: of an entity, namespace and keys of name and type;
    of a fact, id of the entity and key; of a relation, ids of its ends around the type."""
    return str(uuid.uuid5(_IDS, "\0".join(key)))


class PossibleNames(TypedDict):
    """Keys of names that a text may have, and what they begin with, as statements get them."""

    beginning: str
    keys: list[str]


def possible_names(text: str) -> list[PossibleNames]:
    """The runs of up to five words of a text, as keys of the names that they may be, by their beginnings.

    A run is a piece of the normalised text, so a name is found as it is written, punctuation included: with
    the signs beside it or without them, and without "'s". Runs of stop words only are left out, and single
    Chinese characters. There are about ``MAX_RUNS`` at most, in the order of the text.
    """
    folded = normalised(text)
    words = list(islice(_WORD.finditer(folded), MAX_RUNS))
    bounds = [0, *(at for word in words for at in word.span()), len(folded)]
    ends = [_ends(folded, word, bounds[2 * n + 3]) for n, word in enumerate(words)]
    telling = [n for n, word in enumerate(words) if word[0] not in STOP_WORDS]
    found: dict[str, dict[str, None]] = {}
    count = 0
    for n, word in enumerate(words):
        alone = _is_unspaced(word[0])
        told = bisect_left(telling, n)
        if told == len(telling):
            break
        lasts = ends[max(n + alone, telling[told]) : n + (_CHARACTERS if alone else _WORDS)]
        reached = [end for own in lasts for end in own if end - word.start() <= _LONGEST]
        for start in _starts(folded, bounds[2 * n], word.start()) if reached else ():
            own = found.setdefault(folded[start : ends[n][0]], {})
            own.update(dict.fromkeys([folded[start:end] for end in reached]))
            count += len(reached)
        if count >= MAX_RUNS:
            break
    return [{"beginning": beginning, "keys": list(own)} for beginning, own in found.items()]


def is_named(name_key: str, text: str) -> bool:
    """Whether a text has the name with this key."""
    return any(name_key in own["keys"] for own in possible_names(text))


def says(name_key: str, text: str) -> bool:
    """Whether a text has the name with this key anywhere, between two letters of other words nowhere.

    Unlike ``is_named`` it reads the whole text, and takes "Ada" in "ada@example.org" or "ada_l" for the name:
    what is forgotten is rather too much.
    """
    return _whole(name_key).search(normalised(text)) is not None


@lru_cache(100)
def _whole(name_key: str) -> re.Pattern[str]:
    letter = rf"[^\W_{_UNSPACED}]"
    before, after = (
        side if edge.isalnum() and not _is_unspaced(edge) else ""
        for side, edge in ((rf"(?<!{letter})", name_key[:1]), (rf"(?!{letter})", name_key[-1:]))
    )
    return re.compile(f"{before}{re.escape(name_key)}{after}")


def _is_unspaced(character: str) -> bool:
    return "\u3040" <= character <= "\u309f" or "\u3400" <= character <= "\u9fff"


def _starts(text: str, least: int, start: int) -> list[int]:
    """The start of a word, and those with the signs directly before it."""
    most = start
    while start > max(least, most - _SIGNS) and text[start - 1] != " ":
        start -= 1
    return list(range(most, start - 1, -1))


def _ends(text: str, word: re.Match[str], most: int) -> list[int]:
    """The ends of a word in order: that without "'s", its own, and those with the signs after it."""
    least = end = word.end()
    while end < min(most, least + _SIGNS) and text[end] != " ":
        end += 1
    ends = list(range(least, end + 1))
    return [least - 2, *ends] if word[0].endswith(_POSSESSIVES) else ends
