"""Graphs of other tools in the same database: read as records, stored once, and left as they are."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, LiteralString, cast

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.services.knowledge.importing import Imported
from tests.wire import one, raw

pytestmark = pytest.mark.anyio

GRAPHS = Path(__file__).parent / "graphs"

SNAPSHOT: LiteralString = """
MATCH (n {mark: $mark})
OPTIONAL MATCH (n)-[r]-()
WITH n, r ORDER BY elementId(r)
WITH n, collect(properties(r)) AS relationships ORDER BY elementId(n)
RETURN collect([labels(n), properties(n), relationships]) AS theirs
"""

OURS: LiteralString = """
MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]->() RETURN [count(DISTINCT n), count(r)] AS counts
"""


@pytest.fixture
async def mark(mind: Mind) -> AsyncIterator[str]:
    """The mark of the nodes of another tool, which are deleted after the test."""
    own = f"{uuid.uuid4()}-"
    yield own
    await raw(mind, "MATCH (n {mark: $mark}) DETACH DELETE n", mark=own)


async def imported(mind: Mind, format: str, mark: str, **options: Any) -> Imported:
    """Import the sample graph twice: the second time adds nothing, and neither changes the graph."""
    sample = (GRAPHS / f"{format}.cypher").read_text(encoding="utf-8")
    await raw(mind, cast("LiteralString", sample), mark=mark)
    theirs = await one(mind, SNAPSHOT, mark=mark)
    result = await mind.import_graph(format, **options)
    stored = await one(mind, OURS, ns=mind.settings.namespace)
    again = await mind.import_graph(format, **options)
    assert await one(mind, SNAPSHOT, mark=mark) == theirs
    assert await one(mind, OURS, ns=mind.settings.namespace) == stored
    new = result.entities + result.observations + result.relations + result.thoughts
    assert again == Imported(known=new + result.known, refused=result.refused)
    return result


async def test_the_graph_of_mcp_neo4j_memory(mind: Mind, mark: str) -> None:
    result = await imported(mind, "mcp-neo4j-memory", mark)
    assert (result.entities, result.observations, result.relations) == (3, 2, 2)
    assert [line.reason for line in result.refused] == ["entity name is empty"] * 2
    assert all(line.file.startswith("Node ") and not line.line for line in result.refused)
    ada = await mind.entity(name="ada", entity_type="person")
    assert ada.entity is not None
    assert {fact.content for fact in ada.observations} == {"Lives in Lyon", "Speaks German"}
    assert {one.type for one in ada.relations} == {"WORKS_ON", "ENTITY_DEPENDS_ON"}


async def test_the_graph_of_graphiti(mind: Mind, mark: str) -> None:
    result = await imported(mind, "graphiti", mark, group=mark)
    assert result == Imported(entities=2, observations=2, relations=2, thoughts=1)
    kendra = await mind.entity(name="kendra", history=True)
    assert kendra.entity is not None
    assert (kendra.entity.entity_type, kendra.entity.description) == ("Person", "Kendra likes shoes")
    assert kendra.entity.data == {"age": 31, "born": "1995-01-02", "mark": mark}
    times = {fact.content: (fact.valid_from, fact.valid_to) for fact in kendra.observations}
    february, march = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    assert times["Kendra loves Adidas shoes"] == (february, march)
    assert {one.type: one.valid_to for one in kendra.relations}["LOVES"] == march
    episode = await one(mind, "MATCH (t:Thought {namespace: $ns}) RETURN t {.*}", ns=mind.settings.namespace)
    assert (episode["content"], episode["session_id"]) == ("kendra: I love Adidas", f"graphiti/{mark}")
    assert episode["created_at"] == datetime(2026, 2, 28, 10, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="has no groups"):
        await mind.import_graph("mcp-neo4j-memory", group=mark)


async def test_groups_of_graphiti_are_not_mixed(mind: Mind, mark: str) -> None:
    for group in ("a", "b"):
        await raw(
            mind,
            "CREATE (:Entity {uuid: $group, group_id: $group, name: $group, summary: '', mark: $mark})",
            group=f"{mark}{group}",
            mark=mark,
        )
    with pytest.raises(InvalidInput, match="has several groups"):
        await mind.import_graph("graphiti")
    assert await one(mind, OURS, ns=mind.settings.namespace) == [0, 0]
    assert (await mind.import_graph("graphiti", group=f"{mark}a", dry_run=True)).entities == 1
    with pytest.raises(NotFound, match="no graph of graphiti"):
        await mind.import_graph("graphiti", group=f"{mark}c")


async def test_the_graph_of_neo4j_agent_memory(mind: Mind, mark: str) -> None:
    result = await imported(mind, "neo4j-agent-memory", mark)
    assert result == Imported(entities=2, observations=2, relations=1, thoughts=4)
    otto = await mind.entity(name="otto")
    assert otto.entity is not None
    assert otto.entity.description == "A mechanic"
    assert otto.entity.data is not None
    assert otto.entity.data["aliases"] == ["O. Berg"]
    assert {fact.content for fact in otto.observations} == {
        "Otto works at the pump house",
        "Preference (tools): Prefers torque wrenches (at work)",
    }
    assert [(one.type, one.other.name) for one in otto.relations] == [("REPAIRS", "Pump 3")]
    sessions = {
        mark: ["Is the pump hot?", "It is."],
        f"{mark}/trace/{mark}t": ["Cool the pump", "Open valve 9\nAction: open\nObservation: cooler"],
    }
    for session, contents in sessions.items():
        thread = await mind.thoughts_thread(session_id=session)
        assert [thought.text for thought in thread.thoughts] == contents
        report = await mind.verify(session)
        assert (report.verdict, report.thought_count) == ("intact", 2)


async def test_a_graph_that_is_not_there_and_an_unknown_one_are_refused(mind: Mind) -> None:
    with pytest.raises(InvalidInput, match="There is no graph format 'csv'"):
        await mind.import_graph("csv")
