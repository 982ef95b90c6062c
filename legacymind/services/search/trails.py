"""Trails through the graph: thoughts that a thought followed, revised, branched from or recalled."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT, OPEN, RESERVED, Direction, Kind, Relation, ThreadOrder
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
from legacymind.services.shared import budget, checks, cursors
from legacymind.services.shared.budget import MaxTokens, WholeTexts
from legacymind.services.shared.cursors import TimePosition
from legacymind.services.shared.parameters import AsOf, Namespace, ThoughtId
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import OwnSessionId, UnlistedSessionId, resolve_own_session


class TrailStepRow(TypedDict):
    """A node of a trail: its distance from the start, and the relationship and node it was reached by."""

    id: str
    kind: Kind
    text: str | None
    depth: int
    via: str
    reached_from: str
    created_at: datetime | None
    author: str | None
    mode: str | None
    session_id: str | None
    step_index: int | None
    score: float | None
    rank: int | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    redacted_at: datetime | None
    outside_chain: bool


class TrailRow(TypedDict):
    """All steps of a page of a trail, in one row; ``found`` is whether the start exists.

    ``deeper`` is whether nodes follow beyond the greatest depth. ``unknown`` are types to walk that no
    relationship has.
    """

    found: bool
    deeper: bool
    unknown: list[str]
    steps: list[TrailStepRow]


WALK_TRAIL = load("search/walk_trail", TrailRow, writes=False)


class ThreadThoughtRow(TypedDict):
    """A thought in its thread; ``position`` is Unix seconds, nanoseconds, step and id."""

    id: str
    created_at: datetime
    content: str
    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    confidence: float | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    redacted_at: datetime | None
    outside_chain: bool
    position: tuple[int, int, int, str]


class ThreadRow(TypedDict):
    """A page of thoughts in time."""

    thoughts: list[ThreadThoughtRow]


READ_SESSION_THREAD = load("search/read_session_thread", ThreadRow, writes=False)
READ_CHAIN_THREAD = load("search/read_chain_thread", ThreadRow, writes=False)


class LinkIds(TypedDict):
    """The ids that a thought links to."""

    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None


class LinksResolved(TypedDict):
    """Whether each link's relationship exists."""

    previous_thought_id: bool
    revises_thought: bool
    branch_from: bool
    parent_id: bool
    action_id: bool


class PointingRow(TypedDict):
    """The number of thoughts that point to a thought, and a page of their ids."""

    count: int
    ids: list[str]


class LinksRow(TypedDict):
    """A thought's links, and what points to it; ``links`` is null when the thought does not exist."""

    links: LinkIds | None
    redacted_at: datetime | None
    outside_chain: bool
    resolved: LinksResolved
    followed_by: PointingRow
    revised_by: PointingRow
    branches: PointingRow
    children: PointingRow


READ_LINKS = load("search/read_links", LinksRow, writes=False)


class After(TypedDict):
    """A position in time, exclusive: Unix seconds and nanoseconds; step and id order one instant."""

    seconds: int
    nanoseconds: int
    step: int
    id: str
    latest_first: bool


class ThreadPage(After):
    """A page of a thread, with no thought that is later than ``known``."""

    namespace: str
    known: datetime
    skip: int
    take: int
    text_length: int


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
        as_of: AsOf = None,
    ) -> TrailResult:
        """Walk from a thought to what it followed, revised and recalled.

        From an entity the walk also follows its relations that are true at ``as_of``. The nearest nodes come
        first. Each node appears once, by a shortest path. Within a level, recalled memories are ordered by
        rank and follow the other nodes, which are ordered newest first. A level of more than some hundred
        nodes comes in several such blocks.
        To continue a trail, walk again from its last step. Redacted thoughts are included without text. A
        trail ends at private thoughts of other sessions. Raises NotFound when the start does not exist, and
        InvalidInput for a type that no relationship of the database has.
        """
        start = checks.thought_id("thought_id", thought_id)
        namespace = checks.namespace(namespace, self._settings)
        moment = checks.moment(as_of)
        first = offset - offset % _BLOCK
        length = MAX_CONTENT if whole_texts else _TEXT
        (row,) = await self._graph.run(
            WALK_TRAIL,
            {
                "first": first,
                "id": start,
                "namespace": namespace,
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "types": [_walked(kind) for kind in types] if types else list(CONTINUITY),
                "any_relation": not types,
                "reserved_types": sorted(RESERVED),
                "direction": direction,
                "depth": depth,
                "as_of": moment or datetime.now(UTC),
                "known": moment or OPEN,
                "block_size": _BLOCK,
                "max_nodes": -(-(offset + limit + 1) // _BLOCK) * _BLOCK,
                "skip": offset - first,
                "take": limit + 1,
                "text_length": length + 1,
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
        page = [_step(step, length) for step in row["steps"][:limit]]
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
        as_of: AsOf = None,
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
        known = checks.known_at(as_of)
        read = {
            "operation": "thoughts_thread",
            "namespace": namespace,
            "session_id": session,
            "chain_id": chain,
            "own": own_session,
            "order": order,
            "as_of": known,
        }
        latest_first = order == "created_at_desc"
        begin = (
            cursors.decode(cursor, read, TimePosition)
            if cursor
            else TimePosition.before_all(latest_first=latest_first)
        )
        allowed = budget.allowance(max_tokens, limit, _THREAD)
        page_of: ThreadPage = {
            "namespace": namespace,
            "seconds": begin.seconds,
            "nanoseconds": begin.nanos,
            "step": begin.step,
            "id": begin.id,
            "latest_first": latest_first,
            "known": known,
            "skip": offset,
            "take": limit + 1,
            "text_length": budget.characters(allowed),
        }
        if session is None:
            (row,) = await self._graph.run(
                READ_CHAIN_THREAD, {**page_of, "chain_id": chain or "", "own_session": own_session}
            )
        elif chain is None:
            (row,) = await self._graph.run(READ_SESSION_THREAD, {**page_of, "session_id": session})
        else:
            (row,) = await self._graph.run(
                READ_SESSION_THREAD.filtered(["chain_id"]),
                {**page_of, "session_id": session, "chain_id": chain},
            )
        rows = row["thoughts"]
        page = [_thread_thought(thought) for thought in rows[:limit]]
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
        as_of: AsOf = None,
    ) -> LinksResult:
        """Show the links of a thought in both directions, and whether targets exist.

        All lists are cut at the same length, so one offset pages through all of them. Raises NotFound when
        the thought does not exist.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        namespace = checks.namespace(namespace, self._settings)
        (row,) = await self._graph.run(
            READ_LINKS,
            {
                "id": own_id,
                "namespace": namespace,
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "known": checks.known_at(as_of),
                "skip": offset,
                "take": limit,
            },
        )
        links = row["links"]
        if links is None:
            raise checks.thought_not_found(own_id)
        pointing = [row["followed_by"], row["revised_by"], row["branches"], row["children"]]
        frame = 2 * budget.frame(namespace) + budget.tokens([own_id, links])
        left = budget.allowance(max_tokens, limit, _POINTING) - frame
        length = _common_length([one["ids"] for one in pointing], left)
        followed_by, revised_by, branches, children = (
            Pointing(count=one["count"], ids=one["ids"][:length]) for one in pointing
        )
        resolved = row["resolved"]
        return LinksResult(
            thought_id=own_id,
            previous_thought_id=links["previous_thought_id"],
            revises_thought=links["revises_thought"],
            branch_from=links["branch_from"],
            parent_id=links["parent_id"],
            action_id=links["action_id"],
            redacted_at=row["redacted_at"],
            outside_chain=row["outside_chain"] or None,
            states=LinkStates(
                previous_thought_id=_state(
                    links["previous_thought_id"], resolved=resolved["previous_thought_id"]
                ),
                revises_thought=_state(links["revises_thought"], resolved=resolved["revises_thought"]),
                branch_from=_state(links["branch_from"], resolved=resolved["branch_from"]),
                parent_id=_state(links["parent_id"], resolved=resolved["parent_id"]),
                action_id=_state(links["action_id"], resolved=resolved["action_id"]),
            ),
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


def _state(target: str | None, *, resolved: bool) -> LinkState | None:
    if target is None:
        return None
    return "record" if resolved else "string"


def _common_length(lists: Sequence[Sequence[str]], left: int) -> int:
    """The number of items of each list that fit in ``left`` tokens together; at least one."""
    longest = max(map(len, lists))
    for length in range(longest):
        left -= sum(budget.tokens([ids[length]]) for ids in lists if length < len(ids))
        if left < 0:
            return max(length, 1)
    return longest


def _step(row: TrailStepRow, length: int) -> TrailStep:
    return TrailStep(
        id=row["id"],
        kind=row["kind"],
        text=budget.beginning(row["text"], length),
        depth=row["depth"],
        via=row["via"],
        reached_from=row["reached_from"],
        created_at=row["created_at"],
        author=row["author"],
        mode=row["mode"],
        session_id=row["session_id"],
        step_index=row["step_index"],
        score=row["score"],
        rank=row["rank"],
        revised_by=row["revised_by"],
        solved_by=row["solved_by"],
        contradicted_by=row["contradicted_by"],
        redacted_at=row["redacted_at"],
        outside_chain=row["outside_chain"] or None,
    )


def _thread_thought(row: ThreadThoughtRow) -> ThreadThought:
    return ThreadThought(
        id=row["id"],
        created_at=row["created_at"],
        content=row["content"],
        session_id=row["session_id"],
        chain_id=row["chain_id"],
        previous_thought_id=row["previous_thought_id"],
        revises_thought=row["revises_thought"],
        branch_from=row["branch_from"],
        confidence=row["confidence"],
        revised_by=row["revised_by"],
        solved_by=row["solved_by"],
        contradicted_by=row["contradicted_by"],
        redacted_at=row["redacted_at"],
        outside_chain=row["outside_chain"] or None,
    )
