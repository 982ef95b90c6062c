"""Results of chains, decision records and trees."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Final

from legacymind.model.about import about
from legacymind.model.base import Answer, Camel, ChainVerdict, FaultKind, ListAnswer
from legacymind.model.members import (
    Branches,
    Deferred,
    DroppedTags,
    Id,
    OfSession,
    OfThought,
    OutsideChain,
    Parent,
    RedactedAt,
    Repeated,
    SaidBy,
    SessionOf,
    StepOf,
    Success,
    TypeOf,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFault(Camel):
    """A fault of a chain."""

    kind: Annotated[FaultKind, about("What is wrong")]
    step: Annotated[
        int | None,
        about("Step of the fault, the first one if steps are missing; null for a thought outside the chain"),
    ]
    thought_id: Annotated[
        Id | None, about("Id of the thought with the fault; null if no thought of the chain has it")
    ]
    fault: Annotated[str, about("What was found and what it means for the data, as a sentence")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReport(Camel, Answer):
    """The result of verifying a session's hash chain."""

    success: Success
    verdict: Annotated[ChainVerdict, about("Result in one word")]
    valid: Annotated[bool, about("Whether every stored step verifies")]
    complete: Annotated[
        bool, about("Whether the last step is the session's head, so that no later step was removed")
    ]
    message: Annotated[str, about("Result as a sentence")]
    session_id: OfSession
    thought_count: Annotated[int, about("Number of steps that were verified")]
    broken_at: Annotated[int | None, about("Step of the first fault; null without one")]
    broken_thought: Annotated[Id | None, about("Id of the thought with the first fault; null without one")]
    broken: Annotated[str | None, about("First fault, as a sentence; null without one")]
    faults: Annotated[list[ChainFault], about("First 100 faults, in the order of steps")]
    fault_count: Annotated[int, about("Number of all faults")]
    head_hash: Annotated[str | None, about("Chain hash of the session's head; null if it has none")]
    redacted: Annotated[int, about("Number of redacted thoughts")] = 0
    pending_links: Annotated[int, about("Number of links to thoughts that do not exist")] = 0
    keyed: Annotated[int, about("Number of steps that were hashed with a key")] = 0
    unkeyed: Annotated[int, about("Number of steps that were hashed without a key")] = 0
    known_head: Annotated[
        bool | None, about("Whether the history up to the given head is unchanged; null if none was given")
    ] = None


_WORST_FIRST: Final[tuple[ChainVerdict, ...]] = ("broken", "unverifiable", "truncated", "intact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The reports of many sessions, and what none of them shows.

    ``heads`` are the exports that they were compared with: the SHA-256 of each, by its name. ``unproven`` are
    the ids of thoughts that led to the verified action and are in no chain, ``unnamed`` what somebody made
    that belongs to no session with an id, in words.
    """

    reports: list[ChainReport]
    heads: dict[str, str]
    unproven: list[str]
    unnamed: list[str]

    @property
    def verdict(self) -> ChainVerdict:
        """The worst verdict of all; ``broken`` if thoughts are unproven or sessions unnamed."""
        own: ChainVerdict = "broken" if self.unproven or self.unnamed else "intact"
        found = {report.verdict for report in self.reports} | {own}
        return next(verdict for verdict in _WORST_FIRST if verdict in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedThought(Camel):
    """A recorded thought."""

    thought_id: OfThought
    thought_type: Annotated[str, about("Type, such as `plan` or `decision`")]
    step_index: Annotated[int, about("Place in the hash chain of the session, from 0")]
    content_hash: Annotated[str, about("First 16 characters of the hash of its record")]
    chain_hash: Annotated[str, about("First 16 characters of its chain hash")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordResult(Camel, Answer):
    """The result of recording a thought."""

    success: Success
    thought: Annotated[RecordedThought, about("The stored thought")]
    deferred: Deferred = False
    repeated: Repeated = False
    dropped_tags: DroppedTags = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactResult(Camel, Answer):
    """A redacted thought."""

    success: Success
    thought_id: OfThought
    redacted_at: Annotated[datetime, about("When its text was removed")]
    already: Annotated[bool, about("Whether it was redacted before this call")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtNode(Camel):
    """A thought in a tree."""

    thought_id: OfThought
    thought_type: TypeOf
    step_index: StepOf
    content: Annotated[
        str,
        about("Text, or its first 100 characters without `include_content`; empty for a redacted thought"),
    ]
    created_at: Annotated[datetime | None, about("When it was thought")]
    author: Annotated[str | None, about("Who thought it; null if nobody was named")]
    parent_id: Parent
    child_count: Annotated[int, about("Number of its children, also those that are not shown")]
    said_by: SaidBy = ""
    redacted_at: RedactedAt = None
    outside_chain: OutsideChain = None
    children: Annotated[
        list["ThoughtNode"],
        about("Thoughts below it, oldest first"),
    ] = field(default_factory=list["ThoughtNode"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtTree(Camel, ListAnswer):
    """A page of a session's thought trees."""

    success: Success
    count: Annotated[int, about("Number of thoughts in the session")]
    tree: Annotated[list[ThoughtNode], about("Thoughts at the top, in the order of steps")]
    branches: Branches = None


InNoChain = Annotated[
    bool | None,
    about("True if it is no step of a chain, so that nothing proves who wrote it or when; else null"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionThought(Camel):
    """A thought that led to an action."""

    thought_id: OfThought
    thought_type: TypeOf
    step_index: StepOf
    session_id: SessionOf
    content: Annotated[str, about("First 200 characters; empty for a redacted thought")]
    created_at: Annotated[datetime | None, about("When it was thought")]
    said_by: SaidBy = ""
    redacted_at: RedactedAt = None
    outside_chain: InNoChain = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionThoughts(Camel, ListAnswer):
    """A page of the thoughts that led to an action."""

    success: Success
    action_id: Annotated[Id, about("Id of the action")]
    count: Annotated[int, about("Number of thoughts on this page")]
    thoughts: Annotated[list[ActionThought], about("Thoughts of the page, in time")]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailThought(Camel):
    """A thought on a path to an action."""

    thought_id: OfThought
    thought_type: TypeOf
    content: Annotated[str, about("First 150 characters; empty for a redacted thought")]
    step_index: StepOf
    said_by: SaidBy = ""
    redacted_at: RedactedAt = None
    outside_chain: InNoChain = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningTrail(Camel, ListAnswer):
    """A page of paths from a root to each thought that led to an action."""

    success: Success
    action_id: Annotated[Id, about("Id of the action")]
    has_reasoning: Annotated[bool, about("Whether thoughts that you may read led to it")]
    trail_count: Annotated[int, about("Number of all paths that you may read")]
    trails: Annotated[
        list[list[TrailThought]], about("Paths, each from its root to a thought that led to the action")
    ]
    earlier: Annotated[
        list[int], about("For each path, the number of its thoughts next to the root that are not shown")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHead(Camel):
    """The last step of a session's hash chain."""

    session_id: OfSession
    step: Annotated[int, about("Index of the session's last step, from 0")]
    hash: Annotated[str, about("Chain hash of that step")]
    key_id: Annotated[Id | None, about("Id of the key of that hash; null if it has none")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyChain:
    """A session whose chain is not intact, and why."""

    namespace: str
    session_id: str
    verdict: ChainVerdict
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The verdicts on all chains of a database, and the first hundred that are not ``intact``."""

    sessions: int
    thoughts: int
    intact: int
    broken: int
    truncated: int
    unverifiable: int
    faulty: list[FaultyChain]

    @property
    def verdict(self) -> ChainVerdict:
        """The worst verdict, in the order of ``legacymind verify --all``; ``intact`` without a session."""
        if self.broken:
            return "broken"
        return "unverifiable" if self.unverifiable else "truncated" if self.truncated else "intact"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainHeads(Camel):
    """A page of a namespace's chain heads, to be stored elsewhere; signed if there is a key."""

    namespace: Annotated[str, about("Namespace of the sessions")]
    exported_at: Annotated[str, about("When the heads were read, in ISO 8601")]
    heads: Annotated[list[ChainHead], about("Heads, in the order of session ids")]
    headless: Annotated[
        list[Id], about("Ids of the sessions of the page without a sound head, as after tampering")
    ]
    next: Annotated[str | None, about("`after` of the next page; null on the last one")]
    key_id: Annotated[
        Id | None, about("Fingerprint of the signing key, as `ssh-keygen -l` shows it; null without one")
    ]
    digest: Annotated[
        str, about("SHA-256 of the canonical JSON (RFC 8785) of all members but this and `signature`")
    ]
    signature: Annotated[
        str | None,
        about("Of the same canonical JSON, as of `ssh-keygen -Y sign -n legacymind`; null without a key"),
    ]
