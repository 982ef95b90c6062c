"""The words of a text, as full text and ranking compare them.

A number with its points (4.2, 1,200, 12:30), a version, an IP address and an identifier (``os.path``,
``max_tokens``, ``dry-run``, ``getUser``) are one word, because Lucene's tokenizer keeps them or finds them as
a phrase. Identifiers have their parts as words too. Chinese and Japanese, which no space separates, have
pairs of characters; Lucene keeps only runs of Katakana.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_TOKEN: Final = re.compile(r"\w+(?:(?:['’.-]|(?<=\d),(?=\d)|(?<=\d):(?=\d\d\b))\w+)*")
_ENDING: Final = re.compile(r"['’](?:s|m|re|ve|ll|d)\Z")
"""What English writes at the end of another word."""

_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+(?:\.\d+)+|\d{3,}")
"""A part of an identifier: letters, a number with points, or at least three digits."""

_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SEPARATOR: Final = re.compile(r"[\W_]+")
_IDENTIFIER: Final = re.compile(r"['’._-]|[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}")

_RUN: Final = re.compile(r"[\u30a0-\u30ff]+|[\u3040-\u309f\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+")
"""Katakana, other characters without spaces between words, or anything else."""

_MAX_LENGTH: Final = 64
"""Maximum length of a word, in characters; longer ones are left out, but not their parts."""

_DIGIT_WORTH: Final = 8
"""Letters that a digit or separator counts as when the most telling words of a long text are chosen."""

STOP_WORDS: Final = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let me more most my no nor not now of off on once
    only or other our ours out over own same she should so some such than that the their them then there these
    they this those through to too under until up us very was we were what when where which while who whom why
    will with would you your yours""".split()
)
"""English words that carry no topic. Lucene's own list is shorter and gives worse results."""

_OPENING: Final = frozenset('*"([{<|`#=+~&$@^')
"""Marks that mostly stand before a word."""


def _table(kept: frozenset[str]) -> bytes:
    """A table that makes ASCII marks spaces. Other bytes are parts of letters in UTF-8."""
    return bytes(
        byte if byte >= 128 or chr(byte).isalnum() or chr(byte) in kept else ord(" ") for byte in range(256)
    )


_SPACES: Final = _table(frozenset())
_RANKED: Final = _table(_OPENING)
_TYPOGRAPHIC: Final = ("’", "‘", "“", "”", "–", "—", "…", "\u00a0")


def comparable(text: str, *, ranked: bool = False) -> str:
    """A text in which stems of ``fulltext.word_stems`` are found: lower case, spaces around every word.

    With ``ranked``, words after an opening mark, as in code and lists of Markdown, are not found: with them
    R@10 of BEAM is 0.7 and that of REALTALK 0.2 lower.
    """
    for mark in _TYPOGRAPHIC:
        text = text.replace(mark, " ")
    written = text.lower().encode("utf-8", "replace")
    return f" {written.translate(_RANKED if ranked else _SPACES).decode()} "


def content_words(text: str) -> list[str]:
    """The distinct words of a text in lower case, with the parts of identifiers, without stop words.

    "Don't" and "she'll" are stop words, and "Ada's" is "ada".
    """
    words = dict.fromkeys(_words(text))
    return [word for word in words if word not in STOP_WORDS and len(word) <= _MAX_LENGTH]


def most_telling(words: list[str], most: int) -> list[str]:
    """At most so many of the words, in their order: those with digits or separators, then the longest.

    These are the rarest in most texts, and the rarest words decide what is found.
    """
    if len(words) <= most:
        return words
    kept = set(sorted(words, key=_worth, reverse=True)[:most])
    return [word for word in words if word in kept]


def parts_of(word: str) -> list[str]:
    """What a word consists of, between its points, hyphens, apostrophes and underscores."""
    return [part for part in _SEPARATOR.split(word) if part]


def is_number(word: str) -> bool:
    """Whether a word ends in a digit, so that it has no endings, and a longer one is another number."""
    return word[-1].isdecimal()


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that puts no space between words."""
    return "\u3040" <= word[0] <= "\u30ff" or "\u3400" <= word[0] <= "\u9fff"


def _words(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        for run in _RUN.findall(token):
            yield from _spaced(run) if not is_unspaced(run) else _unspaced(run)


def _unspaced(run: str) -> Iterable[str]:
    """The run itself if it is Katakana, else its pairs of characters."""
    if "\u30a0" <= run[0] <= "\u30ff":
        return [run]
    return (run[n : n + 2] for n in range(max(1, len(run) - 1)))


def _spaced(token: str) -> Iterator[str]:
    """The word, and if it is an identifier its parts; nothing for "don't"."""
    word = _ENDING.sub("", token.strip("_'’.-"))
    if word.lower().endswith(("n't", "n’t")) or not word:
        return
    yield word.lower()
    if _VERSION.fullmatch(word):
        yield f"v{word}"  # both ways of writing it
    if _IDENTIFIER.search(word) and _LETTER.search(word):
        yield from (part.lower() for part in _PART.findall(word) if len(part) > 1)


def _worth(word: str) -> int:
    word = word.strip()
    return len(word.encode("utf-8", "replace")) + (0 if word.isalpha() else _DIGIT_WORTH)
