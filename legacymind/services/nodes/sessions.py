"""Reads sessions: what is stored about them, and counts of their thoughts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, TypedDict

from legacymind.db.query import load
from legacymind.model.graph import Facets, FacetValue, Session, Span, TimeUnit, View
from legacymind.services.nodes.pages import of_nodes
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service


class StoredSession(TypedDict):
    """A session; ``known``: it exists. ``first_at`` and ``last_at`` are times of its visible thoughts."""

    known: bool
    created_at: datetime | None
    head_hash: str | None
    head_step: int | None
    head_key_id: str | None
    first_at: datetime | None
    last_at: datetime | None


class SessionOfId(TypedDict):
    """The session that an id names."""

    id: str
    session: StoredSession


READ_SESSIONS = load("nodes/read_sessions", SessionOfId, writes=False)


class FacetValueRow(TypedDict):
    """A value, and the number of thoughts that have it."""

    value: str
    count: int


class Facet(TypedDict):
    """The most frequent values of a property."""

    name: str
    values: list[FacetValueRow]


class FacetsOfId(TypedDict):
    """The facets of one session."""

    id: str
    facets: list[Facet]


READ_FACETS = load("nodes/read_facets", FacetsOfId, writes=False)


class SpanRow(TypedDict):
    """The number of thoughts in the span of time that begins at ``start``."""

    start: datetime
    count: int


class TimelineOfId(TypedDict):
    """The latest spans of one session with thoughts, in order."""

    id: str
    spans: list[SpanRow]


READ_TIMELINE = load("nodes/read_timeline", TimelineOfId, writes=False)
COUNT_SPANS = load("nodes/count_spans", SpanRow, writes=False)


_FACET_VALUES: Final = 50
"""The most values of a facet."""

_MONTH: Final = timedelta(days=30)

_SPANS: Final = 1_000
"""The most spans of a timeline."""


class SessionReads(Service):
    """Reads sessions. Each read takes the ids of several and answers in their order."""

    async def sessions(self, view: View, ids: Sequence[str]) -> list[Session | None]:
        """Sessions; None for those that do not exist."""
        found = await self._graph.run(READ_SESSIONS, of_nodes(view, ids))
        by_id = {row["id"]: row["session"] for row in found}
        return [
            Session(
                view=view,
                id=id,
                created_at=row["created_at"],
                first_thought_at=row["first_at"],
                last_thought_at=row["last_at"],
                steps=row["head_step"] + 1 if isinstance(row["head_step"], int) else 0,
                head_hash=row["head_hash"],
                key_id=row["head_key_id"],
            )
            if (row := by_id[id])["known"]
            else None
            for id in ids
        ]

    async def facets(self, view: View, ids: Sequence[str]) -> list[Facets]:
        """The most frequent values of the thoughts of each session. Takes time with its length."""
        found = await self._graph.run(READ_FACETS, {**of_nodes(view, ids), "most": _FACET_VALUES})
        by_id = {row["id"]: row["facets"] for row in found}
        return [
            Facets(
                **{
                    facet["name"]: [
                        FacetValue(value=one["value"], count=one["count"]) for one in facet["values"]
                    ]
                    for facet in by_id[id]
                }
            )
            for id in ids
        ]

    async def timeline(self, view: View, ids: Sequence[str], *, unit: TimeUnit) -> list[list[Span]]:
        """The latest spans of each session that have thoughts, in order. Takes time with its length."""
        found = await self._graph.run(READ_TIMELINE, {**of_nodes(view, ids), "unit": unit, "most": _SPANS})
        by_id = {row["id"]: row["spans"] for row in found}
        return [[Span(start=one["start"], count=one["count"]) for one in by_id[id]] for id in ids]

    async def spans(self, view: View, *, unit: TimeUnit, since: datetime | None) -> list[Span]:
        """The latest spans of a namespace that have thoughts, in order. Takes time with their thoughts."""
        found = await self._graph.run(
            COUNT_SPANS,
            {
                "namespace": view.namespace,
                "own_session": view.own_session,
                "since": checks.moment(since) or datetime.now(UTC) - _MONTH,
                "unit": unit,
                "most": _SPANS,
            },
        )
        return [Span(start=one["start"], count=one["count"]) for one in found]
