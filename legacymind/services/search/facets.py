"""Counts what the hits of a search have in common."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, cast

from legacymind.model.base import Hit
from legacymind.model.graph import FacetValue, SearchFacets
from legacymind.services.shared import budget

COUNTED: Final = 200
"""Hits of a list that are counted."""

_VALUES: Final = 50
"""The most values of a facet."""

_FACETS: Final = {
    "kinds": "kind",
    "modes": "mode",
    "thought_types": "thought_type",
    "authors": "author",
    "origins": "origin",
    "sessions": "session_id",
    "chains": "chain_id",
    "entity_types": "entity_type",
}
"""The properties of a hit by the names of their facets."""


_NAMES: Final = 60
"""Tokens of the names of the facets."""


def facets_of(hits: Sequence[Hit], token_budget: int, *, more: bool) -> SearchFacets:
    """The facets of hits; ``more``: there may be others.

    The most frequent values of every facet come before the next ones of any, until the budget ends.
    """
    values = {name: _values([getattr(hit, member) for hit in hits]) for name, member in _FACETS.items()}
    ranked = [(name, own[rank]) for rank in range(_VALUES) for name, own in values.items() if rank < len(own)]
    kept = {name: list[FacetValue]() for name in values}
    left, left_out = token_budget - _NAMES, 0
    for name, value in ranked:
        left -= budget.size(value)
        if left < 0:
            left_out += 1
        else:
            kept[name].append(value)
    made = SearchFacets(counted=len(hits), more=more, left_out=left_out)
    return replace(made, **cast("Any", kept))


def _values(stored: Sequence[object]) -> list[FacetValue]:
    counts = Counter(str(value) for value in stored if value not in (None, ""))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [FacetValue(value=value, count=count) for value, count in ordered[:_VALUES]]
