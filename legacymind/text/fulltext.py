"""Lucene queries for Neo4j's full-text indexes, built from any user text."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from legacymind.text import words
from legacymind.text.words import STOP_WORDS

WORD: Final = re.compile(r"\w+")

MAX_TERMS: Final = 64
"""Maximum number of terms in a query. Lucene rejects 1,025."""

_MAX_LENGTH: Final = 64
"""Maximum length of a name, in characters."""

_MAX_AUTHORS: Final = 16


@dataclass(frozen=True, slots=True)
class PossibleName:
    """A word that may name an author; ``introduced`` is a query for texts such as "I'm Kate", or empty."""

    word: str
    introduced: str


def namespace_key(namespace: str) -> str:
    """A namespace as one term of 34 letters and digits. It ends in a digit, so no stemmer changes it."""
    return f"n{hashlib.sha256(namespace.encode()).hexdigest()[:32]}0"


def private_key(namespace: str, session_id: str | None) -> str:
    """A namespace and the session of a private thought as one such term. No namespace has a line break."""
    return namespace_key(f"{namespace}\n{session_id or ''}")


def thought_key(namespace: str, session_id: str | None, *, is_private: bool) -> str:
    """The term of those who may read a thought."""
    return private_key(namespace, session_id) if is_private else namespace_key(namespace)


def full_text_query(
    namespace: str, content: str, own_session: str = "", *, any_word: bool = False
) -> str | None:
    """A query for the words of any text inside one namespace, or None if no word is left.

    With ``any_word``, a text of stop words and emoji is searched as it is written.

    Private thoughts match if ``own_session`` is theirs. The others are excluded by the query, so that they
    take no place below its limit.

    Every word becomes a quoted term, so quotes, slashes, ``AND`` and brackets are never syntax. Lucene reads
    it as it read the text: "4.2" is one word, and "dry-run" two in a row. Of more than 64 words the rarest in
    most texts are kept.
    """
    written = [form for word in content.split() for form in _emoji_forms(word)] if any_word else []
    terms = words.most_telling(words.search_words(content) or list(dict.fromkeys(written)), MAX_TERMS)
    if not terms:
        return None
    # Lucene skips texts that cannot be among the best only if the whole query is alternatives. With one
    # restriction beside the words it reads every text that has one: four times as long at a million thoughts.
    readable = _readable(namespace, own_session)
    return " ".join(f"({readable} +{_term(term)})" for term in terms)


def other_forms(*texts: str | None) -> str | None:
    """Forms of the words of texts that full text does not make itself, or None: see ``words.other_forms``."""
    found = dict.fromkeys(form for text in texts if text for form in words.other_forms(text))
    return " ".join(found) or None


def word_stems(content: str, endings: int = 2) -> list[str]:
    """The distinct content words of a text in lower case, without the endings of longer words, after a space.

    ``words.comparable`` makes a text in which they are found if it contains the word or a form of it; the
    space keeps "go" out of "dragon". Words of letters lose ``endings`` letters and keep at least four. After
    a digit a space ends the word, so that 15 is not found in 1500. Chinese and Japanese words have no space.
    At most 64 are returned, the rarest in most texts.
    """
    stems: list[str] = []
    for word in words.content_words(content):
        if words.is_unspaced(word):
            stems.append(word)
        elif words.has_endings(word):
            stems.append(f" {word[: max(4, len(word) - endings)]}")
        else:
            stems.append(f" {' '.join(words.parts_of(word))}{' ' if words.is_number(word) else ''}")
    return words.most_telling(list(dict.fromkeys(stems)), MAX_TERMS)


def list_query(namespace: str, lists: Mapping[str, Iterable[str]], own_session: str = "") -> str:
    """A query for everything in a namespace with all items in any case; ``lists`` has them by property.

    Of private thoughts, those of ``own_session`` match.
    """
    clauses = [f"+{name}:{_any_case(item)}" for name, items in lists.items() for item in items]
    return " ".join([_readable(namespace, own_session), *clauses])


def phrase_query(text: str) -> str:
    """A query for the texts of all namespaces that have these words in a row, with either apostrophe."""
    return " ".join(f"content:{_quoted(one)}" for one in dict.fromkeys((text, text.replace("'", "’"))))


def naming_queries(namespace: str, names: Iterable[str], own_session: str = "") -> tuple[str, str]:
    """Queries for the texts that may have one of the names: those that a session may read, and all texts.

    The first finds all that it may read for a name of stop words only, such as "Will".
    """
    cases = (form for name in names for form in (name, name.casefold(), name.casefold().replace("ss", "ß")))
    phrases = " ".join(map(_quoted, dict.fromkeys(cases)))
    return f"{_readable(namespace, own_session)} +({phrases})", phrases


def possible_names(namespace: str, content: str) -> list[PossibleName]:
    """Up to 16 words that may be an author's name, capitalised words first."""
    names = sorted(_possible_names(content), key=lambda word: not word[0].isupper())
    first = WORD.search(content)
    return [
        PossibleName(
            word,
            # The first word has a capital anyway: "Considering my bike, …".
            _introduced(namespace, word) if word[0].isupper() and first and word != first[0] else "",
        )
        for word in names[:_MAX_AUTHORS]
    ]


def _introduced(namespace: str, word: str) -> str:
    """A query for texts such as "I'm Kate"."""
    phrases = (f"{start} {word.lower()}" for start in ("i'm", "i’m", "i am", "my name is", "call me"))
    return f"{_readable(namespace)} +({' '.join(f'content:{_quoted(phrase)}' for phrase in phrases)})"


def _possible_names(content: str) -> list[str]:
    """The distinct words as they are spelt, without stop words, letters and words over 64 characters."""
    found = dict.fromkeys(WORD.findall(content))
    return [word for word in found if word.lower() not in STOP_WORDS and 1 < len(word) <= _MAX_LENGTH]


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


def _emoji_forms(word: str) -> tuple[str, ...]:
    """A word, and if it may be an emoji also with and without the character that gives it its colours."""
    plain = word.replace("\ufe0f", "")
    return (word,) if word.isascii() else (word, plain, f"{plain}\ufe0f")


def _term(term: str) -> str:
    """A quoted term, with an alternative that matches nothing if it may have no word for Lucene.

    Lucene drops "to-be" and arrows from a query, which would then match the whole namespace.
    """
    if term.isascii() and term.isalnum() and term not in STOP_WORDS:
        return _quoted(term)
    return f'({_quoted(term)} ns_key:"none")'


def _quoted(term: str) -> str:
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
