"""The graph in GraphQL: nodes, their neighbours and pages of them."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from legacymind import files
from legacymind.calls import calling
from legacymind.db.query import Query
from legacymind.doors.graphql.schema import Schema, build_schema
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import bare, own_namespace, store_thought, think
from tests.wire import noted_statements, profiled_hits, raw

pytestmark = pytest.mark.anyio

THINGS = "copper kettle"


@dataclass(frozen=True)
class World:
    """A session of six thoughts, of which the fourth is private, and knowledge about a kettle."""

    mind: Mind
    schema: Schema
    ids: list[str]
    kettle: str
    facts: list[str]

    async def ask(self, document: str, **variables: Any) -> Any:
        result = await self.schema.execute(document, variable_values=variables)
        assert result.errors is None, result.errors
        return result.data

    async def error(self, document: str, **variables: Any) -> dict[str, Any]:
        """The one error of a request."""
        result = await self.schema.execute(document, variable_values=variables)
        assert result.errors is not None
        (error,) = result.errors
        return dict(error.formatted)


@pytest.fixture(scope="module")
async def world(engine_settings: Settings) -> AsyncIterator[World]:
    """Shared by the module: most tests only read, and the others store in sessions of their own."""
    async with own_namespace(engine_settings) as mind:
        known = await mind.operations["remember"].call(
            {
                "entities": [{"name": "Kettle", "entity_type": "tool", "data": {"litres": 2}}],
                "observations": [
                    {"entity": "Kettle", "content": f"the {THINGS} {what}", "valid_from": f"2026-01-0{n}"}
                    for n, what in enumerate(("boils", "leaks", "shines"), 1)
                ],
                "relations": [
                    {"source_entity": "Kettle", "type": "STANDS_ON", "target_entity": "Stove"},
                    {"source_entity": "Ada", "type": "OWNS", "target_entity": "Kettle"},
                ],
            }
        )
        ids = list[str]()
        for number in range(6):
            thought = await think(
                mind,
                f"the {THINGS} number {number}",
                session_id="kitchen",
                is_private=number == 3,
                parent_id=ids[0] if ids else None,
                injection_scale=5,
                tags=["kitchen"],
                chain_id="breakfast",
                action_id="tea",
                author="Ada",
            )
            ids.append(bare(thought))
        kettle = next(one.id for one in known.entities if one.label == "Kettle")
        yield World(mind, build_schema(mind), ids, kettle, [one.id for one in known.observations])


async def test_a_thought_leads_to_its_neighbours(world: World) -> None:
    read = await world.ask(
        """query ($id: ID!) { thought(id: $id) { id content mode tags stepIndex
          outsideChain createdAt
             parent { id } follows { id content } revises { id }
               session { id: name steps }
             recalls(first: 50) { edges { rank score via node { __typename id } } } } }""",
        id=f"thoughts:{world.ids[2]}",
    )
    thought = read["thought"]
    assert (thought["id"], thought["content"]) == (world.ids[2], f"the {THINGS} number 2")
    assert (thought["mode"], thought["tags"], thought["stepIndex"]) == ("QUESTION", ["kitchen"], 2)
    assert thought["outsideChain"] is False
    assert (thought["parent"], thought["revises"]) == ({"id": world.ids[0]}, None)
    assert thought["follows"] == {"id": world.ids[1], "content": f"the {THINGS} number 1"}
    assert thought["session"] == {"id": "kitchen", "steps": 6}
    recalled = thought["recalls"]["edges"]
    assert {one["node"]["__typename"] for one in recalled} >= {"Observation"}
    assert [one["rank"] for one in recalled] == sorted(one["rank"] for one in recalled)
    assert all(one["score"] is not None and one["via"] for one in recalled)


async def test_an_entity_leads_to_its_facts_and_relations(world: World) -> None:
    read = await world.ask(
        """query ($id: ID!) { entity(id: $id) { name entityType data
             observations { edges { node { id content entity { id } } } }
             relations { edges { type direction node { name } } }
             out: relations(direction: OUT) { edges { type } } } }""",
        id=world.kettle,
    )
    entity = read["entity"]
    assert (entity["name"], entity["entityType"], entity["data"]) == ("Kettle", "tool", {"litres": 2})
    facts = [one["node"] for one in entity["observations"]["edges"]]
    assert [one["id"] for one in facts] == world.facts[::-1]
    assert facts[0]["entity"] == {"id": world.kettle}
    relations = [(one["type"], one["direction"], one["node"]["name"]) for one in entity["relations"]["edges"]]
    assert relations == [("OWNS", "IN", "Ada"), ("STANDS_ON", "OUT", "Stove")]
    assert entity["out"]["edges"] == [{"type": "STANDS_ON"}]


RELATED = """query ($id: ID!, $own: ID, $direction: RelationDirection) {
  thought(id: $id, ownSessionId: $own) { relations(first: 1, direction: $direction) {
    edges { type direction weight note node { id } } pageInfo { hasNextPage endCursor } } } }"""


async def test_relations_between_thoughts_and_what_recalled_or_names_a_node_are_read(world: World) -> None:
    mind, own = world.mind, dict[str, Any](own_session_id="relations")
    problem = await store_thought(mind, "a problem", session_id="relations", injection_scale=0)
    fix = await store_thought(
        mind, "Kettle is mended", session_id="relations", is_private=True, injection_scale=0
    )
    await mind.relate_thought(fix, problem, type="SOLVES", weight=0.5, note="new plug", **own)
    await mind.relate_thought(problem, world.ids[0], type="CONTRADICTS")
    solved = {"type": "SOLVES", "weight": 0.5, "note": "new plug"}

    async def related(id: str, own: str | None, direction: str | None = None) -> list[dict[str, Any]]:
        read = await world.ask(RELATED, id=id, own=own, direction=direction)
        page = read["thought"]["relations"]
        assert page["pageInfo"]["hasNextPage"] is (own is not None and id == problem and direction is None)
        return page["edges"]

    assert await related(fix, "relations") == [{**solved, "direction": "OUT", "node": {"id": problem}}]
    assert [edge["type"] for edge in await related(problem, "relations")] == ["CONTRADICTS"]
    assert await related(problem, "relations", "IN") == [{**solved, "direction": "IN", "node": {"id": fix}}]
    assert [edge["type"] for edge in await related(problem, None)] == ["CONTRADICTS"]  # the fix is private
    assert [edge["direction"] for edge in await related(world.ids[0], None)] == ["IN"]
    read = await world.ask(
        """query ($thought: ID!, $entity: ID!, $recalled: ID!) {
          thought(id: $thought, ownSessionId: "relations") {
            mentions { edges { node { id name } } } }
          entity(id: $entity, ownSessionId: "relations") {
            thoughts(first: 50) { edges { node { id } } } }
          recalled: thought(id: $recalled) {
            recalledBy { edges { node { recalls(first: 50) { edges { node { id } } } } } } } }""",
        thought=fix,
        entity=world.kettle,
        recalled=world.ids[1],
    )
    assert read["thought"]["mentions"]["edges"] == [{"node": {"id": world.kettle, "name": "Kettle"}}]
    assert fix in [edge["node"]["id"] for edge in read["entity"]["thoughts"]["edges"]]
    by = read["recalled"]["recalledBy"]["edges"]
    assert by
    assert all({"node": {"id": world.ids[1]}} in edge["node"]["recalls"]["edges"] for edge in by)


async def test_each_kind_is_found_by_the_field_of_its_type_only(world: World) -> None:
    document = """query ($id: ID!) { thought(id: $id) { id }
      entity(id: $id) { id } observation(id: $id) { id } }"""
    nothing = {"thought": None, "entity": None, "observation": None}
    for id, kind in ((world.ids[0], "thought"), (world.kettle, "entity"), (world.facts[0], "observation")):
        assert await world.ask(document, id=id) == {**nothing, kind: {"id": id}}
    assert await world.ask(document, id="nowhere") == nothing


async def test_a_fact_leads_to_its_source_and_to_what_replaced_it(world: World) -> None:
    async def remember(content: str, **more: str) -> str:
        known = await world.mind.operations["remember"].call(
            {"observations": [{"entity": "Lid", "content": content, **more}]}
        )
        return known.observations[0].id

    old = await remember("the lid is here", valid_from="2026-01-01")
    new = await remember("the lid is lost", supersedes=old, learned_from=world.ids[0])
    read = await world.ask(
        """query ($id: ID!) { observation(id: $id) { learnedFrom { id }
          supersededBy { id }
             supersedes { content supersededBy { id } entity { now: observations { edges {
               node { id } } }
               all: observations(history: true) { edges { node { id } } }
               then: observations(asOf: "2026-01-02T00:00:00Z") { edges { node { id } } } }
                 } } }""",
        id=new,
    )
    fact = read["observation"]
    assert (fact["learnedFrom"], fact["supersededBy"]) == ([{"id": world.ids[0]}], None)
    assert (fact["supersedes"]["content"], fact["supersedes"]["supersededBy"]) == (
        "the lid is here",
        {"id": new},
    )
    pages = {
        name: [one["node"]["id"] for one in page["edges"]]
        for name, page in fact["supersedes"]["entity"].items()
    }
    assert pages == {"now": [new], "all": [new, old], "then": [old]}


SESSION = """query ($first: Int, $after: String, $order: ThreadOrder) { session(name: "kitchen") {
  name steps headHash firstThoughtAt chain { verdict valid }
  thoughts(first: $first, after: $after, order: $order) {
    edges { cursor node { id stepIndex } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"""


EXAMPLES = {
    path.stem: path.read_text("utf-8") for path in files.path("graphql", "operations", "nodes").iterdir()
}
SUBSCRIPTION = EXAMPLES.pop("thought_added")
"""tests/doors/http/test_subscriptions.py runs it."""


@pytest.mark.parametrize("example", EXAMPLES)
async def test_every_example_finds_something(world: World, example: str) -> None:
    ids = {"session": "kitchen", "knowledge": world.kettle}
    read = await world.ask(EXAMPLES[example], id=ids.get(example, world.ids[5]))
    assert all(read.values())
    assert THINGS in str(read)


async def test_a_session_is_read_in_pages_with_the_verdict_on_its_chain(world: World) -> None:
    seen, after, sizes = list[str](), None, list[int]()
    while True:
        session = (await world.ask(SESSION, first=4, after=after))["session"]
        page = session["thoughts"]
        seen += [one["node"]["id"] for one in page["edges"]]
        sizes.append(len(page["edges"]))
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert (seen, sizes) == (world.ids, [4, 2])  # naming the session shows its private thought
    assert session["chain"] == {"verdict": "INTACT", "valid": True}
    assert session["steps"] == 6
    found = list[list[str]]()
    for step in (0, 4, 6):
        document = f"""{{ session(name: "kitchen") {{ thoughts(first: 9, fromStep: {step}) {{
          edges {{ node {{ id }} }} }} }} }}"""
        edges = (await world.ask(document))["session"]["thoughts"]["edges"]
        found.append([one["node"]["id"] for one in edges])
    assert found == [world.ids, world.ids[4:], []]
    latest = (await world.ask(SESSION, first=2, order="CREATED_AT_DESC"))["session"]["thoughts"]["edges"]
    assert [one["node"]["id"] for one in latest] == [world.ids[5], world.ids[4]]


async def test_pages_are_stable_while_thoughts_are_stored(world: World) -> None:
    stored = [await store_thought(world.mind, f"step {n}", session_id="growing") for n in range(4)]
    document = SESSION.replace("kitchen", "growing")
    first = (await world.ask(document, first=2))["session"]["thoughts"]
    early = await store_thought(
        world.mind, "imported", session_id="growing", created_at="2001-01-01T00:00:00Z"
    )
    late = await store_thought(world.mind, "step 4", session_id="growing")
    rest = (await world.ask(document, first=10, after=first["pageInfo"]["endCursor"]))["session"]["thoughts"]
    seen = [one["node"]["id"] for page in (first, rest) for one in page["edges"]]
    assert seen == [*stored, late]
    assert early not in seen


async def test_no_two_nodes_share_an_id_in_a_clients_cache(world: World, engine_settings: Settings) -> None:
    document = """{ session(name: "kitchen") { __typename id name namespace } action(name: "tea") { id name }
      chain(name: "breakfast") { id name } thoughts { edges { node { id namespace } } } }"""
    async with own_namespace(engine_settings) as other:
        await think(other, "boil", session_id="kitchen", action_id="tea", chain_id="breakfast")
        read = [await world.ask(document), await replace(world, schema=build_schema(other)).ask(document)]
    for field, name in (("session", "kitchen"), ("action", "tea"), ("chain", "breakfast")):
        one, two = (each[field] for each in read)
        assert one["name"] == two["name"] == name
        assert one["id"] != two["id"]
    ids = [{edge["node"]["id"] for edge in each["thoughts"]["edges"]} for each in read]
    assert not ids[0] & ids[1]
    namespaces = {edge["node"]["namespace"] for edge in read[0]["thoughts"]["edges"]}
    assert namespaces == {read[0]["session"]["namespace"]} == {world.mind.settings.namespace}


async def test_items_of_results_lead_to_their_nodes_and_changes_to_their_thought(world: World) -> None:
    read = await world.ask(
        """query ($id: ID!) { search(input: {query: "kettle", kinds: [OBSERVATION]}) { hits { id
             node { id __typename ... on Observation { entity { name } } } } }
             walkTrail(input: {thoughtId: $id}) { steps { id node { id } } }
             explainRecall(thoughtId: $id, sessionId: "kitchen") { memories { id node { id } }
               missed { id node { id } } }
             recall(input: {content: "kettle"}) { memories { id node { id } } } }""",
        id=world.ids[5],
    )
    hits = read["search"]["hits"]
    assert "Kettle" in {hit["node"]["entity"]["name"] for hit in hits}
    items = [*hits, *read["walkTrail"]["steps"], *read["recall"]["memories"]]
    items += [*read["explainRecall"]["memories"], *read["explainRecall"]["missed"]]
    assert all(one["node"]["id"] == one["id"] for one in items)
    assert len(items) > 5
    done = await world.ask(
        """mutation ($id: ID!) { pin: pinThought(thoughtId: $id) { thought { id pinned } }
             unpin: pinThought(thoughtId: $id, pinned: false) { thought { id pinned } }
             recordOutcome(input: {thoughtId: $id, outcome: "success"}) { thought { outcomeScore } }
             remember(entities: [{name: "Lamp"}]) { entities { id node { id } } } }""",
        id=world.ids[5],
    )
    assert done["pin"] == {"thought": {"id": world.ids[5], "pinned": True}}
    assert done["unpin"] == {"thought": {"id": world.ids[5], "pinned": False}}
    assert done["recordOutcome"] == {"thought": {"outcomeScore": 1.0}}
    (lamp,) = done["remember"]["entities"]
    assert lamp["node"] == {"id": lamp["id"]}


async def test_children_are_read_in_pages(world: World) -> None:
    document = """query ($id: ID!, $after: String) { thought(id: $id) {
      children(first: 2, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage
        endCursor } } } }"""
    seen, after = list[str](), None
    while True:
        page = (await world.ask(document, id=world.ids[0], after=after))["thought"]["children"]
        seen += [one["node"]["id"] for one in page["edges"]]
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert seen == [id for number, id in enumerate(world.ids) if number not in (0, 3)]
    error = await world.error(document, id=world.ids[1], after=after)
    assert error["extensions"] == {"code": "invalid_input"}
    assert "belongs to a read with other arguments" in error["message"]


async def test_blank_and_null_arguments_are_their_defaults_and_a_forged_cursor_is_refused(
    world: World,
) -> None:
    document = """query ($id: ID!, $after: String, $first: Int, $own: ID) {
      thought(id: $id, ownSessionId: $own) { children(first: $first, after: $after) {
        edges { node { id children(first: 3, after: $after) { edges { cursor } } } } } } }"""
    root = world.ids[0]
    expected = await world.ask(document, id=root)
    assert len(expected["thought"]["children"]["edges"]) == 4
    assert await world.ask(document, id=root, after="", own=" ", first=None) == expected
    for size, shown in ((0, 0), (1, 1), (2, 2), (100, 4)):
        read = await world.ask(document, id=root, first=size)
        assert len(read["thought"]["children"]["edges"]) == shown
    for size in (-1, 101, 1000, 1.5, "2", 2**40):
        error = await world.error(document, id=root, first=size)
        assert error["extensions"] == {"code": "invalid_input"}
        assert "0 to 100" in error["message"] or "Int cannot represent" in error["message"]
    error = await world.error(document, id=root, after="forged")
    assert (error["extensions"], "The cursor is malformed" in error["message"]) == (
        {"code": "invalid_input"},
        True,
    )


async def test_recalls_facts_and_relations_are_read_in_pages(world: World) -> None:
    for start, id, name in (
        ("thought", world.ids[5], "recalls"),
        ("entity", world.kettle, "observations"),
        ("entity", world.kettle, "relations"),
    ):
        document = f"""query ($id: ID!, $first: Int, $after: String) {{ {start}(id: $id) {{
          {name}(first: $first, after: $after) {{ edges {{ node {{ id }} }}
            pageInfo {{ hasNextPage endCursor }} }} }} }}"""
        everything = (await world.ask(document, id=id, first=100))[start][name]["edges"]
        assert len(everything) > 1
        seen, after = list[Any](), None
        while True:
            page = (await world.ask(document, id=id, first=1, after=after))[start][name]
            seen += page["edges"]
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        assert seen == everything


async def test_sessions_are_listed_in_pages(engine_settings: Settings) -> None:
    async with own_namespace(engine_settings) as mind:
        schema = build_schema(mind)
        for name in "cab":
            await store_thought(mind, session_id=name)
        await raw(
            mind,
            "CREATE (:Thought {id: $ns + ' hand', namespace: $ns, session_id: 'bb', is_private: false})",
            ns=mind.settings.namespace,
        )
        document = """query ($after: String) { sessions(first: 3, after: $after) {
          edges { node { name steps } } pageInfo { hasNextPage endCursor } } }"""
        result = await schema.execute(document)
        assert result.data is not None, result.errors
        page = result.data["sessions"]
        assert [tuple(one["node"].values()) for one in page["edges"]] == [("a", 1), ("b", 1), ("bb", 0)]
        assert page["pageInfo"]["hasNextPage"] is True
        result = await schema.execute(document, {"after": page["pageInfo"]["endCursor"]})
        assert result.data is not None
        assert [one["node"]["name"] for one in result.data["sessions"]["edges"]] == ["c"]


DEEP = """{ session(name: "kitchen") { thoughts(first: 50) { edges { node {
  content follows { content } parent { content } session { steps }
  children(first: 5) { edges { node { id } } }
  recalls(first: 9) { edges { score node { id
    ... on Thought { content mode session { id: name } recalls(first: 3) { edges { rank node {
      id } } } }
    ... on Observation { content entity { name relations(first: 3) { edges { type } } } } } } } } } } } }"""


async def test_a_level_costs_one_statement_for_each_of_its_lists(world: World) -> None:
    for _ in range(12):
        await think(world.mind, f"the {THINGS} again", session_id="more", injection_scale=5)
    # One for each list of a level, and one for the nodes of a level, whichever lists lead to them.
    most = {
        "nodes/read_sessions": 2,
        "nodes/list_in_time": 1,
        "nodes/list_of": 1,
        "nodes/read_recalls": 2,
        "nodes/read_relations": 1,
        "nodes/read_nodes": 4,
    }
    for session, thoughts in (("kitchen", 6), ("more", 12)):
        with noted_statements() as names:
            read = await world.ask(DEEP.replace("kitchen", session))
        edges = read["session"]["thoughts"]["edges"]
        assert len(edges) == thoughts
        assert sum(len(one["node"]["recalls"]["edges"]) for one in edges) > thoughts
        assert Counter(names) <= Counter(most)


VERDICTS = """{ chains(first: 1) { edges { node { thoughts(first: 50) { edges { node {
  session { id: name chain { verdict } } } } } } } } }"""


async def test_a_request_verifies_each_session_once(world: World) -> None:
    with noted_statements() as names:
        (chain,) = (await world.ask(VERDICTS))["chains"]["edges"]
    sessions = [one["node"]["session"] for one in chain["node"]["thoughts"]["edges"]]
    assert sessions == [{"id": "kitchen", "chain": {"verdict": "INTACT"}}] * 5  # one is private
    statements = Counter(name for name in names if name.startswith("chain/"))
    assert statements == Counter(["chain/read_head", "chain/read_outside"])  # the chain itself is streamed


HIDDEN = """query ($root: ID!, $last: ID!, $own: ID) {
  root: thought(id: $root, ownSessionId: $own) { children(first: 50) { edges { node { id } } }
    session { thoughts(first: 50) { edges { node { id } } } } }
  last: thought(id: $last, ownSessionId: $own) { recalls(first: 50) { edges { node { id } } }
    follows { id follows { id } } } }"""


async def test_private_thoughts_are_visible_only_to_their_own_session(world: World) -> None:
    secret = world.ids[3]
    one = "query ($id: ID!, $own: ID) { thought(id: $id, ownSessionId: $own) { id } }"
    assert await world.ask(one, id=secret) == {"thought": None}
    assert await world.ask(one, id=secret, own="other") == {"thought": None}
    assert (await world.ask(one, id=secret, own="kitchen"))["thought"] == {"id": secret}
    variables = {"root": world.ids[0], "last": world.ids[4]}
    for own in (None, "other"):
        assert secret not in str(await world.ask(HIDDEN, **variables, own=own))
    shown = await world.ask(HIDDEN, **variables, own="kitchen")
    assert str(shown["root"]).count(secret) == 2
    assert shown["last"]["follows"]["id"] == secret
    async with Mind(world.mind.settings, session_id="kitchen", embedder=FakeEmbedder()) as own:
        read = await replace(world, schema=build_schema(own)).ask(one, id=secret)
        assert read["thought"] == {"id": secret}


async def test_a_redacted_thought_keeps_its_place_without_text(world: World) -> None:
    kept = await store_thought(world.mind, "a secret word", session_id="redacted", hypothesis="it is said")
    await world.mind.operations["redact_thought"].call({"thought_id": kept, "reason": "said too much"})
    read = await world.ask(
        """query ($id: ID!) { thought(id: $id) { content hypothesis redactedReason stepIndex
             followedBy { edges { node { redacts } } } } }""",
        id=kept,
    )
    assert "secret" not in str(read)
    assert read["thought"]["content"] is None
    assert (read["thought"]["hypothesis"], read["thought"]["redactedReason"]) == (None, "said too much")
    assert read["thought"]["stepIndex"] == 0


async def test_no_namespace_shows_nodes_of_another(world: World, engine_settings: Settings) -> None:
    documents = (
        "query ($id: ID!) { thought(id: $id) { id } entity(id: $id) { id } }",
        'query { session(name: "kitchen") { name } }',
        "query { sessions { edges { node { name } } } }",
    )
    async with own_namespace(engine_settings) as other:
        elsewhere = replace(world, schema=build_schema(other))
        for id in (world.ids[0], world.kettle):
            assert set((await elsewhere.ask(documents[0], id=id)).values()) == {None}
        assert (await elsewhere.ask(documents[1]))["session"] is None
        assert (await elsewhere.ask(documents[2]))["sessions"]["edges"] == []
        fixed = other.settings.changed(namespace_fixed=True)
        async with Mind(fixed, embedder=FakeEmbedder()) as limited:
            refused = replace(world, schema=build_schema(limited))
            error = await refused.error(
                "query ($id: ID!, $ns: String) { thought(id: $id, namespace: $ns) { id } }",
                id=world.ids[0],
                ns=world.mind.settings.namespace,
            )
    assert error["extensions"] == {"code": "refused"}


async def test_a_merged_entity_is_read_by_its_old_id(world: World) -> None:
    known = await world.mind.operations["remember"].call(
        {"entities": [{"name": "Boiler"}, {"name": "Heater"}]}
    )
    boiler, heater = (one.id for one in known.entities)
    await world.mind.operations["merge"].call({"keep": boiler, "others": [heater]})
    read = await world.ask("query ($id: ID!) { entity(id: $id) { id name aliases } }", id=heater)
    assert read["entity"] == {"id": boiler, "name": "Boiler", "aliases": ["Heater"]}


async def names(schema: Schema, field: str, first: int, key: str = "name") -> list[str]:
    """All items of a list of the query, read in pages."""
    document = f"""query ($after: String) {{ {field}(first: {first}, after: $after) {{
      edges {{ cursor node {{ {key} }} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
    seen, after = list[str](), None
    while True:
        result = await schema.execute(document, {"after": after})
        assert result.data is not None, result.errors
        page = result.data[field]
        assert len(page["edges"]) <= first
        seen += [one["node"][key] for one in page["edges"]]
        assert page["pageInfo"]["endCursor"] == page["edges"][-1]["cursor"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return seen


async def test_a_thought_shows_what_was_believed_at_a_time(world: World) -> None:
    mind = world.mind
    first = await store_thought(mind, "The kettle is dry.", session_id="b", created_at="2026-01-01")
    second = await store_thought(mind, "It is wet.", revises_thought=first, created_at="2026-02-01")
    third = await store_thought(mind, "Is it?", created_at="2026-03-01")
    await raw(
        mind,
        "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) "
        "CREATE (a)-[:CONTRADICTS {cosine: 0.5, created_at: datetime('2026-03-01')}]->(b)",
        a=third,
        b=first,
    )
    moments = ("2025-12-31", "2026-01-15", "2026-02-15")
    at = " ".join(f'at{n}: belief(asOf: "{moment}") {{ ...B }}' for n, moment in enumerate(moments))
    document = f"""query ($id: ID!) {{ thought(id: $id) {{ {at} now: belief {{ ...B }} }} }}
        fragment B on Belief {{ verdict revisedBy {{ id }} solvedBy {{ id }}
          contradictedBy {{ id }} }}"""

    async def believed() -> list[tuple[str, str | None, str | None]]:
        found = (await world.ask(document, id=first))["thought"].values()
        return [
            (
                one["verdict"],
                one["revisedBy"] and one["revisedBy"]["id"],
                one["contradictedBy"] and one["contradictedBy"]["id"],
            )
            for one in found
        ]

    before = [("UNKNOWN", None, None), ("HELD", None, None), ("REVISED", second, None)]
    assert await believed() == [*before, ("REVISED", second, third)]
    await mind.redact_thought(first, reason="wrong")
    assert await believed() == [*before, ("REDACTED", second, third)]


async def test_a_problem_is_solved_from_when_its_solution_was_recorded_until_it_is_contradicted(
    world: World,
) -> None:
    mind = world.mind
    problem = await store_thought(mind, "Why does the kettle drip?", created_at="2026-01-01")
    fix = await store_thought(mind, "Its ring was loose; tighten it.", created_at="2026-02-01")
    document = """query ($id: ID!, $before: DateTime!) { thought(id: $id) {
        before: belief(asOf: $before) { ...B } now: belief { ...B } } }
        fragment B on Belief { verdict solvedBy { id } }"""

    async def believed() -> list[tuple[str, str | None]]:
        found = (await world.ask(document, id=problem, before=before))["thought"].values()
        return [(one["verdict"], one["solvedBy"] and one["solvedBy"]["id"]) for one in found]

    before = datetime.now(UTC).isoformat()
    await mind.operations["record_outcome"].call({"thought_id": fix, "outcome": "success", "solves": problem})
    assert await believed() == [("HELD", None), ("SOLVED", fix)]
    doubt = await store_thought(mind, "It dripped again.")
    await raw(
        mind,
        "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) "
        "CREATE (a)-[:CONTRADICTS {created_at: datetime()}]->(b)",
        a=doubt,
        b=problem,
    )
    assert await believed() == [("HELD", None), ("CONTRADICTED", fix)]


async def test_authors_labels_actions_and_namespaces_are_listed(engine_settings: Settings) -> None:
    async with own_namespace(engine_settings) as mind:
        for number, (author, chain) in enumerate([("Bo", "x"), ("Ada", "y"), ("Bo", "y"), ("Cy", "z")]):
            await store_thought(
                mind,
                session_id=f"s{number}",
                author=author,
                chain_id=chain,
                action_id=f"deploy-{number % 2}",
                is_private=author == "Cy",
                tags=["all", author],
            )
        schema = build_schema(mind)
        for first in (1, 2, 50):
            assert await names(schema, "tags", first) == ["Ada", "Bo", "all"]
            assert await names(schema, "authors", first) == ["Ada", "Bo"]  # Cy has only a private thought
            assert await names(schema, "chains", first, "name") == ["x", "y"]
            assert await names(schema, "actions", first, "name") == ["deploy-0", "deploy-1"]
        own = mind.settings.namespace
        # Tests beside this one make and remove namespaces between two readings.
        before = await names(schema, "namespaces", 100)
        in_pages = await names(schema, "namespaces", 7)
        after = await names(schema, "namespaces", 100)
        assert own in in_pages
        assert in_pages == sorted(set(in_pages))
        assert set(before) & set(after) <= set(in_pages)
        with calling(namespaces=(own,)):
            assert await names(schema, "namespaces", 1) == [own]
        result = await schema.execute(
            """{ authors(ownSessionId: "s3") { edges { node { name } } }
                 tags { edges { node { name count } } }
                 action(name: "deploy-1") { createdAt thoughts { edges { node { author action {
                   id: name } } } } }
                 chains { edges { node { thoughts(order: CREATED_AT_DESC) { edges { node { author } } } } } }
               }"""
        )
        assert result.data is not None, result.errors
        assert [one["node"]["name"] for one in result.data["authors"]["edges"]] == ["Ada", "Bo", "Cy"]
        counts = {one["node"]["name"]: one["node"]["count"] for one in result.data["tags"]["edges"]}
        assert counts == {"Ada": 1, "Bo": 2, "all": 3}
        led = result.data["action"]["thoughts"]["edges"]
        assert led == [{"node": {"author": "Ada", "action": {"id": "deploy-1"}}}]
        of_chains = [
            [thought["node"]["author"] for thought in one["node"]["thoughts"]["edges"]]
            for one in result.data["chains"]["edges"]
        ]
        assert of_chains == [["Bo"], ["Bo", "Ada"]]


async def test_a_session_has_facets_and_a_timeline(engine_settings: Settings) -> None:
    async with own_namespace(engine_settings) as mind:
        for minute, (author, tags) in enumerate([("Bo", ["plan"]), ("Ada", ["plan", "idea"]), ("Bo", [])]):
            await store_thought(
                mind,
                session_id="s",
                author=author,
                tags=tags,
                is_private=minute == 2,
                created_at=f"2026-03-01T10:{minute * 25:02}:30Z",
            )
        document = """query ($unit: TimeUnit) { %s { facets { authors { value count } tags { value count }
          modes { value count } } timeline(unit: $unit) { start count } } }"""
        schema = build_schema(mind)

        async def read(start: str, unit: str | None) -> dict[str, Any]:
            result = await schema.execute(document % start, {"unit": unit})
            assert result.data is not None, result.errors
            (session,) = [result.data[name] for name in result.data]
            return session["edges"][0]["node"]["session"] if "edges" in session else session

        named = await read('session(name: "s")', None)
        assert named["facets"]["authors"] == [{"value": "Bo", "count": 2}, {"value": "Ada", "count": 1}]
        assert named["facets"]["tags"] == [{"value": "plan", "count": 2}, {"value": "idea", "count": 1}]
        assert named["facets"]["modes"] == [{"value": "question", "count": 3}]
        assert named["timeline"] == [{"start": "2026-03-01T10:00:00+00:00", "count": 3}]
        minutes = (await read('session(name: "s")', "MINUTE"))["timeline"]
        assert [one["start"][11:16] for one in minutes] == ["10:00", "10:25", "10:50"]
        result = await schema.execute(
            "{ sessions { edges { node { timeline { count } facets { authors { count } } } } } }"
        )
        assert result.data is not None, result.errors
        (other,) = (one["node"] for one in result.data["sessions"]["edges"])
        # Without its name, the session's private thought does not count.
        assert other["timeline"] == [{"count": 2}]
        assert sum(one["count"] for one in other["facets"]["authors"]) == 2


@pytest.mark.slow
async def test_lists_and_pages_cost_the_same_in_a_large_memory(engine_settings: Settings) -> None:
    async with own_namespace(engine_settings, large=True) as mind:
        namespace = mind.settings.namespace
        sent = list[tuple[Query[Any], Any]]()
        run = mind.graph.run

        async def listen(query: Query[Any], parameters: Any) -> list[Any]:
            sent.append((query, parameters))
            return await run(query, parameters)

        costs = list[dict[str, int]]()
        for number in (100, 2000):
            await raw(
                mind,
                "UNWIND range(1, $number) AS n WITH n, toString(n % 20) AS name CREATE (:Thought {"
                "id: randomUUID(), namespace: $namespace, session_id: 's' + name, chain_id: 'c' + name, "
                "author: 'a' + name, is_private: false, step_index: n, recorded_at: datetime(), "
                "created_at: datetime() + duration({seconds: n})})",
                number=number,
                namespace=namespace,
            )
            sent.clear()
            mind.graph.run = listen
            result = await build_schema(mind).execute(
                """{ sessions(first: 2) { edges { node { lastThoughtAt thoughts(first: 2) { edges { cursor } }
                     } } }
                     authors(first: 2) { edges { cursor } } chains(first: 2) { edges { cursor } }
                     namespaces(first: 2) { edges { cursor } } }"""
            )
            assert result.errors is None
            del mind.graph.run
            costs.append({query.file: await profiled_hits(mind, query, given) for query, given in sent})
        assert len(costs[0]) == 7
        small, large = costs
        assert {name: hits for name, hits in large.items() if hits > 1.2 * small[name]} == {}
