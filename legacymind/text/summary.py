"""Extractive summaries: the sentences of several texts that together say most of what the texts share."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.text.excerpts import excerpt, sentences
from legacymind.text.fulltext import word_stems
from legacymind.text.numbers import counted

_LENGTH: Final = 1_200
"""Characters of the sentences of a summary."""

_SHORT: Final = 20
"""Characters that are added to the length of a sentence when sentences compete, so that no tiny one wins."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a text, by their numbers."""

    text: int
    place: int
    words: str
    stems: frozenset[str]


def summary(texts: Sequence[str], *, length: int = _LENGTH) -> str:
    """A line that counts the texts, and under it the chosen sentences in their order, each in its own words.

    A word weighs as much as there are other texts with it, and little if there are none. The sentence is
    taken that adds the greatest weight of words that no chosen one has, for its length, until ``length``
    characters are used or nothing is added (maximum coverage: Filatova and Hatzivassiloglou 2004). The same
    texts give the same summary.
    """
    everything = _sentences(texts)
    by_text: dict[int, set[str]] = defaultdict(set)
    for one in everything:
        by_text[one.text] |= one.stems
    shared = Counter(stem for stems in by_text.values() for stem in stems)
    weights = {stem: count - 1 + 0.1 for stem, count in shared.items()}
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
        chosen = everything[:1]
    lines = [f"- {one.words}" for one in sorted(chosen, key=lambda one: (one.text, one.place))]
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
