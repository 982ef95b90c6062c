"""Reading an entity with its facts and relations, and lists of entities."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.nodes import EntityResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from tests.steps import remember, remember_entity

pytestmark = pytest.mark.anyio

LONG = "The reactor of unit 4 was built by the plant's own team. " * 68


async def entity(mind: Mind, name: str | None = None, **options: Any) -> EntityResult:
    return await mind.operations["entity"].call({"name": name, **options})


async def statement(mind: Mind, text: Any, **parameters: Any) -> None:
    async with mind.graph._connected().session("WRITE") as session:  # pyright: ignore[reportPrivateUsage]
        await (await session.run(text, parameters)).consume()


async def ada(mind: Mind) -> str:
    """Ada with three facts, one of them superseded, and relations in both directions."""
    stored = await remember(
        mind,
        entities=[
            {"name": "Ada", "entity_type": "person", "description": "An engineer", "data": {"age": 36}}
        ],
        observations=[
            {"entity": "Ada", "content": LONG, "source": "report", "valid_from": "2020-01-01T00:00:00Z"},
            {"entity": "Ada", "content": "Ada lives in Lyon", "valid_from": "2021-01-01T00:00:00Z"},
        ],
        relations=[
            {
                "source_entity": "Ada",
                "type": "WORKS_ON",
                "target_entity": "Engine",
                "source": "letter",
                "valid_from": "2020-01-01T00:00:00Z",
            },
            {"source_entity": "Charles", "type": "KNOWS", "target_entity": "Ada"},
        ],
    )
    await remember(
        mind,
        observations=[
            {
                "entity": "Ada",
                "content": "Ada lives in Rome",
                "supersedes": stored.observations[1].id,
                "valid_from": "2022-01-01T00:00:00Z",
            }
        ],
    )
    return stored.entities[0].id


async def test_an_entity_has_its_facts_in_full_and_relations_in_both_directions(mind: Mind) -> None:
    own_id = await ada(mind)
    read = await entity(mind, " ada ", max_tokens=5000)
    assert (read.entity.id, read.entity.name, read.entity.description) == (own_id, "Ada", "An engineer")
    assert read.entity.data == {"age": 36}
    assert [fact.content for fact in read.observations] == ["Ada lives in Rome", LONG]
    assert (read.observations[1].source, read.observations[1].valid_to) == ("report", None)
    assert [(one.direction, one.type, one.other.name, one.source) for one in read.relations] == [
        ("in", "KNOWS", "Charles", None),
        ("out", "WORKS_ON", "Engine", "letter"),
    ]
    assert read.relations[1].valid_from == datetime(2020, 1, 1, tzinfo=UTC)
    assert (read.observation_count, read.relation_count, read.next) == (2, 2, None)
    assert (await entity(mind, id=own_id, max_tokens=5000)).observations == read.observations


async def test_the_past_and_the_whole_history_are_readable(mind: Mind) -> None:
    await ada(mind)
    past = await entity(mind, "Ada", as_of="2021-06-01T00:00:00Z", max_tokens=5000)
    assert [fact.content for fact in past.observations] == ["Ada lives in Lyon", LONG]
    assert [one.type for one in past.relations] == ["WORKS_ON"]
    everything = await entity(mind, "Ada", history=True, max_tokens=5000)
    assert [fact.content for fact in everything.observations] == [
        "Ada lives in Rome",
        "Ada lives in Lyon",
        LONG,
    ]
    assert everything.observations[1].revised_by == everything.observations[0].id


async def test_pages_join_to_the_whole_whatever_the_budget(mind: Mind) -> None:
    await remember(
        mind,
        observations=[
            {"entity": "Hub", "content": f"fact {number:02} {'word ' * number}"} for number in range(25)
        ],
        relations=[
            {"source_entity": "Hub", "type": "HAS", "target_entity": f"part {number:02}"}
            for number in range(9)
        ],
    )
    facts: list[str] = []
    relations: list[str] = []
    after: str | None = None
    pages = 0
    while not pages or after is not None:
        page = await entity(mind, "Hub", after=after, limit=10, max_tokens=800)
        facts += [fact.content for fact in page.observations]
        relations += [relation.other.name for relation in page.relations]
        after = page.next
        pages += 1
    assert pages > 3
    assert sorted(facts) == [
        f"fact {number:02} {'word ' * number}".strip() for number in range(25)
    ] or sorted(facts) == [f"fact {number:02} {'word ' * number}" for number in range(25)]
    assert relations == [f"part {number:02}" for number in range(9)]


@pytest.mark.slow
async def test_a_large_page_keeps_to_its_budget(mind: Mind) -> None:
    facts = [f"fact {number:03} {'about the hub of the plant ' * 12}" for number in range(200)]
    for half in (facts[:100], facts[100:]):
        await remember(mind, observations=[{"entity": "Hub", "content": content} for content in half])
    page = await entity(mind, "Hub", limit=200, max_tokens=2_000)
    assert tokens(jsonable(page)) <= 2_000
    assert page.left_out == 200 - len(page.observations)
    assert len(page.observations) > 5
    following = await entity(mind, "Hub", limit=200, max_tokens=2_000, after=page.next)
    whole = await entity(mind, "Hub", limit=200, max_tokens=100_000)
    assert len(whole.observations) == 200
    assert following.observations[0] == whole.observations[len(page.observations)]


async def test_a_budget_below_the_first_fact_shortens_it(mind: Mind) -> None:
    await ada(mind)
    first = await entity(mind, "Ada", limit=1)
    page = await entity(mind, "Ada", after=first.next, limit=1, max_tokens=300)
    (fact,) = page.observations
    assert fact.content.endswith("…")
    assert LONG.startswith(fact.content[:-1])


async def test_several_entities_of_one_name_need_a_type(mind: Mind) -> None:
    ids = {
        kind: await remember_entity(mind, "Mercury", entity_type=kind) for kind in ("planet", "element", "")
    }
    listed = f"no type ({ids['']}), element ({ids['element']}), planet ({ids['planet']})"
    with pytest.raises(InvalidInput, match=re.escape(f"3 entities have the name 'Mercury': {listed}.")):
        await entity(mind, "Mercury")
    assert (await entity(mind, id=ids[""])).entity.entity_type == ""
    assert (await entity(mind, "mercury", entity_type="Planet")).entity.entity_type == "planet"
    assert (await entity(mind, "mercury", entity_type="element")).entity.entity_type == "element"


async def test_relations_made_by_other_tools_show_their_properties(mind: Mind) -> None:
    await remember(mind, entities=[{"name": "A"}, {"name": "B"}])
    await statement(
        mind,
        "MATCH (a:Entity {namespace: $ns, name: 'A'}), (b:Entity {namespace: $ns, name: 'B'}) "
        "CREATE (a)-[:NEAR {metres: 5, since: datetime('2020-01-01T00:00:00Z')}]->(b), (a)-[:SELF]->(a)",
        ns=mind.settings.namespace,
    )
    read = await entity(mind, "A")
    near, self = read.relations
    assert (near.id, near.type, near.valid_from) == (None, "NEAR", None)
    assert near.properties == {"metres": 5, "since": datetime(2020, 1, 1, tzinfo=UTC)}
    assert (self.type, self.other.name, read.relation_count) == ("SELF", "A", 2)


@pytest.mark.parametrize("arguments", [{}, {"name": "A", "id": "b"}])
async def test_an_entity_needs_a_name_or_an_id(mind: Mind, arguments: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="name or by its id"):
        await mind.operations["entity"].call(arguments)


@pytest.mark.parametrize(
    "arguments", [{"name": "Nobody"}, {"id": "nobody"}, {"name": "Nobody", "entity_type": "x"}]
)
async def test_an_unknown_entity_is_not_found(mind: Mind, arguments: dict[str, str]) -> None:
    with pytest.raises(NotFound, match=r"(?i)no entity 'nobody'"):
        await mind.operations["entity"].call(arguments)


async def test_a_trail_from_an_entity_follows_the_relations_of_users(mind: Mind) -> None:
    stored = await remember(
        mind,
        observations=[{"entity": "Ada", "content": "Ada wrote the first program"}],
        relations=[
            {"source_entity": "Ada", "type": "WORKS_ON", "target_entity": "Engine"},
            {"source_entity": "Engine", "type": "PART_OF", "target_entity": "Plant"},
        ],
    )
    own_id = stored.entities[0].id
    walk = mind.operations["walk_trail"].call
    trail = await walk({"thought_id": own_id})
    *near, far = [(step.text, step.via, step.depth) for step in trail.steps]
    assert sorted(near) == [("Ada wrote the first program", "ABOUT", 1), ("Engine", "WORKS_ON", 1)]
    assert far == ("Plant", "PART_OF", 2)
    some = await walk({"thought_id": own_id, "types": "works-on"})
    assert [step.text for step in some.steps] == ["Engine"]
    facts = await walk({"thought_id": own_id, "types": ["ABOUT"], "direction": "forward"})
    assert [(step.kind, step.text) for step in facts.steps] == [
        ("observation", "Ada wrote the first program")
    ]
    both = await walk({"thought_id": trail.steps[2].id, "direction": "both"})
    assert [step.text for step in both.steps] == ["Engine", "Ada"]


async def test_entities_are_listed_by_name_page_by_page_with_their_facts(mind: Mind) -> None:
    await remember(
        mind,
        entities=[
            {"name": "Zoe", "entity_type": "Person", "description": "x" * 300},
            {"name": "Ada", "entity_type": "person"},
            {"name": "Pump", "entity_type": "machine"},
            {"name": "A. Lovelace", "entity_type": "person"},
        ],
        observations=[
            {"entity": "Ada", "entity_type": "person", "content": "Ada lives in Lyon."},
            {
                "entity": "Ada",
                "content": "Ada was in Rome.",
                "valid_from": "1990-01-01T00:00:00Z",
                "valid_to": "1991-01-01T00:00:00Z",
            },
        ],
    )
    everybody = await mind.list_entities()
    assert [(one.name, one.observations) for one in everybody.entities] == [
        ("A. Lovelace", 0),
        ("Ada", 1),
        ("Pump", 0),
        ("Zoe", 0),
    ]
    assert len(everybody.entities[3].description or "") == 200
    await mind.merge("Ada", ["A. Lovelace"])
    paged: list[str] = []
    after: str | None = None
    while not paged or after is not None:
        page = await mind.list_entities(entity_type="PERSON", limit=1, after=after)
        paged += [one.name for one in page.entities]
        after = page.next
    assert paged == ["Ada", "Zoe"]
    assert (await mind.list_entities(as_of=datetime(1990, 1, 1, tzinfo=UTC))).entities == []
