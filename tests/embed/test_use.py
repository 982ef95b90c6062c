"""The multilingual universal sentence encoder: the real model, which a package contains."""

import asyncio
import json
import math
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from legacymind.embed import make_embedder
from legacymind.embed.base import Embedder
from legacymind.embed.models import Published
from legacymind.embed.use import MultilingualUse
from legacymind.errors import ConfigurationError
from legacymind.settings import Settings
from tests.embed.test_minilm import cosine, furthest

pytestmark = pytest.mark.anyio

PAIRS: dict[str, list[tuple[str, str]]] = json.loads(
    Path(__file__).with_name("languages.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def use() -> MultilingualUse:
    return MultilingualUse(Settings())


async def test_texts_of_two_languages_with_one_meaning_are_near(use: MultilingualUse) -> None:
    german, english, other = await use.embed(
        ["Der Hund schläft unter dem Tisch.", "The dog sleeps under the table.", "Shares fell on Monday."]
    )
    assert len(german) == use.info.dimensions == 512
    assert math.isclose(cosine(german, german), 1, abs_tol=1e-5)
    assert cosine(german, english) > 0.8 > 0.3 > cosine(german, other)


async def first_three(embedder: Embedder) -> list[float]:
    """For each language the share of questions whose note is among the three nearest of all notes."""
    pairs = [pair for of_language in PAIRS.values() for pair in of_language]
    notes = np.array(await embedder.embed([note for note, _ in pairs]))
    questions = np.array(await embedder.embed([question for _, question in pairs], query=True))
    nearest = np.argsort(-(questions @ notes.T))[:, :3]
    found = (nearest == np.arange(len(pairs))[:, None]).any(axis=1)
    return found.reshape(len(PAIRS), -1).mean(axis=1).tolist()


async def test_questions_find_their_notes_in_each_language_more_often_than_with_an_english_model(
    use: MultilingualUse, minilm: Published
) -> None:
    own, english = await first_three(use), await first_three(minilm)
    assert min(own) >= 0.5, own  # by chance 0.05
    assert sum(own) > 1.3 * sum(english), (own, english)


async def test_a_text_has_one_vector_whatever_is_embedded_with_it(use: MultilingualUse) -> None:
    texts = ["", " ", "kettle", "日本語", "A long text about kettles. " * 300, "x" * 5_000]
    alone = [(await use.embed([text]))[0] for text in texts]
    together = await asyncio.gather(*(use.embed(texts) for _ in range(4)))
    for vectors in together:
        for vector, other in zip(vectors, alone, strict=True):
            assert furthest(vector, other) < 1e-5


def test_settings_that_name_another_model_and_a_missing_package_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = Settings(embedding_provider="use")
    for other in (own.changed(embedding_model="all-MiniLM-L6-v2"), own.changed(embedding_dimensions=384)):
        with pytest.raises(ConfigurationError, match="has only the model"):
            make_embedder(other)

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(ConfigurationError, match=r"not installed.*pip install 'legacymind\[use\]'"):
        make_embedder(own)
