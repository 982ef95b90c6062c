"""Many thoughts that recall the same memories at once: no deadlock, and no lost count."""

import asyncio

import pytest

from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from legacymind.services.recall.policy import RECALLS_CAP
from tests.fakes import FakeEmbedder
from tests.wire import one, raw

pytestmark = pytest.mark.anyio

SESSIONS = 22
THINKERS = 4 * SESSIONS  # those of a session come from two minds
MINDS = 4


@pytest.mark.slow
async def test_many_recalls_of_the_same_memories_neither_deadlock_nor_lose_a_count(
    mind: Mind,
) -> None:
    await mind.operations["remember"].call(
        {"entities": [{"name": f"copper kettle {number}"} for number in range(6)]}
    )
    for number in range(5):
        await mind.operations["think"].call({"content": f"the copper kettle {number}", "injection_scale": 0})
    minds = [Mind(mind.settings, embedder=FakeEmbedder()) for _ in range(MINDS)]

    async def think(number: int) -> ThinkResult:
        arguments = {
            "content": f"copper kettle once more {number}",
            "session_id": f"thinker-{number % SESSIONS}",
            "hypothesis": "the copper kettle boils" if number % 4 == 0 else None,
            "injection_scale": 1 + number % 3,
            "hint": "question",
            "max_tokens": 100_000,  # What does not fit an answer is counted, too.
        }
        return await minds[number % MINDS].operations["think"].call(arguments)

    try:
        results = await asyncio.gather(*(think(number) for number in range(THINKERS)))
    finally:
        for one_of in minds:
            await one_of.close()
    recalled = [memory.id for result in results for memory in result.memories]
    assert len(recalled) > 5 * THINKERS
    counts = await raw(
        mind,
        "UNWIND $ids AS id MATCH (n:Thought|Entity {id: id}) RETURN id, n.access_count AS n,"
        " count { (n)<-[:RECALLS]-() } AS recalls",
        ids=sorted(set(recalled)),
    )
    assert {row["id"]: row["n"] for row in counts} == {own: recalled.count(own) for own in set(recalled)}
    related: list[str] = []
    for result in results:
        related += [memory.id for memory in result.memories if memory.kind != "thought"]
        related += [memory.id for memory in result.memories if memory.kind == "thought"][:RECALLS_CAP]
    assert {row["id"]: row["recalls"] for row in counts} == {own: related.count(own) for own in set(recalled)}
    stored = await one(
        mind,
        "MATCH (t:Thought {namespace: $namespace}) WHERE t.session_id STARTS WITH 'thinker' RETURN count(t)",
        namespace=mind.settings.namespace,
    )
    assert stored == THINKERS
    for number in range(SESSIONS):
        report = await mind.operations["verify_chain"].call({"session_id": f"thinker-{number}"})
        assert (report.valid, report.complete, report.thought_count) == (True, True, 4)
