"""What think returns: compact or with all details, within a token budget, with the passages that matched."""

import json
import uuid
from datetime import datetime
from typing import Any

import pytest
from mcp import Client

from legacymind.calls import calling
from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from legacymind.model.base import Kind
from legacymind.model.think import LinksTelemetry, Memory, ThinkResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from legacymind.services.think import answer
from tests.agents import build_server
from tests.steps import bare, remember, think_without_recall
from tests.wire import one

pytestmark = pytest.mark.anyio

QUESTION = "Why does the lid of the copper kettle leak?"
FILLER = "The copper kettle stands on the shelf. "
ANSWER = "The lid leaks because its seal is worn."
LONG = FILLER * 45 + ANSWER + FILLER * 45


async def told(mind: Mind, **options: Any) -> ThinkResult:
    """Think with the defaults of the doors, in a session of its own, so that no other thought recalls it."""
    arguments: dict[str, Any] = {
        "content": QUESTION,
        "injection_scale": 2,
        "is_private": True,
        "session_id": f"session {uuid.uuid4()}",
        **options,
    }
    return await mind.operations["think"].call(arguments)


async def tell(mind: Mind, *contents: str) -> None:
    for content in contents:
        await think_without_recall(mind, content, session_id="earlier")


async def test_a_compact_result_has_no_details(mind: Mind) -> None:
    await tell(mind, ANSWER)
    await remember(mind, entities=[{"name": "copper kettle lid"}])
    result = await told(mind, session_id="s", hypothesis="the copper kettle has a lid")
    assert (result.enriched_content, result.delegated_result.embedding_model) == (None, None)
    assert result.telemetry.threshold_knowledge is result.telemetry.threshold_thoughts is None
    second = await told(mind, session_id="s", revises_thought="later")
    assert f"thoughts:{second.links.previous_thought_id}" == result.delegated_result.thought_id
    assert second.telemetry.links_telemetry == LinksTelemetry(revises_thought="string")
    chain = result.chain
    assert chain is not None
    assert (chain.content_hash, chain.prev_hash, len(chain.chain_hash)) == (None, None, 64)
    entity, thought = sorted(result.memories, key=lambda memory: memory.kind)
    assert (entity.kind, thought.kind) == ("entity", "thought")
    for memory in (thought, entity):
        assert memory.copies is memory.parts is None
        assert memory.score == round(memory.score, 2)
        assert memory.created_at is not None
        assert memory.created_at.microsecond == 0
    assert entity.cosine is None  # the score is the cosine
    tested = result.verification
    assert tested is not None
    assert tested.telemetry.provider is tested.telemetry.model is None
    assert tested.telemetry.matched_support == len(tested.supporting) == 1
    assert tested.basis == "by wording only"
    sent = json.dumps(jsonable(result))
    for absent in ("null", "[]", "{}", '""', "enriched", "threshold", "copies", "model", "meta"):
        assert absent not in sent


async def test_verbose_results_have_all_details_of_the_same_memories(mind: Mind) -> None:
    await tell(mind, ANSWER)
    await remember(mind, entities=[{"name": "copper kettle lid"}])
    call = {"idempotency_key": "k", "session_id": "s"}
    compact = await told(mind, **call)
    verbose = await told(mind, verbose_analysis=True, **call)
    assert verbose.repeated
    assert [memory.id for memory in verbose.memories] == [memory.id for memory in compact.memories]
    assert [memory.rank for memory in verbose.memories] == [1, 2]
    assert all(memory.parts and memory.cosine and memory.copies == 1 for memory in verbose.memories)
    assert (verbose.enriched_content or "").startswith("Nearby entities:\n- (0.")
    other = await told(mind, verbose_analysis=True, session_id="s")
    assert other.telemetry.threshold_knowledge == other.telemetry.threshold_thoughts == 0.19
    assert tokens(jsonable(compact)) < 2 / 3 * tokens(jsonable(verbose))


async def test_the_json_of_a_compact_result_omits_usual_values(mind: Mind) -> None:
    words = "pump valve seal gauge pipe tank meter filter motor shaft lever bolt".split()
    texts = [
        f"The copper kettle's {word} leaks since the {other} broke." for word in words for other in words[:2]
    ]
    for text in texts:
        await think_without_recall(mind, text, session_id="earlier", author="Ada")
    await remember(mind, entities=[{"name": "copper kettle lid"}])
    for scale in (3, 4):
        call = {"idempotency_key": f"k{scale}", "session_id": f"s{scale}", "injection_scale": scale}
        compact = await told(mind, max_tokens=2_000, **call)
        verbose = await told(mind, verbose_analysis=True, max_tokens=100_000, **call)
        sent, whole = jsonable(compact), jsonable(verbose)
        assert len(sent["memories"]) == len(whole["memories"]) >= 9
        assert len(json.dumps(sent)) < 0.66 * len(json.dumps(whole))
        assert not {"repeated", "deferred", "left_out"} & sent.keys()
        shown = zip(sent["memories"], whole["memories"], strict=True)
        # Some texts are nearly the same to the fake embedder; a memory that stands for others has copies.
        thought = next(short for short, full in shown if full["text"] in texts and full["copies"] == 1)
        assert thought.keys() == {"id", "text", "said_by", "score", "created_at", "author", "via"}
        assert datetime.fromisoformat(thought["created_at"]).second == 0
        entity = next(memory for memory in sent["memories"] if memory["text"] == "copper kettle lid")
        assert entity["kind"] == "entity"
        assert all(memory["via"] for memory in whole["memories"])


async def test_a_repetition_is_compact_too(mind: Mind) -> None:
    await tell(mind, ANSWER, LONG)
    first = await told(mind, idempotency_key="k", session_id="s")
    again = await told(mind, idempotency_key="k", session_id="s")
    assert (again.memories, again.links, again.chain) == (first.memories, first.links, first.chain)
    assert tokens(jsonable(again)) < tokens(jsonable(first))
    assert len(first.memories) == 2


async def test_every_door_gives_the_same_answer(mind: Mind) -> None:
    await tell(mind, ANSWER, LONG)
    arguments: dict[str, Any] = {"content": QUESTION, "idempotency_key": "k", "max_tokens": 400}
    with calling(agent=True):  # keys are of a caller, and a client of MCP is an agent
        await mind.operations["think"].call(arguments)
        result = await mind.operations["think"].call(arguments)
    async with Client(build_server(mind, "full")) as agent:
        answer = await agent.call_tool("legacymind_think", arguments)
    assert answer.structured_content == jsonable(result)
    assert tokens(answer.structured_content) <= 400
    query = """mutation ($c: String!, $k: String!) {
      think(input: {content: $c, idempotencyKey: $k, maxTokens: 400}) {
        enrichedContent leftOut chain { contentHash } telemetry { thresholdKnowledge }
        delegatedResult { embeddingModel embeddingDim } memories { text rank copies cosine } } }"""
    with calling(agent=True):
        asked = await build_schema(mind).execute(query, variable_values={"c": QUESTION, "k": "k"})
    assert asked.errors is None
    assert asked.data is not None
    shown: dict[str, Any] = asked.data["think"]
    assert shown["enrichedContent"] is shown["delegatedResult"]["embeddingModel"] is None
    assert [(m["text"], m["rank"]) for m in shown["memories"]] == [(m.text, m.rank) for m in result.memories]
    assert shown["leftOut"] == result.left_out


async def test_a_long_memory_is_cut_around_the_sentence_that_matches(mind: Mind) -> None:
    await tell(mind, LONG)
    (memory,) = (await told(mind)).memories
    assert ANSWER in memory.text
    assert memory.text.startswith("…")
    assert memory.text.endswith("…")
    assert len(memory.text) <= 400
    entity = {"name": "copper kettle", "description": LONG}
    await remember(mind, entities=[entity])
    texts = [memory.text for memory in (await told(mind)).memories]
    assert len(texts) == 2
    assert all(ANSWER in text for text in texts)


async def test_the_first_memories_are_whole_if_the_budget_allows(mind: Mind) -> None:
    short, long = f"{ANSWER} {FILLER * 15}".strip(), f"{ANSWER} So it drips. {FILLER * 90}".strip()
    await tell(mind, short, long)
    whole = await told(mind, max_tokens=5_000)
    assert sorted([memory.text for memory in whole.memories], key=len) == [short, long]
    usual = sorted([memory.text for memory in (await told(mind)).memories], key=len)
    assert len(usual[0]) <= 400  # of the long one
    assert usual[1] == short
    little = await told(mind, max_tokens=420)
    assert len(little.memories) == 2
    assert all(len(memory.text) <= 400 for memory in little.memories)


@pytest.mark.parametrize("verbose", [False, True])
async def test_an_answer_keeps_to_its_budget_and_counts_the_memories_left_out(
    mind: Mind, verbose: bool
) -> None:
    await tell(mind, *(f"The copper kettle {number}. {LONG}" for number in range(4)))
    await remember(
        mind,
        entities=[{"name": f"copper kettle lid {n}", "description": LONG} for n in range(12)],
        observations=[
            {"entity": "lid", "content": f"The copper kettle has no lid {n}. {LONG}"} for n in range(6)
        ],
    )
    options: dict[str, Any] = {
        "verbose_analysis": verbose,
        "hypothesis": "The copper kettle has a lid",
        "injection_scale": 5,
        "min_similarity": -1,
    }
    shown: list[int] = []
    for allowed in (100, 400, 800, 1_500, 3_000, 20_000):
        result = await told(mind, max_tokens=allowed, **options)
        if allowed >= (1_500 if verbose else 800):  # the rest of the result alone takes up to 500, or 1,000
            assert tokens(jsonable(result)) <= allowed
        shown.append(len(result.memories))
        assert result.left_out == result.delegated_result.memories_injected - len(result.memories)
        tested = result.verification
        assert tested is not None
        if allowed >= 1_500:
            assert tested.supporting
            assert tested.contradicting
    assert shown == sorted(shown)
    assert (shown[0], result.left_out) == (0, 0)
    for scale, most in ((1, 1_000), (2, 1_000), (3, 2_000), (5, 2_000)):
        usual = await told(mind, **options | {"injection_scale": scale})
        assert tokens(jsonable(usual)) <= most * (2 if verbose else 1)
        assert len(usual.memories) >= 2


@pytest.mark.parametrize("hypothesis", [None, "The kettle leaks"])
async def test_a_budget_for_less_than_the_frame_is_no_error(mind: Mind, hypothesis: str | None) -> None:
    result = await told(mind, max_tokens=100, hypothesis=hypothesis)
    assert (result.memories, result.left_out) == ([], 0)


async def test_a_budget_leaves_out_thoughts_and_knowledge_alike(mind: Mind) -> None:
    await remember(mind, entities=[{"name": f"{QUESTION} {n}"} for n in range(10)])
    await tell(mind, f"The copper kettle leaks. {ANSWER}")
    whole = await told(mind, max_tokens=20_000, min_similarity=-1)
    assert [memory.kind for memory in whole.memories].index("thought") > 3
    cut = await told(mind, max_tokens=500, min_similarity=-1)
    assert cut.left_out > 0
    assert "thought" in {memory.kind for memory in cut.memories}
    order = [memory.id for memory in whole.memories]
    shown = [memory.id for memory in cut.memories]
    assert shown == sorted(shown, key=order.index)


def test_what_ranks_above_a_memory_and_changes_it_is_kept_with_it() -> None:
    def memory(name: str, kind: Kind, **named: str) -> Memory:
        given: dict[str, Any] = {**dict.fromkeys(("created_at", "author", "cosine")), "rank": 1, **named}
        return Memory(id=name, kind=kind, text="x", said_by="user", score=1.0, via="vector", **given)

    ranked = [memory(f"thought {n}", "thought") for n in range(4)]
    facts = [memory("fact", "observation", contradicted_by="thought 3"), memory("other", "entity")]
    names = [each.id for each in answer._in_turn([*ranked, *facts])]  # pyright: ignore[reportPrivateUsage]
    assert names == ["thought 0", "thought 3", "fact", "thought 1", "other", "thought 2"]


async def test_memories_left_out_are_recalled_all_the_same(mind: Mind) -> None:
    await tell(mind, *(f"{ANSWER} {word}" for word in ("amber", "birch", "cedar")))
    result = await told(mind, max_tokens=100)
    assert (result.memories, result.left_out) == ([], 3)
    assert result.memory_summary.startswith("Recalled 3 memories")
    statement = "MATCH (:Thought {id: $id})-[r:RECALLS]->() RETURN count(r)"
    assert await one(mind, statement, id=bare(result)) == 3
