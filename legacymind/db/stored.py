"""The properties of stored nodes, as they are written and read back."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, TypedDict

from legacymind.model.base import Mode, Submode

Slot = Literal["a", "b"]
"""One of the two places for the vectors of all nodes."""

SLOTS: Final[tuple[Slot, ...]] = ("a", "b")

Property = str | int | float | bool | datetime | list[str] | list[float] | None
"""A value that Neo4j stores as a property; None removes the property."""


class EmbeddingDetails(TypedDict, total=False):
    """When a node's vector in each slot was made, or the mark that one is still missing.

    The model is that of the slot, which the database's node describes. ``embedding_deferred`` names the slot
    whose vector the node still lacks, or is True for every slot.
    """

    embedding_deferred: bool | str | None
    embedding_a_at: datetime
    embedding_b_at: datetime


def active_slot(database: Mapping[str, Property]) -> Slot:
    """The slot whose vectors are searched, from the properties of the ``LegacyMind`` node."""
    return "b" if database.get("active_slot") == "embedding_b" else "a"


def other_slot(slot: Slot) -> Slot:
    """The slot beside this one."""
    return "b" if slot == "a" else "a"


class HashedThought(TypedDict):
    """The properties that a thought's content hash covers (``services.chain.hashing.HASHED``), but its step.

    ``redacts`` is the id of the thought that this step redacted.

    A null property is absent from a node read back whole, so read nullable ones with ``get``.
    """

    hash_version: int
    id: str
    namespace: str
    session_id: str | None
    thought_type: str
    mode: Mode
    origin: str
    author: str | None
    content_digest: str
    tags: list[str]
    confidence: float | None
    significance: float
    hypothesis: str | None
    hypothesis_digest: str | None
    created_at: datetime
    recorded_at: datetime
    previous_thought_id: str | None
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    action_id: str | None
    context_id: str | None
    chain_id: str | None
    submode: Submode | None
    is_private: bool
    redacts: str | None


class SealedThought(HashedThought):
    """A hashed thought with its content and its hashes.

    ``content``, ``salt`` and ``hypothesis`` are null after redaction; ``prev_hash`` and ``chain_hash``
    outside every chain.
    """

    content: str | None
    salt: str | None
    hash_alg: str
    key_id: str | None
    content_hash: str
    prev_hash: str | None
    chain_hash: str | None


class ChainedThought(SealedThought):
    """A thought of a session's chain."""

    step_index: int
    redacted_at: datetime | None


class StoredThought(SealedThought):
    """All properties that a thought is created with; ``step_index`` is null outside every chain."""

    step_index: int | None
    chained: Literal[True] | None

    ns_key: str
    title: str
    salience: float
    error_signature: str | None
    framework_enhanced: bool
    framework_analysis: str | None
    hot: bool
    pinned: bool
    standing: bool | None
    injection_scale: int
    access_count: int
