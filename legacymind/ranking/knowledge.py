"""The ranking of entities and observations, by meaning, words and the thoughts that come to mind.

A fact about a project has a near vector for every text that names the project, so meaning separates worst.
What separates best is how much of what the text asks a fact has, and how much of the fact the thoughts that
the text brings to mind talk about: on 16 texts with judged facts the area under the curve is .68 by cosine,
.84 by words, and .96 with those of the first five thoughts. A weight of 3 makes a third of the words as good
as a related cosine. By the share of its own words in the text, the shortest fact with the name in it won.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from legacymind.ranking.features import KnowledgeFeatures, Ranked, ThoughtFeatures, comparable
from legacymind.ranking.sums import standardised
from legacymind.ranking.words import Asked
from legacymind.text.fulltext import word_stems

_TOPIC: Final = 5
"""The first thoughts that come to mind, whose words count. With 3 or 8 the figures are .93 and .96."""

_MEANING: Final = 0.2
_WORDS: Final = 3.0
_OF_TEXT: Final = 0.3
"""The part of the words' weight that the text has; the thoughts have the others."""

_OFF_TOPIC: Final = 0.5
"""What the share of what is asked counts in place of that in the thoughts, which may be about something else.

With it, 23 of 24 questions about facts of a memory in which they had 19 find the fact among the first five.
"""

_NAME: Final = 0.3
"""What a bare name has of the weight of thoughts, which all have its words: its facts answer."""

_NAMED: Final = 1.1
"""The part of the way to related of the few facts about what a text names: enough at each scale."""

_ENDINGS: Final = 3
_STEMS: Final = 40
"""Stems of a fact that are compared."""


class ModelCosines(NamedTuple):
    """The model's cosines of unrelated and related texts, and of those with the same content (t3)."""

    unrelated: float
    related: float
    same: float


def topic(
    ranked: Sequence[Ranked[ThoughtFeatures]], scale: ModelCosines, strictness: float
) -> list[ThoughtFeatures]:
    """The first thoughts of a ranking, whose words count: those with this part of the way to related."""
    least = scale.unrelated + strictness * (scale.related - scale.unrelated)
    return [one.node for one in ranked[:_TOPIC] if one.score >= least]


def rank_knowledge(
    found: Sequence[KnowledgeFeatures],
    asked: Asked,
    scale: ModelCosines,
    *,
    beside: Sequence[ThoughtFeatures] = (),
) -> list[Ranked[KnowledgeFeatures]]:
    """All candidates, best first, by what is asked and by the thoughts that come to mind, best first.

    A cosine of the same content is a score by itself.
    """
    if not found:
        return []
    nearness = standardised(np.array([node.cosine for node in found]), 1e-6)
    reads = [thought.read for thought in beside]
    by_thoughts = _shares(found, reads)
    of_text = _OF_TEXT if reads else 1.0
    ranked: list[Ranked[KnowledgeFeatures]] = []
    for n, node in enumerate(found):
        share = asked.share(node.read)
        of_thoughts = (1 - of_text) * (_NAME if node.text == node.name else 1.0)
        parts = {
            "meaning": _MEANING * float(nearness[n]),
            "words": _WORDS * of_text * share,
            "beside": _WORDS * of_thoughts * max(by_thoughts[n], _OFF_TOPIC * share),
        }
        score = scale.unrelated + (scale.related - scale.unrelated) * sum(parts.values())
        if node.named:
            score = max(score, scale.unrelated + _NAMED * (scale.related - scale.unrelated))
        if node.cosine >= scale.same:
            score = max(score, node.cosine)
        ranked.append(Ranked(node, round(score, 6), parts))
    return _best_first(ranked)


def facts_first(ranked: Sequence[Ranked[KnowledgeFeatures]], query: str) -> list[Ranked[KnowledgeFeatures]]:
    """The candidates of a search, best first; a bare name stands below its facts if the query says more.

    They share out the scores that they have, so what is not about the entity keeps its place.
    """
    asked = {*comparable(query).split()}
    facts: defaultdict[str, list[Ranked[KnowledgeFeatures]]] = defaultdict(list)
    for one in ranked:
        if one.node.entity_id is not None:
            facts[one.node.entity_id].append(one)
    for bare in filter(_is_bare, ranked):
        if {*bare.node.read.split()} < asked:
            group = [*facts[bare.node.id], bare]
            for one, score in zip(group, sorted([one.score for one in group], reverse=True), strict=True):
                one.score = score
    return _best_first(ranked)


def _best_first(ranked: Sequence[Ranked[KnowledgeFeatures]]) -> list[Ranked[KnowledgeFeatures]]:
    return sorted(ranked, key=lambda one: (-one.score, _is_bare(one), one.node.id))


def _is_bare(one: Ranked[KnowledgeFeatures]) -> bool:
    return one.node.text == one.node.name


def _shares(found: Sequence[KnowledgeFeatures], reads: Sequence[str]) -> list[float]:
    """For each candidate the share of its words, by their rarity, in texts of thoughts."""
    stems = [word_stems(node.text, _ENDINGS)[:_STEMS] for node in found]
    counts = Counter(stem for own in stems for stem in own)
    known: dict[str, tuple[float, float]] = {}
    for stem, count in counts.items():
        weight = math.log((len(found) + 1) / (count + 0.5))
        known[stem] = weight, weight * sum([stem in read for read in reads]) / max(len(reads), 1)
    return [
        sum([known[stem][1] for stem in own]) / max(sum([known[stem][0] for stem in own]), 1e-9)
        for own in stems
    ]
