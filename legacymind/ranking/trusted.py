"""The place that what the user said keeps among many less trusted texts."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from legacymind.origins import USER
from legacymind.ranking.features import Features

T = TypeVar("T")

_FIRST: Final = 3
"""Places of which the user has one."""

SHARE: Final = 0.7
"""The relevance that it needs, as a share of that of the first; unrelated texts have about half."""


def with_the_users(
    ordered: Sequence[T], node: Callable[[T], Features], relevance: Callable[[T], float]
) -> list[T]:
    """The same order, but what the user said best is third at the latest, if it is nearly as relevant."""
    kept = [*ordered]
    best = next((n for n, one in enumerate(kept) if node(one).trust == USER and not node(one).asks), None)
    if best is not None and best >= _FIRST and relevance(kept[best]) >= SHARE * relevance(kept[0]):
        kept.insert(_FIRST - 1, kept.pop(best))
    return kept
