"""Answers have bare ids at every door, and ``thoughts:ID`` is accepted wherever a thought's id is."""

import json
from typing import Any

import pytest
from mcp import Client

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from legacymind.operations.results import jsonable
from tests.agents import build_server
from tests.steps import store_thought

pytestmark = pytest.mark.anyio


async def answer(mind: Mind, tool: str, **arguments: Any) -> dict[str, Any]:
    async with Client(build_server(mind, "full")) as agent:
        result = await agent.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def test_every_operation_accepts_both_spellings_and_answers_bare_ids(mind: Mind) -> None:
    first = await store_thought(mind, "the kettle is broken", hint="debug", action_id="act")
    second = await store_thought(mind, "the kettle has a new plug", revises_thought=first, branch_from=first)
    third = await store_thought(mind, "the kettle boils", parent_id=f"thoughts:{first}", injection_scale=3)
    calls: list[tuple[str, dict[str, Any]]] = [
        (
            "record_outcome",
            {"thought_id": third, "outcome": "success", "solves": first, "idempotency_key": "k"},
        ),
        ("walk_trail", {"thought_id": second}),
        ("thoughts_links", {"thought_id": first}),
        ("explain_recall", {"thought_id": third, "memory_id": second}),
        ("legacymind_get", {"id": first}),
        ("thought_tree", {"session_id": "session", "include_children": True}),
        ("legacymind_search", {"query": "kettle", "method": "vector"}),
        ("legacymind_search", {"revises_thought": first}),
        ("legacymind_search", {"branch_from": first}),
        ("legacymind_search", {"parent_id": first}),
        ("legacymind_search", {"previous_thought_id": first}),
        ("legacymind_context", {"query": "kettle"}),
        ("thoughts_thread", {"session_id": "session"}),
        ("thought_for_action", {"action_id": "act"}),
        ("thought_reasoning_trail", {"action_id": "act"}),
        ("thought_verify_chain", {"session_id": "session"}),
    ]
    for tool, arguments in calls:
        prefixed = {
            name: f"thoughts:{sent}" if sent in (first, second, third) else sent
            for name, sent in arguments.items()
        }
        if tool == "record_outcome":
            await answer(mind, tool, **arguments)  # so that both calls repeat it
        bare, other = await answer(mind, tool, **arguments), await answer(mind, tool, **prefixed)
        assert json.dumps(bare, sort_keys=True) == json.dumps(other, sort_keys=True), tool
        assert "thoughts:" not in json.dumps(bare), tool


async def test_batches_and_records_answer_bare_ids(mind: Mind) -> None:
    first = await store_thought(mind)
    links = {"parent_id": f"thoughts:{first}", "revises_thought": f"thoughts:{first}"}
    answers = [
        await answer(mind, "think_batch", thoughts=[{"content": "x", **links}]),
        await answer(
            mind,
            "thought_record",
            session_id="s",
            thought_type="note",
            content="x",
            parent_id=f"thoughts:{first}",
        ),
        await answer(
            mind,
            "legacymind_remember",
            observations=[{"entity": "Ada", "content": "x", "learned_from": f"thoughts:{first}"}],
        ),
        jsonable(await mind.redact_thought(f"thoughts:{first}", "x")),
    ]
    assert answers[0]["thoughts"][0]["links_telemetry"]["parent_id"] == "record"
    assert all("thoughts:" not in json.dumps(each) for each in answers)


async def test_only_the_id_of_a_new_thought_has_the_prefix_of_the_seed(mind: Mind) -> None:
    first = await store_thought(mind)
    found = await answer(mind, "legacymind_think", content="x", revises_thought=first, verbose_analysis=True)
    assert found["delegated_result"].pop("thought_id").startswith("thoughts:")
    assert found["links"]["revises_thought"] == first
    assert "thoughts:" not in json.dumps(found)
    outcome = 'recordOutcome(input: {thoughtId: $id, outcome: "success"}) { thoughtId solves }'
    graphql = f"mutation ($id: ID!) {{ {outcome} }}"
    result = await build_schema(mind).execute(graphql, variable_values={"id": f"thoughts:{first}"})
    assert result.data == {"recordOutcome": {"thoughtId": first, "solves": []}}
