"""Analyses a query for ranking: the authors it names, the time it is about, and whether it asks when.

The rules are for English, as is the stemmer of the full-text indexes. A query that matches none of them is
ranked without them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from legacymind.text import times
from legacymind.text.fulltext import WORD, word_stems
from legacymind.text.words import STOP_WORDS

_WHEN: Final = re.compile(
    r"^\s*(?:when|since when|how long|(?:what|which) (?:date|day|month|year|time)"
    r"|in (?:what|which) (?:month|year)|how (?:many|much) (?:days|weeks|months|years|time))\b",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago"
    r"|this (?:morning|week|month|year|weekend|past)|weekend"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|q[1-4]|\d{1,2}/\d{1,2}"
    r"|\d{4}|\d+(?:st|nd|rd|th)|since|recently|(?:days?|weeks?|months?|years?))\b",
    re.IGNORECASE,
)
"""An expression of time."""

_FIRST_PERSON: Final = re.compile(r"\b(?:I|me|my|mine|myself)\b")
_USERS: Final[tuple[str, ...]] = ("user", "human")
"""Authors that "I" in a query refers to: the roles that chat histories give to people."""

_ANSWERED: Final = re.compile(
    r"\b(?:(?:did|have|had) you"
    r"|you (?:recommended|suggested|advised|told|said|mentioned|explained|gave|proposed|showed))\b",
    re.IGNORECASE,
)
"""Questions about an answer to the user, which has another author."""

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_QUESTION: Final = re.compile(
    r"\s*(?:who|whom|whose|what|when|where|why|which|how|is|are|was|were|do|does|did|can|could|should|would|will"
    r"|has|have|had)\b",
    re.IGNORECASE,
)

_KEY_WORDS: Final = 5

_MAX_WORDS: Final = 64
_READ: Final = 2_000
"""Characters of a text that are analysed."""


@dataclass(frozen=True, slots=True)
class Question:
    """The words, authors and times of a query.

    ``words`` are stems of ``fulltext.word_stems``. ``names`` are authors in lower case. ``years``,
    ``months``, ``day`` and ``spans`` are those of ``times.Times``.
    """

    words: list[str]
    names: list[str]
    years: list[int]
    months: list[int]
    day: int
    spans: list[list[datetime]] = field(default_factory=list[list[datetime]])
    asks_when: bool = False
    asks: bool = True
    now: int = 0

    def tells_time(self, text: str) -> bool:
        """Whether a text has an expression of time."""
        return _TIME.search(text) is not None


_ENDINGS: Final = 3
"""Letters that a word may lose. With 2, REALTALK's R@10 is 0.5 lower (bench/locomo.py)."""


def analyse(query: str, names: Iterable[str], now: datetime) -> Question:
    """The analysis of a query that names the authors ``names``. Without names, "I" refers to the user."""
    named = [name.lower() for name in names]
    whole, query = query, query[:_READ]
    if not named and _about_user(query):
        named = [*_USERS]
    named_times = times.read(query, now)
    return Question(
        words=word_stems(whole, _ENDINGS),
        names=named,
        years=named_times.years,
        months=named_times.months,
        day=named_times.day,
        spans=named_times.spans,
        asks_when=_WHEN.search(query) is not None,
        asks=_asks(query),
        now=int(now.timestamp() * 1e6),
    )


def _asks(query: str) -> bool:
    """Whether a text begins with a question, or is a few key words, and no statement or message."""
    if len(query.split()) <= _KEY_WORDS:
        return True
    first = _SENTENCES.split(query.strip(), maxsplit=1)[0]
    return "?" in first or _QUESTION.match(first) is not None


def analyse_thought(content: str, author: str | None, now: datetime, authors: Iterable[str] = ()) -> Question:
    """The analysis of a new thought, for ranking what it recalls. Any word may be the name of an author.

    ``authors`` are those that it names by another name too. The thought's own author counts as named only
    if it ends in a question in the first person, because most thoughts are in the first person.
    """
    beginning = content[:_READ]
    names = [*words(beginning), *authors]
    if beginning.rstrip().endswith("?") and _FIRST_PERSON.search(beginning):
        names = [author.lower()] if author else [*_USERS]
    return replace(analyse(beginning, names, now), words=word_stems(content, _ENDINGS))


def _about_user(query: str) -> bool:
    """Whether "I" in a query refers to the user, and the query is not about an answer to the user."""
    return _FIRST_PERSON.search(query) is not None and _ANSWERED.search(query) is None


def words(query: str) -> list[str]:
    """Words that may be an author's name: no stop words, at most 64."""
    distinct = dict.fromkeys(word.lower() for word in WORD.findall(query[:_READ]))
    return [word for word in distinct if word not in STOP_WORDS][:_MAX_WORDS]


def possible_names(query: str) -> list[str]:
    """Everything in a query that may name an author, if the authors were not looked up."""
    return [*words(query), *(_USERS if _about_user(query) else ())]


def named_authors(query: str, authors: Iterable[str]) -> list[str]:
    """The authors that a query names, by the whole name or its first word."""
    return [
        author for author in authors if re.search(rf"\b(?:{_name_pattern(author)})\b", query, re.IGNORECASE)
    ]


def with_names(query: str, others: Mapping[str, str]) -> str:
    """The query with words replaced by the first names, with a capital, of the authors they stand for."""
    for word, author in others.items():
        name = (author.split() or [author])[0]
        query = re.sub(rf"\b{re.escape(word)}\b", (name[:1].upper() + name[1:]).replace("\\", "\\\\"), query)
    return query


def in_first_person(query: str, authors: Iterable[str]) -> str:
    """The query in the words of its named authors: "Ada's bike" becomes "my bike".

    People write "I" instead of their own names, so the vector of "Caroline" is close to texts that others
    address to Caroline. An author in lower case, other than the user, may be a role: it is replaced only
    where the query spells it as a name, with a capital inside a sentence.
    """
    for author in authors:
        may_be_role = not author[:1].isupper() and author.lower() not in _USERS
        name = rf"\b(?:the )?(?P<name>{_name_pattern(author)})"
        for pattern, pronoun in ((rf"{name}(?:'s|’s)(?!\w)", "my"), (rf"{name}\b", "I")):

            def replaced(found: re.Match[str], pronoun: str = pronoun, role: bool = may_be_role) -> str:
                is_name = found.start() > 0 and found["name"][0].isupper()
                return pronoun if is_name or not role else found[0]

            query = re.sub(pattern, replaced, query, flags=re.IGNORECASE)
    return query


def _name_pattern(author: str) -> str:
    first = author.split()[0] if author.split() else author
    return "|".join(re.escape(name) for name in dict.fromkeys((author, first)))
