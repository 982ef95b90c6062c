"""Subscriptions to newly stored thoughts. All subscribers of a namespace in this process share one poll."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from contextvars import Context
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from legacymind.calls import call_from, caller
from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, Query, load
from legacymind.errors import Busy, LegacyMindError, TooSlow
from legacymind.model.base import OPEN
from legacymind.model.graph import View
from legacymind.services.nodes.arrivals import (
    ArrivalPosition,
    Arrivals,
    ArrivalsRow,
    Arrived,
    Reader,
    Sent,
    key,
)
from legacymind.services.shared import cursors

READ_ARRIVALS = load("nodes/read_arrivals", ArrivalsRow, writes=False)


_SHORTEST: Final = 0.1
"""Seconds between two polls after new thoughts."""

_LONGEST: Final = 1.0
"""Seconds between two polls of an idle namespace, or of a database that cannot be reached."""

_SLOWER: Final = 1.5
"""Factor between one pause and the next."""

_MARGIN: Final = 5.0
"""Seconds added to the longest duration of a transaction, because the server ends it a little late."""

_MOST_WAITING: Final = 1000
"""The most thoughts that wait for one client. Its subscription ends when there are more."""

_CHUNK: Final = 50
"""Thoughts that a subscription returns at once."""

_LONGEST_CURSOR: Final = 256 * 1024
"""The most characters of a cursor: 20 for each session, and each thought without one, of two minutes."""

_LATER: Final = 30
"""Seconds after which a refused client may subscribe again."""

_log = logging.getLogger(__name__)

Run = Callable[[Query[ArrivalsRow], Parameters], Awaitable[list[ArrivalsRow]]]


class Wanted(NamedTuple):
    """The thoughts of a subscription: those that ``view`` may see; of one session, or with one label."""

    view: View
    session_id: str | None = None
    chain_id: str | None = None

    def has(self, arrived: Arrived) -> bool:
        """Whether a thought belongs to the subscription."""
        session = arrived["session_id"]
        return (
            (self.session_id is None or session == self.session_id)
            and (self.chain_id is None or arrived["chain_id"] == self.chain_id)
            and (arrived["is_private"] is False or (session is not None and session == self.view.own_session))
        )

    def as_read(self) -> Mapping[str, Any]:
        """The list that a cursor belongs to."""
        return {"list": "thought_added", "view": self.view, "of": [self.session_id, self.chain_id]}


class New(NamedTuple):
    """The id of a newly stored thought, and the cursor after it."""

    id: str
    cursor: str


class Subscription:
    """The thoughts of one subscriber, each once, in the order in which they were stored."""

    def __init__(self, feed: "Feed", wanted: Wanted, after: ArrivalPosition | None) -> None:
        self._feed = feed
        self._wanted = wanted
        self._after = after
        self._encode = cursors.encoder(wanted.as_read())
        self._sent = Sent(OPEN) if after is None else Sent.at(after)
        self._waiting: deque[tuple[Arrived, datetime]] = deque()
        self._changed = asyncio.Event()
        self._too_slow = self._ended = False

    @property
    def cursor(self) -> str:
        """The position after the last thought that was returned."""
        return self._encode(self._sent.position())

    async def chunks(self, seconds: float) -> AsyncGenerator[list[New]]:
        """Yield chunks of thoughts, and an empty chunk at the start and after ``seconds`` without thoughts.

        Ends when the process ends. Raises TooSlow if too many thoughts wait, and a LegacyMindError if the
        first read of the database fails.
        """
        if self._after is None:
            self._sent = await self._feed.join(self, self._wanted.session_id)
        yield []
        if self._after is not None:
            async with aclosing(self._resumed()) as chunks:
                async for chunk in chunks:
                    yield chunk
        while not self._ended:
            self._changed.clear()
            if not self._waiting and not self._too_slow:
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._changed.wait()
            chunk = [self._waiting.popleft() for _ in range(min(len(self._waiting), _CHUNK))]
            if not chunk and self._too_slow:
                raise TooSlow(
                    f"More than {_MOST_WAITING:,} thoughts wait for this client.",
                    hint="Subscribe again with the cursor of the last thought as `after`.",
                    resume_after=self.cursor,
                )
            yield self._sending(chunk)

    def end(self) -> None:
        """End the subscription, because the process ends."""
        self._ended = True
        self._changed.set()

    def offer(self, batch: Arrivals) -> None:
        """Queue the thoughts of a batch. If too many wait, drop the rest; the subscription then fails."""
        for arrived in batch.thoughts:
            if self._wanted.has(arrived) and not self._too_slow:
                self._waiting.append((arrived, batch.since))
                self._too_slow = len(self._waiting) > _MOST_WAITING
        self._changed.set()

    async def _resumed(self) -> AsyncGenerator[list[New]]:
        """Yield the thoughts stored since a cursor, and join the feed for those that follow.

        The last read comes after joining, so a thought can arrive twice; ``_sending`` drops the second one.
        """
        reader = Reader(self._wanted.view.namespace, self._sent.since, self._feed.slack)
        joined = dated = False
        while not self._ended:
            with call_from(self._wanted.view.namespace):
                (row,) = await self._feed.graph.run(READ_ARRIVALS, reader.parameters())
            if not dated:
                self._sent.date(row["now"])
                dated = True
            batch = reader.take(row)
            found = [(arrived, batch.since) for arrived in batch.thoughts if self._wanted.has(arrived)]
            for start in range(0, len(found), _CHUNK):
                yield self._sending(found[start : start + _CHUNK])
            if batch.complete:
                if joined:
                    return
                await self._feed.join(self, None)
                joined = True

    def _sending(self, chunk: list[tuple[Arrived, datetime]]) -> list[New]:
        """Record thoughts as sent, and return those that were not sent before."""
        sending: list[New] = []
        for arrived, since in chunk:
            if not self._sent.has(arrived):
                self._sent.forget(since)
                self._sent.add(arrived)
                sending.append(New(arrived["id"], self.cursor))
        return sending


class Feed:
    """The poll of one namespace, which runs while there are subscriptions."""

    def __init__(self, graph: Graph, namespace: str, slack: timedelta, running: Callable[[], bool]) -> None:
        self.graph = graph
        self.slack = slack
        self.open: set[Subscription] = set()
        self._namespace = namespace
        self._running = running
        self._reader: Reader | None = None
        self._reading = asyncio.Lock()
        self._subscriptions: set[Subscription] = set()
        self._task: asyncio.Task[None] | None = None
        self._new = 0

    async def join(self, subscription: Subscription, session_id: str | None) -> Sent:
        """Start offering new thoughts to a subscription, and return the ones already stored.

        With ``session_id``, only the thoughts of that session are returned. Raises a LegacyMindError if the
        database cannot be read.
        """
        async with self._reading:
            with call_from(self._namespace):
                reader = await self._read(self.graph.run)
            self._subscriptions.add(subscription)
            if self._task is None:
                # In an empty context: the poll serves every caller, not only this one.
                self._task = asyncio.get_running_loop().create_task(self._poll(), context=Context())
        return Sent(
            reader.since,
            {key(id): step for id, step in reader.steps.items() if session_id in (None, id)},
            {key(id): at for id, at in reader.single.items() if session_id is None},
        )

    def leave(self, subscription: Subscription) -> None:
        """Stop offering thoughts to a subscription."""
        self._subscriptions.discard(subscription)

    def end(self) -> None:
        """End all subscriptions."""
        for subscription in self.open:
            subscription.end()

    async def close(self) -> None:
        """End the poll."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _poll(self) -> None:
        caller.set(f"subscriptions {self._namespace}")
        pause = _SHORTEST
        while True:
            await asyncio.sleep(pause)
            pause = min(pause * _SLOWER, _LONGEST)
            try:
                if self.graph.server is None:
                    if not self._running():
                        continue
                    await self.graph.ready()
                async with self._reading:
                    before = self._new
                    with call_from(self._namespace):
                        await self._read(self.graph.poll)
                    if self._new > before:
                        pause = _SHORTEST
            except LegacyMindError as raised:  # the next poll reads the same thoughts
                pause = max(_LONGEST, raised.retry_after or 0)
            except Exception:
                _log.exception("New thoughts could not be read.")
                pause = _LONGEST

    async def _read(self, run: Run) -> Reader:
        """Read new thoughts and offer them to the subscriptions. The first read finds those stored before."""
        reader = self._reader
        if reader is None:
            (row,) = await run(READ_ARRIVALS, Reader(self._namespace, OPEN, self.slack).parameters())
            reader = Reader(self._namespace, row["now"] - self.slack, self.slack)
        complete = False
        while not complete:
            (row,) = await run(READ_ARRIVALS, reader.parameters())
            batch = reader.take(row)
            complete = batch.complete
            self._new += len(batch.thoughts)
            for subscription in self._subscriptions if batch.thoughts else ():
                subscription.offer(batch)
        self._reader = reader
        return reader


class Feeds:
    """The subscriptions of a process: at most ``most``.

    A transaction takes at most ``longest`` seconds in any process. A poll reconnects only while ``running``
    returns true, because connecting would otherwise start the engine.
    """

    def __init__(self, graph: Graph, *, most: int, longest: float, running: Callable[[], bool]) -> None:
        self._graph = graph
        self._most = most
        self._slack = timedelta(seconds=longest + _MARGIN)
        self._running = running
        self._feeds: dict[str, Feed] = {}
        self._open = 0
        self._none_open = asyncio.Event()
        self._none_open.set()

    @asynccontextmanager
    async def subscription(self, wanted: Wanted, after: str | None) -> AsyncGenerator[Subscription]:
        """Open a subscription to the thoughts stored after a cursor, or from now on.

        Raises Busy if the process has too many, and InvalidInput for the cursor of another subscription.
        """
        position = after and cursors.decode(after, wanted.as_read(), ArrivalPosition, most=_LONGEST_CURSOR)
        if self._open >= self._most:
            raise Busy(
                f"This process has {self._open:,} subscriptions, and its limit is {self._most:,}.",
                hint="End others, or raise LEGACYMIND_MAX_SUBSCRIPTIONS.",
                retry_after=_LATER,
            )
        namespace = wanted.view.namespace
        feed = self._feeds.get(namespace)
        if feed is None:
            feed = self._feeds[namespace] = Feed(self._graph, namespace, self._slack, self._running)
        subscription = Subscription(feed, wanted, position or None)
        self._open += 1
        self._none_open.clear()
        feed.open.add(subscription)
        try:
            yield subscription
        finally:
            self._open -= 1
            if not self._open:
                self._none_open.set()
            feed.open.discard(subscription)
            feed.leave(subscription)
            if not feed.open and self._feeds.get(namespace) is feed:
                del self._feeds[namespace]
                await feed.close()

    async def end(self, seconds: float) -> None:
        """End all subscriptions, because the process ends, and wait up to ``seconds`` for them."""
        self._most = 0
        for feed in self._feeds.values():
            feed.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._none_open.wait()
