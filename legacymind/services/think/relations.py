"""What can be said about a thought after it was stored: what it relates to, and that it is pinned."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.calls import current_caller
from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound, RequestRefused
from legacymind.model.about import about
from legacymind.model.base import BETWEEN_THOUGHTS, Kind, ThoughtRelation
from legacymind.model.members import Id
from legacymind.model.think import ConfirmResult, PinResult, RelateResult
from legacymind.model.values import Unit
from legacymind.operations.registry import operation
from legacymind.origins import said_by_of
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace, OwnSessionId, ThoughtId, resolve_own_session
from legacymind.services.shared.service import Service

RelationMade = tuple[bool, bool, Kind | None, bool]
"""Whether the thought exists, whether the relation existed, the kind of its target, if that exists, and
whether one of the two was redacted."""

RELATE_THOUGHT = load("think/relate_thought", RelationMade, writes=True)


Pinned = tuple[bool, bool, bool, int]
"""Whether the thought exists, whether it was pinned, whether only the user may change that, and how many are
pinned now: at most ``most`` + 1."""

Confirmed = tuple[bool, bool, list[str], dict[str, Any], bool]
"""Whether the node exists, whether its trust changed, what it ended, who said it, and whether it stands."""

CONFIRM_NODE = load("trust/confirm_node", Confirmed, writes=True)

PIN_THOUGHT = load("think/pin_thought", Pinned, writes=True)


MOST_PINNED: Final = 20
"""The most pinned thoughts of a context, the newest: each takes tokens from every context."""

TOO_MANY: Final = (
    f"More than {MOST_PINNED} thoughts are pinned, and contexts have the newest {MOST_PINNED} only: unpin "
    "some."
)
"""The warning of a context, and of a pin, that exceeds the limit."""

NO_ROOM: Final = "Not all pinned thoughts fit in the token budget: raise max_tokens, or unpin some."
"""The warning of a context whose token budget is too small for its pinned thoughts."""


class RelationService(Service):
    """Relates and pins thoughts. The thoughts themselves and their chains do not change."""

    @operation(tool="relate_thought", command="relate", writes=True, profile="full", idempotent=True)
    async def relate_thought(
        self,
        thought_id: ThoughtId,
        target_id: Annotated[Id, about("Any id", "Id of the other thought, entity or observation")],
        type: Annotated[
            ThoughtRelation,
            about(
                "Kind of relation",
                "ASSOCIATES (recalled from scale 4), REFERENCES (from scale 5) or DEPENDS_ON; to another "
                "thought also CONTRADICTS, REINFORCES (is evidence for) or SOLVES (its problem)",
            ),
        ] = "ASSOCIATES",
        weight: Annotated[Unit, about("0 to 1, strength", "Strength of the relation")] = 1.0,
        note: Annotated[
            str | None, about("Why related", "Reason of the relation, at most 1,000 bytes")
        ] = None,
        remove: Annotated[bool, about("Remove it instead", "Remove the relation instead")] = False,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> RelateResult:
        """Relate a thought to another thought, an entity or a fact.

        Trails follow the relation, and so does recall at scales 4 and 5. Reads of a contradicted or solved
        thought name the other one. Repeating the call changes the weight and the note. Raises NotFound when
        one of the two does not exist, InvalidInput when they are the same, the type needs a thought, or a
        note is for what was redacted.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        other = checks.thought_id("target_id", target_id)
        if own_id == other:
            raise InvalidInput(
                "A thought cannot be related to itself.",
                effect="Nothing was stored.",
                hint="Send the id of another node as target_id.",
            )
        ((exists, existed, kind, redacted),) = await self._graph.run(
            RELATE_THOUGHT,
            {
                "id": own_id,
                "target_id": other,
                "type": type,
                "namespace": checks.namespace(namespace, self._settings),
                "own_session": resolve_own_session(own_session_id, self.session_id),
                "now": datetime.now(UTC),
                "weight": weight,
                "note": None if note is None else checks.text("note", note, limit=1000),
                "remove": remove,
                **_linked_by(),
                "between_thoughts": type in BETWEEN_THOUGHTS,
            },
        )
        if not exists:
            raise checks.thought_not_found(own_id, effect="Nothing was stored.")
        if kind is None:
            raise NotFound(
                f"There is no thought, entity or observation {other} in this namespace.",
                effect="Nothing was stored.",
                hint="Check target_id, or find the node with a search.",
            )
        if type in BETWEEN_THOUGHTS and kind != "thought":
            raise InvalidInput(
                f"{type} leads to a thought, and {other} is an {kind}.",
                effect="Nothing was stored.",
                hint="Send the id of a thought, or type ASSOCIATES.",
            )
        if redacted and note is not None and not remove:
            raise InvalidInput(
                "One of the two was redacted, and what was redacted has no notes.",
                effect="Nothing was stored.",
                hint="Relate them without a note.",
            )
        return RelateResult(
            thought_id=own_id,
            type=type,
            target_id=other,
            target_kind=kind,
            created=not existed and not remove,
            removed=existed and remove,
        )

    @operation(
        tool="legacymind_confirm", command="confirm", writes=True, profile="full", idempotent=True, planned={}
    )
    async def confirm(
        self,
        id: Annotated[Id, about("Any id", "Id of a thought, a fact or an entity")],
        standing: Annotated[
            bool | None,
            about("Lasting rule", "True: make it a standing preference or instruction; false: no longer"),
        ] = None,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> ConfirmResult:
        """Confirm what an agent, a file or a page said, so that it counts as said by the user.

        Only the user may. Facts that it was to supersede end, and what it revises, solves or contradicts is
        marked. Raises NotFound when there is no such thought, fact or entity.
        """
        own_id = checks.thought_id("id", id)
        ((exists, changed, ended, said, is_standing),) = await self._graph.run(
            CONFIRM_NODE,
            {
                "id": own_id,
                "namespace": checks.namespace(namespace, self._settings),
                "own_session": resolve_own_session(own_session_id, self.session_id),
                "standing": standing,
                "by": current_caller().by,
                "now": datetime.now(UTC),
            },
        )
        if not exists:
            raise NotFound(
                f"There is no thought, fact or entity {own_id} in this namespace.",
                effect="Nothing was changed.",
                hint="Check the id, or find it with a search.",
            )
        return ConfirmResult(
            id=str(own_id), said_by=said_by_of(said), changed=changed, standing=is_standing, ended=ended
        )

    @operation(tool="pin_thought", command="pin", writes=True, profile="full", idempotent=True)
    async def pin_thought(
        self,
        thought_id: ThoughtId,
        pinned: Annotated[bool, about("False: unpin", "Pin the thought; false unpins it")] = True,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> PinResult:
        """Pin a thought, so that every context begins with it.

        A context has the 20 newest pinned thoughts; the result warns if there are more.
        Raises NotFound when the thought does not exist.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        ((exists, before, kept, pins),) = await self._graph.run(
            PIN_THOUGHT,
            {
                "id": own_id,
                "namespace": checks.namespace(namespace, self._settings),
                "own_session": resolve_own_session(own_session_id, self.session_id),
                "pinned": pinned,
                "trust": current_caller().trust,
                "most": MOST_PINNED,
            },
        )
        if not exists:
            raise checks.thought_not_found(own_id, effect="Nothing was changed.")
        if kept:
            raise RequestRefused(
                "Only the user pins what a file, a tool or a page says, and unpins what the user pinned.",
                effect="Nothing was changed.",
                hint="Ask the user.",
            )
        return PinResult(
            thought_id=own_id,
            pinned=pinned,
            changed=before is not pinned,
            warnings=[TOO_MANY] if pinned and pins > MOST_PINNED else [],
        )


def _linked_by() -> dict[str, Any]:
    """Who makes a link."""
    caller = current_caller()
    return {"trust": caller.trust, "by": caller.by}
