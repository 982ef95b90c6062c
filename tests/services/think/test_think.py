"""One thought: the response, the stored node, and rejected input, which leaves nothing behind."""

import asyncio
import uuid
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.errors import Conflict, EmbeddingError, InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import MAX_CONTENT
from legacymind.model.think import ThinkResult
from tests.fakes import FakeEmbedder
from tests.steps import bare, think
from tests.wire import one, raw

pytestmark = pytest.mark.anyio


async def count(mind: Mind) -> int:
    return await one(mind, "MATCH (t:Thought {namespace: $ns}) RETURN count(t)", ns=mind.settings.namespace)


async def accesses(mind: Mind) -> int:
    statement = "MATCH (n {namespace: $ns}) RETURN sum(n.access_count)"
    return await one(mind, statement, ns=mind.settings.namespace)


async def stored(mind: Mind, result: ThinkResult) -> dict[str, Any]:
    return await one(mind, "MATCH (t:Thought {id: $id}) RETURN t {.*} AS t", id=bare(result))


async def test_the_response_has_the_shape_of_000(mind: Mind) -> None:
    result = await think(mind, "Errors in the parser", session_id="s", chain_id="c", confidence="0.8")
    shape = asdict(result)
    assert list(shape) == (
        "namespace mode_selected reason delegated_result links telemetry memories enriched_content"
        " memory_summary chained chain standing verification framework_analysis repeated deferred"
        " left_out warnings".split()
    )
    thought_id = shape["delegated_result"].pop("thought_id")
    assert uuid.UUID(thought_id.removeprefix("thoughts:")).version == 4
    assert shape["delegated_result"] == {
        "embedding_model": "all-MiniLM-L6-v2",
        "embedding_dim": 384,
        "memories_injected": 0,
    }
    assert (shape["mode_selected"], shape["reason"]) == ("debug", "heuristic keyword match")
    assert shape["links"] == {
        "session_id": "s",
        "chain_id": "c",
        "previous_thought_id": None,
        "revises_thought": None,
        "branch_from": None,
        "parent_id": None,
        "action_id": None,
        "confidence": 0.8,
    }
    telemetry = shape["telemetry"]
    assert telemetry["trigger_matched"] is None
    assert telemetry["heuristics"] == {"keywords": ["error"], "score": 1}
    assert set(telemetry["links_telemetry"].values()) == {None}
    assert telemetry["dropped_tags"] == []
    assert (telemetry["threshold_knowledge"], telemetry["threshold_thoughts"]) == (0.18, 0.18)
    assert (shape["memories"], shape["enriched_content"]) == ([], "")
    assert shape["memory_summary"] == "No related memories (scale 3)."
    assert (shape["chained"], shape["repeated"], shape["chain"]["step_index"]) == (True, False, 0)


async def test_all_fields_of_a_thought_and_the_defaults_of_memory_are_stored(mind: Mind) -> None:
    before = datetime.now(UTC)
    arguments: dict[str, Any] = {
        "session_id": "s",
        "chain_id": "c",
        "tags": ["plan", "idea"],
        "significance": 0.9,
        "confidence": 0.25,
        "hypothesis": "It holds.",
        "submode": "empathetic",
        "thought_type": "decision",
        "author": "ada",
        "action_id": "act",
        "context_id": "ctx",
        "is_private": True,
    }
    result = await think(mind, "Let us plan the\nnext step", hint="plan", **arguments)
    thought = await stored(mind, result)
    expected: dict[str, Any] = arguments | {
        "content": "Let us plan the\nnext step",
        "title": "Let us plan the next step",
        "namespace": mind.settings.namespace,
        "mode": "plan",
        "origin": "user",
        "door": "python",
        "trust": 3,
        "salience": 0.9,
        "injection_scale": 3,
        "injected_memories": [],
        "access_count": 0,
        "pinned": False,
        "hot": True,
        "step_index": 0,
        "hash_version": 1,
        "hash_alg": "sha256",
        "chained": True,
        "injected_scores": [],
    }
    assert {name: thought.get(name) for name in expected} == expected
    assert len(thought["embedding_a"]) == 384
    for moment in ("created_at", "recorded_at", "embedding_a_at"):
        assert before <= thought[moment] <= datetime.now(UTC)
    for digest in ("content_hash", "chain_hash", "prev_hash", "content_digest"):
        assert len(bytes.fromhex(thought[digest])) == 32
    assert result.chain is not None
    assert result.chain.content_hash == thought["content_hash"]


@pytest.mark.parametrize(
    ("hint", "scale", "significance"),
    [
        ("question", 2, 0.5),
        ("conclude", 2, 0.5),
        ("debug", 3, 0.8),
        ("build", 2, 0.6),
        ("plan", 3, 0.7),
        ("stuck", 3, 0.9),
    ],
)
async def test_a_mode_sets_the_defaults_of_its_thoughts(
    mind: Mind, hint: str, scale: int, significance: float
) -> None:
    thought = await stored(mind, await think(mind, "x", hint=hint))
    assert (thought["mode"], thought["thought_type"]) == (hint, hint)
    assert (thought["injection_scale"], thought["significance"]) == (scale, significance)
    assert (thought["salience"], thought["origin"]) == (significance, "user")
    own = await stored(mind, await think(mind, "y", hint=hint, injection_scale=0, significance=0))
    assert (own["injection_scale"], own["significance"], own["salience"]) == (0, 0.0, 0.0)


async def test_numbers_may_be_strings_and_are_clamped(mind: Mind) -> None:
    result = await think(mind, "x", injection_scale="99", significance="7", confidence=-3)
    thought = await stored(mind, result)
    assert (thought["injection_scale"], thought["significance"], thought["confidence"]) == (5, 1.0, 0.0)
    assert thought["significance"].is_integer()
    assert isinstance(thought["confidence"], float)
    assert result.warnings == [
        "confidence -3 was read as 0.",
        "injection_scale 99 was read as 5.",
        "significance 7 was read as 1.",
    ]
    assert (await think(mind, "y", injection_scale=" 2 ", significance="1e-1", confidence=1)).warnings == []


async def test_every_tag_is_kept_unless_a_setting_lists_the_known_ones(mind: Mind) -> None:
    result = await think(mind, "x", tags=["anything", "会议", "Anything"])
    assert (await stored(mind, result))["tags"] == ["anything", "会议"]
    assert result.telemetry.dropped_tags == []
    few = mind.settings.changed(tags="plan,debug,dx,photography,idea")
    async with Mind(few, embedder=FakeEmbedder()) as strict:
        result = await think(strict, "x", tags="Plan, secret, IDEA, plan, dx, other")
    assert (await stored(mind, result))["tags"] == ["plan", "idea", "dx"]
    assert result.telemetry.dropped_tags == ["secret", "other"]


async def test_hints_and_submodes_are_accepted_by_their_other_names(mind: Mind) -> None:
    for options, mode, submode in (
        ({"hint": "Planning"}, "plan", None),
        ({"submode": "panic"}, "stuck", None),
        ({"submode": "ProblemSolving", "hint": "debugging"}, "debug", "problem_solving"),
        ({"hint": "problem-solving"}, "question", "problem_solving"),
        ({"thought_type": "planning"}, "plan", None),
        ({"thought_type": "plan", "hint": "debug"}, "debug", None),
        ({"thought_type": "decision"}, "question", None),
    ):
        result = await think(mind, "x", **options)
        thought = await stored(mind, result)
        assert (thought["mode"], thought.get("submode"), result.mode_selected) == (mode, submode, mode)
    assert "hint 'shout' is unknown; hints are debug," in (await think(mind, "x", hint="shout")).reason


async def test_a_long_thought_is_stored_whole_and_gets_a_title(mind: Mind) -> None:
    content = "é" * (MAX_CONTENT // 2)
    thought = await stored(mind, await think(mind, content))
    assert thought["content"] == content
    assert len(thought["title"]) == 60
    assert thought["title"].endswith("…")


KEYS = (
    "session_id chain_id previous_thought_id revises_thought branch_from parent_id action_id context_id"
    " author thought_type idempotency_key namespace".split()
)
LONE, LONG = "lone \ud800 surrogate", "é" * 257

REJECTED: list[tuple[dict[str, Any], str]] = [
    ({}, "content"),
    ({"content": None}, "content"),
    ({"content": 5}, "content"),
    ({"content": ""}, "content is empty"),
    ({"content": " \n\t"}, "content is empty"),
    ({"content": "x" * (MAX_CONTENT + 1)}, "102,401 bytes"),
    ({"content": "é" * (MAX_CONTENT // 2) + "x"}, "102,401 bytes"),
    ({"content": LONE}, "surrogate"),
    ({"content": b"\xff\xfe not UTF-8"}, "content"),
    ({"content": "x", "thought": "y"}, "thought is unknown"),
    ({"content": "x", "injection_scale": "high"}, "injection_scale"),
    ({"content": "x", "significance": "nan"}, "significance"),
    ({"content": "x", "confidence": []}, "confidence"),
    ({"content": "x", "tags": [1, 2]}, "tags"),
    ({"content": "x", "tags": [LONG]}, "tag is 514 bytes"),
    ({"content": "x", "tags": [LONE]}, "surrogate"),
    ({"content": "x", "submode": "grumpy"}, "submode"),
    ({"content": "x", "created_at": "yesterday"}, "created_at"),
    ({"content": "x", "created_at": "9999-12-31T23:59:59-01:00"}, "outside the years"),
    ({"content": "x", "is_private": "perhaps"}, "is_private"),
    ({"content": "x", "hypothesis": "x" * (MAX_CONTENT + 1)}, "hypothesis"),
    ({"content": "x", "hypothesis": LONE}, "surrogate"),
    *(({"content": "x", name: LONG}, f"{name} is 514 bytes") for name in KEYS),
    *(({"content": "x", name: LONE}, "surrogate") for name in KEYS),
    *(({"content": "x", name: "a\x00b"}, f"{name} contains a control character") for name in KEYS),
    *(({"content": "x", name: 7}, name) for name in KEYS),
]


async def test_invalid_input_is_rejected_by_name_stores_nothing_and_the_next_call_works(mind: Mind) -> None:
    for arguments, message in REJECTED:
        with pytest.raises(InvalidInput) as raised:
            await mind.operations["think"].call(arguments)
        assert message in raised.value.what
        assert raised.value.effect == "Nothing was stored or changed."
        assert raised.value.hint
        message = raised.value.envelope()["error"]["message"]
        assert len(message.encode()) < 2000
    assert await count(mind) == 0
    assert mind.vectors.embedder.calls == []  # type: ignore[attr-defined]  # not even embedded
    result = await think(mind, "a good one")
    assert result.chain is not None
    assert result.chain.step_index == 0


async def test_without_an_embedder_nothing_is_stored_and_the_next_call_works(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    await think(mind, "first")
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await think(mind, "second")
    embedder.down = False
    assert await count(mind) == 1
    third = await think(mind, "third")
    assert third.chain is not None
    assert third.chain.step_index == 1


async def test_without_any_session_a_thought_is_stored_but_not_chained(mind: Mind) -> None:
    async with Mind(mind.settings, embedder=FakeEmbedder()) as free:
        result = await think(free, "outside every session")
        assert (result.chained, result.chain, result.links.session_id) == (False, None, None)
        thought = await stored(free, result)
        assert thought["content_hash"]
        assert not {"step_index", "chain_hash", "prev_hash", "session_id"} & thought.keys()
        assert not await raw(
            free, "MATCH (s:Session {namespace: $ns}) RETURN s.id AS id", ns=free.settings.namespace
        )
        assert (await think(free, "inside one", session_id="s")).chained


async def test_an_idempotency_key_returns_the_first_result_again(mind: Mind) -> None:
    await mind.operations["remember"].call({"entities": [{"name": "parser error"}]})
    await think(mind, "the parser had an error before", idempotency_key="other")
    await think(mind, "which this one follows")
    call: dict[str, Any] = {
        "idempotency_key": "k",
        "revises_thought": "later",
        "verbose_analysis": True,
        "tags": "x,plan",
    }
    first = await think(mind, "an error in the parser", **call)
    assert len(first.memories) == 2
    await think(mind, "something in between")
    counted = await accesses(mind)
    again = await think(mind, "an error in the parser", **call)
    assert again.repeated
    assert again.delegated_result == first.delegated_result
    assert (again.memories, again.links, again.chain) == (first.memories, first.links, first.chain)
    assert (again.enriched_content, again.mode_selected) == (first.enriched_content, first.mode_selected)
    assert await count(mind) == 4
    assert await accesses(mind) == counted  # a repeated recall is not counted again


async def test_a_repetition_returns_what_was_stored_not_what_it_requests(mind: Mind) -> None:
    first = await think(
        mind,
        "an error in the parser: it fails",
        idempotency_key="k",
        hypothesis="the parser fails",
        hint="question",
        injection_scale=3,
    )
    again = await think(
        mind, "an error in the parser: it fails", idempotency_key="k", hint="plan", submode="sarcastic"
    )
    assert again.repeated
    assert (again.mode_selected, again.links) == (first.mode_selected, first.links)
    assert first.verification
    assert again.verification is again.framework_analysis is None
    assert again.reason == "an earlier call stored it"


async def test_an_idempotency_key_with_other_content_is_a_conflict(mind: Mind) -> None:
    await think(mind, "one", idempotency_key="k")
    with pytest.raises(Conflict, match="belongs to another thought") as raised:
        await think(mind, "two", idempotency_key="k")
    assert raised.value.hint
    assert await count(mind) == 1
    assert (await think(mind, "two", idempotency_key="k2")).chained


@pytest.mark.parametrize("session", ["one", "many", None])
async def test_concurrent_calls_with_one_key_store_one_thought(mind: Mind, session: str | None) -> None:
    async with (
        Mind(mind.settings, embedder=FakeEmbedder()) as a,
        Mind(mind.settings, embedder=FakeEmbedder()) as b,
    ):
        await asyncio.gather(think(a, "warm", injection_scale=0), think(b, "warm", injection_scale=0))
        calls: list[Any] = []
        for number in range(12):
            named = {"one": "s", "many": f"s{number}", None: None}[session]
            calls.append(think((a, b)[number % 2], "the same", idempotency_key="k", session_id=named))
        results: list[ThinkResult] = await asyncio.gather(*calls)
    assert len({result.delegated_result.thought_id for result in results}) == 1
    assert [result.repeated for result in results].count(False) == 1
    assert await count(mind) == 3


@pytest.mark.parametrize("length", [30, 5_000])
async def test_a_text_that_its_session_has_already_is_stored_and_told(mind: Mind, length: int) -> None:
    text = ("The copper kettle leaks at its lid. " * 200)[:length]
    first = await think(mind, text, session_id="s", injection_scale=2)
    assert first.warnings == []
    again = await think(mind, text, session_id="s", injection_scale=2)
    assert again.delegated_result.thought_id != first.delegated_result.thought_id
    (warning,) = again.warnings
    assert bare(first) in warning
    assert "idempotency_key" in warning
    for other in ({"session_id": "t"}, {"session_id": None}):
        assert (await think(mind, text, injection_scale=2, **other)).warnings == []
    assert (await think(mind, text[:-3], session_id="s", injection_scale=2)).warnings == []
