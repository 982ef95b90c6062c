"""Input of a thought: the parameters of every operation that thinks, declared once."""

from datetime import datetime
from typing import Annotated, Required

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict  # pydantic reads typing's from Python 3.12 on only

from legacymind.model.base import Mode, Submode
from legacymind.operations.coercion import Tags, Unit, Words, clamped, whole


class ThinkOptions(TypedDict, total=False):
    """Parameters of a thought apart from its content. All are optional."""

    __pydantic_config__ = ConfigDict(extra="forbid", hide_input_in_errors=True)  # pyright: ignore[reportGeneralTypeIssues]

    injection_scale: Annotated[
        int | None, whole(0, 5), Field(description="How far to recall: 0 nothing … 5 everything")
    ]
    tags: Tags | None
    significance: Unit | None
    session_id: str | None
    chain_id: Annotated[str | None, Field(description="A label that groups thoughts")]
    previous_thought_id: Annotated[str | None, Field(description="Default: the session's latest")]
    revises_thought: str | None
    branch_from: str | None
    parent_id: str | None
    confidence: Unit | None
    hypothesis: Annotated[str | None, Field(description="Held against what is known")]
    needs_verification: Annotated[bool | None, Field(description="Default: with a hypothesis")]
    verify_top_k: Annotated[int | None, whole(1, 500)]
    min_similarity: Annotated[float | None, clamped(-1, 1), Field(description="Of evidence")]
    evidence_limit: Annotated[int | None, whole(0, 100)]
    contradiction_patterns: Words | None
    include_contradictions: Annotated[bool | None, Field(description="Recall what contradicts, too")]
    submode: Submode | None
    thought_type: Annotated[str | None, Field(description="Any word; default: the mode")]
    author: str | None
    action_id: Annotated[str | None, Field(description="The act this thought leads to")]
    context_id: str | None
    is_private: Annotated[bool | None, Field(description="Recalled in its own session only")]
    created_at: Annotated[datetime | None, Field(description="For imports; recalls only earlier")]
    idempotency_key: Annotated[str | None, Field(description="Repeats return the first result")]
    namespace: str | None


class ThoughtInput(ThinkOptions, total=False):
    """One thought of a batch."""

    content: Required[str]
    hint: str | None


class ThoughtDraft(ThoughtInput, total=False):
    """Parameters for internal callers.

    ``among`` has the allowed modes, the default first. ``enhance=False`` runs no frameworks.
    """

    among: tuple[Mode, ...]
    enhance: bool
    origin: str | None
    id: str | None
