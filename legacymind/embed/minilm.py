"""The default embedder: all-MiniLM-L6-v2 on this machine, through fastembed's local-model path."""

from collections.abc import Sequence

from legacymind.embed import minilm_files
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.known import MINILM
from legacymind.embed.local import FirstUse, LocalModel, Runner
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

DIMENSIONS = 384

# Changes when vectors would no longer compare with those of before, so that they are not mixed: the weights'
# revision, then the way of pooling windows. (Since 0.1.0 a text of more than eight windows gets a slightly
# other vector, in the same space: that compares.)
VERSION = f"{minilm_files.REVISION}-w1"


class MiniLM:
    """all-MiniLM-L6-v2, 384 dimensions, L2-normalised; an Embedder.

    The model sees 256 tokens; of a longer text windows are pooled (``windows.pooled``). It may be used from
    several event loops.
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
                f"The provider minilm has one model, {self.info.model}, of {DIMENSIONS} dimensions.",
                hint="Set LEGACYMIND_EMBEDDING_PROVIDER to fastembed or openai, or leave the model and its "
                "dimensions unset.",
            )
        self._cache = settings.cache_path
        self._runner = Runner("minilm", self._load, settings.embed_threads)
        self._first_use = FirstUse(lambda: minilm_files.fetch(self._cache))

    @property
    def downloaded(self) -> bool:
        """Whether the model's files are in the cache, whole."""
        return minilm_files.is_whole(minilm_files.folder(self._cache))

    async def fetch(self, progress: Progress | None = None) -> None:
        """Have the model's files in the cache; see ``minilm_files.fetch``. Raises DownloadFailed."""
        await minilm_files.fetch(self._cache, progress)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector of 384 floats for each text, in order; the empty text has one too.

        A question gets the vector that the same passage gets, and a text the same (to 1e-6) whatever it is
        embedded with. The first call loads the model, and downloads it when nobody has called ``fetch``.
        Raises EmbeddingError.
        """
        if not texts:
            return []
        if not (self._runner.loaded or self.downloaded):
            await self._first_use.wait()
        try:
            return await self._runner.embed(texts)
        except Exception as reason:
            raise EmbeddingError(
                f"The embedding model all-MiniLM-L6-v2 failed: {str(reason)[:300]}.",
                hint=f"If it does so for every text, remove {minilm_files.folder(self._cache)} "
                "and run `legacymind up`, which makes it anew.",
            ) from reason

    async def close(self) -> None:
        """Nothing to let go of."""

    def _load(self, threads: int) -> LocalModel:
        # Here and not above: it takes half a second to import.
        from fastembed import TextEmbedding

        made = minilm_files.folder(self._cache)
        return LocalModel(
            TextEmbedding(
                "sentence-transformers/all-MiniLM-L6-v2",  # fastembed's own entry: mean pooling, unit vectors
                specific_model_path=str(made),
                cache_dir=str(made),  # not used, but made when it is missing, and in /tmp when not given
                threads=threads,
                cuda=False,
            )
        )
