"""The default provider: all-MiniLM-L6-v2, run locally through fastembed."""

from pathlib import Path
from typing import TYPE_CHECKING

from legacymind.embed import minilm_files
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.own_files import OwnFiles
from legacymind.embed.presets import MINILM
from legacymind.model.progress import Progress

if TYPE_CHECKING:
    from fastembed import TextEmbedding

# The weights' revision, then the method of pooling windows. It changes when new vectors are not comparable
# with older ones.
VERSION = f"{minilm_files.REVISION}-w1"


class MiniLM(OwnFiles):
    """An Embedder for all-MiniLM-L6-v2: 384 dimensions, L2-normalised, alike for questions and passages.

    The model's input is 256 tokens.
    """

    info = EmbedderInfo(
        provider="minilm",
        model="all-MiniLM-L6-v2",
        version=VERSION,
        dimensions=384,
        tokenizer=f"bert-uncased-{minilm_files.MAX_TOKENS}",
        normalized=True,
    )
    thresholds = MINILM
    others = "e5 (e5-small-v2), fastembed or openai"

    def folder(self) -> Path:
        """The folder of the model's files, whether or not it exists."""
        return minilm_files.folder(self._cache)

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the files unless they are cached; see ``minilm_files.fetch``. Raises DownloadFailed."""
        await minilm_files.fetch(self._cache, progress)

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        # Imported here, because it takes half a second.
        from fastembed import TextEmbedding

        return TextEmbedding(
            "sentence-transformers/all-MiniLM-L6-v2",  # fastembed's entry: mean pooling, unit vectors
            specific_model_path=str(self.folder()),
            cache_dir=str(self.folder()),  # unused; fastembed creates it, in /tmp when not given
            threads=threads,
            cuda=False,
        )
