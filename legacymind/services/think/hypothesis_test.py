"""A hypothesis held against what is known: what is asked of the graph, and what its answer says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from legacymind.db.rows.think import EvidenceRow, VerificationRow
from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.model.think import Evidence, Verification, VerificationTelemetry
from legacymind.settings import Settings
from legacymind.text.contradiction import contradiction_regex

_UNDECIDED: Final = 0.5
"""Confidence without any evidence."""

_REVISE: Final = 0.4
"""Below this confidence a revision is suggested."""


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """What a hypothesis is tested with; ``text`` is embedded unless it is the thought itself."""

    text: str
    top_k: int
    min_similarity: float
    limit: int
    pattern: str
    persist: bool


def plan_test(
    hypothesis: str | None,
    content: str,
    *,
    wanted: bool | None,
    top_k: int | None,
    min_similarity: float | None,
    limit: int | None,
    patterns: Sequence[str] | None,
    settings: Settings,
    thresholds: Thresholds,
) -> HypothesisTest | None:
    """The trial of a thought's hypothesis, or of the thought itself when it is wanted without one.

    A hypothesis is tested unless ``wanted`` is false. Raises InvalidInput for patterns that are too many
    or too long.
    """
    if wanted is False or (wanted is None and hypothesis is None):
        return None
    least = settings.verify_min_sim if min_similarity is None else min_similarity
    return HypothesisTest(
        text=hypothesis or content,
        top_k=max(1, min(settings.verify_topk if top_k is None else top_k, settings.candidates)),
        min_similarity=thresholds.knowledge[1] if least is None else least,
        limit=settings.verify_evidence_limit if limit is None else limit,
        pattern=contradiction_regex(patterns),
        persist=settings.persist_verification,
    )


def verification(hypothesis: str, found: VerificationRow, info: EmbedderInfo, seconds: float) -> Verification:
    """What the evidence says: confidence is the share of what supports, counted before anything is cut."""
    supports, contradicts = found["supports"], found["contradicts"]
    total = supports + contradicts
    confidence = supports / total if total else _UNDECIDED
    evidence = [(_evidence(item), item["against"]) for item in found["evidence"]]
    return Verification(
        hypothesis=hypothesis,
        supporting=[item for item, against in evidence if not against],
        contradicting=[item for item, against in evidence if against],
        confidence_score=round(confidence, 4),
        suggested_revision=f"Revise it: {contradicts} of {total} pieces of evidence speak against it."
        if confidence < _REVISE
        else None,
        telemetry=VerificationTelemetry(
            embedding_dim=info.dimensions,
            provider=info.provider,
            model=info.model,
            time_ms=round(1000 * seconds),
            matched_support=supports,
            matched_contradict=contradicts,
            candidates_after_similarity=total,
        ),
    )


def _evidence(item: EvidenceRow) -> Evidence:
    return Evidence(
        id=item["id"], kind=item["kind"], text=item["text"], similarity=round(item["similarity"], 4)
    )
