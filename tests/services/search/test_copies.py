"""Search folds copies, and a question is no answer to itself."""

import pytest

from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio

QUESTION = "Where does the copper kettle of the kitchen stand?"
ANSWER = (
    "the copper kettle of the kitchen stands on the left shelf beside the old stove, near the window there"
)


async def search(mind: Mind, query: str, limit: int, **options: object) -> SearchResult:
    return await mind.operations["search"].call({"query": query, "limit": limit, **options})


async def stored(mind: Mind, *contents: str) -> None:
    for content in contents:
        await mind.operations["think"].call({"content": content, "injection_scale": 0})
    await text_indexed(mind)


async def test_a_question_that_was_asked_before_takes_no_place(mind: Mind) -> None:
    await stored(mind, *[QUESTION] * 4, QUESTION.upper(), ANSWER)
    (hit,) = (await search(mind, QUESTION, 1)).hits
    assert hit.text == ANSWER
    assert QUESTION not in [hit.text for hit in (await search(mind, QUESTION, 10)).hits]
    assert [hit.text for hit in (await search(mind, QUESTION, 10, method="text")).hits].count(QUESTION) == 4
    # Another query about the same matter has the question as one hit.
    others = (await search(mind, "copper kettle", 10)).hits
    assert [hit.copies for hit in others if hit.text.endswith("?")] == [5]


async def test_copies_are_one_hit_on_all_pages(mind: Mind) -> None:
    await stored(mind, *[ANSWER] * 3, f"{ANSWER}!", *[f"the kettle number {n} is new" for n in range(5)])
    everything = (await search(mind, "copper kettle shelf", 20)).hits
    assert [hit.copies for hit in everything] == [4, *[None] * 5]
    first = await search(mind, "copper kettle shelf", 3)
    second = await search(mind, "copper kettle shelf", 3, after=first.next)
    assert [hit.id for hit in [*first.hits, *second.hits]] == [hit.id for hit in everything]
    assert second.next is None
