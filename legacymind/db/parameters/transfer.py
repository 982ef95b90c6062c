"""Parameters of the statements in cypher/transfer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

LinkedKind = Literal["thought", "entity", "observation"]
"""A kind of node where exported relationships begin."""


class ExportIds(TypedDict):
    """A page in the order of ids, after ``after``."""

    namespace: str
    after: str
    take: int


class ExportPlaces(ExportIds):
    """``kind`` is ``action`` or ``pending``."""

    kind: str


class NameKey(TypedDict):
    """The key of an entity."""

    name_key: str
    type_key: str


class FactKey(TypedDict):
    """The key of an observation."""

    entity_id: str
    fact_key: str


class StepKey(TypedDict):
    """The place of a step among all chains."""

    session_id: str
    step_index: int
    id: str


class TimeKey(TypedDict):
    """The place of a thought in order of time; ``time`` as Neo4j writes it."""

    time: str
    id: str


class Part(TypedDict):
    """A page of a namespace; the vectors of its nodes are read if ``vectors``."""

    namespace: str
    vectors: bool
    take: int


class ExportEntities(Part):
    """A page of entities after a key."""

    after: NameKey


class ExportObservations(Part):
    """A page of observations after a key."""

    after: FactKey


class ExportSteps(Part):
    """A page of steps after a step."""

    after: StepKey


class ExportOthers(Part):
    """A page of thoughts that are no steps, after a time."""

    after: TimeKey


class ExportLinks(TypedDict):
    """The relationships that begin at these nodes of one kind."""

    namespace: str
    kind: LinkedKind
    ids: Sequence[str]


class RestoredEntity(TypedDict):
    """An entity to create; ``properties`` are all that it has but its vector."""

    id: str
    name_key: str
    type_key: str
    properties: dict[str, Any]
    vector: list[float] | None


class RestoreEntities(TypedDict):
    """Entities to create in a namespace."""

    namespace: str
    rows: Sequence[RestoredEntity]


class RestoredObservation(TypedDict):
    """An observation to create; ``properties`` are all that it has but its vector."""

    id: str
    entity_id: str
    fact_key: str
    properties: dict[str, Any]
    vector: list[float] | None


class RestoreObservations(TypedDict):
    """Observations to create in a namespace."""

    namespace: str
    rows: Sequence[RestoredObservation]


class RestoredPlace(TypedDict):
    """An action or a pending thought to create; ``kind`` says which."""

    kind: str
    id: str
    properties: dict[str, Any]


class RestorePlaces(TypedDict):
    """Actions and pending thoughts to create in a namespace."""

    namespace: str
    rows: Sequence[RestoredPlace]


class StoredIds(TypedDict):
    """Ids of thoughts."""

    ids: Sequence[str]


class LockedSession(TypedDict):
    """A session to lock, and the hash that its first step follows."""

    id: str
    genesis: str


class LockSessions(TypedDict):
    """Sessions of a namespace to lock."""

    namespace: str
    sessions: Sequence[LockedSession]


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


class RestoreThoughts(TypedDict):
    """Thoughts to create, and the heads of their sessions after them."""

    namespace: str
    rows: Sequence[RestoredThought]
    heads: Sequence[RestoredHead]


class Redaction(TypedDict):
    """A redaction that an export has and the database has not."""

    id: str
    redacted_at: datetime | None
    redacted_reason: str | None


class RestoreRedactions(TypedDict):
    """Redactions to apply."""

    namespace: str
    rows: Sequence[Redaction]


class RestoredSession(TypedDict):
    """A session with all its properties; None if it had no node. ``created_at`` is one of them."""

    id: str
    created_at: datetime | None
    properties: dict[str, Any] | None


class RestoreSessions(TypedDict):
    """Sessions to complete. ``mapped``: their chains were hashed again."""

    namespace: str
    mapped: bool
    rows: Sequence[RestoredSession]


class RestoredAnchor(TypedDict):
    """A part of an anchor."""

    root: str
    id: str
    number: int
    properties: dict[str, Any]


class RestoreAnchors(TypedDict):
    """Parts of anchors to create."""

    namespace: str
    rows: Sequence[RestoredAnchor]


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


class RestoreLinks(TypedDict):
    """Relationships to create."""

    namespace: str
    rows: Sequence[RestoredLinks]
