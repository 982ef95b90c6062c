"""Standing preferences and instructions: recalled in addition when their topic is near, however old."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from legacymind.model.think import ThinkResult
from legacymind.operations.budget import tokens
from legacymind.operations.results import jsonable
from legacymind.services.recall.finds import Finds, Scope
from legacymind.settings import Settings
from tests.services.think.dated import NOW, Strict, ago, now
from tests.steps import bare, think_apart
from tests.wire import one, raw, text_indexed

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mind(settings: Settings) -> AsyncIterator[Mind]:
    async with Mind(settings, session_id="session", embedder=Strict()) as opened:
        yield opened


def ways(result: ThinkResult) -> dict[str, tuple[str, bool | None]]:
    return {memory.text: (memory.via, memory.standing) for memory in result.memories}


KETTLES = "Always give litres when I ask about copper kettles."
QUESTION = "How many litres do copper kettles hold?"


async def wish(mind: Mind, text: str, days: int, **options: Any) -> str:
    return await ago(mind, text, days, standing=True, **options)


async def in_force(mind: Mind, session_id: str = "") -> set[str]:
    """The preferences and instructions that a thought of a session would be compared with."""
    await mind.vectors.claim()
    place = Scope(
        namespace=mind.settings.namespace, own_session=session_id, vector=mind.vectors.placeholder()
    )
    return {one.node.text for one in await Finds(mind.graph, mind.vectors).listed("standing", place, NOW)}


async def test_an_old_instruction_is_recalled_by_its_topic_and_displaces_nothing(mind: Mind) -> None:
    await wish(mind, KETTLES, 400)
    (alone,) = ways(await now(mind, QUESTION)).items()
    assert (alone[0], alone[1][1]) == (KETTLES, True)
    texts = [f"how many litres do copper kettles hold, number {n} of them" for n in range(9)]
    for text in texts:
        await ago(mind, text, 1)
    found = ways(await now(mind, QUESTION))
    assert found.pop(KETTLES) == ("standing", True)
    assert len(found) == 8
    assert found.keys() < set(texts)


@pytest.mark.parametrize(
    ("text", "requested", "marked"),
    [
        ("Marit measures copper kettles in litres.", True, True),
        ("Marit measures copper kettles in litres.", None, None),
        (KETTLES, False, None),
        ("I prefer short answers.", None, True),
    ],
)
async def test_the_parameter_replaces_the_rules(
    mind: Mind, text: str, requested: bool | None, marked: bool | None
) -> None:
    thought = await ago(mind, text, 400, standing=requested)
    details = (await mind.get(thought)).thought
    assert details is not None
    assert details.standing == marked
    listed = (await mind.context()).standing
    assert [hit.text for hit in listed] == ([text] if marked else [])


async def test_an_unrelated_thought_recalls_no_instruction(mind: Mind) -> None:
    await wish(mind, KETTLES, 1)
    await ago(mind, "I prefer short answers.", 1)
    for scale in range(1, 6):
        assert (await now(mind, "renew the passport before it expires", scale)).memories == []
    assert (await now(mind, "copper kettles litres", 0)).memories == []
    assert (await now(mind, "copper kettles litres", 2, submode="adderall")).memories == []


async def test_a_revised_contradicted_private_or_redacted_instruction_is_not_recalled(mind: Mind) -> None:
    first = await wish(mind, KETTLES, 60)
    assert await in_force(mind) == {KETTLES}
    await ago(mind, "Kettles may leak.", 50, revises_thought=first)
    assert await in_force(mind) == set()
    private = "Always give gallons when I ask about copper kettles."
    await wish(mind, private, 40, is_private=True, session_id="own")
    assert await in_force(mind) == set()
    assert await in_force(mind, "own") == {private}
    redacted = await wish(mind, "Always give pints when I ask about copper kettles.", 30)
    await mind.operations["redact_thought"].call({"thought_id": redacted, "reason": "asked"})
    assert await one(mind, "MATCH (t:Thought {id: $id}) RETURN t.standing", id=redacted) is None
    contradicted = await wish(mind, "Always give cups when I ask about copper kettles.", 30)
    assert len(await in_force(mind)) == 1
    link = (
        "MATCH (t:Thought {id: $id}) "
        "CREATE (:Thought {id: $id + '-c', namespace: $ns, is_private: false, trust: 3})-[:CONTRADICTS]->(t)"
    )
    await raw(mind, link, id=contradicted, ns=mind.settings.namespace)
    assert await in_force(mind) == set()


async def test_search_marks_instructions_and_explain_shows_how_they_came(mind: Mind) -> None:
    await wish(mind, KETTLES, 400)
    await ago(mind, "copper kettles rust", 400)
    await text_indexed(mind)
    for method in ("graph", "vector", "text"):
        result = await mind.operations["search"].call({"query": "copper kettles", "method": method})
        assert {hit.text: hit.standing for hit in result.hits} == {KETTLES: True, "copper kettles rust": None}
    thought = await think_apart(mind, "Which copper kettles shall we buy today?", created_at=NOW)
    again = await mind.operations["explain_recall"].call({"thought_id": bare(thought)})
    assert [(memory.text, memory.via) for memory in again.memories if memory.via == "standing"] == [
        (memory.text, memory.via) for memory in thought.memories if memory.via == "standing"
    ]


async def test_search_adds_instructions_with_a_related_topic_to_its_first_page(mind: Mind) -> None:
    async def search(query: str, **more: Any) -> SearchResult:
        await text_indexed(mind)
        return await mind.operations["search"].call({"query": query, "limit": 2, **more})

    question = QUESTION
    for number in range(4):
        await ago(mind, f"how many litres do copper kettles hold, number {number} of them", 300)
    before = await search(question)
    assert before.standing == []
    await wish(mind, KETTLES, 400)
    await wish(mind, KETTLES, 390)
    await wish(mind, "Always mention the handles when I ask about copper kettles.", 380, is_private=True)
    found = await search(question)
    assert [hit.id for hit in found.hits] == [hit.id for hit in before.hits]
    assert [(hit.text, hit.standing, hit.rank) for hit in found.standing] == [(KETTLES, True, 1)]
    assert len(found.hits) == 2
    shown = await search(KETTLES)
    assert shown.hits[0].text == KETTLES
    assert shown.standing == []
    for nothing in (
        {"after": found.next},
        {"method": "vector"},
        {"method": "text"},
        {"kinds": ["entity"]},
        {"author": "Ada"},
        {"min_similarity": 0.9},
    ):
        assert (await search(question, **nothing)).standing == [], nothing
    assert (await search("renew the passport before it expires")).standing == []
    small = await search(question, max_tokens=200)
    assert tokens(jsonable(small)) <= 200 + 80


async def test_an_answer_says_what_became_standing(mind: Mind) -> None:
    think = mind.operations["think"]
    assert (await think.call({"content": "Write dates as 2026-11-29.", "standing": True})).standing is True
    assert (await think.call({"content": "The kettle is copper."})).standing is None
    facts = [
        {"entity": "user", "content": "Wants short answers.", "standing": True},
        {"entity": "Kettle", "content": "The kettle holds two litres."},
    ]
    stored = await mind.operations["remember"].call({"observations": facts})
    assert [fact.standing for fact in stored.observations] == [True, None]
