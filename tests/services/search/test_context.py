"""The context of a session's start: pinned, unresolved, relevant and recent items, within the budget."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.calls import calling
from legacymind.doors.answer import jsonable
from legacymind.errors import InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import Context
from legacymind.operations.budget import tokens
from legacymind.services.search import context as context_service
from tests.steps import store_thought
from tests.wire import Wire, db_hits, raw, text_indexed

pytestmark = pytest.mark.anyio


async def context(mind: Mind, **given: Any) -> Context:
    return await mind.operations["context"].call(given)


@pytest.fixture
async def filled(mind: Mind) -> Mind:
    """Two sessions, a pinned thought, a solved and an unresolved stuck thought, and an entity."""
    pinned = await store_thought(mind, "I keep the kettle", session_id="old")
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.pinned = true", id=pinned)
    await store_thought(mind, "the pump leaks", hint="stuck", session_id="old")
    solved = await store_thought(mind, "the valve sticks", hint="stuck", session_id="old")
    solution = await store_thought(mind, "oil the valve", session_id="old")
    await raw(
        mind,
        "MATCH (a:Thought {id: $a}), (b:Thought {id: $b}) CREATE (a)-[:SOLVES]->(b)",
        a=solution,
        b=solved,
    )
    await store_thought(mind, "a secret of the others", session_id="old", is_private=True)
    await store_thought(mind, "copper is mined far away", session_id="old")
    for number in range(7):
        await store_thought(mind, f"cloud {number} passes")
    await mind.operations["remember"].call({"entities": [{"name": "copper mine"}]})
    await text_indexed(mind)
    return mind


def size(found: Context) -> int:
    """The number of items in all parts."""
    parts = (found.pinned, found.standing, found.unresolved, found.relevant, found.recent)
    return sum(map(len, parts))


def texts(part: list[Any]) -> list[str]:
    return [hit.text for hit in part]


async def test_each_item_is_in_one_part_only(filled: Mind) -> None:
    found = await context(filled, query="where does copper come from?")
    assert texts(found.pinned) == ["I keep the kettle"]
    assert texts(found.unresolved) == ["the pump leaks"]
    assert "copper mine" in texts(found.relevant)
    assert "entity" in {hit.kind for hit in found.relevant}
    shown = [*found.pinned, *found.unresolved, *found.relevant, *found.recent]
    assert len(shown) == len({hit.id for hit in shown})
    assert found.session_id == "session"
    assert "a secret of the others" not in str(found)


async def test_no_words_end_a_problem_but_its_outcome_does(mind: Mind) -> None:
    stuck = await store_thought(mind, "the pump leaks", hint="stuck", session_id="one")
    for content in ("Solved: a worn seal", "Task: hi / Result: committed"):
        last = await store_thought(mind, content, hint="conclude", session_id="one")
    assert texts((await context(mind)).unresolved) == ["the pump leaks"]
    await mind.record_outcome(last, "success", solves=stuck)
    assert (await context(mind)).unresolved == []


async def test_recent_lists_the_own_session_first_and_the_latest_first(filled: Mind) -> None:
    found = await context(filled)
    assert found.relevant == []
    assert texts(found.recent) == [f"cloud {n} passes" for n in (6, 5, 4, 3, 2)]
    other = await context(filled, session_id="old", limit=3)
    assert texts(other.recent) == ["copper is mined far away", "a secret of the others", "oil the valve"]


async def test_questions_are_not_recent(mind: Mind) -> None:
    await store_thought(mind, "The valve is open")
    await store_thought(mind, "Repair the pump", thought_type="prompt")
    for n in range(4):
        await store_thought(mind, f"为什么泵 {n} 漏水？")
    assert texts((await context(mind, limit=2)).recent) == ["The valve is open"]


async def stick(mind: Mind, count: int, *, revised: bool, near: str | None = None) -> None:
    """Store ``count`` stuck thoughts of the last hours, all nearest to ``near``; ``revised``: each was."""
    await mind.vectors.claim()
    vector = mind.vectors.placeholder() if near is None else (await mind.vectors.embed([near], query=True))[0]
    await raw(
        mind,
        "UNWIND range(1, $count) AS n CREATE (t:Thought {id: $ns + '-stuck-' + n, namespace: $ns, hot: true, "
        "content: 'trouble ' + n, pinned: false, is_private: false, mode: 'stuck', session_id: 'troubles', "
        "created_at: datetime() - duration({minutes: n})}) "
        "FOREACH (_ IN CASE WHEN $revised THEN [1] ELSE [] END | CREATE (:Thought {id: t.id + '-better', "
        "namespace: $ns, hot: true, content: 'x', is_private: false, mode: 'build', "
        "created_at: t.created_at})-[:REVISES]->(t)) "
        "WITH t CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vector)",
        count=count,
        revised=revised,
        ns=mind.settings.namespace,
        vector=vector,
    )


@pytest.mark.parametrize("looked_at", [1_000, 50])
async def test_the_newest_stuck_thought_is_listed_among_thousands(
    mind: Mind, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_service, "_OPEN_LIMIT", looked_at)
    await stick(mind, 95, revised=False)
    await store_thought(mind, "the pump leaks", hint="stuck")
    found = await context(mind, limit=2)
    assert texts(found.unresolved) == ["the pump leaks", "trouble 1"]
    many = texts((await context(mind, limit=20)).unresolved)
    assert many == ["the pump leaks", *(f"trouble {n}" for n in range(1, 20))]


@pytest.mark.parametrize("query", [None, "trouble"])
async def test_an_unresolved_thought_is_listed_behind_many_revised_ones(
    mind: Mind, query: str | None
) -> None:
    await store_thought(mind, "the pump leaks", hint="stuck")
    await stick(mind, 95, revised=True, near=query)
    assert texts((await context(mind, query=query)).unresolved) == ["the pump leaks"]


async def test_a_budget_keeps_the_first_parts(filled: Mind) -> None:
    whole = await context(filled, query="copper")
    assert tokens(jsonable(whole)) < 2_000
    small = await context(filled, query="copper", max_tokens=300)
    assert tokens(jsonable(small)) <= 300
    assert small.left_out == size(whole) - size(small) > 0
    assert texts(small.pinned) == texts(whole.pinned)
    assert small.recent == []


async def test_an_empty_memory_is_valid_and_an_empty_query_is_left_out(mind: Mind) -> None:
    for query in ("anything", " ", None):
        found = await context(mind, query=query)
        assert (size(found), found.left_out) == (0, 0)


async def test_a_context_takes_two_statements_and_with_a_query_those_of_a_search(filled: Mind) -> None:
    # Thoughts and knowledge are found side by side, and the hits of both are read.
    for given, cost in (({}, 2), ({"query": "copper"}, 4)):
        await context(filled, **given)
        with Wire() as wire:
            await context(filled, **given)
        # A database that was synchronised once, as that of all tests may be, also counts what came.
        arrived = sum("// Counts the public thoughts" in text for text in wire.statements)
        assert len(wire.statements) - arrived == cost
        assert wire.round_trips - arrived <= cost


@pytest.mark.slow
async def test_the_work_does_not_grow_with_the_memory(filled: Mind) -> None:
    before = await db_hits(filled, "context", {})
    await raw(
        filled,
        "UNWIND range(1, 3000) AS n CREATE (:Thought {id: $ns + n, namespace: $ns, content: 'x', hot: true, "
        "pinned: false, is_private: false, mode: 'build', created_at: datetime() - duration({minutes: n})})",
        ns=filled.settings.namespace,
    )
    # Reading the new thoughts would take 3,000 hits. Another plan, made meanwhile, may take some hundred.
    assert await db_hits(filled, "context", {}) < before + 1000


async def test_standing_preferences_and_instructions_that_are_in_force_are_always_listed(mind: Mind) -> None:
    async def say(text: str, **more: Any) -> str:
        return await store_thought(mind, text, session_id="long ago", standing="author" not in more, **more)

    said = [await say(f"Always answer in style {n} when I ask about topic {n}.") for n in range(12)]
    revised = await say("I prefer long answers.")
    await say("I prefer short answers.", revises_thought=revised)
    contradicted = await say("Never use tabs.")
    redacted = await say("Always call me Sam.")
    await mind.operations["redact_thought"].call({"thought_id": redacted, "reason": "asked"})
    await say("Always show this to me.", is_private=True)
    await say("Always check the pool size.", author="assistant")
    link = (
        "MATCH (t:Thought {id: $id}) "
        "CREATE (:Observation {id: $id + '-o', namespace: $ns, trust: 3})-[:CONTRADICTS]->(t)"
    )
    await raw(mind, link, id=contradicted, ns=mind.settings.namespace)
    for n in range(3):
        await store_thought(mind, f"The kettle {n} is hot.", session_id="now")
    found = await context(mind)
    newest = [f"Always answer in style {n} when I ask about topic {n}." for n in range(11, 2, -1)]
    assert texts(found.standing) == ["I prefer short answers.", *newest]
    assert all(hit.standing for hit in found.standing)
    assert [hit.standing for hit in found.recent if "kettle" in hit.text] == [None] * 3
    shown = [hit.id for hit in (*found.standing, *found.recent)]
    assert len(set(shown)) == len(shown)
    assert said[0] not in shown
    own = await context(mind, session_id="long ago", limit=1)
    assert texts(own.standing)[:2] == ["Always show this to me.", "I prefer short answers."]
    assert len(own.standing) == 10
    assert own.warnings == [
        "4 more standing preferences are in force; a higher `limit` shows them. Revise those that ended."
    ]
    assert own.left_out == 4
    assert len((await context(mind, session_id="long ago", limit=20)).standing) == 14
    elsewhere = await context(mind, namespace=f"{mind.settings.namespace}-other")
    assert elsewhere.standing == []


async def test_tasks_and_questions_are_open_until_something_solves_them(mind: Mind) -> None:
    async def say(text: str, **more: Any) -> str:
        return await store_thought(mind, text, session_id="work", **more)

    async def listed() -> list[str]:
        return texts((await mind.search(open=True, order="created_at_asc")).hits)

    task = await say("Order new seals.", thought_type="TODO")
    asked = await say("Who has the key?", thought_type="question")
    stuck = await say("The pump does not start.", hint="stuck")
    revised = await say("Paint the shed.", thought_type="todo")
    told = ["Order new seals.", "Who has the key?", "The pump does not start."]
    await say("Paint it green, some day.", revises_thought=revised)
    await say("A plain remark.")
    assert await listed() == told
    found = await context(mind)
    assert texts(found.unresolved) == ["The pump does not start.", "Order new seals.", "Who has the key?"]
    assert "Order new seals." not in texts(found.recent)
    few = await context(mind, limit=1)
    assert (texts(few.unresolved), few.left_out) == (told[2:], 2)
    assert few.warnings[0].startswith("2 more problems, todos and questions are open")
    with pytest.raises(InvalidInput, match="listed by time"):
        await mind.search("seals", open=True)
    done = await say("Ada has the key, and it starts.")
    for problem in (asked, stuck):
        await mind.record_outcome(done, "success", solves=problem)
    assert await listed() == ["Order new seals."]
    await mind.record_outcome(task, "success")
    assert await listed() == []
    assert texts((await context(mind)).unresolved) == []


async def test_the_users_preferences_of_all_namespaces_come_first(mind: Mind) -> None:
    other = f"{mind.settings.namespace}-other"
    await store_thought(mind, "Always use metres.", standing=True, namespace=other)
    with calling(agent=True, door="mcp"):
        await store_thought(mind, "Always use feet.", standing=True)
    found = await context(mind, also_read=[other])
    assert texts(found.standing) == ["Always use metres.", "Always use feet."]


async def test_facts_are_standing_as_thoughts_are_while_they_are_true(mind: Mind) -> None:
    ended = datetime.now(UTC) - timedelta(days=1)
    facts: list[dict[str, Any]] = [
        {"entity": "user", "content": "Never push to main.", "standing": True},
        {"entity": "user", "content": "prefers metric units", "standing": True},
        {"entity": "user", "content": "lives in Oslo"},
        {"entity": "team", "content": "ships in pairs", "standing": True},
        {"entity": "team", "content": "Always squash commits.", "standing": False},
        {
            "entity": "team",
            "content": "Use tabs.",
            "standing": True,
            "valid_from": "2020-01-01",
            "valid_to": ended,
        },
    ]
    stored = await mind.operations["remember"].call({"observations": facts})
    standing = {"Never push to main.", "prefers metric units", "ships in pairs"}
    found = await context(mind)
    assert {(hit.text, hit.kind, hit.standing) for hit in found.standing} == {
        (text, "observation", True) for text in standing
    }
    assert {hit.entity for hit in found.standing} == {"user", "team"}
    # Stored again without the parameter, a fact keeps its mark; a fact that replaces it ends it.
    again = {"entity": "team", "content": "ships in pairs"}
    replacing = {"entity": "user", "content": "prefers miles", "standing": True}
    replacing["supersedes"] = stored.observations[1].id
    await mind.operations["remember"].call({"observations": [again, replacing]})
    assert set(texts((await context(mind)).standing)) == {
        "Never push to main.",
        "ships in pairs",
        "prefers miles",
    }
    assert (await context(mind, as_of=ended)).standing == []


async def test_a_context_as_of_an_earlier_time_knows_nothing_later(mind: Mind) -> None:
    async def say(text: str, day: int, **more: Any) -> str:
        at = f"2020-01-{day:02}T00:00:00+00:00"
        return await store_thought(mind, text, session_id="old", created_at=at, **more)

    standing = await say("I prefer long answers about pumps.", 1)
    stuck = await say("the pump leaks", 2, hint="stuck")
    pinned = [await say("the pump is red", 3), await say("the pump is blue", 8)]
    await raw(mind, "MATCH (t:Thought) WHERE t.id IN $ids SET t.pinned = true", ids=pinned)
    await say("I prefer short answers about pumps.", 7, revises_thought=standing)
    await say("a new seal stopped the pump", 7, revises_thought=stuck)
    fact = {"entity": "Pump", "content": "The pump is rented", "valid_from": "2020-01-06T00:00:00+00:00"}
    await mind.operations["remember"].call({"observations": [fact]})
    await text_indexed(mind)
    then = await context(mind, query="pump", session_id="old", as_of="2020-01-05T00:00:00")
    assert texts(then.pinned) == ["the pump is red"]
    assert texts(then.standing) == ["I prefer long answers about pumps."]
    assert texts(then.unresolved) == ["the pump leaks"]
    assert (then.relevant, then.recent) == ([], [])
    now = await context(mind, query="pump", session_id="old")
    assert texts(now.standing) == ["I prefer short answers about pumps."]
    assert now.unresolved == []
    assert {"The pump is rented", "the pump leaks"} <= set(texts(now.relevant))
