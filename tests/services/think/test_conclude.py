"""A thought in mode conclude sees its own session whole."""

from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from legacymind.services.recall.policy import SESSION
from tests.steps import bare, store_thought, think, think_apart
from tests.wire import one, text_indexed

pytestmark = pytest.mark.anyio

RECALLS = "MATCH (:Thought {id: $id})-[r:RECALLS]->() RETURN count(r)"


def ways(result: ThinkResult) -> dict[str, str]:
    return {memory.text: memory.via for memory in result.memories}


async def say(mind: Mind, *texts: str, **options: Any) -> list[str]:
    """Store thoughts of one session without recall, and return their ids."""
    thoughts = [{"content": text, "injection_scale": 0, **options} for text in texts]
    batch = await mind.operations["think_batch"].call({"thoughts": thoughts})
    return [thought.thought_id for thought in batch.thoughts]


async def test_a_conclusion_sees_its_session_however_unrelated_and_old(mind: Mind) -> None:
    topics = ["copper kettle", "blue whales", "red tomatoes", "the passport", "green tea", "new bicycle"]
    topics = [f"{topic} item{n}" for n, topic in enumerate(topics)]
    await say(mind, *topics[:-1], topics[0], created_at="2020-01-01T00:00:00Z")
    private = await store_thought(mind, "a secret", is_private=True)
    redacted = await store_thought(mind, "a mistake")
    await mind.operations["redact_thought"].call({"thought_id": redacted, "reason": "wrong"})
    await store_thought(mind, "elsewhere", session_id="another")
    latest = await store_thought(mind, topics[-1])
    await text_indexed(mind)
    conclude = {"hint": "conclude", "idempotency_key": "end"}
    result = await think(mind, "That is all about copper kettle item0.", **conclude)
    assert ways(result) == {
        **dict.fromkeys([*topics, "a secret"], "session"),
        topics[0]: "vector",  # recalled as in every mode
    }
    assert result.memories[0].copies == 2
    assert "Added 6 thoughts of the session." in result.memory_summary
    # The rest of the session gets no relationship and counts as no access, but is kept as recalled.
    assert await one(mind, RECALLS, id=bare(result)) == 1
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.access_count", id=latest) == 0
    assert private in {memory.id for memory in result.memories}
    again = await think(mind, "That is all about copper kettle item0.", **conclude)
    assert again.repeated
    assert ways(again) == ways(result)
    explained = await mind.operations["explain_recall"].call({"thought_id": bare(result)})
    assert {memory.text: memory.via for memory in explained.memories} == ways(result)
    for options in ({"hint": "question"}, {"hint": "conclude", "injection_scale": 0}):
        assert "session" not in ways(await think(mind, "Wrap up.", **options)).values()
    apart = await think_apart(mind, "An end in mind.", hint="conclude")
    assert apart.memories == []


async def test_a_conclusion_of_a_long_session_has_its_latest_thoughts_in_short(mind: Mind) -> None:
    texts = [f"topic{n} " + f"about something{n} or other " * 60 for n in range(SESSION + 5)]
    await say(mind, *texts)
    result = await think(mind, "Wrap up.", verbose_analysis=False, max_tokens=None)
    assert result.mode_selected == "conclude"
    begun = sorted(int(memory.text.split()[0].removeprefix("topic")) for memory in result.memories)
    assert begun == list(range(5, SESSION + 5))
    assert result.left_out == 0
    assert min(len(memory.text) for memory in result.memories) < len(texts[0]) // 2
    assert (
        f"The session has {SESSION + 5} earlier thoughts; thoughts_thread lists all." in result.memory_summary
    )
