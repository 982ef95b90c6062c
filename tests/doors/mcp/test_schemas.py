"""Every result matches the output schema of its tool, and model providers accept the input schemas."""

import re
from collections.abc import Iterator
from typing import Any, cast

import jsonschema
import pytest
from mcp import Client

from legacymind.doors.mcp.server import Listing, read_catalogue
from legacymind.mind import Mind
from tests.agents import build_server


def closed(schema: Any) -> Any:
    """The schema without unknown members, so that a member that it does not name is found."""
    if isinstance(schema, list):
        return [closed(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = {name: closed(value) for name, value in cast("dict[str, Any]", schema).items()}
    return members | ({"additionalProperties": False} if isinstance(members.get("properties"), dict) else {})


@pytest.mark.anyio
async def test_every_result_matches_its_output_schema(mind: Mind) -> None:
    results = {each.declaration.tool: each.output_schema() for each in mind.operations.values()}
    called: set[str] = set()
    async with Client(build_server(mind, "full")) as agent:

        async def call(tool: str, /, **arguments: Any) -> Any:
            result = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content
            jsonschema.validate(result.structured_content, closed(results[tool]))
            called.add(tool)
            return result.structured_content

        known = await call(
            "legacymind_remember",
            entities=[{"name": "Tank 2", "entity_type": "part", "data": '{"bar": 60}'}, {"name": "Tank two"}],
            observations=[
                {"entity": "Tank 2", "content": "Its thermostat was welded shut", "source": "report"},
                {"entity": "Tank 2", "content": "The pressure is 60"},
                {"entity": "Tank 2", "content": "The pressure is 90"},
            ],
            relations=[{"source_entity": "Tank 2", "type": "PART_OF", "target_entity": "Apollo 13"}],
        )
        tank = known["entities"][0]["id"]
        fact = known["observations"][0]["id"]
        entity = await call("legacymind_get", id=tank)
        assert entity["entity"]["data"] == {"bar": 60}
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
        await call("search_facets", query="tank")
        await call("legacymind_context", query="tank 2")
        for start in (thought, tank):
            await call("walk_trail", thought_id=start, direction="both")
            await call("legacymind_get", id=start)
        await call("legacymind_get", id=fact)
        await call("thoughts_thread", session_id="session", limit=2)
        await call("thoughts_links", thought_id=solution)
        await call("explain_recall", thought_id=solution)
        for verbose in (True, False):
            await call("legacymind_recall", content="Why did tank 2 fail?", verbose_analysis=verbose)
        await call("legacymind_entity", name="Tank 2", history=True)
        await call("legacymind_entities")
        await call("legacymind_duplicates", min_score=0.1)
        for dry_run in (True, False):
            await call("legacymind_merge", keep="Tank 2", others=["Tank two"], dry_run=dry_run)
        await call("legacymind_forget", id=fact)
        await call("legacymind_forget", subject="Tank two", confirm=True)
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
        await call("legacymind_analyze", what="communities")
        await call("legacymind_communities")
        await call("legacymind_reembed", action="status")
        await call("curate", min_age=0, keep=1)
        await call("detailed_help")
        await call("detailed_help", tool="legacymind_search")
        await call("maintenance_ops", subcommand="prune", days=0, min_weight=1)
    assert called == results.keys()


NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
KEYWORDS = {
    "string": {"enum"},
    "integer": set[str](),
    "number": set[str](),
    "boolean": set[str](),
    "array": {"items"},
    "object": {"properties", "required"},
}
"""What OpenAI's strict mode, Gemini and Anthropic all accept, besides type and description."""


def parts(schema: dict[str, Any], depth: int = 1) -> Iterator[tuple[dict[str, Any], int]]:
    """The schema and those inside it, each with its depth."""
    yield schema, depth
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from parts(inner, depth + 1)


@pytest.mark.parametrize("listing", ["core", "full", "chatgpt"])
def test_input_schemas_follow_the_rules_of_all_model_providers(listing: Listing) -> None:
    for tool in read_catalogue(listing):
        assert NAME.fullmatch(tool.name)
        assert 0 < len(tool.description or "") <= 1024
        assert tool.input_schema["type"] == "object"
        inside = [*parts(tool.input_schema)]
        assert max(depth for _, depth in inside) <= 5  # OpenAI's limits: levels, properties, choices
        assert sum(len(part.get("properties", {})) for part, _ in inside) <= 100
        assert sum(len(part.get("enum", [])) for part, _ in inside) <= 500
        for part, _ in inside:
            kind = part["type"]
            assert part.keys() - {"type", "description", "default"} <= KEYWORDS[kind], (tool.name, part)
            assert all(isinstance(name, str) and name for name in part.get("enum", []))
            if kind == "object":  # One without properties would accept nothing in strict mode.
                assert part["properties"]
                assert set(part.get("required", [])) <= set(part["properties"])
                assert all(NAME.fullmatch(name) for name in part["properties"])
                assert all("description" in each for each in part["properties"].values())
            assert kind != "array" or "items" in part
