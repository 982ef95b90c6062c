"""The cache in front of an embedder: the same vectors, fewer calls."""

import asyncio
import math
import sys
from collections.abc import Sequence
from threading import Thread

import pytest

from legacymind.embed import make_embedder
from legacymind.embed.cache import CachedEmbedder
from legacymind.embed.minilm import MiniLM
from legacymind.errors import EmbeddingError
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


class Slow(FakeEmbedder):
    """Waits to be told to answer, and puts the kind of text into the vector."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        found = await super().embed(texts, query=query)
        await self.go.wait()
        return [[-x for x in vector] if query else vector for vector in found]


async def test_what_was_seen_is_not_embedded_again_and_gets_the_same_vector() -> None:
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


async def test_the_real_models_vectors_come_out_bit_for_bit_and_in_half_the_room(minilm: MiniLM) -> None:
    texts = ["The kettle is copper.", "", "long " * 700]
    cache = CachedEmbedder(minilm, 10)
    plain, missed, hit = await minilm.embed(texts), await cache.embed(texts), await cache.embed(texts)
    assert plain == missed == hit
    assert {kept.typecode for kept in cache._vectors.values()} == {"f"}  # pyright: ignore[reportPrivateUsage]


async def test_a_text_is_embedded_once_in_a_call_however_often_it_comes() -> None:
    inside = FakeEmbedder()
    found = await CachedEmbedder(inside, 10).embed(["pot", "pan", "pot"])
    assert inside.calls == [["pot", "pan"]]
    assert found[0] == found[2] != found[1]
    assert await CachedEmbedder(inside, 10).embed([]) == []


async def test_a_question_and_a_passage_of_the_same_words_are_two() -> None:
    inside = Slow()
    inside.go.set()
    cache = CachedEmbedder(inside, 10)
    (passage,), (question,) = await cache.embed(["pot"]), await cache.embed(["pot"], query=True)
    assert question == [-x for x in passage]
    assert [await cache.embed(["pot"]), await cache.embed(["pot"], query=True)] == [[passage], [question]]
    assert len(inside.calls) == 2


async def test_the_least_recently_used_goes_first_and_the_number_is_bounded() -> None:
    inside = FakeEmbedder()
    cache = CachedEmbedder(inside, 2)
    await cache.embed(["a"])
    await cache.embed(["b"])
    await cache.embed(["a"])
    await cache.embed(["c"])  # b goes
    await cache.embed(["a"])
    assert inside.calls == [["a"], ["b"], ["c"]]
    await cache.embed(["b"])
    assert inside.calls[-1] == ["b"]
    assert len(await cache.embed(list("defghij"))) == 7  # more than it can keep
    assert len(cache._vectors) == 2  # pyright: ignore[reportPrivateUsage]


async def test_a_caller_who_changes_his_vector_changes_nobody_elses() -> None:
    cache = CachedEmbedder(FakeEmbedder(), 2)
    first, twin = await cache.embed(["pot", "pot"])
    first[0] = math.inf
    assert math.inf not in twin
    assert (await cache.embed(["pot"])) == [twin]


async def test_calls_at_the_same_time_share_what_they_have_in_common() -> None:
    inside = Slow()
    cache = CachedEmbedder(inside, 10)
    one = asyncio.create_task(cache.embed(["pot", "pan"]))
    await asyncio.sleep(0)
    other = asyncio.create_task(cache.embed(["pan", "lid"]))
    await asyncio.sleep(0)
    inside.go.set()
    assert (await one)[1] == (await other)[0]
    assert inside.calls == [["pot", "pan"], ["lid"]]


async def test_a_failure_is_told_to_all_who_wait_and_is_not_kept() -> None:
    inside = FakeEmbedder()
    inside.down = True
    cache = CachedEmbedder(inside, 10)
    told = await asyncio.gather(*(cache.embed(["pot"]) for _ in range(3)), return_exceptions=True)
    assert {type(answer) for answer in told} == {EmbeddingError}
    inside.down = False
    assert await cache.embed(["pot"]) == await FakeEmbedder().embed(["pot"])


async def test_who_gives_up_takes_nobody_with_him() -> None:
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
    assert inside.calls == [["pot"], ["pot"]]  # the owner's, and that of one who had waited
    assert waiting[0].cancelled()


async def test_it_serves_two_event_loops_at_once(minilm: MiniLM) -> None:
    cache = CachedEmbedder(minilm, 10)
    found: list[list[list[float]]] = []
    threads = [Thread(target=lambda: found.append(asyncio.run(cache.embed(["one", "two"])))) for _ in "ab"]
    for thread in threads:
        thread.start()
    here = await cache.embed(["one", "two"])
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert found == [here, here]


async def test_a_vector_kept_takes_four_bytes_a_dimension() -> None:
    class Single(FakeEmbedder):
        async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
            return [[0.5] * 384 for _ in texts]

    cache = CachedEmbedder(Single(), 10)
    await cache.embed(["pot"])
    (kept,) = cache._vectors.values()  # pyright: ignore[reportPrivateUsage]
    assert sys.getsizeof(kept) < 4 * 384 + 100


def test_the_configured_embedder_has_a_cache_unless_it_is_switched_off() -> None:
    assert isinstance(make_embedder(Settings()), CachedEmbedder)
    assert isinstance(make_embedder(Settings(cache_max=0)), MiniLM)
