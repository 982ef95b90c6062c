"""Candidates of searches as hits."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final

from legacymind.model.base import MAX_CONTENT, Hit, Method, RankParts
from legacymind.origins import said_by
from legacymind.ranking.dates import moment
from legacymind.ranking.features import Features, Ranked, ThoughtFeatures
from legacymind.ranking.memories import Successors
from legacymind.services.shared.entities import end
from legacymind.services.shared.items import round_score

_READ: Final = 1_000_000
"""Most characters of all texts that a statement returns."""

_LEAST_READ: Final = 2_000
"""Characters of each text that it returns in any case."""

_MOST_STEPS: Final = 2**31
"""Steps of a chain; a value above is not LegacyMind's."""


def read_length(rows: int) -> int:
    """The characters of each text that a statement returns; the best passage is chosen from them."""
    return max(_LEAST_READ, min(MAX_CONTENT, _READ // rows))


def hit_of(
    place: Ranked[Features],
    rank: int,
    changes: Successors,
    *,
    method: Method = "graph",
    explain: bool = False,
) -> Hit:
    """The hit of a candidate in its place; Lucene's scores and cosines of nothing are not shown."""
    node = place.node
    text, score = node.text, round_score(None if method == "text" else min(place.score, 1.0))
    own: dict[str, Any]
    if isinstance(node, ThoughtFeatures):
        own = {
            "author": node.author,
            "mode": node.mode,
            "thought_type": node.thought_type,
            "session_id": node.session_id,
            "chain_id": node.chain_id,
            "step_index": node.step if node.session_id is not None and node.step < _MOST_STEPS else None,
            "confidence": node.confidence,
            "outside_chain": None if node.chained else True,
        }
    else:
        name, entity_type = node.entity or (node.name, node.entity_type)
        own = {
            "entity": name,
            "entity_type": entity_type,
            "valid_from": None if node.valid_from is None else moment(node.valid_from),
            "valid_to": None if node.valid_to is None else end(moment(node.valid_to)),
        }
    return Hit(
        id=node.id,
        kind=node.kind,
        said_by=said_by(node.origin, node.door, node.trust),
        text=text if len(text) == node.length else f"{text}…",
        score=score,
        rank=rank,
        created_at=moment(node.created) if node.created else None,
        cosine=round_score(None if method == "text" else node.cosine),
        parts=RankParts(**{name: round(part, 3) for name, part in place.parts.items()})
        if explain and place.parts and method == "graph"
        else None,
        copies=place.copies if place.copies > 1 else None,
        standing=True if node.standing is True else None,
        revised_by=changes.revised_by,
        contradicted_by=changes.contradicted_by,
        solved_by=changes.solutions[0].id if changes.solutions else None,
        **own,
    )


def merged(found: Sequence[Sequence[Hit]], namespaces: Sequence[str | None]) -> list[Hit]:
    """The hits of several namespaces, best first, each list in its order; None is that of the answer."""
    if namespaces == [None]:
        return [*found[0]]
    placed = [
        (-least, hit.rank, replace(hit, namespace=space))
        for hits, space in zip(found, namespaces, strict=True)
        for hit, least in zip(hits, accumulate((hit.score or 0.0 for hit in hits), min), strict=True)
    ]
    best = sorted(placed, key=itemgetter(0, 1))
    return [replace(hit, rank=rank) for rank, (_, _, hit) in enumerate(best, 1)]
