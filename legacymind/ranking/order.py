"""The order of the hits of a search: candidates as they were ranked, changed ones after what changes them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from legacymind.ranking.copies import are_copies, asks_again, in_sections
from legacymind.ranking.features import Features
from legacymind.ranking.knowledge import RankedKnowledge
from legacymind.ranking.memories import UNCHANGED, Successors
from legacymind.ranking.thoughts import Ranked


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A hit in its place, with the parts of its score; ``copies`` counts it and its copies."""

    node: Features
    score: float
    parts: Mapping[str, float] | None = None
    copies: int = 1


def places(
    thoughts: Sequence[Ranked],
    knowledge: Sequence[RankedKnowledge],
    least_cosine: float,
    take: int,
    query: str | None,
) -> list[RankedPlace]:
    """The first ``take`` hits of each kind whose cosine is at least ``least_cosine``, best first.

    With ``query``, the best of copies stands for all of them, sections stand for their thought, and a
    question that repeats the query is no hit. Facts need none of that: an entity has no fact twice, and one
    of another entity is another fact.
    """
    passing = [one for one in thoughts if one.node.cosine >= least_cosine]
    first = _plain(passing)[:take] if query is None else _folded(passing, query, take)
    facts = _plain([one for one in knowledge if one.node.cosine >= least_cosine])[:take]
    return sorted([*first, *facts], key=lambda place: -place.score)


def _plain(ranked: Sequence[Ranked | RankedKnowledge]) -> list[RankedPlace]:
    return [RankedPlace(one.node, one.score, one.parts) for one in ranked]


def _folded(ranked: Sequence[Ranked], query: str, take: int) -> list[RankedPlace]:
    kept: list[Ranked] = []
    copies: list[int] = []
    whole = in_sections(one.node for one in ranked)
    for one in ranked:
        same = next((n for n, other in enumerate(kept) if are_copies(one.node, other.node)), None)
        if same is not None:
            copies[same] += 1
        elif len(kept) < take and one.node.id not in whole and not asks_again(one.node, query):
            kept.append(one)
            copies.append(1)
    return [
        RankedPlace(one.node, one.score, one.parts, count) for one, count in zip(kept, copies, strict=True)
    ]


def changed_last(
    ranked: Sequence[RankedPlace],
    successors: Mapping[str, Successors],
    find: Callable[[Features], RankedPlace | None],
) -> list[RankedPlace]:
    """The places, each once, after the latest revision of its node and what contradicts it most strongly.

    ``find`` makes the place of such a node, or None if it is no hit of the search.
    """
    placed: list[RankedPlace] = []
    seen: set[str] = set()

    def put(place: RankedPlace) -> None:
        if place.node.id in seen:
            return
        seen.add(place.node.id)
        found = successors.get(place.node.id, UNCHANGED)
        for node in (found.revision, found.against):
            before = None if node is None else find(node)
            if before is not None:
                put(replace(before, score=place.score))
        placed.append(place)

    for place in ranked:
        put(place)
    return placed


def newer_first(ids: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """For each place, the place of the item that belongs there: of each pair, its first item comes first."""
    order = list(range(len(ids)))
    places = {id: n for n, id in enumerate(ids)}
    for newer, older in pairs:
        if places[older] < places[newer]:
            there, here = places[newer], places[older]
            order[here], order[there] = order[there], order[here]
            places[newer], places[older] = here, there
    return order
