"""Rows of the statements in cypher/schema."""

from typing import TypedDict

from legacymind.db.stored import Property


class NoRow(TypedDict):
    """The row of a statement that returns none."""


class DatabaseRow(TypedDict):
    """The server, and the properties of LegacyMind's database node; None when there is no such node.

    The names of some properties carry the embedding slot, so they cannot be listed here.
    """

    version: str
    edition: str
    database: dict[str, Property] | None


class VersionRow(TypedDict):
    """The schema version that a database is marked with."""

    version: int


class ContentRow(TypedDict):
    """The beginning of a thought's text, and its author."""

    id: str
    content: str
    author: str | None


class UntitledRow(TypedDict):
    """The beginning of an observation's text."""

    id: str
    content: str


class BuildingRow(TypedDict):
    """An index that is not online yet; ``percent`` is its progress, 0 to 100."""

    name: str
    state: str
    percent: float


class IndexRow(TypedDict):
    """The name of an index."""

    name: str


class IndexStateRow(TypedDict):
    """An index: its state, its progress from 0 to 100, and the length of its vectors if it holds any."""

    name: str
    state: str
    percent: float
    dimensions: int | None


class OverSlot(TypedDict):
    """A result from the vectors of a slot; ``active``: whether it was the slot in use."""

    active: bool


class SlotRow(TypedDict):
    """Whether the slot is active and the asking embedder's, the slot's fingerprint, and the active slot."""

    mine: bool
    fingerprint: str | None
    active_slot: str
