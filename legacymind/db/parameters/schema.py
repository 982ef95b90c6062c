"""Parameters of the statements in cypher/schema."""

from typing import NewType, TypedDict

from legacymind.db.stored import EmbeddingDetails

SchemaName = NewType("SchemaName", str)
"""The name of an index. A command of the schema takes it as a parameter only, not as a member of a map."""


class DropIndex(TypedDict):
    """The index to drop."""

    name: SchemaName


class NoParameters(TypedDict):
    """The parameters of a statement that takes none."""


class CreateVectorIndex(TypedDict):
    """``dimensions`` is the length of the embedder's vectors."""

    dimensions: int


class IndexNames(TypedDict):
    """The indexes to look at."""

    names: list[str]


class ReadContents(TypedDict):
    """A page of at most ``limit`` nodes whose ids come after ``after``; ``text_length`` in characters."""

    after: str
    limit: int
    text_length: int


class MarkStanding(TypedDict):
    """The thoughts to mark."""

    ids: list[str]


class Title(TypedDict):
    """An observation and its title."""

    id: str
    title: str


class WriteTitles(TypedDict):
    """The titles to give."""

    rows: list[Title]


class WriteVersion(TypedDict):
    """The schema version to mark the database with."""

    version: int


class ClaimSlot(TypedDict):
    """The embedder that claims the active slot; ``details`` are written to the database node."""

    fingerprint: str
    details: EmbeddingDetails
