"""Every result matches the output schema of its tool, and model providers accept the input schemas."""

from typing import Any, cast

import jsonschema
import pytest
from mcp import Client

from legacymind.doors.mcp.server import build_server, read_catalogue
from legacymind.mind import Mind


def closed(schema: Any) -> Any:
    """The schema without unknown members, so that a member that it does not name is found."""
    if isinstance(schema, list):
        return [closed(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = {name: closed(value) for name, value in cast("dict[str, Any]", schema).items()}
    return members | ({"additionalProperties": False} if isinstance(members.get("properties"), dict) else {})


FULL = {tool.name: tool.output_schema or {} for tool in read_catalogue("full")}


@pytest.mark.anyio
async def test_every_result_matches_its_output_schema(mind: Mind) -> None:
    called: set[str] = set()
    async with Client(build_server(mind, "full")) as agent:  # the client validates too

        async def call(tool: str, **arguments: Any) -> Any:
            result = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content
            jsonschema.validate(result.structured_content, closed(FULL[tool]))
            called.add(tool)
            return result.structured_content

        known = await call(
            "legacymind_remember",
            entities=[{"name": "Tank 2", "entity_type": "part", "data": {"bar": 60}}, {"name": "Tank two"}],
            observations=[
                {"entity": "Tank 2", "content": "Its thermostat was welded shut", "source": "report"},
                {"entity": "Tank 2", "content": "The pressure is 60"},
                {"entity": "Tank 2", "content": "The pressure is 90"},
            ],
            relations=[{"source_entity": "Tank 2", "type": "PART_OF", "target_entity": "Apollo 13"}],
        )
        tank = known["entities"][0]["id"]
        fact = known["observations"][0]["id"]
        asked = await call("legacymind_think", content="Why did tank 2 fail?", hint="panic", action_id="a")
        tested: dict[str, Any] = {
            "content": "Tank 2 failed: TimeoutError: its thermostat was welded shut.",
            "hypothesis": "Its thermostat was welded shut",
            "tags": ["tank"],
            "confidence": 0.5,
        }
        for verbose in (True, False):
            await call(
                "legacymind_think", **tested, verbose_analysis=verbose, idempotency_key=f"key {verbose}"
            )
        thought = asked["delegated_result"]["thought_id"]
        solution = (await call("think_technical", content="Rewire it"))["delegated_result"]["thought_id"]
        await call("legacymind_think", **tested, idempotency_key="key True")  # a repeated call
        await call("think_convo", content="We agreed on the wiring", is_private=True)
        await call("think_batch", thoughts=[{"content": "one"}, {"content": "two", "branch_from": solution}])
        await call("record_outcome", thought_id=solution, outcome="success", solves=thought)
        for explain in (False, True):
            await call("legacymind_search", query="thermostat of tank 2", explain=explain)
        await call("search_thoughts", query="tank", method="text")
        await call("legacymind_context", query="tank 2")
        for start in (thought, tank):
            await call("walk_trail", thought_id=start, direction="both")
            await call("legacymind_get", id=start)
        await call("legacymind_get", id=fact)
        await call("thoughts_thread", session_id="session", limit=2)
        await call("thoughts_links", thought_id=solution)
        await call("explain_recall", thought_id=solution)
        await call("legacymind_entity", name="Tank 2", history=True)
        await call("legacymind_duplicates", min_score=0.1)
        for dry_run in (True, False):
            await call("legacymind_merge", keep="Tank 2", others=["Tank two"], dry_run=dry_run)
        await call("legacymind_forget", id=fact)
        record = {"session_id": "plans", "action_id": "a"}
        plan = (await call("thought_plan", **record, plan_description="Rewire tank 2"))["thought"][
            "thoughtId"
        ]
        await call("thought_record", **record, thought_type="note", content="Begun", parent_id=plan)
        await call("thought_analysis", **record, analysis="The wires are short")
        await call("thought_decision", **record, decision="Use longer ones")
        await call("thought_reflection", **record, reflection="It holds")
        await call("thought_tree", session_id="plans", include_children=True)
        await call("thought_for_action", action_id="a")
        await call("thought_reasoning_trail", action_id="a")
        await call("relate_thought", thought_id=thought, target_id=solution, note="answers it")
        await call("pin_thought", thought_id=thought)
        await call("redact_thought", thought_id=plan, reason="a test")
        for session in ("session", "plans"):
            await call("thought_verify_chain", session_id=session)
        await call("chain_heads")
        anchor = await call("chain_anchor", session_id="plans")
        await call("chain_anchor_proof", anchor=anchor["line"], session_id="plans")
        await call("legacymind_analyze", what="communities")
        await call("legacymind_communities")
        refused = await agent.call_tool("link_thought_to_action", {"thought_id": thought, "action_id": "b"})
        assert refused.is_error
        jsonschema.validate(refused.structured_content, FULL["link_thought_to_action"])
    assert called == FULL.keys() - {"link_thought_to_action"}  # which always fails
