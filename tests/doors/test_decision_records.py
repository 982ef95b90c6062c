"""Decision records (004) at the doors: inputs, results and truncation in MCP, GraphQL and commands."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from mcp import Client

from legacymind import files
from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import ImmutableThought
from legacymind.mind import Mind
from tests.agents import build_server
from tests.wire import text_indexed

TRUNCATED = re.compile(r"[0-9a-f]{16}…")


async def tool(mind: Mind, name: str, **arguments: Any) -> tuple[bool, dict[str, Any]]:
    async with Client(build_server(mind, "full")) as agent:
        answer = await agent.call_tool(name, arguments)
        assert answer.structured_content is not None
        return answer.is_error is True, answer.structured_content


async def record(mind: Mind, name: str, **arguments: Any) -> dict[str, Any]:
    failed, answer = await tool(mind, name, sessionId="release", **arguments)
    assert not failed, answer
    return answer["thought"]


@pytest.mark.anyio
async def test_each_tool_records_its_type_with_the_seeds_names_and_truncation(mind: Mind) -> None:
    made = [
        await record(mind, "thought_plan", planDescription="Roll out to one region."),
        await record(mind, "thought_analysis", analysis="Errors doubled."),
        await record(mind, "thought_decision", decision="Roll back.", actionId="rollback", contextId="T-12"),
        await record(mind, "thought_reflection", reflection="The canary was too small."),
        await record(mind, "thought_record", thoughtType="a type of my own", content="Two days."),
    ]
    kinds = ["plan", "analysis", "decision", "reflection", "a type of my own"]
    assert [thought["thoughtType"] for thought in made] == kinds
    assert [thought["stepIndex"] for thought in made] == [0, 1, 2, 3, 4]
    for thought in made:
        assert set(thought) == {"thoughtId", "thoughtType", "stepIndex", "contentHash", "chainHash"}
        assert TRUNCATED.fullmatch(thought["contentHash"])
        assert TRUNCATED.fullmatch(thought["chainHash"])
    failed, report = await tool(mind, "thought_verify_chain", sessionId="release")
    assert not failed
    named = {"success", "valid", "message", "thoughtCount", "brokenAt"}
    assert named <= set(report)
    assert (report["valid"], report["complete"], report["thoughtCount"], report["brokenAt"]) == (
        True,
        True,
        5,
        None,
    )


@pytest.mark.anyio
async def test_a_record_keeps_its_details_and_filters_find_it(mind: Mind) -> None:
    began = datetime.now(UTC)
    details = {"author": "Ada", "tags": ["release"], "confidence": 0.4, "origin": "web"}
    for name, text in (
        ("thought_plan", "planDescription"),
        ("thought_analysis", "analysis"),
        ("thought_decision", "decision"),
        ("thought_reflection", "reflection"),
    ):
        await record(mind, name, **{text: f"The error of {name} is a bug."}, **details)
    await record(mind, "thought_record", thoughtType="Debugging", content="Nothing in particular.", **details)
    await text_indexed(mind)
    given: dict[str, Any] = {"session_id": "release", "author": "Ada", "tags": ["release"]}
    given["origin"] = "outside"
    found = (await mind.search(**given, confidence_gte=0.4, confidence_lte=0.4)).hits
    assert len(found) == 5
    for hit in found:
        assert hit.created_at is not None
        assert began <= hit.created_at <= datetime.now(UTC)
    (plan,) = (await mind.search(**given, mode="plan")).hits
    assert (plan.mode, plan.thought_type, plan.said_by) == ("plan", "plan", "outside, via mcp")
    assert [hit.thought_type for hit in (await mind.search(**given, mode="debug")).hits][-1] == "Debugging"


@pytest.mark.anyio
async def test_a_record_without_origin_has_that_of_its_door(mind: Mind) -> None:
    await record(mind, "thought_plan", planDescription="Is this a question?")
    (plan,) = (await mind.search(session_id="release", mode="plan")).hits
    assert plan.said_by == "agent"


@pytest.mark.anyio
async def test_a_repeated_record_is_stored_once(mind: Mind) -> None:
    given = {"sessionId": "release", "decision": "Roll back.", "idempotencyKey": "k"}
    _, first = await tool(mind, "thought_decision", **given)
    _, again = await tool(mind, "thought_decision", **given)
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert first["thought"] == again["thought"]
    failed, error = await tool(mind, "thought_decision", **given | {"decision": "Go on."})
    assert failed
    assert error["error"]["code"] == "conflict"
    _, tree = await tool(mind, "thought_tree", sessionId="release")
    assert tree["count"] == 1


@pytest.mark.anyio
async def test_recording_recalls_nothing(mind: Mind) -> None:
    await record(mind, "thought_plan", planDescription="Warm the cache before deploys.")
    await record(mind, "thought_plan", planDescription="Warm the cache before deploys, always.")
    stored = await mind.walk_trail(
        (await mind.search("Warm the cache always", limit=1)).hits[0].id, types=["RECALLS"]
    )
    assert stored.steps == []


@pytest.mark.anyio
async def test_the_tree_nests_only_on_request_and_cuts_contents_at_100(mind: Mind) -> None:
    long = "x" * 150
    root = await record(mind, "thought_plan", planDescription=long)
    child = await record(mind, "thought_analysis", analysis="under it", parentId=root["thoughtId"])
    await record(mind, "thought_decision", decision="deepest", parentId=child["thoughtId"])
    elsewhere = await record(
        mind, "thought_record", thoughtType="odd", content="y", parentId="not-in-session"
    )
    _, flat = await tool(mind, "thought_tree", sessionId="release")
    assert flat["success"] is True
    assert flat["count"] == 4
    assert [node["thoughtId"] for node in flat["tree"]] == [root["thoughtId"], elsewhere["thoughtId"]]
    assert flat["tree"][0]["content"] == "x" * 100 + "…"
    assert "children" not in flat["tree"][0]
    assert flat["tree"][0]["childCount"] == 1
    _, nested = await tool(
        mind, "thought_tree", sessionId="release", includeContent=True, includeChildren=True
    )
    top = nested["tree"][0]
    assert top["content"] == long
    assert top["children"][0]["content"] == "under it"
    assert top["children"][0]["children"][0]["content"] == "deepest"


@pytest.mark.anyio
async def test_the_tree_is_paged(mind: Mind) -> None:
    made = [await record(mind, "thought_record", thoughtType="note", content=f"n{i}") for i in range(7)]
    seen: list[str] = []
    after = None
    while True:
        _, page = await tool(mind, "thought_tree", sessionId="release", limit=3, after=after)
        assert len(page["tree"]) <= 3
        seen += [node["thoughtId"] for node in page["tree"]]
        if (after := page.get("next")) is None:
            break
    assert seen == [thought["thoughtId"] for thought in made]


@pytest.mark.anyio
async def test_an_action_has_its_thoughts_and_their_reasoning(mind: Mind) -> None:
    root = await record(mind, "thought_plan", planDescription="r" * 300)
    step = await record(mind, "thought_analysis", analysis="a" * 300, parentId=root["thoughtId"])
    leaf = await record(
        mind, "thought_decision", decision="d" * 300, parentId=step["thoughtId"], actionId="act"
    )
    _, linked = await tool(mind, "thought_for_action", actionId="act")
    assert (linked["success"], linked["actionId"], linked["count"]) == (True, "act", 1)
    assert linked["thoughts"][0]["content"] == "d" * 200 + "…"
    _, reasoned = await tool(mind, "thought_reasoning_trail", actionId="act")
    assert (reasoned["hasReasoning"], reasoned["trailCount"], reasoned["earlier"]) == (True, 1, [0])
    (trail,) = reasoned["trails"]
    wanted = [root["thoughtId"], step["thoughtId"], leaf["thoughtId"]]
    assert [thought["thoughtId"] for thought in trail] == wanted
    assert trail[0]["content"] == "r" * 150 + "…"
    _, none = await tool(mind, "thought_reasoning_trail", actionId="nothing")
    assert (none["success"], none["hasReasoning"], none["trails"]) == (True, False, [])


@pytest.mark.anyio
async def test_linking_afterwards_fails_as_specified(mind: Mind) -> None:
    thought = await record(mind, "thought_plan", planDescription="p")
    with pytest.raises(ImmutableThought) as raised:
        await mind.link_thought_to_action(thought["thoughtId"], "a")
    assert str(raised.value) == "Thoughts are immutable. Create with actionId from start."
    _, linked = await tool(mind, "thought_for_action", actionId="a")
    assert linked["count"] == 0


@pytest.mark.anyio
async def test_a_redacted_thought_is_removed_everywhere_and_its_chain_verifies(mind: Mind) -> None:
    secret = "The customer's name is Quentin Barleycorn."
    thought = await record(mind, "thought_plan", planDescription=secret)
    recalled = await mind.think(
        "What is the customer's name? Quentin Barleycorn?", session_id="other", verbose_analysis=True
    )
    assert "Barleycorn" in (recalled.enriched_content or "").replace("What is", "")
    failed, refused = await tool(mind, "redact_thought", thoughtId=thought["thoughtId"], reason="agent")
    assert (failed, refused["error"]["code"]) == (True, "user_needed")
    assert (await mind.redact_thought(thought["thoughtId"], "names a customer")).already is False
    found = await mind.search("Quentin Barleycorn", limit=100)
    assert thought["thoughtId"] not in [hit.id for hit in found.hits]
    trail = await mind.walk_trail(recalled.delegated_result.thought_id, types=["RECALLS"])
    assert secret not in json.dumps([step.text for step in trail.steps])
    _, tree = await tool(mind, "thought_tree", sessionId="release", includeContent=True)
    assert tree["tree"][0].get("content", "") == ""
    _, report = await tool(mind, "thought_verify_chain", sessionId="release")
    assert (report["valid"], report["complete"], report["redacted"]) == (True, True, 1)
    assert (await mind.redact_thought(thought["thoughtId"], "again")).already is True


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("thought_plan", {"sessionId": "s", "planDescription": " "}, "invalid_input"),
        ("thought_plan", {"sessionId": "", "planDescription": "x"}, "invalid_input"),
        ("thought_plan", {"planDescription": "x"}, "invalid_input"),
        ("thought_plan", {"sessionId": "s", "session_id": "t", "planDescription": "x"}, "invalid_input"),
        ("thought_record", {"sessionId": "s", "thoughtType": "t" * 600, "content": "x"}, "invalid_input"),
        ("redact_thought", {"thoughtId": "nobody", "reason": "r"}, "user_needed"),
        ("thought_tree", {"sessionId": "s", "shape": "round"}, "invalid_input"),
    ],
)
async def test_invalid_input_returns_the_error_envelope(
    mind: Mind, name: str, arguments: dict[str, Any], code: str
) -> None:
    failed, answer = await tool(mind, name, **arguments)
    assert failed
    assert answer["error"]["code"] == code


@pytest.mark.anyio
async def test_every_graphql_example_runs(mind: Mind) -> None:
    schema = build_schema(mind)

    async def ask(name: str, /, **variables: Any) -> Any:
        (example,) = files.path("graphql", "operations").rglob(f"{name}.graphql")
        result = await schema.execute(example.read_text(encoding="utf-8"), variables)
        assert result.errors is None, result.errors
        assert result.data is not None
        return next(iter(result.data.values()))

    async def record(kind: str, **given: str) -> str:
        answer = await ask("thought_record", input={"sessionId": "g", "thoughtType": kind, **given})
        return answer["thought"]["thoughtId"]

    parent = await record("plan", content="p")
    await record("analysis", content="a", parentId=parent)
    await record("decision", content="d", parentId=parent, actionId="act")
    await record("reflection", content="r")
    await record("t", content="c")
    tree = await ask("thought_tree", sessionId="g", includeChildren=True)
    (root,) = [each for each in tree["tree"] if each["thoughtType"] == "plan"]
    assert [child["thoughtType"] for child in root["children"]] == ["analysis", "decision"]
    reasoning = await ask("thought_reasoning_trail", actionId="act")
    assert [thought["thoughtType"] for thought in reasoning["trails"][0]] == ["plan", "decision"]
    assert (await ask("chain_heads"))["heads"] == [
        {"sessionId": "g", "step": 4, "hash": (await mind.verify("g")).head_hash, "keyId": None}
    ]
    assert (await ask("redact_thought", thoughtId=parent, reason="r"))["already"] is False
