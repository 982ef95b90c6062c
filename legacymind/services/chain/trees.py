"""Decision records read back: a session's thought tree, an action's thoughts, and how they were reached."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.db.rows.chain import ReasoningStep, TreeNode
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.chain import (
    ActionThought,
    ActionThoughts,
    ReasoningTrail,
    ThoughtNode,
    ThoughtTree,
    TrailThought,
)
from legacymind.operations.coercion import whole
from legacymind.operations.registry import operation
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.visibility import Own, own_session
from legacymind.settings import Settings
from legacymind.text.excerpts import excerpt

MAX_DEPTH: Final = 50
"""Levels of one answer: JSON readers stop at some hundred."""

MAX_NODES: Final = 1000

MAX_TRAIL: Final = 200
"""Thoughts of one trail: the nearest to the action."""

_PAGE: Final = 100
_TRAILS: Final = 50
_SHORT: Final = 100
"""Characters of a thought in a tree of captions."""

_NESTING: Final = 4
"""Tokens of the list of children around a node, or of a trail and the number before it."""

ActionId = Annotated[str, about("Its id", "Id of the action, as the thoughts name it in `action_id`")]
Limit = Annotated[int, whole(1, 500), about("Thoughts", "Thoughts on a page")]
Offset = Annotated[int, whole(0, 1_000_000), about("Thoughts to skip")]


class TreeService:
    """Reading the chain as trees. Nothing here counts as an access."""

    def __init__(self, graph: Graph, settings: Settings, *, session_id: str | None = None) -> None:
        self._graph = graph
        self._settings = settings
        self._session_id = session_id

    @operation(tool="thought_tree", command="tree", writes=False, profile="full")
    async def thought_tree(
        self,
        session_id: Annotated[str, about("Its id", "Session to show")],
        include_content: Annotated[
            bool, about("Full texts", "Show full texts instead of their first 100 characters")
        ] = False,
        include_children: Annotated[bool, about("Nest children", "Nest them under their parents")] = False,
        limit: Annotated[int, whole(1, 500), about("Roots", "Roots on a page")] = _PAGE,
        after: Annotated[
            int,
            whole(0, 2**53),
            about("Previous nextAfter", "First step of the page: `nextAfter` of the previous page"),
        ] = 0,
        root_id: Annotated[
            str | None,
            about(
                "Start here",
                "Thought to start at; `limit` and `after` page its children. Default: all roots",
            ),
        ] = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> ThoughtTree:
        """Show a session's thoughts as trees: roots have no parent in the session, or begin a cycle.

        ``count`` is the number of thoughts in the session. An answer holds at most 1,000 thoughts, 50 levels
        deep, and whole trees while they fit in that and in the token budget; one that is too large alone is
        cut as it is read, parents first. ``childCount`` tells where more hang, and ``root_id`` asks for them:
        its children then come as roots do. Raises NotFound for a ``root_id`` that is not in the session.
        """
        session, start = checks.key("session_id", session_id), checks.thought_id("root_id", root_id)
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        (row,) = await self._graph.run(
            queries.read_tree,
            {
                "namespace": checks.key("namespace", namespace or self._settings.namespace),
                "session_id": session,
                "root_id": start or "",
                "after": after,
                "take": limit,
                "depth": (MAX_DEPTH if include_children else 0) - (start is not None),
                "max_nodes": MAX_NODES - (start is not None),
                "text_length": budget.characters(allowed) if include_content else _SHORT + 1,
            },
        )
        roots = nest(row["nodes"], include_content=include_content)
        if start is not None and not roots:
            raise NotFound(
                f"There is no thought {start} in the session {session}.",
                effect="Nothing was read.",
                hint="Leave root_id out to see the session's roots.",
            )
        paged = roots if start is None else roots[0].children
        complete = paged[:-1] if len(row["nodes"]) == MAX_NODES and len(paged) > 1 else paged
        if start is None:
            tree = shown = fit_trees(complete, allowed - budget.frame())
        else:
            top = fit_under(replace(roots[0], children=complete), allowed - budget.frame())
            tree, shown = [top], top.children
        more = bool(paged) and row["roots"] > len(shown)
        return ThoughtTree(
            success=True,
            count=row["total"],
            tree=tree,
            more=more,
            next_after=shown[-1].step_index + 1 if more else None,
            left_out=sum(map(_count, roots)) - sum(map(_count, tree)),
        )

    @operation(tool="thought_for_action", command="action", writes=False, profile="full")
    async def thought_for_action(
        self,
        action_id: ActionId,
        limit: Limit = _PAGE,
        offset: Offset = 0,
        own_session_id: Own = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> ActionThoughts:
        """List the thoughts that led to an action, oldest first, each cut to 200 characters.

        Private thoughts are in it in their own session only; those of others are counted as ``private``.
        """
        action = checks.key("action_id", action_id)
        (row,) = await self._graph.run(
            queries.read_action,
            {
                "namespace": self._space(namespace),
                "action_id": action,
                "own_session": own_session(own_session_id, self._session_id),
                "skip": offset,
                "take": limit,
                "text_length": 201,
            },
        )
        page = [
            ActionThought(
                thought_id=found["id"],
                thought_type=found["thought_type"],
                step_index=found["step_index"],
                session_id=found["session_id"],
                content=excerpt(found["content"], 200),
                created_at=found["created_at"],
                redacted_at=found["redacted_at"],
            )
            for found in row["thoughts"]
        ]
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        thoughts, left_out = budget.fit(page, allowed, reserve=budget.frame(action))
        return ActionThoughts(
            success=True,
            action_id=action,
            count=row["total"],
            private=row["private"],
            thoughts=thoughts,
            more=row["total"] > offset + len(thoughts),
            left_out=left_out,
        )

    @operation(tool="thought_reasoning_trail", command="reasoning", writes=False, profile="full")
    async def thought_reasoning_trail(
        self,
        action_id: ActionId,
        limit: Limit = _TRAILS,
        offset: Offset = 0,
        own_session_id: Own = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> ReasoningTrail:
        """Show how an action was reasoned: for each thought that led to it the path from its root.

        Of each path the 200 thoughts nearest to the action, and whole paths while they fit in the token
        budget; of one that is too long alone what is nearest to the action. ``earlier`` says for each path
        how many thoughts next to its root are left out. Private thoughts show in their own session only.
        """
        action = checks.key("action_id", action_id)
        (row,) = await self._graph.run(
            queries.read_reasoning,
            {
                "namespace": self._space(namespace),
                "action_id": action,
                "own_session": own_session(own_session_id, self._session_id),
                "skip": offset,
                "take": limit,
                "levels": MAX_TRAIL,
                "text_length": 151,
            },
        )
        whole = [path(found["above"], found["farthest"]) for found in row["trails"]]
        paths = [([found for found in way if not found["private"]], beyond) for way, beyond in whole]
        hidden = sum(len(way) for way, _ in whole) - sum(len(way) for way, _ in paths)
        page = [
            [
                TrailThought(
                    thought_id=found["id"],
                    thought_type=found["thought_type"],
                    content=excerpt(found["content"], 150),
                    step_index=found["step_index"],
                    redacted_at=found["redacted_at"],
                )
                for found in way[-MAX_TRAIL:]
            ]
            for way, _ in paths
        ]
        lengths = [len(way) + beyond for way, beyond in paths]
        trails = fit_trails(page, budget.allowance(max_tokens, limit, _TRAILS) - budget.frame(action))
        return ReasoningTrail(
            success=True,
            action_id=action,
            has_reasoning=row["total"] > 0,
            trail_count=row["total"],
            private=row["private"] + hidden,
            trails=trails,
            earlier=[length - len(trail) for length, trail in zip(lengths, trails, strict=False)],
            more=row["total"] > offset + len(trails),
            left_out=sum(lengths) - sum(map(len, trails)),
        )

    def _space(self, namespace: str | None) -> str:
        return checks.key("namespace", namespace or self._settings.namespace)


def nest(flat: Sequence[TreeNode], *, include_content: bool) -> list[ThoughtNode]:
    """Nodes that name their parents, level by level, as trees; of two parents the first one level up."""
    made: dict[tuple[int, str], ThoughtNode] = {}
    roots: list[ThoughtNode] = []
    for found in flat:
        content, level = found["content"], found["level"]
        node = ThoughtNode(
            thought_id=found["id"],
            thought_type=found["thought_type"],
            step_index=found["step_index"],
            content=(content or "") if include_content else excerpt(content, _SHORT),
            created_at=found["created_at"],
            author=found["author"],
            child_count=found["children"],
            redacted_at=found["redacted_at"],
        )
        made[level, node.thought_id] = node
        above = [made[level - 1, parent] for parent in found["parents"] if (level - 1, parent) in made]
        (above[0].children if above else roots).append(node)
    return roots


def fit_trees(roots: Sequence[ThoughtNode], left: int) -> list[ThoughtNode]:
    """Whole trees while they fit in so many tokens; at least the first, cut as it is read."""
    kept: list[ThoughtNode] = []
    for root in roots:
        cost = _cost(root)
        if cost > left:
            break
        kept.append(root)
        left -= cost
    if roots and not kept:
        ((first,), _) = budget.fit([replace(roots[0], children=[])], left)
        kept.append(_cut_tree(replace(first, children=roots[0].children), [left]))
    return kept


def fit_under(top: ThoughtNode, left: int) -> ThoughtNode:
    """A thought with as many of the trees under it as fit, at least the first; its text leaves them half."""
    alone = replace(top, children=[])
    ((first,), _) = budget.fit([alone], left // 2 if top.children else left)
    return replace(first, children=fit_trees(top.children, left - _own_cost(first)))


def fit_trails(trails: Sequence[list[TrailThought]], left: int) -> list[list[TrailThought]]:
    """Whole trails while they fit in so many tokens; at least the end of the first."""
    kept: list[list[TrailThought]] = []
    for trail in trails:
        left -= sum(map(budget.size, trail)) + _NESTING
        if left < 0:
            break
        kept.append(trail)
    if trails and not kept:
        left += sum(map(budget.size, trails[0]))
        nearest, _ = budget.fit(trails[0][::-1], left)
        kept.append(nearest[::-1])
    return kept


def path(above: Sequence[ReasoningStep], farthest: int) -> tuple[list[ReasoningStep], int]:
    """The way to a thought, from the thought itself and what is above it; and how many come before.

    Where thoughts have two parents, what comes before is as many as on the way to the farthest.
    """
    known = {found["id"]: found for found in above}
    way = {above[0]["id"]: above[0]}
    current = above[0]
    while True:
        parents = [known[one] for one in current["parents"] if one in known and one not in way]
        if not parents:
            unknown = any(one not in known for one in current["parents"])
            return list(reversed(way.values())), farthest - current["height"] if unknown else 0
        current = parents[0]
        way[current["id"]] = current


def _cut_tree(node: ThoughtNode, left: list[int]) -> ThoughtNode:
    """As much of a tree as fits, read from the top; ``left`` is what its parts share."""
    left[0] -= _own_cost(node)
    children: list[ThoughtNode] = []
    for child in node.children:
        if _own_cost(child) > left[0]:
            left[0] = 0  # what comes later is left out as well: a tree is cut at one place
            break
        children.append(_cut_tree(child, left))
    return replace(node, children=children)


def _own_cost(node: ThoughtNode) -> int:
    return budget.size(replace(node, children=[])) + _NESTING


def _cost(node: ThoughtNode) -> int:
    return _own_cost(node) + sum(map(_cost, node.children))


def _count(node: ThoughtNode) -> int:
    return 1 + sum(map(_count, node.children))
