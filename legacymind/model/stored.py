"""What Neo4j stores: every property of nodes and relationships, declared once.

From these classes derive the hashed record, the members of exported lines, the checks of nodes made by hand,
reads of nodes, GraphQL, the classes of ``legacymind.ogm``, and docs/reference/graph.md. A property
that has no value is absent, and null when it is read.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final, get_args

from legacymind.model.about import about
from legacymind.model.base import Kind, Mode, SubmodeOf
from legacymind.model.members import (
    AccessCount,
    ActionOf,
    BranchesFrom,
    ByOf,
    ConfidenceOf,
    DoorOf,
    EntityType,
    Follows,
    Id,
    LabelOf,
    OriginOf,
    Parent,
    RecordedAt,
    RedactedAt,
    Revises,
    SessionOf,
    Source,
    Standing,
    StepOf,
    StoredId,
    TrueFrom,
    TrueUntil,
    TrustOf,
    TypeOf,
)
from legacymind.model.properties import EVIDENCE, HASHED, LOCAL, LONG, UNIT, marked

Text = Annotated[str | None, LONG]
Mass = Annotated[float | None, LOCAL, about("PageRank in the graph, by `analyze`; null before the first run")]
LastAccessed = Annotated[datetime | None, LOCAL, about("When a thought last recalled it")]
Namespace = Annotated[str | None, LOCAL, about("Memory that it belongs to")]
MentionsDeferred = Annotated[
    bool | None, LOCAL, about("True until maintenance has stored `MENTIONS` that are missing")
]
ChangedAt = Annotated[
    datetime | None, about("When a home last changed it, by the clock of that home's server")
]
StatedAt = Annotated[
    datetime | None, about("When a home last stated it, which no older removal takes; null: `recorded_at`")
]
NotedAt = Annotated[datetime | None, LOCAL, about("When this database got that change, which an index has")]
Replica = Annotated[str | None, LOCAL, about("Home that made that change; null for this one")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Who said something. The hash of a step covers it but for its trust, which a confirmation changes."""

    origin: Annotated[OriginOf, HASHED] = None
    door: Annotated[DoorOf, HASHED] = None
    by: Annotated[ByOf, HASHED] = None
    trust: Annotated[TrustOf, LOCAL] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed(Said):
    """Who said something that the user can confirm."""

    confirmed_by: Annotated[str | None, LOCAL, about("Who confirmed it; null if nobody did")] = None
    confirmed_at: Annotated[
        datetime | None, LOCAL, about("When the user confirmed it; null if nobody did")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What thoughts, entities and facts have beside what readers see."""

    __slots__ = ()  # beside a base that has some

    ns_key: Annotated[str | None, LOCAL, about("Digest that full text needs")] = None
    other_forms: Annotated[
        Text,
        LOCAL,
        about("Words of its texts in other forms, for full text: without accents, parts of identifiers"),
    ] = None
    quarantined_by: Annotated[
        Id | None, about("Id of the step that took it out of every read; null else")
    ] = None
    quarantine_before: Annotated[list[str] | None, about("What that step took from it")] = None
    community: Annotated[int | None, LOCAL, about("Number of its community, by `analyze`")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtMembers(Confirmed):
    """What every reader of a thought sees, but its id and its text."""

    title: Annotated[Text, about("Title; null without one")] = None
    mode: Annotated[str | None, HASHED, about("Mode of thinking, such as `debug`", names=get_args(Mode))] = (
        None
    )
    submode: Annotated[SubmodeOf, HASHED] = None
    thought_type: Annotated[TypeOf, HASHED]
    author: Annotated[str | None, HASHED, about("Who thought it; null if nobody was named")] = None
    tags: Annotated[list[str], HASHED, about("Tags")] = field(default_factory=list[str])
    confidence: Annotated[ConfidenceOf, HASHED, UNIT] = None
    significance: Annotated[
        float | None, HASHED, UNIT, about("Weight in recall when it was stored, from 0 to 1")
    ]
    salience: Annotated[
        float | None, UNIT, about("Present weight in recall, from 0 to 1; outcomes change it")
    ] = None
    hypothesis: Annotated[
        Text,
        EVIDENCE,
        about("Hypothesis that it tested; null without one"),
    ] = None
    verification_supports: Annotated[
        int | None, about("Number of stored items for the hypothesis; null without a test")
    ] = None
    verification_contradicts: Annotated[
        int | None, about("Number of stored items against the hypothesis; null without a test")
    ] = None
    is_private: Annotated[bool | None, HASHED, about("Whether only its own session may read it")]
    pinned: Annotated[bool | None, about("Whether it begins every context")] = None
    hot: Annotated[bool | None, about("Whether other thoughts may recall it")] = None
    standing: Standing = None
    session_id: Annotated[SessionOf, HASHED] = None
    chain_id: Annotated[LabelOf, HASHED] = None
    context_id: Annotated[Id | None, HASHED, about("Id of the context in which it was thought")] = None
    action_id: Annotated[ActionOf, HASHED] = None
    previous_thought_id: Annotated[Follows, HASHED] = None
    revises_thought: Annotated[Revises, HASHED] = None
    branch_from: Annotated[BranchesFrom, HASHED] = None
    parent_id: Annotated[Parent, HASHED] = None
    step_index: Annotated[StepOf, HASHED] = None
    created_at: Annotated[datetime | None, HASHED, about("When it was thought")]
    recorded_at: Annotated[RecordedAt, HASHED]
    expires_at: Annotated[datetime | None, HASHED, about("From when nobody reads it; null for never")] = None
    access_count: Annotated[AccessCount, LOCAL] = None
    last_accessed: LastAccessed = None
    outcome_score: Annotated[
        float | None, about("Latest outcome, from -1 (failure) to 1 (success); null without one")
    ] = None
    emotional_weight: Annotated[
        float | None, about("Emotional weight of the outcome, from -1 (bad) to 1 (good)")
    ] = None
    error_signature: Annotated[
        Text, about("Error that the text reports, without what varies; null if it reports none")
    ] = None
    injection_scale: Annotated[int | None, about("How much it recalled, from 0 to 5")] = None
    mass: Mass = None
    redacts: Annotated[Id | None, HASHED, about("Id of the thought that this step redacted")] = None
    redacted_at: Annotated[RedactedAt, EVIDENCE] = None
    redacted_reason: Annotated[Text, EVIDENCE, about("Why the text was removed")] = None
    content_hash: Annotated[str | None, EVIDENCE, about("SHA-256 of its hashed record")] = None
    prev_hash: Annotated[str | None, EVIDENCE, about("Chain hash of the step before")] = None
    chain_hash: Annotated[str | None, EVIDENCE, about("Hash of that and of its record together")] = None
    hash_version: Annotated[int | None, HASHED, about("Version of the hashed record")] = None
    key_id: Annotated[Id | None, EVIDENCE, about("Id of the key of its hash; null if it has none")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought(Kept, ThoughtMembers):
    """A thought as it is stored."""

    id: Annotated[StoredId, HASHED]
    namespace: Annotated[Namespace, HASHED]
    content: Annotated[Text, EVIDENCE, about("The whole text; absent from a redacted thought")]
    found_until: Annotated[
        datetime | None, LOCAL, about("`expires_at`, or the year 9999 for never: vector indexes hold no null")
    ] = None
    stored_at: Annotated[datetime | None, LOCAL, about("When it was written, by the server's clock")] = None
    chained: Annotated[
        bool | None, about("True if LegacyMind stored it without a session, or as a step of its chain")
    ] = None
    content_digest: Annotated[str | None, HASHED, about("SHA-256 of salt and content")] = None
    hypothesis_digest: Annotated[str | None, HASHED, about("SHA-256 of salt and hypothesis")] = None
    salt: Annotated[Text, EVIDENCE, about("Random bytes of the digests; absent after redaction")]
    hash_alg: Annotated[str | None, EVIDENCE, about("`sha256`, or `hmac-sha256` with a key")] = None
    curated: Annotated[
        str | None, about("`crystallised` or `dumped`, if the curator took it out of recall")
    ] = None
    curated_at: Annotated[datetime | None, about("When the curator did")] = None
    outcomes: Annotated[list[str] | None, about("Its outcomes")] = None
    pin_trust: Annotated[int | None, LOCAL, about("Trust of who pinned it")] = None
    playbook: Annotated[bool | None, about("Whether it solved an error that recalls it again")] = None
    injected_memories: Annotated[list[str] | None, about("Ids of what it recalled, in order")] = None
    injected_scores: Annotated[list[float] | None, about("Their scores")] = None
    pruned_at: Annotated[
        datetime | None, LOCAL, about("When maintenance last removed some of its `RECALLS`")
    ] = None
    verification: Annotated[
        list[str] | None, about("Evidence for or against its hypothesis, as lines of verdict, cosine and id")
    ] = None
    framework_enhanced: Annotated[bool | None, about("Whether frameworks analysed it")] = None
    framework_analysis: Annotated[Text, about("What they found, as JSON")] = None
    mentions_deferred: MentionsDeferred = None
    changed_at: ChangedAt = None
    noted_at: NotedAt = None
    replica: Replica = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMembers(Confirmed):
    """What every reader of an entity sees, but its data."""

    id: StoredId
    name: Annotated[str, about("Name")] = ""
    entity_type: EntityType = ""
    aliases: Annotated[list[str], LOCAL, LONG, about("Names of the entities that were merged into it")] = (
        field(default_factory=list[str])
    )
    description: Annotated[Text, about("Description; null without one")] = None
    valid_from: TrueFrom = None
    valid_to: TrueUntil = None
    recorded_at: RecordedAt = None
    access_count: Annotated[AccessCount, LOCAL] = None
    mass: Mass = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Kept, EntityMembers):
    """An entity as it is stored."""

    namespace: Namespace
    name_key: Annotated[str | None, about("Normalised name; unique with the type")] = None
    type_key: Annotated[str | None, about("Normalised type")] = None
    kind: Annotated[str | None, about("`entity`, or `alias` for a stub")] = None
    data: Annotated[Text, about("Other properties, as JSON")] = None
    last_accessed: LastAccessed = None
    mentions_deferred: MentionsDeferred = None
    merged_at: Annotated[datetime | None, about("Of a stub: when it was merged")] = None
    merged_by: Annotated[str | None, about("Of a stub: who merged it")] = None
    merged_reason: Annotated[Text, about("Of a stub: why")] = None
    merged_observations: Annotated[int | None, about("Of a stub: facts that it brought along")] = None
    merged_relations: Annotated[int | None, about("Of a stub: relations that it brought along")] = None
    stated_at: StatedAt = None
    changed_at: ChangedAt = None
    noted_at: NotedAt = None
    replica: Replica = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationMembers(Confirmed):
    """What every reader of a fact sees, but its id and its text."""

    source: Annotated[Source, LONG] = None
    standing: Standing = None
    valid_from: TrueFrom = None
    valid_to: TrueUntil = None
    recorded_at: RecordedAt = None
    access_count: Annotated[AccessCount, LOCAL] = None
    mass: Mass = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Kept, ObservationMembers):
    """A fact as it is stored."""

    id: StoredId
    namespace: Namespace
    content: Annotated[Text, about("Text of the fact")]
    title: Annotated[Text, about("Title")] = None
    entity_id: Annotated[str | None, about("Id of the entity that it is about")] = None
    fact_key: Annotated[str | None, about("Digest of the normalised text; unique for an entity")] = None
    kind: Annotated[str | None, about("`observation`, or `alias` for a stub")] = None
    last_accessed: LastAccessed = None
    merged_from: Annotated[str | None, about("Id of the entity before a merge")] = None
    merged_at: Annotated[datetime | None, about("Of a stub: when it was merged")] = None
    stated_at: StatedAt = None
    changed_at: ChangedAt = None
    noted_at: NotedAt = None
    replica: Replica = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session, and the head of its chain."""

    id: Annotated[str, about("Id, unique in its namespace")]
    namespace: Namespace
    created_at: Annotated[datetime | None, about("When it was stored")] = None
    head_id: Annotated[str | None, about("Id of its last step")] = None
    head_hash: Annotated[str | None, about("Chain hash of its last step")] = None
    head_step: Annotated[int | None, about("Number of its last step, from 0")] = None
    head_key_id: Annotated[str | None, about("Id of the key of that hash")] = None
    branches: Annotated[
        list[str] | None,
        about("Heads of what other machines continued: hash, step, id of the key or `-`, and id"),
    ] = None
    has_private: Annotated[bool | None, about("Whether it has private thoughts")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An act outside that thoughts led to."""

    id: Annotated[str, about("Id, unique in its namespace")]
    namespace: Namespace
    created_at: Annotated[datetime | None, about("When a thought first named it")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """The place where links wait for a thought that does not exist yet."""

    id: Annotated[str, about("Id of that thought")]
    namespace: Namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """What was forgotten or redacted, without its text, so that no other machine brings it back."""

    id: Annotated[str, about("Id of what was removed")]
    removed_at: Annotated[datetime | None, about("When it was removed")] = None


# --- relationships ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A relationship with the time when it was made."""

    created_at: Annotated[datetime | None, about("When it was made")] = None
    changed_at: ChangedAt = None
    noted_at: NotedAt = None
    replica: Replica = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Made):
    """A relationship that a merge may have moved."""

    merged_from: Annotated[str | None, about("Id of the stub that had it before a merge")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalls(Moved):
    """RECALLS: why a thought recalled a memory."""

    rank: Annotated[int | None, about("Place among what it recalled, from 1")] = None
    score: Annotated[float | None, about("Relevance, at most 1, with four decimals")] = None
    cosine: Annotated[float | None, about("Cosine with the thought")] = None
    part_similarity: Annotated[float | None, about("Addend of the weight; the cosine of knowledge")] = None
    part_recency: Annotated[float | None, about("Addend of the weight")] = None
    part_salience: Annotated[float | None, about("Addend of the weight")] = None
    part_access: Annotated[float | None, about("Addend of the weight")] = None
    part_contradiction: Annotated[float | None, about("Addend of the weight")] = None
    weight: Annotated[
        float | None,
        about("Sum of its parts, which decays; it decides between about equally relevant memories"),
    ] = None
    via: Annotated[str | None, about("How it was found, such as `vector` or `graph`")] = None
    copies: Annotated[int | None, about("Memories with nearly the same text, itself included")] = None
    revised_by: Annotated[str | None, about("Id of its latest revision then")] = None
    solved_by: Annotated[str | None, about("Id of its best solution then")] = None
    contradicted_by: Annotated[str | None, about("Id of what contradicted it then")] = None
    mode: Annotated[str | None, about("Mode of the thought")] = None
    scale: Annotated[int | None, about("Scale of the recall")] = None
    last_accessed: Annotated[datetime | None, about("When it was last recalled by it")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated(Moved):
    """A relationship that `relate_thought` makes."""

    weight: Annotated[float | None, about("Weight, from 0 to 1")] = None
    note: Annotated[Text, about("Why")] = None
    trust: Annotated[int | None, LOCAL, about("Trust of who made it; null if that of its first node")] = None
    by: ByOf = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lateral(Stated):
    """ASSOCIATES, REFERENCES and DEPENDS_ON."""

    made_by: Annotated[str | None, about("`knn` if an analysis found a similarity")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Stated):
    """REINFORCES and CONTRADICTS."""

    cosine: Annotated[float | None, about("Cosine with the hypothesis; null if `relate_thought` made it")] = (
        None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaits:
    """AWAITS: a link that waits for its target."""

    type: Annotated[str | None, about("Type of the link")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Related(Said):
    """A relation between two entities, of a type that a user named."""

    id: Annotated[str | None, about("Id, unique in the database")] = None
    source: Annotated[Source, LONG] = None
    recorded_at: RecordedAt = None
    valid_from: TrueFrom = None
    valid_to: TrueUntil = None
    supersedes: Annotated[str | None, about("Id of the relation that it replaced")] = None
    merged_from: Annotated[str | None, about("Id of the stub that had it before a merge")] = None
    changed_at: ChangedAt = None
    noted_at: NotedAt = None
    replica: Replica = None


# --- what consumers derive -------------------------------------------------------------------------

VERIFIED: Final = marked(Thought, HASHED, EVIDENCE)
"""The properties of a step that its verification reads."""

NODES: Final[dict[Kind, type]] = {"thought": Thought, "entity": Entity, "observation": Observation}

RECORDS: Final = (
    *NODES.values(),
    *(Session, Action, Pending),
    *(Recalls, Lateral, Evidence, Awaits, Related),
)
"""The nodes and the relationships with properties of their own."""


def local(*kinds: type) -> frozenset[str]:
    """Properties that belong to one database: an export leaves them out, because the import sets them."""
    return frozenset({"lock", "embedding_deferred"}).union(*(marked(kind, LOCAL) for kind in kinds))
