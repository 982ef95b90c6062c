"""Reads mark a thought outside its session's chain, think does not recall it, and no read fails."""

from typing import Any, LiteralString, cast

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from tests.steps import bare
from tests.wire import raw

pytestmark = pytest.mark.anyio

TEXT = "copper kettle between the two"

FORGED: dict[str, LiteralString] = {
    "no mark": "SET x.chained = null",
    "mark false": "SET x.chained = false",
    "mark made a text": "SET x.chained = 'true'",
    "no mark and no hash": "SET x.chained = null, x.chain_hash = null, x.step_index = '5'",
}
"""How a copy of a thought differs from a step."""

READS: dict[str, dict[str, Any]] = {
    "search": {"query": TEXT, "kinds": ["thought"]},
    "search by vector": {"query": TEXT, "method": "vector"},
    "search in time": {},
    "context": {"session_id": "mine"},
    "walk_trail": {"thought_id": "last"},
    "thoughts_thread": {"session_id": "mine"},
    "thoughts_links": {"thought_id": "forged"},
    "thought_tree": {"session_id": "mine", "include_children": True},
    "thought_for_action": {"action_id": "act"},
    "thought_reasoning_trail": {"action_id": "act"},
    "explain_recall": {"thought_id": "last", "memory_id": "forged"},
}


@pytest.fixture
async def ids(mind: Mind) -> dict[str, str]:
    """Two thoughts of a session, the second a child of the first."""
    found: dict[str, str] = {}
    for name, options in {"first": {}, "last": {"action_id": "act"}}.items():
        arguments = {
            "content": f"copper kettle {name}",
            "session_id": "mine",
            "injection_scale": 3,
            **options,
        }
        if found:
            arguments["parent_id"] = found["first"]
        found[name] = bare(await mind.operations["think"].call(arguments))
    return found


async def forge(mind: Mind, ids: dict[str, str], change: LiteralString) -> str:
    """Copy the first thought with its vector and another text into its session, and change the copy."""
    ids["forged"] = f"forged-{ids['first']}"
    await raw(
        mind,
        "MATCH (t:Thought {id: $first}), (t)-[:IN_SESSION]->(s), (last:Thought {id: $last}), (a:Action) "
        "WHERE a.namespace = t.namespace "
        "CREATE (x:Thought)-[:IN_SESSION]->(s) SET x = t {.*, id: $forged, content: $content, step_index: 7, "
        "action_id: 'act'} CREATE (x)-[:CHILD_OF]->(t) CREATE (x)<-[:CHILD_OF]-(last) "
        "CREATE (x)<-[:FOLLOWS]-(last) CREATE (x)-[:FOR_ACTION]->(a) " + change,
        **ids,
        content=TEXT,
    )
    return ids["forged"]


def records(answer: Any) -> list[dict[str, Any]]:
    """Every record of a result that has the mark or an id of a thought."""
    if isinstance(answer, list):
        return [record for item in cast("list[Any]", answer) for record in records(item)]
    if not isinstance(answer, dict):
        return []
    record = cast("dict[str, Any]", answer)
    own = [record] if {"id", "thought_id", "thoughtId"} & record.keys() else []
    return own + [below for value in record.values() for below in records(value)]


def own_id(record: dict[str, Any]) -> str:
    return record.get("id") or record.get("thought_id") or record["thoughtId"]


async def read(mind: Mind, name: str, ids: dict[str, str]) -> list[dict[str, Any]]:
    given = {key: ids.get(str(value), value) for key, value in READS[name].items()}
    return records(jsonable(await mind.operations[name.split(" ")[0]].call(given)))


@pytest.mark.parametrize("operation", READS)
async def test_every_read_marks_only_the_thought_outside(
    mind: Mind, ids: dict[str, str], operation: str
) -> None:
    forged = await forge(mind, ids, FORGED["mark made a text"])
    found = await read(mind, operation, ids)
    marked = {own_id(record) for record in found if record.get("outside_chain") or record.get("outsideChain")}
    assert marked == {forged}


@pytest.mark.parametrize("name", FORGED)
async def test_each_form_outside_is_marked_and_not_recalled(
    mind: Mind, ids: dict[str, str], name: str
) -> None:
    forged = await forge(mind, ids, FORGED[name])
    found = {own_id(record): record for record in await read(mind, "search", ids)}
    assert found[forged]["outside_chain"] is True
    assert "outside_chain" not in found[ids["first"]]
    thought = {"content": TEXT, "session_id": "other", "injection_scale": 5}
    recalled = [memory.id for memory in (await mind.operations["think"].call(thought)).memories]
    assert ids["first"] in recalled
    assert forged not in recalled


async def test_a_thought_outside_neither_revises_solves_nor_contradicts(
    mind: Mind, ids: dict[str, str]
) -> None:
    forged = await forge(mind, ids, "SET x.chained = null, x.content = 'unlike', x.embedding_a = null")
    await raw(
        mind,
        "MATCH (x:Thought {id: $forged}), (t:Thought {id: $first}) "
        "CREATE (x)-[:REVISES]->(t), (x)-[:SOLVES]->(t), (x)-[:CONTRADICTS {cosine: 0.9}]->(t)",
        **ids,
    )
    for query in ({"query": "copper kettle"}, {"query": "copper kettle", "method": "vector"}, {}):
        found = {hit.id: hit for hit in (await mind.operations["search"].call(query)).hits}
        assert (found[ids["first"]].revised_by, found[ids["first"]].contradicted_by) == (None, None)
    thought = {"content": "copper kettle first", "session_id": "other", "injection_scale": 5}
    memories = {memory.id: memory for memory in (await mind.operations["think"].call(thought)).memories}
    assert forged not in memories
    memory = memories[ids["first"]]
    assert (memory.revised_by, memory.solved_by, memory.contradicted_by) == (None, None, None)


@pytest.mark.parametrize("value", ["5", "true", "[1, 2]", "date()"])
async def test_a_content_that_is_no_text_makes_no_read_fail(
    mind: Mind, ids: dict[str, str], value: LiteralString
) -> None:
    await forge(mind, ids, "SET t.content = " + value)
    for name in READS:
        assert await read(mind, name, ids), name
    thought = {"content": "copper kettle first", "session_id": "other", "injection_scale": 5}
    result = await mind.operations["think"].call(thought)
    assert ids["first"] not in {memory.id for memory in result.memories}
    assert ids["last"] in {memory.id for memory in result.memories}


async def test_a_thought_without_a_session_is_not_marked(mind: Mind) -> None:
    stored = bare(await mind.operations["think"].call({"content": TEXT, "session_id": None}))
    await raw(mind, "MATCH (t:Thought {id: $id})-[r:IN_SESSION]->() DELETE r", id=stored)
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.session_id = null", id=stored)
    (hit,) = (await mind.operations["search"].call({})).hits
    assert (hit.id, hit.outside_chain) == (stored, None)


@pytest.mark.parametrize(
    "query", [{}, {"query": "redacted kettle", "method": "text"}, {"query": "redacted kettle"}]
)
async def test_steps_of_redactions_are_found_only_by_their_type(
    mind: Mind, ids: dict[str, str], query: dict[str, Any]
) -> None:
    await mind.operations["redact_thought"].call({"thought_id": ids["first"], "reason": "a kettle"})
    await raw(mind, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    assert {hit.id for hit in (await mind.operations["search"].call(query)).hits} == {ids["last"]}
    found = await mind.operations["search"].call({**query, "thought_type": "redaction"})
    assert [hit.thought_type for hit in found.hits] == ["redaction"]
