"""The ranking of thoughts: every signal is standardised over the candidates, and they are added up.

Full text finds names and numbers that a vector blurs; vectors find the same meaning in other words; the
thought next to a good hit in a session is often the answer. Fusing by rank alone was worse than full text.
The weights are measured on conversations (docs/memory/search.md).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from legacymind.ranking.dates import date_match
from legacymind.ranking.features import BEGINNING, Node, Ranked, ThoughtFeatures
from legacymind.ranking.sums import bounded, standardised
from legacymind.ranking.words import Floats, word_sums
from legacymind.text.query_analysis import Question


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """The weights of signals, each standardised over the candidates.

    A score is the cosine that is as many deviations above the mean as the weighted mean of the signals.
    ``length``: a session's best of many counts less by so many times what the best of as many draws exceeds
    their mean, since a long session has more chances. ``recency`` is added for a thought of now, and fades to
    1/e in ten days.
    """

    meaning: float
    words: float
    session: float
    beside: float
    length: float = 0.0
    recency: float = 0.0

    @property
    def sum(self) -> float:
        """The sum of the weights of signals that are standardised."""
        return self.meaning + self.words + self.session + self.beside


QUESTION: Final = SignalWeights(meaning=0.5, words=0.25, session=0.5, beside=0.3)
STATEMENT: Final = SignalWeights(meaning=1.25, words=0.15, session=1.0, beside=0.1, length=2.0, recency=2.0)
"""Statements and messages seldom have the words of what they should bring to mind.

With these R@10 of LoCoMo-Plus is 25 instead of 8.5, and of RealMem 35 instead of 30.
"""

_FADES: Final = 10 * 86_400 * 1e6
_BEST_OF_SESSION: Final = 6
"""The best thoughts of a session that lift the others."""

_STEPS: Final = 40.0
"""Steps over which that lift falls to 1/e: a long session has many topics."""

_NOBODY_BESIDE: Final = -0.5
_ANSWER: Final = 0.2
_QUESTION: Final = -1.0
_BELOW: Final = 0.01
_AUTHOR: Final = 1.5
_TIME: Final = 1.5


def by_cosine(found: Sequence[Node]) -> list[Ranked[Node]]:
    """All candidates, the nearest first."""
    ordered = sorted(found, key=lambda node: (-node.cosine, node.id))
    return [Ranked(node, node.cosine) for node in ordered]


def rank_thoughts(found: Sequence[ThoughtFeatures], question: Question) -> list[Ranked[ThoughtFeatures]]:
    """All candidates, best first."""
    if not found:
        return []
    weights = QUESTION if question.asks else STATEMENT
    cosines = np.array([thought.cosine for thought in found])
    cosine_z = standardised(cosines)
    text_z = standardised(word_sums([thought.read for thought in found], question.words), 1e-6)
    combined = _combined(cosine_z, text_z)
    asking = [thought.is_question for thought in found]
    beside, answers = _neighbours(found, combined, asking)
    parts: dict[str, Sequence[float] | Floats] = {
        "meaning": weights.meaning * cosine_z,
        "words": weights.words * text_z,
        "session": bounded(_session_scores(found, combined, weights.length), weights.session),
        "beside": bounded(beside, weights.beside),
        "recency": _recency(found, question, weights.recency),
        "answer": _ANSWER * answers,
        "question": [_QUESTION if asks else 0.0 for asks in asking],
        "author": _of_author(found, question.names),
        "date": [date_match(thought.created, question) for thought in found],
        "time": _times(found, question),
    }
    table = np.array([np.asarray(part) for part in parts.values()])
    table[list(parts).index("question")] += _below_answers(found, np.sum(table, axis=0))
    totals = np.sum(table, axis=0)
    deviation = float(np.std(cosines))
    scores = float(np.mean(cosines)) + (deviation if deviation > 1e-9 else 1.0) * totals / weights.sum
    order = [thought.id for thought in found]
    # Rounded: a sum differs with the order of its addends, and equal candidates would differ with it.
    rounded = [round(score, 6) for score in scores.tolist()]
    places = sorted(range(len(found)), key=lambda n: (-rounded[n], order[n]))
    rows = table.T.tolist()
    return [Ranked(found[n], rounded[n], dict(zip(parts, rows[n], strict=True))) for n in places]


def _combined(cosine_z: Floats, text_z: Floats) -> Floats:
    """Meaning and words together, standardised: the deviation of their sum is sqrt(2 + 2 r)."""
    variance = 2 + 2 * float(np.mean(cosine_z * text_z))
    return (cosine_z + text_z) / (math.sqrt(variance) if variance > 1e-9 else 1.0)


def _below_answers(found: Sequence[ThoughtFeatures], totals: Floats) -> Floats:
    """What takes the questions to memory below the better half of the others, in their own order."""
    asks = np.array([thought.asks for thought in found])
    if not asks.any() or asks.all():
        return np.zeros(len(found))
    least = float(np.mean(totals[~asks])) - _BELOW
    return np.where(asks, -max(float(np.max(totals[asks])) - least, 0.0), 0.0)


def _recency(found: Sequence[ThoughtFeatures], question: Question, weight: float) -> Floats | list[float]:
    if not weight:
        return [0.0] * len(found)
    ages = np.array([max(question.now - thought.created, 0) for thought in found], dtype=float)
    return weight * np.exp(-ages / _FADES)


def _session_scores(found: Sequence[ThoughtFeatures], combined: Floats, length: float) -> Floats:
    """For each thought the best combined score of its session, which fades with the steps between them."""
    sessions: defaultdict[str, list[int]] = defaultdict(list)
    for n, thought in enumerate(found):
        sessions[thought.session_id or thought.id].append(n)
    raised = combined + 3
    scores = raised.copy()
    steps = np.array([thought.step for thought in found], dtype=float)
    for members in sessions.values():
        if len(members) > 1:
            best = sorted(members, key=lambda n: -combined[n])[:_BEST_OF_SESSION]
            faded = raised[best] * np.exp(-np.abs(steps[members][:, None] - steps[best]) / _STEPS)
            scores[members] = np.maximum(scores[members], faded.max(axis=1)) - length * _best_of(len(members))
    return scores


def _best_of(draws: int) -> float:
    """About the mean of the largest of so many standard normal numbers (Cramér 1946, 28.6)."""
    if draws < 3:
        return 0.56 * (draws - 1)
    root = math.sqrt(2 * math.log(draws))
    return root - (math.log(math.log(draws)) + math.log(4 * math.pi)) / (2 * root)


def _neighbours(
    found: Sequence[ThoughtFeatures], combined: Floats, asking: Sequence[bool]
) -> tuple[Floats, Floats]:
    """For each thought the best combined score of its neighbours, and that of a question that it follows."""
    places = {thought.id: n for n, thought in enumerate(found)}
    values: list[float] = combined.tolist()
    beside: list[float | None] = [None] * len(found)
    answers: list[float | None] = [None] * len(found)

    def raise_to(scores: list[float | None], n: int, value: float) -> None:
        known = scores[n]
        scores[n] = value if known is None else max(known, value)

    for n, thought in enumerate(found):
        for m in [places[link] for link in thought.links if link in places]:
            raise_to(beside, n, values[m])
            raise_to(beside, m, values[n])
            if asking[m]:
                raise_to(answers, n, values[m])
    return (
        np.array([_NOBODY_BESIDE if score is None else score for score in beside]),
        np.array([0.0 if score is None else score for score in answers]),
    )


def _of_author(found: Sequence[ThoughtFeatures], names: Iterable[str]) -> list[float]:
    """1.5 for the thoughts of the one author whom the question names."""
    wanted = set(names)
    authors = {thought.author for thought in found if thought.author and _called(thought.author, wanted)}
    only = authors.pop() if len(authors) == 1 else None
    return [_AUTHOR if only is not None and thought.author == only else 0.0 for thought in found]


def _called(author: str, names: set[str]) -> bool:
    lowered = author.lower()
    return lowered in names or lowered.split(" ")[0] in names


def _times(found: Sequence[ThoughtFeatures], question: Question) -> list[float]:
    """1.5 for texts with an expression of time, if the question asks when."""
    if not question.asks_when:
        return [0.0] * len(found)
    return [_TIME if question.tells_time(thought.text[:BEGINNING]) else 0.0 for thought in found]
