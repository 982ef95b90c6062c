"""What every provider of embeddings has in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from legacymind.model.progress import Progress


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosine thresholds of one model; raw cosine, -1 to 1.

    ``knowledge`` holds t1, t2, t3 (injection scales 1, 2, 3 and up), ``thoughts`` the
    thresholds of scales 1 to 5, ``floor`` the least cosine a fallback may have. ``calibrated``
    says whether they were measured for this model, or are only a fair guess.
    """

    knowledge: tuple[float, float, float]
    thoughts: tuple[float, float, float, float, float]
    floor: float
    calibrated: bool = False

    @property
    def values(self) -> list[float]:
        """All nine in one list, as a database keeps them: knowledge, thoughts, floor."""
        return [*self.knowledge, *self.thoughts, self.floor]

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """The thresholds of such a list; ValueError when it is none."""
        t1, t2, t3, s1, s2, s3, s4, s5, floor = values
        return cls((t1, t2, t3), (s1, s2, s3, s4, s5), floor)


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
    """Turns texts into vectors. Constructing one loads nothing; the first use does.

    Several models were trained to see questions and the passages that answer them differently, so ``embed``
    is told which the texts are. Everything stored is a passage.
    """

    @property
    def info(self) -> EmbedderInfo:
        """What is kept with every vector; raises ConfigurationError when the settings name no model."""
        ...

    @property
    def thresholds(self) -> Thresholds:
        """From which cosine on two texts of this model are related."""
        ...

    async def fetch(self, progress: Progress | None = None) -> None:
        """Bring here what the first use needs, if anything; raises DownloadFailed or ConfigurationError."""
        ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One L2-normalised vector of ``info.dimensions`` floats for each text, in order.

        ``query``: the texts are questions put to what is stored. Raises EmbeddingError when the model cannot
        be used, ConfigurationError when the settings do not allow it to be.
        """
        ...

    async def close(self) -> None:
        """Let connections go, if there are any; the embedder can be used again."""
        ...
