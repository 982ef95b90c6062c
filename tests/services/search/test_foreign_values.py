"""One node with values that another tool or tampering left does not break a read or think for the others."""

from typing import Any, LiteralString, cast

import pytest

from legacymind.doors.answer import compact, jsonable
from legacymind.mind import Mind
from tests.steps import bare, remember
from tests.wire import one, raw

pytestmark = pytest.mark.anyio

QUERY = "copper kettle whistles"

# LOAD CSV makes texts of all values, and other tools have local times and dates.
VALUES = ["'2024-01-01'", "[1, 2]", "date()"]

THOUGHT = (
    *("created_at", "recorded_at", "author", "mode", "salience", "significance", "access_count"),
    *("tags", "confidence", "title", "origin", "last_accessed", "content"),
)
ENTITY = (
    *("name", "entity_type", "description", "data", "access_count"),
    *("valid_from", "valid_to", "recorded_at"),
)
OBSERVATION = ("content", "source", "valid_from", "valid_to", "recorded_at", "access_count")


@pytest.fixture
async def ids(mind: Mind) -> dict[str, str]:
    """A thought, an entity with an observation, and a thought that recalls them."""
    think = mind.operations["think"]
    odd = bare(await think.call({"content": QUERY, "session_id": "mine", "tags": ["plan"], "author": "Ada"}))
    known = await remember(
        mind, observations=[{"entity": "Copper kettle", "content": "The copper kettle whistles at noon"}]
    )
    last = bare(await think.call({"content": QUERY + " loudly", "session_id": "mine", "injection_scale": 4}))
    return {"odd": odd, "entity": known.entities[0].id, "fact": known.observations[0].id, "last": last}


async def read_all(mind: Mind, ids: dict[str, str], node: str) -> None:
    """Call everything that reads memory; none of it may fail."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("think", {"content": QUERY + " again", "session_id": "mine", "injection_scale": 5}),
        ("search", {"query": QUERY}),
        ("search", {"query": QUERY, "method": "vector"}),
        ("search", {"query": QUERY, "method": "text"}),
        ("context", {"query": QUERY, "session_id": "mine"}),
        ("walk_trail", {"thought_id": ids["last"]}),
        ("explain_recall", {"thought_id": ids["last"]}),
        ("get", {"id": ids[node]}),
    ]
    if node == "odd":
        calls += [
            ("search", {"query": QUERY, "author": "Ada"}),
            ("search", {}),
            ("search", {"tags": ["plan"]}),
            ("thoughts_thread", {"session_id": "mine"}),
            ("thought_tree", {"session_id": "mine"}),
            ("thoughts_links", {"thought_id": ids["odd"]}),
            ("explain_recall", {"thought_id": ids["odd"]}),
            ("verify_chain", {"session_id": "mine"}),
        ]
    else:
        calls += [("entity", {"id": ids["entity"], "history": True}), ("duplicates", {})]
    for name, arguments in calls:
        compact(jsonable(await mind.operations[name].call(arguments)))


@pytest.mark.parametrize("value", VALUES)
async def test_a_value_of_another_type_breaks_no_read(mind: Mind, ids: dict[str, str], value: str) -> None:
    for node, names in (("odd", THOUGHT), ("entity", ENTITY), ("fact", OBSERVATION)):
        # Times alone first: with the other properties a node may not be found at all.
        for group in (
            [name for name in names if name.endswith(("_at", "_from", "_to"))],
            [name for name in names if not name.endswith(("_at", "_from", "_to", "content"))],
            ["content"] if "content" in names else ["name"],
        ):
            match = "MATCH (n:Thought|Entity|Observation {id: $id})"
            changes = ", ".join(f"n.{name} = {value}" for name in group)
            own = ", ".join(f".{name}" for name in group)
            kept = await one(mind, cast("LiteralString", f"{match} RETURN n {{{own}}}"), id=ids[node])
            await raw(mind, cast("LiteralString", f"{match} SET {changes}"), id=ids[node])
            await read_all(mind, ids, node)
            await raw(mind, f"{match} SET n += $kept", id=ids[node], kept=kept)
