"""Coercion of arguments at every door: unambiguous values are accepted, others are rejected by name."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any, cast

import mcp_types as types
import pytest
from mcp import Client

from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from tests.agents import build_server
from tests.doors.cli.commands import Env, here
from tests.fakes import FakeEmbedder
from tests.wire import one, text_indexed

ID = "delegatedResult { thoughtId }"


async def ask(schema: Schema, query: str, /, **variables: Any) -> dict[str, Any]:
    result = await schema.execute(query, variable_values=variables)
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data


async def request_error(schema: Schema, query: str, /, **variables: Any) -> str:
    """The message of a rejected request."""
    result = await schema.execute(query, variable_values=variables)
    assert result.errors is not None
    (error,) = result.errors
    assert error.extensions == {"code": "invalid_input"}
    return error.message


async def call(mind: Mind, tool: str, **arguments: Any) -> dict[str, Any]:
    async with Client(build_server(mind, "full")) as agent:
        result = await agent.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return structured(result)


async def call_error(mind: Mind, tool: str, **arguments: Any) -> str:
    """The message of a rejected call."""
    async with Client(build_server(mind, "full")) as agent:
        result = await agent.call_tool(tool, arguments)
    assert result.is_error
    return structured(result)["error"]["message"]


def structured(result: types.CallToolResult) -> dict[str, Any]:
    return cast("dict[str, Any]", result.structured_content)


async def stored(mind: Mind, thought_id: str) -> dict[str, Any]:
    return await one(
        mind,
        "MATCH (t:Thought {id: $id}) RETURN t {.injection_scale, .significance, .tags, .submode}",
        id=thought_id.removeprefix("thoughts:"),
    )


# --- GraphQL -------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("value", ["2", "many", True, [], {"a": 1}])
async def test_graphql_takes_numbers_of_its_own_types_only(mind: Mind, value: object) -> None:
    message = await request_error(
        build_schema(mind), "query ($n: Int) { search(input: {limit: $n}) { method } }", n=value
    )
    assert "Int cannot represent" in message


@pytest.mark.anyio
async def test_graphql_moves_numbers_into_their_range(mind: Mind) -> None:
    query = (
        'mutation ($a: Int, $b: Float) { think(input: {content: "x", injectionScale: $a, significance: $b})'
        f" {{ {ID} }} }}"
    )
    answer = await ask(build_schema(mind), query, a=99, b=7)
    found = await stored(mind, answer["think"]["delegatedResult"]["thoughtId"])
    assert (found["injection_scale"], found["significance"]) == (5, 1.0)


@pytest.mark.anyio
async def test_an_outcome_and_its_weight_may_be_numbers(mind: Mind) -> None:
    schema = build_schema(mind)
    thought = (await call(mind, "legacymind_think", content="x"))["delegated_result"]["thought_id"]
    by_number = await call(mind, "record_outcome", thought_id=thought, outcome=1, emotional_weight="0.5")
    assert (by_number["outcome_score"], by_number["emotional_weight"]) == (1.0, 0.5)
    by_graphql = await ask(
        schema,
        'mutation ($id: ID!) { recordOutcome(input: {thoughtId: $id, outcome: " -1 ", emotionalWeight: -7})'
        " { outcomeScore emotionalWeight } }",
        id=f" {thought} ",
    )
    assert by_graphql["recordOutcome"] == {"outcomeScore": -1.0, "emotionalWeight": -1.0}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "mode", "submode"),
    [
        ("SARCASTIC", "question", "sarcastic"),
        ("Sarcastic", "question", "sarcastic"),
        (" sarcastic ", "question", "sarcastic"),
        ("problem-solving", "question", "problem_solving"),
        ("ProblemSolving", "question", "problem_solving"),
        ("debugging", "debug", None),
        ("PANIC", "stuck", None),
    ],
)
async def test_submodes_are_accepted_in_other_spellings(
    mind: Mind, name: str, mode: str, submode: str | None
) -> None:
    by_mcp = await call(mind, "legacymind_think", content="x", submode=name)
    assert by_mcp["mode_selected"] == mode
    assert (await stored(mind, by_mcp["delegated_result"]["thought_id"]))["submode"] == submode


# --- lists of words ------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize(
    "tags", ["plan,debug", '["plan", "debug"]', ["plan", "debug"], ["plan, debug"], ['["plan","debug"]']]
)
async def test_tags_are_a_list_in_any_form(mind: Mind, tags: object) -> None:
    schema = build_schema(mind)
    by_mcp = (await call(mind, "legacymind_think", content="x", tags=tags))["delegated_result"]["thought_id"]
    query = f'mutation ($t: [String!]) {{ think(input: {{content: "x", tags: $t}}) {{ {ID} }} }}'
    by_graphql = (await ask(schema, query, t=tags))["think"]["delegatedResult"]["thoughtId"]
    for thought in (by_mcp, by_graphql):
        assert (await stored(mind, thought))["tags"] == ["plan", "debug"]
    await text_indexed(mind)
    assert len((await call(mind, "legacymind_search", tags=tags))["hits"]) == 2


# --- null and names ------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_null_is_the_default_of_every_parameter_that_has_one(mind: Mind) -> None:
    schema = build_schema(mind)
    for tool in ("legacymind_think", "think_convo", "think_technical"):
        assert (await call(mind, tool, content="x", verbose_analysis=None, submode=None))["chained"]
    await ask(
        schema, 'mutation { think(input: {content: "x", verboseAnalysis: null, tags: null}) { reason } }'
    )
    found = await call(mind, "legacymind_search", limit=None, method=None, after=None, explain=None)
    assert len(found["hits"]) == 4
    search = "search(input: {method: $m, limit: $n, after: null})"
    listed = f"query ($n: Int, $m: Method) {{ {search} {{ hits {{ id }} }} }}"
    assert len((await ask(schema, listed, n=None, m=None))["search"]["hits"]) == 4
    known = [{"name": "Kiln", "entityType": None}]
    assert (await call(mind, "legacymind_remember", entities=known))["created"] == 1
    remember = "mutation ($e: [EntityInput!]) { remember(entities: $e) { created } }"
    assert (await ask(schema, remember, e=known))["remember"]["created"] == 0


@pytest.mark.anyio
async def test_every_operation_accepts_null_for_optional_parameters(mind: Mind) -> None:
    for operation in mind.operations.values():
        for parameter in operation.parameters:
            if not parameter.required:
                # Rejected for missing or invalid arguments, never for the null.
                with pytest.raises(Exception, match="nothing_known") as refused:
                    await operation.call({parameter.name: None, "nothing_known": 1})
                assert f"{parameter.name}: " not in str(refused.value)


@pytest.mark.anyio
async def test_items_may_be_in_camel_case_and_an_unknown_member_is_reported_with_the_known_ones(
    mind: Mind,
) -> None:
    done = await call(
        mind, "think_batch", thoughts=[{"content": "x", "sessionId": "kiln", "injectionScale": "2.7"}]
    )
    (thought,) = done["thoughts"]
    assert (await stored(mind, thought["thought_id"]))["injection_scale"] == 3
    assert (await call(mind, "thought_verify_chain", session_id="kiln"))["thoughtCount"] == 1
    known = await call(
        mind,
        "legacymind_remember",
        entities=[{"name": "Kiln", "entityType": "tool"}],
        observations=[{"entity": "Kiln", "content": "it is blue", "entityType": "tool"}],
        relations=[{"sourceEntity": "Kiln", "type": "stands in", "targetEntity": "Shed"}],
    )
    assert known["created"] == 4
    message = await call_error(mind, "think_batch", thoughts=[{"content": "x", "colour": "red"}])
    assert "thoughts, item 1, colour is unknown" in message
    assert "Members of thoughts:" in message
    assert "injection_scale, submode," in message
    message = await call_error(mind, "legacymind_remember", relations=[{"colour": "red"}])
    assert "Members of relations: source_entity, type," in message


@pytest.fixture
async def strict(mind: Mind) -> AsyncIterator[Mind]:
    """A Mind with one known tag."""
    async with Mind(mind.settings.changed(tags="plan"), embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.mark.anyio
async def test_a_batch_reports_dropped_tags_and_links_only_if_there_are_any(
    strict: Mind,
) -> None:
    mind = strict
    thoughts = [
        {"content": "a", "session_id": "new"},
        {"content": "b", "session_id": "new", "tags": "plan,colour", "parent_id": "never"},
    ]
    plain, reported = (await call(mind, "think_batch", thoughts=thoughts))["thoughts"]
    assert {"dropped_tags", "links_telemetry"}.isdisjoint(plain)
    assert reported["dropped_tags"] == ["colour"]
    assert reported["links_telemetry"] == {"parent_id": "string"}
    query = (
        "mutation ($t: [ThoughtInput!]!) { thinkBatch(thoughts: $t)"
        " { thoughts { droppedTags linksTelemetry { parentId } } } }"
    )
    sent = [{"content": "c", "tags": "colour", "parentId": "never"}, {"content": "d", "sessionId": "newer"}]
    assert (await ask(build_schema(mind), query, t=sent))["thinkBatch"]["thoughts"] == [
        {"droppedTags": ["colour"], "linksTelemetry": {"parentId": "STRING"}},
        {"droppedTags": [], "linksTelemetry": None},
    ]


@pytest.mark.anyio
async def test_choices_are_accepted_in_any_case_and_ids_are_stripped(mind: Mind) -> None:
    first = await call(mind, "legacymind_think", content="DEBUG it", hint=" Debug ", submode=" Sarcastic")
    assert first["mode_selected"] == "debug"
    thought = first["delegated_result"]["thought_id"]
    second = await call(mind, "legacymind_think", content="y", revises_thought=f" {thought} ", hint="plan")
    assert f"thoughts:{second['links']['revises_thought']}" == thought
    assert second["telemetry"]["links_telemetry"]["revises_thought"] == "record"
    bare = thought.removeprefix("thoughts:")
    third = await call(mind, "legacymind_think", content="z", branch_from=f"{bare} ", hint="plan")
    assert third["telemetry"]["links_telemetry"]["branch_from"] == "record"
    assert len((await call(mind, "legacymind_search", mode=" DEBUG "))["hits"]) == 1
    wanted = {"kinds": "Thought, ENTITY", "order": "CREATED_AT_DESC"}
    found = await call(mind, "legacymind_search", query="it", **wanted)
    assert found["order"] == "created_at_desc"
    aliases = {"kinds": "Thoughts, facts", "order": "newest", "method": "Full-text"}
    found = await call(mind, "legacymind_search", query="it", **aliases)
    assert (found["order"], found["method"]) == ("created_at_desc", "text")
    assert "The modes are debug" in (await call(mind, "legacymind_search", mode="nonsense"))["note"]
    assert (await call(mind, "think_technical", content="y", mode="Stuck"))["mode_selected"] == "stuck"
    panic = await call(mind, "think_technical", content="y", mode="Panic")
    assert panic["mode_selected"] == "stuck"
    assert len((await call(mind, "legacymind_search", mode="debugging"))["hits"]) == 1
    trail = await call(mind, "walk_trail", thought_id=f"{thought} ", direction="Forward", types="revises")
    assert [step["via"] for step in trail["steps"]] == ["REVISES"]


# --- the command line ----------------------------------------------------------------------------


@pytest.fixture
def env(real_env: Env) -> Env:
    return real_env | {"LEGACYMIND_NAMESPACE": f"cli-{uuid.uuid4()}"}


def answer(env: Env, command: str, *arguments: str) -> dict[str, Any]:
    done = here(env, command, "--json", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_command_accepts_negative_numbers_flags_and_json_lists(env: Env) -> None:
    thought = answer(env, "think", "--tags", '["plan", "debug"]', "--tags", "idea,dx", "--", "-5 degrees")
    assert thought["telemetry"]["dropped_tags"] == []
    own = thought["delegated_result"]["thought_id"]
    for outcome, score in (("-1", -1.0), ("-.5", -0.5), ("-1e9", -1.0)):
        felt = answer(env, "outcome", own, "--emotional-weight", "-0.5", "--", outcome)
        assert (felt["outcome_score"], felt["emotional_weight"]) == (score, -0.5)
    assert answer(env, "search", "--", "-5")["method"] == "graph"
    assert here(env, "outcome", own, "1", "--colour", "red").returncode == 2
    held = answer(env, "think", "y", "--hypothesis", "it is cold")
    assert held["verification"] is not None
    left = answer(env, "think", "y", "--hypothesis", "it is cold", "--no-needs-verification")
    assert left["verification"] is None
    few = env | {"LEGACYMIND_TAGS": "plan"}
    assert "Dropped tags, which the setting tags does not list: idea" in (
        here(few, "think", "x", "--tags", "PLAN,idea").stdout
    )
    assert answer(env, "think", "y", "--needs-verification", "--verbose-analysis")["verification"]
