"""The Neo4j database: connects, applies the schema, runs statements, retries, translates errors."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypedDict, TypeVar

from neo4j import exceptions as neo

from legacymind.calls import current_call, current_caller
from legacymind.db import schema
from legacymind.db.connection import (
    READ_DATABASE,
    Connection,
    Transaction,
    silent_longer,
    silent_until,
)
from legacymind.db.errors import (
    is_absent,
    is_broken,
    is_storage_failure,
    is_transient,
    is_unsettled,
    silence,
    translate,
)
from legacymind.db.gate import Gate
from legacymind.db.options import Address, Limits
from legacymind.db.query import NoRow, Parameters, Query, Row, load
from legacymind.db.schema import READ_ONLINE, index_names_of
from legacymind.db.sending import DriverParameters, checked
from legacymind.db.stored import Property, Slot, active_slot, other_slot
from legacymind.errors import (
    DatabaseError,
    DatabaseUnreachable,
    EmbeddingMismatch,
    LegacyMindError,
    RequestRefused,
    Starting,
)

WRITE_VERSION = load("schema/write_version", int, writes=True)


class SlotRow(TypedDict):
    """Whether the slot is active and the asking embedder's, the slot's fingerprint, and the active slot."""

    mine: bool
    fingerprint: str | None
    active_slot: str


CLAIM_SLOT = load("schema/claim_slot", SlotRow, writes=True)
LOCK_DATABASE = load("schema/lock_database", NoRow, writes=True)


__all__ = ["Graph", "Server", "Transaction"]

_PAUSE: Final = 0.05
"""Seconds before the first retry; doubled for each further one."""

PATIENCE: Final = 40.0
"""Seconds that a call of an agent waits for the start of the database."""

_BETWEEN_RESTARTS: Final = 20.0
"""Seconds between two restarts of an engine that cannot write its files."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Server:
    """The connected Neo4j, and the properties of its ``LegacyMind`` node."""

    version: str
    edition: str
    database: dict[str, Property]


class Graph:
    """A Neo4j database. Making one does no I/O: ``locate`` gives the address at the first statement.

    When the database becomes unreachable, the next statement calls ``locate`` again, because the managed
    engine may have been restarted on another port. When the database accepts no statements any more, because
    its disk was full, ``restart`` restarts the server, three times a minute at most. All statements run in
    the event loop of the first one.
    """

    def __init__(
        self,
        locate: Callable[[], Awaitable[Address]],
        *,
        restart: Callable[[Address], Awaitable[None]] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._locate = locate
        self._restart = restart
        self._last_restart = float("-inf")
        self._limits = limits = limits or Limits()
        self.gate = Gate(limits.statements, limits.waiting, limits.wait)
        self._address: Address | None = None
        self._connection: Connection | None = None
        self._server: Server | None = None
        self._locating = 0.0
        self._starting: asyncio.Future[Address] | None = None
        self._lock = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    @property
    def server(self) -> Server | None:
        """The connected server; None before the first statement."""
        return self._server

    def check_usable(self) -> None:
        """Raise RequestRefused if it is closed, or if an earlier call ran in another event loop."""
        loop = asyncio.get_running_loop()
        self._loop = self._loop or loop
        if loop is not self._loop:
            raise RequestRefused(
                "This Mind belongs to the event loop of its first call, and this call runs in another one.",
                hint="Make one Mind for each event loop, or send the call to the loop of this one with "
                "asyncio.run_coroutine_threadsafe (docs/interfaces/python.md).",
            )
        if self._closed:
            raise RequestRefused("This Mind is closed.", hint="Make a new one.")

    async def close(self) -> None:
        """Close the connections for good."""
        if not self._closed and self._loop is not None:
            self.check_usable()
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
        await self.disconnect()

    async def disconnect(self) -> None:
        """Close the connections; the next statement connects again."""
        connection, self._connection, self._server = self._connection, None, None
        if connection is not None:
            await connection.close()

    async def ready(self, *, restart: bool = True) -> Server:
        """Connect, check the server and bring its schema up to date, unless already connected.

        Waits while the database is starting. ``restart``: restart the managed engine if it accepts no
        statements since its disk was full. Raises DatabaseUnreachable, DatabaseRefused, DatabaseTooOld,
        SchemaTooNew, or EngineError if the engine does not start; Starting if an agent waits too long.
        """
        self.check_usable()
        if self._server is not None:
            return self._server
        # An agent's client gives up after a minute; the start goes on, and the next call finds it.
        waiting = asyncio.timeout(PATIENCE if current_caller().agent else None)
        try:
            async with waiting, self._lock:
                self.check_usable()
                if self._server is None:
                    try:
                        self._server = await self._open()
                    except DatabaseError as raised:
                        if not restart or not is_broken(raised.__cause__) or not await self._restarted():
                            raise
                        self._server = await self._open()
                return self._server
        except TimeoutError:
            if not waiting.expired():
                raise
            raise Starting("The database is still starting.", hint="Call again in 10 s.") from None

    async def wait(self, seconds: float) -> Server:
        """Like ``ready``, but retry for up to ``seconds`` while nothing listens at the address."""
        until = time.monotonic() + seconds
        while True:
            try:
                return await self.ready()
            except DatabaseUnreachable as raised:
                if not is_absent(raised) or time.monotonic() > until:
                    raise
            await asyncio.sleep(0.5)

    async def ping(self) -> str:
        """The server's version, read with one statement that fails like any other."""
        (row,) = await self.run(READ_DATABASE, {})
        return row["version"]

    async def run(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement in its own transaction: one round trip. Transient errors are retried.

        In a cluster, writing statements go to the leader; others go to any member that has this process's
        writes. Raises a DatabaseError.
        """
        return await self._retry(lambda: self._work(query, checked(query, parameters)))

    async def poll(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """As ``run``, but over the open connection only: it does not connect, nor start an engine.

        If the connection is lost, the next statement connects. Raises DatabaseUnreachable without any.
        """
        connection = self._connection
        try:
            return await self._retry(lambda: self._work(query, checked(query, parameters)), connect=False)
        except DatabaseUnreachable:
            if connection is self._connection:
                self._server = None
            raise

    async def _work(self, query: Query[Row], driver_parameters: DriverParameters) -> list[Row]:
        connection = self._connected()
        if query.long_running:
            return await connection.execute(query, driver_parameters, connection.limits.stream)
        return await connection.execute(query, driver_parameters)

    async def stream(self, query: Query[Row], parameters: Parameters) -> AsyncGenerator[Row]:
        """The rows of a statement as they arrive, in constant memory: one transaction, never retried."""
        await self.ready()
        driver_parameters = checked(query, parameters)
        connection = self._connection
        try:
            async for row in self._connected().stream(query, driver_parameters):
                yield row
        except (neo.DriverError, neo.Neo4jError) as raised:
            raise self._failure(raised, connection) from raised

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several statements that are committed together or not at all.

        ``work`` runs again after a transient error, so it must do nothing but run statements.
        """
        return await self._retry(lambda: self._connected().transaction(work))

    async def reread(self) -> dict[str, Property]:
        """Read the properties of the ``LegacyMind`` node again: another process may have changed them."""
        (row,) = await self.run(READ_DATABASE, {})
        database = row["database"] or {}
        if self._server is not None:
            self._server = replace(self._server, database=database)
        return database

    async def claim_slot(
        self, fingerprint: str, details: Callable[[Slot], dict[str, Property]], dimensions: int
    ) -> Slot:
        """Reserve the active embedding slot for this embedder and create its indexes, unless that is done.

        ``fingerprint`` identifies the embedder; its ``details`` for a slot are stored with it. Raises
        EmbeddingMismatch when the slot holds vectors of another embedder.
        """
        database = (await self.ready()).database
        slot = active_slot(database)
        if database.get(f"embedding_{slot}_fingerprint") == fingerprint:
            names = index_names_of(slot)
            if len(await self.run(READ_ONLINE, {"names": names})) == len(names):
                return slot
        claim: Parameters = {"fingerprint": fingerprint, "details": details(slot)}
        (row,) = await self.run(CLAIM_SLOT.for_slot(slot), claim)
        if row["active_slot"] != f"embedding_{slot}":  # switched since this process connected
            slot = other_slot(slot)
            claim = {"fingerprint": fingerprint, "details": details(slot)}
            (row,) = await self.run(CLAIM_SLOT.for_slot(slot), claim)
        if not row["mine"]:
            raise EmbeddingMismatch(
                f"This database holds vectors of {row['fingerprint']}, but {fingerprint} is configured.",
                hint="Configure the embedder that the database was filled with, or change the model of the "
                "whole database with `legacymind reembed` (docs/operation/embeddings.md); vectors of two "
                "models cannot be compared.",
            )
        await self.create_vector_indexes(slot, dimensions)
        return slot

    async def create_vector_indexes(self, slot: Slot, dimensions: int) -> None:
        """Create the vector indexes of a slot, unless they exist, and wait until they are online."""
        await self.ready()
        await schema.create_vector_indexes(self._setup, dimensions, slot)

    def _connected(self) -> Connection:
        if self._connection is None:  # another caller is reconnecting
            raise neo.ServiceUnavailable("The driver was closed.")
        return self._connection

    async def _open(self) -> Server:
        await self.disconnect()
        begun = time.monotonic()
        starting = self._starting = self._starting or asyncio.ensure_future(self._locate())
        try:
            self._address = address = await asyncio.shield(starting)
        finally:
            if starting.done():
                self._starting = None
        located = time.monotonic() - begun
        self._locating += located
        try:
            connection = self._connection = Connection(address, self._limits, self.gate)
        except (neo.DriverError, ValueError) as raised:
            raise translate(raised, address.uri) from raised
        try:
            with silent_longer(located):
                row = await connection.read_server()
        except (
            neo.DriverError,
            neo.Neo4jError,
            ValueError,
        ) as raised:  # ValueError: a malformed address, found late
            await self.disconnect()
            cause = await connection.diagnose(raised)
            raise translate(cause, address.uri, address.pid) from cause
        server = Server(row["version"], row["edition"], schema.check(row, address.uri))
        stored = schema.version(server.database)
        if not stored:
            await schema.upgrade(self._setup, 0)
            await self._setup(WRITE_VERSION, {"version": schema.VERSION})
        elif stored < schema.VERSION:
            await self._retry(
                lambda: connection.transaction(self._upgrade, self._limits.stream), connect=False
            )
        return server

    async def _restarted(self) -> bool:
        """Restart the managed engine, unless another is used or it was restarted a moment ago."""
        recently = time.monotonic() - self._last_restart < _BETWEEN_RESTARTS
        if self._restart is None or self._address is None or recently:
            return False
        await self._restart(self._address)
        self._last_restart = time.monotonic()  # not before: while the disk is full, every call asks again
        return True

    async def _upgrade(self, tx: Transaction) -> None:
        # One process at a time: otherwise it may drop an index that another has just created again.
        await tx.run(LOCK_DATABASE, {})
        (row,) = await tx.run(READ_DATABASE, {})
        stored = schema.version(row["database"] or {})
        if stored < schema.VERSION:
            await schema.upgrade(self._setup, stored)
            await tx.run(WRITE_VERSION, {"version": schema.VERSION})

    async def _setup(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement while connecting, without reconnecting when it fails."""
        driver_parameters = checked(query, parameters)
        return await self._retry(lambda: self._connected().execute(query, driver_parameters), connect=False)

    async def _retry(self, work: Callable[[], Awaitable[T]], *, connect: bool = True) -> T:
        """Do ``work``, and repeat it after transient errors such as a deadlock or a server restart."""
        failures: list[Exception] = []
        try:
            return await self._repeat(work, failures, connect=connect)
        except LegacyMindError as raised:
            if any(is_unsettled(failure) for failure in failures):
                raised.unsettle()
            raise

    async def _repeat(
        self, work: Callable[[], Awaitable[T]], failures: list[Exception], *, connect: bool
    ) -> T:
        """Do ``work`` until it succeeds or fails for good; add the errors of all attempts to ``failures``."""
        if connect and self._restart is None:
            await self.ready()  # the first connection is not retried; the managed engine may be restarting
        self.check_usable()
        pause, lost, call = _PAUSE, False, current_call()
        failed_at, locating = None, self._locating
        until, silent = float("inf"), self._server
        while True:
            connection = self._connection
            try:
                if connect:
                    with silent_until(until):
                        await self.ready()
                    connection = self._connection
                # A server that has answered a new connection since has all the time that a first try has.
                with silent_until(until if self._server is silent else float("inf")):
                    try:
                        return await work()
                    except neo.ConstraintError:
                        # Another writer has just created the same node; the second run finds it.
                        return await work()
            except DatabaseUnreachable as unreachable:
                failure = unreachable
            except (neo.DriverError, neo.Neo4jError) as raised:
                failures.append(raised)
                silent = self._server
                # One lost connection has many causes; if the next is lost too, the server is gone.
                failure = self._failure(raised, connection, connected=is_transient(raised) and not lost)
                failure.__cause__ = raised
                restarts = self._restart is not None and is_storage_failure(raised)
                if not is_transient(raised) and not restarts:
                    raise failure from raised
            lost = isinstance(failure, DatabaseUnreachable)
            now = time.monotonic()
            first = silence(failure.__cause__)
            # The start of the engine is no retry: a call waits for it whatever it takes.
            started, locating = self._locating - locating, self._locating
            call.retried += first if failed_at is None else now - failed_at - started
            failed_at, until = now, now + self._limits.retry - call.retried
            if call.retried >= self._limits.retry or (lost and not connect):
                raise failure
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311
            pause = min(2 * pause, 2.0)

    def _failure(
        self, raised: Exception, connection: Connection | None, *, connected: bool = False
    ) -> DatabaseError:
        """The translated error. If the server is gone, the next statement reconnects unless ``connected``."""
        address = self._address or Address("", "", "")
        failure = translate(raised, address.uri, address.pid)
        # A call that waited on an old connection must not close the new one.
        gone = isinstance(failure, DatabaseUnreachable) or is_broken(raised)
        if gone and not connected and connection is self._connection:
            self._server = None
        return failure
