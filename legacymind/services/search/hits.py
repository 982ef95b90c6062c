"""Rows of searches, whichever statement returned them, as hits."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypedDict, TypeVar, cast

from legacymind.db.values import to_datetime
from legacymind.model.base import MAX_CONTENT, Hit, RankParts
from legacymind.services.shared.entities import end
from legacymind.services.shared.scores import round_score


class ThoughtHit(TypedDict):
    """A thought; ``score`` is null when nothing was searched for. Times of hits are text."""

    id: str
    kind: Literal["thought"]
    text: str
    score: float | None
    created_at: str | None
    author: str | None
    mode: str | None
    thought_type: str | None
    origin: str | None
    session_id: str | None
    chain_id: str | None
    step_index: int | None
    confidence: float | None
    outside_chain: bool
    revised_by: str | None
    contradicted_by: str | None
    solved_by: str | None
    standing: bool | None


class NearThought(ThoughtHit):
    """A thought and its cosine with the query."""

    cosine: float


class KnowledgeHit(TypedDict):
    """An entity or observation; ``entity`` is the name of the entity it is or is about."""

    id: str
    kind: Literal["entity", "observation"]
    text: str
    score: float
    created_at: str | None
    entity: str | None
    entity_type: str | None
    valid_from: str | None
    valid_to: str | None
    standing: bool | None
    revised_by: str | None
    contradicted_by: str | None


class NearKnowledge(KnowledgeHit):
    """An entity or observation and its cosine with the query."""

    cosine: float


class ListedThought(ThoughtHit):
    """A thought in time; ``position`` is Unix seconds, nanoseconds, step and id."""

    position: tuple[int, int, int, str]


class ListedKnowledge(KnowledgeHit):
    """An entity or observation in time; ``position`` as that of a thought, with -1 for the step."""

    position: tuple[int, int, int, str]


_READ: Final = 1_000_000
"""Most characters of all texts that a statement returns."""

_LEAST_READ: Final = 2_000
"""Characters of each text that it returns in any case."""


AnyHit = ThoughtHit | NearThought | KnowledgeHit | NearKnowledge
"""A row of a search, whichever statement returned it."""

Hits = TypeVar("Hits", bound=AnyHit)


def each_once(hits: Iterable[Hits]) -> list[Hits]:
    """Each hit once, at its first place. A thought that came as a revision gets the parts of its own hit."""
    kept: dict[str, Hits] = {}
    for hit in hits:
        first = kept.get(hit["id"])
        kept[hit["id"]] = hit if first is None else cast("Hits", {**hit, "score": first["score"]})
    return list(kept.values())


def read_length(rows: int) -> int:
    """The characters of each text that a statement returns; the best passage is chosen from them."""
    return max(_LEAST_READ, min(MAX_CONTENT, _READ // rows))


def mark_cut(found: Iterable[AnyHit | ListedThought | ListedKnowledge], length: int) -> None:
    """Add an ellipsis to texts that the statement cut at ``length`` characters."""
    for hit in found:
        if len(hit["text"]) == length:
            hit["text"] += "…"


def to_hit(found: AnyHit, rank: int) -> Hit:
    """The hit of a result from a row of a search, with the text as it was read."""
    cosine = round_score(found["cosine"]) if "cosine" in found else None
    parts = cast("Mapping[str, float] | None", found.get("parts"))
    shown = RankParts(**{name: round(part, 3) for name, part in parts.items()}) if parts else None
    copies = cast("int | None", found.get("copies"))
    if found["kind"] == "thought":
        return Hit(
            id=found["id"],
            kind="thought",
            text=found["text"],
            score=round_score(found["score"]),
            rank=rank,
            created_at=to_datetime(found["created_at"]),
            cosine=cosine,
            parts=shown,
            copies=copies,
            author=found["author"],
            mode=found["mode"],
            thought_type=found["thought_type"],
            origin=found["origin"],
            session_id=found["session_id"],
            chain_id=found["chain_id"],
            step_index=found["step_index"],
            confidence=found["confidence"],
            revised_by=found["revised_by"],
            contradicted_by=found["contradicted_by"],
            solved_by=found["solved_by"],
            outside_chain=found["outside_chain"] or None,
            standing=found["standing"],
        )
    return Hit(
        id=found["id"],
        kind=found["kind"],
        text=found["text"],
        score=round_score(found["score"]),
        rank=rank,
        created_at=to_datetime(found["created_at"]),
        cosine=cosine,
        parts=shown,
        copies=copies,
        entity=found["entity"],
        entity_type=found["entity_type"],
        valid_from=to_datetime(found["valid_from"]),
        valid_to=end(to_datetime(found["valid_to"])),
        standing=found["standing"],
        revised_by=found["revised_by"],
        contradicted_by=found["contradicted_by"],
    )
