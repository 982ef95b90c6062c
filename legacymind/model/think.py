"""The types of thinking that cross doors: what came to mind, and what became of it."""

from dataclasses import dataclass
from datetime import datetime

from legacymind.model.base import Kind
from legacymind.model.frameworks import FrameworkAnalysis


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """The weighted addends of a memory's score; their sum is the score."""

    similarity: float
    recency: float
    salience: float
    access: float
    contradiction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Something that came to mind: what, how strongly, and by which way.

    ``cosine`` is the raw cosine with the new thought; ``via`` is ``vector``, ``fulltext``, ``graph`` (beside
    what was found), ``fallback`` (nothing passed the threshold), ``lateral`` (related to what was found),
    ``contradiction`` (contradicts it), ``playbook`` (solved the same error), ``recent`` (of the last minutes)
    or, in a repeated answer, ``pruned`` (its relationship is gone, and cosine and parts with it).
    """

    id: str
    kind: Kind
    text: str
    score: float
    rank: int
    created_at: datetime | None
    author: str | None
    cosine: float | None
    via: str
    parts: ScoreParts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegated:
    """The stored thought and its vector."""

    thought_id: str
    embedding_model: str
    embedding_dim: int
    memories_injected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The continuity of a thought as stored; ids as ``thoughts:ID``."""

    session_id: str | None
    chain_id: str | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksTelemetry:
    """What became of each link: ``record``, ``string`` (pending), ``automatic`` or ``dropped_*``."""

    previous_thought_id: str | None = None
    revises_thought: str | None = None
    branch_from: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristics:
    """The keywords that decided the mode."""

    keywords: list[str]
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkTelemetry:
    """How the mode and the links were decided, and what was dropped on the way."""

    trigger_matched: str | None
    heuristics: Heuristics | None
    links_telemetry: LinksTelemetry
    dropped_tags: list[str]
    threshold_knowledge: float
    threshold_thoughts: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainLink:
    """A thought's place in its session's hash chain."""

    step_index: int
    content_hash: str
    chain_hash: str
    prev_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An entity or observation near a hypothesis; ``similarity`` is the raw cosine with it."""

    id: str
    kind: Kind
    text: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationTelemetry:
    """How a hypothesis was verified; the counts are from before the lists were cut."""

    embedding_dim: int
    provider: str
    model: str
    time_ms: int
    matched_support: int
    matched_contradict: int
    candidates_after_similarity: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What known facts say of a hypothesis; 0.5 when there are none. The nearest evidence comes first."""

    hypothesis: str
    supporting: list[Evidence]
    contradicting: list[Evidence]
    confidence_score: float
    suggested_revision: str | None
    telemetry: VerificationTelemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkResult:
    """A stored thought and what it brought to mind.

    ``repeated``: an earlier call had stored it. ``deferred``: the embedder was down, so it has recalled
    nothing and is found by meaning only once it is embedded, which happens by itself.
    """

    mode_selected: str
    reason: str
    delegated_result: Delegated
    links: Links
    telemetry: ThinkTelemetry
    memories: list[Memory]
    enriched_content: str
    memory_summary: str
    chained: bool
    chain: ChainLink | None
    verification: Verification | None = None
    framework_analysis: FrameworkAnalysis | None = None
    repeated: bool = False
    deferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedThought:
    """One thought of a batch; ``recalled`` are the ids of its memories, which ``explain_recall`` shows.

    ``links_telemetry`` is there when there is a link to tell of.
    """

    thought_id: str
    mode_selected: str
    reason: str
    recalled: list[str]
    confidence_score: float | None
    step_index: int | None
    dropped_tags: list[str]
    links_telemetry: LinksTelemetry | None
    repeated: bool
    deferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkBatchResult:
    """The thoughts of a batch in their order; ``repeated`` of them an earlier call had stored.

    ``deferred`` of them wait for their vectors, since the embedder was down; see ThinkResult.
    """

    thoughts: list[BatchedThought]
    count: int
    repeated: int
    deferred: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeResult:
    """A thought after its outcome: how readily it comes to mind now, and which problems it solves."""

    thought_id: str
    outcome_score: float | None
    salience_before: float
    salience: float
    emotional_weight: float | None
    solves: list[str]
    playbook: bool
    error_signature: str | None
    repeated: bool = False
