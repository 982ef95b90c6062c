"""The ranking of entities and observations, by meaning, words and what they are about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from legacymind.ranking.features import KnowledgeFeatures
from legacymind.ranking.sums import standardised
from legacymind.ranking.thoughts import mass
from legacymind.ranking.words import Floats, word_sums

_MEANING: Final = 0.5
_WORDS: Final = 0.25
_BESIDE: Final = 0.15
_WEIGHTS: Final = 1.05
"""The sum of the weights when entity and observation match alike."""


@dataclass(slots=True)
class RankedKnowledge:
    """An entity or observation with its score, in the unit of a cosine, and the parts of it."""

    node: KnowledgeFeatures
    score: float
    parts: dict[str, float]


def rank_knowledge(
    found: Sequence[KnowledgeFeatures], words: Sequence[str], mass_weight: float = 0.0
) -> list[RankedKnowledge]:
    """All candidates, best first. An observation gains when its entity matches, and an entity by them."""
    if not found:
        return []
    cosines = np.array([node.cosine for node in found])
    deviation = float(np.std(cosines))
    cosine_z = standardised(cosines) if deviation > 1e-9 else np.zeros(len(found))
    sums = word_sums([node.read for node in found], words, beginnings=False)
    text_z = standardised(sums) if float(np.std(sums)) > 1e-6 else np.zeros(len(found))
    beside = _beside(found, cosine_z + text_z)
    ranked: list[RankedKnowledge] = []
    for n, node in enumerate(found):
        parts = {
            "meaning": _MEANING * float(cosine_z[n]),
            "words": _WORDS * float(text_z[n]),
            "beside": _BESIDE * float(beside[n]),
            "mass": mass(node.mass, mass_weight),
        }
        score = float(np.mean(cosines)) + deviation * sum(parts.values()) / _WEIGHTS
        ranked.append(RankedKnowledge(node, round(score, 6), parts))
    return sorted(ranked, key=lambda one: (-one.score, one.node.id))


def _beside(found: Sequence[KnowledgeFeatures], combined: Floats) -> Floats:
    """The best score of the entities of an observation, and of the observations of an entity."""
    places = {node.id: n for n, node in enumerate(found)}
    beside = np.full(len(found), -np.inf)
    for n, node in enumerate(found):
        for m in (places[entity] for entity in node.about if entity in places):
            beside[n] = max(beside[n], combined[m])
            beside[m] = max(beside[m], combined[n])
    return np.where(np.isinf(beside), 0.0, beside)
