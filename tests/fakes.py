"""Substitutes for what a unit test should not need: a model and a network."""

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import replace

from legacymind.embed.base import Thresholds
from legacymind.embed.models import MODELS
from legacymind.errors import EmbeddingError
from legacymind.model.progress import Progress

_DIMENSIONS = MODELS["minilm"].info.dimensions
_STOP_WORDS = frozenset(
    "a an and are as at be but by did do does for from had has have how i if in into is it its me my no not"
    " of on or our that the their then there they this to was we were what when where which who why will"
    " with you your".split()
)
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y")


class FakeEmbedder:
    """A deterministic Embedder of bags of words: texts that share words are near, others at about 0.

    Each word, without its ending, is hashed to one of 384 dimensions and a sign. Stop words count only in
    texts without other words. Two texts of n words that share m have a cosine of about m / n, plus or minus
    0.1 for collisions. ``calls`` holds the texts of each call. While ``down``, and for the text ``refused``,
    ``embed`` raises EmbeddingError.
    """

    # The tests of the real model use the same database, which holds the vectors of one model only. None of
    # them recalls or searches in the namespace of a test with this embedder.
    info = MODELS["minilm"].info
    # Texts that share a third of their words are near, those that share two thirds very near.
    thresholds = Thresholds(knowledge=(0.20, 0.30, 0.40), thoughts=(0.60, 0.50, 0.40, 0.35, 0.30), floor=0.10)

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.down = False
        self.refused: str | None = None

    async def fetch(self, progress: Progress | None = None) -> None:
        """Nothing to download."""

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector for each text, in order; queries and passages have the same vectors."""
        self.calls.append(list(texts))
        if self.down or self.refused in texts:
            raise EmbeddingError(
                "The fake embedder is down.", hint="Set `down` to False and `refused` to None."
            )
        return self.of(texts)

    @staticmethod
    def of(texts: Sequence[str]) -> list[list[float]]:
        """The vectors that ``embed`` returns, without a call."""
        return [_vector(text) for text in texts]

    async def close(self) -> None:
        """Nothing to release."""


class FoldedEmbedder(FakeEmbedder):
    """Another model: the same bags of words, folded into 96 dimensions."""

    info = replace(FakeEmbedder.info, model="folded", dimensions=96)

    @staticmethod
    def of(texts: Sequence[str]) -> list[list[float]]:
        """The vectors that ``embed`` returns, without a call."""
        dimensions = FoldedEmbedder.info.dimensions
        vectors = FakeEmbedder.of(texts)
        return [_normalised([sum(one[n::dimensions]) for n in range(dimensions)]) for one in vectors]


def _vector(text: str) -> list[float]:
    words: list[str] = re.findall(r"\w+", text.casefold())
    telling = [word for word in words if word not in _STOP_WORDS] or words
    vector = [0.0] * _DIMENSIONS
    for word in telling:
        digest = hashlib.blake2b(_stem(word).encode("utf-8", "replace"), digest_size=4).digest()
        number = int.from_bytes(digest, "big")
        vector[(number >> 1) % _DIMENSIONS] += 1.0 if number & 1 else -1.0
    return _normalised(vector)


def _normalised(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in vector))
    if length == 0:  # no words, or (rarely) words that cancel each other out
        return [1.0] + [0.0] * (len(vector) - 1)
    return [x / length for x in vector]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
