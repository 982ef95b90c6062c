"""Revisions, solutions and contradictions as MCP and GraphQL return them."""

from typing import Any

import pytest
from mcp import Client

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from tests.agents import build_server
from tests.steps import bare, think_apart
from tests.wire import contradict

pytestmark = pytest.mark.anyio

ERROR = "psycopg2.OperationalError: could not connect to server"


async def revised_and_contradicted(mind: Mind) -> tuple[str, str]:
    """A thought that another revises, and which the same one contradicts."""
    old = await think_apart(mind, "the copper kettle holds ten litres", injection_scale=0)
    new = await think_apart(mind, "twelve after all", injection_scale=0, revises_thought=bare(old))
    await contradict(mind, bare(old), by=bare(new))
    return bare(old), bare(new)


async def test_an_agent_that_sends_an_error_line_gets_its_fix_and_a_search_the_revision(mind: Mind) -> None:
    old, new = await revised_and_contradicted(mind)
    async with Client(build_server(mind, "full")) as agent:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content
            assert result.structured_content is not None
            return result.structured_content

        problem = await call("legacymind_think", content=ERROR, session_id="then", hint="debug")
        assert problem["mode_selected"] == "debug"
        fix = await call("legacymind_think", content="start the cluster first", session_id="then")
        fix_id, problem_id = (one["delegated_result"]["thought_id"] for one in (fix, problem))
        outcome = await call("record_outcome", thought_id=fix_id, outcome="success")
        assert outcome["solves"] == [problem_id.removeprefix("thoughts:")]
        told = {"content": f"worker 3: {ERROR} again", "session_id": "now", "hint": "debug"}
        again = await call("legacymind_think", **told)
        memories = {memory["id"]: memory for memory in again["memories"]}
        assert memories[fix_id.removeprefix("thoughts:")]["via"] == "playbook"
        assert memories[problem_id.removeprefix("thoughts:")]["solved_by"] == fix_id.removeprefix("thoughts:")
        for tool, where in (("legacymind_search", "hits"), ("legacymind_context", "relevant")):
            hits = (await call(tool, query="copper kettle litres"))[where]
            assert [hit["id"] for hit in hits[:2]] == [new, old]
            assert (hits[1]["revised_by"], hits[1]["contradicted_by"]) == (new, new)
            assert not {"revised_by", "contradicted_by"} & hits[0].keys()


async def test_graphql_has_the_same_marks(mind: Mind) -> None:
    old, new = await revised_and_contradicted(mind)
    marks = "id revisedBy contradictedBy"
    document = (
        f'{{ search(input: {{query: "copper kettle litres"}}) {{ hits {{ {marks} }} }} '
        f'context(query: "copper kettle litres") {{ relevant {{ {marks} }} }} }}'
    )
    read = await build_schema(mind).execute(document)
    assert read.errors is None, read.errors
    assert read.data is not None
    first = {"id": new, "revisedBy": None, "contradictedBy": None}
    second = {"id": old, "revisedBy": new, "contradictedBy": new}
    assert read.data["search"]["hits"][:2] == [first, second]
    assert read.data["context"]["relevant"][:2] == [first, second]
    thought = await build_schema(mind).execute(
        'mutation { think(input: {content: "copper kettle litres"}) '
        f"{{ memories {{ {marks} solvedBy via }} }} }}"
    )
    assert thought.errors is None, thought.errors
    assert thought.data is not None
    assert thought.data["think"]["memories"][:2] == [
        first | {"solvedBy": None, "via": "REVISION"},
        second | {"solvedBy": None, "via": "VECTOR"},
    ]
