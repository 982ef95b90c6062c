"""Whether memory has something to say about a text at all: by cosines and by the words that are shared."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from legacymind.ranking.features import Features, KnowledgeFeatures, ThoughtFeatures
from legacymind.ranking.words import Asked

THOUGHT_OPENS: Final = 1.3
KNOWLEDGE_OPENS: Final = 2.85
"""The relatedness from which a thought, and from which a fact or an entity, opens recall."""

ITS_COSINE_OPENS: Final = 2.1
"""The relatedness from which the cosine of a fact or an entity opens recall by itself: .72 with MiniLM.

Of 102 prompts that nothing in three memories answers, these let 13 recall something, and of 60 that are
answered all but 6 (bench/silence.py). They were chosen on half of these, and hold on the other. A thought's
at 1.35 would let one less, and cost 1.7 % of the evidence of LoCoMo. In a memory of a few facts no word is
rare and no fact leads, so a near one must do.
"""

_WHOLE: Final = 0.999


@dataclass(frozen=True, slots=True)
class Relatedness:
    """When memories count as related to a text.

    A memory's relatedness is its cosine on the way from ``zero`` (0) to ``threshold`` (1), plus the part of
    what is asked that it contains, by the rarity of the words. Nothing is recalled unless one memory opens.
    Then the best one comes, and with it all whose score in the ranking, in the unit of a cosine, is at least
    ``threshold``.
    ``strict``: nothing but cosines of at least the threshold counts, as with ``recall = "thresholds"``.
    A namespace's own mean and deviation separate related from unrelated texts less well
    (bench/recall.py): they measure how alike its texts are.
    """

    threshold: float
    zero: float
    strict: bool = False

    def of(self, node: Features, asked: Asked) -> float:
        """The relatedness of a memory to a text that asks for these words."""
        return self._of(node.cosine, asked.share(node.read))

    def opens(
        self,
        thoughts: Iterable[ThoughtFeatures],
        knowledge: Iterable[KnowledgeFeatures],
        asked: Asked,
    ) -> bool:
        """Whether one of the candidates has something to say.

        Every fact about Ada is near a text that names Ada. One that answers is nearer than the others, so a
        fact's lead over the mean of its entity and of the entity's other facts is added to its cosine. An
        entity itself is always nearer than these, by its name. Less is needed of a standing preference and
        of what has every word that is asked, and nothing more of a thought that has them all.
        """
        for node in thoughts:
            share = asked.share(node.read)
            if share >= _WHOLE or self._of(node.cosine, share) >= THOUGHT_OPENS:
                return True
        groups: defaultdict[str, list[KnowledgeFeatures]] = defaultdict(list)
        for node in knowledge:
            groups[node.entity_id or node.id].append(node)
        for group in groups.values():
            whole = sum(node.cosine for node in group)
            for node in group:
                fact = node.entity_id is not None and len(group) > 1
                others = (whole - node.cosine) / (len(group) - 1) if fact else node.cosine
                share = asked.share(node.read)
                easily = node.standing or share >= _WHOLE
                least = THOUGHT_OPENS if easily else KNOWLEDGE_OPENS
                if (
                    self._of(2 * node.cosine - others, share) >= least
                    or self._near(node.cosine) >= ITS_COSINE_OPENS
                ):
                    return True
        return False

    def _near(self, cosine: float) -> float:
        return (cosine - self.zero) / (self.threshold - self.zero)

    def _of(self, cosine: float, share: float) -> float:
        near = self._near(cosine)
        return near if self.strict else max(near, 0.0) + share
