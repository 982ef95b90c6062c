"""Limits on GraphQL documents, through a schema whose operations are not called."""

import sys

import pytest
from graphql import get_introspection_query
from strawberry.types import ExecutionResult

from legacymind.doors.graphql.cost import MAX_FIELDS
from legacymind.doors.graphql.limits import MAX_TOKENS, judge_of
from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def schema() -> Schema:
    return build_schema(Mind(Settings()))


async def rejected(schema: Schema, document: str) -> str:
    """The messages of a request that is not executed."""
    result = await schema.execute(document)
    assert isinstance(result, ExecutionResult)
    assert result.errors is not None
    assert {error.extensions["code"] for error in result.errors if error.extensions} == {"invalid_input"}
    assert result.data is None
    return "; ".join(error.message for error in result.errors)


def doubling(levels: int, last: str) -> str:
    """Fragments that each spread the next one twice: 2 to the power of ``levels`` times the last."""
    spreads = [f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(levels)]
    return " ".join(["query { ...F0 }", *spreads, f"fragment F{levels} on Query {{ {last} }}"])


@pytest.mark.parametrize("last", ["__typename", "a: __typename", "...Unknown", "...F0", "a { b { c } }"])
async def test_doubling_fragments_are_judged(schema: Schema, last: str) -> None:
    # A walk of every spread would never end.
    assert await rejected(schema, doubling(60, last))


async def test_fragments_count_at_each_use(schema: Schema) -> None:
    levels = [
        f"fragment F{n} on __Type {{ a: ofType {{ ...F{n + 1} }} b: ofType {{ ...F{n + 1} }} }}"
        for n in range(9)
    ]
    document = " ".join(['{ __type(name: "Query") { ...F0 } }', *levels, "fragment F9 on __Type { name }"])
    assert f"more than {MAX_FIELDS:,} fields" in await rejected(schema, document)


async def test_introspection_is_within_the_limits(schema: Schema) -> None:
    result = await schema.execute(get_introspection_query())
    assert result.errors is None


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{ ...Nowhere }", "Unknown fragment 'Nowhere'"),
        ("query A { ...F } fragment F on Query { ...F }", "within itself"),
        ("query A { ...F } fragment F on Nothing { a }", "Unknown type 'Nothing'"),
        (f"{{ {'__typename ' * MAX_TOKENS} }}", "1000 tokens"),
        ("{a" * 300 + "}" * 300, "nested too deeply"),
        ("{search(input: {query:" + "[" * 300 + "]" * 300 + "}){count}}", "nested too deeply"),
        ('{ search(input: {query: "x"}) { ' + "hits { rank } " * 240 + "} }", "Validation aborted"),
        ("{ " + " ".join(f"searches{n}" for n in range(400)) + " }", "Too many validation errors"),
        ('{ __typename @include(if: "\ud800") }', "Syntax Error"),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode(),
)
async def test_a_document_beyond_a_limit_is_a_validation_error(
    schema: Schema, document: str, message: str
) -> None:
    assert message in await rejected(schema, document)


@pytest.mark.parametrize(
    "document",
    [
        doubling(60, "__typename"),
        "{ " + "__typename " * (MAX_TOKENS - 10) + "}",
        "{ " + " ".join(f"{'s' * 60}{n}" for n in range(900)) + " }",
        "{ " + " ".join(f"{'s' * 6_000}{n}" for n in range(10)) + " }",
        " ".join(f"query Q{n} {{ ...F }}" for n in range(150)) + " fragment F on Query { __typename }",
        "{ "
        + " ".join(f"...F{n}" for n in range(100))
        + " }"
        # each spread is compared with each other one
        + " ".join(f"fragment F{n} on Query {{ __typename }}" for n in range(100)),
        "mutation { think(input: {" + " ".join(f"a{n}: {n}" for n in range(300)) + "}) { modeSelected } }",
        "#" * 60_000 + "\n{ __typename }",
    ],
    ids=["doubling", "equal", "unknown", "long", "operations", "fragments", "arguments", "comment"],
)
def test_any_document_is_judged_in_ten_times_the_steps_of_introspection(
    schema: Schema, document: str
) -> None:
    judge = judge_of(schema._schema)  # pyright: ignore[reportPrivateUsage]

    def steps(text: str) -> int:
        calls = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            judge(text)
        finally:
            sys.setprofile(before)
        return calls

    assert steps(document) <= 10 * steps(get_introspection_query())


def test_only_short_documents_stay_in_memory(schema: Schema) -> None:
    judge = judge_of(schema._schema)  # pyright: ignore[reportPrivateUsage]
    long = "{ __typename } #" + "x" * 4096
    assert judge("{ __typename }") is judge("{ __typename }")
    assert judge(long) is not judge(long)
    assert judge(long).errors == ()


@pytest.mark.parametrize(
    ("document", "variables", "items"),
    [
        (
            "{ sessions(first: 100) { edges { node { thoughts(first: 100) { edges { cursor } } } } } }",
            {},
            10_100,
        ),
        (
            "{ all: sessions(first: 100) { edges { node { facets { tags { value } } } } } }",
            {},
            10_100,
        ),
        (
            "query ($n: Int) { sessions(first: $n) { edges { node { thoughts(first: $n) { edges { node { "
            "recalls { edges { node { id } } } } } } } } } }",
            {"n": 99},
            99 * (1 + 99 * (1 + 10)),
        ),
        (
            "query ($n: Int = 90) { sessions(first: $n) { edges { ...E } } } "
            "fragment E on SessionEdge { node { ...S ...S } } "
            "fragment S on Session { thoughts(first: 50) { edges { node { ... on Node { id } } } } }",
            {},
            90 * (1 + 2 * 50),
        ),
    ],
    ids=["pages", "facets", "variables", "fragments"],
)
async def test_an_operation_that_may_read_too_many_items_is_a_validation_error(
    schema: Schema, document: str, variables: dict[str, int], items: int
) -> None:
    result = await schema.execute(document, variable_values=variables)
    assert result.data is None
    assert result.errors is not None
    (error,) = result.errors
    assert error.extensions == {"code": "invalid_input"}
    assert f"may read {items:,} items" in error.message
    assert error.locations is not None


async def test_several_operations_need_the_name_of_one(schema: Schema) -> None:
    document = "query A { a: __typename } query B { b: __typename }"
    unnamed = await schema.execute(document)
    assert unnamed.data is None
    assert unnamed.errors is not None
    assert "operationName" in unnamed.errors[0].message
    assert unnamed.errors[0].extensions == {"code": "invalid_input"}
    assert (await schema.execute(document, operation_name="B")).data == {"b": "Query"}


@pytest.mark.parametrize(("first", "asked"), [(101, "101"), (1_000_000, "1,000,000"), (-1, "-1")])
async def test_a_size_out_of_range_is_refused_before_anything_is_read(
    schema: Schema, first: int, asked: str
) -> None:
    for document in (
        f"query ($n: Int) {{ actions(first: {first}) {{ __typename }} tags(first: $n) {{ __typename }} }}",
        "query ($n: Int) { sessions { edges { node { thoughts(first: $n) { edges { cursor } } } } } }",
    ):
        result = await schema.execute(document, {"n": first})
        assert result.data is None
        assert result.errors is not None
        (error,) = result.errors
        assert error.extensions == {"code": "invalid_input"}
        assert f"first is {asked}; pages have 0 to 100 items." in error.message
