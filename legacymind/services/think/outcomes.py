"""Outcomes: the result of a thought changes its salience, and so how readily it is recalled."""

import math
import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import BeforeValidator

from legacymind.calls import current_caller
from legacymind.db.query import load
from legacymind.errors import Conflict, InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.think import OutcomeResult
from legacymind.model.values import clamped
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace, ThoughtId, UnlistedSessionId, resolve_own_session
from legacymind.services.shared.service import Service

Recorded = tuple[bool, bool, float | None, dict[str, Any]]
"""Whether the thought and the named problem exist, the score that was recorded with the same id, and the
members of the result."""

RECORD_OUTCOME = load("think/record_outcome", Recorded, writes=True)


RATE: Final = 0.3
"""Share of the distance to its bound by which a full success or failure moves the salience."""

_OUTCOMES_KEPT: Final = 1_000
"""Outcomes kept with one thought, 80 bytes each: a key is known until as many later outcomes are recorded."""

_WORDS: Final = {"success": 1.0, "partial": 0.5, "neutral": 0.0, "failure": -1.0}
_KEY: Final = uuid.UUID("3b0d7e0a-8f43-4c1c-9a55-0f2f4a0c6d11")


def _text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Outcome = Annotated[
    str,
    BeforeValidator(_text),
    about(
        "success, partial, failure or -1 to 1",
        "Outcome of the thought: success, partial, neutral, failure, or a number from -1 (failure) to 1 "
        "(success)",
    ),
]


class OutcomeService(Service):
    """Records the outcomes of thoughts."""

    @operation(tool="record_outcome", command="outcome", writes=True)
    async def record_outcome(
        self,
        thought_id: ThoughtId,
        outcome: Outcome,
        solves: Annotated[
            Id | None,
            about(
                "Problem that it ended",
                "Id of the problem that it solves. Default: the nearest debug or stuck thought before it",
            ),
        ] = None,
        emotional_weight: Annotated[
            float | None,
            clamped(-1, 1),
            about("-1 bad to 1 good", "Emotional weight of the outcome, from bad to good", tuning=True),
        ] = None,
        idempotency_key: Annotated[
            str | None,
            about(
                "Same key: stored once",
                "Key of this call; repeating the call changes nothing, until 1,000 later outcomes of the "
                "thought",
            ),
        ] = None,
        own_session_id: UnlistedSessionId = None,
        namespace: Namespace = None,
    ) -> OutcomeResult:
        """Record how a thought turned out, which raises or lowers its recall.

        Its salience s becomes s + 0.3 · outcome · (1 - s) for a success and s + 0.3 · outcome · (s - 0.05)
        for a failure, so it stays between 0.05 and 1. A success also ``SOLVES`` the problem it followed from
        and becomes a playbook, which thoughts with the same error recall first. Raises NotFound when
        the thought or the problem does not exist, InvalidInput when the outcome is neither a known word nor a
        number, Conflict when another outcome was recorded with the same key.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        problem = checks.thought_id("solves", solves)
        key = checks.key("idempotency_key", idempotency_key)
        namespace = checks.namespace(namespace, self._settings)
        score, caller = _score(outcome), current_caller()
        ((exists, solvable, first_score, outcome_of),) = await self._graph.run(
            RECORD_OUTCOME,
            {
                "id": own_id,
                "namespace": namespace,
                "own_session": resolve_own_session(own_session_id, self.session_id),
                # Chosen before the statement runs, so that a retry after a lost answer finds its own id.
                "outcome_id": str(uuid.uuid4() if key is None else uuid.uuid5(_KEY, f"{own_id}\0{key}")),
                "score": score,
                "rate": RATE,
                "outcomes_kept": _OUTCOMES_KEPT,
                "recorded_at": datetime.now(UTC),
                "optional": {
                    "solves": problem,
                    "emotional_weight": emotional_weight,
                    "trust": caller.trust,
                    "by": caller.by,
                },
            },
        )
        if not exists:
            raise checks.thought_not_found(own_id, effect="Nothing was recorded.")
        if outcome_of["repeated"] and first_score not in (None, score):
            raise Conflict(
                f"This key recorded another outcome of the thought {own_id}: {first_score:g}.",
                hint="Send a new key for a new outcome, or the original outcome to repeat the first call.",
            )
        if not solvable:
            raise NotFound(
                f"There is no other thought {problem} in this namespace that this one could solve.",
                effect="Nothing was recorded.",
                hint="Correct `solves`, or omit it.",
            )
        return OutcomeResult(thought_id=own_id, **outcome_of)


def _score(outcome: str) -> float:
    word = outcome.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise InvalidInput(
            "The outcome is neither a known word nor a number.",
            hint=f"Send one of {', '.join(_WORDS)}, or a number from -1 (failure) to 1 (success).",
        )
    return min(max(number, -1.0), 1.0)
