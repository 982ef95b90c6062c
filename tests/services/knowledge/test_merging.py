"""Merging entities: nothing is lost, and the old names and ids mean the kept entity."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.nodes import EntityResult, MergeResult
from tests.steps import bare, remember, remember_entity, search, think_apart
from tests.wire import raw, settled, text_indexed

pytestmark = pytest.mark.anyio

THEN = "2020-01-01T00:00:00Z"


async def merge(mind: Mind, keep: str, *others: str, **options: Any) -> MergeResult:
    return await mind.operations["merge"].call({"keep": keep, "others": list(others), **options})


async def entity(mind: Mind, name: str | None = None, **options: Any) -> EntityResult:
    return await mind.operations["entity"].call({"name": name, "max_tokens": 5000, **options})


async def two(mind: Mind) -> tuple[str, str]:
    """One person under two names, with a fact and a relation that both have, and some that one has."""
    stored = await remember(
        mind,
        entities=[
            {"name": "Ada Lovelace", "entity_type": "person"},
            {"name": "A. Lovelace", "description": "An engineer", "data": {"age": 36}, "valid_from": THEN},
        ],
        observations=[
            {"entity": "Ada Lovelace", "content": "Ada lives in Lyon", "source": "mail"},
            {"entity": "A. Lovelace", "content": "ada lives in Lyon", "source": "letter", "valid_from": THEN},
            {"entity": "A. Lovelace", "content": "Ada reads Euler", "valid_from": THEN},
            {"entity": "Ada Lovelace", "content": "Ada is tired", "valid_to": "2999-01-01T00:00:00Z"},
            {"entity": "A. Lovelace", "content": "Ada is tired"},
        ],
        relations=[
            {"source_entity": "Ada Lovelace", "type": "KNOWS", "target_entity": "Bob", "source": "mail"},
            {
                "source_entity": "A. Lovelace",
                "type": "KNOWS",
                "target_entity": "Bob",
                "source": "letter",
                "valid_from": THEN,
            },
            {"source_entity": "Bob", "type": "KNOWS", "target_entity": "A. Lovelace"},
            {"source_entity": "A. Lovelace", "type": "SAME_AS", "target_entity": "Ada Lovelace"},
        ],
    )
    return stored.entities[0].id, stored.entities[1].id


async def test_a_merge_keeps_facts_relations_and_properties(mind: Mind) -> None:
    kept, other = await two(mind)
    await raw(
        mind,
        "MATCH ({id: $other})-[r:KNOWS]->() SET r.since = 1842, r.tags = ['a'] "
        "WITH r MATCH ({id: $kept})-[k:KNOWS]->() SET k.tags = ['b', 'c'] RETURN r",
        kept=kept,
        other=other,
    )
    planned = await merge(mind, "ada lovelace", "a. lovelace", dry_run=True)
    assert (await entity(mind, id=other)).entity.name == "A. Lovelace"
    merged = await merge(mind, kept, other, reason="one person", author="Eve")
    assert (planned.merged, planned.links) == (merged.merged, merged.links)
    assert [(one.id, one.observations, one.relations) for one in merged.merged] == [(other, 3, 2)]
    assert merged.kept.name == "Ada Lovelace"

    read = await entity(mind, "Ada Lovelace")
    assert (read.entity.description, read.entity.data) == ("An engineer", {"age": 36})
    assert read.entity.valid_from == datetime(2020, 1, 1, tzinfo=UTC)
    facts = {(fact.content, fact.source, fact.merged_from) for fact in read.observations}
    assert facts == {
        ("Ada lives in Lyon", "mail", None),
        ("ada lives in Lyon", "letter", other),
        ("Ada reads Euler", None, other),
        ("Ada is tired", None, other),
        ("Ada is tired", None, None),
    }
    relations = sorted(read.relations, key=lambda one: one.direction)
    assert [(one.direction, one.type, one.other.name) for one in relations] == [
        ("in", "KNOWS", "Bob"),
        ("out", "KNOWS", "Bob"),
        ("out", "KNOWS", "Bob"),
    ]
    assert relations[0].properties == {"merged_from": other}
    own, moved = sorted(relations[1:], key=lambda one: one.source or "", reverse=True)
    assert (own.source, own.properties) == ("mail", {"tags": ["b", "c"]})
    assert (moved.source, moved.valid_from) == ("letter", datetime(2020, 1, 1, tzinfo=UTC))
    assert moved.properties == {"merged_from": other, "since": 1842, "tags": ["a"]}

    again = await remember(
        mind, relations=[{"source_entity": "A. Lovelace", "type": "KNOWS", "target_entity": "Bob"}]
    )
    assert [(relation.id, relation.created) for relation in again.relations] == [(moved.id, False)]

    (record,) = read.entity.merged
    assert (record.id, record.name, record.description) == (other, "A. Lovelace", "An engineer")
    assert (record.merged_by, record.reason, record.data) == ("Eve", "one person", {"age": 36})
    assert (record.merged_at, record.observations, record.relations) == (merged.at, 3, 2)
    assert (await merge(mind, kept, other, "A. LOVELACE")).merged == []  # again, nothing is left to do
    assert (await entity(mind, "Ada Lovelace")).entity == read.entity


async def test_old_names_and_ids_mean_the_kept_entity(mind: Mind) -> None:
    kept, other = await two(mind)
    facts = await raw(
        mind,
        "MATCH (o:Observation {namespace: $ns, content: 'ada lives in Lyon'}) RETURN o.id AS id",
        ns=mind.settings.namespace,
    )
    thought = bare(await think_apart(mind, "An engineer lives in Lyon", injection_scale=3))
    await mind.operations["relate_thought"].call({"thought_id": thought, "target_id": other})
    third = await remember_entity(mind, "Countess")
    await merge(mind, third, kept)
    await merge(mind, "Countess", other)
    for old in (kept, other):
        got = await mind.operations["get"].call({"id": old})
        assert (got.id, got.merged_id, got.entity.name) == (third, old, "Countess")
    assert {one.id for one in got.entity.merged} == {kept, other}
    got = await mind.operations["get"].call({"id": facts[0]["id"]})
    assert (got.text, got.observation.entity.id) == ("ada lives in Lyon", third)
    assert (await entity(mind, " ada  lovelace")).entity.id == third
    assert (await entity(mind, id=other)).entity.id == third
    trail = await mind.operations["walk_trail"].call(
        {"thought_id": other, "direction": "both", "types": ["KNOWS"]}
    )
    assert [(step.text, step.depth) for step in trail.steps] == [("Bob", 1)]
    left = "MATCH ({namespace: $ns})-[r:SAME_AS]->() RETURN r"
    assert await raw(mind, left, ns=mind.settings.namespace) == []

    rome = {"entity": "Ada Lovelace", "content": "Ada lives in Rome", "supersedes": facts[0]["id"]}
    await remember(mind, observations=[rome])
    valid = {fact.content for fact in (await entity(mind, id=third)).observations}
    assert "ada lives in Lyon" not in valid
    again = await remember(
        mind,
        entities=[{"name": "A. Lovelace"}],
        observations=[
            {"entity": "ada lovelace", "content": "Ada reads Euler"},
            {"entity": "Ada Lovelace", "entity_type": "person", "content": "New"},
        ],
        relations=[
            {"source_entity": "A. Lovelace", "type": "SAME_AS", "target_entity": "Ada Lovelace"},
            {"source_entity": "Bob", "type": "KNOWS", "target_entity": "Ada Lovelace"},
        ],
    )
    assert {item.id for item in again.entities if item.label != "Bob"} == {third}
    assert [item.label for item in again.observations if item.created] == ["New"]
    assert (again.created, [item.label for item in again.relations]) == (1, ["Bob KNOWS Ada Lovelace"])

    links = await raw(
        mind,
        "MATCH (t:Thought {id: $id})-[r]->(e:Entity) RETURN type(r) AS type, e.id AS id",
        id=thought,
    )
    assert ("ASSOCIATES", third) in {(row["type"], row["id"]) for row in links}
    assert {row["id"] for row in links} == {third}
    explained = await mind.operations["explain_recall"].call({"thought_id": thought, "memory_id": other})
    assert [memory.id for memory in explained.memories] == [third]
    assert {hit.id for hit in (await search(mind, "lovelace engineer", kinds=["entity"])).hits} <= {
        third,
        again.relations[0].id,
        (await entity(mind, "Bob")).entity.id,
    }


async def test_names_that_are_none_or_ambiguous_merge_nothing(mind: Mind) -> None:
    kept, other = await two(mind)
    await remember(mind, entities=[{"name": "Ada Lovelace", "entity_type": "ship"}])
    await settled(mind)
    before = await raw(mind, "MATCH (n {namespace: $ns}) RETURN n {.*} AS n", ns=mind.settings.namespace)
    with pytest.raises(NotFound, match="no entity 'nobody'"):
        await merge(mind, kept, other, "nobody")
    with pytest.raises(InvalidInput, match=rf"2 entities have the name 'Ada Lovelace': person \({kept}\)"):
        await merge(mind, other, "Ada Lovelace")
    with pytest.raises(NotFound):
        await merge(mind, kept, other, namespace=f"{mind.settings.namespace}-other")
    with pytest.raises(InvalidInput, match="0 entities"):
        await merge(mind, kept)
    assert (
        await raw(mind, "MATCH (n {namespace: $ns}) RETURN n {.*} AS n", ns=mind.settings.namespace) == before
    )


async def test_an_entity_is_not_merged_into_itself(mind: Mind) -> None:
    await remember(mind, entities=[{"name": "Ada"}])
    with pytest.raises(InvalidInput, match="no other is named"):
        await mind.operations["merge"].call({"keep": "Ada", "others": [" ada "]})


async def test_deleting_a_merged_entity_frees_its_name_and_deleting_the_kept_one_deletes_both(
    mind: Mind,
) -> None:
    kept, other = await two(mind)
    await merge(mind, kept, other)
    freed = await mind.operations["forget"].call({"id": other, "confirm": True})
    assert [(one.kind, one.count) for one in freed.counts] == [("entity", 1)]
    new = await remember_entity(mind, "A. Lovelace")
    assert new == other  # the id of its name and type
    await merge(mind, kept, new)
    await mind.operations["forget"].call({"id": kept, "confirm": True})
    left = await raw(
        mind,
        "MATCH (n {namespace: $ns}) WHERE NOT n:Removed RETURN n.name AS name",
        ns=mind.settings.namespace,
    )
    assert [row["name"] for row in left] == ["Bob"]


async def test_the_kept_entity_is_found_by_the_names_of_those_merged_into_it(mind: Mind) -> None:
    for name in ("Ada Lovelace", "Countess", "Enchantress", "Bob"):
        await remember_entity(mind, name)
    await merge(mind, "Countess", "Enchantress")
    kept = (await merge(mind, "Ada Lovelace", "Countess")).kept.id
    await text_indexed(mind)
    for name in ("countess", "enchantress"):
        assert [hit.id for hit in (await search(mind, name, kinds=["entity"], method="text")).hits] == [kept]

    stub = (await entity(mind, "Ada Lovelace")).entity.merged[1]
    assert stub.name == "Countess"
    await mind.operations["forget"].call({"id": stub.id, "confirm": True})
    await text_indexed(mind)
    assert (await search(mind, "countess", kinds=["entity"], method="text")).hits == []
    assert [hit.id for hit in (await search(mind, "enchantress", method="text")).hits] == [kept]


async def test_a_fact_that_is_being_remembered_while_entities_merge_is_about_the_kept_one(mind: Mind) -> None:
    kept, other = [await remember_entity(mind, name) for name in ("keep", "other")]
    await merge(mind, kept, other, dry_run=True)  # planned, the statement takes milliseconds
    found = "MERGE (e:Entity {namespace: $ns, name_key: 'other', type_key: ''}) RETURN e.id AS id"
    async with (
        mind.graph._connected().session("WRITE") as session,  # pyright: ignore[reportPrivateUsage]
        await session.begin_transaction() as tx,
    ):
        row = await (await tx.run(found, ns=mind.settings.namespace)).single(strict=True)
        assert row["id"] == other
        merging = asyncio.ensure_future(merge(mind, kept, other))
        done, _ = await asyncio.wait([merging], timeout=0.5)
        assert not done  # it waits for the writer that has found the entity by its name
        await tx.run(
            "MATCH (e:Entity {id: $id}) CREATE (:Observation {id: $fact, namespace: $ns, content: 'x', "
            "valid_from: $now, valid_to: $now + duration('P1D')})-[:ABOUT]->(e)",
            id=other,
            fact=f"{other}-x",
            ns=mind.settings.namespace,
            now=datetime.now(UTC),
        )
        await tx.commit()
    assert [one.observations for one in (await merging).merged] == [1]
    assert [fact.content for fact in (await entity(mind, "other")).observations] == ["x"]
