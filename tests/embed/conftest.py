"""The real models, downloaded once per machine and loaded once per run."""

import asyncio

import pytest

from legacymind import settings as settings_module
from legacymind.embed.models import Published
from legacymind.errors import DownloadFailed
from legacymind.settings import Settings


@pytest.fixture(scope="session")
def model_settings() -> Settings:
    """Default settings, with the developer's folder for downloads."""
    return Settings(cache=str(settings_module.load_settings().cache_path))


@pytest.fixture(scope="session")
def minilm(model_settings: Settings) -> Published:
    """The embedder with its files in the cache."""
    embedder = Published(model_settings)
    asyncio.run(embedder.fetch())
    return embedder


@pytest.fixture(scope="session")
def e5(model_settings: Settings) -> Published:
    """The embedder of the optional model with its files in the cache; skips without a network."""
    embedder = Published(model_settings.changed(embedding_provider="e5"))
    try:
        asyncio.run(embedder.fetch())
    except DownloadFailed as reason:
        pytest.skip(reason.what)
    return embedder
