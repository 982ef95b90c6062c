"""The ranking of entities and observations, by meaning, words and the thoughts that come to mind.

A fact about a project has a near vector for every text that names the project, so meaning separates worst.
What separates best is how much of a fact the text and the thoughts that it brings to mind talk about: on 16
texts with judged facts the area under the curve is .68 by cosine, .84 by the words of the text, and .96 with
those of the first five thoughts. A weight of 3 makes a third of a fact's words as good as a related cosine.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from legacymind.ranking.features import KnowledgeFeatures, Ranked, ThoughtFeatures, comparable
from legacymind.ranking.sums import standardised
from legacymind.ranking.thoughts import mass
from legacymind.text.fulltext import word_stems

TOPIC: Final = 5
"""The first thoughts that come to mind, whose words count. With 3 or 8 the figures are .93 and .96."""

_MEANING: Final = 0.2
_WORDS: Final = 3.0
_OF_TEXT: Final = 0.3
"""The part of the words' weight that the text has; the thoughts have the others."""

_NAME: Final = 0.3
"""What a bare name has of the weight of its words, which are in every question about it: its facts answer."""

_ENDINGS: Final = 3
_STEMS: Final = 40
"""Stems of a fact that are compared."""


class ModelCosines(NamedTuple):
    """The model's cosines of unrelated and related texts, and of those with the same content (t3)."""

    unrelated: float
    related: float
    same: float


def rank_knowledge(
    found: Sequence[KnowledgeFeatures],
    text: str,
    scale: ModelCosines,
    mass_weight: float = 0.0,
    *,
    beside: Sequence[ThoughtFeatures] = (),
) -> list[Ranked[KnowledgeFeatures]]:
    """All candidates, best first, by a text and by the thoughts that it brings to mind, best first.

    A cosine of the same content is a score by itself.
    """
    if not found:
        return []
    nearness = standardised(np.array([node.cosine for node in found]), 1e-6)
    by_text, by_thoughts = _shares(found, text, beside[:TOPIC])
    ranked: list[Ranked[KnowledgeFeatures]] = []
    for n, node in enumerate(found):
        words = _WORDS * (_NAME if node.text == node.name else 1.0)
        parts = {
            "meaning": _MEANING * float(nearness[n]),
            "words": words * by_text[n],
            "beside": words * by_thoughts[n],
        }
        score = scale.unrelated + (scale.related - scale.unrelated) * sum(parts.values())
        if node.named:
            score = max(score, scale.related)
        if node.cosine >= scale.same:
            score = max(score, node.cosine)
        parts["mass"] = mass(node.mass, mass_weight)
        score += (scale.related - scale.unrelated) * parts["mass"]
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


def _shares(
    found: Sequence[KnowledgeFeatures], text: str, beside: Sequence[ThoughtFeatures]
) -> tuple[list[float], list[float]]:
    """For each candidate the shares of its words, by their rarity, in the text and in the thoughts."""
    stems = [word_stems(node.text, _ENDINGS)[:_STEMS] for node in found]
    counts = Counter(stem for own in stems for stem in own)
    text = comparable(text)
    reads = [thought.read for thought in beside]
    of_text = _OF_TEXT if reads else 1.0
    known: dict[str, tuple[float, float, float]] = {}
    for stem, count in counts.items():
        weight = math.log((len(found) + 1) / (count + 0.5))
        in_thoughts = sum([stem in read for read in reads]) / max(len(reads), 1)
        known[stem] = weight, weight * of_text * (stem in text), weight * (1 - of_text) * in_thoughts
    by_text, by_thoughts = list[float](), list[float]()
    for own in stems:
        whole = max(sum([known[stem][0] for stem in own]), 1e-9)
        by_text.append(sum([known[stem][1] for stem in own]) / whole)
        by_thoughts.append(sum([known[stem][2] for stem in own]) / whole)
    return by_text, by_thoughts
