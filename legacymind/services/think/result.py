"""The answer of think, from what was recalled and stored: small, with details if they are asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from legacymind.embed.base import EmbedderInfo
from legacymind.model.base import Mode
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
from legacymind.origins import said_by
from legacymind.ranking import memories as ranking
from legacymind.ranking.dates import moment
from legacymind.ranking.features import KnowledgeFeatures, ThoughtFeatures
from legacymind.services.recall.policy import RecallPolicy
from legacymind.services.recall.recall import Recalled
from legacymind.services.shared import languages
from legacymind.services.shared.items import round_score
from legacymind.services.think.attempt import StoredRow
from legacymind.services.think.thought import Thought
from legacymind.text.excerpts import title

MOST_BYTES: Final = 32_768
MOST_MEMORIES: Final = 50

_KNOWLEDGE_LINES, _THOUGHT_LINES = 5, 3
"""Memories of each kind in the enriched content."""


@dataclass(frozen=True, slots=True)
class Line:
    """A memory in the enriched content."""

    is_thought: bool
    text: str


def of_new(
    thought: Thought,
    recalled: Recalled,
    row: StoredRow,
    embedding: EmbedderInfo,
    seconds: float,
    *,
    verbose: bool,
) -> ThinkResult:
    """The answer for a hashed thought that this call stored, with whole texts.

    Memories that were gone when it was stored are left out. ``seconds`` is the time of embedding, recall and
    storing together.
    """
    linked, kept = {link["id"] for link in thought.links}, set(row.kept)
    kept.update(memory.node.id for memory in recalled.memories if memory.namespace)  # of no statement
    ranked = [memory for memory in recalled.memories if memory.node.id in kept]
    gone = sum(memory.node.id not in kept | linked for memory in recalled.memories)
    memories = [as_memory(memory, rank, verbose=verbose) for rank, memory in enumerate(ranked, 1)]
    selection, analysis, tested = thought.selection, thought.analysis, recalled.tested
    return replace(
        stored_answer(thought, memories, embedding, verbose=verbose),
        reason=selection.reason,
        telemetry=ThinkTelemetry(
            trigger_matched=selection.trigger if verbose else None,
            heuristics=selection.heuristics if verbose else None,
            links_telemetry=_links_telemetry(thought, row.waiting, verbose=verbose),
            dropped_tags=thought.dropped_tags,
            threshold_knowledge=round(thought.policy.knowledge.threshold, 4) if verbose else None,
            threshold_thoughts=round(thought.policy.thoughts.threshold, 4) if verbose else None,
        ),
        enriched_content=enriched(thought, map(_line, ranked)) if verbose else None,
        memory_summary=summary(memories, thought.policy) + _follows(thought, recalled) + _gone(gone),
        verification=tested
        and tested.verification(thought.hypothesis or thought.content, embedding, seconds, verbose=verbose),
        framework_analysis=analysis if verbose or analysis is None else replace(analysis, meta={}),
        deferred=thought.vector is None,
        warnings=[
            *_waiting_links(thought, row.waiting),
            *_revised(row.revised),
            *_stated(recalled.stated),
            *_foreign(thought, embedding),
            *_limits(thought, memories),
        ],
    )


def stored_answer(
    stored: StoredThought, memories: list[Memory], embedding: EmbedderInfo, *, verbose: bool
) -> ThinkResult:
    """What every answer has of a stored thought."""
    chain = _chain(stored, verbose=verbose)
    return ThinkResult(
        namespace=stored.namespace or "",
        mode_selected=cast("Mode", stored.mode),
        reason="",
        delegated_result=Delegated(
            thought_id=f"thoughts:{stored.id}",
            embedding_model=embedding.model if verbose else None,
            embedding_dim=embedding.dimensions if verbose else None,
            memories_injected=len(memories),
        ),
        links=Links(
            session_id=stored.session_id,
            chain_id=stored.chain_id,
            previous_thought_id=stored.previous_thought_id,
            revises_thought=stored.revises_thought,
            branch_from=stored.branch_from,
            parent_id=stored.parent_id,
            action_id=stored.action_id,
            confidence=stored.confidence,
        ),
        telemetry=ThinkTelemetry(),
        memories=memories,
        enriched_content=None,
        memory_summary="",
        chained=chain is not None,
        chain=chain,
        standing=stored.standing,
    )


def _stated(stated: ThoughtFeatures | None) -> list[str]:
    """A hint if the session had the same text: the client may have repeated a call that it gave up."""
    if stated is None:
        return []
    before = datetime.fromtimestamp(stated.created / 1e6, UTC)
    return [
        f"This session has the same text already: {stated.id} of "
        f"{before:%Y-%m-%d %H:%M:%S} UTC. If an earlier call seemed to fail, it was stored. With an "
        "idempotency_key, a repeated call stores nothing."
    ]


def _foreign(stored: StoredThought, embedding: EmbedderInfo) -> list[str]:
    """A hint, once in a session, if the model does not know the language of the thought."""
    hint = None if stored.step_index else languages.hint(stored.content or "", embedding)
    return [] if hint is None else [hint]


def _chain(stored: StoredThought, *, verbose: bool) -> ChainLink | None:
    """The thought's place in its chain; None outside every chain."""
    step, chain = stored.step_index, stored.chain_hash
    if step is None or chain is None:
        return None
    link = ChainLink(step_index=step, chain_hash=chain)
    return replace(link, content_hash=stored.content_hash, prev_hash=stored.prev_hash) if verbose else link


def _links_telemetry(thought: Thought, waiting: Sequence[str], *, verbose: bool) -> LinksTelemetry:
    fates: dict[str, LinkFate | None] = {
        link["name"]: "string" if link["id"] in waiting else "record" for link in thought.links
    }
    fates.update(thought.fates)
    if not verbose and fates.get("previous_thought_id") == "automatic":
        del fates["previous_thought_id"]  # the usual way, and ``links`` has the thought
    return LinksTelemetry(**fates)


def _waiting_links(thought: Thought, waiting: Sequence[str]) -> list[str]:
    """One sentence for each link whose target does not exist yet."""
    return [
        f"{link['name']} waits: the namespace {thought.namespace} has no thought {link['id']} yet. The link "
        "is made when that thought is stored; if the id is wrong, think again with the right one."
        for link in thought.links
        if link["id"] in waiting
    ]


def _revised(revised: Sequence[Sequence[str]]) -> list[str]:
    """One sentence if another thought had revised the same one already."""
    return [
        f"{wrong} was revised before, by {by}. Both revisions stand; if this one replaces that, "
        "revise it too."
        for wrong, by in revised
    ]


def as_memory(memory: ranking.RankedMemory, rank: int, *, verbose: bool) -> Memory:
    """A recalled memory as answers have it."""
    node = memory.node
    return sized(
        Memory(
            id=node.id,
            kind=node.kind,
            text=node.text,
            score=memory.score,
            rank=rank,
            created_at=None if node.created is None else moment(node.created),
            said_by=said_by(node.origin, node.door, node.trust),
            author=node.author,
            cosine=node.cosine,
            via=memory.via,
            copies=memory.copies,
            revised_by=memory.revised_by,
            solved_by=memory.solved_by,
            contradicted_by=memory.contradicted_by,
            standing=node.standing,
            namespace=memory.namespace,
            parts=ScoreParts(**{name: round(part, 4) for name, part in memory.parts.items()}),
        ),
        verbose=verbose,
    )


def sized(memory: Memory, *, verbose: bool) -> Memory:
    """The memory with rounded numbers; what only a verbose answer has is left out of others."""
    if verbose:
        return replace(memory, score=round(memory.score, 4), cosine=round_score(memory.cosine))
    score, cosine = round(memory.score, 2), None if memory.cosine is None else round(memory.cosine, 2)
    return replace(
        memory,
        score=score,
        created_at=memory.created_at and memory.created_at.replace(microsecond=0),
        cosine=None if cosine == score else cosine,
        copies=memory.copies if memory.copies != 1 else None,
        parts=None,
    )


def _line(memory: ranking.RankedMemory) -> Line:
    node = memory.node
    if isinstance(node, KnowledgeFeatures):
        return fact_line(node.cosine, node.text, node.name, node.entity_type)
    return Line(True, title(node.text))


def fact_line(cosine: float, text: str, name: str | None, entity_type: str | None) -> Line:
    """The line of an entity or a fact in the enriched content."""
    return Line(False, f"({cosine:.2f}) {name or title(text)}{f' [{entity_type}]' if entity_type else ''}")


def enriched(stored: StoredThought, recalled: Iterable[Line]) -> str:
    """The strongest memories as text. It is made when it is asked for: nothing stored repeats their texts."""
    lines = list(recalled)
    if not lines:
        return ""
    text = f"Submode: {stored.submode}\n" if stored.submode else ""
    for heading, most, kind in (
        ("Nearby entities", _KNOWLEDGE_LINES, False),
        ("Earlier thoughts", _THOUGHT_LINES, True),
    ):
        shown = [line.text for line in lines if line.is_thought is kind][:most]
        text += "".join(f"{line}\n" for line in (f"{heading}:", *(f"- {one}" for one in shown)) if shown)
    return text


def _follows(thought: Thought, recalled: Recalled) -> str:
    """A sentence on the thought before it, if that would be a memory otherwise."""
    before = [one for one in recalled.related if one.id == thought.previous_thought_id]
    return f" Follows: {title(before[0].text)}" if before else ""


def _gone(count: int) -> str:
    """A sentence on memories that did not last until the thought was stored, if any."""
    if not count:
        return ""
    return f" Left out {count} that {'was' if count == 1 else 'were'} removed meanwhile."


def summary(memories: list[Memory], policy: RecallPolicy) -> str:
    """A sentence on what came to mind."""
    scale = f"scale {policy.scale}"
    if not memories:
        if not policy.recalls:
            return f"Recall is off ({scale})."
        return f"No related memories{_within(policy.window)} ({scale})."
    cosines = [memory.cosine for memory in memories if memory.cosine is not None]
    distance = sum(1 - cosine for cosine in cosines) / max(len(cosines), 1)
    noun = "memory" if len(memories) == 1 else "memories"
    return f"Recalled {len(memories)} {noun} ({scale}, mean distance {distance:.2f})."


def _within(window: timedelta | None) -> str:
    return "" if window is None else f" within {_length(window)}"


def _length(window: timedelta) -> str:
    if window.days > 1:
        return f"{window.days} days"
    minutes = window // timedelta(minutes=1)
    return f"{minutes // 60} hours" if minutes >= 60 else f"{minutes} minutes"


def _limits(thought: Thought, memories: Sequence[Memory]) -> list[str]:
    """One sentence for each soft limit that is exceeded, with the number and the limit."""
    sentences: list[str] = []
    size = len(thought.content.encode())
    if size > MOST_BYTES:
        sentences.append(
            f"The thought has more than {MOST_BYTES:,} bytes ({size:,}). Recall is more precise if each "
            "matter is a thought of its own."
        )
    if len(memories) > MOST_MEMORIES:
        sentences.append(
            f"The thought recalled more than {MOST_MEMORIES} memories ({len(memories)}). Think at a lower "
            "injection_scale."
        )
    return sentences
