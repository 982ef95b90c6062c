"""Candidates of searches, and rows of lists, as hits."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal, TypedDict

from legacymind.db.values import to_datetime
from legacymind.model.base import MAX_CONTENT, Hit, Method, RankParts
from legacymind.ranking.dates import moment
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.memories import Successors
from legacymind.ranking.order import Place
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

_MOST_STEPS: Final = 2**31
"""Steps of a chain; a value above is not LegacyMind's."""


AnyHit = ThoughtHit | KnowledgeHit
"""A row of a list or a context."""


def read_length(rows: int) -> int:
    """The characters of each text that a statement returns; the best passage is chosen from them."""
    return max(_LEAST_READ, min(MAX_CONTENT, _READ // rows))


def mark_cut(found: Iterable[AnyHit | ListedThought | ListedKnowledge], length: int) -> None:
    """Add an ellipsis to texts that the statement cut at ``length`` characters."""
    for hit in found:
        if len(hit["text"]) == length:
            hit["text"] += "…"


def hit_of(
    place: Place, rank: int, changes: Successors, *, method: Method = "graph", explain: bool = False
) -> Hit:
    """The hit of a candidate in its place; Lucene's scores and cosines of nothing are not shown."""
    node = place.node
    text, score = node.text, round_score(None if method == "text" else place.score)
    hit = Hit(
        id=node.id,
        kind=node.kind,
        text=text if len(text) == node.length else f"{text}…",
        score=score,
        rank=rank,
        created_at=moment(node.created) if node.created else None,
        cosine=round_score(None if method == "text" else node.cosine),
        parts=RankParts(**{name: round(part, 3) for name, part in place.parts.items()})
        if explain and place.parts and method == "graph"
        else None,
        copies=place.copies if place.copies > 1 else None,
        standing=True if node.standing is True else None,
        revised_by=changes.revised_by,
        contradicted_by=changes.contradicted_by,
        solved_by=changes.solutions[0].id if changes.solutions else None,
    )
    if isinstance(node, ThoughtFeatures):
        return replace(
            hit,
            author=node.author,
            mode=node.mode,
            thought_type=node.thought_type,
            origin=node.origin,
            session_id=node.session_id,
            chain_id=node.chain_id,
            step_index=node.step if node.session_id is not None and node.step < _MOST_STEPS else None,
            confidence=node.confidence,
            outside_chain=None if node.chained else True,
        )
    name, entity_type = node.entity or (node.name, node.entity_type)
    return replace(
        hit,
        entity=name,
        entity_type=entity_type,
        valid_from=None if node.valid_from is None else moment(node.valid_from),
        valid_to=None if node.valid_to is None else end(moment(node.valid_to)),
    )


def to_hit(found: AnyHit, rank: int) -> Hit:
    """The hit of a row, with the text as it was read."""
    if found["kind"] == "thought":
        return Hit(
            id=found["id"],
            kind="thought",
            text=found["text"],
            score=round_score(found["score"]),
            rank=rank,
            created_at=to_datetime(found["created_at"]),
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
        entity=found["entity"],
        entity_type=found["entity_type"],
        valid_from=to_datetime(found["valid_from"]),
        valid_to=end(to_datetime(found["valid_to"])),
        standing=found["standing"],
        revised_by=found["revised_by"],
        contradicted_by=found["contradicted_by"],
    )
