"""Extractive summaries: the sentences of several texts that together say most of what the texts share."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from legacymind.text.excerpts import excerpt, sentences
from legacymind.text.fulltext import word_stems
from legacymind.text.numbers import counted
from legacymind.text.passages import without_code

_LENGTH: Final = 1_200
"""Characters of the sentences of a summary."""

_SHORT: Final = 20
"""Characters that are added to the length of a sentence when sentences compete, so that no tiny one wins."""

_SENTENCE: Final = 300
_MOST: Final = 400
"""Sentences that compete: the first of each text, as many of each."""


class _Sentence(NamedTuple):
    """A sentence of a text, by their numbers."""

    text: int
    place: int
    words: str
    stems: frozenset[str]


def summary(texts: Sequence[str], authors: Sequence[str | None] = (), *, length: int = _LENGTH) -> str:
    """A line that counts the texts, and under it the chosen sentences in their order, each in its own words.

    A sentence follows the name of its author, if ``authors`` has those of the texts. Code, tables and what
    ends in a colon is left out. A word weighs as much as there are other texts with it, and little if there
    are none. The sentence is taken that adds the greatest weight of words that no chosen one has, for its
    length, until ``length`` characters are used or nothing is added (maximum coverage: Filatova and
    Hatzivassiloglou 2004). The same texts give the same summary.
    """
    everything = _sentences(texts)
    shared = Counter(stem for _, stem in {(one.text, stem) for one in everything for stem in one.stems})
    found = [*{one.words: one for one in reversed(everything)}.values()]  # each sentence once
    covered: set[str] = set()
    chosen: list[_Sentence] = []
    left = length
    while fitting := [one for one in found if one not in chosen and len(one.words) <= left]:
        gains = {one: sum(shared[stem] - 0.9 for stem in one.stems - covered) for one in fitting}
        best = min(fitting, key=lambda one: (-gains[one] / (len(one.words) + _SHORT), one.text, one.place))
        if not gains[best]:
            break
        chosen.append(best)
        covered |= best.stems
        left -= len(best.words)
    if not chosen:  # texts without words, such as numbers and signs
        chosen = [one for one in found if any(map(str.isalnum, one.words))][:1]
    named = dict(enumerate(authors))
    lines = [
        f"- {author}: {one.words}" if (author := named.get(one.text)) else f"- {one.words}"
        for one in sorted(chosen, key=lambda one: (one.text, one.place))
    ]
    return "\n".join([f"Summary of {counted(len(texts), 'thought')}:", *lines]) if lines else ""


def _sentences(texts: Sequence[str]) -> list[_Sentence]:
    """The first sentences of all texts, without code, tables, headings and what introduces a list."""
    found: list[_Sentence] = []
    for number, content in enumerate(texts):
        prose = without_code(content, unclosed=True)
        for place, (start, end) in enumerate(sentences(prose)[: max(1, _MOST // len(texts))]):
            words = excerpt(" ".join(prose[start:end].split()), _SENTENCE)
            if words and not words.startswith(("|", "#")) and not words.rstrip("*_").endswith(":"):
                found.append(_Sentence(number, place, words, frozenset(word_stems(words))))
    return found
