"""Parameters of the statements in cypher/maintain."""

from datetime import datetime
from typing import TypedDict

from legacymind.db.stored import EmbeddingDetails


class ReadDeferred(TypedDict):
    """``limit`` is the most nodes returned."""

    limit: int


class EmbeddedText(TypedDict):
    """A node's vector and the content that was embedded; a node with other content now is skipped."""

    kind: str
    id: str
    content: str
    vector: list[float]


class EmbedDeferred(TypedDict):
    """Vectors for nodes that wait for one, made by the model with this fingerprint."""

    fingerprint: str
    details: EmbeddingDetails
    rows: list[EmbeddedText]


class SampleThoughts(TypedDict):
    """``starts`` are random ids to seek from, ``sample_size`` the most nodes; None samples all namespaces."""

    namespace: str | None
    starts: list[str]
    sample_size: int


class SampleKnowledge(SampleThoughts):
    """Knowledge that is valid at ``now``."""

    now: datetime


class KeepThresholds(TypedDict):
    """Calibrated thresholds of one model; ``basis`` describes the sample in words."""

    fingerprint: str
    thresholds: list[float]
    basis: str
    now: datetime


class TamperScratch(TypedDict):
    """The content that replaces a scratch thought's."""

    id: str
    namespace: str
    content: str


class ClearScratch(TypedDict):
    """The scratch namespace to empty."""

    namespace: str
