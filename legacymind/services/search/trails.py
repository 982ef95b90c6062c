"""Trails through the graph: thoughts that a thought followed, revised, branched from or recalled."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

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
    ThreadResult,
    ThreadThought,
    TrailResult,
    TrailStep,
)
from legacymind.model.values import Words, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import IN_TIME, After, Paged, begin, by_offset, position
from legacymind.operations.registry import operation
from legacymind.services.shared import checks, items
from legacymind.services.shared.items import LIST_IN_TIME, NodeRow
from legacymind.services.shared.parameters import (
    Namespace,
    OwnSessionId,
    ThoughtId,
    UnlistedSessionId,
    resolve_own_session,
)
from legacymind.services.shared.service import Service

TrailRow = tuple[bool, bool, list[str], list[dict[str, Any]]]
"""Whether the start exists, whether nodes follow beyond the greatest depth, types to walk that no
relationship has, and the steps of a page."""

WALK_TRAIL = load("search/walk_trail", TrailRow, writes=False)


LinksRow = tuple[dict[str, Any], list[tuple[str, str]], list[list[str]]]
"""The links that a thought stores, types and targets of those that exist, and what points to it."""

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
_IDS: Final = 10
_POINTING: Final = ("followed_by", "revised_by", "branches", "children")
"""The lists of thoughts that point to a thought, in the order of ``LINKS``."""

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
                "REVISES, BRANCHES_FROM, CHILD_OF and RECALLS; from an entity also ABOUT and your relations",
            ),
        ] = None,
        direction: Annotated[
            Direction | None,
            about(
                "Default back: earlier",
                "`back` to earlier nodes, `forward` to later ones, or both. Default: `back`; from an entity "
                "both, without `types`",
            ),
        ] = None,
        depth: Annotated[
            int, whole(1, 100), about("Steps away", "Greatest distance from the start, in relationships")
        ] = 10,
        limit: Annotated[int, whole(1, 200), about("Nodes per page", "Nodes on a page")] = _STEPS,
        after: After = None,
        own_session_id: UnlistedSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[TrailResult]:
        """Walk to what a thought followed, revised and recalled.

        From an entity the walk leads to its facts and along its relations that are true now. The nearest
        nodes come first. Each node appears once, by a shortest path. Within a level, recalled memories are
        ordered by rank and follow the other nodes, which are ordered newest first. A level of more than some
        hundred nodes comes in several such blocks.
        To continue a trail, walk again from its last step. Redacted thoughts are included without text. A
        trail ends at private thoughts of other sessions. Raises NotFound when the start does not exist, and
        InvalidInput for a type that no relationship of the database has.
        """
        start = checks.thought_id("thought_id", thought_id)
        namespace = checks.namespace(namespace, self._settings)
        view = View(namespace, resolve_own_session(own_session_id, self.session_id))
        offset = begin(after)
        first = offset - offset % _BLOCK
        walked_types = [_walked(kind) for kind in types] if types else list(CONTINUITY)
        if not types and direction is None:
            known = await items.rows(self._graph, view, [start], length=0)
            if any(row["kind"] == "entity" for row in known.values()):
                walked_types, direction = [*walked_types, "ABOUT"], "both"
        direction = direction or "back"
        ((exists, deeper, unknown, walked),) = await self._graph.run(
            WALK_TRAIL,
            {
                "first": first,
                "id": start,
                "namespace": namespace,
                "own_session": view.own_session,
                "types": walked_types,
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
        if not exists:
            raise NotFound(
                f"There is no thought, entity or observation {start} in this namespace.",
                hint="Check the id, or find it with legacymind_search.",
            )
        if unknown:
            raise InvalidInput(
                f"No relationship in this database has the type {', '.join(unknown)[:_NAMED]}.",
                hint=f"Walk types of your relations, or LegacyMind's own, such as {', '.join(CONTINUITY)}.",
            )
        reached = walked[:limit]
        found = await items.rows(self._graph, view, [one["id"] for one in reached], length=_TEXT + 1)
        steps = [_step(one, found[one["id"]]) for one in reached if one["id"] in found]
        more = len(walked) > limit
        trail = TrailResult(
            start=start, direction=direction, steps=steps, deeper=not more and bool(steps) and deeper
        )
        return by_offset(trail, "steps", offset=offset, more=more)

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
        after: After = None,
        order: Annotated[
            ThreadOrder, about("Oldest or latest first", "Order in time: oldest or latest first")
        ] = "created_at_asc",
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[ThreadResult]:
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
        own_session = resolve_own_session(own_session_id, self.session_id) if session is None else session
        view = View(namespace, own_session)
        latest_first = order == "created_at_desc"
        listed = await self._graph.run(
            LIST_IN_TIME,
            {
                "ids": [session or chain],
                "by": "session_id" if session else "chain_id",
                "namespace": namespace,
                "own_session": own_session,
                "latest_first": latest_first,
                **items.at(position(after, IN_TIME, items.in_time(latest_first=latest_first))),
                "from_step": None,
                "chain_id": chain if session else None,
                "take": limit + 1,
            },
        )
        ids = [one for _, page in listed for one in page]
        found = await items.rows(self._graph, view, [one["id"] for one in ids])
        rows = [one for one in ids if one["id"] in found]
        page = [items.record(ThreadThought, found[one["id"]], MAX_CONTENT) for one in rows[:limit]]
        ends = [one["position"] for one in rows[:limit]]
        return Paged(
            result=ThreadResult(thoughts=page, order=order, branches=ids[0]["branches"] if ids else None),
            lists=("thoughts",),
            ends=ends,
            next=ends[-1] if len(rows) > limit else None,
        )

    @operation(tool="thoughts_links", command="links", writes=False, profile="full")
    async def thoughts_links(
        self,
        thought_id: ThoughtId,
        limit: Annotated[int, whole(1, 500), about("Ids of each list", "Length of each list")] = _IDS,
        after: After = None,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[LinksResult]:
        """Show the links of a thought in both directions, and whether targets exist.

        Lists of thoughts that link to it are cut at the same length. Raises NotFound when the thought does
        not exist.
        """
        own_id, offset = checks.thought_id("thought_id", thought_id), begin(after)
        rows = await self._graph.run(
            READ_LINKS,
            {
                "id": own_id,
                "namespace": checks.namespace(namespace, self._settings),
                "own_session": resolve_own_session(own_session_id, self.session_id),
                "types": [type for _, type in LINKS],
                "skip": offset,
                "take": limit + 1,
            },
        )
        if not rows:
            raise checks.thought_not_found(own_id)
        ((thought, resolved, pointing),) = rows
        kinds: dict[str, str] = {**dict(LINKS), "action_id": "FOR_ACTION"}
        links: dict[str, Any] = {name: thought[name] for name in kinds}
        exist = {(type, target) for type, target in resolved}
        states: dict[str, LinkState | None] = {
            name: None if links[name] is None else "record" if (type, links[name]) in exist else "string"
            for name, type in kinds.items()
        }
        lists = dict(zip(_POINTING, (ids[:limit] for ids in pointing), strict=True))
        result = LinksResult(
            thought_id=own_id,
            **links,
            redacted_at=thought["redacted_at"],
            outside_chain=thought["outside_chain"] or None,
            states=LinkStates(**states),
            **lists,
        )
        more = any(len(ids) > limit for ids in pointing)
        return by_offset(result, *_POINTING, offset=offset, more=more, abreast=True)


def _walked(kind: str) -> str:
    """A relationship type to walk, in its stored form."""
    name = checks.type_name(kind)
    if name in _LEADS_TO_NO_MEMORY:
        raise InvalidInput(
            f"A trail does not walk {name}, which leads to no thought, entity or observation.",
            hint=f"Walk other types, for example {', '.join(CONTINUITY)}.",
        )
    return name


def _step(reached: Mapping[str, Any], node: NodeRow) -> TrailStep:
    whole = reached["reached_from"].partition("::")[0]  # not a section of it
    return items.record(TrailStep, node, _TEXT, **{**reached, "reached_from": whole})
