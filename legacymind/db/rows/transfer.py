"""Rows of the statements in cypher/transfer. Tampering may leave any value in any property."""

from typing import Any, TypedDict


class ExportedSession(TypedDict):
    """A session. ``has_steps``: its chain is not empty."""

    id: str
    properties: dict[str, Any]
    has_steps: bool


class ExportedPlace(TypedDict):
    """An action or a pending thought."""

    id: str
    properties: dict[str, Any]


class ExportedKnowledge(TypedDict):
    """An entity or an observation; ``embedded``: it has a vector."""

    properties: dict[str, Any]
    embedded: bool
    vector: list[float] | None


class ExportedThought(ExportedKnowledge):
    """A thought; ``in_session``: it is in the session that it names, and in no other."""

    in_session: bool | None


class ExportedStep(ExportedThought):
    """A step of a chain, and the properties of its session; None if the session has no node."""

    session: dict[str, Any] | None


class ExportedOther(ExportedThought):
    """A thought that is no step, and its time as Neo4j writes it."""

    position: str


class ExportedAnchor(TypedDict):
    """A part of an anchor."""

    properties: dict[str, Any]


class ExportedLink(TypedDict):
    """A relationship from the node ``id`` to the node ``target`` of the kind ``kind``."""

    id: str
    type: str
    kind: str
    target: str
    properties: dict[str, Any]


class HeldRow(TypedDict):
    """The id that the database has for a node of the export, if it had it before, and its namespace."""

    id: str
    namespace: str | None
    held: str | None


class StoredAlready(TypedDict):
    """A stored thought with the id of one in an export."""

    id: str
    namespace: str
    content_hash: str | None
    chain_hash: str | None
    redacted: bool


class LockedHead(TypedDict):
    """The last step of a locked session."""

    id: str
    head_id: str | None
    head_step: int | None


class StoredCount(TypedDict):
    """The number of stored items."""

    stored: int


class RedactedCount(TypedDict):
    """The number of redacted thoughts."""

    redacted: int


class CreatedLinks(TypedDict):
    """The number of relationships created for a row."""

    number: int
    created: int


class SettledCount(TypedDict):
    """The number of thoughts that links waited for."""

    settled: int
