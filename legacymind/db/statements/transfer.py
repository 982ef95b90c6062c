"""The statements of ``cypher/transfer``, with the types of their rows and of larger parameters."""

from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import NoRow


class ExportedSession(TypedDict):
    """A session. ``has_steps``: its chain is not empty."""

    id: str
    properties: dict[str, Any]
    has_steps: bool


export_sessions = load("transfer/export_sessions", ExportedSession, writes=False)


class ExportedPlace(TypedDict):
    """An action or a pending thought."""

    id: str
    properties: dict[str, Any]


export_places = load("transfer/export_places", ExportedPlace, writes=False)


class ExportedKnowledge(TypedDict):
    """An entity or an observation; ``embedded``: it has a vector."""

    properties: dict[str, Any]
    embedded: bool
    vector: list[float] | None


export_entities = load("transfer/export_entities", ExportedKnowledge, writes=False)
export_observations = load(
    "transfer/export_observations",
    ExportedKnowledge,
    writes=False,
)


class ExportedThought(ExportedKnowledge):
    """A thought; ``in_session``: it is in the session that it names, and in no other."""

    in_session: bool | None


class ExportedStep(ExportedThought):
    """A step of a chain, and the properties of its session; None if the session has no node."""

    session: dict[str, Any] | None


export_steps = load("transfer/export_steps", ExportedStep, writes=False)


class ExportedOther(ExportedThought):
    """A thought that is no step, and its time as Neo4j writes it."""

    position: str


export_others = load("transfer/export_others", ExportedOther, writes=False)


class ExportedAnchor(TypedDict):
    """A part of an anchor."""

    properties: dict[str, Any]


export_anchors = load("transfer/export_anchors", ExportedAnchor, writes=False)


class ExportedLink(TypedDict):
    """A relationship from the node ``id`` to the node ``target`` of the kind ``kind``."""

    id: str
    type: str
    kind: str
    target: str
    properties: dict[str, Any]


export_links = load("transfer/export_links", ExportedLink, writes=False)


class HeldRow(TypedDict):
    """The id that the database has for a node of the export, if it had it before, and its namespace."""

    id: str
    namespace: str | None
    held: str | None


import_entities = load("transfer/import_entities", HeldRow, writes=True)
import_observations = load("transfer/import_observations", HeldRow, writes=True)


class StoredCount(TypedDict):
    """The number of stored items."""

    stored: int


import_places = load("transfer/import_places", StoredCount, writes=True)


class StoredAlready(TypedDict):
    """A stored thought with the id of one in an export."""

    id: str
    namespace: str
    content_hash: str | None
    chain_hash: str | None
    session_id: str | None
    step_index: int | None
    hash_alg: str | None
    key_id: str | None
    redacted: bool


find_stored = load("transfer/find_stored", StoredAlready, writes=False)


class LockedHead(TypedDict):
    """The last step of a locked session."""

    id: str
    head_id: str | None
    head_step: int | None


lock_sessions = load("transfer/lock_sessions", LockedHead, writes=True)
import_thoughts = load("transfer/import_thoughts", StoredCount, writes=True)


class RedactedThought(TypedDict):
    """The id of a redacted thought."""

    id: str


import_redactions = load("transfer/import_redactions", RedactedThought, writes=True)
import_sessions = load("transfer/import_sessions", StoredCount, writes=True)
import_anchors = load("transfer/import_anchors", StoredCount, writes=True)


class CreatedLinks(TypedDict):
    """The number of relationships created for a row."""

    number: int
    created: int


import_links = load("transfer/import_links", CreatedLinks, writes=True)


class SettledCount(TypedDict):
    """The number of thoughts that links waited for."""

    settled: int


settle_pending = load("transfer/settle_pending", SettledCount, writes=True)
LinkedKind = Literal["thought", "entity", "observation"]
"""A kind of node where exported relationships begin."""


class Part(TypedDict):
    """A page of a namespace; the vectors of its nodes are read if ``vectors``."""

    namespace: str
    vectors: bool
    take: int


class LockedSession(TypedDict):
    """A session to lock, and the hash that its first step follows."""

    id: str
    genesis: str


class RestoredThought(TypedDict):
    """A thought to create; ``session`` is the session that IN_SESSION leads to, if it has one."""

    properties: dict[str, Any]
    session: str | None
    vector: list[float] | None


class RestoredHead(TypedDict):
    """The last step of a session after a batch; ``has_private``: the batch has private thoughts."""

    id: str
    head_hash: str | None
    head_step: int | None
    head_id: str
    head_key_id: str | None
    has_private: bool


class Redaction(TypedDict):
    """A redaction of an export: the thought, and the session and the number of the step that redacts it."""

    id: str
    session_id: str
    step_index: int
    redacted_at: datetime | None
    redacted_reason: str | None


# ``from`` is no name of an attribute.
RestoredLinks = TypedDict(
    "RestoredLinks",
    {
        "number": int,
        "from_kind": str,
        "from": str,
        "type": str,
        "to_kind": str,
        "to": str,
        "own": str,
        "items": list[dict[str, Any]],
    },
)
"""The relationships of one type between two nodes, with one id of their own or ``''``: their properties."""


class NamespaceRow(TypedDict):
    """What a namespace has; ``text`` counts characters."""

    name: str
    thoughts: int
    entities: int
    facts: int
    text: int
    tokens: int


measure_namespaces = load("transfer/measure_namespaces", NamespaceRow, writes=False)


class QuotaRow(TypedDict):
    """The most thoughts and characters of text that a namespace may have; None is no limit."""

    name: str
    thoughts: int | None
    text: int | None


read_quotas = load("transfer/read_quotas", QuotaRow, writes=False)

set_quota = load("transfer/set_quota", NoRow, writes=True)


class MovedRow(TypedDict):
    """The number of tokens and quotas that were moved or deleted."""

    moved: int


move_access = load("transfer/move_access", MovedRow, writes=True)
