"""From what the think statement returned to the response."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from legacymind.embed.base import EmbedderInfo
from legacymind.model import (
    ChainLink,
    Delegated,
    Links,
    LinksTelemetry,
    Memory,
    ScoreParts,
    ThinkResult,
    ThinkTelemetry,
)
from legacymind.queries import ThinkRow

if TYPE_CHECKING:
    from legacymind.services.thought import Thought

_NAMES = ("previous_thought_id", "revises_thought", "branch_from", "parent_id")


def build(
    thought: "Thought",
    stored: Mapping[str, Any],
    row: ThinkRow,
    embedding: EmbedderInfo,
    *,
    verbose: bool,
    repeated: bool = False,
) -> ThinkResult:
    """The response for a stored thought; ``repeated`` when an earlier call had stored it."""
    memories = [_memory(found, verbose=verbose) for found in row["memories"]]
    chained = stored.get("chain_hash") is not None
    return ThinkResult(
        mode_selected=stored["mode"],
        reason=thought.selection.reason,
        delegated_result=Delegated(
            thought_id=f"thoughts:{stored['id']}",
            embedding_model=embedding.model,
            embedding_dim=embedding.dimensions,
            memories_injected=len(memories),
        ),
        links=Links(
            session_id=stored.get("session_id"),
            chain_id=stored.get("chain_id"),
            previous_thought_id=_reference(stored, "previous_thought_id"),
            revises_thought=_reference(stored, "revises_thought"),
            branch_from=_reference(stored, "branch_from"),
            parent_id=_reference(stored, "parent_id"),
            action_id=stored.get("action_id"),
            confidence=stored.get("confidence"),
        ),
        telemetry=ThinkTelemetry(
            trigger_matched=thought.selection.trigger,
            heuristics=thought.selection.heuristics,
            links_telemetry=_links_telemetry(thought, stored, row),
            dropped_tags=thought.dropped_tags,
            threshold_knowledge=thought.reach.knowledge_threshold,
            threshold_thoughts=thought.reach.thoughts_threshold,
        ),
        memories=memories,
        enriched_content=(row["stored"] or {}).get("enriched_content", ""),
        memory_summary=_summary(memories, thought.reach.scale),
        chained=chained,
        chain=ChainLink(
            step_index=stored["step_index"],
            content_hash=stored["content_hash"],
            chain_hash=stored["chain_hash"],
            prev_hash=stored["prev_hash"],
        )
        if chained
        else None,
        repeated=repeated,
    )


def _reference(stored: Mapping[str, Any], name: str) -> str | None:
    value = stored.get(name)
    return None if value is None else f"thoughts:{value}"


def _links_telemetry(thought: "Thought", stored: Mapping[str, Any], row: ThinkRow) -> LinksTelemetry:
    # A repeated call is answered from what the first one stored, not from what it would link to now.
    missing = stored.get("awaits", [link["id"] for link in row["links"] if not link["found"]])
    fates = dict(thought.dropped)
    for name in _NAMES:
        target = stored.get(name)
        if target is None or name in fates:
            continue
        if name == "previous_thought_id" and thought.previous_thought_id is None:
            fates[name] = "automatic"
        else:
            fates[name] = "string" if target in missing else "record"
    return LinksTelemetry(**{name: fates.get(name) for name in _NAMES})


def _memory(found: dict[str, Any], *, verbose: bool) -> Memory:
    return Memory(
        id=found["id"],
        kind=found["kind"],
        text=found["text"],
        score=round(found["score"], 4),
        rank=found["rank"],
        created_at=found["created_at"],
        author=found["author"],
        cosine=round(found["cosine"], 4),
        via=found["via"],
        parts=ScoreParts(**{name: round(part, 4) for name, part in found["parts"].items()})
        if verbose
        else None,
    )


def _summary(memories: list[Memory], scale: int) -> str:
    if not memories:
        return f"Injected 0 memories from orbit {scale}"
    distance = sum(1 - memory.cosine for memory in memories) / len(memories)
    noun = "memory" if len(memories) == 1 else "memories"
    return f"Injected {len(memories)} {noun} from orbit {scale} (avg distance {distance:.2f})"
