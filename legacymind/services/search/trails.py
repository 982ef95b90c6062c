"""Trails through the graph: thoughts that a thought followed, revised, branched from or recalled."""

from collections.abc import Sequence
from typing import Annotated, Any, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import LINKS, MAX_CONTENT, RESERVED, Direction, Relation, ThreadOrder
from legacymind.model.graph import View
from legacymind.model.members import Id
from legacymind.model.trails import (
    LinksResult,
    LinkState,
    LinkStates,
    Pointing,
    ThreadResult,
    ThreadThought,
    TrailResult,
    TrailStep,
)
from legacymind.model.values import Words, skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.shared import budget, checks, cursors, items
from legacymind.services.shared.budget import MaxTokens, WholeTexts
from legacymind.services.shared.cursors import TimePosition
from legacymind.services.shared.items import LIST_IN_TIME, NodeRow
from legacymind.services.shared.parameters import Namespace, ThoughtId
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import OwnSessionId, UnlistedSessionId, resolve_own_session


class Reached(TypedDict):
    """A node of a trail: its distance from the start, and the relationship and node it was reached by."""

    id: str
    depth: int
    via: str
    reached_from: str
    score: float | None
    rank: int | None


class TrailRow(TypedDict):
    """All steps of a page of a trail, in one row; ``found`` is whether the start exists.

    ``deeper`` is whether nodes follow beyond the greatest depth. ``unknown`` are types to walk that no
    relationship has.
    """

    found: bool
    deeper: bool
    unknown: list[str]
    steps: list[Reached]


WALK_TRAIL = load("search/walk_trail", TrailRow, writes=False)


class PointingRow(TypedDict):
    """The number of thoughts that point to a thought, and a page of their ids."""

    count: int
    ids: list[str]


class LinksRow(TypedDict):
    """The links that a thought stores, the types and targets of those that exist, and what points to it."""

    thought: dict[str, Any]
    resolved: list[tuple[str, str]]
    pointing: list[PointingRow]


READ_LINKS = load("search/read_links", LinksRow, writes=False)


CONTINUITY: Final[tuple[Relation, ...]] = ("FOLLOWS", "REVISES", "BRANCHES_FROM", "CHILD_OF", "RECALLS")
"""The relationship types of a trail by default."""

_LEADS_TO_NO_MEMORY: Final = frozenset({"IN_SESSION", "FOR_ACTION", "AWAITS"})

_BLOCK: Final = 500
"""Nodes that a walk reads and sorts together. See search/walk_trail.cypher."""

_NAMED: Final = 200
"""Characters of unknown types that an error repeats."""

_STEPS: Final = 50
_THREAD: Final = 50
_POINTING: Final = 10
_TEXT: Final = 600
"""Characters of a step's text; another read returns the whole."""


class TrailService(Service):
    """Reads trails, threads and links. Access counts are not updated."""

    @operation(tool="walk_trail", command="trail", writes=False)
    async def walk_trail(
        self,
        thought_id: Annotated[
            Id, about("Any id to start from", "Id of a thought, entity or observation to start from")
        ],
        types: Annotated[
            Words | None,
            about(
                "E.g. RECALLS, ABOUT",
                "Relationship types to walk: LegacyMind's own or those of your relations. Default: FOLLOWS, "
                "REVISES, BRANCHES_FROM, CHILD_OF and RECALLS; from an entity also all of your relations",
            ),
        ] = None,
        direction: Annotated[
            Direction, about("back: earlier", "`back` to earlier nodes, `forward` to later ones, or both")
        ] = "back",
        depth: Annotated[
            int, whole(1, 100), about("Steps away", "Greatest distance from the start, in relationships")
        ] = 10,
        limit: Annotated[int, whole(1, 200), about("Nodes per page", "Nodes on a page")] = _STEPS,
        offset: Annotated[
            int,
            skipped(100_000, advice="walk from the last step instead"),
            about("Nodes to skip", tuning=True),
        ] = 0,
        own_session_id: UnlistedSessionId = None,
        max_tokens: MaxTokens = None,
        whole_texts: WholeTexts = False,
        namespace: Namespace = None,
    ) -> TrailResult:
        """Walk from a thought to what it followed, revised and recalled.

        From an entity the walk also follows its relations that are true now. The nearest nodes come
        first. Each node appears once, by a shortest path. Within a level, recalled memories are ordered by
        rank and follow the other nodes, which are ordered newest first. A level of more than some hundred
        nodes comes in several such blocks.
        To continue a trail, walk again from its last step. Redacted thoughts are included without text. A
        trail ends at private thoughts of other sessions. Raises NotFound when the start does not exist, and
        InvalidInput for a type that no relationship of the database has.
        """
        start = checks.thought_id("thought_id", thought_id)
        namespace = checks.namespace(namespace, self._settings)
        view = View(namespace, resolve_own_session(own_session_id, self._session_id))
        first = offset - offset % _BLOCK
        length = MAX_CONTENT if whole_texts else _TEXT
        (row,) = await self._graph.run(
            WALK_TRAIL,
            {
                "first": first,
                "id": start,
                "namespace": namespace,
                "own_session": view.own_session,
                "types": [_walked(kind) for kind in types] if types else list(CONTINUITY),
                "any_relation": not types,
                "reserved_types": sorted(RESERVED),
                "direction": direction,
                "depth": depth,
                "block_size": _BLOCK,
                "max_nodes": -(-(offset + limit + 1) // _BLOCK) * _BLOCK,
                "skip": offset - first,
                "take": limit + 1,
            },
        )
        if not row["found"]:
            raise NotFound(
                f"There is no thought, entity or observation {start} in this namespace.",
                hint="Check the id, or find it with legacymind_search.",
            )
        if row["unknown"]:
            raise InvalidInput(
                f"No relationship in this database has the type {', '.join(row['unknown'])[:_NAMED]}.",
                hint=f"Walk types of your relations, or LegacyMind's own, such as {', '.join(CONTINUITY)}.",
            )
        reached = row["steps"][:limit]
        found = await items.rows(self._graph, view, [one["id"] for one in reached], length=length + 1)
        page = [_step(one, found[one["id"]], length) for one in reached if one["id"] in found]
        allowed = budget.allowance(max_tokens, limit, _STEPS)
        steps, left_out = budget.fit(page, allowed, reserve=budget.frame(start, namespace))
        return TrailResult(
            start=start,
            direction=direction,
            steps=steps,
            count=len(steps),
            offset=offset,
            more=left_out > 0 or len(row["steps"]) > limit or (bool(page) and row["deeper"]),
            left_out=left_out,
        )

    @operation(tool="thoughts_thread", command="thread", writes=False, profile="full")
    async def thoughts_thread(
        self,
        session_id: Annotated[
            Id | None, about("This or chain_id", "Session to read; this or `chain_id` is required")
        ] = None,
        chain_id: Annotated[
            Id | None,
            about("This or session_id", "`chain_id` to read, within `session_id` if both are given"),
        ] = None,
        limit: Annotated[int, whole(1, 500), about("Thoughts per page", "Thoughts on a page")] = _THREAD,
        offset: Annotated[
            int,
            skipped(1_000_000, advice="send next_cursor as cursor"),
            about("Thoughts to skip", "Thoughts to skip; `cursor` is faster"),
        ] = 0,
        cursor: Annotated[
            str | None, about("For the next page", "`next_cursor` of the previous page of the same thread")
        ] = None,
        order: Annotated[
            ThreadOrder, about("Oldest or latest first", "Order in time: oldest or latest first")
        ] = "created_at_asc",
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> ThreadResult:
        """Read a session, or the thoughts of one chain_id, in order of time.

        Private thoughts are included when ``session_id`` names their session. Redacted thoughts are included
        without content. Raises InvalidInput when neither ``session_id`` nor ``chain_id`` is sent.
        """
        if session_id is None and chain_id is None:
            raise InvalidInput(
                "A thread needs a session_id or a chain_id.", hint="Send one of them, or both."
            )
        namespace = checks.namespace(namespace, self._settings)
        session, chain = checks.key("session_id", session_id), checks.key("chain_id", chain_id)
        own_session = resolve_own_session(own_session_id, self._session_id) if session is None else session
        view = View(namespace, own_session)
        read = {
            "operation": "thoughts_thread",
            "namespace": namespace,
            "session_id": session,
            "chain_id": chain,
            "own": own_session,
            "order": order,
        }
        latest_first = order == "created_at_desc"
        begin = (
            cursors.decode(cursor, read, TimePosition)
            if cursor
            else TimePosition.before_all(latest_first=latest_first)
        )
        listed = await self._graph.run(
            LIST_IN_TIME,
            {
                "ids": [session or chain],
                "by": "session_id" if session else "chain_id",
                "namespace": namespace,
                "own_session": own_session,
                "latest_first": latest_first,
                "seconds": begin.seconds,
                "nanoseconds": begin.nanos,
                "step": begin.step,
                "id": begin.id,
                "from_step": None,
                "chain_id": chain if session else None,
                "skip": offset,
                "take": limit + 1,
            },
        )
        listed_here = [one for row in listed for one in row["items"]]
        allowed = budget.allowance(max_tokens, limit, _THREAD)
        length = budget.characters(allowed)
        found = await items.rows(self._graph, view, [one["id"] for one in listed_here], length=length)
        rows = [one for one in listed_here if one["id"] in found]
        page = [items.record(ThreadThought, found[one["id"]], length) for one in rows[:limit]]
        thoughts, left_out = budget.fit(page, allowed, reserve=budget.frame(namespace) + budget.TIME_CURSOR)
        more = len(rows) > len(thoughts)
        return ThreadResult(
            thoughts=thoughts,
            count=len(thoughts),
            order=order,
            more=more,
            left_out=left_out,
            next_cursor=cursors.encode(read, TimePosition(*rows[len(thoughts) - 1]["position"]))
            if more
            else None,
        )

    @operation(tool="thoughts_links", command="links", writes=False, profile="full")
    async def thoughts_links(
        self,
        thought_id: ThoughtId,
        limit: Annotated[int, whole(1, 500), about("Ids of each list", "Length of each list")] = _POINTING,
        offset: Annotated[
            int,
            skipped(1_000_000, advice="lower offset"),
            about("Ids to skip", "Ids of each list to skip"),
        ] = 0,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> LinksResult:
        """Show the links of a thought in both directions, and whether targets exist.

        All lists are cut at the same length, so one offset pages through all of them. Raises NotFound when
        the thought does not exist.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        namespace = checks.namespace(namespace, self._settings)
        rows = await self._graph.run(
            READ_LINKS,
            {
                "id": own_id,
                "namespace": namespace,
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "types": [type for _, type in LINKS],
                "skip": offset,
                "take": limit,
            },
        )
        if not rows:
            raise checks.thought_not_found(own_id)
        (row,) = rows
        thought, pointing = row["thought"], row["pointing"]
        kinds: dict[str, str] = {**dict(LINKS), "action_id": "FOR_ACTION"}
        links: dict[str, Any] = {name: thought[name] for name in kinds}
        frame = 2 * budget.frame(namespace) + budget.tokens([own_id, links])
        left = budget.allowance(max_tokens, limit, _POINTING) - frame
        length = _common_length([one["ids"] for one in pointing], left)
        followed_by, revised_by, branches, children = (
            Pointing(count=one["count"], ids=one["ids"][:length]) for one in pointing
        )
        exist = {(type, target) for type, target in row["resolved"]}
        states: dict[str, LinkState | None] = {
            name: None if links[name] is None else "record" if (type, links[name]) in exist else "string"
            for name, type in kinds.items()
        }
        return LinksResult(
            thought_id=own_id,
            **links,
            redacted_at=thought["redacted_at"],
            outside_chain=thought["outside_chain"] or None,
            states=LinkStates(**states),
            followed_by=followed_by,
            revised_by=revised_by,
            branches=branches,
            children=children,
            offset=offset,
            more=any(one["count"] > offset + length for one in pointing),
            left_out=sum(len(one["ids"][length:]) for one in pointing),
        )


def _walked(kind: str) -> str:
    """A relationship type to walk, in its stored form."""
    name = checks.type_name(kind)
    if name in _LEADS_TO_NO_MEMORY:
        raise InvalidInput(
            f"A trail does not walk {name}, which leads to no thought, entity or observation.",
            hint=f"Walk other types, for example {', '.join(CONTINUITY)}.",
        )
    return name


def _common_length(lists: Sequence[Sequence[str]], left: int) -> int:
    """The number of items of each list that fit in ``left`` tokens together; at least one."""
    longest = max(map(len, lists))
    for length in range(longest):
        left -= sum(budget.tokens([ids[length]]) for ids in lists if length < len(ids))
        if left < 0:
            return max(length, 1)
    return longest


def _step(reached: Reached, node: NodeRow, length: int) -> TrailStep:
    whole = reached["reached_from"].partition("::")[0]  # not a section of it
    return items.record(TrailStep, node, length, **{**reached, "reached_from": whole})
