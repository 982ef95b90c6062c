"""The order of all hits of a search: the ranked ones, then the others by their cosine."""

from collections.abc import Sequence
from dataclasses import dataclass

from legacymind.ranking.knowledge import RankedKnowledge
from legacymind.ranking.thoughts import Ranked


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A hit in its place; ``ranked`` has the parts of its score."""

    id: str
    score: float
    cosine: float
    ranked: Ranked | RankedKnowledge | None = None


def all_places(
    ranked: Sequence[Ranked] | Sequence[RankedKnowledge],
    nearest: Sequence[tuple[str, float]],
    least_cosine: float,
    take: int,
) -> list[RankedPlace]:
    """The first hits whose cosine is at least ``least_cosine``.

    The others follow in the order of their cosine and score no more than the last ranked one, so that all
    pages have one order and an end.
    """
    places = [RankedPlace(one.node.id, one.score, one.node.cosine, one) for one in ranked]
    known = {place.id for place in places}
    last = places[-1].score if places else 1.0
    places += [RankedPlace(one, min(cosine, last), cosine) for one, cosine in nearest if one not in known]
    return [place for place in places if place.cosine >= least_cosine][:take]
