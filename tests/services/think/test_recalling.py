"""recall: what a thought would recall, while nothing is stored and no access is counted."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from mcp import Client

from legacymind.calls import calling
from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import EmbeddingError, InvalidInput, RequestRefused
from legacymind.mind import Mind
from legacymind.model.think import RecallResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from tests.agents import build_server
from tests.fakes import FakeEmbedder
from tests.steps import bare, remember, store_thought, think, think_apart
from tests.wire import one, raw, settled, text_indexed

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
QUESTION = "Why does the lid of the copper kettle leak?"
LEAK = "The lid of the copper kettle leaks"
DETAILS: dict[str, Any] = {"verbose_analysis": True, "max_tokens": 100_000}


async def recall(mind: Mind, content: str = QUESTION, **options: Any) -> RecallResult:
    return await mind.operations["recall"].call({"content": content, **options})


async def snapshot(mind: Mind) -> list[dict[str, Any]]:
    """Every node of the namespace, sessions and access counts included, with its relationships."""
    return await raw(
        mind,
        "MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]->(m) WITH n, type(r) AS type, r {.*} AS r,"
        " m.id AS m ORDER BY n.id, labels(n), type, m RETURN labels(n), n {.*} AS n, type, r, m",
        ns=mind.settings.namespace,
    )


@pytest.fixture
async def stocked(mind: Mind) -> Mind:
    """A memory with what recall finds: thoughts of several authors, knowledge, a solution, a preference."""
    await remember(
        mind,
        entities=[{"name": "copper kettle", "description": "boils water"}],
        observations=[{"entity": "copper kettle", "content": "The lid of the copper kettle is new."}],
    )
    problem = await think_apart(mind, f"{LEAK}: SealError: seal worn out", author="Ada")
    solution = await think_apart(mind, "New seal for the lid of the copper kettle", author="Bob")
    await mind.operations["record_outcome"].call(
        {"thought_id": bare(solution), "outcome": "success", "solves": bare(problem)}
    )
    await think_apart(mind, "Always name the lid of the copper kettle first")
    await think_apart(mind, "the copper kettle is old", created_at=datetime.now(UTC) - timedelta(days=60))
    await text_indexed(mind)
    return mind


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (QUESTION, {}),
        ("What did Ada say of the copper kettle?", {}),
        ("stuck: SealError: seal worn out", {}),
        ("the copper kettle", {"injection_scale": 5, "hint": "plan"}),
        ("the copper kettle", {"submode": "philosophical", "include_contradictions": True}),
        ("We conclude: the lid of the copper kettle", {"author": "Ada", "hint": "conclude"}),
    ],
)
async def test_the_memories_are_those_of_a_thought_right_after(
    stocked: Mind, content: str, options: dict[str, Any]
) -> None:
    now = datetime.now(UTC)
    arguments = {**options, **DETAILS, "session_id": "new", "created_at": now}
    recalled = await recall(stocked, content, **arguments)
    thought = await think(stocked, content, **arguments)
    assert recalled.memories
    assert recalled.memories == thought.memories
    assert (recalled.mode_selected, recalled.reason) == (thought.mode_selected, thought.reason)
    assert recalled.memory_summary == thought.memory_summary
    assert recalled.threshold_thoughts == thought.telemetry.threshold_thoughts
    assert recalled.threshold_knowledge == thought.telemetry.threshold_knowledge
    assert recalled.namespace == stocked.settings.namespace


async def test_nothing_is_stored_and_no_access_is_counted(stocked: Mind) -> None:
    await settled(stocked)
    before = await snapshot(stocked)
    for scale in range(6):
        result = await recall(stocked, injection_scale=scale, session_id="unknown", author="Eve")
        assert result.injection_scale == scale
        assert bool(result.memories) is (scale > 0)
    assert await snapshot(stocked) == before


async def test_scale_0_recalls_nothing_says_so_and_embeds_nothing(stocked: Mind) -> None:
    embedder = stocked.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    before = len(embedder.calls)
    result = await recall(stocked, injection_scale=0)
    assert (result.memories, result.memory_summary) == ([], "Recall is off (scale 0).")
    assert len(embedder.calls) == before
    assert (await recall(stocked)).injection_scale == 2  # the default of the mode question
    assert (await recall(stocked, hint="stuck")).injection_scale == 3


async def test_private_thoughts_come_to_mind_in_their_own_session_only(mind: Mind) -> None:
    secret = await store_thought(mind, LEAK, is_private=True, session_id="mine")
    for session, found in (("mine", [secret]), ("other", []), (None, [])):
        result = await recall(mind, session_id=session)
        assert [memory.id for memory in result.memories] == found
    # The session of the process is the default. Its latest thought is a memory, since nothing follows it.
    async with Mind(mind.settings, session_id="mine", embedder=FakeEmbedder()) as own:
        assert [memory.id for memory in (await recall(own)).memories] == [secret]


async def test_a_recall_as_of_a_time_has_only_earlier_memories(mind: Mind) -> None:
    days = [
        await store_thought(mind, f"{LEAK} on day {day}", created_at=NOW + timedelta(days=day))
        for day in range(3)
    ]
    for day in range(4):
        moment = (NOW + timedelta(days=day, hours=-1)).isoformat()
        result = await recall(mind, created_at=moment, injection_scale=4)
        assert {memory.id for memory in result.memories} == set(days[:day])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "content"),
        ({"content": " "}, "content is empty"),
        ({"content": "x" * 200_000}, "content"),
        ({"content": "x", "hint": 7}, "hint"),
        ({"content": "x", "submode": "furious"}, "submode"),
        ({"content": "x", "injection_scale": "much"}, "injection_scale"),
        ({"content": "x", "created_at": "then"}, "created_at"),
        ({"content": "x", "session_id": "s" * 1_000}, "session_id"),
        ({"content": "x", "author": "a" * 1_000}, "author"),
        ({"content": "x", "max_tokens": "few"}, "max_tokens"),
        ({"content": "x", "tags": ["a"]}, "tags is unknown"),
        ({"content": "x", "idempotency_key": "k"}, "idempotency_key is unknown"),
    ],
)
async def test_bad_input_is_refused(mind: Mind, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as raised:
        await mind.operations["recall"].call(arguments)
    assert "Nothing was stored" not in str(raised.value)  # a read has no effect to speak of


async def test_another_namespace_than_the_fixed_one_is_refused(mind: Mind) -> None:
    with calling(namespaces=(mind.settings.namespace,)), pytest.raises(RequestRefused):
        await mind.operations["recall"].call({"content": "x", "namespace": "other"})


async def test_recall_fails_while_the_embedder_is_down(stocked: Mind) -> None:
    embedder = stocked.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await recall(stocked)


async def test_a_result_keeps_to_its_budget_as_that_of_think_does(mind: Mind) -> None:
    for word in "it they we you there my our your".split():
        filler = f"{word} was as {word} is. " * 100  # words that do not count
        await store_thought(mind, f"{filler}{LEAK}. {filler}")
    for allowed in (150, 300, 600, 1_000, None):
        result = await recall(mind, injection_scale=2, max_tokens=allowed)
        assert tokens(jsonable(result)) <= (allowed or 1_000)
        assert len(result.memories) + result.left_out == 8
        assert "Recalled 8 memories (scale 2, mean distance" in result.memory_summary
        if allowed != 150:  # there, a text is shorter than the sentence that answers
            assert all(LEAK in memory.text for memory in result.memories)
    whole = await recall(mind, injection_scale=2, **DETAILS)
    assert whole.left_out == 0
    assert all(len(memory.text) > 3_000 for memory in whole.memories[:3])


async def test_a_compact_result_has_no_details(stocked: Mind) -> None:
    result = await recall(stocked)
    assert result.threshold_knowledge is result.threshold_thoughts is None
    assert all(memory.parts is None for memory in result.memories)
    sent = jsonable(result)
    assert "threshold_thoughts" not in sent
    assert "left_out" not in sent
    assert (await recall(stocked, verbose_analysis=True)).threshold_thoughts
    nothing = jsonable(await recall(stocked, "zebra"))
    assert nothing["memories"] == []


async def test_the_doors_recall_the_same(stocked: Mind) -> None:
    expected = jsonable(await recall(stocked))
    async with Client(build_server(stocked, "full")) as agent:
        answer = await agent.call_tool("legacymind_recall", {"content": QUESTION})
        refused = await agent.call_tool("legacymind_recall", {"content": ""})
    assert answer.structured_content == expected
    assert refused.structured_content["error"]["code"] == "invalid_input"
    schema = build_schema(stocked)
    query = """query ($content: String!) { recall(input: {content: $content}) {
      memories { id via } leftOut } }"""
    asked = await schema.execute(query, variable_values={"content": QUESTION})
    assert asked.data is not None
    ids = [memory["id"] for memory in asked.data["recall"]["memories"]]
    assert ids[: len(expected["memories"])] == [memory["id"] for memory in expected["memories"]]
    wrong = await schema.execute(query, variable_values={"content": ""})
    assert wrong.errors is not None
    assert wrong.errors[0].extensions == {"code": "invalid_input"}
    async with Client(build_server(stocked)) as agent:  # the core profile does not have it
        assert (await agent.call_tool("legacymind_recall", {"content": QUESTION})).is_error
    count = "MATCH (t:Thought {namespace: $ns}) RETURN count(t)"
    assert await one(stocked, count, ns=stocked.settings.namespace) == 4
