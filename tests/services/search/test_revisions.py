"""A revised thought is found with its latest revision, and whatever is revised or contradicted is marked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.mind import Mind
from legacymind.model.base import Context, Hit
from tests.steps import bare, pages_of, remember, remember_entity, search, store_thought, think_apart
from tests.wire import contradict, raw, text_indexed

pytestmark = pytest.mark.anyio

METHODS = ["graph", "vector", "text"]


async def apart(mind: Mind, content: str, **options: Any) -> str:
    return bare(await think_apart(mind, content, injection_scale=0, **options))


async def revised(mind: Mind, **options: Any) -> tuple[str, str]:
    """A thought that was revised twice, in words that no query has; the first id and the last."""
    first = await apart(mind, "the copper kettle holds litres", **options)
    second = await apart(mind, "no, eleven", revises_thought=first, **options)
    return first, await apart(mind, "twelve after all", revises_thought=second, **options)


def marks(hits: list[Hit]) -> list[tuple[str, str | None]]:
    return [(hit.id, hit.revised_by) for hit in hits]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("filters", [{}, {"origin": "user"}, {"tags": ["tea"]}])
async def test_a_revised_thought_is_found_after_its_latest_revision(
    mind: Mind, method: str, filters: dict[str, Any]
) -> None:
    first, latest = await revised(mind, tags=["Tea"])
    await apart(mind, "the copper teapot is old", tags=["Tea"])
    await apart(mind, "thirteen", revises_thought=latest, is_private=True, tags=["Tea"])
    await text_indexed(mind)
    result = await search(mind, "copper kettle litres", method=method, **filters)
    assert marks(result.hits)[:2] == [(latest, None), (first, latest)]
    assert [hit.id for hit in result.hits].count(latest) == 1
    scores = [hit.score or 0.0 for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert [hit.rank for hit in result.hits] == list(range(1, len(scores) + 1))
    # However few fit, the revised thought never stands alone.
    (only,) = (await search(mind, "copper kettle litres", method=method, limit=1, **filters)).hits
    assert (only.id, only.revised_by) == (latest, None)
    alone = await search(mind, "copper kettle litres", method=method, min_similarity=0.72, **filters)
    if method != "text":
        assert marks(alone.hits) == [(latest, None), (first, latest)]
    small = await search(mind, "copper kettle litres", method=method, max_tokens=100, **filters)
    assert small.hits[0].id == latest


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("filters", [{}, {"origin": "user"}])
async def test_pages_of_any_size_have_the_order_of_one_page(
    mind: Mind, method: str, filters: dict[str, Any]
) -> None:
    for n in range(4):
        first = await apart(mind, f"the copper kettle number {n} holds ten litres")
        await apart(mind, f"copper vessel, revision {n}", revises_thought=first)
    await text_indexed(mind)
    asked = {"method": method, **filters}
    whole = [hit.id for hit in (await search(mind, "copper kettle number", limit=20, **asked)).hits]
    assert len(whole) == len(set(whole)) == 8
    for size in (1, 3):
        pages = await pages_of(mind, "search", query="copper kettle number", limit=size, **asked)
        assert [hit.id for page in pages for hit in page.hits] == whole, size


async def test_a_revision_that_a_filter_excludes_is_named_and_not_shown(mind: Mind) -> None:
    first = await apart(mind, "the copper kettle holds ten litres", author="Ada")
    latest = await apart(mind, "twelve after all", revises_thought=first, author="Bob")
    await text_indexed(mind)
    for method in METHODS:
        found = await search(mind, "copper kettle litres", method=method, author="Ada")
        assert marks(found.hits) == [(first, latest)], method
    listed = await search(mind, None, author="Ada")
    assert marks(listed.hits) == [(first, latest)]


async def test_a_superseded_fact_names_its_successor_until_it_is_stored_again(mind: Mind) -> None:
    entity = await remember_entity(mind, "Ada")
    then, later = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    fact = {"entity": "Ada", "content": "Ada lives in a copper house", "valid_from": then}
    old = (await remember(mind, observations=[fact])).observations[0].id
    newer = {"entity": "Ada", "content": "Ada lives in a stone house", "valid_from": later, "supersedes": old}
    new = (await remember(mind, observations=[newer])).observations[0].id
    await text_indexed(mind)
    for method in METHODS:
        past = await search(mind, "copper house", method=method, as_of=later - timedelta(1))
        assert (old, new) in marks(past.hits), method
        now = await search(mind, "house", method=method, kinds=["observation"])
        assert marks(now.hits) == [(new, None)], method
    (back,) = (await remember(mind, observations=[{**fact, "valid_from": datetime.now(UTC)}])).observations
    again = await search(mind, "copper house", kinds=["observation"])
    assert (back.id, None) in marks(again.hits)
    assert old not in {hit.id for hit in again.hits}
    assert entity


async def test_a_contradicted_hit_names_what_contradicts_it(mind: Mind) -> None:
    thought = await apart(mind, "the copper kettle holds ten litres", tags=["tea"])
    entity = await remember_entity(mind, "Kettle", description="made of copper, for litres")
    other = await apart(mind, "basil")
    hidden = await apart(mind, "thyme", is_private=True)
    await raw(
        mind,
        "MATCH (n) WHERE n.id IN $contradicted MATCH (other {id: $other}), (hidden {id: $hidden}) "
        "CREATE (other)-[:CONTRADICTS {cosine: 0.4}]->(n) "
        "CREATE (hidden)-[:CONTRADICTS {cosine: 0.9}]->(n)",
        contradicted=[thought, entity],
        other=other,
        hidden=hidden,
    )
    await text_indexed(mind)
    for method in METHODS:
        found = await search(mind, "copper kettle litres", method=method)
        named = {hit.id: hit.contradicted_by for hit in found.hits}
        assert (named[thought], named[entity]) == (other, other), method
        # The contradicting thought comes with it, whatever its words, unless a filter excludes it.
        thoughts = [hit.id for hit in found.hits if hit.kind == "thought"]
        assert thoughts[:2] == [other, thought], method
        assert thoughts.count(other) == 1
        for filters in ({"tags": ["tea"]}, {"mode": "build", "tags": ["tea"]}):
            tagged = await search(mind, "copper kettle litres", method=method, **filters)
            assert [hit.id for hit in tagged.hits] == [thought], (method, filters)
        (first,) = (
            await search(mind, "copper kettle litres", method=method, kinds=["thought"], limit=1)
        ).hits
        assert first.id == other
    listed = {hit.id: hit.contradicted_by for hit in (await search(mind, None)).hits}
    assert listed == {thought: other, entity: other, other: None}
    newest = await apart(mind, "mint")
    await contradict(mind, newest, thought)
    assert [hit.id for hit in (await context(mind, limit=1)).recent] == [thought]


async def context(mind: Mind, **options: Any) -> Context:
    return await mind.operations["context"].call(options)


async def test_context_shows_a_revised_thought_after_its_latest_revision(mind: Mind) -> None:
    first, latest = await revised(mind)
    asked = await context(mind, query="copper kettle litres")
    assert marks(asked.relevant)[:2] == [(latest, None), (first, latest)]
    await raw(mind, "MATCH (t:Thought {id: $id}) SET t.pinned = true", id=first)
    pinned = await context(mind, query="copper kettle litres", limit=2)
    assert marks(pinned.pinned) == [(latest, None), (first, latest)]
    assert not {first, latest} & {hit.id for hit in [*pinned.relevant, *pinned.recent]}
    await raw(
        mind,
        "UNWIND range(1, 19) AS n CREATE (:Thought {id: $ns + n, namespace: $ns, content: 'pin', hot: true, "
        "pinned: true, is_private: false, created_at: datetime() - duration({hours: n})})",
        ns=mind.settings.namespace,
    )
    many = await context(mind, limit=1)
    assert marks(many.pinned)[0] == (latest, None)
    assert first not in {hit.id for hit in many.pinned}
    assert (len(many.pinned), many.warnings) == (20, [])


async def test_context_shows_the_revision_of_a_recent_thought_of_another_session(mind: Mind) -> None:
    own = await store_thought(mind, "the copper kettle holds ten litres", session_id="mine")
    for n in range(3):
        await store_thought(mind, f"note {n}", session_id="mine")
    latest = await apart(mind, "twelve after all", revises_thought=own)
    recent = (await context(mind, session_id="mine", limit=5)).recent
    assert marks(recent)[3:] == [(latest, None), (own, latest)]
