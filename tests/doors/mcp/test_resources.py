"""Resources, through the SDK's own client in both eras of the protocol."""

import json
from typing import Literal

import mcp_types as types
import pytest
from mcp import Client, MCPError

from legacymind.mind import Mind
from tests.agents import build_server
from tests.steps import bare, remember

pytestmark = pytest.mark.anyio

Era = Literal["auto", "legacy"]


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> Era:
    return request.param


async def read(agent: Client, uri: str) -> str:
    (content,) = (await agent.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    assert content.uri == uri
    return content.text


async def test_resources_are_thoughts_entities_and_facts(mind: Mind, era: Era) -> None:
    thought = bare(await mind.think("The kettle is copper", session_id="s"))
    kettle = {"name": "Copper kettle", "entity_type": "tool"}
    fact = {"entity": "Copper kettle", "content": "It holds two litres"}
    known = await remember(mind, entities=[kettle], observations=[fact])
    async with Client(build_server(mind), mode=era) as agent:
        templates = (await agent.list_resource_templates()).resource_templates
        assert [each.uri_template.split("/")[2] for each in templates] == ["thought", "entity", "observation"]
        stored = json.loads(await read(agent, f"legacymind://thought/{thought}"))
        assert stored["text"] == "The kettle is copper"
        for name in ("copper%20KETTLE", known.entities[0].id):
            entity = json.loads(await read(agent, f"legacymind://entity/{name}"))
            assert entity["entity"]["id"] == known.entities[0].id
        for uri in ("thought/lost", "entity/lost", "other/x", "session/s", ""):
            with pytest.raises(MCPError) as caught:
                await agent.read_resource(f"legacymind://{uri}")
            assert caught.value.error.code == types.INVALID_PARAMS
