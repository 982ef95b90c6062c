"""Reads one thought, observation or entity in full, by its id."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT, Kind
from legacymind.model.members import Id
from legacymind.model.nodes import NodeResult, ObservationDetails, ThoughtDetails
from legacymind.model.stored import ObservationMembers, ThoughtMembers
from legacymind.model.values import MOST_TOKENS, skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.shared import budget, checks
from legacymind.services.shared.entities import entity_details, entity_name, json_object, members
from legacymind.services.shared.parameters import AsOf, Namespace
from legacymind.services.shared.service import Service
from legacymind.services.shared.visibility import UnlistedSessionId, resolve_own_session


class NodeMarks(TypedDict):
    """The kind of a node, whether it is outside its chain, and what replaces, contradicts or solves it."""

    kind: Kind
    outside_chain: bool
    revised_by: str | None
    contradicted_by: str | None
    solved_by: str | None


class NodeRow(TypedDict):
    """A node in full; ``id`` is null when it does not exist. ``length`` is that of its whole text.

    ``members`` are those of its details in ``model.nodes``.
    """

    id: str | None
    text: str | None
    length: int | None
    embedded: bool
    marks: NodeMarks
    members: dict[str, Any]
    merged: list[dict[str, Any]]


READ_NODE = load("search/read_node", NodeRow, writes=False)


_FRAME: Final = 600
"""Tokens kept for the other fields when a budget cuts the text."""

_DEFAULT: Final = 4_000
"""Token budget unless the caller sets ``max_tokens``; the longest thought has some 25,000."""


class NodeService(Service):
    """Reads nodes. Access counts are not updated."""

    @operation(tool="legacymind_get", command="show", writes=False)
    async def get(
        self,
        id: Annotated[
            Id, about("Any id", "Id of a thought, observation or entity, as any other operation returns it")
        ],
        start: Annotated[
            int,
            skipped(MAX_CONTENT, advice="no text is longer"),
            about("Characters to skip", "Characters of the text to skip: `next_start` of the previous call"),
        ] = 0,
        max_tokens: Annotated[
            int | None,
            whole(100, MOST_TOKENS),
            about(
                "Token budget",
                "Token budget of the answer; a longer text is cut, and `next_start` reads on. Default: 4,000",
            ),
        ] = None,
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
        as_of: AsOf = None,
    ) -> NodeResult:
        """Read a thought, fact or entity in full.

        Everything that is stored about it is returned, but its vector; a long text comes in parts. For the
        facts and relations of an entity see ``entity``. Raises NotFound when there is no such node, it is a
        private thought of another session, or with ``as_of`` it was not valid or not thought at that time.
        """
        own_id = checks.thought_id("id", id)
        allowed = max_tokens or _DEFAULT
        moment = checks.moment(as_of)
        (row,) = await self._graph.run(
            READ_NODE,
            {
                "id": own_id,
                "namespace": checks.namespace(namespace, self._settings),
                "own_session": resolve_own_session(own_session_id, self._session_id),
                "now": moment or datetime.now(UTC),
                "any_time": moment is None,
                "start": start,
                "text_length": min(MAX_CONTENT, budget.characters(allowed)),
            },
        )
        if row["id"] is None and moment is not None:
            raise NotFound(
                f"No thought, observation or entity {own_id} that you may read was in this namespace at "
                f"{moment:%Y-%m-%d %H:%M:%S} UTC.",
                hint="Send another as_of, or omit it to read the node whenever it was valid.",
            )
        if row["id"] is None:
            raise NotFound(
                f"There is no thought, observation or entity {own_id} in this namespace that you may read.",
                hint="Check the id and `namespace`, or find it with a search. A private thought needs the id "
                "of its session as own_session_id.",
            )
        text, length = row["text"] or "", row["length"] or 0
        text = _within(text, allowed - _FRAME if allowed > 2 * _FRAME else allowed // 2)
        marks, found = row["marks"], row["members"]
        kind = marks["kind"]
        following = start + len(text)
        return NodeResult(
            id=row["id"],
            kind=kind,
            text=text,
            length=length,
            next_start=following if following < length else None,
            embedded=row["embedded"],
            outside_chain=marks["outside_chain"] or None,
            merged_id=None if row["id"] == own_id else own_id,
            revised_by=marks["revised_by"],
            contradicted_by=marks["contradicted_by"],
            solved_by=marks["solved_by"],
            thought=_thought(found) if kind == "thought" else None,
            observation=_observation(found) if kind == "observation" else None,
            entity=entity_details(found, row["merged"]) if kind == "entity" else None,
        )


def _within(text: str, limit: int) -> str:
    """The beginning of a text, of at most ``limit`` tokens."""
    shortened = budget.shorten(text, limit)
    return text if shortened == text else text[: len(shortened) - 1]


def _thought(row: Mapping[str, Any]) -> ThoughtDetails:
    return ThoughtDetails(
        framework_analysis=json_object(row["framework_analysis"]), **members(ThoughtMembers, row)
    )


def _observation(row: Mapping[str, Any]) -> ObservationDetails:
    return ObservationDetails(
        entity=row["entity"] and entity_name(row["entity"]),
        learned_from=row["learned_from"],
        supersedes=row["supersedes"],
        **members(ObservationMembers, row),
    )
