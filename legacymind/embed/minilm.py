"""The default provider: all-MiniLM-L6-v2, run locally through fastembed."""

from collections.abc import Sequence

from legacymind.embed import minilm_files
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.local import LocalModel, Runner, SharedDownload
from legacymind.embed.presets import MINILM
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

DIMENSIONS = 384

# The weights' revision, then the method of pooling windows. It changes when new vectors are not comparable
# with older ones. (After 0.1.0 a text of more than eight windows gets a slightly different vector in the same
# space, which is comparable.)
VERSION = f"{minilm_files.REVISION}-w1"


class MiniLM:
    """An Embedder for all-MiniLM-L6-v2: 384 dimensions, L2-normalised.

    The model's input is 256 tokens; longer texts are cut into windows and pooled (``windows.pooled``). It may
    be used from several event loops.
    """

    info = EmbedderInfo(
        provider="minilm",
        model="all-MiniLM-L6-v2",
        version=VERSION,
        dimensions=DIMENSIONS,
        tokenizer=f"bert-uncased-{minilm_files.MAX_TOKENS}",
        normalized=True,
    )
    thresholds = MINILM

    def __init__(self, settings: Settings) -> None:
        if settings.embedding_model not in ("", self.info.model) or settings.embedding_dimensions not in (
            0,
            DIMENSIONS,
        ):
            raise ConfigurationError(
                f"The provider minilm has only the model {self.info.model}, with {DIMENSIONS} dimensions.",
                hint="Set LEGACYMIND_EMBEDDING_PROVIDER to fastembed or openai, or leave the model and its "
                "dimensions unset.",
            )
        self._cache = settings.cache_path
        self._runner = Runner("minilm", self._load, settings.embed_threads)
        self._download = SharedDownload(lambda: minilm_files.fetch(self._cache))

    @property
    def downloaded(self) -> bool:
        """Whether the model's files are in the cache and complete."""
        return minilm_files.is_complete(minilm_files.folder(self._cache))

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the files unless they are cached; see ``minilm_files.fetch``. Raises DownloadFailed."""
        await minilm_files.fetch(self._cache, progress)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector of 384 floats for each text, in order, also for an empty text.

        Questions and passages are encoded alike, and a text's vector does not depend (to 1e-6) on the other
        texts in the call. The first call loads the model, and downloads it if necessary. Raises
        EmbeddingError.
        """
        if not texts:
            return []
        if not (self._runner.loaded or self.downloaded):
            await self._download.wait()
        try:
            return await self._runner.embed(texts)
        except Exception as reason:
            raise EmbeddingError(
                f"The embedding model all-MiniLM-L6-v2 failed: {str(reason)[:300]}.",
                hint=f"If every text fails, remove {minilm_files.folder(self._cache)} "
                "and run `legacymind up`, which creates it again.",
            ) from reason

    async def close(self) -> None:
        """Do nothing; there are no connections."""

    def _load(self, threads: int) -> LocalModel:
        # Imported here, because it takes half a second.
        from fastembed import TextEmbedding

        folder = minilm_files.folder(self._cache)
        return LocalModel(
            TextEmbedding(
                "sentence-transformers/all-MiniLM-L6-v2",  # fastembed's entry: mean pooling, unit vectors
                specific_model_path=str(folder),
                cache_dir=str(folder),  # unused; fastembed creates it, in /tmp when not given
                threads=threads,
                cuda=False,
            )
        )
