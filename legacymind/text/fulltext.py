"""Lucene queries for Neo4j's full-text indexes, built from any user text."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

MAX_TERMS: Final = 64
"""Maximum number of terms in a query. Lucene rejects 1,025."""

_MAX_LENGTH: Final = 64
"""Maximum length of a term, in characters; longer words are left out."""

_MAX_AUTHORS: Final = 16


@dataclass(frozen=True, slots=True)
class PossibleName:
    """A word that may name an author, with a pattern of similar names in lower case.

    ``introduced`` is a query for texts such as "I'm Kate", or empty.
    """

    word: str
    alike: re.Pattern[str] | None
    introduced: str


STOP_WORDS: Final = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let me more most my no nor not now of off on once
    only or other our ours out over own same she should so some such than that the their them then there these
    they this those through to too under until up us very was we were what when where which while who whom why
    will with would you your yours""".split()
)
"""English words that carry no topic. Lucene's own list is shorter and gives worse results."""

NO_WORDS: Final = '+ns_key:"none"'
"""A query that matches nothing."""


def namespace_key(namespace: str) -> str:
    """A namespace as one term of 34 letters and digits. It ends in a digit, so no stemmer changes it."""
    return f"n{hashlib.sha256(namespace.encode()).hexdigest()[:32]}0"


def private_key(namespace: str, session_id: str | None) -> str:
    """A namespace and the session of a private thought as one such term. No namespace has a line break."""
    return namespace_key(f"{namespace}\n{session_id or ''}")


def thought_key(namespace: str, session_id: str | None, *, is_private: bool) -> str:
    """The term of those who may read a thought."""
    return private_key(namespace, session_id) if is_private else namespace_key(namespace)


def full_text_query(namespace: str, content: str, own_session: str = "") -> str | None:
    """A query for the words of any text inside one namespace, or None if no word is left.

    Private thoughts match if ``own_session`` is theirs. The others are excluded by the query, so that they
    take no place below its limit.

    Every word becomes a quoted term, so quotes, slashes, ``AND`` and brackets are never syntax. Stop words,
    repeated words and words over 64 characters are left out; the first 64 terms are kept.
    """
    terms = _content_words(content)[:MAX_TERMS]
    if not terms:
        return None
    # Lucene skips texts that cannot be among the best only if the whole query is alternatives. With one
    # restriction beside the words it reads every text that has one: four times as long at a million thoughts.
    readable = _readable(namespace, own_session)
    return " ".join(f"({readable} +{_quoted(term)})" for term in terms)


def word_stems(content: str, endings: int = 2) -> list[str]:
    """The distinct content words of a text in lower case, without the endings of longer words, after a space.

    A text that contains a stem most likely contains the word or a form of it; the space keeps "go" out of
    "dragon". Words without digits lose ``endings`` letters and keep at least four. Chinese and Japanese
    words, which no space separates, become pairs of characters. At most 64 are returned.
    """
    stems: list[str] = []
    for word in _content_words(content):
        if _UNSPACED.search(word):
            stems += [word[n : n + 2] for n in range(max(1, len(word) - 1))]
        elif word.isalpha():
            stems.append(f" {word[: max(4, len(word) - endings)]}")
        else:
            stems.append(f" {word}")
    return list(dict.fromkeys(stems))[:MAX_TERMS]


def list_query(namespace: str, lists: Mapping[str, Iterable[str]], own_session: str = "") -> str:
    """A query for everything in a namespace with all items in any case; ``lists`` has them by property.

    Of private thoughts, those of ``own_session`` match.
    """
    clauses = [f"+{name}:{_any_case(item)}" for name, items in lists.items() for item in items]
    return " ".join([_readable(namespace, own_session), *clauses])


def phrase_query(text: str) -> str:
    """A query for the texts of all namespaces that have these words in a row."""
    return f"content:{_quoted(text)}"


def possible_names(namespace: str, content: str) -> list[PossibleName]:
    """Up to 16 words that may be an author's name, capitalised words first."""
    words = sorted(_possible_names(content), key=lambda word: not word[0].isupper())
    first = _WORD.search(content)
    return [
        PossibleName(
            word,
            _alike(word),
            # The first word has a capital anyway: "Considering my bike, …".
            _introduced(namespace, word) if word[0].isupper() and first and word != first[0] else "",
        )
        for word in words[:_MAX_AUTHORS]
    ]


def _alike(word: str) -> re.Pattern[str] | None:
    """A pattern of names with the same consonants, such as Muhhamed for Mohammed; None for other words.

    Doubled consonants, vowels, h and y do not count.
    """
    letters = word.lower()
    consonants = [letter for n, letter in enumerate(letters) if letter not in "aeiouyh" + letters[n - 1 : n]]
    if not (
        word[0].isupper() and letters.isascii() and letters.isalpha() and len(letters) >= 5 and consonants
    ):
        return None
    begin = "[aeiouyh]+" if letters[0] in "aeiouyh" else ""
    return re.compile(f"{begin}{'[aeiouyh]*'.join(f'{letter}+' for letter in consonants)}[aeiouyh]*")


def _introduced(namespace: str, word: str) -> str:
    """A query for texts such as "I'm Kate"."""
    phrases = (f"{start} {word.lower()}" for start in ("i'm", "i’m", "i am", "my name is", "call me"))
    return f"{_readable(namespace)} +({' '.join(f'content:{_quoted(phrase)}' for phrase in phrases)})"


def _content_words(content: str) -> list[str]:
    """The distinct words in lower case, without stop words and words over 64 characters."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(content))
    return [word for word in words if word not in STOP_WORDS and len(word) <= _MAX_LENGTH]


def _possible_names(content: str) -> list[str]:
    """The distinct words as they are spelt, without stop words, letters and words over 64 characters."""
    words = dict.fromkeys(_WORD.findall(content))
    return [word for word in words if word.lower() not in STOP_WORDS and 1 < len(word) <= _MAX_LENGTH]


def _readable(namespace: str, own_session: str = "") -> str:
    """The clause that restricts a query to what a session may read, without adding to the score."""
    keys = [namespace_key(namespace)]
    if own_session:
        keys.append(private_key(namespace, own_session))
    terms = " ".join(f"ns_key:{_quoted(key)}" for key in keys)
    return f"+{terms}^0" if len(keys) == 1 else f"+({terms})^0"


def _any_case(term: str) -> str:
    """A regular expression of Lucene for the whole term: the index of lists keeps the case of items.

    A backslash before the closing slash would escape it, so each escaped character is in brackets.
    """
    parts: list[str] = []
    for one in term:
        cases = {one.lower(), one.upper()}
        if one.isascii() and not one.isalnum():
            parts.append(f"[\\{one}]")
        elif len(cases) == 2 and all(len(case) == 1 for case in cases):
            parts.append(f"[{''.join(sorted(cases))}]")
        else:
            parts.append(one)
    return f"/{''.join(parts)}/"


def _quoted(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
