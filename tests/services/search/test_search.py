"""Search by vector: every filter, every order, and five matches among thousands."""

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from legacymind.db.filters import FILTERS
from legacymind.mind import Mind
from legacymind.model.base import OPEN, SearchResult
from legacymind.settings import Settings
from legacymind.text.fulltext import namespace_key
from tests.fakes import FakeEmbedder
from tests.steps import pages_of, store_thought
from tests.wire import db_hits, raw

pytestmark = pytest.mark.anyio

NOISE, QUERY = 2000, "copper kettle"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)

# The properties of five thoughts; two thousand others are nearer to the query.
RARE: dict[str, Any] = {
    "session_id": "rare session",
    "chain_id": "rare chain",
    "previous_thought_id": "rare previous",
    "revises_thought": "rare revised",
    "branch_from": "rare branch",
    "parent_id": "rare parent",
    "action_id": "rare action",
    "origin": "outside",
    "author": "Rare Author",
    "mode": "stuck",
    "thought_type": "rare type",
    "confidence": 0.5,
}


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    """2,000 thoughts with the text of the query, five with little of it, and two private ones."""
    settings = engine_settings.changed(namespace=f"test-{uuid.uuid4()}")
    async with Mind(settings, embedder=FakeEmbedder()) as opened:
        common = {"namespace": settings.namespace, "hot": True, "is_private": False, "found_until": OPEN}
        common["ns_key"] = namespace_key(settings.namespace)
        rows: list[dict[str, Any]] = [
            common
            | {name: f"common {name} {number % 7}" for name in RARE}
            | {"id": f"{settings.namespace}-{number}", "content": QUERY, "mode": "build"}
            | {
                "confidence": None if number % 3 else 0.9,
                "created_at": START - timedelta(days=30, hours=number),
            }
            for number in range(NOISE)
        ]
        rows += [
            common
            | RARE
            | {"id": f"{settings.namespace}-rare-{number}", "content": f"copper mine {'shaft ' * number}"}
            | {"created_at": START + timedelta(days=number), "step_index": number}
            for number in range(5)
        ]
        rows += [
            common
            | {"id": f"{settings.namespace}-secret-{session}", "content": QUERY, "is_private": True}
            | {"session_id": session, "created_at": START}
            for session in ("rare session", "another session")
        ]
        await opened.vectors.claim()
        vectors = dict(
            zip(texts := sorted({r["content"] for r in rows}), await opened.vectors.embed(texts), strict=True)
        )
        for batch in (rows[at : at + 500] for at in range(0, len(rows), 500)):
            await raw(
                opened,
                "UNWIND $rows AS row CREATE (t:Thought) SET t = row WITH t, row "
                "CALL db.create.setNodeVectorProperty(t, 'embedding_a', $vectors[row.content])",
                rows=batch,
                vectors=vectors,
            )
        await raw(
            opened,
            "UNWIND ['rare session', 'another session'] AS id "
            "CREATE (:Session {namespace: $ns, id: id, has_private: true})",
            ns=settings.namespace,
        )
        yield opened


async def search(mind: Mind, query: str = QUERY, **options: Any) -> SearchResult:
    return await mind.operations["search"].call({"query": query, "limit": 10, **options})


def rare(mind: Mind, *numbers: int) -> list[str]:
    return [f"{mind.settings.namespace}-rare-{number}" for number in numbers]


FIVE: list[dict[str, Any]] = [
    *({name: value} for name, value in RARE.items() if name not in ("session_id", "confidence")),
    {"confidence_gte": 0.4, "confidence_lte": 0.6},
    {"confidence_lte": 0.5},
    {"confidence_lte": "0.5", "confidence_gte": "-7"},
    {"date_from": "2026-03-01"},
    {"date_from": "2026-03-01", "date_to": "2026-03-05"},
    {"previous_thought_id": "thoughts:rare previous"},
    RARE | {"session_id": None, "confidence": None, "confidence_gte": 0.5, "date_to": "2026-12-31"},
]


@pytest.mark.parametrize("filters", FIVE, ids=lambda filters: "+".join(filters)[:40])
async def test_a_filter_that_matches_five_of_thousands_returns_the_five(
    mind: Mind, filters: dict[str, Any]
) -> None:
    filters = {name: value for name, value in filters.items() if value is not None and name != "confidence"}
    result = await search(mind, limit=100, **filters)
    assert sorted(hit.id for hit in result.hits) == rare(mind, 0, 1, 2, 3, 4)
    assert (result.next, {hit.kind for hit in result.hits}) == (None, {"thought"})
    assert {name for one in FIVE for name in one} >= FILTERS.keys() - {"session_id", "tags"}  # test_tags


async def test_a_session_filter_finds_its_private_thoughts_and_no_others(mind: Mind) -> None:
    result = await search(mind, session_id="rare session", limit=100)
    secret = f"{mind.settings.namespace}-secret-rare session"
    assert sorted(hit.id for hit in result.hits) == [*rare(mind, 0, 1, 2, 3, 4), secret]
    everywhere = await search(mind, date_from="2026-03-01", limit=100)
    assert "secret" not in "".join(hit.id.removeprefix(mind.settings.namespace) for hit in everywhere.hits)


@pytest.mark.parametrize(
    ("bounds", "count"),
    [
        ({}, 100),
        ({"confidence_gte": 0.0}, 100),
        ({"confidence_gte": 0.91}, 0),
        ({"confidence_gte": 0.6, "confidence_lte": 0.4}, 0),
        ({"confidence_gte": 0.5, "confidence_lte": 0.5}, 5),
    ],
)
async def test_a_thought_without_confidence_fails_only_bounds_of_confidence(
    mind: Mind, bounds: dict[str, Any], count: int
) -> None:
    # By meaning alone: ranked search folds the copies among its candidates.
    result = await search(mind, limit=100, kinds=["thought"], method="vector", **bounds)
    assert len(result.hits) == count
    if not bounds:
        assert None in [hit.confidence for hit in result.hits]
    else:
        assert None not in [hit.confidence for hit in result.hits]


@pytest.mark.parametrize(
    ("dates", "found"),
    [
        ({"date_from": "2026-03-02", "date_to": "2026-03-04"}, [1, 2, 3]),
        ({"date_from": "2026-03-02", "date_to": "2026-03-02"}, [1]),
        ({"date_from": "2026-03-03T12:00:00Z"}, [2, 3, 4]),
        ({"date_from": "2026-03-03T12:00:00.000001+00:00"}, [3, 4]),
        ({"date_from": "2026-03-03T13:00:00+01:00", "date_to": "2026-03-03T12:00:00Z"}, [2]),
        ({"date_from": "2026-03-05", "date_to": "2026-03-01"}, []),
        ({"date_from": "2027-01-01"}, []),
    ],
)
async def test_dates_are_inclusive_days_in_utc_or_exact_times(
    mind: Mind, dates: dict[str, str], found: list[int]
) -> None:
    result = await search(mind, chain_id="rare chain", order="created_at_asc", **dates)
    assert [hit.id for hit in result.hits] == rare(mind, *found)


async def test_hits_are_ordered_by_relevance_without_a_session_or_chain(mind: Mind) -> None:
    result = await search(mind, author="Rare Author")
    assert result.order == "relevance"
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4, 5]
    for found in (result, await search(mind, author="Rare Author", method="vector")):
        scores = [hit.score or 0 for hit in found.hits]
        assert scores == sorted(scores, reverse=True)
        assert found.hits[0].cosine == pytest.approx(0.5, abs=0.01)  # one of two words is shared
    assert [hit.score for hit in found.hits] == [hit.cosine for hit in found.hits]


@pytest.mark.parametrize("thread", [{"session_id": "rare session"}, {"chain_id": "rare chain"}])
async def test_hits_of_a_session_or_chain_are_ordered_by_time_by_default(
    mind: Mind, thread: dict[str, str]
) -> None:
    expected = rare(mind, 0, 1, 2, 3, 4)
    result = await search(mind, "copper mine shaft", **thread)
    found = [hit.id for hit in result.hits if "rare-" in hit.id]
    assert (result.order, found) == ("created_at_asc", expected)
    result = await search(mind, "copper mine shaft", order="created_at_desc", **thread)
    assert [hit.id for hit in result.hits if "rare-" in hit.id] == expected[::-1]
    result = await search(mind, "copper mine shaft", order="relevance", **thread)
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))


async def test_the_most_relevant_hits_are_selected_before_they_are_ordered_by_time(mind: Mind) -> None:
    best = await search(mind, "copper mine shaft", order="relevance", chain_id="rare chain", limit=2)
    timed = await search(mind, "copper mine shaft", chain_id="rare chain", limit=2)
    assert {hit.id for hit in timed.hits} == {hit.id for hit in best.hits}
    moments = [hit.created_at for hit in timed.hits]
    assert moments == sorted(moments, key=lambda moment: moment or START)
    assert timed.next is not None


async def test_hits_of_one_instant_are_ordered_by_relevance_in_either_direction(mind: Mind) -> None:
    space = f"{mind.settings.namespace}-ties"
    for content in ("copper mine", "copper kettle", "copper ore vein"):
        arguments = {"content": content, "session_id": "s", "created_at": START, "namespace": space}
        await mind.operations["think"].call(arguments)
    for order in ("created_at_asc", "created_at_desc"):
        result = await search(mind, order=order, namespace=space)
        assert [hit.text for hit in result.hits] == ["copper kettle", "copper mine", "copper ore vein"]


async def test_pages_have_no_gap_and_no_repetition(mind: Mind) -> None:
    whole = await search(mind, author="Rare Author")
    pages = await pages_of(mind, "search", query=QUERY, author="Rare Author", limit=2)
    assert [hit.id for page in pages for hit in page.hits] == [hit.id for hit in whole.hits]
    assert [hit.rank for page in pages for hit in page.hits] == [1, 2, 3, 4, 5]
    assert [len(page.hits) for page in pages] == [2, 2, 1]


async def test_a_page_of_thousands_is_full_and_has_more(mind: Mind) -> None:
    asked: dict[str, Any] = {"limit": 100, "kinds": ["thought"], "method": "vector", "max_tokens": 100_000}
    first = await search(mind, **asked)
    assert (len(first.hits), first.next is not None) == (100, True)
    second = await search(mind, **asked, after=first.next)
    assert second.hits[0].rank == 101


async def test_min_similarity_excludes_hits_further_away(mind: Mind) -> None:
    every = await search(mind, author="Rare Author", method="vector")
    bound = every.hits[2].cosine or 0
    near = await search(mind, author="Rare Author", min_similarity=bound - 0.0001)
    assert [hit.id for hit in near.hits] == [hit.id for hit in every.hits[:3]]
    assert (await search(mind, author="Rare Author", min_similarity=2)).hits == []  # clamped to 1
    assert len((await search(mind, min_similarity="0.999", kinds=["thought"], method="vector")).hits) == 10


async def test_a_hit_has_the_properties_of_its_thought(mind: Mind) -> None:
    (hit,) = (await search(mind, chain_id="rare chain", date_to="2026-03-01")).hits
    assert (hit.kind, hit.text.strip(), hit.author, hit.mode) == (
        "thought",
        "copper mine",
        "Rare Author",
        "stuck",
    )
    assert (hit.thought_type, hit.said_by, hit.session_id) == ("rare type", "outside", "rare session")
    assert (hit.chain_id, hit.step_index, hit.confidence) == ("rare chain", 0, 0.5)
    assert hit.created_at == START
    assert (hit.entity, hit.valid_from) == (None, None)


async def test_unknown_values_find_nothing(mind: Mind) -> None:
    for filters in (
        {"session_id": "none"},
        {"mode": "dancing"},
        {"namespace": "none"},
        {"parent_id": "none"},
    ):
        assert (await search(mind, **filters)).hits == []


@pytest.mark.parametrize("filters", [{}, {"date_from": "2025-01-01"}, {"author": "common author 3"}])
@pytest.mark.slow
async def test_no_search_reads_more_than_it_ranks(mind: Mind, filters: dict[str, Any]) -> None:
    # A few reads for each of some hundred candidates; reading all thoughts would take several for each.
    assert await db_hits(mind, "search_thoughts", {"query": QUERY, **filters}) < 5 * NOISE


async def test_an_empty_result_names_the_filter_that_nothing_passes_and_what_is_near(mind: Mind) -> None:
    await store_thought(
        mind, "the kettle leaks", session_id="repair-2024", author="Marit", thought_type="report"
    )
    await store_thought(mind, "a secret", session_id="hidden-2024", is_private=True)
    search = mind.operations["search"]

    async def note(**given: Any) -> str | None:
        found = await search.call(given)
        assert found.hits == []
        return found.note

    for query in ({}, {"query": "kettle"}):
        session, kind = (
            await note(session_id="repair-2042", **query),
            await note(thought_type="raport", **query),
        )
        assert session == "No recent thought has session_id 'repair-2042'; there are 'repair-2024'."
        assert kind == "No recent thought has thought_type 'raport'; there are 'report'."
        both = await note(author="marit", session_id="repair-2024", **query) or ""
        assert both == "No recent thought has author 'marit'; there are 'Marit'."
        late = await note(date_from="2030-01-01", date_to="2029-01-01", **query) or ""
        assert "is after date_to" in late
    assert "hidden-2024" not in (await note(session_id="hidden-2042") or "")
    assert await note(date_to="1990-01-01") is None
    empty = await note(session_id="x", namespace=f"{mind.settings.namespace}-empty") or ""
    assert f"{mind.settings.namespace}-empty" in empty
