"""Embeddings: the Embedder protocol, and one module for each provider.

A provider is a module of its name, a function here that imports it (some need an extra, and none is to cost
time where no embedder is made), and a line in ``_PROVIDERS``.
"""

from collections.abc import Callable

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.embed.cache import CachedEmbedder
from legacymind.errors import ConfigurationError
from legacymind.settings import Settings

__all__ = ["Embedder", "EmbedderInfo", "Thresholds", "make_embedder"]


def _minilm(settings: Settings) -> Embedder:
    from legacymind.embed.minilm import MiniLM

    return MiniLM(settings)


def _fastembed(settings: Settings) -> Embedder:
    from legacymind.embed.fastembed import FastEmbed

    return FastEmbed(settings)


def _openai(settings: Settings) -> Embedder:
    from legacymind.embed.openai import OpenAI

    return OpenAI(settings)


_PROVIDERS: dict[str, Callable[[Settings], Embedder]] = {
    "minilm": _minilm,
    "fastembed": _fastembed,
    "openai": _openai,
}


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name, behind a cache of ``cache_max`` vectors; nothing is loaded yet.

    Raises ConfigurationError for a provider there is not, and for settings that it cannot have.
    """
    make = _PROVIDERS.get(settings.embedding_provider)
    if make is None:
        raise ConfigurationError(
            f"There is no embedding provider {settings.embedding_provider[:80]!r}.",
            hint=f"Set LEGACYMIND_EMBEDDING_PROVIDER to one of: {', '.join(_PROVIDERS)}.",
        )
    made = make(settings)
    return CachedEmbedder(made, settings.cache_max) if settings.cache_max > 0 else made
