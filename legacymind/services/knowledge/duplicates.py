"""Finds entities that may be the same thing under two names."""

from datetime import UTC, datetime
from typing import Annotated, Final

from legacymind.db.query import load
from legacymind.model.about import about
from legacymind.model.nodes import DuplicatePair, DuplicatesResult, EntityName
from legacymind.model.values import Unit, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, position
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.items import round_score
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.text import keys
from legacymind.text.likeness import likeness, mixes_scripts

Likely = tuple[EntityName, float | None]
"""An entity that may be another, and their cosine; null if one of them has no vector."""

DuplicatesRow = tuple[EntityName, list[Likely], bool]
"""An entity, later ones that may be the same, and whether the slot is the one in use."""

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
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[DuplicatesResult]:
        """List pairs of entities that may be the same thing.

        Entities are read in the order of their names, and each is compared with those that have the nearest
        vectors or follow it by name. The score joins the likeness of the names with the cosine of the
        vectors. Types must be equal, or one of them missing. Nothing is merged.
        ``mixed_scripts`` has names that only look like others.
        """
        namespace = checks.namespace(namespace, self._settings)
        offset, passed = position(after, "oo", (0, 0))  # entities, and pairs of the first of the page
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
        found: list[tuple[tuple[int, int], DuplicatePair]] = []
        for place, (entity, candidates, _) in enumerate(rows[:limit], int(offset)):
            pairs = [_pair(entity, *candidate) for candidate in candidates]
            likely = sorted((pair for pair in pairs if pair.score >= min_score), key=lambda pair: -pair.score)
            found += [((place, count), pair) for count, pair in enumerate(likely, 1)]
        found = [(end, pair) for end, pair in found if end > (offset, passed)]
        return Paged(
            result=DuplicatesResult(
                pairs=[pair for _, pair in found],
                compared=min(len(rows), limit),
                mixed_scripts=[entity for entity, *_ in rows[:limit] if mixes_scripts(str(entity.name))],
            ),
            lists=("pairs",),
            ends=[end for end, _ in found],
            next=(int(offset) + limit, 0) if len(rows) > limit else None,
        )


def _pair(entity: EntityName, candidate: EntityName, cosine: float | None) -> DuplicatePair:
    names = likeness(str(entity.name), str(candidate.name))
    score = names if cosine is None else _MEANING * max(cosine, 0.0) + (1 - _MEANING) * names
    return DuplicatePair(
        first=entity,
        second=candidate,
        score=round(score, 4),
        likeness=round(names, 4),
        cosine=round_score(cosine),
    )
