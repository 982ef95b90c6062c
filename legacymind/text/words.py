"""The words of a text, as full text and ranking compare them.

A number with its points (4.2, 1,200, 12:30), a version, an IP address and an identifier (``os.path``,
``max_tokens``, ``dry-run``, ``getUser``) are one word, because Lucene's tokenizer keeps them or finds them as
a phrase. Identifiers have their parts as words too. Chinese and Japanese, which no space separates, have
pairs of characters; Lucene keeps only runs of Katakana. Combining marks, as in Hindi, belong to their word.
Accents do not distinguish words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

MARKS: Final = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u070f\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u082d"
    "\u0859-\u085b\u0890-\u0963\u0971-\u09f1\u09fe-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f18\u0f19\u0f35\u0f37"
    "\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u1773\u17b4-\u17d3"
    "\u17dd\u180b-\u180f\u1885-\u18a9\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3"
    "\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1cf9\u1dc0-\u1dff\u200c-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0"
    "\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1"
    "\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua9c0\ua9e5\uaa29-\uaa4d"
    "\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
    "\U000101fd-\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a3f\U00010ae5\U00010ae6\U00010d24-\U00010eac"
    "\U00010efd-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011fff\U00013430-\U00013455\U00016af0-\U00016af4"
    "\U00016b30-\U00016b36\U00016f4f-\U00016f92\U00016fe4-\U00016ff1\U0001bc9d-\U0001bca3\U0001cf00-\U0001cf46"
    "\U0001d165-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001daaf"
    "\U0001e000-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef"
    "\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0001-\U000e01ef"
)
"""Combining marks and invisible characters, as ranges of a regular expression.

Lucene takes them for parts of a word, and Python does not. Between them the ranges have other parts of words.
"""


def _token(mark: str) -> re.Pattern[str]:
    """A word: letters, digits and marks, and between them what Lucene keeps inside a word, or a hyphen."""
    part = rf"[\w{mark}]+"
    between = (
        r"['’‘.․．＇-]|(?<=\d)[,;٫٬](?=\d)|(?<=\d):(?=\d\d\b)|(?<![\d_])[:：·‧](?=[^\W\d_])"
        r'|(?<=[א-ת])["״](?=[א-ת])'
    )
    return re.compile(rf"(?=\w){part}(?:(?:{between}){part})*")


_ASCII_TOKEN: Final = _token("")
"""The same for ASCII, in half the time."""

_TOKEN: Final = _token(MARKS)
_BETWEEN: Final = "'’‘.․．＇-,;٫٬:：·‧"
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
_ACCENT: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08ca-\u08e1\u08e3-\u08ff\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]"
)
"""Accents, and vowel points of Hebrew, Arabic and Syriac. In the scripts of India, marks are vowels."""

_ALIKE: Final = {
    **dict.fromkeys(map(ord, "‘’‛′ʹʻʼʽˈꞌ´׳＇"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″״"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣"), "-"),
}
_STROKED: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"}
)
"""Letters that no normal form of Unicode takes apart."""

_ENDING: Final = re.compile(r"['’](?:s|m|re|ve|ll|d)\Z")
"""What English writes at the end of another word."""

_POSSESSIVE: Final = re.compile(r"['’]s\Z")
"""The ending that full text removes."""

_PART: Final = re.compile(rf"[A-Z]+(?![a-z])|[A-Z]?(?:(?![\dA-Z_])[\w{MARKS}])+|\d+(?:\.\d+)+|\d{{3,}}")
"""A part of an identifier: letters, a number with points, or at least three digits."""

_UNUSUAL: Final = re.compile(
    r"[^\x00-\x7f]|_|\w[.:]\w|\w'(?!(?:s|t|m|re|ve|ll|d)\b)\w|[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}|\d\.\d+\.\d"
)
"""What a text has if full text has other forms of its words."""

_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SEPARATOR: Final = re.compile(rf"(?:[^\w{MARKS}]|_)+")
_IDENTIFIER: Final = re.compile(r"[^\w]|_|[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}")

_RUN: Final = re.compile(
    r"[\u30a0-\u30ff][\u30a0-\u30ff\u3099\u309a]*|[\u3040-\u309f\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+"
)
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


def unified(text: str) -> str:
    """A text without invisible characters, and with one form of characters that look alike.

    Those are full-width letters, ligatures, composed and decomposed letters, apostrophes, quotes and hyphens.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text.translate(_ALIKE)))


def folded(text: str) -> str:
    """A text in lower case, unified and without accents: "Café" is "cafe"."""
    return text.lower() if text.isascii() else _plain(text).casefold().translate(_STROKED)


def _plain(text: str) -> str:
    """A unified text without accents, in its own case."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _ACCENT.sub("", unicodedata.normalize("NFD", unified(text))))


def comparable(text: str, *, ranked: bool = False) -> str:
    """A text in which stems of ``fulltext.word_stems`` are found: folded, spaces around every word.

    With ``ranked``, words after an opening mark, as in code and lists of Markdown, are not found: with them
    R@10 of BEAM is 0.7 and that of REALTALK 0.2 lower.
    """
    for mark in _TYPOGRAPHIC:
        text = text.replace(mark, " ")
    written = folded(text).encode("utf-8", "replace")
    return f" {written.translate(_RANKED if ranked else _SPACES).decode()} "


def is_question(text: str) -> bool:
    """Whether a text ends in a question mark of any script, before quotation marks and brackets."""
    end = text.rstrip()
    if end[-1:].isalnum():  # as most texts; the names of characters take ten times as long
        return False
    while (end and unicodedata.category(end[-1]) in ("Pe", "Pf", "Pi")) or end.endswith(('"', "'")):
        end = end[:-1].rstrip()
    return bool(end) and "QUESTION" in unicodedata.name(end[-1], "")


def content_words(text: str) -> list[str]:
    """The distinct words of a text, folded, with the parts of identifiers, without stop words.

    "Don't" and "she'll" are stop words, and "Ada's" is "ada".
    """
    return _telling(form for token in _tokens(text) for form in _forms(token))


def search_words(text: str) -> list[str]:
    """The same, and each word as it is written where full text keeps it so: "café", "__init__"."""
    found: list[str] = []
    for token in _tokens(text):
        if forms := [*_forms(token)]:
            found += [*_written(token), *forms]
    return _telling(found)


def other_forms(text: str) -> list[str]:
    """The distinct words that ``content_words`` finds in a text, but full text does not.

    Full text keeps "foo_bar" and "café" as they are written, and cuts at hyphens.
    """
    if not _UNUSUAL.search(text):
        return []
    found: dict[str, None] = {}
    for token in _tokens(text):
        if is_unspaced(token) and token == _plain(token):
            continue
        kept = _ENDING.sub("", token.lower())
        known = {kept, f"v{kept}", *kept.split("-")}
        found.update(dict.fromkeys(form for form in _forms(token) if form not in known))
    return _telling(found)


def _telling(words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word not in STOP_WORDS and len(word) <= _MAX_LENGTH]


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


def has_endings(word: str) -> bool:
    """Whether a word is of letters, and their marks, only."""
    return word.isalpha() or not (word.isascii() or any(map(str.isnumeric, word)) or _SEPARATOR.search(word))


def is_number(word: str) -> bool:
    """Whether a word ends in a digit, so that it has no endings, and a longer one is another number."""
    return word[-1].isdecimal()


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that puts no space between words."""
    return "\u3040" <= word[0] <= "\u30ff" or "\u3400" <= word[0] <= "\u9fff"


def _tokens(text: str) -> Iterator[str]:
    """The words of a text as they are written, cut where the script changes."""
    if text.isascii():
        yield from _ASCII_TOKEN.findall(text)
        return
    for token in _TOKEN.findall(text):
        for run in _RUN.findall(token):
            if word := run.strip(_BETWEEN):
                yield word


def _written(token: str) -> Iterable[str]:
    """A word as it is written, if ``_forms`` changes more than its case and its ending."""
    if is_unspaced(token):
        return _unspaced(token)
    word = _POSSESSIVE.sub("", token.lower())
    kept = word.isascii() and word == _ENDING.sub("", word).strip("_")
    return [] if kept or _ENDING.sub("", word) in STOP_WORDS else [word]


def _forms(token: str) -> Iterator[str]:
    """The word, folded, and if it is an identifier its parts; nothing for "don't"."""
    word = _ENDING.sub("", _plain(token)).strip("_")
    if not word or word.lower().endswith("n't"):
        return
    if is_unspaced(word):
        yield from _unspaced(word)
        return
    yield folded(word)
    if _VERSION.fullmatch(word):
        yield f"v{word}"  # both ways of writing it
    if _IDENTIFIER.search(word) and _LETTER.search(word):
        yield from (folded(part) for part in _PART.findall(word) if len(part) > 1)


def _unspaced(run: str) -> Iterable[str]:
    """The run itself if it is Katakana, else its pairs of characters."""
    if "\u30a0" <= run[0] <= "\u30ff":
        return [run]
    return (run[n : n + 2] for n in range(max(1, len(run) - 1)))


def _worth(word: str) -> int:
    word = word.strip()
    return len(word.encode("utf-8", "replace")) + (0 if word.isalpha() else _DIGIT_WORTH)
