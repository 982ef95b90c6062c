"""Whether a memory is related to a text at all: by its cosine and the words that they share."""

from collections.abc import Sequence
from dataclasses import dataclass

from legacymind.ranking.features import Features
from legacymind.ranking.words import share


@dataclass(frozen=True, slots=True)
class Relatedness:
    """When memories count as related to a text.

    A memory's relatedness is its cosine on the way from ``zero`` (0) to ``threshold`` (1), plus the share of
    the text's words that it contains. Nothing is recalled unless one memory reaches 1; then others need only
    ``least_share`` of the best one's relatedness. ``strict``: the threshold is set by hand, so words do not
    count and every memory must reach it. A namespace's own mean and deviation separate related from unrelated
    texts less well (tests/bench/recall.py): they measure how alike its texts are.
    """

    threshold: float
    zero: float
    least_share: float
    strict: bool = False

    @property
    def least(self) -> float:
        """The least relatedness of every memory."""
        return 1.0 if self.strict else 0.0

    def of(self, node: Features, words: Sequence[str]) -> float:
        """The relatedness of a memory to a text with these words."""
        near = (node.cosine - self.zero) / (self.threshold - self.zero)
        return near if self.strict else near + share(node.read, words)

    def passes(self, related: float, best: float) -> bool:
        """Whether a memory is related, if the best one of all has the relatedness ``best``."""
        return best >= 1.0 and related >= max(self.least_share * best, self.least)
