"""ChatGPT's tools: `search` finds, `fetch` reads in full, and every address can be read as a resource."""

import json
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from legacymind.mind import Mind
from legacymind.model.base import EntityInput, ObservationInput
from tests.agents import build_server

pytestmark = pytest.mark.anyio


async def call(agent: Client, tool: str, **arguments: str) -> dict[str, Any]:
    """The structured result, which is also the one text."""
    result = await agent.call_tool(tool, arguments)
    assert not result.is_error, result.content
    (text,) = result.content
    assert isinstance(text, types.TextContent)
    assert result.structured_content is not None
    assert json.loads(text.text) == result.structured_content
    return result.structured_content


async def test_what_is_found_can_be_fetched_and_cited(mind: Mind) -> None:
    await mind.think("The tank's thermostat was " + "welded " * 50)
    await mind.remember(
        entities=[EntityInput(name="Tank 2", description="A tank with a thermostat")],
        observations=[ObservationInput(entity="Tank 2", content="Its thermostat was welded shut")],
    )
    async with Client(build_server(mind, "chatgpt")) as agent:
        tools = (await agent.list_tools()).tools
        assert [(tool.name, [*tool.input_schema["properties"]]) for tool in tools] == [
            ("search", ["query"]),
            ("fetch", ["id"]),
        ]
        names = {operation.declaration.tool for operation in mind.operations.values()}
        assert agent.instructions is not None
        assert all(name in agent.instructions for name in ("search", "fetch"))
        assert not [name for name in names if name in agent.instructions]
        found = await call(agent, "search", query="thermostat of the tank")
        assert set(found) == {"results"}
        kinds: set[str] = set()
        for result in found["results"]:
            assert set(result) == {"id", "title", "url"}
            assert 0 < len(result["title"]) <= 81
            fetched = await call(agent, "fetch", id=result["id"])
            assert set(fetched) == {"id", "title", "text", "url", "metadata"}
            assert (fetched["id"], fetched["url"]) == (result["id"], result["url"])
            assert "thermostat" in fetched["text"]
            (resource,) = (await agent.read_resource(result["url"])).contents
            assert isinstance(resource, types.TextResourceContents)
            assert result["id"] in resource.text
            kinds.add(fetched["metadata"]["kind"])
        assert kinds == {"thought", "entity", "observation"}


async def test_errors_are_those_of_the_operations(mind: Mind) -> None:
    async with Client(build_server(mind, "chatgpt")) as agent:
        for tool, arguments, code in (
            ("fetch", {"id": "nowhere"}, "not_found"),
            ("fetch", {}, "invalid_input"),
            ("search", {"query": "x", "colour": "red"}, "invalid_input"),
            ("legacymind_think", {"content": "x"}, "not_found"),
        ):
            refused = await agent.call_tool(tool, arguments)
            assert refused.is_error
            assert refused.structured_content is not None
            assert refused.structured_content["error"]["code"] == code
