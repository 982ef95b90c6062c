"""The GraphQL schema, executed without HTTP."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import pytest
from graphql import (
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLSchema,
    is_enum_type,
    parse,
    validate,
)
from graphql import build_schema as parse_schema

from legacymind import files
from legacymind.doors.graphql.schema import ELSEWHERE, Schema, build_schema, sdl
from legacymind.doors.mcp.server import describe
from legacymind.mind import Mind
from legacymind.model.base import ObservationInput
from tests.agents import build_server
from tests.wire import raw

EXPORT = "run `python -m legacymind.doors.export`"
NO_BUDGET = "Cut the result to about this many tokens. Range: 100 to 10,000,000. Default: no budget."


async def ask(schema: Schema, query: str, /, **variables: Any) -> dict[str, Any]:
    result = await schema.execute(query, variable_values=variables)
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data


async def rejected(schema: Schema, query: str, /, **variables: Any) -> dict[str, Any]:
    """The one error of a request, as clients receive it."""
    result = await schema.execute(query, variable_values=variables)
    assert result.errors is not None
    (error,) = result.errors
    return cast("dict[str, Any]", error.formatted)


def in_python(name: str) -> str:
    """The name of a parameter in Python."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def core(schema: Schema) -> GraphQLSchema:
    return parse_schema(schema.as_str())


@pytest.mark.anyio
async def test_the_exported_schema_is_the_schema(mind: Mind) -> None:
    assert files.text("graphql", "schema.graphql") == build_schema(mind).as_str() + "\n", EXPORT


@pytest.mark.anyio
async def test_each_operation_has_a_tool_a_field_or_its_nodes_and_every_parameter(mind: Mind) -> None:
    schema = core(build_schema(mind))
    query, mutation = schema.query_type, schema.mutation_type
    assert query is not None
    assert mutation is not None
    fields = {in_python(name): field for root in (query, mutation) for name, field in root.fields.items()}
    tools = {tool.name: tool for tool in describe(mind.operations.values(), "full")}
    lists = {
        "sessions",
        "thoughts",
        "entities",
        "observations",
        "actions",
        "chains",
        "authors",
        "timeline",
        "may_write",
        "tags",
        "namespaces",
    }
    nodes = {"thought", "entity", "observation", "session", "action", "chain"} | lists
    assert set(fields) == (set(mind.operations) - ELSEWHERE) | nodes
    assert set(mind.operations) > ELSEWHERE
    assert set(tools) == {operation.declaration.tool for operation in mind.operations.values()}
    assert build_server(mind).name == "legacymind"
    for name, operation in mind.operations.items():
        if name in ELSEWHERE:
            continue
        tool = tools.get(operation.declaration.tool)
        declared = {parameter.name: parameter.help for parameter in operation.parameters}
        if "max_tokens" in declared:
            declared["max_tokens"] = NO_BUDGET
        arguments: Mapping[str, GraphQLArgument | GraphQLInputField] = fields[name].args
        if len(declared.keys() - {"limit", "after"}) > 6:
            assert set(arguments) == {"input"}
            given: Any = arguments["input"]
            arguments = getattr(given.type, "of_type", given.type).fields
        described = {in_python(key): argument.description for key, argument in arguments.items()}
        assert described == {key: text or None for key, text in declared.items()}
        assert fields[name].description == operation.description != ""
        if tool is not None:
            assert set(tool.input_schema["properties"]) == {one.name for one in operation.parameters}
            assert tool.description == operation.description
        root = mutation if operation.declaration.writes else query
        assert fields[name] in root.fields.values()


def test_everything_in_the_schema_has_a_description() -> None:
    def undescribed() -> Iterator[str]:
        for name, kind in parse_schema(files.text("graphql", "schema.graphql")).type_map.items():
            if name.startswith("__"):
                continue
            members: dict[str, Any] = getattr(kind, "fields", {})
            described = {name: kind} | {f"{name}.{key}": one for key, one in members.items()}
            for key, one in members.items():
                arguments: dict[str, Any] = getattr(one, "args", {})
                described |= {f"{name}.{key}({each})": given for each, given in arguments.items()}
            yield from (where for where, one in described.items() if not (one.description or "").strip())

    assert list(undescribed()) == [], "describe it where it is declared, within `Annotated` by `about`"


def test_every_id_has_the_type_of_ids() -> None:
    def others() -> Iterator[str]:
        for name, kind in parse_schema(files.text("graphql", "schema.graphql")).type_map.items():
            if name == "LinksTelemetry":  # states of links by the names of the links
                continue
            for key, one in getattr(kind, "fields", {}).items():
                typed = {f"{name}.{key}": one} | {
                    f"{key}({each})": a for each, a in getattr(one, "args", {}).items()
                }
                named = {
                    where: each
                    for where, each in typed.items()
                    if re.search(r"(\b[iI]d|[a-z]Id|\bids)\)?$", where)
                }
                yield from (where for where, each in named.items() if str(each.type).strip("[]!") != "ID")

    assert list(others()) == [], "annotate it as `Id` of legacymind/model/members.py"


@pytest.mark.anyio
async def test_a_field_that_fails_leaves_the_results_of_the_others(mind: Mind) -> None:
    schema = build_schema(mind)
    query = core(schema).query_type
    assert query is not None
    assert [name for name, field in query.fields.items() if str(field.type).endswith("!")] == []
    result = await schema.execute(
        """{ walkTrail(input: {thoughtId: "nowhere"}) { start }
             searchThoughts(input: {query: "x", after: "none"}) { method } search { method }
             sessions { edges { cursor } } }"""
    )
    assert result.data == {
        **dict.fromkeys(("walkTrail", "searchThoughts")),
        "search": {"method": "LIST"},
        "sessions": {"edges": []},
    }
    assert result.errors is not None
    assert {(error.path or [])[0] for error in result.errors} == {"walkTrail", "searchThoughts"}


def test_no_field_says_what_is_always_so_and_texts_of_closed_lists_are_enums() -> None:
    types = parse_schema(sdl()).type_map
    named = {
        (kind.name, name): str(field.type)
        for kind in types.values()
        if isinstance(kind, GraphQLObjectType | GraphQLInputObjectType)
        for name, field in kind.fields.items()
    }
    assert [key for key in named if key[1] == "success"] == []
    texts = {name for (_, name), kind in named.items() if kind.strip("!") == "String"}
    known = {name for (_, name), kind in named.items() if is_enum_type(types.get(kind.strip("![]")))}
    # A mode or origin may be one that the database holds and the enum has not, a relation's type is free,
    # and a thread's and a trail's verdicts are sentences.
    assert texts & known == {"mode", "origin", "type", "via", "reason"}
    moments = {name for (_, name), kind in named.items() if kind.strip("!") in ("DateTime", "Day")}
    # A span such as `7d` is no date, and the heads' time is part of what is signed.
    assert {name for name in texts if name.endswith("At") or name.startswith("date")} == {
        "expiresAt",
        "exportedAt",
    }
    assert {"dateFrom", "dateTo", "createdAt"} <= moments


@pytest.mark.anyio
async def test_every_example_runs(mind: Mind) -> None:
    schema = build_schema(mind)
    examples = {
        path.stem: path.read_text("utf-8") for path in files.path("graphql", "operations").rglob("*.graphql")
    }
    assert set(examples) >= set(mind.operations) - ELSEWHERE
    known = await ask(
        schema,
        examples["remember"],
        entities=[{"name": "Kiln", "entityType": "tool", "data": {"heat": [1, 2.5, None]}}],
        observations=[{"entity": "kiln", "content": "the kiln is blue", "validFrom": "2026-01-02T03:04:05Z"}],
        relations=[{"sourceEntity": "Kiln", "type": "stands in", "targetEntity": "Shed"}],
    )
    assert known["remember"]["created"] == 4
    stored = await ask(
        schema,
        examples["think"],
        input={"content": "The blue kiln is cold.", "sessionId": "kiln", "verboseAnalysis": True},
    )
    thought = stored["think"]
    assert thought["chained"] is True
    assert thought["memories"][0]["kind"] in {"ENTITY", "OBSERVATION"}
    assert thought["memories"][0]["parts"]["similarity"] > 0
    found = await ask(schema, examples["search"], query="blue kiln", kinds=["THOUGHT"])
    assert [one["kind"] for one in found["search"]["hits"]] == ["THOUGHT"]
    trail = await ask(schema, examples["walk_trail"], thoughtId=thought["delegatedResult"]["thoughtId"])
    assert {one["via"] for one in trail["walkTrail"]["steps"]} >= {"RECALLS"}
    thought_id = thought["delegatedResult"]["thoughtId"]
    recall = await ask(schema, examples["explain_recall"], thoughtId=thought_id)
    assert recall["explainRecall"]["memories"][0]["parts"].items() >= thought["memories"][0]["parts"].items()
    brought = await ask(schema, examples["recall"], content="Is the blue kiln cold?", sessionId="kiln")
    assert thought_id in [memory["id"] for memory in brought["recall"]["memories"]]
    planned = (await ask(schema, examples["forget"], subject="Kiln"))["forget"]
    assert planned["done"] is False
    assert {"kind": "ENTITY", "count": 1} in [
        {name: one[name] for name in ("kind", "count")} for one in planned["counts"]
    ]
    merged = (await ask(schema, examples["merge"], keep="kiln", others=["shed"]))["merge"]
    assert (merged["kept"]["name"], [one["relations"] for one in merged["merged"]]) == ("Kiln", [0])
    alike = (await ask(schema, examples["duplicates"], minScore=0))["duplicates"]
    assert [(one["first"]["name"], one["second"]["name"]) for one in alike["pairs"]] == [("Kiln", "Shed")]
    kiln = known["remember"]["entities"][0]["id"]
    related = await ask(schema, examples["relate_thought"], thoughtId=thought_id, targetId=kiln)
    assert related["relateThought"] == {"type": "REFERENCES", "targetKind": "ENTITY", "created": True}
    pinned = await ask(schema, examples["pin_thought"], thoughtId=thought_id)
    assert pinned["pinThought"] == {"pinned": True, "changed": True}
    hums = ObservationInput(entity="Kiln", content="It hums.")
    told = await mind.remember(observations=[hums], origin="web")
    fact = told.observations[0].id
    touched = (await ask(schema, examples["touched"], id=fact))["touched"]
    assert [(one["saidBy"], one["way"]) for one in touched["items"]] == [("outside, via python", "MADE")]
    taken = (await ask(schema, examples["quarantine"], ids=[fact]))["quarantine"]
    assert (taken["taken"], taken["done"], taken["ask"]) == (1, True, None)
    assert (await ask(schema, examples["release"], step=taken["step"]))["release"] == {"released": 1}
    confirmed = (await ask(schema, examples["confirm"], id=fact))["confirm"]
    assert confirmed["saidBy"] == "outside, via python, confirmed by the user"
    stuck = await ask(
        schema,
        examples["think"],
        input={"content": "stuck: TypeError", "hint": "STUCK", "sessionId": "kiln"},
    )
    batch = await ask(
        schema,
        examples["think_batch"],
        thoughts=[{"content": "Glaze it.", "chainId": "c", "parentId": thought_id}],
        sessionId="kiln",
    )
    trees = await ask(schema, examples["thought_tree"], sessionId="kiln", includeChildren=True)
    (child,) = trees["thoughtTree"]["tree"][0]["children"]
    assert (child["content"], child["childCount"], child["children"]) == ("Glaze it.", 0, [])
    outcome = await ask(
        schema,
        examples["record_outcome"],
        thoughtId=batch["thinkBatch"]["thoughts"][0]["thoughtId"],
        outcome="success",
    )
    problem = stuck["think"]["delegatedResult"]["thoughtId"]
    assert outcome["recordOutcome"]["solves"] == [problem]
    talk = await ask(
        schema,
        "mutation ($input: ThinkInput!) { think(input: $input) { verification { supporting { text } } } }",
        input={"content": "Hm.", "sessionId": "kiln", "hypothesis": "the kiln is blue"},
    )
    assert talk["think"]["verification"]["supporting"][0]["text"] == "the kiln is blue"
    listed = await ask(schema, examples["search_thoughts"], query="the blue kiln is cold")
    assert listed["searchThoughts"]["hits"][0]["id"] == thought_id
    assert listed["searchThoughts"]["hits"][0]["parts"]["words"] > 0
    facets = await ask(schema, examples["search_facets"], query="kiln", kinds=["THOUGHT"])
    assert facets["searchFacets"]["sessions"][0]["value"] == "kiln"
    context = await ask(schema, examples["context"], query="kiln", sessionId="kiln")
    assert [one["id"] for one in context["context"]["pinned"]] == [thought_id]


@pytest.mark.anyio
async def test_the_example_of_communities_runs_after_an_analysis(mind: Mind) -> None:
    schema = build_schema(mind)
    await ask(schema, THINK, content="The blue kiln is cold.")
    await mind.analyze()
    example = files.text("graphql", "operations", "maintain", "communities.graphql")
    run = await ask(schema, example)
    assert run["communities"]["communityCount"] + run["communities"]["unassigned"] == 1


@pytest.mark.anyio
async def test_results_have_no_token_budget_unless_one_is_sent(mind: Mind) -> None:
    schema = build_schema(mind)
    long = [f"The kiln {number} fires slowly. " * 120 for number in range(6)]
    thoughts = [{"content": text} for text in long[:5]]
    batch = (
        'mutation ($thoughts: [ThoughtInput!]!) { thinkBatch(thoughts: $thoughts, sessionId: "k") { count } }'
    )
    await ask(schema, batch, thoughts=thoughts)
    listed = """query ($budget: Int) {
      search(input: {sessionId: "k", maxTokens: $budget}) { hits { id } leftOut } }"""
    read = (await ask(schema, listed))["search"]
    assert (len(read["hits"]), read["leftOut"]) == (5, 0)
    assert (await ask(schema, listed, budget=200))["search"]["leftOut"] > 0
    stored = await ask(
        schema,
        "mutation ($input: ThinkInput!) { think(input: $input) { leftOut memories { text } } }",
        input={"content": long[5], "sessionId": "other", "injectionScale": 1},
    )
    assert stored["think"]["leftOut"] == 0
    assert {one["text"] for one in stored["think"]["memories"][:3]} < set(long)


@pytest.mark.anyio
async def test_enums_are_upper_case_both_ways(mind: Mind) -> None:
    schema = build_schema(mind)
    stored = await ask(
        schema,
        """mutation {
          think(input: {content: "x", submode: PROBLEM_SOLVING}) { delegatedResult { thoughtId } } }""",
    )
    walked = await ask(
        schema,
        "query ($id: ID!) { walkTrail(input: {thoughtId: $id, direction: BOTH}) { direction } }",
        id=stored["think"]["delegatedResult"]["thoughtId"],
    )
    assert walked["walkTrail"]["direction"] == "BOTH"


@pytest.mark.anyio
async def test_a_stored_text_that_no_enum_has_is_null(mind: Mind) -> None:
    schema = build_schema(mind)
    think = """mutation ($input: ThinkInput!) {
      think(input: $input) { delegatedResult { thoughtId } memories { id via } } }"""
    await ask(schema, think, input={"content": "copper kettle litres", "hint": "DEBUG", "sessionId": "a"})
    sent = {"content": "copper kettle litres boil", "sessionId": "b", "idempotencyKey": "k", "hint": "PLAN"}
    stored = (await ask(schema, think, input=sent))["think"]
    (memory,) = stored["memories"]
    ids = {"id": stored["delegatedResult"]["thoughtId"], "memory": memory["id"]}
    document = """query ($id: ID!, $memory: ID!) {
      search(input: {query: "kettle"}) { hits { mode } order method }
      memory: thought(id: $memory) { mode }
      thought(id: $id) { mode recalls { edges { via } } }
      explainRecall(thoughtId: $id) { mode memories { via pruned } } }"""

    def shown(mode: str | None, via: str | None) -> dict[str, Any]:
        return {
            "memory": {"mode": mode},
            "thought": {"mode": "PLAN", "recalls": {"edges": [{"via": via}]}},
            "explainRecall": {"mode": "PLAN", "memories": [{"via": via, "pruned": False}]},
        }

    for mode, via in (("DEBUG", "VECTOR"), (None, None)):
        assert (await ask(schema, think, input=sent))["think"]["memories"] == [
            {"id": memory["id"], "via": via}
        ]
        found = await ask(schema, document, **ids)
        search = found.pop("search")
        assert {hit["mode"] for hit in search["hits"]} == {"PLAN", mode}
        assert (search["order"], search["method"]) == ("RELEVANCE", "GRAPH")
        assert found == shown(mode, via)
        by_hand = "MATCH ({id: $id})-[r:RECALLS]->(m) SET m.mode = 'dreaming', r.via = 'by hand'"
        await raw(mind, by_hand, id=ids["id"])


@pytest.mark.anyio
async def test_many_arguments_come_as_an_object_that_has_what_the_operation_requires(mind: Mind) -> None:
    schema = build_schema(mind)
    fields = "{ links { sessionId confidence } }"
    query = f"mutation ($input: ThinkInput!) {{ think(input: $input) {fields} }}"
    given = {"content": "x", "sessionId": "s", "confidence": 0.5, "hint": None, "tags": None}
    assert (await ask(schema, query, input=given))["think"]["links"] == {"sessionId": "s", "confidence": 0.5}
    for document, missing in (
        (f"mutation {{ think {fields} }}", "input"),
        (f"mutation {{ think(input: {{}}) {fields} }}", "content"),
        ("{ thoughtTree(limit: null) { count } }", "sessionId"),
        ('{ search(query: "x") { method } }', "query"),
        ("{ searchThoughts(input: {kinds: [THOUGHT]}) { method } }", "kinds"),
    ):
        error = await rejected(schema, document)
        assert (error["extensions"], missing in error["message"]) == ({"code": "invalid_input"}, True), error
    assert (await ask(schema, "{ search { hits { id } } }"))["search"]["hits"]


THINK = "mutation ($content: String!) { think(input: {content: $content}) { reason } }"
RECALL = "query ($content: String!) { recall(input: {content: $content}) { reason } }"
SEARCH = "query ($query: String!) { search(input: {query: $query}) { method } }"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("query", "variables", "code", "message"),
    [
        (THINK, {"content": ""}, "invalid_input", "content is empty"),
        (RECALL, {"content": ""}, "invalid_input", "content is empty"),
        (RECALL, {"content": "x" * 200_000}, "invalid_input", "content"),
        (THINK, {"content": "x" * 200 * 1024}, "invalid_input", "204,800 bytes"),
        (THINK, {"content": "a \ud800 surrogate"}, "invalid_input", "content"),
        (THINK, {"content": 5}, "invalid_input", "String cannot represent"),
        (THINK, {}, "invalid_input", "content"),
        (
            'mutation { think(input: {content: "x", colour: "red"}) { reason } }',
            {},
            "invalid_input",
            "colour",
        ),
        (
            '{ search(input: {limit: "many"}) { method } }',
            {},
            "invalid_input",
            "Int cannot represent",
        ),
        (
            'query ($time: DateTime) { search(input: {query: "x", asOf: $time}) { method } }',
            {"time": "soon"},
            "invalid_input",
            "DateTime",
        ),
        ('{ search(input: {query: "x", kinds: [DREAM]}) { method } }', {}, "invalid_input", "DREAM"),
        ("mutation { remember { created } }", {}, "invalid_input", "nothing to remember"),
        ('{ walkTrail(input: {thoughtId: "thoughts:nowhere"}) { start } }', {}, "not_found", "nowhere"),
        ("{ forgetEverything }", {}, "invalid_input", "forgetEverything"),
        ("{ search(", {}, "invalid_input", "Syntax Error"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_invalid_input_returns_a_code_and_a_message_and_the_next_request_works(
    mind: Mind,
    query: str,
    variables: dict[str, Any],
    code: str,
    message: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    schema = build_schema(mind)
    error = await rejected(schema, query, **variables)
    assert error["extensions"] == {"code": code}
    assert message in error["message"]
    assert len(error["message"]) < 1000
    assert error["locations"][0]["line"] == 1
    assert caplog.text == ""
    assert (await ask(schema, SEARCH, query="anything"))["search"]["method"] == "GRAPH"


@pytest.mark.anyio
async def test_an_unexpected_failure_reveals_nothing_but_is_in_the_log(
    mind: Mind,
    break_operation: Callable[[Mind, str, Exception], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    break_operation(mind, "search", RuntimeError("secret at /home/me"))
    schema = build_schema(mind)
    with caplog.at_level(logging.ERROR):
        error = await rejected(schema, SEARCH, query="a private question")
    assert error["extensions"] == {"code": "internal"}
    assert "secret" not in error["message"]
    assert "secret at /home/me" in caplog.text
    assert "a private question" not in caplog.text
    assert "count" not in caplog.text
    assert (await ask(schema, THINK, content="The next one."))["think"]["reason"]


@pytest.mark.anyio
async def test_a_failing_field_does_not_affect_the_others(mind: Mind) -> None:
    result = await build_schema(mind).execute(
        """mutation {
          good: think(input: {content: "x"}) { reason } bad: think(input: {content: ""}) { reason } }"""
    )
    assert result.errors is not None
    assert [error.path for error in result.errors] == [["bad"]]
    assert result.data is not None
    assert result.data["bad"] is None
    assert result.data["good"]["reason"]  # the acknowledgement of what was stored


@pytest.mark.anyio
async def test_a_schema_can_be_built_twice_and_introspected(mind: Mind) -> None:
    build_schema(mind)
    data = await ask(build_schema(mind), "{ __schema { queryType { name } mutationType { name } } }")
    assert data["__schema"]["mutationType"] == {"name": "Mutation"}


def test_every_example_is_valid_and_has_a_comment() -> None:
    schema = parse_schema(files.text("graphql", "schema.graphql"))
    for path in files.path("graphql", "operations").rglob("*.graphql"):
        text = path.read_text("utf-8")
        assert text.startswith("# "), path
        assert len(parse(text).definitions) == 1
        assert validate(schema, parse(text)) == [], path
