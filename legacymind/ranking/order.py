"""The order of all hits of a search: the ranked ones, then the others by their cosine."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from legacymind.model.base import Hit
from legacymind.ranking.copies import are_copies, asks_again, in_sections
from legacymind.ranking.knowledge import RankedKnowledge
from legacymind.ranking.thoughts import Ranked


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A hit in its place; ``ranked`` has the parts of its score, and ``copies`` counts it and its copies."""

    id: str
    score: float
    cosine: float
    ranked: Ranked | RankedKnowledge | None = None
    copies: int = 1


def all_places(
    ranked: Sequence[Ranked] | Sequence[RankedKnowledge],
    nearest: Sequence[tuple[str, float]],
    least_cosine: float,
    take: int,
    query: str | None = None,
) -> list[RankedPlace]:
    """The first hits whose cosine is at least ``least_cosine``.

    With ``query``, the best of copies stands for all of them, sections stand for their thought, and a
    question that repeats the query is no hit. Facts need none: an entity has no fact twice, and one of
    another entity is another fact. What was not ranked follows in the order of its cosine and scores no more
    than the last ranked one, so that all pages have one order and an end.
    """
    passing = [one for one in ranked if one.node.cosine >= least_cosine]
    places = [_place(one) for one in passing] if query is None else _folded(passing, query, take)
    known = {one.node.id for one in ranked}
    last = ranked[-1].score if ranked else 1.0
    places += [
        RankedPlace(one, min(cosine, last), cosine)
        for one, cosine in nearest
        if one not in known and cosine >= least_cosine
    ]
    return places[:take]


def _folded(ranked: Sequence[Ranked | RankedKnowledge], query: str, take: int) -> list[RankedPlace]:
    kept: list[Ranked | RankedKnowledge] = []
    copies: list[int] = []
    whole = in_sections(one.node for one in ranked)
    for one in ranked:
        same = next((n for n, other in enumerate(kept) if are_copies(one.node, other.node)), None)
        if same is not None:
            copies[same] += 1
        elif len(kept) < take and one.node.id not in whole and not asks_again(one.node, query):
            kept.append(one)
            copies.append(1)
    return [_place(one, count) for one, count in zip(kept, copies, strict=True)]


def _place(one: Ranked | RankedKnowledge, copies: int = 1) -> RankedPlace:
    return RankedPlace(one.node.id, one.score, one.node.cosine, one, copies)


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


def contradicted_last(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, each contradicted one behind the one that contradicts it, in order of their places."""
    left = {hit.id: hit for hit in hits}
    placed: list[Hit] = []

    def place(hit: Hit) -> None:
        del left[hit.id]
        against = left.get(hit.contradicted_by or "")
        if against is not None:
            place(against)
        placed.append(hit)

    while left:
        place(next(iter(left.values())))
    ranks = [hit.rank for hit in hits]
    return [replace(hit, rank=rank) for hit, rank in zip(placed, ranks, strict=True)]
