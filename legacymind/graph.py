"""The one room that speaks to Neo4j: the driver, transactions, its errors as ours."""

import asyncio
import random
import re
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncSession,
    RoutingControl,
)
from neo4j import Query as DriverQuery
from neo4j import exceptions as neo
from neo4j.time import DateTime

from legacymind import queries
from legacymind.errors import (
    DatabaseError,
    DatabaseFromTheFuture,
    DatabaseRefused,
    DatabaseTooOld,
    DatabaseUnreachable,
    EmbeddingMismatch,
)
from legacymind.queries import DatabaseRow, Query, Row, Slot

SCHEMA_VERSION: Final = 2
OLDEST: Final = (2026, 2)
"""The first Neo4j whose Cypher 25 has ``SEARCH`` for good."""

_PATIENCE: Final = 15.0
"""Seconds for which what may pass is tried again."""

_PAUSE: Final = 0.05
"""Seconds before it is tried again first; doubled each time."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j is and how to be let in; the password is never printed."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str = "neo4j"


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

    def __init__(self, locate: Callable[[], Awaitable[Address]], *, timeout: float = 30.0) -> None:
        self._locate = locate
        self._timeout = timeout
        self._address = Address("", "", "")
        self._driver: AsyncDriver | None = None
        self._server: Server | None = None
        self._lock = asyncio.Lock()
        self._planned: set[str] = set()
        self._planning: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def close(self) -> None:
        """Close the connections."""
        driver, self._driver, self._server = self._driver, None, None
        if driver is not None:
            await driver.close()

    async def ready(self) -> Server:
        """Connect, check the server, and set the schema up when the database is new; once per process.

        Raises DatabaseUnreachable, DatabaseRefused, DatabaseTooOld or DatabaseFromTheFuture.
        """
        if self._server is None:
            async with self._lock:
                if self._server is None:
                    self._server = await self._open()
        return self._server

    async def run(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Run one statement in its own transaction: two round trips, retried on transient errors.

        Raises a DatabaseError.
        """
        _check(query, parameters)

        async def work() -> list[Row]:
            if query.text in self._planned:
                return await self._execute(query, parameters)
            # Planning a large statement takes a server a second of a core, and it plans it once for each
            # connection that asks at the same time: the first call goes alone.
            async with self._planning[query.text]:
                if query.text not in self._planned:
                    rows = await self._first(query, parameters)
                    self._planned.add(query.text)
                    return rows
            return await self._execute(query, parameters)

        return await self._insist(work)

    async def stream(self, query: Query[Row], **parameters: Any) -> AsyncIterator[Row]:
        """Read rows as they come, in flat memory; one transaction, never retried."""
        await self.ready()
        _check(query, parameters)
        driver = self._driver
        try:
            async with self._session(READ_ACCESS) as session:
                result = await session.run(query.text, parameters)
                async for record in result:
                    yield cast("Row", _plain(record.data()))
        except (neo.DriverError, neo.Neo4jError) as raised:
            raise self._explained(raised, driver) from raised

    async def transaction(self, work: Callable[["Transaction"], Awaitable[T]]) -> T:
        """Run several statements that are committed together or not at all.

        ``work`` is run again on a transient error, so it may do nothing but run statements.
        """
        return await self._insist(lambda: self._committed(work))

    async def claim_slot(self, fingerprint: str, details: dict[str, Any], dimensions: int) -> Slot:
        """Make the active slot hold this embedder's vectors, or find that it does, with its indexes online.

        Raises EmbeddingMismatch when the slot holds another model's.
        """
        named = {f"embedding_a_{name}": value for name, value in details.items()}
        (row,) = await self.run(queries.claim_slot, fingerprint=fingerprint, details=named)
        if not row["mine"]:
            raise EmbeddingMismatch(
                f"This database holds vectors of {row['fingerprint']}, but {fingerprint} is configured.",
                do="Configure the embedder the database was filled with; models never mix.",
            )
        for index in queries.create_vector_indexes:
            await self._apply(index, dimensions=dimensions)
        await self.run(queries.await_indexes, seconds=120)
        return "a"

    # --- inside -----------------------------------------------------------------------------------

    def _connected(self) -> AsyncDriver:
        if self._driver is None:  # another caller is connecting anew
            raise neo.ServiceUnavailable("The driver was closed.")
        return self._driver

    def _session(self, access: str) -> AsyncSession:
        # The driver's own bookmarks: what execute_query wrote is read here, and the other way round.
        driver = self._connected()
        return driver.session(  # pyright: ignore[reportUnknownMemberType]
            database=self._address.database,
            default_access_mode=access,
            bookmark_manager=driver.execute_query_bookmark_manager,
        )

    async def _open(self) -> Server:
        await self.close()
        self._address = await self._locate()
        try:
            self._driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
                self._address.uri,
                auth=(self._address.username, self._address.password),
                user_agent="legacymind",
                connection_timeout=10.0,
                connection_acquisition_timeout=30.0,
                max_transaction_retry_time=0.0,  # _insist tries again
                notifications_min_severity="OFF",
            )
            row = await self._read_database()
        except (neo.DriverError, neo.Neo4jError, ValueError) as raised:
            await self.close()
            raise explained(raised, self._address.uri) from raised
        server = usable(row, self._address.uri)
        stored = server.database.get("schema_version", 0)
        if stored == 1:
            for statement in queries.drop_quantized_indexes:
                await self._apply(statement)
        if stored < SCHEMA_VERSION:
            for statement in queries.apply_schema:
                await self._apply(statement)
            await self._setup(queries.await_indexes, seconds=120)
            await self._setup(queries.write_version, version=SCHEMA_VERSION)
        return server

    async def _read_database(self) -> DatabaseRow:
        # Auto-commit, which is not retried: a wrong address is told at once.
        async with self._session(READ_ACCESS) as session:
            result = await session.run(DriverQuery(queries.read_database.text, timeout=self._timeout))
            record = await result.single(strict=True)
        return cast("DatabaseRow", _plain(record.data()))

    async def _apply(self, statement: Query[Any], **parameters: Any) -> None:
        """A schema statement; that another process has just made the same thing is a success."""
        try:
            await self._setup(statement, **parameters)
        except DatabaseError as raised:
            cause = raised.__cause__
            if not (isinstance(cause, neo.Neo4jError) and "AlreadyExists" in (cause.code or "")):
                raise

    async def _setup(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """A statement that belongs to connecting, so that it must not connect anew."""
        _check(query, parameters)
        return await self._insist(lambda: self._execute(query, parameters), connect=False)

    async def _execute(self, query: Query[Row], parameters: dict[str, Any]) -> list[Row]:
        result = await self._connected().execute_query(
            DriverQuery(query.text, timeout=self._timeout),
            parameters,
            database_=self._address.database,
            routing_=RoutingControl.WRITE if query.writes else RoutingControl.READ,
        )
        return [cast("Row", _plain(record.data())) for record in result.records]

    async def _first(self, query: Query[Row], parameters: dict[str, Any]) -> list[Row]:
        """A statement that this process sends for the first time; a slow one alone among all processes."""
        if not query.slow_to_plan:
            return await self._execute(query, parameters)

        async def alone(tx: Transaction) -> list[Row]:
            await tx.run(queries.lock_planning)
            return await tx.run(query, **parameters)

        return await self._committed(alone)

    async def _committed(self, work: Callable[["Transaction"], Awaitable[T]]) -> T:
        async def attempt(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx))

        async with self._session(WRITE_ACCESS) as session:
            return await session.execute_write(attempt)

    async def _insist(self, work: Callable[[], Awaitable[T]], *, connect: bool = True) -> T:
        """Do ``work``, and do it again while what fails may pass: a deadlock, a server that restarts.

        The driver would, too, but behind its back: a server that came back has no plans, and has to be asked
        for them by one caller at a time.
        """
        if connect:
            await self.ready()  # who was never connected is told at once
        pause, until, lost = _PAUSE, float("inf"), False
        while True:
            driver = self._driver
            try:
                if connect:
                    await self.ready()
                    driver = self._driver
                try:
                    return await work()
                except neo.ConstraintError:
                    # Another writer has just made the same node: this time it is met.
                    return await work()
            except DatabaseUnreachable as ours:
                failure = ours
            except (neo.DriverError, neo.Neo4jError) as raised:
                # One connection may be lost for many reasons; when the next one is as well, it is the server.
                # A commit whose answer was lost is none to fear: what was written meets its own ids.
                passing = raised.is_retryable() or isinstance(raised, neo.IncompleteCommit) or _closed(raised)
                failure = self._explained(raised, driver, connected=passing and not lost)
                failure.__cause__ = raised
                if not passing:
                    raise failure from raised
            lost = isinstance(failure, DatabaseUnreachable)
            until = min(until, time.monotonic() + _PATIENCE)
            if time.monotonic() > until or (lost and not connect):
                raise failure
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311
            pause = min(2 * pause, 2.0)

    def _explained(
        self, raised: Exception, driver: AsyncDriver | None, *, connected: bool = False
    ) -> DatabaseError:
        """What was raised as ours; unless ``connected`` still, the next statement connects anew."""
        ours = explained(raised, self._address.uri)
        if isinstance(ours, DatabaseUnreachable):
            self._planned.clear()  # perhaps it was restarted
            if connected:
                return ours
        # Who waited longest on a driver that is gone must not close the one that took its place.
        if isinstance(ours, DatabaseUnreachable) and driver is self._driver:
            self._server = None
        return ours


class Transaction:
    """Statements that are committed together or not at all."""

    def __init__(self, tx: AsyncManagedTransaction) -> None:
        self._tx = tx

    async def run(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Run one statement inside the transaction."""
        _check(query, parameters)
        result = await self._tx.run(query.text, parameters)
        return [cast("Row", _plain(record.data())) async for record in result]


def usable(row: DatabaseRow, uri: str) -> Server:
    """The server that answered; raises DatabaseTooOld or DatabaseFromTheFuture."""
    if _version(row["version"]) < OLDEST:
        raise DatabaseTooOld(
            f"The Neo4j at {_shown(uri)} is {row['version']}; LegacyMind needs 2026.02 or later, "
            "which is where Cypher 25 can SEARCH.",
            do="Upgrade it, or unset NEO4J_URI to use the managed engine.",
        )
    database = row["database"] or {}
    stored = database.get("schema_version", 0)
    if stored > SCHEMA_VERSION:
        raise DatabaseFromTheFuture(
            f"This database has schema {stored}; this LegacyMind knows up to {SCHEMA_VERSION}.",
            do="Upgrade LegacyMind.",
        )
    return Server(row["version"], row["edition"], database)


def explained(raised: Exception, uri: str) -> DatabaseError:
    """A driver's error as ours: which of the things that go wrong it is, and what to do."""
    code = raised.code if isinstance(raised, neo.Neo4jError) else None
    uri = _shown(uri)
    if isinstance(raised, neo.Forbidden) or code == "Neo.ClientError.Security.Forbidden":
        return DatabaseRefused(
            f"The user at {uri} may not do this.",
            do="Give the user of NEO4J_USERNAME the rights to read, write, and make indexes.",
        )
    if isinstance(raised, neo.AuthError) or (code or "").startswith("Neo.ClientError.Security"):
        return DatabaseRefused(
            f"Neo4j at {uri} refused the user name or the password.",
            do="Check NEO4J_USERNAME and NEO4J_PASSWORD; for the managed engine, see `legacymind status`.",
        )
    unreachable = (neo.ServiceUnavailable, neo.SessionExpired, neo.ConnectionAcquisitionTimeoutError)
    # A database that is still starting says unavailable; a driver that another caller replaced says closed.
    gone = (code or "").endswith(".DatabaseUnavailable") or _closed(raised)
    if isinstance(raised, unreachable) or gone:
        return DatabaseUnreachable(
            f"No Neo4j answers at {uri}.",
            effect="Nothing was acknowledged; a write under way is there whole or not at all.",
            do="Check NEO4J_URI and that the server runs; for the managed engine, `legacymind up`.",
        )
    if isinstance(raised, neo.ConfigurationError | ValueError):
        return DatabaseUnreachable(
            f"{uri} is not an address Neo4j can be reached at: {_shown(str(raised))}.",
            do="Use bolt://, neo4j://, bolt+s:// or neo4j+s:// with a host and port in NEO4J_URI.",
        )
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return DatabaseError("The configured database does not exist.", do="Check NEO4J_DATABASE.")
    if code in {"Neo.ClientError.Transaction.TransactionTimedOut", *_TIMEOUTS}:
        return DatabaseError(
            "Neo4j ended the statement because it took too long.",
            do="Ask for less, or raise LEGACYMIND_QUERY_TIMEOUT.",
        )
    detail = (raised.message or "") if isinstance(raised, neo.Neo4jError) else str(raised)
    return DatabaseError(
        f"Neo4j failed with {code or type(raised).__name__}: {_shown(detail)[:300]}.",
        do="If it stays so, report it with this message.",
    )


_TIMEOUTS = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    }
)


def _closed(raised: Exception) -> bool:
    """Whether another caller replaced the driver meanwhile."""
    return type(raised) is neo.DriverError and "closed" in str(raised)


def _check(query: Query[Any], parameters: dict[str, Any]) -> None:
    if parameters.keys() != query.parameters:
        missing = sorted(query.parameters - parameters.keys())
        extra = sorted(parameters.keys() - query.parameters)
        raise TypeError(f"{query.file}.cypher: missing parameters {missing}, unknown parameters {extra}")


def _shown(text: str) -> str:
    # Somebody may have put user and password into the address.
    return re.sub(r"//\S*@", "//", text)


def _version(text: str) -> tuple[int, int]:
    """``2026.08.1`` as (2026, 8); Aura's ``2026.08-aura`` as well."""
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _plain(value: Any) -> Any:
    """Driver values as Python's own: its date-times become ``datetime``."""
    if isinstance(value, DateTime):
        return value.to_native()
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
