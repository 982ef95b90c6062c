"""Extractive summaries: the sentences of several texts that together say most of what the texts share."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.text.excerpts import excerpt, sentences
from legacymind.text.fulltext import word_stems
from legacymind.text.numbers import counted
from legacymind.text.standing import ANSWERING

_LENGTH: Final = 1_200
"""Characters of the sentences of a summary."""

_SHORT: Final = 20
"""Characters that are added to the length of a sentence when sentences compete, so that no tiny one wins."""

_BRIEF: Final = 70
"""Characters of the longest sentence that is nothing but a courtesy."""

_BEGIN: Final = (
    r"(?:(?:oh|aw+|wow|yeah|yes|hey|hi|hello|well|ok(?:ay)?|haha|so|no|and|but|h+m+|lol|right|exactly|true|agreed"
    r"|indeed|me too|same here|got it|i see|makes sense|fine|sure|good (?:morning|evening|night|afternoon))\b"
    r"[,!?.… ]*)*"
)
_SORRY: Final = r"i(?:['’]| a)m (?:\w+ly |so |very )*(?:sorry(?! (?:that )?(?:i|we)\b)|glad|here for you)\b"

_COURTESY: Final = re.compile(
    rf"{_BEGIN}(?:{_SORRY}|i (?:really |totally |just )*(?:love that|(?:understand|hear you)[!,.])|"
    r"that(?:['’]s| is| sounds| must be) (?:so |really |such |an? )*"
    r"(?:great|amazing|awesome|wonderful|lovely|nice|cool|tough|hard|good|fantastic|beautiful|sad)\b|"
    r"sounds (?:like )?(?:good|great|fun|a plan)\b|thank(?:s(?! to)| you)|you(?:['’]re| are) welcome|"
    r"no (?:problem|worries)\b|of course[!,.]|good luck\b|take care\b|congrat|bye\b|see you\b|let me know\b|"
    r"feel free\b|how are you(?: doing| today| all)*[?!.]|(?:and |how about )?you\?|"
    r"(?:great|nice|awesome|sure|absolutely)[!,.]|$)",
    re.IGNORECASE,
)

_SYMPATHY: Final = re.compile(
    rf"{_BEGIN}(?:{_SORRY}|my (?:heart|thoughts|condolences|sympath\w+)\b|i (?:can (?:only )?imagine|hope"
    r"|(?:really |truly )*(?:feel for|appreciate) you"
    r"|(?:really |completely )*understand (?:how|why|your|what you))\b"
    r"|it(?:['’]s| is) (?:\w+ly |so |okay and )*(?:understandable|normal|natural|okay|ok)\b"
    r"|you(?:['’]re| are) (?:not alone|doing (?:great|your best))\b"
    r"|(?:that must (?:be|have been|feel)|(?:that|it) sounds|it must have been) "
    r"|thank you for (?:sharing|telling|trusting)\b)",
    re.IGNORECASE,
)
"""How an assistant begins to comfort, in a sentence of any length."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a text, by their numbers."""

    text: int
    place: int
    words: str
    stems: frozenset[str]

    @property
    def is_courtesy(self) -> bool:
        """Whether it greets, thanks or comforts, and says nothing else."""
        return len(self.words) <= _BRIEF and _COURTESY.match(self.words) is not None


def summary(texts: Sequence[str], authors: Sequence[str | None] = (), *, length: int = _LENGTH) -> str:
    """A line that counts the texts, and under it the chosen sentences in their order, each in its own words.

    A sentence follows the name of its author, if ``authors`` has those of the texts. Courtesies are left out,
    and an assistant's sympathy and what it says without a word of another text. Empty if nothing is left.

    A word weighs as much as there are other texts with it, and little if there are none. The sentence is
    taken that adds the greatest weight of words that no chosen one has, for its length, until ``length``
    characters are used or nothing is added (maximum coverage: Filatova and Hatzivassiloglou 2004). The same
    texts give the same summary.
    """
    everything = [one for one in _sentences(texts) if not one.is_courtesy]
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
        or (not _SYMPATHY.match(one.words) and any(shared[stem] > 1 for stem in one.stems))
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
    """The sentences of all texts that are not blank."""
    found: list[_Sentence] = []
    for number, content in enumerate(texts):
        for place, (start, end) in enumerate(sentences(content)):
            words = excerpt(" ".join(content[start:end].split()), 300)
            if words:
                found.append(_Sentence(number, place, words, frozenset(word_stems(words))))
    return found
