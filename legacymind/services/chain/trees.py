"""Reads of decision records: a session's thought tree, an action's thoughts, and its reasoning trails."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT
from legacymind.model.chain import (
    ActionThought,
    ActionThoughts,
    ReasoningTrail,
    ThoughtNode,
    ThoughtTree,
    TrailThought,
)
from legacymind.model.members import Id
from legacymind.model.values import skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens, WholeTexts
from legacymind.services.shared.parameters import AsOf, Namespace
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import OwnSessionId, resolve_own_session
from legacymind.text.excerpts import excerpt


class TreeNode(TypedDict):
    """A thought of a tree; ``level`` counts from the page's roots, -1 is the thought the page starts at."""

    id: str
    level: int
    thought_type: str | None
    step_index: int | None
    parents: list[str]
    content: str | None
    created_at: datetime | None
    author: str | None
    redacted_at: datetime | None
    outside_chain: bool
    children: int


class TreeRow(TypedDict):
    """A page of a session's thought tree, flat; ``total`` counts the session's thoughts."""

    total: int
    roots: int
    nodes: list[TreeNode]


READ_TREE = load("chain/read_tree", TreeRow, writes=False)


class ActionThoughtRow(TypedDict):
    """A thought that led to an action."""

    id: str
    thought_type: str | None
    step_index: int | None
    session_id: str | None
    content: str | None
    created_at: datetime | None
    redacted_at: datetime | None
    outside_chain: bool


class ActionRow(TypedDict):
    """A page of an action's thoughts; ``total`` counts the visible ones."""

    thoughts: list[ActionThoughtRow]
    total: int


READ_ACTION = load("chain/read_action", ActionRow, writes=False)


class ReasoningStep(TypedDict):
    """A thought on the way to an action, ``height`` levels above the thought that led to it."""

    id: str
    height: int
    thought_type: str | None
    step_index: int | None
    content: str | None
    redacted_at: datetime | None
    outside_chain: bool
    private: bool
    parents: list[str]


class ReasoningTrailRow(TypedDict):
    """A thought that led to an action, then its ancestors, nearest first; ``height`` is the highest level."""

    steps: list[ReasoningStep]
    height: int


class ReasoningRow(TypedDict):
    """A page of an action's trails; ``total`` counts the visible thoughts."""

    trails: list[ReasoningTrailRow]
    total: int


READ_REASONING = load("chain/read_reasoning", ReasoningRow, writes=False)


MAX_DEPTH: Final = 50
"""Levels of one result: JSON parsers fail at some hundred."""

MAX_NODES: Final = 1000

MAX_TRAIL: Final = 200
"""Thoughts of one trail, counted from the action."""

_PAGE: Final = 100
_TRAILS: Final = 50
_EXCERPT: Final = 100
"""Characters of each thought in a tree without whole contents."""

_OF_ACTION: Final = 200
_OF_TRAIL: Final = 150
"""Characters of each thought of an action, and of each in a path to it."""

_NESTING: Final = 4
"""Tokens of the list that encloses a node's children, or of one that encloses a trail and its number."""

ActionId = Annotated[Id, about("Action id", "Id of the action, as in `action_id` of its thoughts")]
Limit = Annotated[int, whole(1, 500), about("Thoughts per page", "Thoughts on a page")]
Offset = Annotated[int, skipped(1_000_000, advice="lower offset"), about("Thoughts to skip")]


class TreeService(Service):
    """Reads the chain as trees. Access counts are not updated."""

    @operation(tool="thought_tree", command="tree", writes=False, profile="full")
    async def thought_tree(
        self,
        session_id: Annotated[Id, about("Session id", "Session to show")],
        include_content: Annotated[
            bool, about("Full texts", "Show full texts instead of their first 100 characters")
        ] = False,
        include_children: Annotated[
            bool, about("Nest children", "Nest children under their parents")
        ] = False,
        limit: Annotated[int, whole(1, 500), about("Roots per page", "Roots on a page")] = _PAGE,
        after: Annotated[
            int,
            whole(0, 2**53),
            about("Previous nextAfter", "First step of the page: `nextAfter` of the previous page"),
        ] = 0,
        root_id: Annotated[
            Id | None,
            about(
                "Start here",
                "Thought to start at; `limit` and `after` page its children. Default: all roots",
            ),
        ] = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
        as_of: AsOf = None,
    ) -> ThoughtTree:
        """Show a session's thoughts as trees, from those without a parent in it.

        One thought of a cycle is a root, too. ``count`` is the number of thoughts in the session. A result
        has at most 1,000 thoughts, 50 levels deep. It has whole trees while they fit in this limit and in the
        token budget. A single tree that exceeds them is cut, parents before children. ``childCount`` shows
        where children were omitted; pass that thought as ``root_id`` to page through them. Raises NotFound
        when ``root_id`` is not in the session.
        """
        session, start = checks.key("session_id", session_id), checks.thought_id("root_id", root_id)
        namespace = checks.namespace(namespace, self._settings)
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        (row,) = await self._graph.run(
            READ_TREE,
            {
                "namespace": namespace,
                "session_id": session,
                "root_id": start or "",
                "known": checks.known_at(as_of),
                "after": after,
                "take": limit,
                "depth": (MAX_DEPTH if include_children else 0) - (start is not None),
                "max_nodes": MAX_NODES - (start is not None),
                "text_length": budget.characters(allowed) if include_content else _EXCERPT + 1,
            },
        )
        roots = nest(row["nodes"], include_content=include_content)
        if start is not None and not roots:
            raise NotFound(
                f"There is no thought {start} in the session {session}.",
                effect="Nothing was read.",
                hint="Omit root_id to see the session's roots.",
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
            next_after=(shown[-1].step_index or 0) + 1 if more else None,
            left_out=sum(map(_count, roots)) - sum(map(_count, tree)),
        )

    @operation(tool="thought_for_action", command="action", writes=False, profile="full")
    async def thought_for_action(
        self,
        action_id: ActionId,
        limit: Limit = _PAGE,
        offset: Offset = 0,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        whole_texts: WholeTexts = False,
        namespace: Namespace = None,
        as_of: AsOf = None,
    ) -> ActionThoughts:
        """List the thoughts that led to an action, oldest first.

        Private thoughts of other sessions are omitted.
        """
        action = checks.key("action_id", action_id)
        namespace = checks.namespace(namespace, self._settings)
        length = MAX_CONTENT if whole_texts else _OF_ACTION
        (row,) = await self._graph.run(
            READ_ACTION,
            {
                "namespace": namespace,
                "action_id": action,
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "known": checks.known_at(as_of),
                "skip": offset,
                "take": limit,
                "text_length": length + 1,
            },
        )
        page = [
            ActionThought(
                thought_id=thought["id"],
                thought_type=thought["thought_type"],
                step_index=thought["step_index"],
                session_id=thought["session_id"],
                content=budget.beginning(thought["content"], length),
                created_at=thought["created_at"],
                redacted_at=thought["redacted_at"],
                outside_chain=thought["outside_chain"] or None,
            )
            for thought in row["thoughts"]
        ]
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        thoughts, left_out = budget.fit(page, allowed, reserve=budget.frame(action, namespace))
        return ActionThoughts(
            success=True,
            action_id=action,
            count=row["total"],
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
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        whole_texts: WholeTexts = False,
        namespace: Namespace = None,
        as_of: AsOf = None,
    ) -> ReasoningTrail:
        """Show the reasoning behind an action: the path to each thought that led to it.

        Each path has at most the 200 thoughts nearest to the action. A result has whole paths while they fit
        in the token budget. A single path that exceeds it keeps the thoughts nearest to the action.
        ``earlier`` has, for each path, the number of thoughts omitted at its root. Private thoughts of other
        sessions are omitted.
        """
        action = checks.key("action_id", action_id)
        namespace = checks.namespace(namespace, self._settings)
        length = MAX_CONTENT if whole_texts else _OF_TRAIL
        (row,) = await self._graph.run(
            READ_REASONING,
            {
                "namespace": namespace,
                "action_id": action,
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "known": checks.known_at(as_of),
                "skip": offset,
                "take": limit,
                "levels": MAX_TRAIL,
                "text_length": length + 1,
            },
        )
        whole = [path(trail["steps"], trail["height"]) for trail in row["trails"]]
        paths = [([step for step in steps if not step["private"]], beyond) for steps, beyond in whole]
        page = [
            [
                TrailThought(
                    thought_id=step["id"],
                    thought_type=step["thought_type"],
                    content=budget.beginning(step["content"], length),
                    step_index=step["step_index"],
                    redacted_at=step["redacted_at"],
                    outside_chain=step["outside_chain"] or None,
                )
                for step in steps[-MAX_TRAIL:]
            ]
            for steps, _ in paths
        ]
        lengths = [len(steps) + beyond for steps, beyond in paths]
        trails = fit_trails(
            page, budget.allowance(max_tokens, limit, _TRAILS) - budget.frame(action, namespace)
        )
        return ReasoningTrail(
            success=True,
            action_id=action,
            has_reasoning=row["total"] > 0,
            trail_count=row["total"],
            trails=trails,
            earlier=[length - len(trail) for length, trail in zip(lengths, trails, strict=False)],
            more=row["total"] > offset + len(trails),
            left_out=sum(lengths) - sum(map(len, trails)),
        )


def nest(flat: Sequence[TreeNode], *, include_content: bool) -> list[ThoughtNode]:
    """Build trees from nodes ordered by level. Of several parents one level up, the first is used."""
    nodes: dict[tuple[int, str], ThoughtNode] = {}
    roots: list[ThoughtNode] = []
    for row in flat:
        content, level = row["content"], row["level"]
        node = ThoughtNode(
            thought_id=row["id"],
            thought_type=row["thought_type"],
            step_index=row["step_index"],
            content=(content or "") if include_content else excerpt(content, _EXCERPT),
            created_at=row["created_at"],
            author=row["author"],
            child_count=row["children"],
            redacted_at=row["redacted_at"],
            outside_chain=row["outside_chain"] or None,
        )
        nodes[level, node.thought_id] = node
        parents = [nodes[level - 1, parent] for parent in row["parents"] if (level - 1, parent) in nodes]
        (parents[0].children if parents else roots).append(node)
    return roots


def fit_trees(roots: Sequence[ThoughtNode], left: int) -> list[ThoughtNode]:
    """The leading trees that fit in ``left`` tokens whole; at least the first, cut to fit."""
    fitting: list[ThoughtNode] = []
    for root in roots:
        cost = _cost(root)
        if cost > left:
            break
        fitting.append(root)
        left -= cost
    if roots and not fitting:
        ((first,), _) = budget.fit([replace(roots[0], children=[])], left)
        fitting.append(_cut_tree(replace(first, children=roots[0].children), [left]))
    return fitting


def fit_under(top: ThoughtNode, left: int) -> ThoughtNode:
    """A thought and the trees below it that fit, at least the first. Its own text takes at most half."""
    alone = replace(top, children=[])
    ((first,), _) = budget.fit([alone], left // 2 if top.children else left)
    return replace(first, children=fit_trees(top.children, left - _own_cost(first)))


def fit_trails(trails: Sequence[list[TrailThought]], left: int) -> list[list[TrailThought]]:
    """The leading trails that fit in ``left`` tokens whole; at least the end of the first."""
    fitting: list[list[TrailThought]] = []
    for trail in trails:
        left -= sum(map(budget.size, trail)) + _NESTING
        if left < 0:
            break
        fitting.append(trail)
    if trails and not fitting:
        left += sum(map(budget.size, trails[0]))
        nearest, _ = budget.fit(trails[0][::-1], left)
        fitting.append(nearest[::-1])
    return fitting


def path(steps: Sequence[ReasoningStep], height: int) -> tuple[list[ReasoningStep], int]:
    """The path from a root to a thought, and the number of thoughts before the path's first.

    ``steps`` has the thought, then its ancestors. With several parents, the number is that of the longest
    path to a root, at level ``height``.
    """
    known = {step["id"]: step for step in steps}
    current = steps[0]
    walked = {current["id"]: current}
    while True:
        parents = [known[one] for one in current["parents"] if one in known and one not in walked]
        if not parents:
            unknown = any(one not in known for one in current["parents"])
            return list(reversed(walked.values())), height - current["height"] if unknown else 0
        current = parents[0]
        walked[current["id"]] = current


def _cut_tree(node: ThoughtNode, left: list[int]) -> ThoughtNode:
    """The part of a tree that fits, parents before children. ``left`` is the shared rest of the budget."""
    left[0] -= _own_cost(node)
    children: list[ThoughtNode] = []
    for child in node.children:
        if _own_cost(child) > left[0]:
            left[0] = 0  # Cut a tree at one place: omit everything after it.
            break
        children.append(_cut_tree(child, left))
    return replace(node, children=children)


def _own_cost(node: ThoughtNode) -> int:
    return budget.size(replace(node, children=[])) + _NESTING


def _cost(node: ThoughtNode) -> int:
    return _own_cost(node) + sum(map(_cost, node.children))


def _count(node: ThoughtNode) -> int:
    return 1 + sum(map(_count, node.children))
