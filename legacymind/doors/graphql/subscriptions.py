"""Subscriptions: new thoughts as they are stored."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

import strawberry
from strawberry.types.field import StrawberryField

from legacymind.calls import one_call
from legacymind.doors.graphql.graph import (
    NAMESPACE,
    OWN,
    Argument,
    Field,
    call,
    graph_types,
    made,
    values_of,
)
from legacymind.doors.graphql.loaders import renew_loaders
from legacymind.doors.graphql.types import Types, first_paragraph, member
from legacymind.errors import Busy, DatabaseError, EngineError, TokenMissing
from legacymind.mind import Mind
from legacymind.model.graph import Thought, ThoughtAdded
from legacymind.model.members import Id
from legacymind.observe import Step, observed
from legacymind.services.nodes.arrivals import Wanted
from legacymind.services.shared import checks

_THOUGHT: Final = (
    "The thought. The first event of a subscription has none: all that is stored after it will follow."
)

Admitted = Callable[[Any], Awaitable[bool]]
"""Whether the token of a request is still valid, by the context. Raises DatabaseUnreachable if unknown."""

_AGAIN: Final = 1.0
"""Seconds before a read is repeated."""

T = TypeVar("T")

_DESCRIPTION: Final = (
    "Thoughts as they are stored, each at least once: those of a session, with its private thoughts, those "
    "with a label, or those of the whole namespace."
)

_ARGUMENTS: Final = (
    Argument("session_id", Id, "Only thoughts of this session. Default: of all."),
    Argument("chain_id", Id, "Only thoughts with this label. Default: with any or none."),
    Argument(
        "after",
        datetime,
        "`cursor` of the last event of an earlier subscription; thoughts of the minutes before it come "
        "again. Default: from now on.",
    ),
    OWN,
    NAMESPACE,
)


def thought_added(types: Types, mind: Mind, admitted: Admitted) -> StrawberryField:
    """The field ``thoughtAdded``."""

    async def resolve(
        context: dict[str, Any],
        session_id: str | None,
        chain_id: str | None,
        after: datetime | None,
        own_session_id: str | None,
        namespace: str | None,
    ) -> AsyncGenerator[ThoughtAdded]:
        reads = mind.services.reads
        with call("thought_added", {}):
            named = {"session_id": session_id, "own_session_id": own_session_id, "namespace": namespace}
            await reads.admit(named)
            if session_id is None:
                view = reads.view(namespace, own_session_id)
            else:
                view = reads.view_of_session(namespace, session_id)
            wanted = Wanted(view, session_id, checks.key("chainId", chain_id))

        async def load(ids: list[str]) -> list[Thought]:
            return await renew_loaders(context, mind).thoughts(view, ids)

        begun = False
        async with aclosing(mind.arrivals.batches(wanted, checks.moment(after))) as batches:
            with observed(Step("subscription", "thought_added")):
                async for batch in batches:
                    if not await _persistently(partial(admitted, context)):
                        raise TokenMissing(
                            "The token was revoked or has expired.",
                            hint="Subscribe again with a valid token and the last cursor as `after`.",
                        )
                    if not begun:
                        begun = True
                        yield ThoughtAdded(cursor=batch.reached, thought=None)
                    read = await _persistently(partial(load, [id for id, _ in batch.thoughts]))
                    thoughts = {thought.id: thought for thought in read}
                    for id, stored_at in batch.thoughts:
                        if id in thoughts:
                            yield ThoughtAdded(cursor=stored_at, thought=thoughts[id])

    async def events(info: strawberry.Info, **given: Any) -> AsyncGenerator[Any]:
        async with aclosing(resolve(info.context, **values_of(given, _ARGUMENTS))) as added:
            async for event in added:
                yield event

    names = graph_types(types)
    body = types.described(ThoughtAdded)
    body["thought"] = member("thought", "Thought | None", _THOUGHT, names)
    names["ThoughtAdded"] = strawberry.type(
        type("ThoughtAdded", (), body), name="ThoughtAdded", description=first_paragraph(ThoughtAdded)
    )
    field = Field(
        "thought_added",
        "ThoughtAdded",
        _DESCRIPTION,
        lambda _, context, given: resolve(context, **given),
        _ARGUMENTS,
    )
    return made(events, field, types, names, is_subscription=True)


async def _persistently(work: Callable[[], Awaitable[T]]) -> T:
    """The result of a read, which is repeated while the database is away or busy."""
    while True:
        try:
            with one_call():
                return await work()
        except (DatabaseError, EngineError, Busy) as raised:
            await asyncio.sleep(raised.retry_after or _AGAIN)
