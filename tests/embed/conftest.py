"""The real model, downloaded once per machine and loaded once per run."""

import asyncio

import pytest

from legacymind import settings as settings_module
from legacymind.embed.minilm import MiniLM
from legacymind.settings import Settings


@pytest.fixture(scope="session")
def model_settings() -> Settings:
    """Default settings, with the developer's folder for downloads."""
    return Settings(cache=str(settings_module.load_settings().cache_path))


@pytest.fixture(scope="session")
def minilm(model_settings: Settings) -> MiniLM:
    """The embedder with its files in the cache."""
    embedder = MiniLM(model_settings)
    asyncio.run(embedder.fetch())
    return embedder
