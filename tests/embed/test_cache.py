"""The cache in front of an embedder: the same vectors, fewer calls."""

import asyncio
import math
from collections.abc import Sequence

import pytest

from legacymind.embed import make_embedder
from legacymind.embed.cache import CachedEmbedder
from legacymind.embed.models import Published
from legacymind.errors import EmbeddingError
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


class Slow(FakeEmbedder):
    """An embedder that waits for ``go``; its vectors contain the kind of text."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        found = await super().embed(texts, query=query)
        await self.go.wait()
        return [[-x for x in vector] if query else vector for vector in found]


async def test_a_repeated_text_is_not_embedded_again_and_has_the_same_vector() -> None:
    inside = FakeEmbedder()
    cache = CachedEmbedder(inside, 10)
    first = await cache.embed(["a kettle", "a pot"])
    assert await cache.embed(["a pot", "a pan", "a kettle"]) == [
        first[1],
        *(await FakeEmbedder().embed(["a pan"])),
        first[0],
    ]
    assert inside.calls == [["a kettle", "a pot"], ["a pan"]]
    assert first == await FakeEmbedder().embed(["a kettle", "a pot"])


async def test_vectors_of_the_real_model_are_returned_bit_for_bit_and_take_half_the_memory(
    minilm: Published,
) -> None:
    texts = ["The kettle is copper.", "", "long " * 700]
    cache = CachedEmbedder(minilm, 10)
    plain, missed, hit = await minilm.embed(texts), await cache.embed(texts), await cache.embed(texts)
    assert plain == missed == hit
    assert {kept.typecode for kept in cache._vectors.values()} == {"f"}  # pyright: ignore[reportPrivateUsage]


async def test_a_repeated_text_of_one_call_is_embedded_once() -> None:
    inside = FakeEmbedder()
    found = await CachedEmbedder(inside, 10).embed(["pot", "pan", "pot"])
    assert inside.calls == [["pot", "pan"]]
    assert found[0] == found[2] != found[1]
    assert await CachedEmbedder(inside, 10).embed([]) == []


async def test_a_query_and_a_passage_of_the_same_words_are_cached_apart() -> None:
    inside = Slow()
    inside.go.set()
    cache = CachedEmbedder(inside, 10)
    (passage,), (question,) = await cache.embed(["pot"]), await cache.embed(["pot"], query=True)
    assert question == [-x for x in passage]
    assert [await cache.embed(["pot"]), await cache.embed(["pot"], query=True)] == [[passage], [question]]
    assert len(inside.calls) == 2


async def test_the_least_recently_used_vector_is_removed_first_and_the_number_is_bounded() -> None:
    inside = FakeEmbedder()
    cache = CachedEmbedder(inside, 2)
    await cache.embed(["a"])
    await cache.embed(["b"])
    await cache.embed(["a"])
    await cache.embed(["c"])  # b is removed
    await cache.embed(["a"])
    assert inside.calls == [["a"], ["b"], ["c"]]
    await cache.embed(["b"])
    assert inside.calls[-1] == ["b"]
    assert len(await cache.embed(list("defghij"))) == 7  # more than the cache holds
    assert len(cache._vectors) == 2  # pyright: ignore[reportPrivateUsage]


async def test_a_changed_result_does_not_change_the_cache() -> None:
    cache = CachedEmbedder(FakeEmbedder(), 2)
    first, twin = await cache.embed(["pot", "pot"])
    first[0] = math.inf
    assert math.inf not in twin
    assert (await cache.embed(["pot"])) == [twin]


async def test_concurrent_calls_embed_common_texts_once() -> None:
    inside = Slow()
    cache = CachedEmbedder(inside, 10)
    one = asyncio.create_task(cache.embed(["pot", "pan"]))
    await asyncio.sleep(0)
    other = asyncio.create_task(cache.embed(["pan", "lid"]))
    await asyncio.sleep(0)
    inside.go.set()
    assert (await one)[1] == (await other)[0]
    assert inside.calls == [["pot", "pan"], ["lid"]]


async def test_a_failure_is_raised_in_all_waiting_calls_and_not_cached() -> None:
    inside = FakeEmbedder()
    inside.down = True
    cache = CachedEmbedder(inside, 10)
    told = await asyncio.gather(*(cache.embed(["pot"]) for _ in range(3)), return_exceptions=True)
    assert {type(answer) for answer in told} == {EmbeddingError}
    inside.down = False
    assert await cache.embed(["pot"]) == await FakeEmbedder().embed(["pot"])


async def test_a_cancelled_call_does_not_cancel_the_others() -> None:
    inside = Slow()
    cache = CachedEmbedder(inside, 10)
    owner = asyncio.create_task(cache.embed(["pot"]))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(cache.embed(["pot"])) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    owner.cancel()
    await asyncio.sleep(0.01)
    inside.go.set()
    assert await waiting[1] == await waiting[2] == await FakeEmbedder().embed(["pot"])
    assert inside.calls == [["pot"], ["pot"]]  # the first call's, and that of a waiting one
    assert waiting[0].cancelled()


def test_the_configured_embedder_has_a_cache_unless_turned_off() -> None:
    assert isinstance(make_embedder(Settings()), CachedEmbedder)
    assert isinstance(make_embedder(Settings(cache_max=0)), Published)
