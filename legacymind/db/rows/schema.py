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


class BuildingRow(TypedDict):
    """An index that is not online yet; ``percent`` is its progress, 0 to 100."""

    name: str
    state: str
    percent: float


class IndexRow(TypedDict):
    """The name of an index."""

    name: str


class SlotRow(TypedDict):
    """Whether the active slot belongs to the asking embedder, and the fingerprint it belongs to."""

    mine: bool
    fingerprint: str
    active_slot: str
