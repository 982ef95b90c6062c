"""The types that every provider of embeddings shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from legacymind.model.progress import Progress


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The cosine thresholds of one model; raw cosines, -1 to 1.

    ``knowledge`` contains t1, t2, t3 (injection scales 1, 2, and 3 to 5), ``thoughts`` the thresholds of
    scales 1 to 5, ``floor`` the cosine of unrelated texts. ``calibrated`` is true for thresholds measured
    for this model and false for estimates.
    """

    knowledge: tuple[float, float, float]
    thoughts: tuple[float, float, float, float, float]
    floor: float
    calibrated: bool = False

    @property
    def values(self) -> list[float]:
        """All nine in one list, as databases store them: knowledge, thoughts, floor."""
        return [*self.knowledge, *self.thoughts, self.floor]

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the thresholds in such a list. Raises ValueError unless it has nine values."""
        t1, t2, t3, s1, s2, s3, s4, s5, floor = values
        return cls((t1, t2, t3), (s1, s2, s3, s4, s5), floor)


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """The identity of an embedding model; vectors are comparable only when all of it is equal."""

    provider: str
    model: str
    version: str
    dimensions: int
    tokenizer: str
    normalized: bool

    @property
    def fingerprint(self) -> str:
        """One string that differs whenever vectors must not be compared."""
        norm = "l2" if self.normalized else "raw"
        return f"{self.provider}/{self.model}@{self.version}/{self.dimensions}/{self.tokenizer}/{norm}"

    @property
    def sends_texts(self) -> bool:
        """Whether a server embeds the texts; otherwise this process does, with its cores."""
        return self.provider == "openai"


class Embedder(Protocol):
    """Turns texts into vectors. The first use, not the constructor, loads the model.

    Several models encode questions and the passages that answer them differently, so ``embed`` takes
    ``query``. Everything stored is a passage.
    """

    @property
    def info(self) -> EmbedderInfo:
        """The identity of the model. Raises ConfigurationError when the settings name no usable model."""
        ...

    @property
    def thresholds(self) -> Thresholds:
        """The cosines from which two texts count as related under this model."""
        ...

    async def fetch(self, progress: Progress | None = None) -> None:
        """Download what the first use needs, if anything. Raises DownloadFailed or ConfigurationError."""
        ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one L2-normalised vector of ``info.dimensions`` floats for each text, in order.

        ``query`` marks the texts as questions about stored passages. Raises EmbeddingError when the model
        fails or cannot be reached, ConfigurationError when the settings are unusable.
        """
        ...

    async def close(self) -> None:
        """Close connections, if any. The embedder can be used again afterwards."""
        ...
