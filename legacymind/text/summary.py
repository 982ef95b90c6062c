"""Extractive summaries: the sentences of several texts that together say most of what the texts share."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.text.courtesies import is_courtesy
from legacymind.text.excerpts import excerpt, sentences
from legacymind.text.fulltext import word_stems
from legacymind.text.numbers import counted
from legacymind.text.standing import ANSWERING

_LENGTH: Final = 1_200
"""Characters of the sentences of a summary."""

_SHORT: Final = 20
"""Characters that are added to the length of a sentence when sentences compete, so that no tiny one wins."""

_BEGIN: Final = (
    r"(?:(?:oh|aw+|wow|yeah|yes|hey|hi|hello|well|ok(?:ay)?|haha|so|no|and|but|h+m+|lol|right|exactly|true|agreed"
    r"|indeed|me too|same here|got it|i see|makes sense|fine|sure|good (?:morning|evening|night|afternoon))\b"
    r"[,!?.… ]*)*"
)
_SYMPATHY: Final = re.compile(
    rf"{_BEGIN}(?:i(?:['’]| a)m (?:\w+ly |so |very )*(?:sorry (?:to|for|about|you|that you)"
    r"|glad (?:to|you|that you)|here for you)\b|my (?:heart|thoughts|condolences|sympath\w+)\b"
    r"|i (?:can (?:only )?imagine|hope"
    r"|(?:really |truly )*(?:feel for|appreciate) you"
    r"|(?:really |completely )*understand (?:how|why|what) you)\b"
    r"|it(?:['’]s| is) (?:\w+ly |so |okay and )*(?:understandable|normal|natural|okay|ok)"
    r"(?: to (?:feel|be)\b| (?:that|if|for) you\b|\W*$)"
    r"|you(?:['’]re| are) (?:not alone|doing (?:great|your best))\b"
    r"|(?:that must (?:be|have been|feel)|it must have been)\b"
    r"|(?:that|it) sounds (?!like (?:an?|the)\b)(?:\w+ly |so |like )*\w+\b"
    r"|thank you for (?:sharing|telling|trusting)\b)"
    r"(?!.*(?:[\d;:]|\b(?:but|however|because|unless|instead)\b))",
    re.IGNORECASE,
)
"""How an assistant comforts, in a sentence of any length that gives no number, reason or objection."""

_CODE: Final = re.compile(
    r"(?:^[ \t>]*(?:[-*] )?(`{3,}|~{3,})[^`\n]*|(`{3,})[\w+#.-]*[ \t]*)\n"
    r"(?:[\s\S]*?^[ \t>]*(?:\1|\2)`*|[\s\S]*?(?:\1|\2)`*|[\s\S]*\Z)",
    re.MULTILINE,
)
"""A block of code, which may begin in a line of prose and, if its text is cut, have no end."""

_NO_PROSE: Final = re.compile(
    r"^[ \t]*(?:\||#{1,6} ).*$|^[ \t]*(?:[-*>\d.]+[ \t]+)*\*\*[^*\n]*[^*\n.!?]\*\*:?[ \t]*$"
    r"|^[ \t]*(?:[-*+•>]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])[ \t]*$",
    re.MULTILINE,
)
"""Rows of tables, headings, and marks of items without a text."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a text, by their numbers."""

    text: int
    place: int
    words: str
    stems: frozenset[str]


def summary(texts: Sequence[str], authors: Sequence[str | None] = (), *, length: int = _LENGTH) -> str:
    """A line that counts the texts, and under it the chosen sentences in their order, each in its own words.

    A sentence follows the name of its author, if ``authors`` has those of the texts. Courtesies are left out;
    of an assistant also sympathy, what only introduces the next line, and what has no word of another text.
    Empty if nothing is left.

    A word weighs as much as there are other texts with it, and little if there are none. The sentence is
    taken that adds the greatest weight of words that no chosen one has, for its length, until ``length``
    characters are used or nothing is added (maximum coverage: Filatova and Hatzivassiloglou 2004). The same
    texts give the same summary.
    """
    names = {name for author in authors for name in (author or "").lower().split()}
    everything = [one for one in _sentences(texts) if not is_courtesy(one.words, names)]
    by_text: dict[int, set[str]] = defaultdict(set)
    for one in everything:
        by_text[one.text] |= one.stems
    shared = Counter(stem for stems in by_text.values() for stem in stems)
    weights = {stem: count - 1 + 0.1 for stem, count in shared.items()}
    named = dict(enumerate(authors))
    everything = [
        one
        for one in everything
        if (named.get(one.text) or "").lower() not in ANSWERING
        or (
            not _SYMPATHY.match(one.words)
            and not one.words.rstrip("*_").endswith(":")
            and any(shared[stem] > 1 for stem in one.stems)
        )
    ]
    found = [*{one.words: one for one in reversed(everything)}.values()]  # each sentence once
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    left = length
    while fitting := [one for one in found if one not in chosen and len(one.words) <= left]:
        gains = {one: sum(weights[stem] for stem in one.stems - covered) for one in fitting}
        best = min(fitting, key=lambda one: (-gains[one] / (len(one.words) + _SHORT), one.text, one.place))
        if not gains[best]:
            break
        chosen.append(best)
        covered |= best.stems
        left -= len(best.words)
    if not chosen:  # texts without words, such as numbers and signs
        chosen = [one for one in everything if re.search(r"\w", one.words)][:1]
    lines = [
        f"- {author}: {one.words}" if (author := named.get(one.text)) else f"- {one.words}"
        for one in sorted(chosen, key=lambda one: (one.text, one.place))
    ]
    if not lines:
        return ""
    return "\n".join([f"Summary of {counted(len(texts), 'thought')}:", *lines])


def _sentences(texts: Sequence[str]) -> list[_Sentence]:
    """The sentences of all texts that are not blank, without code, tables and headings."""
    found: list[_Sentence] = []
    for number, content in enumerate(texts):
        prose = _NO_PROSE.sub("\n", _CODE.sub("\n", content))
        for place, (start, end) in enumerate(sentences(prose)):
            words = excerpt(" ".join(prose[start:end].split()), 300)
            if words:
                found.append(_Sentence(number, place, words, frozenset(word_stems(words))))
    return found
