"""What each statement returns: one type a row, named as in its RETURN."""

from datetime import datetime
from typing import Any, Literal, TypedDict


class Nothing(TypedDict):
    """The row of a statement that returns none."""


class DatabaseRow(TypedDict):
    """The server and what LegacyMind left in it."""

    version: str
    edition: str
    database: dict[str, Any] | None


class VersionRow(TypedDict):
    """The schema version a database was marked with."""

    version: int


class BuildingRow(TypedDict):
    """An index that is not online, and how much of it is there, in per cent."""

    name: str
    state: str
    percent: float


class IndexRow(TypedDict):
    """An index of ours that is as was asked for."""

    name: str


class SlotRow(TypedDict):
    """Whether the active slot holds the asking embedder's vectors, and whose it holds."""

    mine: bool
    fingerprint: str
    active_slot: str


class ThinkRow(TypedDict):
    """What became of one thought of an attempt to think; see think/think.cypher."""

    verdict: str
    id: str
    head: dict[str, Any] | None
    links: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    verification: dict[str, Any] | None
    stored: dict[str, Any] | None


class KnownRow(TypedDict):
    """A stored thought; ``content`` is null when it was redacted."""

    id: str
    namespace: str
    content: str | None


class HeadRow(TypedDict):
    """A session's chain head, locked."""

    hash: str
    step: int
    thought_id: str | None
    key_id: str | None


class DeferredRow(TypedDict):
    """A thought, an entity or an observation that waits for its vector; see maintain/read_deferred."""

    kind: Literal["thought", "entity", "observation"]
    id: str
    content: str | None
    mode: str | None
    name: str | None
    entity_type: str | None


class EmbeddedRow(TypedDict):
    """How many that waited have their vectors now."""

    embedded: int


class OutcomeRow(TypedDict):
    """A thought after its outcome; ``solvable`` is false when the problem that was named is not there."""

    found: bool
    solvable: bool
    repeated: bool
    before: float
    after: float
    score: float
    emotional_weight: float | None
    playbook: bool
    solves: list[str]
    error_signature: str | None


class HitsRow(TypedDict):
    """All hits of a search, in one row: a row per hit costs eight times as much."""

    hits: list[dict[str, Any]]


class ContextRow(TypedDict):
    """Hits and the part of a context each belongs to."""

    parts: list[dict[str, Any]]


class AuthorsRow(TypedDict):
    """The authors whom a question names."""

    authors: list[str]


class TrailRow(TypedDict):
    """All steps of a page of a trail, in one row; ``found`` is whether the start exists."""

    found: bool
    steps: list[dict[str, Any]]


class ThreadRow(TypedDict):
    """A page of thoughts in time, each with its position: seconds, nanoseconds, id."""

    thoughts: list[dict[str, Any]]


class LinksRow(TypedDict):
    """A thought's links (null when there is none such), whether each is there, and what points to it."""

    links: dict[str, str | None] | None
    redacted_at: datetime | None
    resolved: dict[str, bool]
    followed_by: dict[str, Any]
    revised_by: dict[str, Any]
    branches: dict[str, Any]
    children: dict[str, Any]


class RecallRow(TypedDict):
    """A thought (null when there is none), what it recalls, and what it recalled before that was pruned."""

    thought: dict[str, Any] | None
    recalled: list[dict[str, Any]]
    pruned: list[dict[str, Any]]


class MissedRow(TypedDict):
    """What a thought nearly recalled, nearest first."""

    missed: list[dict[str, Any]]


class WeighedRow(TypedDict):
    """One memory as recall would have weighed it, or null."""

    memory: dict[str, Any] | None


class ChainRow(TypedDict):
    """One step of a chain as verification reads it."""

    thought: dict[str, Any]
    targets: dict[str, list[str]]
    pending: list[str]
    in_session: bool


class ChainHeadRow(TypedDict):
    """A session's stored head, or nulls."""

    head_hash: str | None
    head_step: int | None


class TreeRow(TypedDict):
    """A page of a session's thought tree, flat; ``total`` counts the session's thoughts."""

    total: int
    roots: int
    nodes: list[dict[str, Any]]


class ActionRow(TypedDict):
    """A page of the thoughts that led to an action, how many there are, and how many more are private."""

    thoughts: list[dict[str, Any]]
    total: int
    private: int


class ReasoningRow(TypedDict):
    """Of a page of thoughts what is ``above`` each, itself first, and how far the ``farthest`` is."""

    trails: list[dict[str, Any]]
    total: int
    private: int


class SessionHeadRow(TypedDict):
    """A session and its chain head."""

    session_id: str
    head_hash: str | None
    head_step: int | None


class RedactedRow(TypedDict):
    """Whether the content was still there, and since when it is not."""

    fresh: bool
    redacted_at: datetime


class FaultRow(TypedDict):
    """One fault of a chain as seen without hashing."""

    step: int
    thought: str | None
    fault: str


class RememberedRow(TypedDict):
    """One upserted thing: its index in the input, its id, and whether it is new."""

    index: int
    id: str | None
    created: bool


class EmbeddableRow(RememberedRow):
    """One upserted entity or observation; ``deferred`` when it waits for its vector."""

    deferred: bool


class FactRow(EmbeddableRow):
    """One upserted observation; ``unknown`` is an id it names that is not in the namespace."""

    unknown: str | None


class RelationsRow(TypedDict):
    """The relations made or met; or the types for which there is no room, and how many types there are."""

    relations: list[RememberedRow]
    types: int
    refused: list[str]


class SampleRow(TypedDict):
    """A sample of what recall could find, each with its namespace, vector (an array) and links."""

    sample: list[dict[str, Any]]


class KeptRow(TypedDict):
    """Since when the thresholds are kept."""

    kept_at: datetime


class DroppedRow(TypedDict):
    """Whether there were thresholds to drop."""

    kept: bool


class TamperedRow(TypedDict):
    """The step that was rewritten."""

    step: int


class ClearedRow(TypedDict):
    """How many nodes are gone."""

    deleted: int
