"""Finds entities that may be the same thing under two names."""

from datetime import UTC, datetime
from typing import Annotated, Final

from legacymind.db.query import OverSlot, load
from legacymind.model.about import about
from legacymind.model.nodes import DuplicatePair, DuplicatesResult
from legacymind.model.values import Unit, skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens
from legacymind.services.shared.entities import NamedEntity, entity_name
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.scores import round_score
from legacymind.services.shared.service import Service
from legacymind.text import keys
from legacymind.text.likeness import likeness


class CandidateRow(NamedEntity):
    """An entity that may be another; ``cosine`` is null if one of them has no vector."""

    cosine: float | None


class DuplicatesRow(OverSlot):
    """An entity, and later ones that may be the same."""

    entity: NamedEntity
    candidates: list[CandidateRow]


FIND_DUPLICATES = load("knowledge/find_duplicates", DuplicatesRow, writes=False)


_PAGE: Final = 200

_NEIGHBOURS: Final = 10
"""Candidates of one entity by vector, and as many by name."""

_BEGINNING: Final = 4
"""Letters with which two names begin if the order of names brings them together."""

_MEANING: Final = 0.4
"""The part of the vectors in the score; the rest is that of the names."""


class DuplicateService(Service):
    """Finds likely duplicates. It reads; merging is another operation."""

    @operation(tool="legacymind_duplicates", command="duplicates", writes=False, profile="full")
    async def duplicates(
        self,
        entity_type: Annotated[str | None, about("Only these", "Read entities of this type only")] = None,
        min_score: Annotated[Unit, about("At least", "Lowest score of a pair")] = 0.75,
        limit: Annotated[
            int, whole(1, 1000), about("Entities compared", "Entities to compare with others")
        ] = _PAGE,
        offset: Annotated[
            int,
            skipped(10_000_000, advice="narrow the read with entity_type"),
            about("Entities to skip", "Entities to skip: `next_offset` of the last page"),
        ] = 0,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> DuplicatesResult:
        """List pairs of entities that may be the same thing.

        Entities are read in the order of their names, and each is compared with those that have the nearest
        vectors or follow it by name. The score joins the likeness of the names with the cosine of the
        vectors. Types must be equal, or one of them missing. Nothing is merged.
        """
        namespace = checks.namespace(namespace, self._settings)
        rows = await self._vectors.run(
            FIND_DUPLICATES,
            {
                "namespace": namespace,
                "type_key": None if entity_type is None else keys.normalised(entity_type),
                "now": datetime.now(UTC),
                "neighbours": _NEIGHBOURS,
                "beginning": _BEGINNING,
                "skip": offset,
                "take": limit + 1,
            },
        )
        found: list[tuple[int, DuplicatePair]] = []
        for position, row in enumerate(rows[:limit]):
            pairs = [_pair(row["entity"], candidate) for candidate in row["candidates"]]
            likely = sorted((pair for pair in pairs if pair.score >= min_score), key=lambda pair: -pair.score)
            found += [(position, pair) for pair in likely]
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        fitting, left_out = budget.fit([pair for _, pair in found], allowed, reserve=budget.frame(namespace))
        # A page that is cut ends before the first entity with a pair that was left out, but after one entity.
        compared = max(1, found[len(fitting)][0]) if left_out else min(len(rows), limit)
        pairs = [pair for (position, _), pair in zip(found, fitting, strict=False) if position < compared]
        return DuplicatesResult(
            pairs=pairs,
            count=len(pairs),
            compared=compared,
            offset=offset,
            left_out=len(found) - len(pairs),
            next_offset=offset + compared if compared < len(rows) else None,
        )


def _pair(entity: NamedEntity, candidate: CandidateRow) -> DuplicatePair:
    names, cosine = likeness(str(entity["name"]), str(candidate["name"])), candidate["cosine"]
    score = names if cosine is None else _MEANING * max(cosine, 0.0) + (1 - _MEANING) * names
    return DuplicatePair(
        first=entity_name(entity),
        second=entity_name(candidate),
        score=round(score, 4),
        likeness=round(names, 4),
        cosine=round_score(cosine),
    )
