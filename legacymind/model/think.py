"""Results of thinking: stored thoughts, recalled memories and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from legacymind.model.base import Answer, Kind, LateralRelation
from legacymind.model.frameworks import FrameworkAnalysis


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """The parts of a memory's score: weighted addends with the score as their sum."""

    similarity: float
    recency: float
    salience: float
    access: float
    contradiction: float


_USUAL_WAYS: Final = frozenset(("vector", "fulltext", "graph"))


def usual_members(memory: Mapping[str, Any]) -> set[str]:
    """The members of a memory that the JSON of a compact result omits: they have their usual values.

    The cosine of a thought is among them, because its score decides.
    """
    if memory["rank"] is not None:  # with all details
        return set()
    usual = {"kind", "cosine"} if memory["kind"] == "thought" else set[str]()
    return usual | ({"via"} if memory["via"] in _USUAL_WAYS else set())


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A recalled memory: its text, its score and how it was found.

    Memories are in the order of their relevance, which the ranking of search determines; ``score`` decides
    between memories that are about equally relevant. A long ``text`` is cut around the sentence that shares
    the most words with the thought; an ellipsis marks each cut. ``cosine`` is the raw cosine with the new
    thought. ``copies`` counts the memory and those with nearly the same text, which it stands for.
    ``revised_by`` is the id of its latest revision and ``solved_by`` of its best solution, which are also
    memories. ``contradicted_by`` is the id of what contradicts it most strongly. ``standing`` is true for a
    standing preference or instruction, such as "Always answer in German", else null.

    In a compact result, ``rank``, ``parts``, a ``cosine`` that equals the score, and ``copies`` of a memory
    without copies are null, numbers have two decimals instead of four, and times are in whole seconds, in
    JSON in minutes. Its JSON also omits the ``kind`` and ``cosine`` of a thought, and ``via`` if it is
    ``vector``, ``fulltext`` or ``graph``.

    ``via`` is ``vector``, ``fulltext``, ``graph`` (linked to a hit), ``beyond`` (older than the window, but
    more relevant than everything inside), ``revision`` (the latest revision of a memory), ``solution``
    (solves a memory), ``standing`` (a standing preference or instruction with a related topic), ``fallback``
    (knowledge that is only nearly related, when nothing else is recalled), ``lateral`` (related to a hit),
    ``contradiction`` (contradicts a hit), ``playbook`` (solved the same or a similar problem) or ``recent``
    (of the last minutes). In the result of a repeated call it can be ``pruned``: the relationship was
    removed, and with it cosine and parts.
    """

    id: str
    kind: Kind
    text: str
    score: float
    rank: int | None
    created_at: datetime | None
    author: str | None
    cosine: float | None
    via: str
    copies: int | None = None
    revised_by: str | None = None
    solved_by: str | None = None
    contradicted_by: str | None = None
    standing: bool | None = None
    parts: ScoreParts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegated:
    """The id of the stored thought, the model of its vector, and the number of recalled memories.

    The model and its dimensions are null in a compact result. ``memories_injected`` includes memories that
    were left out.
    """

    thought_id: str
    embedding_model: str | None
    embedding_dim: int | None
    memories_injected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The stored links of a thought; ids of thoughts have the form ``thoughts:ID``."""

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
    """The state of each link of a new thought.

    ``record``: the linked thought exists. ``string``: the link waits for it. ``automatic``: LegacyMind linked
    the latest thought; not in a compact result. ``dropped_…``: the link was not stored, for the reason in its
    name.
    """

    previous_thought_id: str | None = None
    revises_thought: str | None = None
    branch_from: str | None = None
    parent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristics:
    """The keywords that selected the mode."""

    keywords: list[str]
    score: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkTelemetry:
    """How the mode and links were chosen, which tags were dropped, and the thresholds of recall.

    The thresholds are null in a compact result.
    """

    trigger_matched: str | None
    heuristics: Heuristics | None
    links_telemetry: LinksTelemetry
    dropped_tags: list[str]
    threshold_knowledge: float | None
    threshold_thoughts: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainLink:
    """A thought's step in its session's hash chain.

    A compact result has only ``chain_hash``, which covers the others; those are null.
    """

    step_index: int
    content_hash: str | None
    chain_hash: str
    prev_hash: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An entity or observation that is similar to a hypothesis; ``similarity`` is their raw cosine."""

    id: str
    kind: Kind
    text: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationTelemetry:
    """Details of a hypothesis test; the counts include evidence that is not shown.

    A compact result has only ``matched_support`` and ``matched_contradict``.
    """

    embedding_dim: int | None
    provider: str | None
    model: str | None
    time_ms: int | None
    matched_support: int
    matched_contradict: int
    candidates_after_similarity: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of testing a hypothesis against stored entities and observations.

    The nearest evidence is first. ``confidence_score`` is the share of supporting evidence, 0.5 without any.
    ``basis`` is how the evidence is divided: an item with a contradiction pattern is against the hypothesis,
    any other for it. No meaning is compared.
    """

    hypothesis: str
    supporting: list[Evidence]
    contradicting: list[Evidence]
    confidence_score: float
    suggested_revision: str | None
    telemetry: VerificationTelemetry
    basis: str = "by wording only"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkResult(Answer):
    """A stored thought and the memories that it recalls.

    ``repeated``: an earlier call stored it. ``deferred``: the embedder was down, so the thought recalls
    nothing and is text-searchable only until it is embedded, which happens automatically. ``left_out`` is the
    number of recalled memories, counted from the end, that did not fit in ``max_tokens``.

    Without ``verbose_analysis`` the result is compact: ``enriched_content`` and details of its records are
    null, ``meta`` of the analysis is empty, and the JSON of MCP and the command line omits members that are
    null, empty, false or 0, and some usual values of memories.
    """

    mode_selected: str
    reason: str
    delegated_result: Delegated
    links: Links
    telemetry: ThinkTelemetry
    memories: list[Memory]
    enriched_content: str | None
    memory_summary: str
    chained: bool
    chain: ChainLink | None
    verification: Verification | None = None
    framework_analysis: FrameworkAnalysis | None = None
    repeated: bool = False
    deferred: bool = False
    left_out: int = 0

    @property
    def compact(self) -> bool:
        """Whether details are left out, as without ``verbose_analysis``."""
        return self.enriched_content is None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedThought:
    """A thought of a batch.

    ``recalled`` has the ids of its memories; ``explain_recall`` shows them. ``confidence_score`` is that of
    the hypothesis, by wording only. ``links_telemetry`` is null for a thought without links, and
    ``namespace`` for one in that of the batch.
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
    namespace: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkBatchResult(Answer):
    """The thoughts of a batch in their order.

    ``repeated`` is the number of thoughts that an earlier call stored, and ``deferred`` of those that wait
    for their vectors because the embedder was down.
    """

    thoughts: list[BatchedThought]
    count: int
    repeated: int
    deferred: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeResult(Answer):
    """A thought after its outcome: its salience before and now, and the problems that it solves."""

    thought_id: str
    outcome_score: float | None
    salience_before: float
    salience: float
    emotional_weight: float | None
    solves: list[str]
    playbook: bool
    error_signature: str | None
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RelateResult(Answer):
    """A relation of a thought; ``created`` and ``removed`` tell whether this call changed that it exists."""

    thought_id: str
    type: LateralRelation
    target_id: str
    target_kind: Kind
    created: bool
    removed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PinResult(Answer):
    """A thought that is pinned or not; ``changed`` is false if it was so before."""

    thought_id: str
    pinned: bool
    changed: bool
