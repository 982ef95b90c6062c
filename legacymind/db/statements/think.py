"""The statements of ``cypher/think``, with the types of their rows and of larger parameters."""

from datetime import datetime
from typing import Any, Literal, TypedDict

from legacymind.db.query import load
from legacymind.db.statements.schema import NoRow
from legacymind.model.base import Kind
from legacymind.text.keys import PossibleNames


class SummaryRow(TypedDict):
    """The id of a summary."""

    id: str


read_quoting = load("think/read_quoting", SummaryRow, writes=False)


class HeadRow(TypedDict):
    """A session's chain head, locked, and the hashes of the steps from there on, two at most."""

    hash: str
    step: int
    id: str | None
    key_id: str | None
    last: list[dict[str, Any]]


class LinkRow(TypedDict):
    """A link of a thought; ``found`` is whether its target exists."""

    name: str
    id: str
    found: bool


class CrowdedRow(TypedDict):
    """A thought with more relationships than the limit of the call."""

    id: str
    relationships: int


Verdict = Literal["stored", "exists", "partial", "moved", "embedding"]
"""The outcome of an attempt to store thoughts; see think/store_thoughts.cypher."""


class StoredRow(TypedDict):
    """One thought of an attempt to store thoughts.

    ``kept`` are the ids of its memories that were still there. ``enriched_content`` is null unless it was
    stored. ``nodes`` is the number of nodes of the database.
    """

    verdict: Verdict
    id: str
    head: HeadRow | None
    links: list[LinkRow]
    kept: list[str]
    crowded: list[CrowdedRow]
    enriched_content: str | None
    nodes: int


store_thoughts = load("think/store_thoughts", StoredRow, writes=True)


class ScoreRow(TypedDict):
    """The weighted addends of a memory's score; null when the RECALLS relationship was pruned."""

    similarity: float | None
    recency: float | None
    salience: float | None
    access: float | None
    contradiction: float | None


class MemoryRow(TypedDict):
    """A recalled memory; its time is text, and ``copies`` counts it and those with nearly the same text."""

    id: str
    kind: Kind
    text: str
    score: float
    rank: int
    cosine: float | None
    via: str
    copies: int
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    standing: bool | None
    created_at: str | None
    author: str | None
    parts: ScoreRow


class EvidenceRow(TypedDict):
    """A piece of evidence; ``against`` when it contradicts the hypothesis."""

    id: str
    kind: Kind
    text: str
    cosine: float
    against: bool


class EarlierRow(TypedDict):
    """A thought that an earlier call stored, with what it recalled; ``stored``: null if it is private."""

    stored: dict[str, Any] | None
    awaits: list[str]
    memories: list[MemoryRow]
    evidence: list[EvidenceRow]


read_earlier = load("think/read_earlier", EarlierRow, writes=False)


class UnmentionedRow(TypedDict):
    """A thought, or an entity with its key, that waits for mentions; ``target`` is who gets them."""

    id: str
    namespace: str
    name_key: str | None
    target: str
    content: str | None


class NamingRow(TypedDict):
    """A thought that may name an entity."""

    entity: str
    namespace: str
    id: str
    content: str


read_unmentioned = load("think/read_unmentioned", UnmentionedRow, writes=False)
find_naming = load("think/find_naming", NamingRow, writes=False, long_running=True)
store_mentions = load("think/store_mentions", NoRow, writes=True)
settle_mentions = load("think/settle_mentions", NoRow, writes=True)


class KnownRow(TypedDict):
    """A stored thought; ``content`` is null when it was redacted."""

    id: str
    namespace: str
    content: str | None


find_known = load("think/find_known", KnownRow, writes=False)
lock_head = load("think/lock_head", HeadRow, writes=True)


class OutcomeRow(TypedDict):
    """A thought after its outcome; ``solvable`` is false when the named problem does not exist.

    ``first_score`` is that of the outcome that was recorded with the same id.
    """

    found: bool
    solvable: bool
    repeated: bool
    first_score: float | None
    before: float
    after: float
    score: float
    emotional_weight: float | None
    playbook: bool
    solves: list[str]
    error_signature: str | None


record_outcome = load("think/record_outcome", OutcomeRow, writes=True)


class SolvedRow(TypedDict):
    """How many problems were solved."""

    solved: int


solve_problems = load("think/solve_problems", SolvedRow, writes=True)


class RelationTarget(TypedDict):
    """The node that a thought is related to."""

    kind: Kind


class RelatedRow(TypedDict):
    """Whether the thought exists and the relation existed; ``target`` is null if it does not exist."""

    found: bool
    existed: bool
    target: RelationTarget | None


relate_thought = load("think/relate_thought", RelatedRow, writes=True)


class PinnedRow(TypedDict):
    """Whether the thought exists and was pinned before, and how many are pinned now: at most ``most`` + 1."""

    found: bool
    before: bool
    pins: int


pin_thought = load("think/pin_thought", PinnedRow, writes=True)


class PlaceRow(TypedDict):
    """Session, privacy, text and digest of a thought, and whether its community has a label."""

    session_id: str | None
    is_private: bool
    content: str | None
    digest: str | None
    labelled: bool


read_place = load("think/read_place", PlaceRow, writes=False)


class ClearedRow(TypedDict):
    """The number of nodes whose label was replaced."""

    cleared: int


clear_label = load("think/clear_label", ClearedRow, writes=True)


class RedactedRow(TypedDict):
    """Whether this call removed the content, and when it was removed."""

    fresh: bool
    redacted_at: datetime


redact_thought = load("think/redact_thought", RedactedRow, writes=True)


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
    cosine: float


class NewThought(TypedDict):
    """One thought to store with what it recalled.

    ``heading`` begins the enriched content. ``verified`` are the properties of its verification.
    """

    id: str
    namespace: str
    session_id: str | None
    heading: str
    links: list[NewLink]
    properties: dict[str, Any]
    vector: list[float] | None
    recorded_at: datetime
    memories: list[NewMemory]
    verified: dict[str, Any] | None
    evidence: list[NewEvidence]
    names: list[PossibleNames]


class SessionHead(TypedDict):
    """A session to append to; its head must have the hash ``prev_hash``."""

    namespace: str
    session_id: str
    genesis: str
    prev_hash: str
    recorded_at: datetime


class NamingThought(TypedDict):
    """A stored thought and the names that its text may have."""

    id: str
    namespace: str
    names: list[PossibleNames]


class SoughtEntity(TypedDict):
    """An entity to find in the texts of thoughts; ``target`` gets the mentions."""

    id: str
    target: str
    namespace: str
    text_query: str
