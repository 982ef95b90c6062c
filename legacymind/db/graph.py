"""The one room that speaks to Neo4j: connecting, the schema, trying again, its errors as ours."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from neo4j import exceptions as neo

from legacymind.db import queries, schema
from legacymind.db.errors import is_absent, is_transient, translate
from legacymind.db.link import Link, Transaction, check
from legacymind.db.options import Address, Limits
from legacymind.db.queries import Query, Row, Slot
from legacymind.errors import DatabaseError, DatabaseUnreachable, EmbeddingMismatch

__all__ = ["Graph", "Server", "Transaction"]

_PAUSE: Final = 0.05
"""Seconds before it is tried again first; doubled each time."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """What answered at the address."""

    version: str
    edition: str
    database: dict[str, Any]


class Graph:
    """One Neo4j database. Cheap to make; asks where it is and connects at the first statement.

    When the database becomes unreachable it asks again at the next one: the managed engine
    may have been restarted elsewhere.
    """

    def __init__(self, locate: Callable[[], Awaitable[Address]], *, limits: Limits | None = None) -> None:
        self._locate = locate
        self._limits = limits or Limits()
        self._uri = ""
        self._link: Link | None = None
        self._server: Server | None = None
        self._lock = asyncio.Lock()
        self._planned: set[str] = set()
        self._planning: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @property
    def server(self) -> Server | None:
        """What answered when it was connected to; None before that."""
        return self._server

    async def close(self) -> None:
        """Close the connections."""
        link, self._link, self._server = self._link, None, None
        if link is not None:
            await link.close()

    async def ready(self) -> Server:
        """Connect, check the server, and set the schema up when the database is new; once per process.

        A server that says that it is still starting is waited for. Raises DatabaseUnreachable,
        DatabaseRefused, DatabaseTooOld or SchemaTooNew.
        """
        if self._server is None:
            async with self._lock:
                if self._server is None:
                    self._server = await self._open()
        return self._server

    async def wait(self, seconds: float) -> Server:
        """As ``ready``, but for so long it is no error that nobody is there: the server may start later."""
        until = time.monotonic() + seconds
        while True:
            try:
                return await self.ready()
            except DatabaseUnreachable as raised:
                if not is_absent(raised) or time.monotonic() > until:
                    raise
            await asyncio.sleep(0.5)

    async def ping(self) -> str:
        """Ask the server for its version: one statement, which fails as any other would."""
        (row,) = await self.run(queries.read_database)
        return row["version"]

    async def run(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Run one statement in its own transaction: two round trips, retried on what may pass.

        Statements that write go to the leader of a cluster, others to any member that has seen what this
        process has written. Raises a DatabaseError.
        """
        check(query, parameters)

        async def work() -> list[Row]:
            link = self._connected()
            if query.text in self._planned:
                return await link.execute(query, parameters)
            # Planning a large statement takes a server a second of a core, and it plans it once for each
            # connection that asks at the same time: the first goes alone, a slow one among all processes.
            async with self._planning[query.text]:
                if query.text not in self._planned:
                    first = link.execute_alone if query.slow_to_plan else link.execute
                    rows = await first(query, parameters)
                    self._planned.add(query.text)
                    return rows
            return await link.execute(query, parameters)

        return await self._retry(work)

    async def stream(self, query: Query[Row], **parameters: Any) -> AsyncIterator[Row]:
        """Read rows as they come, in flat memory; one transaction, never retried."""
        await self.ready()
        check(query, parameters)
        link = self._link
        try:
            async for row in self._connected().stream(query, parameters):
                yield row
        except (neo.DriverError, neo.Neo4jError) as raised:
            raise self._translated(raised, link) from raised

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several statements that are committed together or not at all.

        ``work`` is run again on a transient error, so it may do nothing but run statements.
        """
        return await self._retry(lambda: self._connected().committed(work))

    async def claim_slot(self, fingerprint: str, details: dict[str, Any], dimensions: int) -> Slot:
        """Make the active slot hold this embedder's vectors, or find that it does, with its indexes online.

        Raises EmbeddingMismatch when the slot holds another model's.
        """
        database = (await self.ready()).database
        held = (database.get("active_slot"), database.get("embedding_a_fingerprint"))
        if held == ("embedding_a", fingerprint):
            online = await self.run(queries.read_online, names=queries.index_names)
            if len(online) == len(queries.index_names):
                return "a"
        named = {f"embedding_a_{name}": value for name, value in details.items()}
        (row,) = await self.run(queries.claim_slot, fingerprint=fingerprint, details=named)
        if not row["mine"]:
            raise EmbeddingMismatch(
                f"This database holds vectors of {row['fingerprint']}, but {fingerprint} is configured.",
                hint="Configure the embedder the database was filled with; models never mix.",
            )
        await schema.make_vector_indexes(self._setup, dimensions)
        return "a"

    # --- inside -----------------------------------------------------------------------------------

    def _connected(self) -> Link:
        if self._link is None:  # another caller is connecting anew
            raise neo.ServiceUnavailable("The driver was closed.")
        return self._link

    async def _open(self) -> Server:
        await self.close()
        address = await self._locate()
        self._uri = address.uri
        try:
            link = self._link = Link(address, self._limits)
        except (neo.DriverError, ValueError) as raised:
            raise translate(raised, self._uri) from raised
        try:
            row = await link.started()
        except (neo.DriverError, neo.Neo4jError, ValueError) as raised:  # the last of an address, found late
            await self.close()
            reason = await link.reason(raised)
            raise translate(reason, self._uri) from reason
        server = Server(row["version"], row["edition"], schema.check(row, self._uri))
        stored = server.database.get("schema_version", 0)
        if not stored:
            await schema.bring_up(self._setup, 0)
            await self._setup(queries.write_version, version=schema.VERSION)
        elif stored < schema.VERSION:
            await self._retry(lambda: link.committed(self._upgrade, self._limits.stream), connect=False)
        return server

    async def _upgrade(self, tx: Transaction) -> None:
        # One process at a time: another's dropped index may have been made anew meanwhile.
        await tx.run(queries.lock_planning)
        (row,) = await tx.run(queries.read_database)
        stored = (row["database"] or {})["schema_version"]
        if stored < schema.VERSION:
            await schema.bring_up(self._setup, stored)
            await tx.run(queries.write_version, version=schema.VERSION)

    async def _setup(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """A statement that belongs to connecting, so that it must not connect anew."""
        check(query, parameters)
        return await self._retry(lambda: self._connected().execute(query, parameters), connect=False)

    async def _retry(self, work: Callable[[], Awaitable[T]], *, connect: bool = True) -> T:
        """Do ``work``, and do it again while what fails may pass: a deadlock, a server that restarts.

        The driver would, too, but behind its back: a server that came back has no plans, and has to be asked
        for them by one caller at a time.
        """
        if connect:
            await self.ready()  # who was never connected is told at once
        pause, until, lost = _PAUSE, float("inf"), False
        while True:
            link = self._link
            try:
                if connect:
                    await self.ready()
                    link = self._link
                try:
                    return await work()
                except neo.ConstraintError:
                    # Another writer has just made the same node: this time it is met.
                    return await work()
            except DatabaseUnreachable as ours:
                failure = ours
            except (neo.DriverError, neo.Neo4jError) as raised:
                # One connection may be lost for many reasons; when the next one is as well, it is the server.
                failure = self._translated(raised, link, connected=is_transient(raised) and not lost)
                failure.__cause__ = raised
                if not is_transient(raised):
                    raise failure from raised
            lost = isinstance(failure, DatabaseUnreachable)
            until = min(until, time.monotonic() + self._limits.retry)
            if time.monotonic() > until or (lost and not connect):
                raise failure
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311
            pause = min(2 * pause, 2.0)

    def _translated(self, raised: Exception, link: Link | None, *, connected: bool = False) -> DatabaseError:
        """What was raised as ours; unless ``connected`` still, the next statement connects anew."""
        ours = translate(raised, self._uri)
        if isinstance(ours, DatabaseUnreachable):
            self._planned.clear()  # perhaps it was restarted
            # Who waited longest on a link that is gone must not close the one that took its place.
            if not connected and link is self._link:
                self._server = None
        return ours
