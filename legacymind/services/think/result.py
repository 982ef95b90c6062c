"""The answer of think, from what was recalled and stored: small, with details if they are asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, TypedDict, cast

from legacymind.embed.base import EmbedderInfo
from legacymind.model.base import LINK_NAMES, MAX_CONTENT, REDACTED, Item, Mode
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
from legacymind.ranking.features import KnowledgeFeatures, ThoughtFeatures
from legacymind.services.recall.policy import RecallPolicy
from legacymind.services.shared import items, languages
from legacymind.services.shared.items import NodeRow
from legacymind.services.shared.scores import round_score
from legacymind.services.think.heads import HeadRow
from legacymind.services.think.parameters import Recollection
from legacymind.services.think.recalled import RecalledMemory
from legacymind.services.think.soft_limits import warnings
from legacymind.services.think.thought import Thought
from legacymind.settings import Settings
from legacymind.text.excerpts import title

_KNOWLEDGE_LINES, _THOUGHT_LINES = 5, 3
"""Memories of each kind in the enriched content."""


class LinkRow(TypedDict):
    """A link of a thought; ``found`` is whether its target exists."""

    name: str
    id: str
    found: bool


StoreVerdict = Literal["stored", "exists", "partial", "moved", "embedding"]
"""The outcome of an attempt to store thoughts; see think/store_thoughts.cypher."""


class StoredRow(TypedDict):
    """One thought of an attempt to store thoughts.

    ``kept`` are the ids of its memories that were still there.
    """

    verdict: StoreVerdict
    id: str
    head: HeadRow | None
    links: list[LinkRow]
    kept: list[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A memory in the enriched content."""

    is_thought: bool
    text: str


def of_new(
    thought: Thought,
    stored: StoredThought,
    recollection: Recollection,
    row: StoredRow,
    embedding: EmbedderInfo,
    seconds: float,
    settings: Settings,
    *,
    verbose: bool,
    deferred: bool,
) -> ThinkResult:
    """The answer for a thought that this call stored, with whole texts.

    Memories that were gone when it was stored are left out. ``seconds`` is the time of embedding, recall and
    storing together.
    """
    linked, kept = {link["id"] for link in row["links"]}, set(row["kept"])
    recalled = [memory for memory in recollection.memories if memory.node.id in kept]
    gone = sum(memory.node.id not in kept | linked for memory in recollection.memories)
    waiting = [link["id"] for link in row["links"] if not link["found"]]
    memories = [as_memory(memory, rank, verbose=verbose) for rank, memory in enumerate(recalled, 1)]
    answer = _stored(stored, memories, embedding, verbose=verbose)
    selection, analysis, tested = thought.selection, thought.analysis, recollection.tested
    return replace(
        answer,
        reason=selection.reason,
        telemetry=ThinkTelemetry(
            trigger_matched=selection.trigger if verbose else None,
            heuristics=selection.heuristics if verbose else None,
            links_telemetry=_links_telemetry(thought, stored, waiting, verbose=verbose),
            dropped_tags=thought.dropped_tags,
            threshold_knowledge=round(thought.policy.knowledge.threshold, 4) if verbose else None,
            threshold_thoughts=round(thought.policy.thoughts.threshold, 4) if verbose else None,
        ),
        enriched_content=_enriched(stored, map(_line, recalled)) if verbose else None,
        memory_summary=summary(memories, thought.policy) + _gone(gone),
        verification=tested
        and tested.verification(thought.hypothesis or thought.content, embedding, seconds, verbose=verbose),
        framework_analysis=analysis if verbose or analysis is None else replace(analysis, meta={}),
        deferred=deferred,
        warnings=[
            *_waiting_links(thought.namespace, stored, waiting),
            *_stated(recollection.stated),
            *_foreign(stored, embedding),
            *warnings(thought, memories),
        ],
    )


def of_known(
    stored: StoredThought,
    recalled: Sequence[RecalledMemory],
    embedding: EmbedderInfo,
    *,
    verbose: bool,
    deferred: bool,
) -> ThinkResult:
    """The answer of a repeated call: the stored thought, and its memories as they were stored."""
    known = [(memory, memory.node) for memory in recalled if memory.node]  # without deleted ones
    memories = [_memory(*each, rank, verbose=verbose) for rank, each in enumerate(known, 1)]
    return replace(
        _stored(stored, memories, embedding, verbose=verbose),
        reason="an earlier call stored it",
        enriched_content=_enriched(stored, [_stored_line(*each) for each in known]) if verbose else None,
        memory_summary=f"Recalled {len(memories)} when it was stored.",
        repeated=True,
        deferred=deferred,
    )


def _stored(
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
            previous_thought_id=_reference(stored.previous_thought_id),
            revises_thought=_reference(stored.revises_thought),
            branch_from=_reference(stored.branch_from),
            parent_id=_reference(stored.parent_id),
            action_id=stored.action_id,
            confidence=stored.confidence,
        ),
        telemetry=ThinkTelemetry(),
        memories=memories,
        enriched_content=None,
        memory_summary="",
        chained=chain is not None,
        chain=chain,
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


def _reference(value: str | None) -> str | None:
    return None if value is None else f"thoughts:{value}"


def _links_telemetry(
    thought: Thought, stored: StoredThought, waiting: Sequence[str], *, verbose: bool
) -> LinksTelemetry:
    states: dict[str, LinkFate | None] = dict.fromkeys(LINK_NAMES)
    states.update(thought.dropped)
    for name in LINK_NAMES:
        target = getattr(stored, name)
        if target is None or states[name] is not None:
            continue
        if name == "previous_thought_id" and thought.previous_thought_id is None:
            states[name] = "automatic" if verbose else None  # the usual way, and ``links`` has the thought
        else:
            states[name] = "string" if target in waiting else "record"
    return LinksTelemetry(**states)


def _waiting_links(namespace: str, stored: StoredThought, waiting: Sequence[str]) -> list[str]:
    """One sentence for each link whose target does not exist yet."""
    return [
        f"{name} waits: the namespace {namespace} has no thought {target} yet. The link is made when "
        "that thought is stored; if the id is wrong, think again with the right one."
        for name in LINK_NAMES
        if (target := getattr(stored, name)) is not None and target in waiting
    ]


def as_memory(memory: ranking.RankedMemory, rank: int, *, verbose: bool) -> Memory:
    """A recalled memory as answers have it."""
    node = memory.node
    return _sized(
        Memory(
            id=node.id,
            kind=node.kind,
            text=node.text,
            score=memory.score,
            rank=rank,
            created_at=None if node.created is None else moment(node.created),
            author=node.author,
            cosine=node.cosine,
            via=memory.via,
            copies=memory.copies,
            revised_by=memory.revised_by,
            solved_by=memory.solved_by,
            contradicted_by=memory.contradicted_by,
            standing=node.standing,
            parts=ScoreParts(**{name: round(part, 4) for name, part in memory.parts.items()}),
        ),
        verbose=verbose,
    )


def _memory(memory: RecalledMemory, node: NodeRow, rank: int, *, verbose: bool) -> Memory:
    """A memory of a stored thought."""
    edge = memory.edge
    return _sized(
        memory.record(
            Memory,
            node,
            MAX_CONTENT,
            score=memory.score,
            rank=rank,
            cosine=edge.get("cosine"),
            via=memory.via or "pruned",
            copies=edge.get("copies") or 1,
        ),
        verbose=verbose,
    )


def _sized(memory: Memory, *, verbose: bool) -> Memory:
    """The memory with rounded numbers; what only a verbose answer has is left out of others."""
    if verbose:
        return replace(memory, score=round(memory.score, 4), cosine=round_score(memory.cosine))
    score, cosine = round(memory.score, 2), None if memory.cosine is None else round(memory.cosine, 2)
    return replace(
        memory,
        score=score,
        rank=None,
        created_at=memory.created_at and memory.created_at.replace(microsecond=0),
        cosine=None if cosine == score else cosine,
        copies=memory.copies if memory.copies != 1 else None,
        parts=None,
    )


def _line(memory: ranking.RankedMemory) -> Line:
    node = memory.node
    if isinstance(node, KnowledgeFeatures):
        return _fact_line(node.cosine, node.text, node.name, node.entity_type)
    return Line(True, title(node.text))


def _stored_line(memory: RecalledMemory, node: NodeRow) -> Line:
    item, properties = items.record(Item, node, MAX_CONTENT), node["properties"]
    text = item.text or REDACTED
    if item.kind == "thought":
        return Line(True, title(text))
    cosine = memory.edge.get("cosine") or memory.score
    return _fact_line(cosine, text, properties.get("name"), properties.get("entity_type"))


def _fact_line(cosine: float, text: str, name: str | None, entity_type: str | None) -> Line:
    return Line(False, f"({cosine:.2f}) {name or title(text)}{f' [{entity_type}]' if entity_type else ''}")


def _enriched(stored: StoredThought, recalled: Iterable[Line]) -> str:
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
