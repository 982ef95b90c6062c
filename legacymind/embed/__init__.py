"""Embeddings: the Embedder protocol, and one module for each provider.

A provider is a module of its name, a function here that imports it (some need an extra, and none is to cost
time where no embedder is made), and a line in ``_PROVIDERS``.
"""

from collections.abc import Callable

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.errors import ConfigurationError
from legacymind.settings import Settings

__all__ = ["Embedder", "EmbedderInfo", "Thresholds", "make_embedder"]


def _minilm(settings: Settings) -> Embedder:
    from legacymind.embed.minilm import MiniLM

    return MiniLM(settings)


_PROVIDERS: dict[str, Callable[[Settings], Embedder]] = {
    "minilm": _minilm,
}


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; nothing is loaded yet.

    Raises ConfigurationError for a provider there is not.
    """
    make = _PROVIDERS.get(settings.embedding_provider)
    if make is None:
        raise ConfigurationError(
            f"There is no embedding provider {settings.embedding_provider[:80]!r}.",
            do=f"Set LEGACYMIND_EMBEDDING_PROVIDER to one of: {', '.join(_PROVIDERS)}.",
        )
    return make(settings)
