"""Embedders with one model, whose files LegacyMind downloads and verifies itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from legacymind.embed import folders
from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.embed.local import LocalModel, Runner, SharedDownload
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from fastembed import TextEmbedding


class OwnFiles:
    """The base of such Embedders. Texts longer than the model's input are cut and pooled.

    It may be used from several event loops.
    """

    info: ClassVar[EmbedderInfo]
    thresholds: ClassVar[Thresholds]
    prefixes: ClassVar[tuple[str, str]] = ("", "")
    """Prefixes of passages and of questions."""

    others: ClassVar[str]
    """The providers to name when the settings name a model that this one does not have."""

    def __init__(self, settings: Settings) -> None:
        model, dimensions = self.info.model, self.info.dimensions
        if settings.embedding_model not in ("", model) or settings.embedding_dimensions not in (
            0,
            dimensions,
        ):
            raise ConfigurationError(
                f"The provider {self.info.provider} has only the model {model}, "
                f"with {dimensions} dimensions.",
                hint=f"Set LEGACYMIND_EMBEDDING_PROVIDER to {self.others}, or leave the model and its "
                "dimensions unset.",
            )
        self._cache = settings.cache_path
        self._runner = Runner(self.info.provider, self._load, settings.embed_threads)
        self._download = SharedDownload(self.fetch)

    def folder(self) -> Path:
        """The folder of the model's files, whether or not it exists."""
        raise NotImplementedError

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the files unless they are cached. Raises DownloadFailed."""
        raise NotImplementedError

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        raise NotImplementedError

    @property
    def downloaded(self) -> bool:
        """Whether the model's files are in the cache and complete."""
        return folders.is_complete(self.folder())

    def damaged(self) -> list[str]:
        """Hash the files and return the names of the missing and changed ones; see ``folders.damaged``."""
        return folders.damaged(self.folder())

    def discard(self) -> None:
        """Let the next ``fetch`` download the files again. Raises OSError."""
        folders.discard(self.folder())

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector of 384 floats for each text, in order, also for an empty text.

        A text's vector does not depend (to 1e-6) on the other texts in the call. The first call loads the
        model, and downloads it if necessary. Raises EmbeddingError.
        """
        if not texts:
            return []
        if not (self._runner.loaded or self.downloaded):
            await self._download.wait()
        try:
            return await self._runner.embed(texts, query=query)
        except Exception as reason:
            raise EmbeddingError(
                f"The embedding model {self.info.model} failed: {str(reason)[:300]}.",
                hint=f"If every text fails, remove {self.folder()} and run `legacymind up`, which creates it "
                "again.",
            ) from reason

    async def close(self) -> None:
        """Do nothing; there are no connections."""

    def _load(self, threads: int) -> LocalModel:
        return LocalModel(self.open(threads), self.prefixes)
