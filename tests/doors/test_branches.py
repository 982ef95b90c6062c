"""Every read of a session that two machines continued has the thoughts of both branches, and says so."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.doors.graphql.schema import build_schema
from legacymind.mind import Mind
from legacymind.services.chain.reads import CHECK_LINKS
from legacymind.settings import Settings
from tests.services.chain.chains import Chain, branch, make, think
from tests.steps import own_namespace
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def chain(engine_settings: Settings) -> AsyncIterator[Chain]:
    """Five steps, two more after the third that came from elsewhere, and one after the fifth; ids in time."""
    async with own_namespace(engine_settings) as mind:
        made = await make(mind, "shared")
        made.ids.extend(await branch(made, 2, ["four elsewhere", "five elsewhere"]))
        made.ids.append(await think(mind, made.session, "six"))
        arrived = (
            "MATCH (t:Thought), (like:Thought {id: $like}) WHERE t.id IN $ids "
            "SET t.replica = 'home-2', t.embedding_a = like.embedding_a"
        )
        await raw(mind, arrived, ids=made.ids[5:7], like=made.ids[2])
        yield made


async def call(mind: Mind, name: str, **arguments: Any) -> Any:
    return await mind.operations[name].call(arguments)


async def all_pages(mind: Mind, name: str, **arguments: Any) -> list[Any]:
    """Every page of a read with one item on a page."""
    pages = [await call(mind, name, limit=1, **arguments)]
    while pages[-1].next:
        pages.append(await call(mind, name, limit=1, after=pages[-1].next, **arguments))
    return pages


@pytest.mark.parametrize("order", ["created_at_asc", "created_at_desc"])
async def test_a_thread_has_both_in_order_of_time(chain: Chain, order: str) -> None:
    pages = await all_pages(chain.mind, "thoughts_thread", session_id=chain.session, order=order)
    expected = chain.ids if order == "created_at_asc" else chain.ids[::-1]
    assert [one.id for page in pages for one in page.thoughts] == expected
    assert {page.branches for page in pages} == {2}


async def test_a_tree_has_both_also_where_a_page_ends_between_steps_of_one_number(chain: Chain) -> None:
    pages = await all_pages(chain.mind, "thought_tree", session_id=chain.session, include_children=True)
    read = [one for page in pages for one in page.tree]
    assert [one.step_index for one in read] == [0, 1, 2, 3, 3, 4, 4, 5]
    assert {one.thought_id for one in read} == {*chain.ids}
    assert {(page.count, page.branches) for page in pages} == {(8, 2)}


async def test_a_session_of_one_branch_says_nothing_of_branches(chain: Chain) -> None:
    await think(chain.mind, "alone", "first")
    for name in ("thoughts_thread", "thought_tree"):
        assert (await call(chain.mind, name, session_id="alone")).branches is None
    read = await build_schema(chain.mind).execute('{ session(name: "alone") { steps branches } }')
    assert read.data == {"session": {"steps": 1, "branches": None}}


async def test_trails_links_context_and_searches_have_both(chain: Chain) -> None:
    mind, third, session = chain.mind, chain.ids[2], chain.session
    trail = await call(mind, "walk_trail", thought_id=third, types=["FOLLOWS"], direction="forward")
    assert {one.id for one in trail.steps} == {*chain.ids[3:]}
    links = await call(mind, "thoughts_links", thought_id=third)
    assert links.followed_by == [chain.ids[3], chain.ids[5]]
    context = await call(mind, "context", session_id=session)
    assert {one.id for one in context.recent} >= {*chain.ids[3:]}
    found = await all_pages(mind, "search", session_id=session, order="created_at_asc")
    assert [one.id for page in found for one in page.hits] == chain.ids


async def test_graphql_has_both(chain: Chain) -> None:
    document = """query ($after: String, $from: Int) { session(name: "shared") { steps branches
      timeline(unit: MONTH) { count } facets { authors { value count } } chain { thoughtCount verdict }
      thoughts(first: 1, after: $after, fromStep: $from) {
        edges { node { id replica } } pageInfo { hasNextPage endCursor } } } }"""
    schema = build_schema(chain.mind)

    async def read(start: int | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        given: dict[str, Any] = {"from": start, "after": None}
        nodes: list[dict[str, Any]] = []
        while True:
            result = await schema.execute(document, variable_values=given)
            assert result.errors is None, result.errors
            assert result.data is not None
            session = result.data["session"]
            nodes += [edge["node"] for edge in session["thoughts"]["edges"]]
            given["after"] = session["thoughts"]["pageInfo"]["endCursor"]
            if not session["thoughts"]["pageInfo"]["hasNextPage"]:
                return nodes, session

    nodes, session = await read(None)
    assert [one["id"] for one in nodes] == chain.ids
    assert [one["replica"] for one in nodes] == [None] * 5 + ["home-2"] * 2 + [None]
    assert (session["steps"], session["branches"]) == (8, 2)
    assert sum(span["count"] for span in session["timeline"]) == 8
    assert {"value": "ada", "count": 3} in session["facets"]["authors"]
    assert session["chain"] == {"thoughtCount": 8, "verdict": "INTACT"}
    assert [one["id"] for one in (await read(3))[0]] == chain.ids[3:]


async def test_what_a_bad_memory_touched_includes_later_steps_of_the_other_branch(chain: Chain) -> None:
    """Step 3 of the other branch came after step 4 of this one."""
    bad = await think(chain.mind, "another", "a bad memory")
    recalling = "MATCH (q:Thought {id: $by}), (b:Thought {id: $bad}) CREATE (q)-[:RECALLS]->(b)"
    await raw(chain.mind, recalling, by=chain.ids[4], bad=bad)
    touched = await call(chain.mind, "touched", id=bad)
    assert {one.id for one in touched.items if one.way == "after"} == {*chain.ids[5:]}


async def test_check_links_finds_no_fault_in_branches_and_the_end_of_one_that_was_cut_off(
    chain: Chain,
) -> None:
    cut = await make(chain.mind, "cut")
    cut.ids.extend(await branch(cut, 2, ["four elsewhere", "five elsewhere"]))

    async def faults(session: str) -> list[tuple[int, str | None, str]]:
        given = {"namespace": chain.mind.settings.namespace, "session_id": session}
        return await chain.mind.graph.run(CHECK_LINKS, given)

    assert (await faults("shared"), await faults("cut")) == ([], [])
    await raw(chain.mind, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=cut.ids[-1])
    ((step, thought, fault), (_, _, head)) = await faults("cut")
    assert (step, thought, fault) == (3, cut.ids[5], "a branch ends here that the session does not have")
    assert head.startswith("the head is at another step or hash")
