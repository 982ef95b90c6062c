"""Embeddings: the Embedder protocol and one module for each provider.

A provider is a module with its name, a function here that imports it, and a line in ``_PROVIDERS``. Imports
are inside the functions, because some providers need an extra and all of them take time to import.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.embed.cache import CachedEmbedder
from legacymind.settings import Settings

if TYPE_CHECKING:
    from legacymind.embed.own_files import OwnFiles

__all__ = ["Embedder", "EmbedderInfo", "Thresholds", "make_embedder", "own_files"]

# From its first import, onnxruntime would send usage data to Microsoft and keep a device id in ~/.cache.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def _minilm(settings: Settings) -> Embedder:
    from legacymind.embed.minilm import MiniLM

    return MiniLM(settings)


def _e5(settings: Settings) -> Embedder:
    from legacymind.embed.e5 import E5

    return E5(settings)


def _fastembed(settings: Settings) -> Embedder:
    from legacymind.embed.fastembed import FastEmbed

    return FastEmbed(settings)


def _openai(settings: Settings) -> Embedder:
    from legacymind.embed.openai import OpenAI

    return OpenAI(settings)


_PROVIDERS: dict[str, Callable[[Settings], Embedder]] = {
    "minilm": _minilm,
    "e5": _e5,
    "fastembed": _fastembed,
    "openai": _openai,
}


def own_files(embedder: Embedder) -> "OwnFiles | None":
    """The files of an embedder whose model LegacyMind downloads itself; None for another one."""
    from legacymind.embed.own_files import OwnFiles

    inner = embedder.inner if isinstance(embedder, CachedEmbedder) else embedder
    return inner if isinstance(inner, OwnFiles) else None


def make_embedder(settings: Settings) -> Embedder:
    """Return the configured embedder behind a cache of ``cache_max`` vectors, without loading a model.

    Raises ConfigurationError for settings that the provider does not support.
    """
    embedder = _PROVIDERS[settings.embedding_provider](settings)
    return CachedEmbedder(embedder, settings.cache_max) if settings.cache_max > 0 else embedder
