"""How near texts are to each other: the cosines of a sample's pairs, and from where on a share of them is."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from legacymind.db.rows.maintain import Sampled

Cosines = NDArray[np.float32]

BINS: Final = 200
"""Of a histogram over the cosines -1 to 1."""

_SAME: Final = 0.9999
"""From this cosine on two texts are one; a model repeats itself to about the sixth digit."""

_COUNTED: Final = 20
"""A share of fewer pairs than these is not counted off but estimated."""

_HIGHEST: Final = 0.99
"""No threshold is above: only the very same text would pass."""


@dataclass(frozen=True, slots=True)
class Points:
    """Sampled nodes: unit vectors by row, the ids, namespaces, and ids each is linked to."""

    vectors: NDArray[np.float32]
    ids: Sequence[str]
    namespaces: Sequence[str]
    links: Sequence[frozenset[str]]

    def __len__(self) -> int:
        return len(self.ids)


def points(sample: Iterable[Sampled]) -> Points:
    """The distinct nodes of a sample; of texts that are the same in one namespace only the first counts."""
    rows = list(sample)
    dimensions = len(rows[0]["vector"]) if rows else 0
    vectors = np.array([row["vector"] for row in rows], dtype=np.float32).reshape(len(rows), dimensions)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    spaces = [row["namespace"] for row in rows]
    again = np.triu(vectors @ vectors.T >= _SAME, 1) & _together(spaces, spaces)
    first = [int(n) for n in np.flatnonzero(~again.any(axis=0))]
    return Points(
        vectors[first],
        [rows[n]["id"] for n in first],
        [spaces[n] for n in first],
        [frozenset(rows[n]["links"]) for n in first],
    )


def among(thoughts: Points) -> Cosines:
    """The cosines of all pairs of thoughts that could recall each other, falling."""
    counted = np.triu(_together(thoughts.namespaces, thoughts.namespaces), 1)
    counted &= ~(linked := _linked(thoughts, thoughts)) & ~linked.T
    return _falling((thoughts.vectors @ thoughts.vectors.T)[counted])


def between(thoughts: Points, knowledge: Points) -> Cosines:
    """The cosines of all thoughts with all knowledge they could recall, falling."""
    counted = _together(thoughts.namespaces, knowledge.namespaces)
    counted &= ~_linked(knowledge, thoughts).T
    return _falling((thoughts.vectors @ knowledge.vectors.T)[counted])


def threshold(cosines: Cosines, share: float) -> tuple[float, bool]:
    """The cosine that this share of the pairs reaches, and whether it is estimated.

    Where fewer than twenty pairs would pass, the tail beyond the twentieth is taken as exponential, with the
    mean of what those twenty are above it (Pickands 1975, Balkema and de Haan 1974). Samples of 100 turns of
    LoCoMo put the threshold that a pair in 5,000 reaches within 0.04 (root mean square) of where all turns of
    the conversation put it, samples of 200 within 0.025, of 400 within 0.015; the others within 0.035.
    """
    wanted = share * len(cosines)
    if wanted >= _COUNTED:
        exact, estimated = float(cosines[round(wanted) - 1]), False
    else:
        top = cosines[:_COUNTED].astype(np.float64)
        exact = float(top[-1] + (top - top[-1]).mean() * math.log(len(top) / wanted))
        estimated = True
    return min(math.floor(exact * 10_000) / 10_000, _HIGHEST), estimated


def share(cosines: Cosines, least: float) -> float:
    """The share of the pairs that reaches a cosine."""
    return 1 - int(np.searchsorted(cosines[::-1], np.float32(least))) / len(cosines)


def histogram(cosines: Cosines) -> list[int]:
    """How many pairs are in each of the bins."""
    counts, _ = np.histogram(np.clip(cosines, -1, 1), bins=BINS, range=(-1.0, 1.0))
    return [int(count) for count in counts]


def _falling(cosines: Cosines) -> Cosines:
    return np.sort(cosines)[::-1]


def _together(some: Sequence[str], others: Sequence[str]) -> NDArray[np.bool_]:
    """Which of some are in the namespace of which others: nothing is recalled across."""
    numbers = {name: number for number, name in enumerate({*some, *others})}
    left, right = ([numbers[name] for name in names] for names in (some, others))
    return np.array(left)[:, None] == np.array(right)[None, :]


def _linked(some: Points, others: Points) -> NDArray[np.bool_]:
    """Which of some name which others as what they are linked to."""
    places = {each: number for number, each in enumerate(others.ids)}
    linked = np.zeros((len(some), len(others)), dtype=np.bool_)
    for number, targets in enumerate(some.links):
        linked[number, [places[target] for target in targets if target in places]] = True
    return linked
