"""The words that a text shares with a question, weighed by how few candidates have them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from legacymind.ranking.features import BEGINNING, READ, Features

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


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a text, each with its part of what is asked: the fewer candidates have it, the more."""

    words: Sequence[tuple[str, float]]

    @classmethod
    def among(cls, words: Sequence[str], candidates: Iterable[Features]) -> "Asked":
        """Words as asked of these candidates."""
        reads = [node.read for node in candidates]
        most = len(reads) + 1
        weights = [math.log(most / (sum([word in read for read in reads]) + 0.5)) for word in words]
        whole = sum(weights)
        return cls([(word, weight / whole) for word, weight in zip(words, weights, strict=True)])

    def share(self, read: str) -> float:
        """The part of what is asked that a comparable text has; 0 without words."""
        return sum([part for word, part in self.words if word in read])
