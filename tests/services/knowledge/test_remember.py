"""Remember entities, facts and relations: idempotent, in any spelling of a name, all or nothing."""

import asyncio
import itertools
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.errors import EmbeddingError, InvalidInput, LegacyMindError, NotFound
from legacymind.mind import Mind
from legacymind.model.base import RememberResult
from legacymind.services.knowledge.remember import NEAR
from tests.fakes import FakeEmbedder
from tests.steps import remember, search
from tests.wire import one, raw, settled

pytestmark = pytest.mark.anyio

OPEN = datetime(9999, 12, 31, tzinfo=UTC)


async def entities(mind: Mind) -> list[tuple[str, str]]:
    rows = await raw(
        mind,
        "MATCH (e:Entity {namespace: $ns}) RETURN e.name AS name, e.entity_type AS type ORDER BY name, type",
        ns=mind.settings.namespace,
    )
    return [(row["name"], row["type"]) for row in rows]


async def nodes(mind: Mind) -> int:
    return await one(mind, "MATCH (n {namespace: $ns}) RETURN count(n)", ns=mind.settings.namespace)


FACTS: dict[str, Any] = {
    "entities": [{"name": "Ada Lovelace", "entity_type": "person", "data": {"born": 1815}}],
    "observations": [
        {"entity": "Ada Lovelace", "content": "Ada Lovelace wrote the first program.", "source": "notes"}
    ],
    "relations": [
        {"source_entity": "Ada Lovelace", "type": "worked with", "target_entity": "Charles Babbage"}
    ],
}


async def test_a_repeated_call_changes_nothing(mind: Mind) -> None:
    first = await remember(mind, **FACTS)
    assert first.created == 4  # Babbage is implied
    assert [item.label for item in first.entities] == ["Ada Lovelace", "Charles Babbage"]
    assert [item.label for item in first.relations] == ["Ada Lovelace worked with Charles Babbage"]
    statement = (
        "MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]->(m) "
        "RETURN n.id AS id, n {.*, changed_at: 0, noted_at: 0, stated_at: 0} AS n, type(r) AS type, "
        "r {.*, changed_at: 0, noted_at: 0, stated_at: 0} AS r, m.id AS m "
        "ORDER BY id, type, m"
    )
    await settled(mind)
    before = await raw(mind, statement, ns=mind.settings.namespace)
    again = await remember(mind, **FACTS)
    assert again.created == 0
    for kind in ("entities", "observations", "relations"):
        assert [item.id for item in getattr(again, kind)] == [item.id for item in getattr(first, kind)]
    assert await raw(mind, statement, ns=mind.settings.namespace) == before


async def test_spellings_of_a_name_are_one_entity(mind: Mind) -> None:
    for name in ("Zo\u00eb  Kravitz", " zoe\u0308 kravitz ", "ZOË KRAVITZ", "Zoë\u00a0Kravitz"):
        await remember(mind, entities=[{"name": name, "entity_type": "Person"}])
    await remember(mind, entities=[{"name": "zoë kravitz", "entity_type": " PERSON"}])
    assert await entities(mind) == [("Zo\u00eb  Kravitz", "Person")]
    twice = [{"name": "ada"}, {"name": "ADA", "description": "second"}, {"name": "Ada "}]
    result = await remember(mind, entities=twice)
    assert [item.label for item in result.entities] == ["ada"]


async def test_spellings_of_a_fact_are_one_observation(mind: Mind) -> None:
    for content in ("It  whistles.", "it whistles.", " IT WHISTLES. "):
        result = await remember(mind, observations=[{"entity": "kettle", "content": content}])
        assert len(result.observations) == 1
    assert (
        await one(mind, "MATCH (o:Observation {namespace: $ns}) RETURN count(o)", ns=mind.settings.namespace)
        == 1
    )
    other = await remember(mind, observations=[{"entity": "pot", "content": "It whistles."}])
    assert other.created == 2


async def test_given_members_replace_stored_ones_and_others_stay(mind: Mind) -> None:
    await remember(mind, entities=[{"name": "kettle", "description": "boils water", "data": {"a": 1}}])
    await remember(mind, entities=[{"name": "kettle"}])
    await remember(mind, entities=[{"name": "KETTLE", "data": {"b": "ü"}}])
    row = await one(mind, "MATCH (e:Entity {namespace: $ns}) RETURN e {.*}", ns=mind.settings.namespace)
    assert (row["name"], row["description"], row["data"]) == ("kettle", "boils water", '{"b": "ü"}')
    (hit,) = (await search(mind, "boils water")).hits
    assert (hit.score or 0) > 0.5  # the vector is still that of the description
    await remember(mind, entities=[{"name": "kettle", "description": "whistles loudly"}])
    (hit,) = (await search(mind, "whistles loudly")).hits
    assert (hit.text, (hit.score or 0) > 0.5) == ("kettle: whistles loudly", True)


async def test_a_later_valid_from_of_an_implied_entity_is_taken(mind: Mind) -> None:
    await remember(mind, observations=[{"entity": "Rome", "content": "Rome has seven hills."}])
    await remember(mind, entities=[{"name": "Rome", "valid_from": "0001-04-21T00:00:00"}, {"name": "rome"}])
    moment = await one(
        mind, "MATCH (e:Entity {namespace: $ns}) RETURN e.valid_from", ns=mind.settings.namespace
    )
    assert moment == datetime(1, 4, 21, tzinfo=UTC)


async def test_the_same_name_of_another_type_is_another_entity(mind: Mind) -> None:
    for kind in ("planet", "element", ""):
        await remember(mind, entities=[{"name": "Mercury", "entity_type": kind}])
    assert await entities(mind) == [("Mercury", ""), ("Mercury", "element"), ("Mercury", "planet")]


@pytest.mark.parametrize("together", [True, False])
async def test_the_first_type_of_a_name_is_that_of_the_entity_whose_facts_came_before(
    mind: Mind, together: bool
) -> None:
    facts = [{"entity": "Grace", "content": "She writes compilers."}]
    people = [{"name": "grace", "entity_type": "Person"}]
    if together:
        await remember(mind, observations=facts, entities=people)
    else:
        await remember(mind, observations=facts)
        await remember(mind, entities=people)
    await remember(mind, observations=[{"entity": "Grace", "content": "She likes tea."}])
    await remember(mind, entities=[{"name": "Grace", "entity_type": "ship"}])
    assert await about(mind) == {"She writes compilers.": "Person", "She likes tea.": "Person"}
    assert sorted(kind for _, kind in await entities(mind)) == ["Person", "ship"]


async def about(mind: Mind) -> dict[str, str]:
    """The type of the entity of each fact."""
    rows = await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns})-[:ABOUT]->(e) "
        "RETURN o.content AS fact, e.entity_type AS type",
        ns=mind.settings.namespace,
    )
    return {row["fact"]: row["type"] for row in rows}


async def test_a_fact_with_a_type_is_about_that_entity_and_one_without_about_any(mind: Mind) -> None:
    await remember(mind, entities=[{"name": "Mercury", "entity_type": "planet"}])
    await remember(mind, observations=[{"entity": "mercury", "content": "It has no moon."}])
    await remember(
        mind,
        observations=[
            {"entity": "Mercury", "entity_type": "element", "content": "It is liquid."},
            {"entity": "MERCURY", "entity_type": "Planet", "content": "It is hot."},
        ],
    )
    assert await entities(mind) == [("Mercury", "element"), ("Mercury", "planet")]
    found = await about(mind)
    assert found == {"It has no moon.": "planet", "It is liquid.": "element", "It is hot.": "planet"}
    assert len(await entities(mind)) == 2


PYTHONS = [{"name": "Python", "entity_type": "language"}, {"name": "Python", "entity_type": "animal"}]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    "named",
    [
        {"observations": [{"entity": "python", "content": "It is fast."}]},
        {"relations": [{"source_entity": "Python", "type": "EATS", "target_entity": "mouse"}]},
        {"relations": [{"source_entity": "mouse", "type": "FEARS", "target_entity": "Python"}]},
    ],
)
async def test_a_name_that_two_types_have_is_refused_without_a_type(
    mind: Mind, named: dict[str, Any], together: bool
) -> None:
    if not together:
        await remember(mind, entities=PYTHONS)
    with pytest.raises(InvalidInput) as caught:
        await remember(mind, **(named | ({"entities": PYTHONS} if together else {})))
    assert "2 entities" in caught.value.what
    assert "language" in caught.value.what
    assert "animal" in caught.value.what
    assert "entity_type" in caught.value.hint
    assert await entities(mind) == ([] if together else [("Python", "animal"), ("Python", "language")])


async def test_a_fact_without_a_type_is_about_the_entity_without_a_type_or_the_merged_one(mind: Mind) -> None:
    await remember(mind, entities=[*PYTHONS, {"name": "Python"}])
    await remember(mind, observations=[{"entity": "Python", "content": "It is a word."}])
    assert await about(mind) == {"It is a word.": ""}
    await remember(mind, entities=[{"name": "Ada", "entity_type": kind} for kind in ("person", "author")])
    listed = (await mind.operations["list_entities"].call({})).entities
    first, second = (one.id for one in listed if one.name == "Ada")
    await mind.operations["merge"].call({"keep": first, "others": [second]})
    await remember(mind, observations=[{"entity": "Ada", "content": "She reads."}])
    assert (await about(mind))["She reads."] in ("person", "author")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("O'Brien", "O’Brien"),
        ("O'Brien", "Oʼbrien"),
        ("ACME", "ＡＣＭＥ"),
        ("Jean-Luc", "Jean‑Luc"),
        ("Müller", "Mu\u0308ller"),
        ("Straße", "STRASSE"),
        ("ﬁrst", "first"),
        ("New York", "New\u00a0York"),
        ('the "best"', "the “best”"),
    ],
)
async def test_names_that_look_alike_are_one_name(mind: Mind, one: str, other: str) -> None:
    await remember(mind, entities=[{"name": one}])
    again = await remember(mind, entities=[{"name": other}])
    assert again.created == 0


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\ufeff", "\u2062", "\U000e0041", "\ufe01"])
async def test_a_name_with_a_character_that_nobody_sees_is_refused(mind: Mind, hidden: str) -> None:
    with pytest.raises(InvalidInput, match="control character"):
        await remember(mind, entities=[{"name": f"Ada{hidden} Lovelace"}])


async def test_a_name_without_a_type_means_a_typed_entity_of_the_same_call(mind: Mind) -> None:
    await remember(
        mind,
        observations=[{"entity": "Ada", "content": "Ada lives in London."}],
        relations=[
            {"source_entity": "Ada", "source_type": "person", "type": "LIVES_IN", "target_entity": "London"},
            {"source_entity": "London", "target_entity": "ada", "type": "HOME_OF", "target_type": ""},
        ],
    )
    assert await entities(mind) == [("Ada", "person"), ("London", "")]


async def test_relations_are_real_relationships_and_idempotent_while_open(mind: Mind) -> None:
    link = {"source_entity": "a", "type": "works-on", "target_entity": "b", "source": "hearsay"}
    first = await remember(mind, relations=[link, link])
    assert [item.created for item in first.relations] == [True, False]
    await remember(mind, relations=[link | {"source": "a letter"}])
    closed = link | {"valid_from": "2020-01-01T00:00:00Z", "valid_to": "2021-01-01T00:00:00Z"}
    assert (await remember(mind, relations=[closed])).created == 1
    rows = await raw(
        mind,
        "MATCH (:Entity {namespace: $ns})-[r:WORKS_ON]->() RETURN r {.*} AS r ORDER BY r.valid_to DESC",
        ns=mind.settings.namespace,
    )
    assert [(row["r"]["source"], row["r"]["valid_to"]) for row in rows] == [
        ("a letter", OPEN),
        ("hearsay", datetime(2021, 1, 1, tzinfo=UTC)),
    ]


async def test_superseding_ends_the_older_fact_when_the_newer_begins(mind: Mind) -> None:
    rome = {"entity": "kettle", "content": "The kettle stands in Rome.", "valid_from": "2021-01-01T00:00:00"}
    (old,) = (await remember(mind, observations=[rome])).observations
    oslo = {"entity": "kettle", "content": "The kettle stands in Oslo.", "valid_from": "2023-01-01T00:00:00"}
    (new,) = (await remember(mind, observations=[oslo | {"supersedes": old.id}])).observations
    for moment, fact in (("2022-01-01", old), ("2023-01-01", new), (None, new)):
        found = await search(mind, "The kettle stands", kinds=["observation"], as_of=moment)
        assert [hit.id for hit in found.hits] == [fact.id]
    await remember(mind, observations=[oslo | {"supersedes": old.id}, rome])
    found = await search(mind, "The kettle stands", kinds=["observation"])
    assert [hit.id for hit in found.hits] == [new.id]
    back = rome | {"valid_from": "2025-01-01T00:00:00", "supersedes": new.id}
    (again,) = (await remember(mind, observations=[back])).observations
    for moment, fact in (("2022-01-01", old), ("2024-01-01", new), (None, again)):
        found = await search(mind, "The kettle stands", kinds=["observation"], as_of=moment)
        assert [hit.id for hit in found.hits] == [fact.id]


async def test_a_fact_is_linked_to_the_thought_it_was_learned_from(mind: Mind) -> None:
    thought = (await mind.operations["think"].call({"content": "x"})).delegated_result.thought_id
    fact = {"entity": "kettle", "content": "It is hot.", "learned_from": thought}
    for _ in range(2):
        await remember(mind, observations=[fact])
    statement = "MATCH (:Observation {namespace: $ns})-[r:LEARNED_FROM]->(t:Thought) RETURN collect(t.id)"
    assert await one(mind, statement, ns=mind.settings.namespace) == [thought.removeprefix("thoughts:")]


@pytest.mark.parametrize("name", ["learned_from", "supersedes"])
async def test_an_id_that_is_not_in_the_namespace_stores_nothing(mind: Mind, name: str) -> None:
    theirs = f"{mind.settings.namespace}-theirs"
    fact = {"entity": "kettle", "content": "It is hot."}
    (other,) = (await remember(mind, observations=[fact], namespace=theirs)).observations
    thought = await mind.operations["think"].call({"content": "x", "namespace": theirs})
    for unknown in ("nothing", other.id, thought.delegated_result.thought_id):
        with pytest.raises(NotFound) as raised:
            await remember(mind, observations=[fact | {name: unknown}])
        assert raised.value.effect == "Nothing was stored or changed."
    assert await nodes(mind) == 0
    still = await search(mind, "It is hot.", namespace=theirs, kinds=["observation"])
    assert len(still.hits) == 1


GOOD = {"entity": "kettle", "content": "It is hot."}
REJECTED: list[tuple[dict[str, Any], str]] = [
    ({}, "nothing to remember"),
    ({"entities": []}, "nothing to remember"),
    ({"facts": []}, "facts is unknown"),
    ({"entities": "kettle"}, "entities"),
    ({"entities": [{}]}, "name"),
    ({"entities": [{"name": ""}]}, "entity name is empty"),
    ({"entities": [{"name": "x", "kind": "y"}]}, "entities, item 1, kind is unknown"),
    ({"entities": [{"name": "é" * 257}]}, "entity name is 514 bytes"),
    ({"entities": [{"name": "\ufdfa" * 170}]}, "entity name is"),  # normalised, it is nine times as long
    ({"entities": [{"name": "x\x00"}]}, "control character"),
    ({"entities": [{"name": "\ud800"}]}, "surrogate"),
    ({"entities": [{"name": "x", "entity_type": "é" * 257}]}, "entity_type is 514 bytes"),
    ({"entities": [{"name": "x", "description": "x" * 102_401}]}, "description is 102,401 bytes"),
    ({"entities": [{"name": "x", "data": [1]}]}, "data"),
    ({"entities": [{"name": "x", "data": {"a": "\ud800"}}]}, "surrogate"),
    ({"entities": [{"name": "x", "data": {"a": "x" * 102_401}}]}, "data is"),
    ({"entities": [{"name": "x", "valid_from": "then"}]}, "valid_from"),
    ({"entities": [{"name": f"n{n}"} for n in range(1001)]}, "1,001 entities"),
    ({"observations": [GOOD, {"entity": "x"}]}, "observations, item 2, content"),
    ({"observations": [GOOD, {"entity": "x", "content": " "}]}, "content is empty"),
    ({"observations": [GOOD, {"entity": "x", "content": "y" * 102_401}]}, "102,401 bytes"),
    ({"observations": [GOOD, GOOD | {"content": "\ud800"}]}, "surrogate"),
    ({"observations": [GOOD | {"source": "é" * 257}]}, "source is 514 bytes"),
    ({"observations": [GOOD | {"supersedes": "é" * 257}]}, "supersedes is 514 bytes"),
    (
        {"observations": [GOOD | {"valid_from": "2026-01-01T00:00:00", "valid_to": "2026-01-01T00:00:00Z"}]},
        "valid_to is not later",
    ),
    ({"relations": [{"source_entity": "a", "type": "", "target_entity": "b"}]}, "type is empty"),
    ({"relations": [{"source_entity": "a", "type": "é" * 257, "target_entity": "b"}]}, "type is 514 bytes"),
    ({"entities": [{"name": "x"}], "namespace": "\ud800"}, "surrogate"),
]


async def test_invalid_input_is_rejected_by_name_stores_nothing_and_the_next_call_works(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    for arguments, message in REJECTED:
        with pytest.raises(InvalidInput) as raised:
            await mind.operations["remember"].call(arguments)
        assert message in raised.value.what
        assert raised.value.effect
        assert raised.value.hint
        assert len(str(raised.value).encode()) < 2000
    assert embedder.calls == []
    assert await nodes(mind) == 0
    assert (await remember(mind, observations=[GOOD])).created == 2


async def test_without_an_embedder_nothing_is_stored(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await remember(mind, **FACTS)
    embedder.down = False
    assert await nodes(mind) == 0


@pytest.mark.slow
async def test_concurrent_writers_of_the_same_knowledge_create_it_once(mind: Mind) -> None:
    names = [f"thing {number}" for number in range(20)]

    async def write(number: int, other: Mind) -> RememberResult | LegacyMindError:
        order = names[number:] + names[:number]
        return await remember(
            other,
            entities=[{"name": name} for name in order],
            observations=[{"entity": name, "content": f"{name} is known."} for name in reversed(order)],
            relations=[
                {"source_entity": a, "type": "NEXT_TO", "target_entity": b}
                for a, b in itertools.pairwise(order)
            ],
        )

    async with Mind(mind.settings, embedder=FakeEmbedder()) as other:
        await asyncio.gather(*(write(number, (mind, other)[number % 2]) for number in range(10)))
    assert [name for name, _ in await entities(mind)] == sorted(names)
    counts = "MATCH (n {namespace: $ns}) OPTIONAL MATCH (n)-[r]->() RETURN [count(DISTINCT n), count(r)]"
    assert await one(mind, counts, ns=mind.settings.namespace) == [40, 20 + 20]


async def test_a_new_fact_comes_with_the_nearest_open_facts_of_its_entity(mind: Mind) -> None:
    ended = {"entity": "Hydra", "content": "The port of Hydra is 7000", "valid_to": "2020-01-01T00:00:00"}
    first = await remember(
        mind,
        observations=[
            ended | {"valid_from": "2019-01-01T00:00:00"},
            {"entity": "Hydra", "content": "The port of Hydra is 8000"},
            {"entity": "Hydra", "content": "Ada likes tea with lemon"},
            {"entity": "Medusa", "content": "The port of Hydra is 8100"},
        ],
    )
    assert [fact.near for fact in first.observations] == [[], [], [], []]  # of one call, none is suggested
    assert first.note is None
    new = {"entity": "hydra", "content": "The port of Hydra is 9000"}
    result = await remember(mind, observations=[new])
    (fact,) = result.observations
    (near,) = fact.near
    assert (near.id, near.content) == (first.observations[1].id, "The port of Hydra is 8000")
    assert result.note == NEAR
    again = await remember(mind, observations=[new | {"supersedes": near.id}])
    assert [one.id for one in again.changed] == [near.id]
    assert again.observations[0].near == []  # it is not new any more
    read = await mind.operations["entity"].call({"name": "Hydra"})
    assert {one.content for one in read.observations} == {new["content"], "Ada likes tea with lemon"}
    many = [{"entity": "Hydra", "content": f"The port of Hydra is 900{n}"} for n in range(1, 5)]
    await remember(mind, observations=many)
    last = await remember(mind, observations=[{"entity": "Hydra", "content": "The port of Hydra is 9100"}])
    assert len(last.observations[0].near) == 3


async def test_the_newer_of_two_near_facts_of_an_entity_comes_first(mind: Mind) -> None:
    texts = ["Hydra's staging URL is one", "Hydra's staging URL is two", "Hydra's staging URL is three"]
    ids = [
        (await remember(mind, observations=[{"entity": "Hydra", "content": text}])).observations[0].id
        for text in texts
    ]
    await remember(mind, observations=[{"entity": "Hydra", "content": texts[0]}])  # stated again: not newer
    for text in texts:
        hits = (await search(mind, text)).hits
        assert [hit.id for hit in hits if hit.id in ids] == ids[::-1]
        scores = [hit.score or 0 for hit in hits]
        assert scores == sorted(scores, reverse=True)


async def test_a_relation_that_supersedes_another_ends_it(mind: Mind) -> None:
    job = {"source_entity": "Ada", "type": "WORKS_AT", "valid_from": "2020-01-01T00:00:00"}
    (old,) = (await remember(mind, relations=[job | {"target_entity": "Acme"}])).relations
    new = job | {"target_entity": "Bolt", "valid_from": "2022-01-01T00:00:00", "supersedes": old.id}
    for created in (2, 0):  # the relation and Bolt, then nothing
        assert (await remember(mind, relations=[new])).created == created
    for moment, employer in (
        ("2021-01-01T00:00:00", "Acme"),
        ("2022-01-01T00:00:00", "Bolt"),
        (None, "Bolt"),
    ):
        read = await mind.operations["entity"].call({"name": "Ada", "as_of": moment})
        assert [one.other.name for one in read.relations] == [employer]
    walk = {"thought_id": read.entity.id, "types": ["WORKS_AT"]}
    trail = await mind.operations["walk_trail"].call(walk)
    assert [step.text for step in trail.steps] == ["Bolt"]
    assert read.relations[0].properties == {"supersedes": old.id}
    other = job | {"source_entity": "Eve", "target_entity": "Bob", "supersedes": old.id}
    with pytest.raises(NotFound, match="Neither entity of the relation"):
        await remember(mind, relations=[other])
    assert await entities(mind) == [("Acme", ""), ("Ada", ""), ("Bolt", "")]


async def test_a_relation_made_by_hand_gets_its_id_when_it_is_remembered(mind: Mind) -> None:
    await remember(mind, entities=[{"name": "Ada"}, {"name": "Engine"}])
    await raw(
        mind,
        "MATCH (a:Entity {namespace: $ns, name: 'Ada'}), (b:Entity {namespace: $ns, name: 'Engine'}) "
        "CREATE (a)-[:WORKS_ON {valid_to: $open, note: 'by hand'}]->(b)",
        ns=mind.settings.namespace,
        open=OPEN,
    )
    link = {"source_entity": "Ada", "type": "WORKS_ON", "target_entity": "Engine", "source": "letter"}
    first, again = [(await remember(mind, relations=[link])) for _ in range(2)]
    assert first.created == again.created == 0
    assert first.relations == again.relations
    (read,) = (await mind.operations["entity"].call({"name": "Ada"})).relations
    assert (read.id, read.source, read.properties) == (first.relations[0].id, "letter", {"note": "by hand"})
