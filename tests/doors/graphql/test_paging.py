"""Operations that answer in pages: their connections give each item once, in order, from any cursor."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.composition import declared_operations
from legacymind.doors.graphql.paging import items_of, paging_of
from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.steps import bare, own_namespace, think

pytestmark = pytest.mark.anyio

SIZE = 7


@pytest.fixture(scope="module")
async def world(engine_settings: Settings) -> AsyncIterator[tuple[Mind, dict[str, str]]]:
    """Seven thoughts, each under the first, that led to an action, and seven entities."""
    async with own_namespace(engine_settings) as mind:
        await mind.operations["remember"].call({"entities": [{"name": f"Kettle {n}"} for n in range(SIZE)]})
        ids = list[str]()
        for number in range(SIZE):
            thought = await think(
                mind,
                f"the copper kettle number {number}",
                session_id="kitchen",
                action_id="tea",
                chain_id="breakfast",
                injection_scale=5,
            )
            ids.append(bare(thought))
        given = {"first": f'thoughtId: "{ids[0]}"', "last": f'thoughtId: "{ids[-1]}"'}
        yield mind, given


LISTS = {
    "search": 'search(input: {query: "kettle"} PAGE)',
    "listed": "search(PAGE)",
    "searchThoughts": 'searchThoughts(input: {query: "kettle", method: TEXT} PAGE)',
    "thread": 'thoughtsThread(chainId: "breakfast", PAGE)',
    "trail": "walkTrail(input: {first, direction: FORWARD, depth: 9} PAGE)",
    "explain": "explainRecall(input: {last} PAGE)",
    "tree": 'thoughtTree(sessionId: "kitchen" PAGE)',
    "action": 'thoughtForAction(actionId: "tea" PAGE)',
    "entities": "listEntities(PAGE)",
}


async def page(schema: Schema, field: str, first: int, after: str | None) -> dict[str, Any]:
    sized = field.replace("PAGE", "first: $first, after: $after")
    key = "thoughtId" if field.startswith(("thoughtTree", "thoughtForAction")) else "databaseId"
    document = f"""query ($first: Int, $after: String) {{ page: {sized} {{
      edges {{ cursor node {{ id: {key} }} }}
      pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }}"""
    result = await schema.execute(document, {"first": first, "after": after})
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data["page"]


@pytest.mark.parametrize("name", LISTS)
async def test_pages_of_any_size_give_each_item_once_and_every_cursor_continues_after_its_item(
    world: tuple[Mind, dict[str, str]], name: str
) -> None:
    mind, given = world
    schema = build_schema(mind)
    field = LISTS[name]
    for key, text in given.items():
        field = field.replace(f"{{{key}", f"{{{text}")
    whole = await page(schema, field, 100, None)
    expected = [edge["node"]["id"] for edge in whole["edges"]]
    assert len(expected) >= 3
    assert len(set(expected)) == len(expected)
    assert whole["pageInfo"]["hasNextPage"] is False
    for size in (1, 3):
        seen, after = list[str](), None
        while True:
            read = await page(schema, field, size, after)
            seen += [edge["node"]["id"] for edge in read["edges"]]
            info = read["pageInfo"]
            assert info["hasPreviousPage"] is (after is not None)
            assert info["endCursor"] == (read["edges"][-1]["cursor"] if read["edges"] else None)
            if not info["hasNextPage"]:
                break
            after = info["endCursor"]
        assert seen == expected
    for place, edge in enumerate((await page(schema, field, 3, None))["edges"], 1):
        rest = await page(schema, field, 2, edge["cursor"])
        assert [one["node"]["id"] for one in rest["edges"]] == expected[place : place + 2]
    assert (await page(schema, field, 0, None))["edges"] == []


async def test_a_cursor_of_other_arguments_is_refused(world: tuple[Mind, dict[str, str]]) -> None:
    mind, _ = world
    schema = build_schema(mind)
    cursor = (await page(schema, "listEntities(PAGE)", 2, None))["pageInfo"]["endCursor"]
    for field in (
        'listEntities(entityType: "tool", after: $c)',
        "search(after: $c)",
        "communities(after: $c)",
    ):
        result = await schema.execute(
            f"query ($c: String) {{ {field} {{ pageInfo {{ endCursor }} }} }}", {"c": cursor}
        )
        assert result.errors is not None
        assert [(error.extensions or {})["code"] for error in result.errors] == ["invalid_input"]


async def test_lists_beside_each_other_are_paged_by_the_same_arguments(
    world: tuple[Mind, dict[str, str]],
) -> None:
    mind, given = world
    document = f"""query ($after: String) {{
      thoughtReasoningTrail(actionId: "tea", first: 3, after: $after) {{
        trails {{ thoughtId }} pageInfo {{ hasNextPage endCursor }} }}
      thoughtsLinks({given["first"]}) {{ followedBy {{ count ids }} pageInfo {{ hasNextPage }} }} }}"""
    seen, after = list[str](), None
    while True:
        result = await build_schema(mind).execute(document, {"after": after})
        assert result.errors is None, result.errors
        assert result.data is not None
        read = result.data["thoughtReasoningTrail"]
        seen += [trail[-1]["thoughtId"] for trail in read["trails"]]
        after = read["pageInfo"]["endCursor"]
        if not read["pageInfo"]["hasNextPage"]:
            break
    assert len(set(seen)) == len(seen) == SIZE


def test_every_operation_with_pages_has_the_one_style() -> None:
    operations = declared_operations()
    with_pages = {
        operation.name
        for operation in operations.values()
        if {"offset", "cursor", "after"} & {one.name for one in operation.parameters}
    }
    # A signature covers the whole result of chain_heads.
    assert {name for name in with_pages if paging_of(operations[name]) is None} == {"chain_heads"}
    lists = {name for name in with_pages - {"chain_heads"} if items_of(operations[name].returns)}
    assert with_pages - lists == {
        *("chain_heads", "thoughts_links", "entity", "duplicates", "thought_reasoning_trail")
    }
