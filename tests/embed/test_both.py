"""Two models at once: the real ones."""

import pytest

from legacymind.embed import make_embedder, published
from legacymind.embed.both import Both
from legacymind.embed.models import Published
from legacymind.embed.use import MultilingualUse
from legacymind.errors import ConfigurationError
from legacymind.settings import Settings
from tests.embed.test_minilm import cosine

pytestmark = pytest.mark.anyio

TEXTS = ["I don't trust fine print anymore.", "The policy had a clause that nobody had read.", "", "猫"]


async def test_a_cosine_is_the_mean_of_the_cosines_of_both_models(
    model_settings: Settings, minilm: Published
) -> None:
    both = Both(model_settings)
    pairs: list[list[float]] = []
    for embedder in (both, minilm, MultilingualUse(model_settings)):
        vectors = await embedder.embed(TEXTS)
        assert {len(vector) for vector in vectors} == {embedder.info.dimensions}
        pairs.append([cosine(vectors[0], vector) for vector in vectors])
    own, one, other = pairs
    assert own == pytest.approx([(x + y) / 2 for x, y in zip(one, other, strict=True)], abs=1e-5)
    assert await both.embed([]) == []


def test_its_settings_name_no_model_and_doctor_checks_the_files_of_minilm(model_settings: Settings) -> None:
    settings = model_settings.changed(embedding_provider="minilm+use")
    found = published(make_embedder(settings))
    assert found is not None
    assert found.info.model == "all-MiniLM-L6-v2"
    assert make_embedder(settings).info.fingerprint.startswith("minilm+use/")
    for other in (settings.changed(embedding_model="e5-small-v2"), settings.changed(embedding_dimensions=8)):
        with pytest.raises(ConfigurationError, match="has only the model"):
            make_embedder(other)
