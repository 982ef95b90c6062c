"""What every provider of embeddings has in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

Progress = Callable[[str, int, int], None]
"""Told what is happening, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Calibrated cosine thresholds of one model; raw cosine, -1 to 1.

    ``knowledge`` holds t1, t2, t3 (injection scales 1, 2, 3 and up), ``thoughts`` the
    thresholds of scales 1 to 5, ``floor`` the least cosine a fallback may have.
    """

    knowledge: tuple[float, float, float]
    thoughts: tuple[float, float, float, float, float]
    floor: float


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """What is kept with every vector; two vectors compare only when all of it is equal."""

    provider: str
    model: str
    version: str
    dimensions: int
    tokenizer: str
    normalized: bool

    @property
    def fingerprint(self) -> str:
        """One string that differs whenever vectors must not be mixed."""
        norm = "l2" if self.normalized else "raw"
        return f"{self.provider}/{self.model}@{self.version}/{self.dimensions}/{self.tokenizer}/{norm}"


class Embedder(Protocol):
    """Turns texts into vectors. Constructing one loads nothing; the first use does."""

    info: EmbedderInfo
    thresholds: Thresholds

    async def fetch(self, progress: Progress | None = None) -> None:
        """Bring here what the first use needs, if anything; raises DownloadFailed."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector of ``info.dimensions`` floats for each text, in order.

        Raises EmbeddingError when the model cannot be used.
        """
        ...
