"""Reads of decision records: a session's thought tree, an action's thoughts, and its reasoning trails."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

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
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import OwnSessionId, resolve_own_session
from legacymind.text.excerpts import excerpt


class ThoughtRow(TypedDict):
    """What is read of every thought."""

    id: str
    thought_type: str | None
    step_index: int | None
    content: str | None
    redacted_at: datetime | None
    outside_chain: bool


class TreeNode(ThoughtRow):
    """A thought of a tree."""

    parent_id: str | None
    created_at: datetime | None
    author: str | None
    children: int


class TreeRow(TypedDict):
    """A page of a session's thoughts; ``total`` counts all, ``next`` is the step of the next page."""

    total: int
    nodes: list[TreeNode]
    next: int | None


READ_TREE = load("chain/read_tree", TreeRow, writes=False)


class ActionThoughtRow(ThoughtRow):
    """A thought that led to an action."""

    session_id: str | None
    created_at: datetime | None


class ActionTreeRow(TypedDict):
    """A page of an action's thoughts; ``total`` counts the visible ones."""

    thoughts: list[ActionThoughtRow]
    total: int


READ_ACTION = load("chain/read_action", ActionTreeRow, writes=False)


class ReasoningStep(ThoughtRow):
    """A thought on the way to an action."""

    parent_id: str | None
    private: bool


class ReasoningTrailRow(TypedDict):
    """A thought that led to an action, then its ancestors, nearest first; ``length`` counts all of them."""

    steps: list[ReasoningStep]
    length: int


class ReasoningRow(TypedDict):
    """A page of an action's trails; ``total`` counts the visible thoughts."""

    trails: list[ReasoningTrailRow]
    total: int


READ_REASONING = load("chain/read_reasoning", ReasoningRow, writes=False)


MAX_DEPTH: Final = 50
"""Levels of one result: JSON parsers fail at some hundred."""

MAX_NODES: Final = 1000
"""Steps of one page of a session."""

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
    ) -> ThoughtTree:
        """Show a session's thoughts as trees, from those without a parent in it.

        One thought of a cycle is a root, too. ``count`` is the number of thoughts in the session. A page has
        at most 1,000 steps, 50 levels deep, so in a longer session a thought may stand apart from its parent.
        It has whole trees while they fit in the token budget; a single tree that exceeds it is cut, parents
        before children. ``childCount`` shows where children were omitted; pass that thought as ``root_id`` to
        page through them. Raises NotFound when ``root_id`` is not in the session.
        """
        session, start = checks.key("session_id", session_id), checks.thought_id("root_id", root_id)
        allowed = budget.allowance(max_tokens, limit, _PAGE)
        (row,) = await self._graph.run(
            READ_TREE,
            {
                "namespace": checks.namespace(namespace, self._settings),
                "session_id": session,
                "root_id": start or "",
                # Without a start, pages begin at the same steps, so that each thought is below the same root.
                "after": after if start else after - after % MAX_NODES,
                "size": MAX_NODES - (start is not None),
                "text_length": budget.characters(allowed) if include_content else _EXCERPT + 1,
            },
        )
        roots = nest(row["nodes"], start, include_content=include_content)
        if start is not None and not roots:
            raise NotFound(
                f"There is no thought {start} in the session {session}.",
                effect="Nothing was read.",
                hint="Omit root_id to see the session's roots.",
            )
        if not include_children:
            roots = [replace(root, children=[]) for root in roots]
        below = [each for each in roots[0].children if (each.step_index or 0) >= after] if start else []
        listed = below if start else [root for root in roots if (root.step_index or 0) >= after]
        page, allowed = listed[:limit], allowed - budget.frame()
        if start:
            tree = [fit_under(replace(roots[0], children=page), allowed)]
            shown = tree[0].children
        else:
            tree = shown = fit_trees(page, allowed)
        rest = row["next"] if include_children or not start else None
        if len(shown) < len(listed):
            rest = (shown[-1].step_index or 0) + 1
        return ThoughtTree(
            success=True,
            count=row["total"],
            tree=tree,
            more=rest is not None,
            next_after=rest,
            left_out=sum(map(_count, page)) - sum(map(_count, shown)),
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
                "skip": offset,
                "take": limit,
                "text_length": length + 1,
            },
        )
        page = [
            ActionThought(
                **_members(thought, budget.beginning(thought["content"], length)),
                session_id=thought["session_id"],
                created_at=thought["created_at"],
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
                "skip": offset,
                "take": limit,
                "levels": MAX_TRAIL,
                "text_length": length + 1,
            },
        )
        page = [
            [
                TrailThought(**_members(step, budget.beginning(step["content"], length)))
                for step in path(trail["steps"])
                if not step["private"]
            ]
            for trail in row["trails"]
        ]
        lengths = [
            len(shown) + max(trail["length"] - MAX_TRAIL, 0)
            for shown, trail in zip(page, row["trails"], strict=True)
        ]
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


def nest(
    rows: Sequence[TreeNode], start: str | None = None, *, include_content: bool = True
) -> list[ThoughtNode]:
    """Build trees from thoughts in the order of steps: that of ``start`` alone, or all.

    A root has no parent among them. Of a cycle, to which no root leads, the first one is a root.
    """
    nodes = {row["id"]: _node(row, include_content=include_content) for row in rows}
    below = defaultdict[str | None, list[str]](list)
    for row in rows:
        below[row["parent_id"]].append(row["id"])
    tops = [row["id"] for row in rows if row["parent_id"] not in nodes]
    roots: list[str] = []
    placed: set[str] = set()
    for top in [*tops, *nodes] if start is None else nodes.keys() & {start}:
        if top in placed:
            continue
        roots.append(top)
        placed.add(top)
        level, depth = [top], 0
        while level:
            pairs = [(parent, child) for parent in level for child in below[parent] if child not in placed]
            level = [child for _, child in pairs]
            placed.update(level)
            depth += 1
            if depth <= MAX_DEPTH:
                for parent, child in pairs:
                    nodes[parent].children.append(nodes[child])
    return [node for id, node in nodes.items() if id in set(roots)]


def path(steps: Sequence[ReasoningStep]) -> list[ReasoningStep]:
    """The path to the first of ``steps`` from the furthest of its parents among them, each once."""
    known = {step["id"]: step for step in steps}
    walked: list[ReasoningStep] = []
    step = steps[0] if steps else None
    while step is not None:
        walked.append(step)
        del known[step["id"]]
        step = known.get(step["parent_id"] or "")
    return walked[::-1]


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


def _node(row: TreeNode, *, include_content: bool) -> ThoughtNode:
    content = row["content"]
    return ThoughtNode(
        **_members(row, (content or "") if include_content else excerpt(content, _EXCERPT)),
        created_at=row["created_at"],
        author=row["author"],
        child_count=row["children"],
    )


def _members(row: ThoughtRow, content: str) -> dict[str, Any]:
    """What every thought of these results has."""
    return {
        "thought_id": row["id"],
        "thought_type": row["thought_type"],
        "step_index": row["step_index"],
        "content": content,
        "redacted_at": row["redacted_at"],
        "outside_chain": row["outside_chain"] or None,
    }


def _own_cost(node: ThoughtNode) -> int:
    return budget.size(replace(node, children=[])) + _NESTING


def _cost(node: ThoughtNode) -> int:
    return _own_cost(node) + sum(map(_cost, node.children))


def _count(node: ThoughtNode) -> int:
    return 1 + sum(map(_count, node.children))
