"""The provider minilm+use: both models, whose vectors of a text stand side by side in one.

The cosine of two such vectors is the mean of the two models' cosines: what one model misses, the other often
sees. So a second model needs no second vector and no second index.
"""

import asyncio
from collections.abc import Sequence
from math import sqrt
from typing import Final

from legacymind.embed import presets
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.models import Published
from legacymind.embed.use import MultilingualUse
from legacymind.model.progress import Progress
from legacymind.settings import Settings

_WEIGHT: Final = sqrt(0.5)


class Both:
    """An Embedder for both models: 896 dimensions, L2-normalised, alike for questions and passages.

    Raises ConfigurationError if the extra ``use`` is missing, or the settings name a model.
    """

    thresholds = presets.BOTH

    def __init__(self, settings: Settings) -> None:
        self.english = Published(settings.changed(embedding_provider="minilm"))
        self._multilingual = MultilingualUse(settings)
        first, second = self.english.info, self._multilingual.info
        self.info = EmbedderInfo(
            provider="minilm+use",
            model="MiniLM-L6-v2+USE-multilingual-3",
            version=f"{first.version}+{second.version}",
            dimensions=first.dimensions + second.dimensions,
            tokenizer=f"{first.tokenizer}+{second.tokenizer}",
            normalized=True,
        )

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download MiniLM unless it is there. Raises DownloadFailed."""
        await self.english.fetch(progress)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector for each text, in order. Raises EmbeddingError."""
        pairs = await asyncio.gather(
            self.english.embed(texts, query=query), self._multilingual.embed(texts, query=query)
        )
        return [[_WEIGHT * value for value in (*one, *other)] for one, other in zip(*pairs, strict=True)]

    async def close(self) -> None:
        """Do nothing; there are no connections."""
