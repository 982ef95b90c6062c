"""The response of think, from what was recalled and stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypedDict, cast

from legacymind.db.values import to_datetime
from legacymind.embed.base import EmbedderInfo
from legacymind.model.base import LINK_NAMES, Kind
from legacymind.model.stored import Thought as StoredThought
from legacymind.model.think import (
    ChainLink,
    Delegated,
    LinkFate,
    Links,
    LinksTelemetry,
    Memory,
    ScoreParts,
    ThinkResult,
    ThinkTelemetry,
)
from legacymind.ranking import memories as ranking
from legacymind.ranking.dates import moment
from legacymind.ranking.features import ThoughtFeatures
from legacymind.services.recall.policy import RecallPolicy
from legacymind.services.shared import languages
from legacymind.services.shared.scores import round_score
from legacymind.services.think import hypotheses
from legacymind.services.think.heads import HeadRow
from legacymind.services.think.hypotheses import EvidenceRow
from legacymind.services.think.parameters import Recollection
from legacymind.services.think.soft_limits import CrowdedRow, warnings
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings


class LinkRow(TypedDict):
    """A link of a thought; ``found`` is whether its target exists."""

    name: str
    id: str
    found: bool


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


class EarlierRow(TypedDict):
    """A thought that an earlier call stored, with what it recalled; ``stored``: null if it is private."""

    stored: dict[str, Any] | None
    awaits: list[str]
    memories: list[MemoryRow]
    evidence: list[EvidenceRow]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What think recalled and stored: now, or if ``repeated`` in an earlier call."""

    stored: StoredThought
    memories: list[Memory]
    tested: hypotheses.FoundEvidence | None
    enriched_content: str
    waiting: Sequence[str] = ()
    """Targets of its links that do not exist yet."""
    crowded: Sequence[CrowdedRow] = ()
    nodes: int = 0
    repeated: bool = False
    gone: int = 0
    """Memories that were deleted, redacted or made private between recall and storing."""
    stated: ThoughtFeatures | None = None
    """The latest thought of the session with the same text."""


def outcome(stored: StoredThought, recollection: Recollection, row: StoredRow) -> Outcome:
    """The outcome of a call that stored a thought. Memories that were gone by then are left out."""
    kept, tested = set(row["kept"]), recollection.tested
    linked = {link["id"] for link in row["links"]}
    memories = [memory for memory in recollection.memories if memory.node.id in kept]
    return Outcome(
        stored,
        [as_memory(memory, rank) for rank, memory in enumerate(memories, 1)],
        tested and tested.found(),
        row["enriched_content"] or "",
        [link["id"] for link in row["links"] if not link["found"]],
        row["crowded"],
        row["nodes"],
        gone=sum(memory.node.id not in kept | linked for memory in recollection.memories),
        stated=recollection.stated,
    )


def outcome_again(stored: StoredThought, row: EarlierRow) -> Outcome:
    """The outcome of the call that stored a thought first."""
    supports = stored.verification_supports
    contradicts = stored.verification_contradicts
    tested = None
    if supports is not None and contradicts is not None:
        tested = hypotheses.FoundEvidence(supports, contradicts, None, row["evidence"])
    return Outcome(
        stored,
        [_memory(found) for found in row["memories"]],
        tested,
        stored.enriched_content or "",
        row["awaits"],
        repeated=True,
    )


def build(
    thought: Thought,
    found: Outcome,
    embedding: EmbedderInfo,
    seconds: float,
    settings: Settings,
    *,
    deferred: bool = False,
) -> ThinkResult:
    """The complete response for a stored thought, with whole texts.

    ``seconds`` is the time of embedding, recall and storing together.
    """
    stored, memories = found.stored, found.memories
    chain = _chain(stored)
    return ThinkResult(
        namespace=thought.namespace,
        mode_selected=thought.selection.mode,
        reason=thought.selection.reason,
        delegated_result=Delegated(
            thought_id=f"thoughts:{stored.id}",
            embedding_model=embedding.model,
            embedding_dim=embedding.dimensions,
            memories_injected=len(memories),
        ),
        links=Links(
            session_id=stored.session_id,
            chain_id=stored.chain_id,
            previous_thought_id=_reference(stored.previous_thought_id),
            revises_thought=_reference(stored.revises_thought),
            branch_from=_reference(stored.branch_from),
            parent_id=_reference(stored.parent_id),
            action_id=stored.action_id,
            confidence=stored.confidence,
        ),
        telemetry=ThinkTelemetry(
            trigger_matched=thought.selection.trigger,
            heuristics=thought.selection.heuristics,
            links_telemetry=_links_telemetry(thought, found),
            dropped_tags=thought.dropped_tags,
            threshold_knowledge=round(thought.policy.knowledge.threshold, 4),
            threshold_thoughts=round(thought.policy.thoughts.threshold, 4),
        ),
        memories=memories,
        enriched_content=found.enriched_content,
        memory_summary=summary(memories, thought.policy, chain) + _gone(found.gone),
        chained=chain is not None,
        chain=chain,
        verification=None
        if found.tested is None
        else hypotheses.verification(thought.hypothesis or thought.content, found.tested, embedding, seconds),
        framework_analysis=thought.analysis,
        repeated=found.repeated,
        deferred=deferred,
        warnings=[
            *_waiting_links(thought, found),
            *_stated(found),
            *_foreign(stored, embedding),
            *warnings(thought, found.crowded, found.nodes, memories, settings),
        ],
    )


def _stated(found: Outcome) -> list[str]:
    """A hint if the session had the same text: the client may have repeated a call that it gave up."""
    if found.stated is None:
        return []
    before = datetime.fromtimestamp(found.stated.created / 1e6, UTC)
    return [
        f"This session has the same text already: {found.stated.id} of "
        f"{before:%Y-%m-%d %H:%M:%S} UTC. If an earlier call seemed to fail, it was stored. With an "
        "idempotency_key, a repeated call stores nothing."
    ]


def _foreign(stored: StoredThought, embedding: EmbedderInfo) -> list[str]:
    """A hint, once in a session, if the model does not know the language of the thought."""
    hint = None if stored.step_index else languages.hint(stored.content or "", embedding)
    return [] if hint is None else [hint]


def _chain(stored: StoredThought) -> ChainLink | None:
    """The thought's place in its chain; None outside every chain."""
    step, record, chain, previous = (
        stored.step_index,
        stored.content_hash,
        stored.chain_hash,
        stored.prev_hash,
    )
    if step is None or record is None or chain is None or previous is None:
        return None
    return ChainLink(step_index=step, content_hash=record, chain_hash=chain, prev_hash=previous)


def _reference(value: str | None) -> str | None:
    return None if value is None else f"thoughts:{value}"


def _links_telemetry(thought: Thought, found: Outcome) -> LinksTelemetry:
    # A repeated call reports the links that the first call stored, not those it would make now.
    states: dict[str, LinkFate | None] = dict.fromkeys(LINK_NAMES)
    states.update(thought.dropped)
    for name in LINK_NAMES:
        target = getattr(found.stored, name)
        if target is None or states[name] is not None:
            continue
        if name == "previous_thought_id" and thought.previous_thought_id is None:
            states[name] = "automatic"
        else:
            states[name] = "string" if target in found.waiting else "record"
    return LinksTelemetry(**states)


def _waiting_links(thought: Thought, found: Outcome) -> list[str]:
    """One sentence for each link whose target does not exist yet."""
    return [
        f"{name} waits: the namespace {thought.namespace} has no thought {target} yet. The link is made when "
        "that thought is stored; if the id is wrong, think again with the right one."
        for name in LINK_NAMES
        if (target := getattr(found.stored, name)) is not None and target in found.waiting
    ]


def as_memory(memory: ranking.RankedMemory, rank: int) -> Memory:
    """A recalled memory as results have it."""
    node = memory.node
    return Memory(
        id=node.id,
        kind=node.kind,
        text=node.text,
        score=round(memory.score, 4),
        rank=rank,
        created_at=None if node.created is None else moment(node.created),
        author=node.author,
        cosine=round_score(node.cosine),
        via=memory.via,
        copies=memory.copies,
        revised_by=memory.revised_by,
        solved_by=memory.solved_by,
        contradicted_by=memory.contradicted_by,
        standing=node.standing,
        parts=ScoreParts(**{name: round(part, 4) for name, part in memory.parts.items()}),
    )


def _memory(found: MemoryRow) -> Memory:
    parts = cast("dict[str, float | None]", found["parts"])
    known = {name: round(part, 4) for name, part in parts.items() if part is not None}
    return Memory(
        id=found["id"],
        kind=found["kind"],
        text=found["text"],
        score=round(found["score"], 4),
        rank=found["rank"],
        created_at=to_datetime(found["created_at"]),
        author=found["author"],
        cosine=round_score(found["cosine"]),
        via=found["via"],
        copies=found["copies"],
        revised_by=found["revised_by"],
        solved_by=found["solved_by"],
        contradicted_by=found["contradicted_by"],
        standing=found["standing"],
        parts=ScoreParts(**known) if len(known) == len(parts) else None,
    )


def summary(memories: list[Memory], policy: RecallPolicy, chain: ChainLink | None = None) -> str:
    """Sentences on what came to mind; ``chain`` is the place of a stored thought in its session."""
    return _related(memories, policy) + _session(memories, policy, chain)


def _gone(count: int) -> str:
    """A sentence on memories that did not last until the thought was stored, if any."""
    if not count:
        return ""
    return f" Left out {count} that {'was' if count == 1 else 'were'} removed meanwhile."


def _related(found: list[Memory], policy: RecallPolicy) -> str:
    """A sentence on the memories apart from those of the session."""
    scale = f"scale {policy.scale}"
    memories = [memory for memory in found if memory.via != "session"]
    if not memories:
        if not policy.recalls:
            return f"Recall is off ({scale})."
        return f"No related memories{_within(policy.window)} ({scale})."
    cosines = [memory.cosine for memory in memories if memory.cosine is not None]
    distance = sum(1 - cosine for cosine in cosines) / max(len(cosines), 1)
    noun = "memory" if len(memories) == 1 else "memories"
    return f"Recalled {len(memories)} {noun} ({scale}, mean distance {distance:.2f})."


def _session(memories: list[Memory], policy: RecallPolicy, chain: ChainLink | None) -> str:
    """A sentence on the thoughts of the session that come in addition; empty if there are none."""
    added = sum(memory.via == "session" for memory in memories)
    if not added:
        return ""
    before = chain.step_index if chain else 0
    longer = f" The session has {before} earlier thoughts; thoughts_thread lists all."
    noun = "thought" if added == 1 else "thoughts"
    return f" Added {added} {noun} of the session.{longer if before > policy.session else ''}"


def _within(window: timedelta | None) -> str:
    return "" if window is None else f" within {_length(window)}"


def _length(window: timedelta) -> str:
    if window.days > 1:
        return f"{window.days} days"
    minutes = window // timedelta(minutes=1)
    return f"{minutes // 60} hours" if minutes >= 60 else f"{minutes} minutes"
