"""The graph translates Neo4j's errors to its own and recovers where possible."""

import asyncio
import inspect
import ssl
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from neo4j import exceptions as neo

from legacymind.calls import calling
from legacymind.db.connection import DatabaseRow
from legacymind.db.errors import Silent, translate
from legacymind.db.graph import Graph, Transaction
from legacymind.db.options import Address, Limits
from legacymind.db.query import NoRow, Parameters, Query
from legacymind.db.schema import VERSION, check
from legacymind.db.stored import Property
from legacymind.engine import Engine
from legacymind.errors import (
    DatabaseBusy,
    DatabaseError,
    DatabaseRefused,
    DatabaseTooOld,
    DatabaseUnreachable,
    SchemaTooNew,
    Starting,
)
from legacymind.services.chain.reads import READ_HEAD, StoredHead
from legacymind.services.think.store import LOCK_HEAD
from legacymind.settings import Settings

pytestmark = pytest.mark.anyio

PASSWORD = "s3cret-Pa55"
NOW = datetime.now(UTC)
NO_HEAD = StoredHead(hash=None, step=None, id=None, key_id=None, last=[], sessions=0)

SLOW = Query(
    "slow",
    NoRow,
    False,
    "UNWIND range(1, 1000000000) AS x RETURN sum(x % 7) AS slow",
    frozenset(),
)


def at(address: Address) -> Callable[[], Awaitable[Address]]:
    async def locate() -> Address:
        return address

    return locate


@asynccontextmanager
async def opened(address: Address, **options: Any) -> AsyncGenerator[Graph]:
    graph = Graph(at(address), **options)
    try:
        yield graph
    finally:
        await graph.close()


def limit(graph: Graph, limits: Limits) -> None:
    """Change the limits of a connected graph."""
    graph._limits = limits  # pyright: ignore[reportPrivateUsage]
    graph._connected().limits = limits  # pyright: ignore[reportPrivateUsage]


async def refusal(address: Address) -> DatabaseError:
    async with opened(address) as graph:
        with pytest.raises(DatabaseError) as raised:
            await graph.run(READ_HEAD, {"namespace": "n", "session_id": "s"})
    assert_explained(raised.value)
    return raised.value


def assert_explained(error: DatabaseError) -> None:
    """The error has what happened and a hint, the effect on the data if it ended a write, and no secret."""
    assert error.what
    assert error.hint
    assert str(error) == f"{error.what} {error.hint}"
    error.of_write()
    assert error.effect
    assert str(error) == f"{error.what} {error.effect} {error.hint}"
    assert PASSWORD not in str(error)


@pytest.mark.parametrize(
    "uri",
    ["bolt://127.0.0.1:1", "neo4j://127.0.0.1:1", "bolt+s://127.0.0.1:1", "bolt://no-such-host.invalid:7687"],
)
async def test_an_address_without_server_is_reported_at_once(uri: str) -> None:
    async with asyncio.timeout(10):
        error = await refusal(Address(uri, "neo4j", PASSWORD))
    assert type(error) is DatabaseUnreachable
    assert uri in error.what
    assert "NEO4J_URI" in error.hint


async def test_another_service_or_missing_tls_is_unreachable(
    engine_settings: Settings, address: Address
) -> None:
    browser = Engine(engine_settings).status().browser_url.removeprefix("http://").split("/")[0]
    for uri in (f"bolt://{browser}", address.uri.replace("bolt:", "bolt+s:")):
        assert type(await refusal(replace(address, uri=uri))) is DatabaseUnreachable


@pytest.mark.parametrize(
    "uri",
    ["", "nonsense", "ftp://127.0.0.1:1", "http://127.0.0.1:7474", "bolt://[::1", "bolt://127.0.0.1:abc"],
)
async def test_an_invalid_address_is_reported_with_an_example(uri: str) -> None:
    error = await refusal(Address(uri, "neo4j", PASSWORD))
    assert type(error) is DatabaseUnreachable
    assert "is not an address" in error.what
    assert "neo4j://" in error.hint


async def test_a_password_in_the_address_is_never_quoted() -> None:
    for uri in (f"bolt://neo4j:{PASSWORD}@127.0.0.1:1", f"bolt://a:b@{PASSWORD}@127.0.0.1:1?x=y"):
        error = await refusal(Address(uri, "neo4j", ""))
        assert "127.0.0.1:1" in error.what
    assert PASSWORD not in repr(Address("bolt://x", "neo4j", PASSWORD))


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_wrong_password_is_reported_without_quoting_it(address: Address, scheme: str) -> None:
    uri = address.uri.replace("bolt", scheme)
    error = await refusal(Address(uri, "neo4j", PASSWORD))
    assert type(error) is DatabaseRefused
    assert "NEO4J_PASSWORD" in error.hint


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_a_missing_database_is_named(address: Address, scheme: str) -> None:
    uri = address.uri.replace("bolt", scheme)
    error = await refusal(replace(address, uri=uri, database="nowhere"))
    assert type(error) is DatabaseRefused
    assert "has no database of the configured name" in error.what
    assert "NEO4J_DATABASE" in error.hint


async def test_the_database_of_users_is_refused_by_name(address: Address) -> None:
    error = await refusal(replace(address, database="system"))
    assert type(error) is DatabaseRefused
    assert "can hold no memory" in error.what
    assert "NEO4J_DATABASE" in error.hint


def test_a_server_of_the_users_own_is_never_started_by_a_command_and_a_hung_engine_is_named() -> None:
    gone = neo.ServiceUnavailable("gone")
    assert "legacymind up" not in str(translate(gone, "bolt://host"))
    assert "legacymind up" in str(translate(gone, "bolt://host", 7))
    assert "process 7" in translate(Silent(75.0), "bolt://host", 7).what
    assert "No Neo4j answers" in translate(Silent(75.0), "bolt://host").what
    expired = neo.Neo4jError._basic_hydrate(  # pyright: ignore[reportPrivateUsage]
        neo4j_code="Neo.ClientError.Security.CredentialsExpired", message="change it"
    )
    assert "has expired" in translate(expired, "bolt://host").what


async def test_an_error_that_the_driver_did_not_foresee_is_translated(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: dict[str, Any] = {"__name__": "neo4j._async.work.session"}
    exec("async def run(*_, **__): None.complete", broken)
    place = {"namespace": "n", "session_id": "s"}
    locked = {**place, "genesis": "g", "recorded_at": datetime.now(UTC)}
    async with opened(address) as graph:
        await graph.ready()
        for query, parameters, unsettled in ((READ_HEAD, place, False), (LOCK_HEAD, locked, True)):
            limit(graph, Limits(retry=0.2))
            with monkeypatch.context() as breaking:
                breaking.setattr("neo4j.AsyncSession.run", broken["run"])
                with pytest.raises(DatabaseUnreachable) as raised:
                    await graph.run(cast("Any", query), parameters)
            raised.value.of_write()
            assert ("It is not known" in raised.value.effect) is unsettled
            await graph.ready()  # the last attempt may have closed the connection
            limit(graph, Limits())
            assert await graph.run(READ_HEAD, place) == [NO_HEAD]


async def test_an_agent_is_answered_while_the_engine_starts_and_the_start_goes_on(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.db.graph.PATIENCE", 0.05)
    started, starts = asyncio.Event(), list[str]()

    async def start() -> Address:
        starts.append("start")
        await started.wait()
        return address

    graph = Graph(start)
    with calling(agent=True):
        for _ in range(2):
            with pytest.raises(Starting, match="still starting"):
                await graph.ready()
    started.set()
    assert (await graph.ready()).version
    assert starts == ["start"]
    await graph.close()


@pytest.mark.slow
async def test_a_statement_over_the_time_limit_is_ended_and_the_next_one_runs(address: Address) -> None:
    async with opened(address) as graph:
        await graph.ready()  # opening may take longer than a second on a busy machine
        limit(graph, Limits(statement=1.0))
        async with asyncio.timeout(30):
            with pytest.raises(DatabaseError, match="took too long") as raised:
                await graph.run(SLOW, {})
        assert_explained(raised.value)
        assert "LEGACYMIND_QUERY_TIMEOUT" in raised.value.hint
        limit(graph, Limits())
        (row,) = await graph.run(READ_HEAD, {"namespace": "n", "session_id": "s"})
        assert row == NO_HEAD


PUBLIC = [
    member
    for _, member in inspect.getmembers(neo, inspect.isclass)
    if issubclass(member, (neo.DriverError, neo.Neo4jError))
]


@pytest.mark.parametrize("kind", PUBLIC, ids=lambda kind: kind.__name__)
def test_every_exception_of_the_driver_is_translated(kind: type[Exception]) -> None:
    error = translate(kind(f"no bolt://neo4j:{PASSWORD}@host"), f"bolt://neo4j:{PASSWORD}@host")
    assert isinstance(error, DatabaseError)
    assert_explained(error)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("Neo.ClientError.Security.Unauthorized", DatabaseRefused),
        ("Neo.ClientError.Security.AuthenticationRateLimit", DatabaseBusy),
        ("Neo.ClientError.Security.CredentialsExpired", DatabaseRefused),
        ("Neo.ClientError.Security.Forbidden", DatabaseRefused),
        ("Neo.TransientError.General.DatabaseUnavailable", DatabaseUnreachable),
        ("Neo.TransientError.Database.DatabaseUnavailable", DatabaseUnreachable),
        ("Neo.ClientError.Database.DatabaseNotFound", DatabaseRefused),
        ("Neo.ClientError.Transaction.TransactionTimedOut", DatabaseError),
        ("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", DatabaseError),
        ("Neo.TransientError.Transaction.LockAcquisitionTimeout", DatabaseError),
        ("Neo.TransientError.Transaction.DeadlockDetected", DatabaseError),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", DatabaseError),
        ("Neo.DatabaseError.General.UnknownError", DatabaseError),
        ("Neo.ClientError.Statement.SyntaxError", DatabaseError),
    ],
)
def test_every_error_of_the_server_is_translated(code: str, expected: type[DatabaseError]) -> None:
    hydrate = neo.Neo4jError._basic_hydrate  # pyright: ignore[reportPrivateUsage]  # as the driver creates them
    error = translate(hydrate(neo4j_code=code, message="it says"), "bolt://host")
    assert type(error) is expected
    assert_explained(error)


def test_missing_rights_are_not_reported_as_a_wrong_password() -> None:
    hydrate = neo.Neo4jError._basic_hydrate  # pyright: ignore[reportPrivateUsage]
    code = "Neo.ClientError.Security.Forbidden"
    assert "password" not in str(translate(hydrate(neo4j_code=code, message="no"), "bolt://host"))


def test_a_circular_chain_of_causes_is_reported_once() -> None:
    # The driver chains them so when a connection and its error are reused while the server goes down.
    first, second = neo.ServiceUnavailable("first"), neo.ServiceUnavailable("second")
    first.__cause__, second.__context__ = second, first
    error = translate(first, "bolt://host")
    assert type(error) is DatabaseUnreachable
    assert_explained(error)
    second.__cause__ = distrust = ssl.SSLCertVerificationError()
    distrust.verify_message, distrust.__cause__ = "unknown signer", first
    assert "unknown signer" in str(translate(first, "bolt://host"))


@pytest.mark.parametrize("version", ["5.26.0", "4.4.12", "2025.12.1", "2026.06.4", "2026.06-aura", "", "dev"])
def test_a_server_that_was_not_run_is_too_old(version: str) -> None:
    row: DatabaseRow = {"version": version, "edition": "community", "database": None}
    with pytest.raises(DatabaseTooOld) as raised:
        check(row, "bolt://host")
    assert_explained(raised.value)
    assert "2026.07" in raised.value.what


@pytest.mark.parametrize("version", ["2026.07.0", "2026.08.1", "2026.10-aura", "2027.01.0", "2026.09.0-dev"])
def test_a_server_with_search_is_used(version: str) -> None:
    row: DatabaseRow = {"version": version, "edition": "enterprise", "database": None}
    assert check(row, "bolt://host") == {}


def test_a_database_of_a_newer_legacymind_is_not_changed() -> None:
    row: DatabaseRow = {
        "version": "2026.08.1",
        "edition": "community",
        "database": {"schema_version": VERSION + 1},
    }
    with pytest.raises(SchemaTooNew) as raised:
        check(row, "bolt://host")
    assert_explained(raised.value)
    row["database"] = {"schema_version": VERSION}
    assert check(row, "bolt://host") == {"schema_version": VERSION}


@pytest.mark.parametrize("version", ["4", 4.0, True, [4]])
def test_a_schema_version_that_is_no_number_is_reported_and_not_changed(version: object) -> None:
    row: DatabaseRow = {
        "version": "2026.08.1",
        "edition": "community",
        "database": {"schema_version": cast("Property", version)},
    }
    with pytest.raises(DatabaseError, match="which is not an integer") as raised:
        check(row, "bolt://host")
    assert_explained(raised.value)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
@pytest.mark.slow
async def test_own_writes_are_read_with_either_scheme(address: Address, scheme: str) -> None:
    async with opened(replace(address, uri=address.uri.replace("bolt", scheme))) as graph:
        for number in range(20):
            session: Parameters = {"namespace": f"test-{uuid.uuid4()}", "session_id": "s"}
            await graph.run(LOCK_HEAD, {**session, "genesis": str(number), "recorded_at": NOW})
            assert await graph.run(READ_HEAD, session) == [
                replace(NO_HEAD, hash=str(number), step=-1, sessions=1)
            ]


async def test_every_kind_of_write_passes_on_its_bookmark(address: Address) -> None:
    session: Parameters = {"namespace": f"test-{uuid.uuid4()}", "session_id": "s"}
    async with opened(address) as graph:
        await graph.ready()
        driver = graph._connected()._driver  # pyright: ignore[reportPrivateUsage]
        manager = driver.execute_query_bookmark_manager
        seen = [set(await manager.get_bookmarks())]

        async def write(tx: Transaction) -> None:
            await tx.run(LOCK_HEAD, {**session, "genesis": "g", "recorded_at": NOW})

        await graph.transaction(write)
        seen.append(set(await manager.get_bookmarks()))
        await graph.run(LOCK_HEAD, {**session, "genesis": "g", "recorded_at": NOW})
        seen.append(set(await manager.get_bookmarks()))
    assert len({frozenset(marks) for marks in seen}) == 3


async def test_a_transaction_that_fails_leaves_nothing(address: Address) -> None:
    session: Parameters = {"namespace": f"test-{uuid.uuid4()}", "session_id": "s"}

    async def half(tx: Transaction) -> None:
        await tx.run(LOCK_HEAD, {**session, "genesis": "g", "recorded_at": NOW})
        raise LookupError("in the middle")

    async with opened(address) as graph:
        with pytest.raises(LookupError):
            await graph.transaction(half)
        assert await graph.run(READ_HEAD, session) == [NO_HEAD]
