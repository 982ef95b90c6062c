"""Nodes made by hand become usable. The tests run alone, since a search reads all namespaces."""

import asyncio
import contextlib
import json
import re
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import pytest

from legacymind.db.options import Address
from legacymind.doors.http.app import build_app
from legacymind.errors import EmbeddingError
from legacymind.mind import Mind
from legacymind.services.maintain.adoption import Unadopted
from legacymind.settings import load_settings
from tests.doors.cli.commands import here
from tests.steps import remember, think
from tests.wire import one, raw

PAGE: Final = Path(__file__).parents[3] / "docs" / "memory/knowledge.md"

pytestmark = [pytest.mark.anyio, pytest.mark.alone, pytest.mark.usefixtures("others_hidden")]


@pytest.fixture
async def mind(real_env: dict[str, str], namespace: str) -> AsyncIterator[Mind]:
    """A mind with the real model. Nothing made by hand is left before and after the test."""
    settings = load_settings(real_env | {"LEGACYMIND_ADOPT_INTERVAL": "10"})
    async with Mind(settings, namespace=namespace, session_id="session") as opened:
        await opened.adopt()
        yield opened
        await raw(
            opened,
            "MATCH (n:Entity|Observation|Thought) WHERE n.ns_key IS NULL AND n.merged_at IS NULL "
            "OR n.namespace = $n DETACH DELETE n",
            n=namespace,
        )
        await opened.adopt()


async def by_hand(mind: Mind, text: str) -> None:
    """Run Cypher as another program would."""
    await mind.graph.ready()
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]
        await (await session.run(cast("LiteralString", text))).consume()


async def node(mind: Mind, content: str) -> dict[str, Any]:
    return await one(
        mind,
        "MATCH (n:Entity|Observation|Thought) WHERE (n.name = $words OR n.content = $words) "
        "AND coalesce(n.namespace, $own) IN [$own, 'elsewhere'] RETURN n {.*}",
        words=content,
        own=mind.settings.namespace,
    )


async def test_nodes_made_by_hand_are_recalled_like_any_other(mind: Mind) -> None:
    await by_hand(
        mind,
        """
        CREATE (e:Entity {name: 'Marie  Curie', entity_type: 'Person', born: date('1867-11-07')})
        CREATE (o:Observation {content: 'Marie Curie found polonium.', valid_from: datetime('1898-07-18')})
        CREATE (o)-[:ABOUT]->(e)
        CREATE (:Observation {content: 'Always cite her papers.', standing: true})-[:ABOUT]->(e)
        """,
    )
    assert await mind.unadopted() == Unadopted(count=3, refused=[])
    found = await mind.adopt()
    assert (found.adopted, found.refused) == (3, [])
    assert await mind.unadopted() == Unadopted(count=0, refused=[])

    known = await mind.entity("marie curie", entity_type="person", history=True)
    assert {fact.content for fact in known.observations} == {
        "Marie Curie found polonium.",
        "Always cite her papers.",
    }
    stored = await node(mind, "Marie  Curie")
    assert (stored["namespace"], stored["born"]) == (mind.settings.namespace, "1867-11-07")
    assert "embedding_deferred" not in stored
    fact = await node(mind, "Marie Curie found polonium.")
    assert (fact["entity_id"], fact["valid_from"].year) == (stored["id"], 1898)

    recalled = await think(mind, "Who was it that found polonium, Marie Curie?", injection_scale=3)
    assert fact["id"] in {memory.id for memory in recalled.memories}
    hits = (await mind.search("who found polonium", kinds=["observation"])).hits
    assert (hits[0].id, hits[0].entity) == (fact["id"], "Marie  Curie")
    again = await remember(
        mind,
        entities=[{"name": "Marie Curie", "entity_type": "person"}],
        observations=[
            {"entity": "Marie Curie", "entity_type": "person", "content": "Marie Curie found  polonium."}
        ],
    )
    assert again.created == 0


REFUSED: Final[dict[LiteralString, str]] = {
    "(:Entity {name: 42})": "name: must be text.",
    "(:Entity {entity_type: 'person'})": "name: is missing.",
    "(:Entity {name: ' '})": "name is empty",
    "(:Entity {name: 'a', id: 7})": "id is not a text",
    "(:Entity {name: 'b', valid_from: 'soon'})": "valid_from: ",
    "(:Entity {name: 'h', namespace: reduce(s = '', i IN range(1, 5000) | s + 'x')})": "namespace is 5,000",
    "(:Observation {content: ['a', 'list']})-[:ABOUT]->(:Entity {name: 'p'})": "content: must be text",
    "(:Observation {content: 'k'})": "It is about no entity. Create (observation)-[:ABOUT]->(entity)",
    "(:Observation {content: 'l', valid_from: datetime('2021'), valid_to: datetime('2020')})"
    "-[:ABOUT]->(:Entity {name: 'm'})": "valid_to is not later than valid_from",
    "(:Observation {content: 'n'})-[:ABOUT]->(:Entity {name: 43})": "Its entity cannot be used",
    "(:Thought {content: 'o'})": "A thought that was made by hand is not used. Use think.",
}


async def test_an_unusable_value_is_refused_and_does_not_affect_the_rest(mind: Mind) -> None:
    for text in REFUSED:
        await by_hand(mind, "CREATE " + text)
    await by_hand(mind, "CREATE (:Entity {name: 'usable'})")
    found = await mind.adopt()
    reasons = [refused.reason for refused in found.refused]
    for text, expected in REFUSED.items():
        assert any(expected in reason for reason in reasons), (text, reasons)
    assert found.adopted == 3  # the entities m and p, too
    assert len(reasons) == found.refused_count == len(REFUSED) + 1  # the entity 43, too
    unadopted = await mind.unadopted()
    assert unadopted.count == found.refused_count
    assert len(unadopted.refused) == found.refused_count - 1  # the fact about 43 waits for its entity

    await raw(mind, "MATCH (e:Entity {name: 42}) SET e.name = 'forty-two'")
    await raw(mind, "MATCH (e:Entity) WHERE e.name = 'b' AND e.ns_key IS NULL DETACH DELETE e")
    mended = await mind.adopt()
    assert (mended.adopted, mended.refused_count) == (1, len(REFUSED) - 1)


async def test_an_entity_or_fact_that_is_stored_already_is_reported_and_not_merged(mind: Mind) -> None:
    known = await remember(
        mind,
        entities=[{"name": "Ada", "entity_type": "person"}],
        observations=[{"entity": "Ada", "entity_type": "person", "content": "Ada lives in Lyon."}],
    )
    await by_hand(
        mind,
        "CREATE (:Entity {name: ' ADA', entity_type: 'Person'}) "
        "CREATE (:Entity {name: 'Bob'}) CREATE (:Entity {name: 'bob'})",
    )
    await raw(
        mind,
        "MATCH (e:Entity {id: $id}) CREATE (:Observation {content: 'Ada  lives in Lyon.'})-[:ABOUT]->(e)",
        id=known.entities[0].id,
    )
    found = await mind.adopt()
    assert found.adopted == 1
    reasons = sorted(refused.reason for refused in found.refused)
    assert len(reasons) == 3
    assert f"stored already: {known.entities[0].id}" in reasons[0] + reasons[1]
    assert await mind.unadopted() == Unadopted(count=3, refused=found.refused)
    assert f"The same fact is stored already: {known.observations[0].id}" in reasons[2]
    copy = await node(mind, " ADA")
    assert copy == {"name": " ADA", "entity_type": "Person"}


async def test_texts_ids_times_and_foreign_properties_are_never_changed(mind: Mind) -> None:
    own = "valid_from: datetime('2001'), id: 'own-' + randomUUID(), hot: 'x', aside: [1, 2]"
    await by_hand(mind, "CREATE (:Entity {name: 'Own', namespace: 'elsewhere', " + own + "})")
    before = await node(mind, "Own")
    assert (await mind.adopt()).adopted == 1
    after = await node(mind, "Own")
    assert before | after == after | before
    assert after["namespace"] == "elsewhere"
    await by_hand(mind, "CREATE (:Entity {name: 'Odd', kind: 'person', name_key: 'x', embedding_a: [0.1]})")
    assert (await mind.adopt()).adopted == 1
    odd = await node(mind, "Odd")
    assert (odd["kind"], odd["name_key"]) == ("entity", "odd")
    assert len(odd["embedding_a"]) == len(after["embedding_a"])
    await raw(mind, "MATCH (e:Entity {name: 'Own', namespace: 'elsewhere'}) DETACH DELETE e")


async def test_nodes_of_other_tools_and_stubs_of_merged_entities_are_not_adopted(mind: Mind) -> None:
    known = await remember(mind, entities=[{"name": "Ada"}, {"name": "A. Lovelace"}])
    await mind.merge(known.entities[0].id, [known.entities[1].id])
    await by_hand(mind, "CREATE (:Entity {uuid: randomUUID(), group_id: '', name: 'of Graphiti'})")
    await by_hand(mind, "CREATE (:Entity {id: randomUUID(), type: 'PERSON', name: 'of another memory'})")
    found = await mind.adopt()
    assert (found.adopted, found.refused_count) == (0, 0)
    assert "namespace" not in await node(mind, "of Graphiti") | await node(mind, "of another memory")


@pytest.mark.slow
async def test_without_an_embedder_adopted_nodes_wait_for_their_vectors(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def down(*texts: object, **options: object) -> None:
        raise EmbeddingError("It is down.")

    await by_hand(mind, "UNWIND range(1, 250) AS n CREATE (:Entity {name: 'waiting ' + n})")
    with monkeypatch.context() as patch:
        patch.setattr(mind.vectors.embedder, "embed", down)
        assert (await mind.adopt()).adopted == 250
    waiting = "MATCH (e:Entity {namespace: $n}) RETURN count(e.embedding_deferred)"
    assert await one(mind, waiting, n=mind.settings.namespace) == 250
    await by_hand(mind, "CREATE (:Entity {name: 'the next'})")
    await mind.adopt()
    assert await one(mind, waiting, n=mind.settings.namespace) == 0


@pytest.mark.slow
def test_no_command_looks_for_nodes_but_doctor_adopts_and_says_what_it_refuses(
    real_env: dict[str, str], namespace: str, tmp_path: Path
) -> None:
    env = real_env | {"LEGACYMIND_NAMESPACE": namespace, "LEGACYMIND_ADOPT_INTERVAL": "10"}
    table = tmp_path / "places.csv"
    table.write_text("name,type,fact\nCoast Guard,organisation,It rescues ships.\nLighthouse,building,\n")

    example, loading = re.findall(r"```cypher\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

    async def load() -> None:
        async with Mind(load_settings(env)) as mind:
            await by_hand(mind, example)
            await by_hand(mind, loading.replace("file:///home/ada/places.csv", table.as_uri()))

    asyncio.run(load())
    assert json.loads(here(env, "search", "who rescues ships", "--json").stdout)["hits"] == []
    foreign = env | {"LEGACYMIND_ADOPT_INTERVAL": "0"}
    assert "! by_hand       8 nodes with the label" in here(foreign, "doctor", "--fix").stdout
    done = " ".join(here(env, "doctor", "--fix").stdout.split())
    assert "1 node with the label" in done
    assert "content: is missing." in done
    hits = json.loads(here(env, "search", "who rescues ships", "--json").stdout)["hits"]
    assert hits[0]["text"] == "It rescues ships."

    async def clean() -> None:
        async with Mind(load_settings(env)) as mind:
            await raw(
                mind, "MATCH (o:Observation) WHERE o.ns_key IS NULL AND o.merged_at IS NULL DETACH DELETE o"
            )

    asyncio.run(clean())


@pytest.mark.slow
async def test_on_another_server_nodes_are_adopted_only_if_it_is_asked_for(
    mind: Mind, address: Address
) -> None:
    there = mind.settings.changed(adopt_interval=None, neo4j_uri=address.uri, neo4j_password=address.password)
    assert (mind.settings.changed(adopt_interval=None).adopts_every, there.adopts_every) == (3600, 0)
    assert there.changed(adopt_interval=60).adopts_every == 60
    await by_hand(mind, "CREATE (:Entity {name: 'of another program'})")
    async with Mind(there) as other:
        await think(other, "It thinks.", session_id="another")
        (check,) = [each for each in (await other.diagnose(fix=True)).checks if each.name == "by_hand"]
    assert (check.state, check.problems[0].fixable) == ("warning", False)
    assert check.message.startswith("1 node ")
    assert await node(mind, "of another program") == {"name": "of another program"}


@pytest.mark.slow
async def test_services_adopt_in_the_background(mind: Mind, real_env: dict[str, str]) -> None:
    quick = mind.settings.changed(adopt_interval=0.05)

    async def becomes_known(name: str, serve: Callable[[], Awaitable[object]]) -> None:
        await raw(mind, "CREATE (:Entity {name: $name})", name=name)
        await serve()
        until = time.monotonic() + 60
        while "ns_key" not in await node(mind, name):
            assert time.monotonic() < until
            await asyncio.sleep(0.05)

    app = build_app(quick)
    async with contextlib.AsyncExitStack() as stack:
        await becomes_known(
            f"http {uuid.uuid4()}", lambda: stack.enter_async_context(app.router.lifespan_context(app))
        )
    env = real_env | {"LEGACYMIND_NAMESPACE": mind.settings.namespace, "LEGACYMIND_ADOPT_INTERVAL": "0.05"}
    command = (sys.executable, "-m", "legacymind", "mcp")
    serving: list[asyncio.subprocess.Process] = []

    async def serve() -> None:
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        serving.append(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=null, env=env))

    try:
        await becomes_known(f"mcp {uuid.uuid4()}", serve)
    finally:
        for process in serving:
            await process.communicate(b"")  # ends the input, and so the process
