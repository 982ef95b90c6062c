"""Reads sessions: what is stored about them, and counts of their thoughts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from legacymind.db.query import Parameters, load
from legacymind.errors import InvalidInput
from legacymind.model.graph import Facets, FacetValue, Session, Span, TimeUnit, View
from legacymind.services.nodes.pages import of_nodes
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service

READ_SESSIONS = load("nodes/read_sessions", dict[str, Any], writes=False)


READ_FACETS = load("nodes/read_facets", tuple[str, str, list[FacetValue]], writes=False)


READ_TIMELINE = load("nodes/read_timeline", tuple[str, list[Span]], writes=False)
COUNT_SPANS = load("nodes/count_spans", Span, writes=False)


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
        by_id = {row["id"]: Session(view=view, **row) for row in found}
        return [by_id.get(id) for id in ids]

    async def facets(self, view: View, ids: Sequence[str]) -> list[Facets]:
        """The most frequent values of the thoughts of each session. Takes time with its length."""
        found = await self._graph.run(READ_FACETS, {**of_nodes(view, ids), "most": _FACET_VALUES})
        return [Facets(**{name: values for of, name, values in found if of == id}) for id in ids]

    async def timeline(
        self, view: View, ids: Sequence[str], *, unit: TimeUnit, time_zone: str
    ) -> list[list[Span]]:
        """The latest spans of each session that have thoughts, in order. Takes time with its length."""
        found = await self._graph.run(READ_TIMELINE, {**of_nodes(view, ids), **_spans(unit, time_zone)})
        by_id = dict(found)
        return [by_id[id] for id in ids]

    async def spans(
        self, view: View, *, unit: TimeUnit, time_zone: str, since: datetime | None
    ) -> list[Span]:
        """The latest spans of a namespace that have thoughts, in order. Takes time with their thoughts."""
        return await self._graph.run(
            COUNT_SPANS,
            {
                "namespace": view.namespace,
                "own_session": view.own_session,
                "since": checks.moment(since) or datetime.now(UTC) - _MONTH,
                **_spans(unit, time_zone),
            },
        )


def _spans(unit: TimeUnit, time_zone: str) -> Parameters:
    """Which spans are counted. Raises InvalidInput for an unknown time zone."""
    try:
        zone = ZoneInfo(time_zone)
    except (KeyError, OSError, ValueError):  # OSError: the name of a folder
        raise InvalidInput(
            f"There is no time zone {time_zone[:60]!r}.", hint="Send a name such as Europe/Berlin."
        ) from None
    return {"unit": unit, "time_zone": zone.key, "most": _SPANS}
