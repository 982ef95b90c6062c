"""Search with a re-ranker, a small real cross-encoder: the order, its pages, failures and costs."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from legacymind.embed.reranker import Reranker, RerankerFailed
from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.mind import Mind
from legacymind.model.base import SearchResult
from legacymind.settings import Settings
from tests.embed.cross_encoder import make_cross_encoder
from tests.fakes import FakeEmbedder
from tests.steps import own_namespace, remember, search, store_thought
from tests.wire import Wire, text_indexed

pytestmark = pytest.mark.anyio

WORDS = "copper kettle tea stove"
WINDOW = 6


@pytest.fixture(scope="module")
async def plain(engine_settings: Settings) -> AsyncIterator[Mind]:
    """Twelve thoughts and two facts about kettles, searched without a re-ranker. The tests only read."""
    async with own_namespace(engine_settings) as mind:
        for n in range(10):
            # The model counts words; vectors and full text prefer the short texts.
            content = "copper kettle " + "kettle " * (n % 4) + "and other things " * (n // 2)
            await store_thought(mind, f"{content} {n}", session_id=f"s{n}")
        first = await store_thought(mind, "the copper kettle is kettle blue", session_id="r")
        await store_thought(mind, "it is green", session_id="r2", revises_thought=first)
        await remember(mind, entities=[{"name": "Ada", "description": "owns a copper kettle"}])
        await remember(
            mind, observations=[{"entity": "Ada", "content": "The kettle of copper is on the stove."}]
        )
        await text_indexed(mind)
        yield mind


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("model"), WORDS)


@pytest.fixture(scope="module")
async def reranked(plain: Mind, model: Path) -> AsyncIterator[Mind]:
    """The same memory with a re-ranker of six candidates."""
    settings = replace(plain.settings, reranker=str(model), rerank_candidates=WINDOW)
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        yield mind


def ids(result: SearchResult) -> list[str]:
    return [hit.id for hit in result.hits]


def by_model(result: SearchResult) -> list[str]:
    """The ids of hits as the model of these tests orders them."""
    counts = [hit.text.lower().count("kettle") for hit in result.hits]
    return [hit.id for _, hit in sorted(zip(counts, result.hits, strict=True), key=lambda pair: -pair[0])]


async def test_the_best_hits_are_ordered_by_the_model_and_the_others_follow(
    plain: Mind, reranked: Mind
) -> None:
    options: dict[str, Any] = {"kinds": ["thought"], "limit": 10, "explain": True, "max_tokens": 10_000}
    before = await search(plain, "kettle", **options)
    after = await search(reranked, "kettle", **options)
    window = replace(before, hits=before.hits[:WINDOW])
    assert by_model(window) != ids(window)
    assert ids(after)[:WINDOW] == by_model(window)
    assert ids(after)[WINDOW:] == ids(before)[WINDOW:]
    # The places keep their scores.
    assert [hit.score for hit in after.hits] == [hit.score for hit in before.hits]
    assert [hit.rank for hit in after.hits] == list(range(1, 11))
    # The model's own scores are shown beside the parts of the ranking.
    scores = [hit.reranker_score for hit in after.hits]
    assert scores[WINDOW:] == [None] * 4
    assert scores[:WINDOW] == sorted((hit.text.count("kettle") for hit in window.hits), reverse=True)
    parts = {hit.id: hit.parts for hit in before.hits}
    assert all(hit.parts == parts[hit.id] for hit in after.hits)
    assert after.note is before.note is None
    assert all(hit.reranker_score is None for hit in (await search(reranked, "kettle")).hits)


@pytest.mark.parametrize("kinds", [["thought"], ["thought", "entity", "observation"]])
async def test_pages_are_cut_from_one_order(kinds: list[str], reranked: Mind) -> None:
    whole = await search(reranked, "copper kettle", kinds=kinds, limit=14, max_tokens=100_000)
    for limit in (1, 4, 5):
        paged: list[str] = []
        page = await search(reranked, "copper kettle", kinds=kinds, limit=limit)
        paged += ids(page)
        while page.next_cursor:
            page = await search(reranked, "copper kettle", kinds=kinds, limit=limit, cursor=page.next_cursor)
            paged += ids(page)
        assert paged == ids(whole)
        assert len(set(paged)) == len(paged)
    offset = await search(reranked, "copper kettle", kinds=kinds, limit=3, offset=4)
    assert ids(offset) == ids(whole)[4:7]


async def test_facts_are_ordered_with_the_name_of_their_entity(plain: Mind, model: Path) -> None:
    make_cross_encoder(model.parent / "named", "ada kettle")
    settings = replace(plain.settings, reranker=str(model.parent / "named"))
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        result = await search(mind, "ada kettle", kinds=["entity", "observation"], explain=True)
    assert [hit.reranker_score for hit in result.hits] == [2, 2]


async def test_a_revised_thought_stays_below_its_latest_revision(reranked: Mind) -> None:
    result = await search(reranked, "kettle blue", kinds=["thought"], limit=12)
    texts = [hit.text for hit in result.hits]
    place = texts.index("the copper kettle is kettle blue")
    assert texts[place - 1] == "it is green"  # no word of it is in the query
    assert place < WINDOW


@pytest.mark.parametrize("method", ["vector", "text"])
async def test_other_methods_are_not_ordered_again(method: str, plain: Mind, reranked: Mind) -> None:
    options: dict[str, Any] = {"method": method, "kinds": ["thought"], "explain": True}
    before = await search(plain, "kettle", **options)
    after = await search(reranked, "kettle", **options)
    assert ids(after) == ids(before)
    assert all(hit.reranker_score is None for hit in after.hits)


async def test_it_costs_no_further_statement_and_pages_after_it_no_run_of_the_model(
    plain: Mind, reranked: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    for mind in (plain, reranked):
        await search(mind, "kettle")
        with Wire() as wire:
            await search(mind, "kettle")
        counts.append(len(wire.statements))
    assert counts[0] == counts[1]
    calls: list[int] = []
    real = Reranker.scores

    async def counted(self: Reranker, query: str, texts: list[str]) -> list[float]:
        calls.append(len(texts))
        return await real(self, query, texts)

    monkeypatch.setattr(Reranker, "scores", counted)
    for offset in (0, WINDOW - 1, WINDOW):
        await search(reranked, "kettle", limit=2, offset=offset, kinds=["thought"])
    assert calls == [WINDOW, WINDOW]


async def test_a_failing_model_leaves_the_order_and_a_note_and_its_cursor_goes_on_without_the_model(
    plain: Mind, reranked: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: Reranker, query: str, texts: list[str]) -> list[float]:
        raise RerankerFailed("The model is tired.")

    options: dict[str, Any] = {"kinds": ["thought"], "limit": 3}
    expected = await search(plain, "kettle", **{**options, "limit": 6})
    begun = await search(reranked, "kettle", **options)
    with monkeypatch.context() as failing:
        failing.setattr(Reranker, "scores", fail)
        failed = await search(reranked, "kettle", **options)
        continued = await search(reranked, "kettle", **options, cursor=begun.next_cursor)
    assert ids(failed) == ids(expected)[:3]
    assert failed.note == "Not ordered by the re-ranker. The model is tired."
    assert ids(continued) == ids(expected)[3:]
    assert continued.note == f"{failed.note} Hits of earlier pages may occur again."
    after = await search(reranked, "kettle", **options, cursor=failed.next_cursor)
    assert (ids(after), after.note) == (ids(expected)[3:], None)


async def test_the_note_is_part_of_the_token_budget(reranked: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: Reranker, query: str, texts: list[str]) -> list[float]:
        raise RerankerFailed("The reason is long. " * 40)

    plenty = await search(reranked, "kettle", max_tokens=600)
    monkeypatch.setattr(Reranker, "scores", fail)
    assert (await search(reranked, "kettle", max_tokens=600)).count < plenty.count


async def test_a_cursor_is_bound_to_the_model_and_the_number_of_candidates(
    plain: Mind, reranked: Mind, model: Path
) -> None:
    cursor = (await search(reranked, "kettle", limit=2)).next_cursor
    for changed in ({"reranker": ""}, {"rerank_candidates": WINDOW + 1}):
        async with Mind(replace(reranked.settings, **changed), embedder=FakeEmbedder()) as mind:
            with pytest.raises(InvalidInput, match="belongs to a read with other arguments"):
                await search(mind, "kettle", limit=2, cursor=cursor)
    with pytest.raises(InvalidInput, match="malformed"):
        await search(reranked, "kettle", limit=2, cursor="ÿ")


async def test_an_unusable_model_is_an_error_of_the_search(plain: Mind, tmp_path: Path) -> None:
    async with Mind(replace(plain.settings, reranker=str(tmp_path)), embedder=FakeEmbedder()) as mind:
        with pytest.raises(ConfigurationError, match=r"lacks model\.onnx"):
            await search(mind, "kettle")
        assert (await search(mind, "kettle", method="vector")).count > 0
