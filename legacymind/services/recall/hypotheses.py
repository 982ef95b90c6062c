"""Tests of hypotheses against stored knowledge."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from legacymind.embed.base import EmbedderInfo, Thresholds
from legacymind.model.think import BY_WORDING, NOTHING_NEAR, Evidence, Verification, VerificationTelemetry
from legacymind.origins import said_by
from legacymind.ranking.features import KnowledgeFeatures
from legacymind.settings import Settings
from legacymind.text.excerpts import excerpt
from legacymind.text.hypothesis import contradiction_regex, stance

_REVISE: Final = 0.4
"""Confidence below which a revision is suggested."""

_UNDECIDED: Final = "by wording, none of the {} nearest facts decides it; read them"

_NEAREST: Final = 3
"""Facts that are shown if none decides."""

_SHOWN: Final = 200
"""Characters of the hypothesis in an answer that is not verbose; the caller has the whole."""


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """The parameters of a test. ``text`` is embedded separately unless it is the thought's content."""

    text: str
    top_k: int
    min_similarity: float
    limit: int
    pattern: re.Pattern[str]
    persist: bool


def plan_test(
    hypothesis: str | None,
    content: str,
    *,
    requested: bool | None,
    top_k: int | None,
    min_similarity: float | None,
    limit: int | None,
    patterns: Sequence[str] | None,
    settings: Settings,
    thresholds: Thresholds,
) -> HypothesisTest | None:
    """The test of a thought's hypothesis; of its content when a test is requested without a hypothesis.

    None when ``requested`` is false, or when it is None and there is no hypothesis. Raises InvalidInput when
    there are too many patterns or one is too long.
    """
    if requested is False or (requested is None and hypothesis is None):
        return None
    min_similarity = settings.verify_min_sim if min_similarity is None else min_similarity
    return HypothesisTest(
        text=hypothesis or content,
        top_k=max(1, min(settings.verify_topk if top_k is None else top_k, settings.candidates)),
        min_similarity=thresholds.knowledge[1] if min_similarity is None else min_similarity,
        limit=settings.verify_evidence_limit if limit is None else limit,
        pattern=contradiction_regex(patterns),
        persist=settings.persist_verification,
    )


@dataclass(frozen=True, slots=True)
class Tested:
    """The evidence for and against a hypothesis, and its numbers, which include evidence beyond the limit.

    ``near`` is all that was compared, nearest first.
    """

    supporting: list[KnowledgeFeatures]
    contradicting: list[KnowledgeFeatures]
    supports: int
    contradicts: int
    near: list[KnowledgeFeatures]

    def properties(self) -> dict[str, Any]:
        """The properties that keep the result with the thought."""
        return {
            "verification": [
                f"{verdict} {round(node.cosine, 4)} {node.id}"
                for verdict, nodes in (("supports", self.supporting), ("contradicts", self.contradicting))
                for node in nodes
            ],
            "verification_supports": self.supports,
            "verification_contradicts": self.contradicts,
        }

    def verification(
        self, hypothesis: str, embedding: EmbedderInfo, seconds: float, *, verbose: bool
    ) -> Verification:
        """The result. Confidence is the share of supporting evidence, counted before it is cut."""
        total = self.supports + self.contradicts
        confidence = self.supports / total if total else None
        shown = 4 if verbose else 2
        return Verification(
            hypothesis=hypothesis if verbose else excerpt(hypothesis, _SHOWN),
            supporting=[_evidence(node, shown) for node in self.supporting],
            contradicting=[_evidence(node, shown) for node in self.contradicting],
            near=[] if total else [_evidence(node, shown) for node in self.near[:_NEAREST]],
            confidence_score=confidence and round(confidence, shown),
            suggested_revision=f"By wording only, {self.contradicts} of {total} pieces of evidence "
            "contradict it. Read them, and revise it if they do."
            if confidence is not None and confidence < _REVISE
            else None,
            basis=BY_WORDING if total else _UNDECIDED.format(len(self.near)) if self.near else NOTHING_NEAR,
            telemetry=VerificationTelemetry(
                embedding_dim=embedding.dimensions if verbose else None,
                provider=embedding.provider if verbose else None,
                model=embedding.model if verbose else None,
                time_ms=round(1000 * seconds) if verbose else None,
                matched_support=self.supports,
                matched_contradict=self.contradicts,
                candidates_after_similarity=len(self.near),
            ),
        )


def judge(test: HypothesisTest, nearest: Sequence[KnowledgeFeatures]) -> Tested:
    """Which of the nearest knowledge states a hypothesis and which contradicts it, by their words."""
    near = [node for node in nearest[: test.top_k] if node.cosine >= test.min_similarity]
    judged = [(node, stance(test.text, node.text, test.pattern)) for node in near]
    supporting = [node for node, verdict in judged if verdict == "supports"]
    contradicting = [node for node, verdict in judged if verdict == "contradicts"]
    limit = test.limit
    return Tested(supporting[:limit], contradicting[:limit], len(supporting), len(contradicting), near)


def _evidence(node: KnowledgeFeatures, shown: int) -> Evidence:
    return Evidence(
        id=node.id,
        kind=node.kind,
        text=node.text,
        similarity=round(node.cosine, shown),
        said_by=said_by(node.origin, node.door, node.trust),
    )
