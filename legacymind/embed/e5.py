"""The provider e5: e5-small-v2, run locally through fastembed."""

from pathlib import Path
from typing import TYPE_CHECKING

from legacymind.embed import e5_files, presets
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.local import open_folder
from legacymind.embed.own_files import OwnFiles
from legacymind.model.progress import Progress

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_PREFIXES = presets.prefixes("e5-small-v2")


class E5(OwnFiles):
    """An Embedder for e5-small-v2: 384 dimensions, L2-normalised, with prefixes for passages and questions.

    The model's input is 512 tokens.
    """

    info = EmbedderInfo(
        provider="e5",
        model="e5-small-v2",
        version=presets.version(e5_files.REVISION, "w1", _PREFIXES.passage),
        dimensions=384,
        tokenizer=f"bert-uncased-{e5_files.MAX_TOKENS}",
        normalized=True,
    )
    thresholds = presets.E5
    prefixes = (_PREFIXES.passage, _PREFIXES.query)
    others = "minilm, fastembed or openai"

    def folder(self) -> Path:
        """The folder of the model's files, whether or not it exists."""
        return e5_files.folder(self._cache)

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download the files unless they are cached; see ``e5_files.fetch``. Raises DownloadFailed."""
        await e5_files.fetch(self._cache, progress)

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        return open_folder(
            self.info.model,
            self.folder(),
            file="model.onnx",
            pooling="MEAN",
            dimensions=self.info.dimensions,
            threads=threads,
        )
