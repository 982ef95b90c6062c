"""Embeddings: the Embedder protocol and one module for each provider.

A provider is a module with its name and a case in ``_provider``. Imports are inside the functions, because
some providers need an extra and all of them take time to import.
"""

import os
from typing import TYPE_CHECKING

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.embed.cache import CachedEmbedder
from legacymind.settings import Settings

if TYPE_CHECKING:
    from legacymind.embed.models import Published

__all__ = ["Embedder", "EmbedderInfo", "Thresholds", "make_embedder", "published"]

# From its first import, onnxruntime would send usage data to Microsoft and keep a device id in ~/.cache.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def published(embedder: Embedder) -> "Published | None":
    """The embedder behind the cache if LegacyMind downloads its model itself; None for another one."""
    from legacymind.embed.both import Both
    from legacymind.embed.models import Published

    inner = embedder.inner if isinstance(embedder, CachedEmbedder) else embedder
    inner = inner.english if isinstance(inner, Both) else inner
    return inner if isinstance(inner, Published) else None


def make_embedder(settings: Settings) -> Embedder:
    """Return the configured embedder behind a cache of ``cache_max`` vectors, without loading a model.

    Raises ConfigurationError for settings that the provider does not support.
    """
    embedder = _provider(settings)
    return CachedEmbedder(embedder, settings.cache_max) if settings.cache_max > 0 else embedder


def _provider(settings: Settings) -> Embedder:
    match settings.embedding_provider:
        case "minilm" | "e5":
            from legacymind.embed.models import Published

            return Published(settings)
        case "use":
            from legacymind.embed.use import MultilingualUse

            return MultilingualUse(settings)
        case "minilm+use":
            from legacymind.embed.both import Both

            return Both(settings)
        case "fastembed":
            from legacymind.embed.fastembed import FastEmbed

            return FastEmbed(settings)
        case "openai":
            from legacymind.embed.openai import OpenAI

            return OpenAI(settings)
