"""Trails through the graph: what a thought followed, revised and recalled."""

from typing import Annotated, Any

from pydantic import Field

from legacymind import queries
from legacymind.errors import NotFound
from legacymind.graph import Graph
from legacymind.model import Direction, Relation, TrailResult, TrailStep
from legacymind.operation import clamped, operation
from legacymind.services import checks
from legacymind.services.text import cut
from legacymind.settings import Settings

CONTINUITY: tuple[Relation, ...] = ("FOLLOWS", "REVISES", "BRANCHES_FROM", "CHILD_OF", "RECALLS")
"""What a trail walks unless told otherwise."""

_TEXT = 600


class TrailService:
    """Walking the graph. Nothing here counts as an access."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings

    @operation(tool="walk_trail", command="trail", writes=False)
    async def walk_trail(
        self,
        thought_id: Annotated[str, Field(description="Where to start; an entity's or observation's id too")],
        types: Annotated[
            list[Relation] | None,
            Field(description="Relationships to walk; default: continuity and RECALLS"),
        ] = None,
        direction: Annotated[Direction, Field(description="back in time, forward, or both")] = "back",
        depth: Annotated[int, clamped(1, 100)] = 10,
        limit: Annotated[int, clamped(1, 200)] = 50,
        offset: Annotated[int, clamped(0, 100_000)] = 0,
        namespace: str | None = None,
    ) -> TrailResult:
        """Walk the trail from a thought: what it followed, revised, recalled, nearest first.

        Each node comes once, by a shortest way. Raises NotFound when the start is not in the namespace.
        """
        start = checks.thought_id("thought_id", thought_id)
        assert start is not None
        (row,) = await self._graph.run(
            queries.walk_trail,
            id=start,
            namespace=checks.key("namespace", namespace or self._settings.namespace),
            types=list(types or CONTINUITY),
            direction=direction,
            depth=depth,
            skip=offset,
            take=limit + 1,
        )
        if not row["found"]:
            raise NotFound(
                f"Nothing with the id {start} is in this namespace.",
                do="Look it up with legacymind_search.",
            )
        steps = [_step(found) for found in row["steps"][:limit]]
        return TrailResult(
            start=start,
            direction=direction,
            steps=steps,
            count=len(steps),
            offset=offset,
            more=len(row["steps"]) > limit,
        )


def _step(found: dict[str, Any]) -> TrailStep:
    shown: dict[str, Any] = {**found, "text": cut(found["text"], _TEXT)}
    return TrailStep(**shown)
