"""Counts what the hits of a search have in common."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, cast

from legacymind.model.base import Hit
from legacymind.model.graph import FacetValue, SearchFacets
from legacymind.operations.pages import Paged

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


def facets_of(hits: Sequence[Hit], *, more: bool) -> Paged[SearchFacets]:
    """The facets of hits; ``more``: there may be others. All have at most the same number of values."""
    values = {name: _values([getattr(hit, member) for hit in hits]) for name, member in _FACETS.items()}
    made = SearchFacets(counted=len(hits), more=more, **cast("Any", values))
    return Paged(result=made, lists=tuple(values), abreast=True)


def _values(stored: Sequence[object]) -> list[FacetValue]:
    counts = Counter(str(value) for value in stored if value not in (None, ""))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [FacetValue(value=value, count=count) for value, count in ordered[:_VALUES]]
