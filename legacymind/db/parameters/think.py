"""Parameters of the statements in cypher/think."""

from datetime import datetime
from typing import TypedDict

from legacymind.db.stored import EmbeddingDetails, StoredThought
from legacymind.text.query_analysis import QueryMap


class EmbeddedThought(StoredThought, EmbeddingDetails):
    """The properties of a new thought; null ones are left out."""


class NewLink(TypedDict):
    """A link to create: the property's name, the relationship type and the target's id."""

    name: str
    type: str
    id: str


class Companion(TypedDict):
    """An earlier thought of the same batch, which no index has yet, and its cosine."""

    id: str
    cosine: float


class NewHypothesisTest(TypedDict):
    """A test of a hypothesis against the ``top_k`` nearest knowledge; ``pattern`` matches contradictions.

    ``limit`` bounds the evidence kept on either side.
    """

    vector: list[float]
    top_k: int
    min_cosine: float
    limit: int
    pattern: str
    persist: bool


class RelatednessMap(TypedDict):
    """When memories count as related; see ``services.think.recall_policy.Relatedness``.

    ``words`` begin with a space; ``word_count`` is their number, at least 1.
    """

    threshold: float
    zero: float
    least: float
    share: float
    words: list[str]
    word_count: int


class NewPlaybooks(TypedDict):
    """How many playbooks to recall, and the error of the new thought.

    ``signature`` is ``kind`` and ``message``; ``text`` is the whole text in the form of ``message``. Without
    a playbook for the same error, those are recalled with a problem of a cosine of at least ``threshold``:
    the floor for an error of the same ``kind``, halfway to 1 for one of another. ``suffice``: playbooks for
    the same error replace the search for thoughts.
    """

    k: int
    suffice: bool
    signature: str | None
    kind: str | None
    message: str | None
    text: str
    threshold: float


class NewThought(TypedDict):
    """One thought to store, and how far it recalls; see ``services.think.recall_policy``.

    ``question`` is the vector for recall if it is not ``vector``. ``session_k`` is the number of thoughts of
    its own session that it recalls in addition, from the step ``session_from`` on.
    """

    id: str
    namespace: str
    session_id: str | None
    submode: str | None
    links: list[NewLink]
    linked: list[str]
    properties: EmbeddedThought
    vector: list[float] | None
    question: list[float] | None
    companions: list[Companion]
    created_at: datetime
    recorded_at: datetime
    knowledge_k: int
    knowledge: RelatednessMap
    floor: float
    thoughts_k: int
    thoughts: RelatednessMap
    since: datetime
    reach: datetime
    beyond_k: int
    standing_k: int
    session_k: int
    session_from: int
    via: str
    playbooks: NewPlaybooks
    lateral_types: list[str]
    hops: int
    tie_break_pattern: str | None
    tie_break_name: str | None
    hypothesis_test: NewHypothesisTest | None
    text_query: str
    request: QueryMap
    tau: float
    w_similarity: float
    w_recency: float
    w_salience: float
    w_access: float
    w_contradiction: float


class SessionHead(TypedDict):
    """A session to append to; its head must have the hash ``prev_hash``."""

    namespace: str
    session_id: str
    genesis: str
    prev_hash: str
    recorded_at: datetime


class Think(TypedDict):
    """Thoughts to store, with the largest limits that one of them needs.

    ``text_length`` is the number of characters of each memory's and each piece of evidence's text. Of the
    newest ``standing_pool`` preferences those with the relatedness ``standing_related`` are recalled.
    Thoughts with more than ``most_relationships`` are named; 0: none.
    """

    fingerprint: str
    sessions: list[SessionHead]
    thoughts: list[NewThought]
    pool: int
    inside_pool: int
    knowledge_pool: int
    evidence_pool: int
    recalls_cap: int
    standing_pool: int
    standing_related: float
    text_length: int
    most_relationships: int


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
