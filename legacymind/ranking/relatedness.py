"""Whether a memory is related to a text at all: by its cosine and the words that they share."""

from collections.abc import Sequence
from dataclasses import dataclass

from legacymind.ranking.features import Features
from legacymind.ranking.words import share


@dataclass(frozen=True, slots=True)
class Relatedness:
    """When memories count as related to a text.

    A memory's relatedness is its cosine on the way from ``zero`` (0) to ``threshold`` (1), plus the share of
    the text's words that it contains; a cosine below ``zero`` counts as 0. Nothing is recalled unless one
    memory reaches 1. Then the best one comes, and with it all whose score in the ranking, in the unit of a
    cosine, is at least ``threshold``.
    ``strict``: nothing but cosines of at least the threshold counts, as with ``recall = "thresholds"``.
    A namespace's own mean and deviation separate related from unrelated texts less well
    (bench/recall.py): they measure how alike its texts are.
    """

    threshold: float
    zero: float
    strict: bool = False

    def of(self, node: Features, words: Sequence[str]) -> float:
        """The relatedness of a memory to a text with these words."""
        if node.named and not self.strict:
            return 1.0
        near = (node.cosine - self.zero) / (self.threshold - self.zero)
        return near if self.strict else max(near, 0.0) + share(node.read, words)
