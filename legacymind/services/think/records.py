"""Decision records: thoughts of a session's chain that recall nothing and never change."""

import inspect
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Unpack, cast

from pydantic import ConfigDict
from typing_extensions import TypedDict  # pydantic reads typing's from Python 3.12 on only

from legacymind.errors import ImmutableThought
from legacymind.model.about import about
from legacymind.model.chain import RecordedThought, RecordResult, RedactResult
from legacymind.model.members import Id
from legacymind.model.values import Unit
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import (
    DeclaredOrigin,
    Namespace,
    OwnSessionId,
    SearchTags,
    ThoughtId,
    resolve_own_session,
)
from legacymind.services.shared.service import Service
from legacymind.services.think.erasing import Erasure
from legacymind.services.think.service import ThinkService
from legacymind.text.modes import mode_of

SessionId = Annotated[Id, about("Its hash chain", "Session whose hash chain the record joins")]
ContextId = Annotated[Id | None, about("E.g. ticket", "Id of the context, for example a ticket")]
ActionId = Annotated[
    Id | None,
    about("Cannot be added later", "Id of the action that the thought leads to; cannot be added later"),
]
ParentId = Annotated[Id | None, about("Parent id", "Id of the parent in the tree of thoughts")]


class RecordOptions(TypedDict, total=False):
    """Further parameters of every record. All are optional."""

    __pydantic_config__ = ConfigDict(extra="forbid", hide_input_in_errors=True)  # pyright: ignore[reportGeneralTypeIssues]

    author: Annotated[str | None, about("Who decides", "Name of the author, a person or an agent")]
    tags: SearchTags
    confidence: Annotated[Unit | None, about("0 to 1, how sure", "The author's confidence in the record")]
    origin: DeclaredOrigin
    idempotency_key: Annotated[
        str | None,
        about("Same key: stored once", "Retry key: a repeated call stores nothing and returns the record"),
    ]


def _typed(record: Any, kind: str, text: str, named: str) -> Callable[..., Awaitable[RecordResult]]:
    """``thought_record`` of one type; ``text`` is what this operation calls the content."""

    async def typed(self: "RecordService", **values: Any) -> RecordResult:
        content = values.pop(text)
        result: RecordResult = await record.__wrapped__(self, thought_type=kind, content=content, **values)
        return result

    content = Annotated[str, about("Up to 100 KB", f"Text of the {kind}, at most 100 KB")]
    signature = inspect.signature(record)
    parameters = [
        each.replace(name=text, annotation=content) if each.name == "content" else each
        for each in signature.parameters.values()
        if each.name != "thought_type"
    ]
    typed.__name__ = f"thought_{kind}"
    typed.__doc__ = f"Record {named} in a session's hash chain."
    typed.__annotations__ = {each.name: each.annotation for each in parameters[1:]} | {"return": RecordResult}
    cast("Any", typed).__signature__ = signature.replace(parameters=parameters)
    return operation(tool=f"thought_{kind}", command=f"record-{kind}", writes=True, profile="full")(typed)


class RecordService(Service):
    """Records decisions in a tamper-evident chain."""

    _think: ThinkService
    _erasing: Erasure

    @operation(tool="thought_record", command="record", writes=True, profile="full")
    async def thought_record(
        self,
        session_id: SessionId,
        thought_type: Annotated[
            str, about("Kind, any word", "Type, as any word: plan, analysis, decision, reflection, …")
        ],
        content: Annotated[str, about("Up to 100 KB", "Text of the record, at most 100 KB")],
        context_id: ContextId = None,
        action_id: ActionId = None,
        parent_id: ParentId = None,
        namespace: Namespace = None,
        **options: Unpack[RecordOptions],
    ) -> RecordResult:
        """Record a thought of any type in a session's hash chain, without recalling anything.

        A type that is the name of a mode is the mode too; otherwise the text decides the mode. Raises
        InvalidInput, and Conflict when the idempotency key was used with other content.
        """
        checks.key("thought_type", thought_type)
        stored = await self._think.record(
            {
                **options,
                "content": content,
                "hint": mode_of(thought_type),
                "injection_scale": 0,
                "session_id": checks.key("session_id", session_id),
                "thought_type": thought_type,
                "context_id": context_id,
                "action_id": action_id,
                "parent_id": parent_id,
                "namespace": namespace,
            }
        )
        chain = stored.chain
        assert chain is not None
        assert chain.content_hash is not None  # the result has all details
        return RecordResult(
            success=True,
            thought=RecordedThought(
                thought_id=stored.delegated_result.thought_id.removeprefix("thoughts:"),
                thought_type=thought_type,
                step_index=chain.step_index,
                content_hash=short_hash(chain.content_hash),
                chain_hash=short_hash(chain.chain_hash),
            ),
            deferred=stored.deferred,
            repeated=stored.repeated,
            dropped_tags=stored.telemetry.dropped_tags,
        )

    thought_plan = _typed(thought_record, "plan", "plan_description", "a plan")
    thought_analysis = _typed(thought_record, "analysis", "analysis", "an analysis")
    thought_decision = _typed(thought_record, "decision", "decision", "a decision")
    thought_reflection = _typed(thought_record, "reflection", "reflection", "a reflection")

    async def link_thought_to_action(self, thought_id: str, action_id: str) -> RecordResult:
        """Always fails: a thought is linked to its action when it is stored, never later."""
        # Clients of decision records compare this exact message.
        raise ImmutableThought("Thoughts are immutable. Create with actionId from start.", effect="")

    @operation(
        tool="redact_thought",
        command="redact",
        writes=True,
        profile="full",
        idempotent=True,
        destructive=True,
        planned={},
    )
    async def redact_thought(
        self,
        thought_id: ThoughtId,
        reason: Annotated[
            str,
            about("Stored openly", "Reason, at most 1,000 bytes, stored with the thought and in the chain"),
        ],
        author: Annotated[str | None, about("Who redacts", "Who redacts; stored in the chain")] = None,
        own_session_id: OwnSessionId = None,
        namespace: Namespace = None,
    ) -> RedactResult:
        """Remove a thought's content permanently; its hash stays, so the chain still verifies.

        The hypothesis, the vector, the title and the analyses are removed too. A summary of the curator that
        has the thought as a source is redacted as well, and its other sources are active again. A thought of
        a session gets a further step in the session's chain, which says what was redacted, by whom, when and
        why. Raises NotFound when the thought does not exist.
        """
        own_id = str(checks.thought_id("thought_id", thought_id))
        checks.text("reason", reason, limit=1000)
        name = checks.key("author", author)
        space = checks.namespace(namespace, self._settings)
        rows = await self._erasing.read(space, [own_id], resolve_own_session(own_session_id, self.session_id))
        own = next((row for row in rows if row["id"] == own_id and row["kind"] == "thought"), None)
        if own is None:
            raise checks.thought_not_found(own_id)
        at = await self._erasing.erase(space, rows, reason, name)
        redacted_at = at.get(own_id) or own["redacted_at"] or datetime.now(UTC)
        return RedactResult(
            success=True, thought_id=own_id, redacted_at=redacted_at, already=own_id not in at
        )


def short_hash(value: str) -> str:
    """A hash in the short form of a result: 16 characters and an ellipsis."""
    return f"{value[:16]}…"
