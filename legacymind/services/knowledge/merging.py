"""Merges entities that are the same thing under several names."""

from datetime import UTC, datetime
from typing import Annotated, Final

from legacymind.db.query import load
from legacymind.errors import Conflict, InvalidInput
from legacymind.model.about import about
from legacymind.model.base import OPEN
from legacymind.model.nodes import EntityName, MergedNow, MergeResult
from legacymind.model.values import Names
from legacymind.operations.registry import operation
from legacymind.services.knowledge.entities import not_one
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.text import keys

Merged = tuple[list[tuple[int, list[EntityName]]], bool, EntityName | None, list[MergedNow], int]
"""References that do not mean one entity, by their positions, with those that they may mean; whether another
call merged one of the entities meanwhile; what was kept and merged, and how many relationships moved. Nothing
was written if a reference is unclear or an entity was merged."""

MERGE_ENTITIES = load("knowledge/merge_entities", Merged, writes=True)

MAX_MERGED: Final = 100
"""The most entities that one call merges."""


class MergeService(Service):
    """Merges entities."""

    @operation(
        tool="legacymind_merge",
        command="merge",
        writes=True,
        profile="full",
        idempotent=True,
        destructive=True,
        planned={"dry_run": True},
    )
    async def merge(
        self,
        keep: Annotated[str, about("Id or name", "Id or name of the entity to keep")],
        others: Annotated[Names, about("Ids or names", "Ids or names of the entities to merge into it")],
        reason: Annotated[
            str | None, about("Why they merge", "Reason, stored with each merged entity")
        ] = None,
        author: Annotated[
            str | None, about("Who merges", "Who merges; stored with each merged entity")
        ] = None,
        dry_run: Annotated[bool, about("Count only", "Change nothing; show what would be merged")] = False,
        namespace: Namespace = None,
    ) -> MergeResult:
        """Merge entities that are the same thing into one.

        The kept entity gets their facts, relations and links to thoughts, and the properties that it lacks.
        Of a relation that both have it keeps its own. The old names and ids then mean the kept entity, and
        reading it shows who merged what, when and why. Raises NotFound when there is no such entity,
        InvalidInput when several have a name.
        """
        if not others or len(others) > MAX_MERGED:
            raise InvalidInput(
                f"The call names {len(others):,} entities to merge; 1 to {MAX_MERGED} are merged at once.",
                hint="Send the ids or names of the others.",
            )
        given = [checks.key("keep", keep), *(checks.key("others", other) for other in others)]
        if {keys.normalised(name) for name in given[1:]} == {keys.normalised(given[0])}:
            raise InvalidInput(
                f"{given[0]} is the entity to keep, and no other is named.",
                hint="Send the ids or names of the entities to merge into it.",
            )
        now = datetime.now(UTC)
        ((unclear, changed, kept, merged, links),) = await self._graph.run(
            MERGE_ENTITIES,
            {
                "named": [
                    {"position": position, "id": name.strip(), "name_key": keys.normalised(name)}
                    for position, name in enumerate(given)
                ],
                "namespace": checks.namespace(namespace, self._settings),
                "now": now,
                "end": OPEN,
                "author": checks.key("author", author),
                "reason": None if reason is None else checks.text("reason", reason, limit=1000),
                "arrived": False,
                "dry_run": dry_run,
            },
        )
        if unclear:
            position, same_name = unclear[0]
            raise not_one(given[position], same_name)
        if changed or kept is None:
            raise Conflict(
                "Another call has just merged one of these entities.", hint="Read them, and retry."
            )
        return MergeResult(kept=kept, merged=merged, links=links, at=now, dry_run=dry_run)
