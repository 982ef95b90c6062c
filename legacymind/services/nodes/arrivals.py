"""New thoughts as they are stored, each at least once: the poll of a subscription."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from legacymind.calls import one_call
from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.errors import Busy, LegacyMindError
from legacymind.model.graph import View

Arrived = tuple[str, datetime]
"""The id of a stored thought, and when it was stored."""

READ_ARRIVALS = load("nodes/read_arrivals", tuple[datetime, list[Arrived]], writes=False)

PAGE: Final = 100
"""The most thoughts that one read returns."""

MOST: Final = 200
"""Subscriptions of a process. Each sends a statement a second, and ten after new thoughts."""

_SHORTEST: Final = 0.1
"""Seconds between two polls after new thoughts."""

_LONGEST: Final = 1.0
"""Seconds between two polls of an idle namespace, or of a database that cannot be reached."""

_SLOWER: Final = 1.5
"""Factor between one pause and the next."""

_MARGIN: Final = 5.0
"""Seconds added to the longest duration of a transaction, because the server ends it a little late."""

_LATER: Final = 30
"""Seconds after which a refused client may subscribe again."""


class Wanted(NamedTuple):
    """The thoughts of a subscription: those that ``view`` may see; of one session, or with one label."""

    view: View
    session_id: str | None = None
    chain_id: str | None = None


class ArrivedBatch(NamedTuple):
    """New thoughts in the order of storing, and the moment of the server's clock that was reached."""

    reached: datetime
    thoughts: list[Arrived]


class Arrivals:
    """The subscriptions of a process to newly stored thoughts.

    ``stored_at`` is set when a thought is written, and its transaction commits up to ``longest`` seconds
    later. So each read begins that long before the last one, and leaves out the ids that it knows. A poll
    reconnects only while ``running`` returns true, because connecting would otherwise start the engine.
    """

    def __init__(self, graph: Graph, *, longest: float, running: Callable[[], bool]) -> None:
        self._graph = graph
        self._slack = timedelta(seconds=longest + _MARGIN)
        self._running = running
        self._ended = False
        self.open = 0

    def end(self) -> None:
        """End all subscriptions within a second, because the process ends."""
        self._ended = True

    async def batches(self, wanted: Wanted, after: datetime | None) -> AsyncGenerator[ArrivedBatch]:
        """Yield what is stored after a moment, by default from now on; what shortly preceded it comes again.

        The first batch is empty, as is one after each poll without new thoughts. Raises Busy if the process
        has too many subscriptions, and a LegacyMindError if the first read fails.
        """
        if self.open >= MOST:
            raise Busy(
                f"This process has {self.open:,} subscriptions, which is the limit.",
                hint="End others, or start another `serve`.",
                retry_after=_LATER,
            )
        self.open += 1
        try:
            reached, begun, pause = after, after is not None, 0.0
            known: dict[str, datetime] = {}
            if reached is not None:
                yield ArrivedBatch(reached, [])
            while not self._ended:
                await asyncio.sleep(pause)
                since = None if reached is None else reached - self._slack
                try:
                    now, found = await self._read(wanted, since, list(known))
                except LegacyMindError as raised:
                    if reached is None:
                        raise
                    pause = max(_LONGEST, raised.retry_after or 0)
                    yield ArrivedBatch(reached, [])
                    continue
                full = len(found) == PAGE
                reached = found[-1][1] if full else now
                known |= dict(found)
                known = {id: at for id, at in known.items() if at >= reached - self._slack}
                pause = (
                    0.0 if full else _SHORTEST if found else min(max(pause, _SHORTEST) * _SLOWER, _LONGEST)
                )
                if begun or not full:
                    yield ArrivedBatch(reached, found if begun else [])
                    begun = True
        finally:
            self.open -= 1

    async def _read(
        self, wanted: Wanted, since: datetime | None, known: list[str]
    ) -> tuple[datetime, list[Arrived]]:
        namespace, own_session = wanted.view
        run = self._graph.poll
        with one_call():
            if since is None:
                run = self._graph.run
            elif self._graph.server is None and self._running():
                await self._graph.ready()
            (row,) = await run(
                READ_ARRIVALS,
                {
                    "namespace": namespace,
                    "own_session": own_session,
                    "session_id": wanted.session_id,
                    "chain_id": wanted.chain_id,
                    "since": since,
                    "slack": self._slack,
                    "known": known,
                    "take": PAGE,
                },
            )
        return row
