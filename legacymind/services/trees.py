"""Decision records read back: a session's thought tree, an action's thoughts, and how they were reached."""

from typing import Annotated, Any, Final

from pydantic import Field

from legacymind import queries
from legacymind.graph import Graph
from legacymind.model import (
    ActionThought,
    ActionThoughts,
    ReasoningTrail,
    ThoughtNode,
    ThoughtTree,
    TrailThought,
)
from legacymind.operation import clamped, operation
from legacymind.services import checks
from legacymind.services.text import cut
from legacymind.settings import Settings

MAX_DEPTH: Final = 50
"""Levels of one answer: JSON readers stop at some hundred."""

MAX_NODES: Final = 1000

Limit = Annotated[int, clamped(1, 500)]
Offset = Annotated[int, clamped(0, 1_000_000)]


class TreeService:
    """Reading the chain as trees. Nothing here counts as an access."""

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings

    @operation(tool="thought_tree", command="tree", writes=False, profile="full")
    async def thought_tree(
        self,
        session_id: str,
        include_content: Annotated[bool, Field(description="Whole contents, not their first 100")] = False,
        include_children: Annotated[bool, Field(description="Nest the children")] = False,
        limit: Annotated[int, clamped(1, 500), Field(description="Roots of one page")] = 100,
        after: Annotated[
            int, clamped(0, 2**53), Field(description="First step of the page: nextAfter of the page before")
        ] = 0,
        namespace: str | None = None,
    ) -> ThoughtTree:
        """Show a session's thoughts as trees: roots have no parent in the session.

        ``count`` is the number of thoughts in the session. An answer holds at most 1,000 thoughts, 50 levels
        deep; ``childCount`` tells where more hang.
        """
        (row,) = await self._graph.run(
            queries.read_tree,
            namespace=checks.key("namespace", namespace or self._settings.namespace),
            session_id=checks.key("session_id", session_id),
            after=after,
            take=limit,
            depth=MAX_DEPTH if include_children else 0,
            nodes=MAX_NODES,
        )
        roots = nest(row["nodes"], include_content=include_content)
        more = row["roots"] > limit
        return ThoughtTree(
            success=True,
            count=row["total"],
            tree=roots,
            next_after=roots[-1].step_index + 1 if more else None,
        )

    @operation(tool="thought_for_action", command="action", writes=False, profile="full")
    async def thought_for_action(
        self, action_id: str, limit: Limit = 100, offset: Offset = 0, namespace: str | None = None
    ) -> ActionThoughts:
        """List the thoughts that led to an action, oldest first, each cut to 200 characters."""
        action = checks.key("action_id", action_id)
        (row,) = await self._graph.run(
            queries.read_action, namespace=self._space(namespace), action_id=action, skip=offset, take=limit
        )
        thoughts = [
            ActionThought(
                thought_id=found["id"],
                thought_type=found["thought_type"],
                step_index=found["step_index"],
                session_id=found["session_id"],
                content=cut(found["content"], 200),
                created_at=found["created_at"],
            )
            for found in row["thoughts"]
        ]
        return ActionThoughts(success=True, action_id=action, count=row["total"], thoughts=thoughts)

    @operation(tool="thought_reasoning_trail", command="reasoning", writes=False, profile="full")
    async def thought_reasoning_trail(
        self, action_id: str, limit: Limit = 50, offset: Offset = 0, namespace: str | None = None
    ) -> ReasoningTrail:
        """Show how an action was reasoned: for each thought that led to it the path from its root."""
        action = checks.key("action_id", action_id)
        (row,) = await self._graph.run(
            queries.read_reasoning,
            namespace=self._space(namespace),
            action_id=action,
            skip=offset,
            take=limit,
        )
        trails = [
            [
                TrailThought(
                    thought_id=found["id"],
                    thought_type=found["thought_type"],
                    content=cut(found["content"], 150),
                    step_index=found["step_index"],
                )
                for found in trail
            ]
            for trail in row["trails"]
        ]
        return ReasoningTrail(
            success=True,
            action_id=action,
            has_reasoning=row["total"] > 0,
            trail_count=row["total"],
            trails=trails,
        )

    def _space(self, namespace: str | None) -> str:
        return checks.key("namespace", namespace or self._settings.namespace)


def nest(flat: list[dict[str, Any]], *, include_content: bool) -> list[ThoughtNode]:
    """Nodes that name their parent, parents first, as trees."""
    made: dict[str, ThoughtNode] = {}
    roots: list[ThoughtNode] = []
    for found in flat:
        content = found["content"]
        node = ThoughtNode(
            thought_id=found["id"],
            thought_type=found["thought_type"],
            step_index=found["step_index"],
            content=(content or "") if include_content else cut(content, 100),
            created_at=found["created_at"],
            author=found["author"],
            child_count=found["children"],
        )
        made[node.thought_id] = node
        parent = made.get(found["parent"] or "")
        (roots if parent is None else parent.children).append(node)
    return roots
