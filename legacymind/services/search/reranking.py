"""Ordering the best hits of a search again, by a cross-encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from legacymind.embed.reranker import Reranker, RerankerFailed
from legacymind.services.search.hits import AnyHit, read_length
from legacymind.text import fulltext
from legacymind.text.excerpts import Passage

_TEXT: Final = 2_000
"""Characters of a text that the model reads, about the 512 tokens of its input."""

_DEEPEST: Final = 201
"""The most rows that a statement returns for a page that begins among the candidates."""


@dataclass(frozen=True, slots=True)
class Reranked:
    """Hits in their new order. ``scores`` are the model's, by id; ``note`` tells why there are none."""

    hits: list[AnyHit]
    scores: dict[str, float]
    note: str | None = None


async def rerank(reranker: Reranker, query: str, found: Sequence[AnyHit]) -> Reranked:
    """Order the first ``reranker.candidates`` of the hits, best first, by the model's scores.

    The places keep their scores, so that these do not rise from hit to hit. A revised thought stays below its
    latest revision. If the model fails, the hits keep their order and ``note`` has the reason. Raises
    ConfigurationError when the settings name no usable model.
    """
    window = list(found[: reranker.candidates])
    words = fulltext.word_stems(query)
    # All pages read the same texts, although a statement returns shorter texts if it returns more of them.
    texts = [Passage(_text(hit)[: read_length(_DEEPEST)], words).within(_TEXT) for hit in window]
    try:
        scores = await reranker.scores(query, texts) if len(window) > 1 else []
    except RerankerFailed as reason:
        return Reranked(list(found), {}, f"Not ordered by the re-ranker. {reason}")
    by_id = {hit["id"]: score for hit, score in zip(window, scores, strict=False)}
    order = _with_revisions(window, by_id)
    placed = [
        cast("AnyHit", {**hit, "score": place["score"]}) for hit, place in zip(order, window, strict=True)
    ]
    return Reranked([*placed, *found[len(window) :]], by_id)


def _text(hit: AnyHit) -> str:
    """A hit as the model reads it: with the author of a thought, or the entity of an observation."""
    subject = hit["author"] if hit["kind"] == "thought" else hit["entity"]
    if hit["kind"] == "entity" or not subject:
        return hit["text"]
    return f"{subject}: {hit['text']}"


def _with_revisions(window: Sequence[AnyHit], scores: dict[str, float]) -> list[AnyHit]:
    """The hits by score; what revises others, and is above them already, takes the best score of them all."""
    leaders: dict[str, str] = {}
    best = dict(scores)
    for hit in window:
        if hit["kind"] != "thought" or hit["id"] not in scores:
            continue
        leader = leaders.setdefault(hit["revised_by"] or hit["id"], hit["id"])
        best[leader] = max(best[leader], scores[hit["id"]])
    return sorted(window, key=lambda hit: -best.get(hit["id"], 0.0))
