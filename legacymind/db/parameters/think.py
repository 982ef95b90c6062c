"""Parameters of the statements in cypher/think."""

from datetime import datetime
from typing import Any, TypedDict

from legacymind.db.stored import EmbeddingDetails, StoredThought


class EmbeddedThought(StoredThought, EmbeddingDetails):
    """The properties of a new thought; null ones are left out."""


class NewLink(TypedDict):
    """A link to create: the property's name, the relationship type and the target's id."""

    name: str
    type: str
    id: str


class NewMemory(TypedDict):
    """A memory to relate to a new thought, in its place.

    ``line`` is its line in the enriched content, ``recall`` are the properties of the relationship, without
    null ones.
    """

    id: str
    is_thought: bool
    via: str
    line: str
    recall: dict[str, Any]


class NewEvidence(TypedDict):
    """Knowledge that a hypothesis was tested against, and the type of its relationship to the thought."""

    id: str
    type: str
    similarity: float


class NewThought(TypedDict):
    """One thought to store with what it recalled.

    ``heading`` begins the enriched content. ``verified`` are the properties of its verification.
    """

    id: str
    namespace: str
    session_id: str | None
    heading: str
    links: list[NewLink]
    properties: EmbeddedThought
    vector: list[float] | None
    recorded_at: datetime
    memories: list[NewMemory]
    verified: dict[str, Any] | None
    evidence: list[NewEvidence]


class SessionHead(TypedDict):
    """A session to append to; its head must have the hash ``prev_hash``."""

    namespace: str
    session_id: str
    genesis: str
    prev_hash: str
    recorded_at: datetime


class StoreThoughts(TypedDict):
    """Thoughts to store, each with at most ``recalls_cap`` relationships to thoughts that it recalled.

    Thoughts with more than ``most_relationships`` are named; 0: none.
    """

    fingerprint: str
    sessions: list[SessionHead]
    thoughts: list[NewThought]
    recalls_cap: int
    most_relationships: int


class ReadEarlier(TypedDict):
    """A stored thought, and how many characters of the texts of its memories are read."""

    id: str
    text_length: int


class FindKnown(TypedDict):
    """Ids to look up."""

    ids: list[str]


class ReadSummaries(TypedDict):
    """The id of a thought."""

    id: str
    namespace: str


class LockHead(TypedDict):
    """A session to lock; it is created with the head ``genesis`` when it does not exist."""

    namespace: str
    session_id: str
    genesis: str
    recorded_at: datetime


class OptionalOutcome(TypedDict):
    """The optional members of an outcome."""

    solves: str | None
    emotional_weight: float | None


class RecordOutcome(TypedDict):
    """An outcome of a thought: ``score`` from -1 to 1 moves its salience by ``rate`` of the distance.

    ``outcomes_kept`` bounds the outcomes a thought keeps, ``playbooks_cap`` the playbooks of a namespace.
    """

    id: str
    namespace: str
    outcome_id: str
    score: float
    rate: float
    playbooks_cap: int
    outcomes_kept: int
    recorded_at: datetime
    optional: OptionalOutcome


class OfThought(TypedDict):
    """A thought of a namespace."""

    id: str
    namespace: str


class RedactThought(OfThought):
    """The thought to redact, the reason that is kept with it, and the step that records it, if any."""

    reason: str
    now: datetime
    steps: list[StoredThought]


class ClearLabel(OfThought):
    """The thought that is redacted, and how many members of its community a page has."""

    take: int


class RelateThought(TypedDict):
    """A relation of a thought to any node, to create or with ``remove`` to delete."""

    id: str
    target_id: str
    type: str
    namespace: str
    own_session: str
    now: datetime
    weight: float
    note: str | None
    remove: bool


class PinThought(TypedDict):
    """A thought to pin or to unpin."""

    id: str
    namespace: str
    own_session: str
    pinned: bool
    most: int
