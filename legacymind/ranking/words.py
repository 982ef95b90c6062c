"""The words that a text shares with a question, weighed by how few candidates have them."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from legacymind.ranking.features import BEGINNING, READ

Floats = NDArray[np.float64]

_LATER: Final = 0.25
"""The count of a word that stands only after the first 600 characters."""


def word_sums(texts: Sequence[str], words: Sequence[str], *, beginnings: bool = True) -> Floats:
    """For each comparable text the sum of its words' weights: log((n + 1) / (texts with the word + 0.5)).

    Weights from the candidates were as good as stored statistics of the whole namespace. With
    ``beginnings``, a word counts a quarter after the first 600 characters.
    """
    if not words or not texts:
        return np.zeros(len(texts))
    end = BEGINNING + 1 if beginnings else READ + 1  # the space in front is a character more
    found = np.array([[word in text[:end] for word in words] for text in texts], dtype=float)
    weights = np.log((len(texts) + 1) / (found.sum(axis=0) + 0.5))
    for row, text in enumerate(texts):
        if len(text) > end:
            later = [not found[row, n] and word in text for n, word in enumerate(words)]
            found[row] += _LATER * np.array(later, dtype=float)
    return found @ weights


def share(read: str, words: Sequence[str]) -> float:
    """The share of the words that a comparable text contains; 0 without words."""
    return sum([word in read for word in words]) / len(words) if words else 0.0
