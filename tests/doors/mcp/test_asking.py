"""What only the user does is asked in a dialog of the client; without one, an agent gets a plan."""

from typing import Any, Literal

import mcp_types as types
import pytest
from mcp import Client

from legacymind.mind import Mind
from tests.agents import build_server
from tests.steps import think

pytestmark = pytest.mark.anyio

Era = Literal["legacy", "auto"]


async def _forget(mind: Mind, era: Era, answer: types.ElicitResult | None) -> tuple[Any, list[str]]:
    stored = await think(mind, "The code is 9921.")
    asked: list[str] = []

    async def dialog(context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        assert answer is not None
        return answer

    callback = None if answer is None else dialog
    async with Client(build_server(mind), mode=era, elicitation_callback=callback) as client:
        id = stored.delegated_result.thought_id
        found = await client.call_tool("legacymind_forget", {"id": id, "confirm": True})
    return found.structured_content, asked


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_what_the_user_allows_is_done(mind: Mind, era: Era) -> None:
    told, asked = await _forget(mind, era, types.ElicitResult(action="accept", content={"allow": True}))
    assert told["done"] is True
    assert len(asked) == 1
    assert "legacymind_forget" in asked[0]
    assert "confirm" in asked[0]


@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize(
    "answer",
    [
        None,
        types.ElicitResult(action="decline"),
        types.ElicitResult(action="cancel"),
        types.ElicitResult(action="accept", content={"allow": False}),
    ],
    ids=["no dialog", "declined", "cancelled", "not allowed"],
)
async def test_without_the_user_it_is_a_plan(mind: Mind, era: Era, answer: types.ElicitResult | None) -> None:
    told, _ = await _forget(mind, era, answer)
    assert told["done"] is False
    assert told["ask"]


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_what_has_no_plan_is_refused(mind: Mind, era: Era) -> None:
    stored = await think(mind, "Anything.")
    async with Client(build_server(mind, "full"), mode=era) as client:
        given = {"thought_id": stored.delegated_result.thought_id, "reason": "x"}
        refused = await client.call_tool("redact_thought", given)
    assert refused.is_error
    assert refused.structured_content is not None
    assert refused.structured_content["error"]["code"] == "user_needed"
