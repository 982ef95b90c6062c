"""Reads of decision records: a session's thought tree, an action's thoughts, and its reasoning trails."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from legacymind.db.query import load
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
from legacymind.model.graph import View
from legacymind.model.members import Id
from legacymind.model.values import whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import IN_TIME, After, Paged, begin, by_offset, position
from legacymind.operations.registry import operation
from legacymind.origins import said_by_of
from legacymind.services.shared import checks, items
from legacymind.services.shared.items import LIST_OF, NodeRow
from legacymind.services.shared.parameters import Namespace, OwnSessionId, resolve_own_session
from legacymind.services.shared.service import Service
from legacymind.text.excerpts import excerpt

TreeRow = tuple[list[tuple[ThoughtNode, dict[str, Any]]], int, int | None]
"""The thoughts of a page with what is stored of who said them, their number in the session, its branches."""

READ_TREE = load("chain/read_tree", TreeRow, writes=False)


WalkedStep = tuple[str | None, bool, TrailThought, dict[str, Any]]
"""The id of a thought's parent, whether it is private, the thought, and what is stored of who said it."""

READ_REASONING = load("chain/read_reasoning", tuple[list[tuple[list[WalkedStep], int]], int], writes=False)


MAX_DEPTH: Final = 50
"""Levels of one result: JSON parsers fail at some hundred."""

MAX_TRAIL: Final = 200
"""Thoughts of one trail, counted from the action."""

_PAGE: Final = 100
_TRAILS: Final = 50
_EXCERPT: Final = 100
"""Characters of each thought in a tree without whole contents."""

_OF_ACTION: Final = 200
_OF_TRAIL: Final = 150
"""Characters of each thought of an action, and of each in a path to it."""

ActionId = Annotated[Id, about("Action id", "Id of the action, as in `action_id` of its thoughts")]
Limit = Annotated[int, whole(1, 500), about("Thoughts per page", "Thoughts on a page")]


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
            bool,
            about("Nest children", "Nest children under their parents. Otherwise only roots are shown"),
        ] = False,
        limit: Limit = _PAGE,
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[ThoughtTree]:
        """Show a session's thoughts as trees, from those without a parent in it.

        ``count`` is the number of thoughts in the session. A page has thoughts in the order of steps, so one
        whose parent is on an earlier page stands at the top, with its ``parentId``; so does one below fifty
        levels. ``childCount`` counts children on other pages too.
        """
        last, last_id = position(after, "is", (-1, ""))
        ((read, total, branches),) = await self._graph.run(
            READ_TREE,
            {
                "namespace": checks.namespace(namespace, self._settings),
                "session_id": checks.key("session_id", session_id),
                "roots_only": not include_children,
                "after": last,
                "after_id": last_id,
                "take": limit + 1,
                "text_length": MAX_CONTENT if include_content else _EXCERPT + 1,
            },
        )
        length = MAX_CONTENT if include_content else _EXCERPT
        nodes = [
            replace(node, content=excerpt(node.content, length), said_by=said_by_of(said))
            for node, said in read
        ]
        ends = [[node.step_index or 0, node.thought_id] for node in nodes[:limit]]
        return Paged(
            result=ThoughtTree(success=True, count=total, tree=nodes[:limit], branches=branches),
            lists=("tree",),
            ends=ends,
            next=ends[-1] if len(nodes) > limit else None,
            then=lambda shown: replace(shown, tree=nest(shown.tree)),
        )

    @operation(tool="thought_for_action", command="action", writes=False, profile="full")
    async def thought_for_action(
        self,
        action_id: ActionId,
        limit: Limit = _PAGE,
        after: After = None,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[ActionThoughts]:
        """List the thoughts that led to an action, oldest first.

        Private thoughts of other sessions are omitted.
        """
        action = checks.key("action_id", action_id)
        view = View(
            checks.namespace(namespace, self._settings),
            resolve_own_session(own_session_id, self.session_id),
        )
        ((_, listed),) = await self._graph.run(
            LIST_OF,
            {
                "ids": [action],
                "link": "FOR_ACTION",
                "namespace": view.namespace,
                "own_session": view.own_session,
                **items.at(position(after, IN_TIME, items.in_time(latest_first=False))),
                "take": limit + 1,
            },
        )
        page = listed[:limit]
        found = await items.rows(self._graph, view, [one["id"] for one in page], length=_OF_ACTION + 1)
        page = [one for one in page if one["id"] in found]
        thoughts = [_of_action(found[one["id"]]) for one in page]
        ends = [one["position"] for one in page]
        return Paged(
            result=ActionThoughts(success=True, action_id=action, count=0, thoughts=thoughts),
            lists=("thoughts",),
            ends=ends,
            next=ends[-1] if len(listed) > limit else None,
            then=lambda shown: replace(shown, count=len(shown.thoughts)),
        )

    @operation(tool="thought_reasoning_trail", command="reasoning", writes=False, profile="full")
    async def thought_reasoning_trail(
        self,
        action_id: ActionId,
        limit: Limit = _TRAILS,
        after: After = None,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[ReasoningTrail]:
        """Show the reasoning behind an action: the path to each thought that led to it.

        Each path has at most the 200 thoughts nearest to the action. A result has whole paths while they fit
        in the token budget. A single path that exceeds it keeps the thoughts nearest to the action.
        ``earlier`` has, for each path, the number of thoughts omitted at its root. Private thoughts of other
        sessions are omitted.
        """
        action, offset = checks.key("action_id", action_id), begin(after)
        ((walked, total),) = await self._graph.run(
            READ_REASONING,
            {
                "namespace": checks.namespace(namespace, self._settings),
                "action_id": action,
                "own_session": resolve_own_session(own_session_id, self.session_id),
                "skip": offset,
                "take": limit,
                "levels": MAX_TRAIL,
                "text_length": _OF_TRAIL + 1,
            },
        )
        trails = [
            [
                replace(thought, content=excerpt(thought.content, _OF_TRAIL), said_by=said_by_of(said))
                for _, private, thought, said in path(steps)
                if not private
            ]
            for steps, _ in walked
        ]
        beyond = [max(whole_length - MAX_TRAIL, 0) for _, whole_length in walked]
        lengths = [len(trail) + more for trail, more in zip(trails, beyond, strict=True)]
        result = ReasoningTrail(
            success=True,
            action_id=action,
            has_reasoning=total > 0,
            trail_count=total,
            trails=trails,
            earlier=[],
        )

        def counted(shown: ReasoningTrail) -> ReasoningTrail:
            pairs = zip(lengths, shown.trails, strict=False)
            return replace(shown, earlier=[length - len(trail) for length, trail in pairs])

        more = total > offset + len(trails)
        return replace(by_offset(result, "trails", offset=offset, more=more), then=counted)


def nest(nodes: Sequence[ThoughtNode]) -> list[ThoughtNode]:
    """Trees of thoughts in the order of steps.

    A thought is a root if its parent does not stand before it, or stands on the last level.
    """
    placed: dict[str, tuple[ThoughtNode, int]] = {}
    roots: list[ThoughtNode] = []
    for node in nodes:
        above, level = placed.get(node.parent_id or "", (None, MAX_DEPTH))
        if above is None or level == MAX_DEPTH:
            roots.append(node)
            level = 0
        else:
            above.children.append(node)
        placed[node.thought_id] = (node, level + 1)
    return roots


def path(steps: Sequence[WalkedStep]) -> list[WalkedStep]:
    """The path to the first of ``steps`` from the furthest of its parents among them, each once."""
    known = {step[2].thought_id: step for step in steps}
    walked: list[WalkedStep] = []
    step = steps[0] if steps else None
    while step is not None:
        walked.append(step)
        del known[step[2].thought_id]
        step = known.get(step[0] or "")
    return walked[::-1]


def _of_action(row: NodeRow) -> ActionThought:
    stored = row["properties"]
    is_step = isinstance(stored.get("session_id"), str) and type(stored.get("step_index")) is int
    unproven = row["outside_chain"] or not is_step
    return items.record(
        ActionThought, row, _OF_ACTION, thought_id=stored["id"], outside_chain=unproven or None
    )
