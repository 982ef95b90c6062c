"""Search of thoughts and knowledge together, at a moment in time; and arguments that search rejects."""

from typing import Any

import pytest

from legacymind.errors import EmbeddingError, InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from tests.fakes import FakeEmbedder
from tests.steps import pages_of
from tests.wire import one, text_indexed

pytestmark = pytest.mark.anyio


async def search(mind: Mind, query: str = "copper kettle", **options: Any) -> SearchResult:
    return await mind.operations["search"].call({"query": query, "limit": 10, **options})


@pytest.fixture
async def known(mind: Mind) -> Mind:
    """An entity, a superseded fact, a fact of the future, and a thought."""
    kettle = {"entity": "copper kettle", "entity_type": "thing"}
    await mind.operations["remember"].call(
        {
            "entities": [
                {"name": "copper kettle", "entity_type": "thing", "description": "boils water"}
                | {"valid_from": "2020-01-01T00:00:00Z"}
            ],
            "observations": [
                kettle
                | {"content": "The copper kettle stands in Rome."}
                | {"valid_from": "2021-01-01T00:00:00Z", "valid_to": "2023-01-01T00:00:00Z"},
                kettle
                | {"content": "The copper kettle stands in Oslo.", "valid_from": "2023-01-01T00:00:00Z"},
                kettle
                | {"content": "The copper kettle stands on Mars.", "valid_from": "2999-01-01T00:00:00Z"},
            ],
        }
    )
    await mind.operations["think"].call({"content": "the copper kettle is hot", "author": "ada"})
    return mind


def places(result: SearchResult) -> set[str]:
    return {hit.text.split()[-1] for hit in result.hits if hit.kind == "observation"}


async def test_all_kinds_are_searched_by_default(known: Mind) -> None:
    assert {hit.kind for hit in (await search(known)).hits} == {"thought", "entity", "observation"}
    for kind in ("thought", "entity", "observation"):
        assert {hit.kind for hit in (await search(known, kinds=[kind])).hits} == {kind}
    both = await search(known, kinds=["entity", "observation"])
    assert {hit.kind for hit in both.hits} == {"entity", "observation"}


async def test_a_filter_excludes_knowledge_unless_kinds_include_it(known: Mind) -> None:
    assert {hit.kind for hit in (await search(known, author="ada")).hits} == {"thought"}
    for dates in ({"date_to": "2999-01-01"}, {"date_from": "2020-01-01"}):
        kinds = {hit.kind for hit in (await search(known, **dates)).hits}
        assert kinds == {"thought", "entity", "observation"}
    for dates in ({"date_to": "2020-01-01"}, {"date_from": "2999-01-01"}):
        assert not (await search(known, **dates)).hits
    both = await search(known, author="nobody", kinds=["thought", "entity"])
    assert {hit.kind for hit in both.hits} == {"entity"}


@pytest.mark.parametrize(
    ("as_of", "found"),
    [
        (None, {"Oslo."}),
        ("2019-06-01", set[str]()),
        ("2022-06-01T00:00:00Z", {"Rome."}),
        ("2022-12-31T23:59:59.999999Z", {"Rome."}),
        ("2023-01-01T00:00:00Z", {"Oslo."}),
        ("2999-01-01T00:00:00Z", {"Oslo.", "Mars."}),
    ],
)
async def test_only_knowledge_valid_at_the_moment_is_found(
    known: Mind, as_of: str | None, found: set[str]
) -> None:
    result = await search(known, as_of=as_of)
    assert places(result) == found
    entities = [hit for hit in result.hits if hit.kind == "entity"]
    assert len(entities) == (as_of != "2019-06-01")


@pytest.mark.slow
async def test_text_search_finds_a_valid_fact_behind_many_ended_ones(mind: Mind) -> None:
    old = {"valid_from": "2020-01-01T00:00:00Z", "valid_to": "2021-01-01T00:00:00Z"}
    facts = [{"content": f"Kettle {number}", **old} for number in range(80)]
    facts += [{"content": "The kettle is among the other things of the house"}]
    for start in (0, 50):
        observations = [{"entity": "stove", **fact} for fact in facts[start : start + 50]]
        await mind.operations["remember"].call({"observations": observations})
    await text_indexed(mind)
    (found,) = (await search(mind, "kettle", method="text")).hits
    assert found.text == facts[-1]["content"]


async def test_a_fact_has_its_entity_and_its_interval(known: Mind) -> None:
    (fact,) = (await search(known, kinds=["observation"])).hits
    for query, method in (("kettle", "graph"), ("kettle", "text"), ("kettle", "vector"), ("", "graph")):
        for hit in (await search(known, query, kinds=["observation"], method=method)).hits:
            assert (hit.entity, hit.entity_type) == ("copper kettle", "thing")
    assert fact.entity == "copper kettle"
    assert fact.valid_from is not None
    assert (fact.valid_from.year, fact.valid_to) == (2023, None)
    (closed,) = (await search(known, kinds=["observation"], as_of="2022-01-01")).hits
    assert closed.valid_to is not None
    assert closed.valid_to.year == 2023
    (entity,) = (await search(known, kinds=["entity"])).hits
    assert (entity.text, entity.entity, entity.entity_type) == (
        "copper kettle: boils water",
        "copper kettle",
        "thing",
    )


async def test_kinds_are_ranked_and_paged_together(known: Mind) -> None:
    whole = await search(known, limit=10)
    pages = await pages_of(known, "search", query="copper kettle", limit=1)
    assert [hit.id for page in pages for hit in page.hits] == [hit.id for hit in whole.hits]
    assert len(pages) == 3
    timed = await search(known, order="created_at_desc")
    moments = [hit.created_at for hit in timed.hits if hit.created_at is not None]
    assert moments == sorted(moments, reverse=True)
    assert len(moments) == 3


async def test_a_long_text_is_shortened(mind: Mind) -> None:
    await mind.operations["think"].call({"content": "copper kettle " * 100})
    (hit,) = (await search(mind)).hits
    assert len(hit.text) <= 600
    assert set(hit.text.removesuffix("…").split()) == {"copper", "kettle"}  # cut between words
    assert hit.text.endswith("…")
    assert len(hit.text) > 590


async def test_a_search_updates_no_access_count(known: Mind) -> None:
    statement = "MATCH (n {namespace: $ns}) RETURN sum(n.access_count)"
    before = await one(known, statement, ns=known.settings.namespace)
    await search(known)
    assert await one(known, statement, ns=known.settings.namespace) == before


REJECTED: list[tuple[dict[str, Any], str]] = [
    ({"query": "x", "ended": True}, "Facts that ended are listed by time"),
    ({"query": "x", "after": "nonsense"}, "cursor is malformed"),
    ({"query": "x", "after": "WzEsWzFdXQ"}, "belongs to a read with other arguments"),
    ({"query": "x", "tags": ["a", " "]}, "An item of tags is empty"),
    ({"query": "x" * (100 * 1024 + 1)}, "102,401 bytes"),
    ({"query": "\ud800"}, "surrogate"),
    ({"query": b"\xff"}, "query"),
    ({"query": 5}, "query"),
    ({"query": "x", "text": "y"}, "text is unknown"),
    ({"query": "x", "kinds": ["dream"]}, "kinds"),
    ({"query": "x", "kinds": "thought, dream"}, "kinds"),
    ({"query": "x", "limit": "many"}, "limit"),
    ({"query": "x", "order": "random"}, "order"),
    ({"query": "x", "origin": "human"}, "origin must be 'user', 'agent', 'derived', 'import' or 'outside'"),
    ({"query": "x", "min_similarity": "nan"}, "min_similarity"),
    ({"query": "x", "confidence_gte": "high"}, "confidence_gte"),
    ({"query": "x", "date_from": "yesterday"}, "date_from must be a time"),
    ({"query": "x", "date_to": "2026-02-30"}, "date_to must be a time"),
    ({"query": "x", "as_of": "then"}, "as_of"),
    *(
        ({"query": "x", name: value}, message)
        for name in "session_id chain_id revises_thought author mode thought_type namespace".split()
        for value, message in (
            ("é" * 257, f"{name} is 514 bytes"),
            ("\ud800", "surrogate"),
        )
    ),
]


async def test_invalid_input_is_rejected_by_name_and_the_next_search_works(known: Mind) -> None:
    embedder = known.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    before = len(embedder.calls)
    for arguments, message in REJECTED:
        with pytest.raises(InvalidInput) as raised:
            await known.operations["search"].call(arguments)
        assert message in raised.value.what
        assert not raised.value.effect
        assert raised.value.hint
        assert len(str(raised.value).encode()) < 2000
    assert len(embedder.calls) == before
    assert len((await search(known)).hits) == 3


async def test_numbers_are_coerced_and_clamped(known: Mind) -> None:
    assert len((await search(known, limit="2")).hits) == 2
    assert len((await search(known, limit=1.5)).hits) == 2
    assert len((await search(known, limit=0)).hits) == 1
    assert {hit.kind for hit in (await search(known, kinds="Thought")).hits} == {"thought"}
    assert len((await search(known, limit=10_000)).hits) == 3


async def test_a_search_without_embedder_raises_and_the_next_one_works(known: Mind) -> None:
    embedder = known.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await search(known)
    embedder.down = False
    assert len((await search(known)).hits) == 3
