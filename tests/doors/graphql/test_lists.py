"""Lists of nodes over a namespace, with an order and filters, and the node that a thought became."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.steps import own_namespace, store_thought

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def schema(engine_settings: Settings) -> AsyncIterator[tuple[Schema, Mind]]:
    """Three sessions, whose order in time is not that of their ids, and knowledge about two entities."""
    async with own_namespace(engine_settings) as mind:
        for number, (session, author) in enumerate([("c", "Ada"), ("a", "Bo"), ("b", "Ada"), ("a", "Ada")]):
            await store_thought(
                mind,
                f"remark {number}",
                session_id=session,
                author=author,
                created_at=f"2026-03-0{number + 1}T10:00:00Z",
            )
        await store_thought(
            mind, "a secret", session_id="b", author="Cy", is_private=True, created_at="2026-03-09T10:00:00Z"
        )
        await mind.operations["remember"].call({"entities": [{"name": "Kettle", "entity_type": "tool"}]})
        for entity, content in (("Kettle", "it leaks"), ("Kettle", "it shines"), ("Ada", "she is here")):
            await mind.operations["remember"].call({"observations": [{"entity": entity, "content": content}]})
        yield build_schema(mind), mind


async def listed(schema: Schema, field: str, key: str, first: int) -> list[Any]:
    """All items of a list, read in pages."""
    name, _, arguments = field.partition("(")
    given = f"{arguments.rstrip(')')} first: {first}, after: $after"
    document = f"""query ($after: String) {{ page: {name}({given}) {{
      edges {{ cursor node {{ {key} }} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
    seen, after = list[Any](), None
    while True:
        result = await schema.execute(document, {"after": after})
        assert result.errors is None, result.errors
        assert result.data is not None
        page = result.data["page"]
        seen += [edge["node"][key] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return seen


@pytest.mark.parametrize("first", [1, 2, 50])
@pytest.mark.parametrize(
    ("field", "key", "expected"),
    [
        ("sessions()", "databaseId", ["a", "b", "c"]),
        ("sessions(order: LATEST)", "databaseId", ["a", "b", "c"]),
        ('sessions(order: LATEST, ownSessionId: "b")', "databaseId", ["b", "a", "c"]),
        ('sessions(author: "Bo")', "databaseId", ["a"]),
        ('sessions(order: LATEST, author: "Ada")', "databaseId", ["a", "b", "c"]),
        ('sessions(author: "Cy")', "databaseId", []),
        ('sessions(author: "Cy", ownSessionId: "b")', "databaseId", ["b"]),
        ("thoughts()", "content", ["remark 3", "remark 2", "remark 1", "remark 0"]),
        ("thoughts(order: CREATED_AT_ASC)", "content", ["remark 0", "remark 1", "remark 2", "remark 3"]),
        ('thoughts(filter: {author: "Bo"})', "content", ["remark 1"]),
        ('thoughts(filter: {sessionId: "b"})', "content", ["a secret", "remark 2"]),
        (
            'thoughts(filter: {dateFrom: "2026-03-02", dateTo: "2026-03-03"})',
            "content",
            ["remark 2", "remark 1"],
        ),
        ("entities()", "name", ["Ada", "Kettle"]),
        ('entities(entityType: "tool")', "name", ["Kettle"]),
        ("observations()", "content", ["she is here", "it shines", "it leaks"]),
        ("observations(order: CREATED_AT_ASC)", "content", ["it leaks", "it shines", "she is here"]),
        ('observations(about: ["Kettle"])', "content", ["it shines", "it leaks"]),
    ],
)
async def test_a_list_has_what_passes_its_filters_in_its_order(
    schema: tuple[Schema, Mind], field: str, key: str, expected: list[str], first: int
) -> None:
    assert await listed(schema[0], field, key, first) == expected


async def test_think_leads_to_the_thought_that_it_stored(schema: tuple[Schema, Mind]) -> None:
    document = """mutation ($input: ThinkInput!) { think(input: $input) { delegatedResult { thoughtId }
      thought { id databaseId namespace content session { databaseId } follows { content } } } }"""
    for sent in (
        {"content": "boil", "sessionId": "new"},
        {"content": "boil again", "sessionId": "new", "isPrivate": True},
        {"content": "outside"},
    ):
        result = await schema[0].execute(document, {"input": sent})
        assert result.errors is None, result.errors
        assert result.data is not None
        stored = result.data["think"]
        thought = stored["thought"]
        assert thought["databaseId"] == stored["delegatedResult"]["thoughtId"]
        assert (thought["content"], thought["namespace"]) == (sent["content"], schema[1].settings.namespace)
        assert thought["session"] == ({"databaseId": "new"} if "sessionId" in sent else None)
        again = await schema[0].execute(
            "query ($id: ID!) { node(id: $id) { databaseId } }", {"id": thought["id"]}
        )
        assert again.data == {"node": {"databaseId": thought["databaseId"]}}
