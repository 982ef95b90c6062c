"""The links of a thought, whether their targets exist, and the thoughts that link to it."""

import uuid
from typing import Any

import pytest

from legacymind.errors import InvalidInput, NotFound
from legacymind.mind import Mind
from legacymind.model.trails import LinksResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from tests.steps import drop_thoughts, pages_of, store_thought
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio


async def links(mind: Mind, thought_id: str, **options: Any) -> LinksResult:
    with Wire() as wire:
        found = await mind.operations["thoughts_links"].call({"thought_id": thought_id, **options})
    assert len(wire.statements) == 1
    return found


async def test_each_link_is_a_bare_id_that_exists_or_is_awaited(mind: Mind) -> None:
    first, second = await store_thought(mind, "first"), await store_thought(mind, "second")
    third = await store_thought(
        mind,
        "third",
        revises_thought=f"thoughts:{first}",
        branch_from="not-yet",
        parent_id="thoughts:not-either",
        action_id="act",
    )
    found = await links(mind, f"thoughts:{third}")
    assert found.thought_id == third
    assert (found.previous_thought_id, found.states.previous_thought_id) == (second, "record")
    assert (found.revises_thought, found.states.revises_thought) == (first, "record")
    assert (found.branch_from, found.states.branch_from) == ("not-yet", "string")
    assert (found.parent_id, found.states.parent_id) == ("not-either", "string")
    assert (found.action_id, found.states.action_id) == ("act", "record")
    alone = await links(mind, first)
    assert {alone.previous_thought_id, alone.states.previous_thought_id, alone.action_id} == {None}


async def test_a_link_is_found_as_soon_as_its_target_is_stored(mind: Mind) -> None:
    late = str(uuid.uuid4())
    child = await store_thought(mind, "child", parent_id=late)
    assert (await links(mind, child)).states.parent_id == "string"
    prepared = mind.services.think.prepare(content="parent", id=late)
    await mind.services.store.think([prepared])
    assert (await links(mind, child)).states.parent_id == "record"
    assert (await links(mind, late)).children == [child]


async def test_thoughts_that_link_to_it_are_listed_by_kind_oldest_first(mind: Mind) -> None:
    first = await store_thought(mind, "first")
    second = await store_thought(mind, "second")
    revised = [
        await store_thought(mind, f"again {n}", session_id=f"s{n}", revises_thought=first) for n in range(3)
    ]
    branch = await store_thought(mind, "branch", session_id="b", branch_from=first)
    child = await store_thought(mind, "child", session_id="c", parent_id=first)
    found = await links(mind, first)
    assert found.followed_by == [second]
    assert found.revised_by == revised
    assert (found.branches, found.children) == ([branch], [child])
    assert (found.next, found.left_out) == (None, 0)


@pytest.mark.slow
async def test_many_thoughts_that_link_to_one_are_paged(mind: Mind) -> None:
    star = await store_thought(mind, "star")
    await raw(
        mind,
        "MATCH (s:Thought {id: $star}) UNWIND range(0, 9999) AS n CREATE (:Thought {id: $star + '-' + n, "
        "namespace: $ns, is_private: false, created_at: datetime({epochSeconds: n})})-[:CHILD_OF]->(s)",
        star=star,
        ns=mind.settings.namespace,
    )
    found = await links(mind, star)
    assert found.children == [f"{star}-{n}" for n in range(10)]
    pages = await pages_of(mind, "thoughts_links", thought_id=star, limit=500, max_tokens=100_000)
    assert [id for page in pages for id in page.children] == [f"{star}-{n}" for n in range(10_000)]
    await drop_thoughts(mind)


async def test_all_lists_have_one_page_size_so_one_cursor_pages_them_all(mind: Mind) -> None:
    star = await store_thought(mind, "star", session_id="star")
    for number in range(40):
        await store_thought(mind, "x", session_id=f"s{number}", parent_id=star, branch_from=star)
    whole = await links(mind, star, limit=40, max_tokens=100_000)
    assert (len(whole.children), len(whole.branches), whole.left_out) == (40, 40, 0)
    pages = await pages_of(mind, "thoughts_links", thought_id=star, limit=40, max_tokens=700)
    for page in pages:
        assert 1 <= len(page.children) == len(page.branches) < 15
        assert tokens(jsonable(page)) <= 700
    assert [id for page in pages for id in page.children] == whole.children
    assert [id for page in pages for id in page.branches] == whole.branches


async def test_private_thoughts_that_link_to_it_are_visible_in_their_session_only(mind: Mind) -> None:
    first = await store_thought(mind, "first")
    secret = await store_thought(mind, "secret", is_private=True)
    await store_thought(mind, "secret elsewhere", session_id="other", is_private=True, revises_thought=first)
    found = await links(mind, first)
    assert found.followed_by == [secret]
    assert found.revised_by == []


async def test_links_stay_in_the_namespace(mind: Mind) -> None:
    ours = await store_thought(mind, "ours", parent_id="theirs")
    theirs = f"{mind.settings.namespace}-theirs"
    stranger = await store_thought(mind, "stranger", namespace=theirs)
    await raw(
        mind,
        "MATCH (a:Thought {id: $ours}), (b:Thought {id: $stranger}) SET a.parent_id = b.id "
        "CREATE (a)-[:CHILD_OF]->(b), (b)-[:REVISES]->(a)",
        ours=ours,
        stranger=stranger,
    )
    found = await links(mind, ours)
    assert (found.states.parent_id, found.revised_by) == ("string", [])
    with pytest.raises(NotFound):
        await links(mind, stranger)
    with pytest.raises(NotFound):
        await links(mind, ours, namespace=theirs)


@pytest.mark.parametrize(
    "arguments", [{}, {"thought_id": ""}, {"thought_id": "thoughts:"}, {"thought_id": 5}]
)
async def test_an_id_without_thought_is_rejected(mind: Mind, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        await mind.operations["thoughts_links"].call(arguments)
