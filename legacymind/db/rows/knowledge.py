"""Rows of the statements in cypher/knowledge."""

from typing import TypedDict


class RememberedRow(TypedDict):
    """One upserted item: its index in the input, its id, and whether it is new."""

    index: int
    id: str
    created: bool


class EmbeddableRow(RememberedRow):
    """One upserted entity or observation; ``deferred`` when it waits for its vector."""

    deferred: bool


class FactRow(EmbeddableRow):
    """One upserted observation; ``unknown`` is an id it refers to that is not in the namespace."""

    unknown: str | None


class RelationsRow(TypedDict):
    """The upserted relations, or the types refused for lack of room, and the number of types in use."""

    relations: list[RememberedRow]
    types: int
    refused: list[str]
