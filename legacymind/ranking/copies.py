"""Nearly equal texts count as one memory."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from legacymind.ranking.features import Features, KnowledgeFeatures
from legacymind.text import words

_COSINES: Final = 0.02
"""The largest difference of the cosines of copies."""

_ALIKE: Final = 0.95
"""The share of words that two copies have in common (Dice): one of twenty may differ."""

_LENGTHS: Final = 0.2
"""The largest difference of the lengths of copies, as a share of the longer one."""

_WORD: Final = re.compile(r"\w+")


def are_copies(one: Features, other: Features) -> bool:
    """Whether two memories of one kind have nearly the same text.

    Two facts with one text are copies whatever their entities, whose names are in their vectors.
    """
    if isinstance(one, KnowledgeFeatures) or isinstance(other, KnowledgeFeatures):
        if one.kind != "observation" or other.kind != "observation":
            return False
        assert isinstance(one, KnowledgeFeatures)
        assert isinstance(other, KnowledgeFeatures)
        if one.fact_key is not None and one.fact_key == other.fact_key:
            return True
    return abs(one.cosine - other.cosine) < _COSINES and _same_text(one, other)


def asks_again(one: Features, query: str) -> bool:
    """Whether a thought is the question that is asked: it answers nothing."""
    if not words.is_question(one.text) or one.length > len(one.text):
        return False
    return _share_words(_words(one.text), _words(query))


def _same_text(one: Features, other: Features) -> bool:
    if one.text == other.text and one.length == other.length:
        return True
    if abs(one.length - other.length) > _LENGTHS * max(one.length, other.length):
        return False
    first, others = one.first_words, other.first_words
    if 2 * len(first & others) < min(len(first), len(others)):  # most texts, without reading all of them
        return False
    return _share_words(_words(one.text), _words(other.text))


def _share_words(words: Counter[str], others: Counter[str]) -> bool:
    return 2 * (words & others).total() >= _ALIKE * (words.total() + others.total())


def _words(text: str) -> Counter[str]:
    """The words of a text, without case, punctuation and spacing."""
    return Counter(_WORD.findall(text.lower()))


def count_copies(one: Features, among: Iterable[Features]) -> int:
    """The number of memories with nearly this text, itself included."""
    return sum(other is one or are_copies(other, one) for other in among)
