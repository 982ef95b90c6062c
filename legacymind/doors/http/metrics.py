"""``/metrics``: counts and times in the format of Prometheus.

Labels are names from fixed lists: doors, operations, statements, modes, error codes. No text of a caller
becomes one.
"""

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from legacymind.calls import current_caller
from legacymind.errors import Busy, LegacyMindError
from legacymind.mind import Mind
from legacymind.model.think import ThinkBatchResult, ThinkResult
from legacymind.observe import Step
from legacymind.services.maintain.size import GraphSize
from legacymind.text.modes import mode_of

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_calls = Counter("legacymind_calls", "Calls of operations.", ["door", "operation"])
_errors = Counter(
    "legacymind_errors", "Failed calls, by the mode that the caller asked for.", ["operation", "mode", "code"]
)
_call_seconds = Histogram("legacymind_call_seconds", "Time of a call.", ["operation"], buckets=_BUCKETS)
_embed_seconds = Histogram("legacymind_embed_seconds", "Time to embed texts.", buckets=_BUCKETS)
_statement_seconds = Histogram(
    "legacymind_statement_seconds", "Time of a statement.", ["statement"], buckets=_BUCKETS
)
_waiting = Gauge("legacymind_waiting", "Calls that wait for the database.", ["work"])
_subscriptions = Gauge("legacymind_subscriptions", "Open GraphQL subscriptions.")
_wait_seconds = Histogram(
    "legacymind_wait_seconds", "Time that calls waited for the database.", ["work"], buckets=_BUCKETS
)
_refused = Counter("legacymind_refused", "Calls refused because too many waited.")
_thoughts = Counter("legacymind_thoughts", "Stored thoughts.", ["mode"])
_injected = Counter("legacymind_injected", "Memories that stored thoughts recalled.", ["mode"])
_pruned = Counter("legacymind_pruned", "RECALLS relationships that maintenance removed.")
_nodes = Gauge("legacymind_graph_nodes", "Nodes of the database.", ["label"])
_relationships = Gauge("legacymind_graph_relationships", "Relationships of the database.")
_recalls = Gauge("legacymind_graph_recalls", "Relationships of the type RECALLS.")


@contextmanager
def count(step: Step) -> Generator[None]:
    """Count a step when it ends, and those that wait."""
    waiting = _waiting.labels(step.name) if step.kind == "wait" else None
    if step.kind == "subscription":
        waiting = _subscriptions
    if waiting is not None:
        waiting.inc()
    try:
        yield
    finally:
        if waiting is not None:
            waiting.dec()
        _count(step)


def _count(step: Step) -> None:
    match step.kind:
        case "embed":
            _embed_seconds.observe(step.seconds)
        case "statement":
            _statement_seconds.labels(step.name).observe(step.seconds)
        case "wait":
            _wait_seconds.labels(step.name).observe(step.seconds)
            if isinstance(step.error, Busy):
                _refused.inc()
        case "batch":
            if step.name == "prune" and step.error is None:
                _pruned.inc(step.result)
        case "subscription":
            pass
        case "operation":
            _calls.labels(current_caller().door, step.name).inc()
            _call_seconds.labels(step.name).observe(step.seconds)
            if isinstance(step.error, Exception):
                code = step.error.code if isinstance(step.error, LegacyMindError) else "internal"
                _errors.labels(step.name, _mode(step.arguments) or "", code).inc()
            _count_thoughts(step.result)


def _mode(arguments: Mapping[str, object]) -> str | None:
    """The mode that a caller asked for; None for any other text."""
    asked = arguments.get("hint") or arguments.get("mode")
    return mode_of(asked) if isinstance(asked, str) else None


def _count_thoughts(result: object) -> None:
    if isinstance(result, ThinkResult):
        if result.repeated:
            return
        _thoughts.labels(result.mode_selected).inc()
        _injected.labels(result.mode_selected).inc(len(result.memories) + result.left_out)
    elif isinstance(result, ThinkBatchResult):
        for thought in result.thoughts:
            if thought.repeated:
                continue
            _thoughts.labels(thought.mode_selected).inc()
            _injected.labels(thought.mode_selected).inc(len(thought.recalled))


class Metrics:
    """Answers ``/metrics``."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._measured_at = float("-inf")

    async def report(self, request: Request) -> Response:
        """The response of ``/metrics``. The size of the graph is of the last 15 seconds."""
        # Never the first to connect: that would start an engine that `legacymind down` has stopped.
        if time.monotonic() - self._measured_at > 15.0 and self._mind.graph.server is not None:
            self._measured_at = time.monotonic()
            with suppress(LegacyMindError):  # /readyz reports it
                _measure(await self._mind.services.size.measure())
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _measure(size: GraphSize) -> None:
    for label, nodes in (
        ("Thought", size.thoughts),
        ("Entity", size.entities),
        ("Observation", size.observations),
        ("Session", size.sessions),
    ):
        _nodes.labels(label).set(nodes)
    _relationships.set(size.relationships)
    _recalls.set(size.recalls)
