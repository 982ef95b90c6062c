"""Rows of the statements in cypher/maintain."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict


class DeferredRow(TypedDict):
    """A node that waits for its vector; see maintain/read_deferred."""

    kind: Literal["thought", "entity", "observation"]
    id: str
    content: str | None
    mode: str | None
    name: str | None
    entity_type: str | None


class EmbeddedRow(TypedDict):
    """The number of nodes that have received their vectors."""

    embedded: int


class Sampled(TypedDict):
    """A sampled node; ``vector`` is an array of 32-bit floats, ``links`` are ids that it never recalls."""

    id: str
    namespace: str
    vector: Sequence[float]
    links: list[str]


class SampleRow(TypedDict):
    """A sample of what recall can find."""

    sample: list[Sampled]


class KeptRow(TypedDict):
    """The time the thresholds were stored."""

    kept_at: datetime


class DroppedRow(TypedDict):
    """Whether there were thresholds to drop."""

    kept: bool


class TamperedRow(TypedDict):
    """The step that was rewritten."""

    step: int


class ClearedRow(TypedDict):
    """The number of deleted nodes."""

    deleted: int
