"""Lists of nodes over a namespace, with an order and filters, and the node that a thought became."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.operations.pages import LAST_SECOND
from legacymind.services.nodes import lists
from legacymind.services.nodes.lists import LIST_LATEST_SESSIONS
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import own_namespace, store_thought
from tests.wire import noted_statements, profiled_hits

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
        closed = {
            "entity": "Kettle",
            "content": "it is new",
            "valid_from": "2025-01-01",
            "valid_to": "2026-01-01",
        }
        owned = {"source_entity": "Kettle", "type": "OWNED_BY", "target_entity": "Ada"}
        await mind.operations["remember"].call({"observations": [closed], "relations": [owned]})
        for entity, content in (("Kettle", "it leaks"), ("Kettle", "it shines"), ("Ada", "she is here")):
            await mind.operations["remember"].call({"observations": [{"entity": entity, "content": content}]})
        yield build_schema(mind), mind


async def listed(schema: Schema, field: str, key: str, first: int) -> list[Any]:
    """All items of a list, read in pages."""
    name, _, arguments = field.partition("(")
    given = f"{arguments.rstrip(')')} first: {first}, after: $after"
    document = f"""query ($after: String) {{ page: {name}({given}) {{
      edges {{ node {{ {key} }} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
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
        ("sessions()", "name", ["a", "b", "c"]),
        ("sessions(order: LATEST)", "name", ["a", "b", "c"]),
        ('sessions(order: LATEST, ownSessionId: "b")', "name", ["b", "a", "c"]),
        ('sessions(filter: {author: "Bo"})', "name", ["a"]),
        ('sessions(filter: {author: " ", text: ""})', "name", ["a", "b", "c"]),
        ('sessions(order: LATEST, filter: {author: "Ada"})', "name", ["a", "b", "c"]),
        (
            'sessions(order: LATEST, ownSessionId: "b", filter: {author: "Ada"})',
            "name",
            ["b", "a", "c"],
        ),
        ('sessions(ownSessionId: "b", filter: {author: "Ada"})', "name", ["a", "b", "c"]),
        ('sessions(filter: {author: "Cy"})', "name", []),
        ('sessions(filter: {author: "Cy"}, ownSessionId: "b")', "name", ["b"]),
        ('sessions(filter: {text: "REMARK 1"})', "name", ["a"]),
        ('sessions(filter: {text: "remark 3"})', "name", ["a"]),
        ('sessions(filter: {text: "secret"})', "name", []),
        ('sessions(filter: {text: "secret"}, ownSessionId: "b")', "name", ["b"]),
        ('sessions(order: LATEST, filter: {text: "B"})', "name", ["b"]),
        ('sessions(order: LATEST, filter: {text: "remark", author: "Bo"})', "name", ["a"]),
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


@pytest.mark.parametrize("first", [1, 2, 50])
@pytest.mark.parametrize(("own", "expected"), [("", ["a", "b", "c"]), ("b", ["b", "a", "c"])])
async def test_many_sessions_are_found_from_the_latest_thought_on_in_the_same_order(
    schema: tuple[Schema, Mind], monkeypatch: pytest.MonkeyPatch, own: str, expected: list[str], first: int
) -> None:
    monkeypatch.setattr(lists, "FEW", 0)
    field = f'sessions(order: LATEST, ownSessionId: "{own}")'
    assert await listed(schema[0], field, "name", first) == expected


@pytest.mark.slow
async def test_the_latest_of_many_sessions_are_found_without_reading_the_others(
    engine_settings: Settings,
) -> None:
    header = {"kind": "header", "format": "legacymind", "version": 1}
    async with own_namespace(engine_settings) as mind:
        await mind.import_lines(
            json.dumps(line)
            for line in (
                header,
                *(
                    {
                        "kind": "thought",
                        "id": f"{mind.settings.namespace}-{number}",
                        "session_id": f"session {number}",
                        "content": "x",
                        "created_at": f"2026-03-01T10:{number}:00Z",
                        "injection_scale": 0,
                    }
                    for number in range(10, 60)
                ),
            )
        )
        given = {
            "namespace": mind.settings.namespace,
            "own_session": "",
            "author": None,
            "text": None,
            "by_id": False,
            "after": [-LAST_SECOND, 0, ""],
            "take": 3,
        }
        few, all_read = [
            await profiled_hits(mind, LIST_LATEST_SESSIONS, {**given, "few": most}) for most in (10, 1_000)
        ]
    assert few < all_read / 2


async def test_sessions_of_the_same_moment_are_each_on_one_page(
    engine_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "FEW", 0)
    async with own_namespace(engine_settings) as mind:
        for session in "dbca":
            await store_thought(mind, session_id=session, created_at="2026-03-01T10:00:00Z")
        found = await listed(build_schema(mind), "sessions(order: LATEST)", "name", 1)
    assert found == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("sessions", 3),
        ("sessions(first: 1, order: LATEST)", 3),
        ('sessions(filter: {author: "Bo"})', None),
        ("entities(first: 1)", 2),
        ('entities(entityType: "Tool")', 1),
        ('entities(asOf: "2020-01-01T00:00:00Z")', 0),
        ("observations(first: 0)", 3),
        ('observations(about: ["Kettle"])', None),
    ],
)
async def test_a_list_says_how_many_items_it_has_where_that_is_cheap(
    schema: tuple[Schema, Mind], field: str, expected: int | None
) -> None:
    result = await schema[0].execute(f"{{ page: {field} {{ totalCount }} }}")
    assert result.errors is None
    assert result.data == {"page": {"totalCount": expected}}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('since: "2026-03-02"', {"2026-03-02": 1, "2026-03-03": 1, "2026-03-04": 1}),
        ('since: "2026-03-01", ownSessionId: "b", unit: MONTH', {"2026-03-01": 5}),
    ],
)
async def test_the_timeline_of_a_namespace_counts_visible_thoughts(
    schema: tuple[Schema, Mind], arguments: str, expected: dict[str, int]
) -> None:
    result = await schema[0].execute(f"{{ timeline({arguments}) {{ start count }} }}")
    assert result.errors is None
    assert result.data is not None
    assert {span["start"][:10]: span["count"] for span in result.data["timeline"]} == expected


async def test_days_begin_at_midnight_of_the_time_zone_that_is_asked_for(settings: Settings) -> None:
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        for time in ("2026-03-28T23:30:00Z", "2026-03-29T21:30:00Z", "2026-03-29T22:30:00Z"):
            await store_thought(mind, "x", created_at=time, session_id="zones")
        document = """query ($zone: String) {
          timeline(since: "2026-03-01", timeZone: $zone) { start count }
          session(name: "zones") { timeline(unit: DAY, timeZone: $zone) { start count } } }"""
        for zone, expected in (
            (None, {"2026-03-28T00:00:00+00:00": 1, "2026-03-29T00:00:00+00:00": 2}),
            # The day has 23 hours there.
            ("Europe/Berlin", {"2026-03-28T23:00:00+00:00": 2, "2026-03-29T22:00:00+00:00": 1}),
            ("America/Los_Angeles", {"2026-03-28T07:00:00+00:00": 1, "2026-03-29T07:00:00+00:00": 2}),
        ):
            result = await build_schema(mind).execute(document, variable_values={"zone": zone})
            assert result.data is not None, result.errors
            for spans in (result.data["timeline"], result.data["session"]["timeline"]):
                assert {span["start"]: span["count"] for span in spans} == expected
        for unknown in ("Mars/Olympus", "Europe", "../etc/passwd"):
            result = await build_schema(mind).execute(document, variable_values={"zone": unknown})
            assert result.errors
            assert "no time zone" in result.errors[0].message


async def test_the_facts_and_relations_of_many_entities_are_counted_by_a_statement_each(
    schema: tuple[Schema, Mind],
) -> None:
    document = """{ entities { edges { node { name observations(first: 1, history: true) { totalCount }
      relations(first: 0, direction: IN) { totalCount } both: relations(first: 0) { totalCount } } } } }"""
    with noted_statements() as ran:
        result = await schema[0].execute(document)
    assert result.errors is None
    assert result.data is not None
    nodes = [edge["node"] for edge in result.data["entities"]["edges"]]
    counts = {
        node["name"]: [node[name]["totalCount"] for name in ("observations", "relations", "both")]
        for node in nodes
    }
    assert counts == {"Ada": [1, 1, 1], "Kettle": [3, 0, 1]}
    assert ran.count("nodes/count_observations") == 1
    assert ran.count("nodes/count_relations") == 2


async def test_think_leads_to_the_thought_that_it_stored(schema: tuple[Schema, Mind]) -> None:
    document = """mutation ($input: ThinkInput!) { think(input: $input) { delegatedResult { thoughtId }
      thought { id namespace content session { name } follows { content } } } }"""
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
        assert thought["id"] == stored["delegatedResult"]["thoughtId"]
        assert (thought["content"], thought["namespace"]) == (sent["content"], schema[1].settings.namespace)
        assert thought["session"] == ({"name": "new"} if "sessionId" in sent else None)
        again = await schema[0].execute(
            "query ($id: ID!, $own: ID) { thought(id: $id, ownSessionId: $own) { id } }",
            {"id": thought["id"], "own": "new"},
        )
        assert again.data == {"thought": {"id": thought["id"]}}
