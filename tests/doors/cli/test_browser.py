"""Neo4j Browser with the saved queries: each has rows, and each is drawn by Browser in Chromium.

With ``LEGACYMIND_TEST_PICTURE=docs/neo4j-browser.png`` the test keeps a picture for the README.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from typing import Any, LiteralString, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from neo4j import GraphDatabase
from neo4j.graph import Node, Relationship
from neo4j.graph import Path as GraphPath

from legacymind import files
from legacymind.db.options import Address
from legacymind.doors.cli.commands.browser import quoted, saved_queries, with_values
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.browser import opened_page, requires_chromium
from tests.doors.cli.commands import environment, here
from tests.steps import own_namespace
from tests.wire import contradict, raw

pytestmark = pytest.mark.anyio

TABLES = {"without_vectors"}
"""Saved queries whose rows are no graph."""

_DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, {type: 'text/plain'}));
  const target = document.querySelector('[data-testid=main]');
  for (const type of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
}"""
_SEPARATE = """() => {
  const settings = JSON.parse(localStorage['neo4j.settings'] || '{}');
  const quiet = {autoComplete: false, playImplicitInitCommands: false};
  localStorage['neo4j.settings'] = JSON.stringify({...settings, ...quiet});
}"""


@pytest.fixture(scope="module")
async def sample(engine_settings: Settings) -> AsyncIterator[tuple[Mind, dict[str, str]]]:
    """A session of the sample memory with facts, a contradiction, a playbook and a community; its queries."""
    async with own_namespace(engine_settings) as mind:
        prefix = mind.settings.namespace[-8:] + "-"
        knowledge, thoughts = [
            files.text("seed", f"{name}.jsonl").replace('"a13-', f'"{prefix}').splitlines()
            for name in ("knowledge", "thoughts")
        ]
        session = f"{prefix}why-tank-2"
        of_session = [line for line in thoughts[1:] if json.loads(line)["session_id"] == session]
        told = [line for line in knowledge[1:] if re.search("tank|heater|switch", line)]
        some = [line for line in told if '"relation"' not in line][:90]
        some += [line for line in told if '"relation"' in line][:20]
        await mind.import_lines([knowledge[0], *some])
        await mind.import_lines([thoughts[0], *of_session])
        first, last = f"{prefix}001-001", f"{prefix}001-030"
        await contradict(mind, last, first, 0.7)
        await raw(
            mind,
            "MATCH (a {id: $a}), (b {id: $b}) CREATE (a)-[:SOLVES]->(b) "
            "WITH a MATCH (e:Entity {namespace: a.namespace}) SET e.community = 1",
            a=last,
            b=first,
        )
        values = {"namespace": mind.settings.namespace, "session_id": session}
        ids = {"thought_tree": {"thought_id": first}, "why_recalled": {"thought_id": last}}
        ids |= {"without_vectors": {"id": last}, "communities": {"members": "100"}}
        yield (
            mind,
            {
                name: with_values(
                    text,
                    {
                        each: value if value.isdecimal() else quoted(value)
                        for each, value in (values | ids.get(name, {})).items()
                        if f":param {each} " in text
                    },
                )
                for name, text in saved_queries().items()
            },
        )


def parts(value: Any) -> list[Any]:
    """The nodes and relationships in a value of a row."""
    if isinstance(value, GraphPath):
        return [*value.nodes, *value.relationships]
    if isinstance(value, list):
        return [part for each in cast("list[Any]", value) for part in parts(each)]
    return [value] if isinstance(value, Node | Relationship) else []


async def test_every_saved_query_returns_a_graph_of_the_sample_memory(
    sample: tuple[Mind, dict[str, str]], address: Address
) -> None:
    _, queries = sample
    assert {"session_trail", "why_recalled", "thought_tree", "contradictions", "playbooks"} <= queries.keys()
    with GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
        address.uri, auth=(address.username, address.password), notifications_min_severity="OFF"
    ) as driver:
        for name, text in queries.items():
            rows, _, _ = driver.execute_query(cast("LiteralString", text))
            assert rows, name
            graph = [part for row in rows for value in row.values() for part in parts(value)]
            if name in TABLES:
                names = {row["property"] for row in rows}
                assert "content" in names
                assert not any("embedding" in each or "hash" in each for each in names)
                continue
            assert any(isinstance(part, Node) for part in graph), name
            assert any(isinstance(part, Relationship) for part in graph), name
            captions = {"Thought": "title", "Observation": "title", "Entity": "name", "Session": "id"}
            for node in (part for part in graph if isinstance(part, Node)):
                (label,) = node.labels
                assert node[captions[label]]


def test_the_style_captions_every_label_and_shows_rank_and_score() -> None:
    style = (files.path("cypher", "browser") / "legacymind.grass").read_text(encoding="utf-8")
    for label, caption in (("Thought", "title"), ("Entity", "name"), ("Observation", "title")):
        block = style.partition(f"node.{label} {{")[2].partition("}\n")[0]
        assert f'caption: "{{{caption}}}"' in block
    assert 'caption: "{rank} · {score}"' in style


def test_values_replace_parameters_and_cannot_leave_their_text() -> None:
    filled = with_values(saved_queries()["changed_since"], {"namespace": quoted("it's \\ $since")})
    assert ":param" not in filled
    assert "n.namespace = 'it\\'s \\\\ $since'" in filled
    assert "n.recorded_at >= datetime() - duration('P7D')" in filled


async def test_the_command_prints_the_address_lists_the_queries(settings: Settings, address: Address) -> None:
    env = environment(settings)
    done = here(env, "browser", "session_trail", "--print")
    assert done.returncode == 0, done.stderr
    query = parse_qs(urlsplit(done.stdout.splitlines()[0]).query)
    assert query["connectURL"] == [address.uri.replace("bolt://", "neo4j://neo4j@")]
    assert query["cmd"] == ["edit"]
    assert f"t.namespace = '{settings.namespace}'" in query["arg"][0]
    assert address.password not in done.stdout
    for name in saved_queries():
        assert here(env, "browser", name, "--print").returncode == 0, name
    listed = here(env, "browser", "--print").stdout
    assert all(name in listed for name in saved_queries())
    refused = here(env, "browser", "nosuch", "--print")
    assert refused.returncode == 2
    assert "thought_tree" in refused.stderr
    external = env | {"NEO4J_URI": "neo4j+s://memory.example:7687", "NEO4J_USERNAME": "ada"}
    printed = here(external, "browser", "--print").stdout
    assert printed.startswith(
        "https://memory.example:7473/browser/?connectURL=neo4j%2Bs%3A%2F%2Fada%40memory"
    )
    assert str(files.path("cypher", "browser")) in listed


@requires_chromium
@pytest.mark.slow
async def test_browser_draws_every_saved_query(sample: tuple[Mind, dict[str, str]], address: Address) -> None:
    mind, queries = sample
    opened = here(environment(mind.settings), "browser", "--print").stdout.splitlines()[0]
    style = (files.path("cypher", "browser") / "legacymind.grass").read_text(encoding="utf-8")
    await asyncio.to_thread(_draw, opened, address.password, style, queries)


def _draw(opened: str, password: str, style: str, queries: dict[str, str]) -> None:
    picture = os.environ.get("LEGACYMIND_TEST_PICTURE")
    with opened_page(1200, 780) as page:
        page.goto(opened)
        page.evaluate(_SEPARATE)  # Connect result nodes: off
        page.goto(opened)
        page.fill("input[type=password]", password, timeout=120_000)
        page.click("[data-testid=connect]")
        page.get_by_text("You are connected as user").first.wait_for(timeout=120_000)
        page.evaluate(_DROP, ["legacymind.grass", style])
        page.wait_for_function("(localStorage['neo4j.grass'] || '').includes('{rank}')", timeout=60_000)
        for name, text in queries.items():
            page.evaluate(_DROP, [f"{name}.cypher", text])
            page.get_by_text("Paste in editor").click(timeout=60_000)
            page.click("[data-testid=editor-Run]")
            frame = page.locator("[data-testid=frame]").filter(has_text=text.splitlines()[0][:40]).first
            if name in TABLES:
                frame.get_by_text("thought_type").first.wait_for(timeout=60_000)
                continue
            frame.locator("g.node").first.wait_for(timeout=60_000)
            assert frame.locator("g.relationship").count() > 0, name
            captions = frame.locator("g.node").all_text_contents()
            assert all(caption.strip() for caption in captions), name
            if name == "why_recalled":
                assert any("·" in each for each in frame.locator("g.relationship").all_text_contents())
                if picture:
                    page.wait_for_timeout(4000)
                    frame.screenshot(path=picture)
