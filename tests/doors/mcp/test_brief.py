"""Answers of the core profile are short, and their ids are accepted by every operation."""

import json
import uuid
from typing import Any

import pytest
from mcp import Client

from legacymind.calls import calling
from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.operations.budget import tokens
from tests.agents import build_server
from tests.steps import bare, remember, store_thought, think
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio

FRAME, FACT, ENDING, REMEMBERED = 30, 25, 60, 25
"""The most tokens: of a hit beside its text, of a short fact, of an answer of think beside its memories, and
of a fact in the answer of remember."""


async def core(mind: Mind, tool: str, **arguments: Any) -> dict[str, Any]:
    """The answer of a core tool."""
    async with Client(build_server(mind)) as agent:
        result = await agent.call_tool(tool, arguments)
    text = "".join(getattr(part, "text", "") for part in result.content)
    assert not result.is_error, text
    assert json.loads(text) == result.structured_content
    return json.loads(text)


async def _filled(mind: Mind) -> list[str]:
    """The whole ids of facts of an agent's, which also has thoughts."""
    with calling(agent=True, door="mcp"):
        for n in range(6):
            await think(mind, f"The kettle of room {n} is copper.", session_id=f"room {n}")
        facts = [{"entity": "Kettle", "content": f"The kettle weighs {n} kilograms."} for n in range(4)]
        stored = await remember(mind, observations=facts)
    await text_indexed(mind)
    return [fact.id for fact in stored.observations]


def _frames(items: list[dict[str, Any]]) -> float:
    return sum(tokens({**item, "text": ""}) for item in items) / len(items)


async def test_hits_memories_and_facts_cost_few_tokens_beside_their_texts(mind: Mind) -> None:
    await _filled(mind)
    found = (await core(mind, "legacymind_search", query="kettle"))["hits"]
    assert {hit["said_by"] for hit in found} == {"agent"}
    assert _frames(found) <= FRAME
    listed = await core(mind, "legacymind_search", kinds=["observation"])
    assert listed["kind"] == "observation"
    assert tokens(listed["hits"]) / len(listed["hits"]) <= FACT
    told = await core(mind, "legacymind_think", content="Is the kettle of copper?", injection_scale=3)
    assert {memory["via"] for memory in told["memories"]} <= {"vector", "fulltext", "graph"}
    assert _frames(told["memories"]) <= FRAME
    scores = [memory["score"] for memory in told["memories"]]
    assert scores == sorted(scores, reverse=True)
    assert tokens({**told, "memories": []}) <= ENDING


async def test_a_step_of_a_trail_costs_few_tokens_and_an_unknown_id_is_said_to_be_no_name(mind: Mind) -> None:
    rooms = [{"content": f"The kettle of room {n} is copper.", "injection_scale": 0} for n in range(4)]
    *_, last = [await core(mind, "legacymind_think", **room) for room in rooms]
    trail = await core(mind, "walk_trail", thought_id=last["delegated_result"]["thought_id"])
    assert [step["via"] for step in trail["steps"]] == ["FOLLOWS"] * 3
    assert _frames(trail["steps"]) <= FRAME + 6  # of some ids; 5 of most
    async with Client(build_server(mind)) as agent:
        refused = await agent.call_tool("legacymind_get", {"id": "copper kettle"})
    assert refused.is_error
    assert "which is no name" in str(refused.structured_content)
    assert "own_session_id" not in str(refused.structured_content)


async def test_remember_answers_ids_in_few_tokens(mind: Mind) -> None:
    facts = [{"entity": "Harbour", "content": f"Crane {n} lifts {n}0 tons."} for n in range(5)]
    stored = await core(mind, "legacymind_remember", observations=facts)
    assert [len(fact["id"]) for fact in stored["observations"]] == [8] * 5
    fresh = {**stored, "observations": [{"id": fact["id"]} for fact in stored["observations"]], "note": ""}
    assert tokens(fresh) / 5 <= REMEMBERED
    again = await core(mind, "legacymind_remember", observations=facts[:1])
    assert again["observations"] == [{"id": stored["observations"][0]["id"], "created": False}]


async def test_an_earlier_day_is_named_and_today_is_not(mind: Mind) -> None:
    await store_thought(mind, "The pump hums.", created_at="2024-02-03T10:00:00Z")
    await store_thought(mind, "The pump rests.")
    hits = (await core(mind, "legacymind_search"))["hits"]
    assert [hit.get("created_at") for hit in hits] == [None, "2024-02-03"]


async def test_a_stored_text_that_is_an_id_is_shown_whole(mind: Mind) -> None:
    name = str(uuid.uuid4())
    await remember(mind, entities=[{"name": name, "entity_type": "machine"}])
    (hit,) = (await core(mind, "legacymind_search", kinds=["entity"]))["hits"]
    assert hit["text"].startswith(name)
    assert len(hit["id"]) == 8


async def test_every_tool_accepts_the_ids_of_answers(mind: Mind) -> None:
    stuck = await core(mind, "legacymind_think", content="The kiln is cold.", hint="stuck")
    problem = stuck["delegated_result"]["thought_id"]
    solved = await core(mind, "legacymind_think", content="Its fuse was blown.", revises_thought=problem)
    solution = solved["delegated_result"]["thought_id"]
    outcome = await core(
        mind, "record_outcome", thought_id=solution, outcome="success", solves=f"thoughts:{problem}"
    )
    assert outcome["solves"] == [problem]
    assert problem in json.dumps(await core(mind, "legacymind_get", id=solution))
    trail = await core(mind, "walk_trail", thought_id=solution, types=["REVISES"])
    assert problem in json.dumps(trail)
    fact = {"entity": "Kiln", "content": "The kiln has 3 fuses.", "learned_from": problem}
    first = await core(mind, "legacymind_remember", observations=[fact])
    ended = {
        "entity": "Kiln",
        "content": "The kiln has 4 fuses.",
        "supersedes": first["observations"][0]["id"],
    }
    changed = (await core(mind, "legacymind_remember", observations=[ended]))["changed"]
    assert changed[0]["id"] == first["observations"][0]["id"]
    plan = await core(mind, "legacymind_forget", id=problem)
    assert plan["done"] is False
    assert plan["counts"][0]["examples"] == [f"{problem}: The kiln is cold."]


async def test_a_beginning_of_several_ids_names_them_all_and_a_private_one_is_unknown(mind: Mind) -> None:
    start = uuid.uuid4().hex[:8]
    ids = [f"{start}-0000-4000-8000-00000000000{n}" for n in range(3)]
    for id, session in zip(ids, ("here", "here", "elsewhere"), strict=True):
        own = bare(await think(mind, id, session_id=session, is_private=session == "elsewhere"))
        await raw(mind, "MATCH (t:Thought {id: $own}) SET t.id = $id", own=own, id=id)
    with pytest.raises(InvalidInput) as several:
        await mind.get(start)
    assert all(id in str(several.value) for id in ids[:2])
    assert ids[2] not in str(several.value)
    with pytest.raises(NotFound):
        await mind.get(f"{start}-0000-4000-9")


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("legacymind_search", {"query": "kettle", "limit": 30}, "hits"),
        ("legacymind_search", {"kinds": ["observation"], "limit": 30}, "hits"),
        ("legacymind_think", {"content": "What weighs the copper kettle?", "injection_scale": 5}, "memories"),
        ("legacymind_context", {"limit": 30}, "recent"),
    ],
)
async def test_more_fits_in_a_token_budget_than_in_the_full_profile(
    mind: Mind, tool: str, arguments: dict[str, Any], name: str
) -> None:
    for n in range(20):
        await remember(
            mind,
            observations=[{"entity": "Kettle", "content": f"The kettle of hall {n} weighs {n} kilograms."}],
        )
        await think(mind, f"The copper kettle of room {n} has {n} dents.", session_id=f"room {n}")
    await text_indexed(mind)
    counts = list[int]()
    for listing in ("core", "full"):
        async with Client(build_server(mind, listing)) as agent:
            result = await agent.call_tool(tool, {**arguments, "max_tokens": 400})
        assert result.structured_content is not None
        assert tokens(result.structured_content) <= 400
        counts.append(len(result.structured_content[name]))
        if listing == "core":
            assert tokens(result.structured_content) > 320
    assert counts[0] > 1.3 * counts[1] > 0
