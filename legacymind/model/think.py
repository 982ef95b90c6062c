"""Results of thinking: stored thoughts, recalled memories and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, get_args

from legacymind.model.about import about
from legacymind.model.base import Answer, Kind, Mode, ThoughtRelation
from legacymind.model.frameworks import FrameworkAnalysis
from legacymind.model.members import (
    ActionOf,
    AuthorOf,
    BranchesFrom,
    ConfidenceOf,
    ContradictedBy,
    CreatedAt,
    Deferred,
    DroppedTags,
    Follows,
    Id,
    LabelOf,
    NamespaceOf,
    OfThought,
    Parent,
    PrefixedId,
    Repeated,
    RevisedBy,
    Revises,
    SaidBy,
    SessionOf,
    SolvedBy,
    Standing,
    StepOf,
    StoredId,
    Warnings,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreParts:
    """The parts of a memory's weight: weighted addends with the weight as their sum."""

    similarity: Annotated[float, about("From the likeness of meaning")]
    recency: Annotated[float, about("From the time since its last use")]
    salience: Annotated[float, about("From its weight in recall")]
    access: Annotated[float, about("From how often it was recalled")]
    contradiction: Annotated[float, about("From contradicting the thought")]


Via = Literal[
    "vector",
    "fulltext",
    "graph",
    "revision",
    "solution",
    "standing",
    "fallback",
    "lateral",
    "contradiction",
    "playbook",
    "recent",
    "pruned",
]
"""How a memory was found; see ``Memory``. A relationship made by hand may have another text."""


def usual_members(memory: Mapping[str, Any]) -> set[str]:
    """The members of a memory that JSON omits without ``verbose_analysis``: they have their usual values.

    The cosine of a thought is among them, because its score decides.
    """
    if memory["parts"] is not None:  # with `verbose_analysis`
        return set()
    return {"rank", "kind", "cosine"} if memory["kind"] == "thought" else {"rank"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A recalled memory: its text, its score and how it was found.

    Memories are in the order of their relevance, which the ranking of search determines; revisions and
    solutions that are named are memories too.

    ``verbose_analysis`` adds ``parts``, a ``cosine`` that equals the score, the ``copies`` of a
    memory without copies, and two further decimals. Without it, times are in whole seconds, in JSON in
    minutes, and JSON omits the rank, and the ``kind`` and ``cosine`` of a thought.

    ``via`` is ``vector``, ``fulltext``, ``graph`` (linked to a hit, or what hits are about), ``revision``
    (the latest revision of a memory), ``solution`` (solves a memory), ``standing`` (a standing preference or
    instruction with a related topic), ``fallback`` (knowledge that is only nearly related, by
    thresholds), ``lateral`` (related to a hit), ``contradiction`` (contradicts a hit), ``playbook`` (solved
    the same or a similar problem) or ``recent`` (of the last minutes). In the result of a repeated call it
    can be ``pruned``: the relationship is gone, and with it cosine and parts. A memory of another namespace
    has no relationship, so that result lacks it.
    """

    id: StoredId
    kind: Annotated[Kind, about("Whether it is a thought, an entity or an observation")]
    text: Annotated[
        str, about("Text; a long one is cut around its most relevant sentence, with an ellipsis at each cut")
    ]
    score: Annotated[float, about("Relevance, at most 1 and that of the memory before")]
    rank: Annotated[int, about("Place among the memories, from 1")]
    said_by: SaidBy
    created_at: CreatedAt
    author: AuthorOf
    cosine: Annotated[
        float | None,
        about(
            "Cosine with the new thought; null if unknown or, without `verbose_analysis`, if it is the score"
        ),
    ]
    via: Annotated[
        str,
        about(
            "How it was found, such as `vector`, `fulltext`, `graph`, `revision`, `solution` or `playbook`",
            names=get_args(Via),
        ),
    ]
    copies: Annotated[
        int | None,
        about("Number of memories with nearly this text; null if it is alone"),
    ] = None
    revised_by: RevisedBy = None
    solved_by: SolvedBy = None
    contradicted_by: ContradictedBy = None
    standing: Standing = None
    namespace: NamespaceOf = None
    parts: Annotated[
        ScoreParts | None,
        about("Addends of its weight, which decides among about equals; with `verbose_analysis`"),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegated:
    """The stored thought, its vector and the number of recalled memories."""

    thought_id: Annotated[PrefixedId, about("Id of the stored thought, with the prefix `thoughts:`")]
    embedding_model: Annotated[str | None, about("Model of its vector; with `verbose_analysis`")]
    embedding_dim: Annotated[int | None, about("Dimensions of its vector; with `verbose_analysis`")]
    memories_injected: Annotated[int, about("Number of recalled memories, also of those that were left out")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The stored links of a thought."""

    session_id: SessionOf
    chain_id: LabelOf
    previous_thought_id: Follows
    revises_thought: Revises
    branch_from: BranchesFrom
    parent_id: Parent
    action_id: ActionOf
    confidence: ConfidenceOf


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmResult(Answer):
    """What the user confirmed."""

    id: StoredId
    said_by: SaidBy
    changed: Annotated[bool, about("Whether this call changed its trust")]
    standing: Annotated[bool, about("Whether it is a standing preference or instruction")]
    ended: Annotated[list[str], about("Beginnings of the facts that it ended")] = field(
        default_factory=list[str]
    )


LinkFate = Literal["record", "string", "automatic", "dropped_self_link", "dropped_duplicate"]
"""What became of a link of a new thought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksTelemetry:
    """The state of each link of a new thought.

    ``record``: the linked thought exists. ``string``: the link waits for it. ``automatic``: LegacyMind linked
    the latest thought; with ``verbose_analysis``. ``dropped_…``: the link was not stored, for the reason in
    its name.
    """

    previous_thought_id: Annotated[
        LinkFate | None,
        about("State of the link to the thought before; `automatic` if LegacyMind chose it"),
    ] = None
    revises_thought: Annotated[
        LinkFate | None,
        about(
            "State of the link: `record`, `string` (it waits for its target) or `dropped_…`; null without one"
        ),
    ] = None
    branch_from: Annotated[LinkFate | None, about("State of the link, as for `revisesThought`")] = None
    parent_id: Annotated[LinkFate | None, about("State of the link, as for `revisesThought`")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristics:
    """The keywords that selected the mode."""

    keywords: Annotated[list[str], about("Words that were found")]
    score: Annotated[int, about("Number of different keywords of the mode")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkTelemetry:
    """How the mode and links were chosen, which tags were dropped, and the thresholds of recall."""

    trigger_matched: Annotated[
        str | None, about("Phrase that selected the mode, with `verbose_analysis`; null if none did")
    ] = None
    heuristics: Annotated[
        Heuristics | None,
        about("Keywords that selected the mode, with `verbose_analysis`; null if none were read"),
    ] = None
    links_telemetry: Annotated[LinksTelemetry, about("State of each link")] = field(
        default_factory=LinksTelemetry
    )
    dropped_tags: DroppedTags = field(default_factory=list[str])
    threshold_knowledge: Annotated[
        float | None, about("Cosine from which entities and facts are recalled; with `verbose_analysis`")
    ] = None
    threshold_thoughts: Annotated[
        float | None, about("Cosine from which thoughts are recalled; with `verbose_analysis`")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainLink:
    """A thought's step in its session's hash chain. The chain hash covers the other members."""

    step_index: Annotated[int, about("Place in the chain, from 0")]
    content_hash: Annotated[
        str | None, about("SHA-256 of the thought's hashed record; with `verbose_analysis`")
    ] = None
    chain_hash: Annotated[str, about("Hash of the step before and of its record together")]
    prev_hash: Annotated[str | None, about("Chain hash of the step before; with `verbose_analysis`")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An entity or observation that is similar to a hypothesis."""

    id: StoredId
    kind: Annotated[Kind, about("Whether it is an entity or an observation")]
    text: Annotated[str, about("Text of the fact, or name and description of the entity; long texts are cut")]
    similarity: Annotated[float, about("Cosine with the hypothesis")]
    said_by: SaidBy = ""


BY_WORDING: Final = "by wording only"
NOTHING_NEAR: Final = "no stored fact is near it"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationTelemetry:
    """Details of a hypothesis test."""

    embedding_dim: Annotated[int | None, about("Dimensions of the vectors; with `verbose_analysis`")]
    provider: Annotated[str | None, about("Provider of the embedder; with `verbose_analysis`")]
    model: Annotated[str | None, about("Model of the vectors; with `verbose_analysis`")]
    time_ms: Annotated[int | None, about("Milliseconds of embedding and statement; with `verbose_analysis`")]
    matched_support: Annotated[int, about("Number of items for the hypothesis, also of those not shown")]
    matched_contradict: Annotated[
        int, about("Number of items against the hypothesis, also of those not shown")
    ]
    candidates_after_similarity: Annotated[
        int,
        about("Number of items that were similar enough; those neither for nor against it are only near"),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of testing a hypothesis against stored entities and observations.

    No meaning is compared: an item that has nearly all words of the hypothesis is for it, and one that gives
    another value, or denies it with a contradiction pattern, is against it. Others are only near.
    """

    hypothesis: Annotated[str, about("Hypothesis that was tested; cut without `verbose_analysis`")]
    supporting: Annotated[list[Evidence], about("Items for it, nearest first")]
    contradicting: Annotated[list[Evidence], about("Items against it, nearest first")]
    near: Annotated[list[Evidence], about("If none decides, the nearest items")]
    confidence_score: Annotated[
        float | None,
        about("Share of the items that are for it, from 0 to 1; null if none states or contradicts it"),
    ]
    suggested_revision: Annotated[
        str | None, about("What to do, as sentences, if most items are against it; else null")
    ]
    telemetry: Annotated[VerificationTelemetry, about("Details of the test")]
    basis: Annotated[str, about("What the confidence stands on, or why there is none")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkResult(Answer):
    """A stored thought and the memories that it recalls.

    ``verbose_analysis`` adds ``enriched_content``, hashes, thresholds, the parts of weights, and ``meta`` of
    the analysis. The JSON of MCP and the command line omits members that are null, empty, false or 0, and
    some usual values of memories. A repeated call has the memories as they were stored, but no analysis, no
    test and no telemetry.
    """

    mode_selected: Annotated[Mode, about("Mode of the thought")]
    reason: Annotated[str, about("Why this mode")]
    delegated_result: Annotated[Delegated, about("The stored thought and its vector")]
    links: Annotated[Links, about("Links as they were stored")]
    telemetry: Annotated[ThinkTelemetry, about("How mode and links were chosen")]
    memories: Annotated[list[Memory], about("Recalled memories, most relevant first")]
    enriched_content: Annotated[
        str | None, about("Text of the thought together with its memories; null without `verbose_analysis`")
    ]
    memory_summary: Annotated[str, about("What was recalled, in a sentence")]
    chained: Annotated[bool, about("Whether the thought is a step of a hash chain")]
    chain: Annotated[ChainLink | None, about("Its step; null outside every chain")]
    standing: Standing = None
    verification: Annotated[Verification | None, about("Test of the hypothesis; null without one")] = None
    framework_analysis: Annotated[
        FrameworkAnalysis | None,
        about("Analysis by cognitive frameworks; null without one, and if the token budget is too small"),
    ] = None
    repeated: Repeated = False
    deferred: Annotated[
        bool,
        about(
            "Whether the embedder was down: it recalled nothing, and only words find it until it is embedded"
        ),
    ] = False
    left_out: Annotated[
        int, about("Number of memories, counted from the end, that did not fit in the token budget")
    ] = 0
    warnings: Warnings = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallResult(Answer):
    """What a text brings to mind. Nothing is stored, and no access is counted.

    ``verbose_analysis`` adds thresholds and the parts of weights; its JSON omits the same as that of think.
    """

    mode_selected: Annotated[Mode, about("Mode of the text")]
    reason: Annotated[str, about("Why this mode")]
    injection_scale: Annotated[int, about("How much was recalled, from 0 (nothing) to 5")]
    memories: Annotated[list[Memory], about("Memories, most relevant first")]
    memory_summary: Annotated[str, about("What was recalled, in a sentence")]
    threshold_knowledge: Annotated[
        float | None, about("Cosine from which entities and facts are recalled; with `verbose_analysis`")
    ]
    threshold_thoughts: Annotated[
        float | None, about("Cosine from which thoughts are recalled; with `verbose_analysis`")
    ]
    left_out: Annotated[int, about("Number of memories that did not fit in the token budget")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedThought:
    """A thought of a batch. ``explain_recall`` shows its memories."""

    thought_id: OfThought
    mode_selected: Annotated[Mode, about("Mode of the thought")]
    reason: Annotated[str, about("Why this mode")]
    recalled: Annotated[list[Id], about("Ids of its memories, most relevant first")]
    confidence_score: Annotated[
        float | None,
        about("Share of the evidence that is for its hypothesis, from 0 to 1; null without a hypothesis"),
    ]
    step_index: StepOf
    dropped_tags: DroppedTags
    links_telemetry: Annotated[
        LinksTelemetry | None, about("State of each link; null for a thought without links")
    ]
    repeated: Repeated
    deferred: Deferred = False
    namespace: Annotated[str | None, about("Namespace of the thought; null for that of the batch")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkBatchResult(Answer):
    """The thoughts of a batch in their order."""

    thoughts: Annotated[list[BatchedThought], about("Thoughts, in the order of the batch")]
    count: Annotated[int, about("Number of thoughts")]
    repeated: Annotated[int, about("Number of thoughts that an earlier call stored")]
    deferred: Annotated[
        int, about("Number of thoughts without a vector yet, because the embedder was down")
    ] = 0
    warnings: Warnings = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeResult(Answer):
    """A thought after its outcome."""

    thought_id: OfThought
    outcome_score: Annotated[float | None, about("Outcome, from -1 (failure) to 1 (success)")]
    salience_before: Annotated[float, about("Weight in recall before the outcome, from 0 to 1")]
    salience: Annotated[float, about("Weight in recall now, from 0 to 1")]
    emotional_weight: Annotated[
        float | None, about("Emotional weight, from -1 (bad) to 1 (good); null if none was given")
    ]
    solves: Annotated[list[Id], about("Ids of the problems that it solves")]
    playbook: Annotated[bool, about("Whether thoughts with the same error recall it first")]
    error_signature: Annotated[
        str | None, about("Error that it solves, without what varies; null if there is none")
    ]
    repeated: Annotated[bool, about("Whether an earlier call with the same key recorded it")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RelateResult(Answer):
    """A relation of a thought."""

    thought_id: Annotated[Id, about("Id of the thought from which the relation leads")]
    type: Annotated[ThoughtRelation, about("Type of the relation")]
    target_id: Annotated[Id, about("Id of the node to which it leads")]
    target_kind: Annotated[Kind, about("Kind of that node")]
    created: Annotated[bool, about("Whether this call created it")]
    removed: Annotated[bool, about("Whether this call removed it")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinResult(Answer):
    """A thought that is pinned or not."""

    thought_id: OfThought
    pinned: Annotated[bool, about("Whether it is pinned now")]
    changed: Annotated[bool, about("Whether this call changed that")]
    warnings: Annotated[list[str], about("A sentence if more thoughts are pinned than a context shows")] = (
        field(default_factory=list[str])
    )
