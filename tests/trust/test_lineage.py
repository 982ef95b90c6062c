"""What a bad memory touched is found, taken out in one step, and back unchanged in another."""

import json
from typing import Any

import pytest

from legacymind.calls import calling
from legacymind.doors.answer import jsonable
from legacymind.errors import NotFound, UserNeeded
from legacymind.mind import Mind
from legacymind.observe import observed_by
from legacymind.services.chain.call_log import CallLog, path
from tests.steps import remember, store_thought, think
from tests.wire import raw, text_indexed

pytestmark = pytest.mark.anyio


async def _ids(mind: Mind, query: str) -> set[str]:
    await text_indexed(mind)
    found = await mind.operations["search"].call({"query": query, "limit": 50})
    return {hit.id for hit in found.hits}


async def _belief(mind: Mind) -> dict[str, str]:
    """A wrong belief that replaced a true one and spread."""
    true = await remember(mind, observations=[{"entity": "Hydra", "content": "Hydra deploys from prod-1."}])
    bad = await think(mind, "Hydra deploys from 203.0.113.9.", session_id="page")
    bad_id = bad.delegated_result.thought_id.removeprefix("thoughts:")
    wrong = await remember(
        mind,
        observations=[
            {
                "entity": "Hydra",
                "content": "Hydra deploys from 203.0.113.9.",
                "learned_from": bad_id,
                "supersedes": true.observations[0].id,
            }
        ],
    )
    recalled = await think(mind, "Where does Hydra deploy from, 203.0.113.9?", session_id="release")
    later = await think(mind, "Decision: open the firewall.", session_id="release", hint="conclude")
    return {
        "true": true.observations[0].id,
        "bad": bad_id,
        "wrong": wrong.observations[0].id,
        "recalled": recalled.delegated_result.thought_id.removeprefix("thoughts:"),
        "later": later.delegated_result.thought_id.removeprefix("thoughts:"),
    }


async def _graph(mind: Mind) -> list[Any]:
    rows = await raw(
        mind,
        "MATCH (n) WHERE n.namespace = $ns AND NOT n.session_id = 'quarantine' AND NOT n:Session "
        "OPTIONAL MATCH (n)-[r]->(m) "
        "RETURN n.id AS id, n {.*, lock: null, other_forms: null, changed_at: null, noted_at: null} AS p, "
        "type(r) AS t, m.id AS m, r {.*, changed_at: null, noted_at: null} AS r",
        ns=mind.settings.namespace,
    )
    return sorted(str(sorted(row.items(), key=str)) for row in rows)


async def test_what_it_touched_is_found_and_out_by_one_call_and_back_by_one(mind: Mind) -> None:
    ids = await _belief(mind)
    touched = await mind.operations["touched"].call({"id": ids["bad"]})
    ways = {item.id: item.way for item in touched.items}
    assert ways[ids["wrong"]] == "made"
    assert ways[ids["recalled"]] == "shown"
    assert ways[ids["true"]] == "changed"
    assert ways[ids["later"]] == "after"
    before = await _graph(mind)
    assert ids["true"] not in await _ids(mind, "Where does Hydra deploy from?")
    plan = await mind.operations["quarantine"].call({"ids": [ids["bad"]], "touched": True, "dry_run": True})
    assert (plan.taken, plan.done) == (4, False)
    assert await _graph(mind) == before
    done = await mind.operations["quarantine"].call(
        {"ids": [ids["bad"]], "touched": True, "reason": "wrong\n\nhost"}
    )
    found = await _ids(mind, "Where does Hydra deploy from?")
    assert ids["true"] in found
    assert not found & {ids["bad"], ids["wrong"], ids["recalled"], ids["later"]}
    with pytest.raises(NotFound):
        await mind.operations["get"].call({"id": ids["bad"]})
    context = jsonable(await mind.operations["context"].call({"session_id": "release"}))
    assert "203.0.113.9" not in str(context)
    assert (await mind.verify_all()).verdict == "intact"
    assert (await mind.operations["release"].call({"step": done.step})).released == 4
    assert await _graph(mind) == before
    with pytest.raises(NotFound):
        await mind.operations["release"].call({"step": done.step})


async def test_what_touched_nothing_is_shown_alone(mind: Mind) -> None:
    made = await remember(mind, observations=[{"entity": "Hydra", "content": "Hydra is green."}])
    touched = await mind.operations["touched"].call({"id": made.observations[0].id})
    assert [(item.way, item.distance) for item in touched.items] == [("made", 0)]
    with pytest.raises(NotFound):
        await mind.operations["touched"].call({"id": "nothing"})


async def test_an_agent_gets_a_plan_and_releases_nothing(mind: Mind) -> None:
    stored = await think(mind, "Anything.")
    id = stored.delegated_result.thought_id
    with calling(agent=True):
        plan = await mind.operations["quarantine"].call({"ids": [id]})
        assert (plan.done, plan.taken) == (False, 1)
        assert plan.ask
        with pytest.raises(UserNeeded):
            await mind.operations["release"].call({"step": id})


async def test_later_steps_of_a_session_that_was_shown_it_come_after_it(mind: Mind) -> None:
    made = await remember(
        mind, observations=[{"entity": "Hydra", "content": "Hydra deploys from 203.0.113.9."}]
    )
    bad = made.observations[0].id
    await text_indexed(mind)
    before = await store_thought(mind, "Nothing yet.", session_id="release")
    with observed_by(CallLog(mind.settings)), calling(agent=True, door="mcp", role="read"):
        with calling(session="release"):
            found = await mind.operations["search"].call({"query": "Hydra deploys"})
        await mind.services.recall.for_prompt("Hydra deploys from 203.0.113.9.", "asked")
    later = await store_thought(mind, "Decision: open the firewall.", session_id="release")
    answered = await store_thought(mind, "Opened.", session_id="asked")
    touched = await mind.operations["touched"].call({"id": bad})
    ways = {item.id: (item.way, item.via, item.reached_from) for item in touched.items}
    assert ways[later] == ways[answered] == ("after", "SHOWN", bad)
    assert before not in ways
    lines = [json.loads(line) for line in path(mind.settings).read_text(encoding="utf-8").splitlines()]
    told = [line for line in lines if line.get("namespace") == mind.settings.namespace]
    assert [(line["operation"], line["session"]) for line in told] == [
        ("search", "release"),
        ("prompt", "asked"),
    ]
    assert told[0]["shown"] == [hit.id for hit in found.hits]
    assert "203.0.113.9" not in str(told)
