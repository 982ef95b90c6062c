"""A driver to one address, and what is asked of it: each once, and for no longer than its limit."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    AsyncTransaction,
    Record,
    RoutingControl,
    unit_of_work,
)
from neo4j import Query as DriverQuery
from neo4j import exceptions as neo

from legacymind.db import queries
from legacymind.db.errors import is_starting
from legacymind.db.options import Address, Limits, directly, driver_options
from legacymind.db.queries import Query, Row
from legacymind.db.rows import DatabaseRow
from legacymind.db.values import to_python

_FETCHED: Final = 1000
"""Rows of a stream that the driver, too, asks for at once."""

_CLOSING: Final = 5.0
"""Seconds for saying goodbye to a server, which may be gone."""

# What the driver raises we tell ourselves; without a handler it would be printed as well.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")


class Transaction:
    """Statements that are committed together or not at all."""

    def __init__(self, tx: AsyncManagedTransaction | AsyncTransaction) -> None:
        self._tx = tx

    async def run(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Run one statement inside the transaction."""
        check(query, parameters)
        result = await self._tx.run(query.text, parameters)
        return [cast("Row", to_python(record.data())) async for record in result]


class Link:
    """A driver, made without I/O. What it raises is the driver's own.

    Raises ConfigurationError, ValueError or a DriverError for an address that cannot be one.
    """

    def __init__(self, address: Address, limits: Limits) -> None:
        self._address = address
        self.limits = limits
        options = driver_options(address, limits)
        self._driver = AsyncGraphDatabase.driver(**options)  # pyright: ignore[reportUnknownMemberType]

    async def close(self) -> None:
        """Close the connections."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await self._driver.close()

    def session(self, access: str) -> AsyncSession:
        """A session for reading or for writing."""
        # The driver's own bookmarks: what execute_query wrote is read here, and the other way round.
        return self._driver.session(  # pyright: ignore[reportUnknownMemberType]
            database=self._address.database,
            default_access_mode=access,
            bookmark_manager=self._driver.execute_query_bookmark_manager,
        )

    async def started(self) -> DatabaseRow:
        """Which server it is and what is in its database, once that has started."""
        until = time.monotonic() + self.limits.retry
        while True:
            try:
                # Auto-commit, which is not retried: a wrong address is told at once.
                async with self._answered(), self.session(READ_ACCESS) as session:
                    statement = DriverQuery(queries.read_database.text, timeout=self.limits.statement)
                    record = await (await session.run(statement)).single(strict=True)
                return cast("DatabaseRow", to_python(record.data()))
            except neo.Neo4jError as raised:
                if not is_starting(raised) or time.monotonic() > until:
                    raise
            await asyncio.sleep(0.5)

    async def reason(self, raised: Exception) -> Exception:
        """What is behind "unable to retrieve routing information": what the server says when asked alone."""
        alone = directly(self._address) if isinstance(raised, neo.ServiceUnavailable) else None
        if alone is not None:
            options = driver_options(alone, self.limits)
            try:
                async with AsyncGraphDatabase.driver(**options) as driver, self._answered():  # pyright: ignore[reportUnknownMemberType]
                    await driver.get_server_info()  # pyright: ignore[reportUnknownMemberType]
            except (neo.DriverError, neo.Neo4jError) as reason:
                return reason
        return raised

    async def execute(
        self, query: Query[Row], parameters: dict[str, Any], limit: float | None = None
    ) -> list[Row]:
        """One statement in its own transaction: two round trips; the server ends it after ``limit`` s."""
        seconds = limit or self.limits.statement
        async with self._answered(limit or 0.0):
            result = await self._driver.execute_query(
                DriverQuery(query.text, timeout=seconds),
                parameters,
                database_=self._address.database,
                routing_=RoutingControl.WRITE if query.writes else RoutingControl.READ,
            )
        return [cast("Row", to_python(record.data())) for record in result.records]

    async def execute_alone(self, query: Query[Row], parameters: dict[str, Any]) -> list[Row]:
        """A statement that takes a server seconds to plan, alone among all processes."""
        # The lock is another transaction's, which is rolled back: a server finds a plan that was made in a
        # transaction which had written only for others that have, and would make it again for the next call.
        async with self.session(WRITE_ACCESS) as session:
            async with self._answered(self.limits.transaction):
                lock = await session.begin_transaction(timeout=self.limits.transaction)
                await Transaction(lock).run(queries.lock_planning)
            async with lock:
                # Planning counts, and a server that has just started on a busy machine is slow at it.
                return await self.execute(query, parameters, self.limits.transaction)

    async def committed(self, work: Callable[[Transaction], Awaitable[T]], limit: float | None = None) -> T:
        """Several statements in one transaction, which the server ends after ``limit`` seconds."""
        seconds = limit or self.limits.transaction

        @unit_of_work(timeout=seconds)
        async def attempt(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx))

        async with self._answered(seconds), self.session(WRITE_ACCESS) as session:
            return await session.execute_write(attempt)

    async def stream(self, query: Query[Row], parameters: dict[str, Any]) -> AsyncIterator[Row]:
        """Rows as they come, in flat memory."""
        async with self.session(READ_ACCESS) as session:
            async with self._answered():
                statement = DriverQuery(query.text, timeout=self.limits.stream)
                result = await session.run(statement, parameters)
            while records := await self._fetched(result):
                for record in records:
                    yield cast("Row", to_python(record.data()))

    async def _fetched(self, result: AsyncResult) -> list[Record]:
        async with self._answered():
            return await result.fetch(_FETCHED)

    @asynccontextmanager
    async def _answered(self, seconds: float = 0.0) -> AsyncGenerator[None]:
        """Give a server up that has long been silent: one that is cut off says nothing, not even goodbye."""
        try:
            async with asyncio.timeout(self.limits.answer + seconds):
                yield
        except TimeoutError:
            raise neo.ServiceUnavailable("The server no longer answers.") from None


def check(query: Query[Any], parameters: dict[str, Any]) -> None:
    """Raise TypeError unless the parameters are the statement's."""
    if parameters.keys() != query.parameters:
        missing = sorted(query.parameters - parameters.keys())
        extra = sorted(parameters.keys() - query.parameters)
        raise TypeError(f"{query.file}.cypher: missing parameters {missing}, unknown parameters {extra}")
