"""The order of the hits of a search: candidates as they were ranked, changed ones after what changes them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from legacymind.ranking.copies import are_copies, asks_again
from legacymind.ranking.features import Features, KnowledgeFeatures, Node, Ranked, ThoughtFeatures
from legacymind.ranking.memories import UNCHANGED, Successors
from legacymind.ranking.trusted import with_the_users


def places(
    thoughts: Sequence[Ranked[ThoughtFeatures]],
    knowledge: Sequence[Ranked[KnowledgeFeatures]],
    least_cosine: float,
    take: int,
    query: str | None,
) -> list[Ranked[Features]]:
    """The first ``take`` hits of each kind whose cosine is at least ``least_cosine``, best first.

    Of about equally relevant ones the more trusted come first.

    With ``query``, the best of copies stands for all of them, and a question that repeats the query is no
    hit. Facts need none of that: an entity has no fact twice, and one of another entity is another fact.
    """
    passing = _ordered(one for one in thoughts if one.node.cosine >= least_cosine)
    first = passing[:take] if query is None else _folded(passing, query, take)
    facts = _ordered(one for one in knowledge if one.node.cosine >= least_cosine)[:take]
    return _ordered([*first, *facts])


def _ordered(found: Iterable[Ranked[Node]]) -> list[Ranked[Node]]:
    """Ranked by relevance and trust."""
    ordered = sorted(found, key=lambda one: -one.place)
    return with_the_users(ordered, lambda one: one.node, lambda one: one.score)


def _folded(
    ranked: Sequence[Ranked[ThoughtFeatures]], query: str, take: int
) -> list[Ranked[ThoughtFeatures]]:
    kept: list[Ranked[ThoughtFeatures]] = []
    for one in ranked:
        same = next((other for other in kept if are_copies(one.node, other.node)), None)
        if same is not None:
            same.copies += 1
        elif len(kept) < take and not asks_again(one.node, query):
            kept.append(replace(one))
    return kept


def changed_last(
    ranked: Sequence[Ranked[Features]],
    successors: Mapping[str, Successors],
    find: Callable[[Features], Ranked[Features] | None],
) -> list[Ranked[Features]]:
    """The places, each once, after the latest revision of its node and what contradicts it most strongly.

    ``find`` makes the place of such a node, or None if it is no hit of the search.
    """
    placed: list[Ranked[Features]] = []
    seen: set[str] = set()

    def put(place: Ranked[Features]) -> None:
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
