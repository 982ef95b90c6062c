"""Nodes made by hand become usable. The tests run alone, since a search reads all namespaces."""

import asyncio
import contextlib
import json
import re
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import pytest

from legacymind import ogm
from legacymind.doors.http.app import build_app
from legacymind.errors import EmbeddingError
from legacymind.mind import Mind
from legacymind.services.maintain.adoption import COUNT_NODES
from legacymind.settings import load_settings
from tests.doors.cli.commands import here
from tests.steps import remember, think
from tests.wire import Wire, one, profiled_hits, raw

PAGE: Final = Path(__file__).parents[3] / "docs" / "knowledge.md"

pytestmark = [pytest.mark.anyio, pytest.mark.alone, pytest.mark.usefixtures("others_hidden")]


@pytest.fixture
async def mind(real_env: dict[str, str], namespace: str) -> AsyncIterator[Mind]:
    """A mind with the real model. Nothing made by hand is left before and after the test."""
    settings = load_settings(real_env | {"LEGACYMIND_ADOPT_INTERVAL": "10"})
    async with Mind(settings, namespace=namespace, session_id="session") as opened:
        await opened.adopt(complete=True)
        yield opened
        await raw(
            opened,
            "MATCH (n:Entity|Observation|Thought) WHERE n.ns_key IS NULL AND n.merged_at IS NULL "
            "OR n.namespace = $n DETACH DELETE n",
            n=namespace,
        )
        await opened.adopt(complete=True)


async def by_hand(mind: Mind, text: str) -> None:
    """Run Cypher as another program would: LegacyMind counts no node that it creates."""
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
        CREATE (:Observation {content: 'Radium glows in the dark.'})
        CREATE (:Thought {content: 'Does radium glow because it is warm?', tags: ['physics'], confidence: 1})
        """,
    )
    found = await mind.adopt()
    assert (found.adopted, found.refused, found.complete) == (4, [], True)
    assert await mind.unadopted() == replace(await mind.unadopted(), appeared=0, waiting=0, refused_count=0)

    known = await mind.entity("marie curie", entity_type="person", history=True)
    assert [fact.content for fact in known.observations] == ["Marie Curie found polonium."]
    stored = await node(mind, "Marie  Curie")
    assert (stored["namespace"], stored["born"]) == (mind.settings.namespace, "1867-11-07")
    assert "embedding_deferred" not in stored
    fact = await node(mind, "Marie Curie found polonium.")
    assert (fact["entity_id"], fact["valid_from"].year) == (stored["id"], 1898)
    thought = await node(mind, "Does radium glow because it is warm?")
    assert (thought["origin"], thought["tags"], thought["confidence"]) == ("hand", ["physics"], 1)
    assert "chain_hash" not in thought

    recalled = await think(mind, "Radium glows, and Marie Curie found polonium", injection_scale=3)
    ids = {memory.id for memory in recalled.memories}
    loose = await node(mind, "Radium glows in the dark.")
    assert {fact["id"], loose["id"], thought["id"]} <= ids
    hits = (await mind.search("who found polonium", kinds=["observation"])).hits
    assert (hits[0].id, hits[0].entity) == (fact["id"], "Marie  Curie")
    assert (await mind.get(loose["id"])).text == "Radium glows in the dark."
    assert (await mind.get(thought["id"])).outside_chain is None
    again = await remember(
        mind,
        entities=[{"name": "Marie Curie", "entity_type": "person"}],
        observations=[{"entity": "Marie Curie", "content": "Marie Curie found  polonium."}],
    )
    assert again.created == 0


REFUSED: Final[dict[LiteralString, str]] = {
    "(:Entity {name: 42})": "name is a whole number, not a text",
    "(:Entity {entity_type: 'person'})": "name is missing",
    "(:Entity {name: ' '})": "name is empty",
    "(:Entity {name: 'a', id: 7})": "id is a whole number, not a text",
    "(:Entity {name: 'b', valid_from: '2020-01-01'})": "valid_from is not a date-time with a time zone",
    "(:Entity {name: 'c', valid_to: localdatetime()})": "valid_to is not a date-time with a time zone",
    "(:Entity {name: 'd', recorded_at: datetime({year: 12000})})": "recorded_at is not a date-time",
    "(:Entity {name: 'e', name_key: 'f'})": "name_key is not 'e'",
    "(:Entity {name: 'g', kind: 'person'})": "kind is not 'entity'",
    "(:Entity {name: 'h', namespace: reduce(s = '', i IN range(1, 5000) | s + 'x')})": "namespace is 5,000",
    "(:Entity {name: 'i', embedding_a: [0.1, 0.2]})": "embedding_a is set",
    "(:Entity {name: date('2020-01-01')})": "name is of a type that LegacyMind does not use",
    "(:Observation {content: ['a', 'list']})": "content is a list, not a text",
    "(:Observation {content: 'j', valid_from: datetime('2021'), valid_to: datetime('2020')})": "earlier",
    "(:Observation {content: 'k'})-[:ABOUT]->(:Entity {name: 43})": "Its entity cannot be used",
    "(:Thought {content: 'l', session_id: 'session'})": "has the form of a step",
    "(:Thought {content: 'm'})-[:IN_SESSION]->(:Session)": "has the form of a step",
    "(:Thought {content: 'n', chain_hash: 'x', step_index: 1})": "has the form of a step",
    "(:Thought {content: 'o', redacted_at: datetime()})": "has the form of a redacted thought",
    "(:Thought {content: 'p', mode: 'idea'})": "mode is none of debug",
    "(:Thought {content: 'q', is_private: 'no'})": "is_private is a text, not true or false",
    "(:Thought {content: 'r', tags: 'physics'})": "tags is a text, not a list",
    "(:Thought {content: 's', confidence: 1.5})": "confidence is not from 0 to 1",
}


async def test_an_unusable_value_is_refused_once_and_does_not_affect_the_rest(mind: Mind) -> None:
    for text in REFUSED:
        await by_hand(mind, "CREATE " + text)
    await by_hand(mind, "CREATE (:Entity {name: 'usable'}), (:Thought {content: 'usable too'})")
    found = await mind.adopt()
    reasons = [refused.reason for refused in found.refused]
    assert found.adopted == 2
    for text, expected in REFUSED.items():
        assert any(expected in reason for reason in reasons), (text, reasons)
    assert len(found.new) == found.refused_count == len(REFUSED) + 1  # the entity 43, too
    later = await mind.adopt()
    assert (later.adopted, later.new, later.refused_count, later.complete) == (0, [], len(REFUSED) + 1, False)
    assert (await mind.unadopted()).refused_count == len(REFUSED) + 1

    await raw(mind, "MATCH (e:Entity {name: 42}) SET e.name = 'forty-two'")
    await raw(mind, "MATCH (t:Thought {content: 'l'}) REMOVE t.session_id")
    await raw(mind, "MATCH (n:Entity|Observation|Thought) WHERE n.name IN ['b', 'c'] DETACH DELETE n")
    mended = await mind.adopt()
    assert (mended.adopted, mended.new, mended.refused_count) == (2, [], len(REFUSED) - 3)
    recalled = await think(mind, "usable too", session_id="another")
    assert "usable too" in [memory.text for memory in recalled.memories]


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
    found = await mind.adopt(complete=True)
    assert found.adopted == 1
    reasons = sorted(refused.reason for refused in found.refused)
    assert len(reasons) == 3
    assert f"stored already: {known.entities[0].id}" in reasons[0] + reasons[1]
    assert f"same fact about its entity is stored already: {known.observations[0].id}" in reasons[2]
    copy = await node(mind, " ADA")
    assert copy == {"name": " ADA", "entity_type": "Person"}


async def test_an_existing_value_is_never_changed(mind: Mind) -> None:
    own = "valid_from: datetime('2001'), access_count: 5, id: 'own-' + randomUUID(), hot: 'x', aside: [1, 2]"
    await by_hand(mind, "CREATE (:Entity {name: 'Own', namespace: 'elsewhere', " + own + "})")
    await by_hand(
        mind,
        "CREATE (:Thought {content: 'mine', is_private: true, hot: false, created_at: datetime('2001')})",
    )
    before = [await node(mind, text) for text in ("Own", "mine")]
    assert (await mind.adopt()).adopted == 2
    after = [await node(mind, text) for text in ("Own", "mine")]
    assert [old | new for old, new in zip(before, after, strict=True)] == [
        new | old for old, new in zip(before, after, strict=True)
    ]
    assert after[0]["namespace"] == "elsewhere"
    await raw(mind, "MATCH (e:Entity {name: 'Own', namespace: 'elsewhere'}) DETACH DELETE e")


async def test_nodes_of_other_tools_and_stubs_of_merged_entities_are_not_adopted(mind: Mind) -> None:
    known = await remember(mind, entities=[{"name": "Ada"}, {"name": "A. Lovelace"}])
    await mind.merge(known.entities[0].id, [known.entities[1].id])
    await by_hand(mind, "CREATE (:Entity {uuid: randomUUID(), group_id: '', name: 'of Graphiti'})")
    await by_hand(mind, "CREATE (:Entity {id: randomUUID(), type: 'PERSON', name: 'of another memory'})")
    found = await mind.adopt(complete=True)
    assert (found.adopted, found.refused_count) == (0, 0)
    assert "namespace" not in await node(mind, "of Graphiti") | await node(mind, "of another memory")


@pytest.mark.slow
async def test_nothing_is_searched_unless_somebody_else_created_nodes(mind: Mind) -> None:
    await remember(mind, entities=[{"name": f"entity {n}"} for n in range(50)])
    await think(mind, "a thought of a new session", session_id="new", parent_id="later", action_id="act")
    with Wire() as wire:
        found = await mind.adopt()
    assert (found.complete, len(wire.statements)) == (False, 5)  # also reads, finds and settles mentions
    with Wire() as wire:
        assert not (await mind.adopt()).complete
    assert len(wire.statements) == 1
    assert await profiled_hits(mind, COUNT_NODES, {}) < 40
    async with Mind(mind.settings) as other:
        await remember(other, entities=[{"name": "by another process"}])
        await other.services.adoption.settle()
    assert not (await mind.adopt()).complete
    await by_hand(mind, "CREATE (:Entity {name: 'by hand'})")
    assert (await mind.unadopted()).appeared == 1
    found = await mind.adopt()
    assert (found.complete, found.adopted) == (True, 1)


async def test_an_observation_that_is_linked_after_its_adoption_becomes_a_fact_of_its_entity(
    mind: Mind,
) -> None:
    known = await remember(mind, entities=[{"name": "Marie Curie"}])
    await by_hand(mind, "CREATE (:Observation {content: 'She found polonium.'})")
    assert (await mind.adopt()).adopted == 1
    loose = await node(mind, "She found polonium.")
    assert not (await mind.adopt()).complete  # nothing has changed
    await raw(
        mind,
        "MATCH (o:Observation {id: $o}) MATCH (e:Entity {id: $e}) CREATE (o)-[:ABOUT]->(e)",
        o=loose["id"],
        e=known.entities[0].id,
    )
    found = await mind.adopt()
    assert (found.adopted, found.refused, found.complete) == (1, [], True)
    linked = await node(mind, "She found polonium.")
    assert linked.pop("entity_id") == known.entities[0].id
    assert linked.pop("embedding_a") != loose.pop("embedding_a")  # it has the name now
    assert linked.pop("embedding_a_at") > loose.pop("embedding_a_at")
    assert linked.pop("lock", None) == loose.pop("lock", None)
    assert linked == loose
    assert not (await mind.adopt()).complete
    again = await remember(mind, observations=[{"entity": "Marie Curie", "content": "She found polonium."}])
    assert again.created == 0


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
    assert (await mind.unadopted()).waiting == 250
    await by_hand(mind, "CREATE (:Entity {name: 'the next'})")
    await mind.adopt()
    assert (await mind.unadopted()).waiting == 0


@pytest.mark.slow
def test_the_next_command_adopts_and_status_shows_what_it_refused(
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
    first = here(env, "search", "who rescues ships", "--json")
    assert json.loads(first.stdout)["hits"][0]["text"] == "It rescues ships."
    assert "Adopted 7 nodes made by hand." in first.stderr
    assert "content is missing" in first.stderr
    second = here(env, "search", "who rescues ships")
    assert (second.returncode, second.stderr) == (0, "")
    status = json.loads(here(env, "status", "--json").stdout)["by_hand"]
    assert status["refused"] == 1
    assert "content is missing. Set content." in status["reasons"][0]
    assert "content is missing" in " ".join(here(env, "status").stdout.split())

    async def clean() -> None:
        async with Mind(load_settings(env)) as mind:
            await raw(
                mind, "MATCH (o:Observation) WHERE o.ns_key IS NULL AND o.merged_at IS NULL DETACH DELETE o"
            )
            await mind.adopt(complete=True)

    asyncio.run(clean())


async def test_what_a_script_saves_can_be_found_at_the_end_of_its_connection(mind: Mind) -> None:
    def save() -> None:
        with ogm.connected(mind.settings):
            bridge: Any = ogm.Entity(name="Old bridge")
            fact: Any = ogm.Observation(content="It is closed in winter.")
            fact.save().entity.connect(bridge.save())

    await asyncio.to_thread(save)
    hits = (await mind.search("when is the bridge closed?", kinds=["observation"])).hits
    assert [(hit.text, hit.entity) for hit in hits] == [("It is closed in winter.", "Old bridge")]


@pytest.mark.slow
async def test_services_adopt_in_the_background(mind: Mind, real_env: dict[str, str]) -> None:
    quick = replace(mind.settings, adopt_interval=0.05)

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
    async with Mind(replace(mind.settings, adopt_interval=0, old_vectors_days=0)) as never:
        await never.watch()  # returns
