"""MENTIONS: which entities a text names, however both are stored, and the filter ``about``."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from legacymind.doors.graphql.schema import build_schema
from legacymind.errors import NotFound
from legacymind.mind import Mind
from legacymind.model.base import EntityInput
from legacymind.settings import load_settings
from tests.agents import build_server
from tests.doors.cli.commands import here
from tests.steps import remember_entity, search, store_thought, think
from tests.wire import db_hits, raw, text_indexed

pytestmark = pytest.mark.anyio

UNFOLDED = "Straße ＲＥＤＩＳ"
NAMED: list[tuple[str, list[str]]] = [
    ("Ada Lovelace wrote to us.", ["Ada Lovelace"]),
    ("We asked ADA\n lovelace's opinion.", ["Ada Lovelace"]),
    ("Adams and the lovelace met; Ada. Lovelace too.", []),
    ("It runs on Node.js; the nodes are up.", ["Node.js"]),
    ("Written in C++, not in C#.", ["C++"]),
    ("Was it C, or Redis-backed?", ["C", "Redis"]),
    ("(Redis) and O'Brien & Co.", ["Redis", "O'Brien & Co"]),
    ("`.NET` and Yahoo! differ from net and yahoos.", [".NET", "Yahoo!"]),
    (UNFOLDED, ["STRASSE", "Redis"]),
    ("我用Redis缓存王小明的方案", ["Redis", "王小明"]),
    ("The Beatles will do it.", ["The Beatles"]),
    ("redistribute, unredis, redis_cache, redis.com", []),
    ("one two three four five six", ["one two three four five"]),
]
NAMES = [
    *("Ada Lovelace", "Ada", "Node", "Node.js", "C", "C++", "Redis", "O'Brien & Co", ".NET", "Yahoo!"),
    *("STRASSE", "王小明", "王", "The Beatles", "It", "Will", "one two three four five"),
    "one two three four five six",
]


async def mentions(mind: Mind) -> dict[str, list[str]]:
    """The names of the entities that each thought mentions, by its text."""
    rows = await raw(
        mind,
        "MATCH (t:Thought {namespace: $ns}) RETURN t.content AS text, COLLECT { MATCH (t)-[:MENTIONS]->(e) "
        "RETURN e.name ORDER BY e.name } AS names",
        ns=mind.settings.namespace,
    )
    return {row["text"]: row["names"] for row in rows}


async def remember_names(mind: Mind) -> None:
    await mind.remember(entities=[EntityInput(name=name) for name in NAMES if name != "Ada"])


WANTED = {text: sorted(names) for text, names in NAMED}


@pytest.mark.parametrize("way", ["think", "batch", "later"])
async def test_a_thought_mentions_the_entities_that_its_text_names(mind: Mind, way: str) -> None:
    texts = list(WANTED)
    if way != "later":
        await remember_names(mind)
    if way in ("think", "later"):
        for number, text in enumerate(texts):
            await store_thought(mind, text, is_private=number == 0)
    else:
        await mind.operations["think_batch"].call({"thoughts": [{"content": text} for text in texts]})
    if way == "later":
        await remember_names(mind)
    if way == "later":
        await mind.adopt()
        # Full text keeps these apart
        assert (await mentions(mind))[UNFOLDED] == []
        await raw(mind, "MATCH (t:Thought {content: $content}) DETACH DELETE t", content=UNFOLDED)
    wanted = {text: names for text, names in WANTED.items() if way != "later" or text != UNFOLDED}
    assert await mentions(mind) == wanted
    await mind.adopt()
    assert await mentions(mind) == wanted
    marked = "MATCH (n {namespace: $ns}) WHERE n.mentions_deferred RETURN n.id AS id"
    assert await raw(mind, marked, ns=mind.settings.namespace) == []


async def test_an_export_and_a_merge_keep_mentions_and_a_redaction_deletes_them(
    mind: Mind, tmp_path: Path
) -> None:
    ada, countess = await remember_entity(mind, "Ada"), await remember_entity(mind, "The Countess")
    first = await store_thought(mind, "Ada is here.")
    await store_thought(mind, "The Countess is Ada.")
    await mind.merge(ada, [countess])
    await store_thought(mind, "The Countess left.")
    await remember_entity(mind, "left")
    wanted = {"Ada is here.": ["Ada"], "The Countess is Ada.": ["Ada"], "The Countess left.": ["Ada"]}
    assert await mentions(mind) == wanted
    trail = await mind.walk_trail(ada, types=["MENTIONS"], direction="forward")
    assert len(trail.steps) == 3

    file = tmp_path / "export.jsonl"
    file.write_text("\n".join([line async for line in mind.export()]) + "\n", encoding="utf-8")
    await raw(mind, "MATCH (n {namespace: $ns}) DETACH DELETE n", ns=mind.settings.namespace)
    await store_thought(mind, "Ada was here before.", session_id="earlier")
    await mind.import_file(file)
    await mind.adopt()
    wanted |= {"The Countess left.": ["Ada", "left"], "Ada was here before.": ["Ada"]}
    assert await mentions(mind) == wanted

    await mind.redact_thought(first, "a secret")
    assert await raw(mind, "MATCH (:Thought {id: $id})-[m:MENTIONS]->() RETURN m", id=first) == []


@pytest.mark.slow
async def test_a_write_looks_names_up_in_the_index_and_only_where_a_name_begins_as_the_text_does(
    mind: Mind,
) -> None:
    async def hits(text: str) -> int:
        return await db_hits(mind, "think", {"content": text, "injection_scale": 0})

    nobody = " ".join(f"word{n} of{n}" for n in range(50))
    without = await hits(nobody)
    for n in range(300):
        await raw(
            mind,
            "CREATE (:Entity {id: $id, namespace: $ns, name_key: $key, type_key: '', name: $key})",
            id=str(uuid.uuid4()),
            ns=mind.settings.namespace,
            key=f"name {n}",
        )
    assert await hits(nobody) <= without + 20


@pytest.mark.slow
async def test_many_thoughts_that_name_the_same_entities_do_not_deadlock(mind: Mind) -> None:
    names = ["Ada", "Bob", "Cleo"]
    for name in names:
        await remember_entity(mind, name)
    texts = [" ".join(names[n % 3 :] + names[: n % 3]) for n in range(24)]
    await asyncio.gather(*(think(mind, f"{text} {n}", session_id=f"s{n}") for n, text in enumerate(texts)))
    assert set(map(tuple, (await mentions(mind)).values())) == {("Ada", "Bob", "Cleo")}


@pytest.fixture
async def real(real_env: dict[str, str], namespace: str) -> AsyncIterator[Mind]:
    """A mind with the real model, whose database the command line can use."""
    async with Mind(load_settings(real_env), namespace=namespace) as opened:
        yield opened


@pytest.mark.slow
async def test_every_search_at_every_door_finds_what_was_thought_about_an_entity(
    real: Mind, real_env: dict[str, str]
) -> None:
    mind = real
    ada = await remember_entity(mind, "Ada", entity_type="person")
    await remember_entity(mind, "ada", entity_type="program")
    bob = await remember_entity(mind, "Bob")
    await store_thought(mind, "The kettle is empty.")
    by_name = await store_thought(mind, "Ada fills the kettle.", tags=["plan"])
    other = await store_thought(mind, "Bob empties the kettle.")
    await text_indexed(mind)
    ways: list[dict[str, Any]] = [
        {},
        *({"query": "kettle", "method": m} for m in ("graph", "vector", "text")),
    ]
    for way in ways:
        for about, expected in (("ADA", {by_name}), ([ada, "bob"], {by_name, other}), (bob, {other})):
            found = await mind.operations["search"].call({**way, "about": about})
            assert {hit.id for hit in found.hits if hit.kind == "thought"} == expected, (way, about)
        found = await mind.operations["search"].call({**way, "about": ["Ada", "Bob"], "tags": ["plan"]})
        assert [hit.id for hit in found.hits if hit.kind == "thought"] == [by_name], way
    with pytest.raises(NotFound, match="'Nobody'"):
        await search(mind, None, about=["Ada", "Nobody"])

    async with Client(build_server(mind)) as agent:
        result = await agent.call_tool("legacymind_search", {"about": "Ada", "kinds": ["thought"]})
    assert result.structured_content is not None
    assert [hit["id"] for hit in result.structured_content["hits"]] == [by_name[:8]]
    schema = build_schema(mind)
    answer = await schema.execute('{ search(input: {about: ["Ada"], kinds: [THOUGHT]}) { hits { id } } }')
    assert answer.errors is None
    assert answer.data is not None
    assert [hit["id"] for hit in answer.data["search"]["hits"]] == [by_name]
    done = here(
        real_env | {"LEGACYMIND_NAMESPACE": mind.settings.namespace},
        "search",
        "--about",
        "Ada",
        "--kinds",
        "thought",
        "--json",
    )
    assert [hit["id"] for hit in json.loads(done.stdout)["hits"]] == [by_name]
