"""One driver for one address. Every call runs once and has a time limit."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from typing import Final, TypedDict, TypeVar

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    AsyncTransaction,
    Record,
    unit_of_work,
)
from neo4j import Query as DriverQuery
from neo4j import exceptions as neo

from legacymind.db.errors import Silent, is_locked_out, is_starting, is_unforeseen
from legacymind.db.gate import Gate
from legacymind.db.options import Address, Limits, driver_options, first_server, pool_size
from legacymind.db.query import Parameters, Query, Row, load
from legacymind.db.rows import maker
from legacymind.db.sending import DriverParameters, checked, sent_text
from legacymind.db.stored import Property
from legacymind.observe import Step, observed


class DatabaseRow(TypedDict):
    """The server, and the properties of LegacyMind's database node; None when there is no such node.

    The names of some properties carry the embedding slot, so they cannot be listed here.
    """

    version: str
    edition: str
    database: dict[str, Property] | None


READ_DATABASE = load("schema/read_database", DatabaseRow, writes=False)


_FETCHED: Final = 1000
"""Rows per page of a stream, which is also the driver's fetch size."""

_CLOSING: Final = 5.0
"""Seconds for closing the connections to a server that may be gone."""

_LEAST: Final = 0.5
"""Seconds that a server has for an answer in any case."""

# LegacyMind reports the driver's errors itself; without a handler they would also be printed.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")


_until: ContextVar[float] = ContextVar("until", default=float("inf"))


@contextmanager
def silent_until(end: float) -> Generator[None]:
    """Wait for a silent server until that time of the monotonic clock at most."""
    token = _until.set(end)
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def silent_longer(seconds: float) -> Generator[None]:
    """Wait so much longer for a silent server, because its start took that time."""
    with silent_until(_until.get() + seconds):
        yield


class Transaction:
    """A transaction: its statements are committed together or not at all."""

    def __init__(self, tx: AsyncManagedTransaction | AsyncTransaction) -> None:
        self._tx = tx

    async def run(self, query: Query[Row], parameters: Parameters) -> list[Row]:
        """Run a statement inside the transaction."""
        result = await self._tx.run(sent_text(query), checked(query, parameters))
        make = maker(query.row)
        return [make(record) async for record in result]


class Connection:
    """A driver and its limits. Making one does no I/O; its methods raise the driver's errors.

    Raises ConfigurationError, ValueError or a DriverError when the address is malformed.
    """

    def __init__(self, address: Address, limits: Limits, gate: Gate) -> None:
        self._sessions = 0
        self._planned: set[str] = set()
        self._gate = gate
        self._address = address
        self.limits = limits
        options = driver_options(address, limits)
        self._driver = AsyncGraphDatabase.driver(**options)  # pyright: ignore[reportUnknownMemberType]

    async def close(self) -> None:
        """Close the connections."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await self._driver.close()

    @asynccontextmanager
    async def session(self, access: str) -> AsyncGenerator[AsyncSession]:
        """A session with read or write access."""
        self._sessions += 1
        try:
            # Sessions share bookmarks, so that each sees what the others have written.
            async with self._driver.session(  # pyright: ignore[reportUnknownMemberType]
                database=self._address.database,
                default_access_mode=access,
                bookmark_manager=self._driver.execute_query_bookmark_manager,
            ) as session:
                yield session
        except neo.ConnectionAcquisitionTimeoutError as waited:
            if self._sessions > pool_size(self.limits):
                raise
            raise Silent(self.limits.wait) from waited  # there was room for a connection, but none opened
        except Exception as raised:
            # A connection that breaks at a bad moment raises AttributeError, for example.
            if not is_unforeseen(raised):
                raise
            failed = neo.ServiceUnavailable if access == READ_ACCESS else neo.IncompleteCommit
            raise failed(f"The driver failed with {type(raised).__name__}: {raised}") from raised
        finally:
            self._sessions -= 1

    async def read_server(self) -> DatabaseRow:
        """The server's version and LegacyMind's node, once the database has started and accepts logins."""
        until = time.monotonic() + self.limits.retry
        while True:
            try:
                # Auto-commit is not retried, so a wrong address fails at once.
                async with self._deadline(), self.session(READ_ACCESS) as session:
                    statement = DriverQuery(READ_DATABASE.text, timeout=self.limits.statement)
                    record = await (await session.run(statement)).single(strict=True)
                return maker(DatabaseRow)(record)
            except neo.Neo4jError as raised:
                if not (is_starting(raised) or is_locked_out(raised)) or time.monotonic() > until:
                    raise
            await asyncio.sleep(0.5)

    async def diagnose(self, raised: Exception) -> Exception:
        """The cause of "unable to retrieve routing information": the first server's error without routing.

        Returns ``raised`` for any other error, or if that server answers.
        """
        single = first_server(self._address) if isinstance(raised, neo.ServiceUnavailable) else None
        if single is not None:
            options = driver_options(single, self.limits)
            try:
                async with AsyncGraphDatabase.driver(**options) as driver, self._deadline():  # pyright: ignore[reportUnknownMemberType]
                    await driver.get_server_info()  # pyright: ignore[reportUnknownMemberType]
            except (neo.DriverError, neo.Neo4jError) as reason:
                return reason
        return raised

    async def execute(
        self, query: Query[Row], parameters: DriverParameters, limit: float | None = None
    ) -> list[Row]:
        """Run a statement in its own transaction: one round trip. The server ends it after ``limit`` s.

        By default, its first run has the limit of a transaction, because the server plans it. Raises
        IncompleteCommit if the connection is lost during a statement that writes.
        """
        text = sent_text(query)  # the same file has a plan for each slot and filter
        if limit is None and text not in self._planned:
            limit = self.limits.transaction
        seconds = limit or self.limits.statement
        access = WRITE_ACCESS if query.writes else READ_ACCESS
        # Outside of the step, so that only the statement itself is timed.
        async with self._gate.place(background=query.long_running):
            with observed(Step("statement", query.file, query.searches_vectors)):
                try:
                    # Auto-commit: the server commits with the last row. In a transaction of the driver, a
                    # write would keep its locks until this process, which may be busy, asks for the commit.
                    async with self._deadline(limit or 0.0), self.session(access) as session:
                        result = await session.run(DriverQuery(text, timeout=seconds), parameters)
                        records = [record async for record in result]
                except (neo.ServiceUnavailable, neo.SessionExpired) as lost:
                    # A server that is not the leader has refused the write.
                    if query.writes and not isinstance(lost, neo.WriteServiceUnavailable):
                        raise neo.IncompleteCommit("The connection was lost during a write.") from lost
                    raise
        self._planned.add(text)
        return list(map(maker(query.row), records))

    async def transaction(self, work: Callable[[Transaction], Awaitable[T]], limit: float | None = None) -> T:
        """Run several statements in one transaction. The server ends it after ``limit`` seconds."""
        seconds = limit or self.limits.transaction

        @unit_of_work(timeout=seconds)
        async def attempt(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx))

        async with self._gate.place(), self._deadline(seconds), self.session(WRITE_ACCESS) as session:
            return await session.execute_write(attempt)

    async def stream(self, query: Query[Row], parameters: DriverParameters) -> AsyncIterator[Row]:
        """The rows of a statement as they arrive, in constant memory."""
        make = maker(query.row)
        async with self.session(READ_ACCESS) as session:
            async with self._deadline():
                statement = DriverQuery(sent_text(query), timeout=self.limits.stream)
                result = await session.run(statement, parameters)
            while records := await self._fetch(result):
                for record in records:
                    yield make(record)

    async def _fetch(self, result: AsyncResult) -> list[Record]:
        async with self._deadline():
            return await result.fetch(_FETCHED)

    @asynccontextmanager
    async def _deadline(self, seconds: float = 0.0) -> AsyncGenerator[None]:
        """Raise Silent if the server is silent for ``limits.answer + seconds``, or as ``silent_until`` says.

        A server behind a broken network sends nothing, not even a reset.
        """
        begun = time.monotonic()
        most = min(self.limits.answer + seconds, max(_until.get() - begun, _LEAST))
        try:
            async with asyncio.timeout(most):
                yield
        except TimeoutError:
            raise Silent(time.monotonic() - begun) from None
