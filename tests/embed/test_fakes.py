"""The properties of the fake embedder that unit tests rely on."""

import math

import pytest

from legacymind.embed import Embedder
from legacymind.errors import EmbeddingError
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.anyio


async def test_texts_that_share_words_are_near_and_others_are_not() -> None:
    embedder: Embedder = FakeEmbedder()
    query, near, far, empty = await embedder.embed(
        ["Which databases do we use?", "We used the database PostgreSQL.", "Bob is allergic to peanuts.", ""]
    )

    def cosine(a: list[float], b: list[float]) -> float:
        return math.fsum(x * y for x, y in zip(a, b, strict=True))

    assert cosine(query, near) > embedder.thresholds.knowledge[2]
    assert abs(cosine(query, far)) < embedder.thresholds.floor
    assert [cosine(v, v) for v in (query, near, far, empty)] == pytest.approx([1, 1, 1, 1])
    assert (await FakeEmbedder().embed(["Which databases do we use?"])) == [query]


async def test_it_records_calls_and_can_be_down() -> None:
    embedder = FakeEmbedder()
    await embedder.embed(["a", "b"])
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await embedder.embed(["c"])
    assert embedder.calls == [["a", "b"], ["c"]]
