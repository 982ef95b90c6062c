"""What a namespace has does not show in the answers to another: no side channel of full text."""

from dataclasses import replace
from typing import Any

import pytest

from legacymind.doors.answer import jsonable
from legacymind.mind import Mind
from tests.steps import remember, store_thought
from tests.wire import text_indexed

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("others", ["another namespace", "private thoughts"])
@pytest.mark.parametrize("method", ["graph", "vector", "text"])
async def test_hits_and_scores_do_not_depend_on_texts_that_may_not_be_read(
    mind: Mind, method: str, others: str
) -> None:
    for number, text in enumerate(("the zorbal is red", "the quimple is blue", "a zorbal and a quimple")):
        await store_thought(mind, text, session_id=f"own-{number}")
    await remember(mind, entities=[{"name": "Zorbal", "description": "a valve"}])
    elsewhere: dict[str, Any] = {"session_id": "other", "is_private": True}
    if others == "another namespace":
        elsewhere = {"session_id": "other", "namespace": f"{mind.settings.namespace}-other"}

    async def asked() -> list[Any]:
        await text_indexed(mind)
        answers = [
            await mind.operations["search"].call({"query": query, "method": method, "explain": True})
            for query in ("zorbal", "quimple", "zorbal quimple")
        ]
        hits = [[replace(hit, rank=0) for hit in answer.hits] for answer in answers]
        # Of equal words, only the order may depend on how many other texts have them.
        return [sorted(map(str, jsonable(one))) for one in hits]

    before = await asked()
    for number in range(30):
        await store_thought(mind, f"zorbal zorbal zorbal {number}", **elsewhere)
    assert await asked() == before
