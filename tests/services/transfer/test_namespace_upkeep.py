"""The operator's work on namespaces: sizes, quotas and deleting, on a real server."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from legacymind.errors import NotFound, RequestRefused
from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput, RelationInput
from legacymind.model.maintenance import NamespaceUse
from legacymind.model.think import ThinkResult
from legacymind.services.shared import quotas
from legacymind.services.shared.quotas import MEASURE_NAMESPACES
from tests.wire import raw

pytestmark = pytest.mark.anyio

DUMP = "MATCH (n) WHERE n.namespace = $ns OPTIONAL MATCH (n)-[r]-() RETURN count(n) + count(r) AS left"


async def use(mind: Mind, name: str) -> NamespaceUse | None:
    return next((one for one in await mind.namespaces() if one.name == name), None)


@pytest.fixture
async def filled(mind: Mind) -> AsyncIterator[str]:
    """A namespace with one of everything that belongs to one."""
    name = f"{mind.settings.namespace}-filled"
    first = await mind.think(
        "The kiln cracked.", namespace=name, action_id="fire", author="ada", tags=["kiln"]
    )
    own = first.delegated_result.thought_id
    await mind.think("It was private.", namespace=name, is_private=True, revises_thought="not yet")
    await mind.redact_thought(
        (await mind.think("A secret.", namespace=name)).delegated_result.thought_id, "x", namespace=name
    )
    await mind.remember(
        [EntityInput(name="Kiln", description="hot")],
        [ObservationInput(entity="Kiln", content="It is old.", learned_from=own)],
        [RelationInput(source_entity="Kiln", type="KEPT_IN", target_entity="Shed")],
        namespace=name,
    )
    await mind.create_token("a client", namespace=name)
    await mind.set_quota(name, thoughts=100)
    yield name
    with suppress(NotFound):
        await mind.delete_namespace(name, confirm=True)


async def test_namespaces_are_listed_with_what_they_have(mind: Mind, filled: str) -> None:
    text = sum(map(len, ("The kiln cracked.", "It was private.", "Kiln", "hot", "Shed", "It is old.")))
    assert await use(mind, filled) == NamespaceUse(
        name=filled, thoughts=2, entities=2, facts=1, text=text, tokens=1, quota_thoughts=100
    )


async def test_nothing_of_a_deleted_namespace_stays(mind: Mind, filled: str) -> None:
    plan = await mind.delete_namespace(filled)
    assert {one.kind for one in plan.counts} == {"thought", "entity", "observation"}
    assert await use(mind, filled) is not None
    done = await mind.delete_namespace(filled, confirm=True)
    assert (plan.namespace, done.namespace) == (filled, filled)
    for confirm in (False, True):
        with pytest.raises(NotFound, match="There is no namespace"):
            await mind.delete_namespace(filled, confirm=confirm)
    assert await raw(mind, DUMP, ns=filled) == [{"left": 0}]
    assert await use(mind, filled) is None
    assert filled not in {name for one in await mind.tokens() for name in one.namespaces}


Write = Callable[[Mind], Awaitable[object]]

WRITES: dict[str, Write] = {
    "think": lambda mind: mind.think("Twelve chars"),
    "think_batch": lambda mind: mind.think_batch([{"content": "Twelve chars"}]),
    "thought_record": lambda mind: mind.thought_record("session", "plan", "Twelve chars"),
    "remember": lambda mind: mind.remember([EntityInput(name="Twelve chars")]),
    "import_lines": lambda mind: mind.import_lines(
        [
            json.dumps({"kind": "header", "format": "legacymind", "version": 1}),
            json.dumps(
                {
                    "kind": "thought",
                    "id": str(uuid.uuid4()),
                    "content": "Twelve chars",
                    "created_at": "2026-01-01T00:00:00Z",
                }
            ),
        ]
    ),
}


@pytest.mark.parametrize("operation", WRITES)
@pytest.mark.parametrize("limit", ["thoughts", "text"])
async def test_what_exceeds_a_quota_is_refused_and_not_stored(mind: Mind, operation: str, limit: str) -> None:
    space = mind.settings.namespace
    await mind.think("The first.")
    if limit == "thoughts":
        await mind.set_quota(space, thoughts=1)
    else:
        await mind.set_quota(space, text=20)
    if operation == "remember" and limit == "thoughts":
        await WRITES[operation](mind)
        return
    with pytest.raises(RequestRefused, match=f"{space} may have"):
        await WRITES[operation](mind)
    (row,) = await mind.graph.run(MEASURE_NAMESPACES, {"names": [space]})
    assert (row["thoughts"], row["entities"]) == (1, 0)
    # Reads work, and so does what makes room.
    assert (await mind.search("first")).hits
    await mind.forget(session_id="session", confirm=True)
    await mind.set_quota(space)
    await WRITES[operation](mind)


async def test_a_quota_holds_within_a_process_and_for_others_within_half_a_minute(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = mind.settings.namespace
    await mind.set_quota(space, thoughts=2)
    await mind.think("One.")
    await mind.think("Two.")
    with pytest.raises(RequestRefused, match=r"may have 2 thoughts\. It has 2, and this call has 1\."):
        await mind.think("Three.")
    await raw(mind, "MATCH (q:Quota {namespace: $ns}) SET q.thoughts = 3", ns=space)  # another process
    monkeypatch.setattr(quotas, "_FRESH", -1.0)
    mind.services.think._quotas.forget()  # pyright: ignore[reportPrivateUsage]
    await mind.think("Three.")
    await mind.delete_namespace(space, confirm=True)


async def test_what_is_known_or_fails_uses_no_quota_up(mind: Mind) -> None:
    space = f"{mind.settings.namespace}-repeated"
    await mind.set_quota(space, text=60)
    for _ in range(6):
        await mind.remember(
            observations=[ObservationInput(entity="Kiln", content="It is old.")], namespace=space
        )
        with pytest.raises(NotFound):
            await mind.remember(
                observations=[ObservationInput(entity="Kiln", content="It is hot.", learned_from="none")],
                namespace=space,
            )
    found = await use(mind, space)
    assert found is not None
    assert found.text == len("Kiln") + len("It is old.")
    await mind.delete_namespace(space, confirm=True)


async def test_calls_at_once_store_as_many_as_the_quota_allows(mind: Mind) -> None:
    space = mind.settings.namespace
    await mind.set_quota(space, thoughts=10)
    calls = [mind.think(f"Note {n}.", session_id=f"session-{n % 7}") for n in range(60)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(answer, ThinkResult) for answer in answers) == 10
    assert sum(isinstance(answer, RequestRefused) for answer in answers) == 50
    (row,) = await mind.graph.run(MEASURE_NAMESPACES, {"names": [space]})
    assert row["thoughts"] == 10
    await mind.set_quota(space)
