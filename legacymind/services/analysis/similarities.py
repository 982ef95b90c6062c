"""The cosines of a sample's pairs, and the cosine that a given share of them reaches."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray


class Sampled(TypedDict):
    """A sampled node; ``vector`` is an array of 32-bit floats, ``links`` are ids that it never recalls."""

    id: str
    namespace: str
    vector: Sequence[float]
    links: list[str]


Cosines = NDArray[np.float32]

_SAME: Final = 0.9999
"""From this cosine two texts count as the same; a model's vectors repeat to about six digits."""

_COUNTED: Final = 20
"""With fewer pairs than this, a share is estimated instead of counted."""

_HIGHEST: Final = 0.99
"""The highest threshold; above it only the same text would pass."""


@dataclass(frozen=True, slots=True)
class Points:
    """Sampled nodes: unit vectors by row, ids, namespaces, and the ids that each node links to."""

    vectors: NDArray[np.float32]
    ids: Sequence[str]
    namespaces: Sequence[str]
    links: Sequence[frozenset[str]]

    def __len__(self) -> int:
        return len(self.ids)


def points(sample: Iterable[Sampled]) -> Points:
    """Return a sample's nodes without repeats: of equal texts in a namespace only the first stays."""
    rows = list(sample)
    dimensions = len(rows[0]["vector"]) if rows else 0
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32).reshape(len(rows), dimensions)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    spaces = [row["namespace"] for row in rows]
    repeats = np.triu(vectors @ vectors.T >= _SAME, 1) & _same_namespace(spaces, spaces)
    first = [int(n) for n in np.flatnonzero(~repeats.any(axis=0))]
    return Points(
        vectors[first],
        [rows[n]["id"] for n in first],
        [spaces[n] for n in first],
        [frozenset(rows[n]["links"]) for n in first],
    )


def among(thoughts: Points) -> Cosines:
    """Return the cosines of all pairs of thoughts that could recall each other, in descending order."""
    counted = np.triu(_same_namespace(thoughts.namespaces, thoughts.namespaces), 1)
    counted &= ~(linked := _linked(thoughts, thoughts)) & ~linked.T
    return _descending((thoughts.vectors @ thoughts.vectors.T)[counted])


def between(thoughts: Points, knowledge: Points) -> Cosines:
    """Return the cosines of thoughts with the knowledge they could recall, in descending order."""
    counted = _same_namespace(thoughts.namespaces, knowledge.namespaces)
    counted &= ~_linked(knowledge, thoughts).T
    return _descending((thoughts.vectors @ knowledge.vectors.T)[counted])


def threshold(cosines: Cosines, share: float) -> tuple[float, bool]:
    """Return the cosine that this share of the pairs reaches, and whether it is estimated.

    Where fewer than twenty pairs would pass, the tail beyond the twentieth is modelled as exponential, with
    the mean excess of those twenty over the twentieth (Pickands 1975, Balkema and de Haan 1974). On LoCoMo,
    samples of 100 turns estimate the threshold that one pair in 5,000 reaches within 0.04 (root mean square)
    of the value from all turns of a conversation, samples of 200 within 0.025 and of 400 within 0.015; the
    other thresholds within 0.035.
    """
    wanted = share * len(cosines)
    if wanted >= _COUNTED:
        exact, estimated = float(cosines[round(wanted) - 1]), False
    else:
        top = cosines[:_COUNTED].astype(np.float64)
        exact = float(top[-1] + (top - top[-1]).mean() * math.log(len(top) / wanted))
        estimated = True
    return min(math.floor(exact * 10_000) / 10_000, _HIGHEST), estimated


def _descending(cosines: Cosines) -> Cosines:
    return np.sort(cosines)[::-1]


def _same_namespace(some: Sequence[str], others: Sequence[str]) -> NDArray[np.bool_]:
    """Return which pairs share a namespace; recall never crosses namespaces."""
    numbers = {name: number for number, name in enumerate({*some, *others})}
    left, right = ([numbers[name] for name in names] for names in (some, others))
    return np.array(left)[:, None] == np.array(right)[None, :]


def _linked(some: Points, others: Points) -> NDArray[np.bool_]:
    """Return which of ``some`` link to which of ``others``."""
    places = {each: number for number, each in enumerate(others.ids)}
    linked = np.zeros((len(some), len(others)), dtype=np.bool_)
    for number, targets in enumerate(some.links):
        linked[number, [places[target] for target in targets if target in places]] = True
    return linked
