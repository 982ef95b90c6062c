"""Reads one thought, observation or entity in full, by its id."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final

from legacymind.db.filters import ABOUT
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.base import Hit
from legacymind.model.graph import View
from legacymind.model.members import Id
from legacymind.model.nodes import NodeResult, ObservationDetails, ThoughtDetails
from legacymind.model.stored import ObservationMembers, ThoughtMembers
from legacymind.model.values import MOST_TOKENS, whole
from legacymind.operations import budget
from legacymind.operations.pages import After, Paged, begin
from legacymind.operations.registry import operation
from legacymind.origins import said_by_of
from legacymind.services.search.finder import NO_MIN_SIMILARITY, Finder, SearchRequest
from legacymind.services.shared import checks, items
from legacymind.services.shared.entities import entity_details, json_object, members
from legacymind.services.shared.items import NodeRow
from legacymind.services.shared.parameters import AsOf, Namespace, UnlistedSessionId, resolve_own_session
from legacymind.services.shared.service import Service

_FACTS: Final = 20
"""Facts of an entity."""

_DEFAULT: Final = 4_000
"""Token budget unless the caller sets ``max_tokens``; the longest thought has some 25,000."""


class NodeService(Service):
    """Reads nodes. Access counts are not updated."""

    _finder: Finder

    @operation(tool="legacymind_get", command="show", writes=False)
    async def get(
        self,
        id: Annotated[
            Id, about("Any id", "Id of a thought, observation or entity, as any other operation returns it")
        ],
        after: After = None,
        max_tokens: Annotated[
            int | None,
            whole(100, MOST_TOKENS),
            about(
                "Token budget",
                "Token budget of the answer; a longer text is cut, and `next` reads on. Default: 4,000",
            ),
        ] = None,
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
        as_of: AsOf = None,
    ) -> Paged[NodeResult]:
        """Read a thought, fact or entity in full.

        Everything that is stored about it is returned, but its vector; a long text comes in parts.
        An entity has its latest facts; for all, and its relations, see ``entity``. Raises NotFound when there
        is no such node, it is a private thought of another session, or with ``as_of`` it was not valid or not
        thought at that time.
        """
        own_id, start = checks.thought_id("id", id), begin(after)
        moment = checks.moment(as_of)
        view = View(
            checks.namespace(namespace, self._settings),
            resolve_own_session(own_session_id, self.session_id),
        )
        row = (await items.rows(self._graph, view, [own_id], as_of=moment, whole=True)).get(own_id)
        if row is None and moment is not None:
            raise NotFound(
                f"No thought, observation or entity {own_id} that you may read was in this namespace at "
                f"{moment:%Y-%m-%d %H:%M:%S} UTC.",
                hint="Send another as_of, or omit it to read the node whenever it was valid.",
            )
        if row is None:
            raise NotFound(
                f"No thought, observation or entity that you may read has the id {own_id} in this namespace.",
                hint="Check the id, which is no name, and `namespace`, or find it with a search. A private "
                "thought needs its session.",
            )
        kind, stored = row["kind"], row["properties"]
        facts = await self._facts(view, stored["id"], moment) if kind == "entity" and not start else []
        kept, left_out = budget.fit(facts, (max_tokens or _DEFAULT) // 2) if facts else ([], 0)
        entire = stored.get("description" if kind == "entity" else "content") or ""
        result = NodeResult(
            id=stored["id"],
            kind=kind,
            text=entire[start:],
            said_by=said_by_of(stored),
            length=len(entire),
            embedded=items.details(row)["embedded"],
            outside_chain=row["outside_chain"] or None,
            merged_id=own_id if kind != "thought" and stored["id"] != own_id else None,
            revised_by=row["revised_by"],
            contradicted_by=row["contradicted_by"],
            solved_by=row["solved_by"],
            thought=_thought(stored) if kind == "thought" else None,
            observation=_observation(row) if kind == "observation" else None,
            entity=entity_details(stored, items.details(row)["merged"]) if kind == "entity" else None,
            facts=kept[:_FACTS],
            more_facts=left_out > 0 or len(kept) > _FACTS or None,
        )
        return Paged(result=result, text_from=start, tokens=_DEFAULT)

    async def _facts(self, view: View, entity: str, as_of: datetime | None) -> list[Hit]:
        """The latest facts about an entity, and one more than are shown."""
        request = SearchRequest(
            query="",
            kinds=("observation",),
            method="graph",
            namespace=view.namespace,
            own_session=view.own_session,
            conditions={ABOUT: [entity]},
            as_of=as_of,
            min_similarity=NO_MIN_SIMILARITY,
            order="created_at_desc",
            explain=False,
        )
        return [fact for fact, _ in await self._finder.in_time(request, _FACTS + 1)]


def _thought(stored: Mapping[str, Any]) -> ThoughtDetails:
    return ThoughtDetails(
        framework_analysis=json_object(stored.get("framework_analysis")), **members(ThoughtMembers, stored)
    )


def _observation(row: NodeRow) -> ObservationDetails:
    return ObservationDetails(
        entity=row["entity"],
        learned_from=items.details(row)["learned_from"],
        supersedes=items.details(row)["supersedes"],
        **members(ObservationMembers, row["properties"]),
    )
