"""The MCP tools, through the SDK's own client in both eras of the protocol."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, get_args

import mcp_types as types
import pytest
from mcp import Client

from legacymind.doors.mcp.server import (
    CATALOGUE,
    INSTRUCTIONS,
    Listing,
    catalogue,
    describe,
    read_catalogue,
)
from legacymind.mind import Mind
from legacymind.operations.budget import tokens
from legacymind.operations.registry import Declaration
from tests.agents import build_server

Era = Literal["auto", "legacy"]
EXPORT = "run `python -m legacymind.doors.export`"


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> Era:
    return request.param


def client(mind: Mind, era: Era = "auto") -> Client:
    return Client(build_server(mind), mode=era)


def error(result: types.CallToolResult) -> dict[str, str]:
    """The error of a result, which must be in it both as structured content and as text."""
    assert result.is_error
    (text,) = result.content
    assert isinstance(text, types.TextContent)
    assert json.loads(text.text) == result.structured_content
    assert set(result.structured_content) == {"error"}
    assert set(result.structured_content["error"]) == {"code", "message"}
    return result.structured_content["error"]


@pytest.mark.anyio
async def test_every_operation_is_a_described_tool(mind: Mind, era: Era) -> None:
    async with Client(build_server(mind, "full"), mode=era) as agent:
        listed = await agent.list_tools()
    tools = {tool.name: tool for tool in listed.tools}
    offered = [*mind.operations.values()]
    assert set(tools) == {operation.declaration.tool for operation in offered}
    for operation in offered:
        tool = tools[operation.declaration.tool]
        assert tool.description
        assert tool.output_schema is None
        assert tool.input_schema["type"] == "object"
        assert set(tool.input_schema["properties"]) == {parameter.name for parameter in operation.parameters}
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is not operation.declaration.writes
        removes = operation.name in ("redact_thought", "forget", "merge", "reembed", "maintenance_ops")
        destructive = removes if operation.declaration.writes else None
        assert tool.annotations.destructive_hint is destructive
        assert tool.annotations.open_world_hint is False


@pytest.mark.anyio
async def test_the_core_tools_take_at_most_9600_bytes(mind: Mind) -> None:
    async with client(mind) as agent:
        listed = await agent.list_tools()
    assert len(listed.tools) <= 9
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 9 * 1024


@pytest.mark.parametrize(("profile", "most"), [("core", 1_850), ("full", 9_800)])
def test_the_tools_of_a_profile_take_few_tokens(profile: Listing, most: int) -> None:
    tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in read_catalogue(profile)]
    assert tokens(json.dumps({"tools": tools}, separators=(",", ":"), ensure_ascii=False)) <= most


def described(schema: dict[str, Any], place: str) -> Iterator[tuple[str, str]]:
    """The name and the description of each parameter, and of the members of records."""
    for name, each in schema.get("properties", {}).items():
        yield f"{place}.{name}", each["description"]
        yield from described(each.get("items", {}), f"{place}.{name}")


def test_no_parameter_is_described_by_one_word_that_could_mean_anything() -> None:
    texts = [pair for tool in read_catalogue("full") for pair in described(tool.input_schema, tool.name)]
    assert [name for name, text in texts if len(text.split()) < 2] == []


@pytest.mark.anyio
@pytest.mark.parametrize("profile", get_args(Listing))
async def test_the_error_for_a_tool_names_the_profile_that_has_it(mind: Mind, profile: Listing) -> None:
    offered = {tool.name for tool in read_catalogue(profile)}
    others = {tool.name: each for each in get_args(Listing) for tool in read_catalogue(each)}
    async with Client(build_server(mind, profile)) as agent:
        for name in [*(others.keys() - offered)][:3]:
            refused = error(await agent.call_tool(name, {}))
            assert refused["code"] == "not_found"
            assert re.search(r"in the profile (core|full|chatgpt)\b", refused["message"]), refused
        assert "does not exist" in error(await agent.call_tool("no_such_tool", {}))["message"]


@pytest.mark.anyio
async def test_an_error_names_only_parameters_that_the_profile_lists(mind: Mind) -> None:
    relation = {"source_entity": "a", "type": "B", "target_entity": "c", "colour": "red"}
    profiles: dict[Listing, bool] = {"core": False, "full": True}
    for listing, hidden in profiles.items():
        async with Client(build_server(mind, listing)) as agent:
            refused = error(await agent.call_tool("legacymind_search", {"colour": "red"}))
            inside = error(await agent.call_tool("legacymind_remember", {"relations": [relation]}))
        assert "also_read" in refused["message"]
        assert ("own_session_id" in refused["message"]) is hidden
        assert "target_entity" in inside["message"]
        assert ("target_type" in inside["message"]) is hidden


@pytest.mark.anyio
async def test_closed_lists_are_enums_and_aliases_are_accepted(mind: Mind) -> None:
    async with client(mind) as agent:
        tools = {tool.name: tool.input_schema["properties"] for tool in (await agent.list_tools()).tools}
        modes = ["debug", "build", "plan", "stuck", "question", "conclude"]
        assert tools["legacymind_think"]["hint"]["enum"] == modes
        assert "enum" not in tools["legacymind_search"]["mode"]  # may be left out in strict mode too
        await agent.call_tool("legacymind_think", {"content": "Where is the spare key?", "hint": " Panic"})
        found = await agent.call_tool("legacymind_search", {"mode": "PANIC", "method": "text"})
    assert found.structured_content is not None
    assert [hit["text"] for hit in found.structured_content["hits"]] == ["Where is the spare key?"]


@pytest.mark.anyio
async def test_the_catalogue_of_the_handshake_matches_the_operations(mind: Mind) -> None:
    assert CATALOGUE.read_text(encoding="utf-8") == catalogue(mind.operations.values()), EXPORT
    for profile in ("core", "full"):
        assert read_catalogue(profile) == describe(mind.operations.values(), profile)


@pytest.mark.anyio
async def test_a_tool_of_the_full_profile_is_unknown_in_core(mind: Mind) -> None:
    verify = mind.operations["verify_chain"]
    mind.operations["verify_chain"] = replace(
        verify, declaration=Declaration("thought_verify_chain", "verify", writes=False, profile="full")
    )
    async with Client(build_server(mind, "full")) as agent:
        assert "thought_verify_chain" in {tool.name for tool in (await agent.list_tools()).tools}
    async with Client(build_server(mind, "core")) as agent:
        assert "thought_verify_chain" not in {tool.name for tool in (await agent.list_tools()).tools}
        refused = await agent.call_tool("thought_verify_chain", {"session_id": "session"})
    assert error(refused)["code"] == "not_found"


@pytest.mark.anyio
async def test_the_five_operations_work_together(mind: Mind, era: Era) -> None:
    async with Client(build_server(mind, "full"), mode=era) as agent:

        async def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
            result = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content
            (text,) = result.content
            assert isinstance(text, types.TextContent)
            assert json.loads(text.text) == result.structured_content
            return result.structured_content

        known = await call(
            "legacymind_remember",
            {
                "entities": [{"name": "Oxygen tank 2", "entity_type": "component"}],
                "observations": [{"entity": "oxygen tank 2", "content": "its thermostat was welded shut"}],
            },
        )
        assert known["created"] == 2
        assert known["relations"] == []
        first = await call("legacymind_think", {"content": "Why did oxygen tank 2 fail?"})
        second = await call(
            "legacymind_think",
            {
                "content": "Oxygen tank 2 failed, its thermostat was welded",
                "injection_scale": "5",
                "tags": "debug",
            },
        )
        assert second["chained"] is True
        assert f"thoughts:{second['links']['previous_thought_id']}" == first["delegated_result"]["thought_id"]
        assert "revises_thought" not in second["links"]
        assert second["memories"]
        assert all(None not in memory.values() for memory in second["memories"])
        found = await call("legacymind_search", {"query": "oxygen tank thermostat"})
        assert len(found["hits"]) == 4
        trail = await call("walk_trail", {"thought_id": second["delegated_result"]["thought_id"]})
        assert "FOLLOWS" in {step.get("via") for step in trail["steps"]}
        report = await call("thought_verify_chain", {"session_id": "session"})
        assert report["valid"]
        assert report["complete"]
        assert report["thoughtCount"] == 2


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("legacymind_think", {"content": ""}, "invalid_input", "content is empty"),
    ("legacymind_think", {"content": "x" * 200 * 1024}, "invalid_input", "204,800 bytes"),
    ("legacymind_think", {"content": "a \ud800 surrogate"}, "invalid_input", "content"),
    ("legacymind_think", {"content": "x", "colour": "red"}, "invalid_input", "colour is unknown"),
    ("legacymind_think", {}, "invalid_input", "content is missing"),
    ("legacymind_think", {"content": ["x"]}, "invalid_input", "content"),
    ("legacymind_search", {"query": "x", "limit": "many"}, "invalid_input", "limit"),
    ("legacymind_remember", {"entities": [{"title": "x"}]}, "invalid_input", "entities, item 1, title"),
    ("walk_trail", {"thought_id": "thoughts:nowhere"}, "not_found", "nowhere"),
    ("thought_verify_chain", {"session_id": "nobody's"}, "not_found", "nobody's"),
    ("legacymind_forget_everything", {}, "not_found", "'legacymind_forget_everything' does not exist"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("tool", "arguments", "code", "message"), BAD, ids=lambda value: str(value)[:30])
async def test_invalid_input_returns_the_error_envelope_and_the_next_call_works(
    mind: Mind, era: Era, tool: str, arguments: dict[str, Any], code: str, message: str
) -> None:
    async with client(mind, era) as agent:
        refused = error(await agent.call_tool(tool, arguments))
        assert refused["code"] == code
        assert message in refused["message"]
        assert len(refused["message"]) < 1000
        assert not (await agent.call_tool("legacymind_search", {"query": "anything"})).is_error


@pytest.mark.anyio
async def test_an_unexpected_failure_reveals_nothing_but_is_in_the_log(
    mind: Mind,
    era: Era,
    break_operation: Callable[[Mind, str, Exception], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    break_operation(mind, "search", RuntimeError("secret at /home/me"))
    with caplog.at_level(logging.ERROR):
        async with client(mind, era) as agent:
            refused = error(await agent.call_tool("legacymind_search", {"query": "x"}))
            assert not (await agent.call_tool("legacymind_think", {"content": "x"})).is_error
    assert refused["code"] == "internal"
    assert "secret" not in refused["message"]
    assert "secret at /home/me" in caplog.text


@pytest.mark.parametrize("listing", get_args(Listing))
def test_the_instructions_name_only_tools_of_the_profile(listing: Listing) -> None:
    offered = {tool.name for tool in read_catalogue(listing)}
    named = set(re.findall(r"legacymind_[a-z]+|record_outcome|\bfetch\b", INSTRUCTIONS[listing]))
    assert named
    assert named <= offered


@pytest.mark.anyio
async def test_what_comes_through_mcp_is_said_by_an_agent_whatever_author_it_names(mind: Mind) -> None:
    async with client(mind) as agent:
        await agent.call_tool("legacymind_think", {"content": "Where is the first kettle?"})
        await agent.call_tool("legacymind_think", {"content": "Where is the second kettle?", "author": "Ada"})
        await agent.call_tool("legacymind_think", {"content": "The third kettle failed", "hint": "debug"})
    await mind.think("Where is the fourth kettle?")
    found = await mind.search("kettle", kinds=["thought"])
    origins = {hit.text.split()[-2].strip("?"): hit.said_by for hit in found.hits}
    assert origins == {"first": "agent", "second": "agent", "kettle": "agent", "fourth": "user"}
