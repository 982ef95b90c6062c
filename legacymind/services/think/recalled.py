"""What a thought recalled, as it was stored."""

from datetime import datetime
from typing import TypedDict

from legacymind.db.query import OverSlot, load
from legacymind.model.base import Kind, Mode, Submode


class RecallingThought(TypedDict):
    """The thought of an explained recall; ``embedded`` is whether it still has its vector."""

    id: str
    mode: Mode
    submode: Submode | None
    injection_scale: int | None
    recorded_at: datetime | None
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    redacted_at: datetime | None
    outside_chain: bool
    created_at: datetime
    text: str | None
    embedded: bool


class PrunedMemory(TypedDict):
    """A memory with no RECALLS relationship left; all but id, rank and score are null when it is private.

    ``via`` is ``fallback`` or ``session`` if it never had one, and else null.
    """

    rank: int
    score: float
    id: str
    kind: Kind | None
    text: str | None
    name: str | None
    entity_type: str | None
    created_at: datetime | None
    author: str | None
    standing: bool | None
    redacted_at: datetime | None
    via: str | None
    outside_chain: bool


class RecalledMemory(TypedDict):
    """A recalled memory with the parts of its score; ``merged_from`` is its id before a merge."""

    rank: int
    score: float
    id: str
    kind: Kind | None
    text: str | None
    name: str | None
    entity_type: str | None
    created_at: datetime | None
    author: str | None
    standing: bool | None
    redacted_at: datetime | None
    outside_chain: bool
    copies: int | None
    cosine: float | None
    part_similarity: float | None
    part_recency: float | None
    part_salience: float | None
    part_access: float | None
    part_contradiction: float | None
    via: str | None
    revised_by: str | None
    solved_by: str | None
    contradicted_by: str | None
    merged_from: str | None


class RecallRow(OverSlot):
    """A thought, null when there is none, and what it recalled."""

    thought: RecallingThought | None
    recalled: list[RecalledMemory]
    pruned: list[PrunedMemory]


READ_RECALL = load("search/read_recall", RecallRow, writes=False)
