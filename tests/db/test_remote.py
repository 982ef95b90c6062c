"""A configured Neo4j: encrypted, without GDS, still starting, or with a database of another version."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncDriver

from legacymind.db.schema import VERSION
from legacymind.errors import AlgorithmsMissing, ConfigurationError, DatabaseUnreachable, SchemaTooNew
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests import engines
from tests.db import remote
from tests.db.remote import FormerEmbedder, Remote
from tests.engine.servers import guess_passwords

pytestmark = [pytest.mark.anyio, pytest.mark.long]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, engine_settings: Settings) -> Iterator[Remote]:
    with engines.brief():
        started = asyncio.run(remote.start(tmp_path_factory.mktemp("remote"), engine_settings.cache))
        yield started
    engines.discard(started.engine)


@pytest.fixture
async def driver(served: Remote) -> AsyncIterator[AsyncDriver]:
    """A driver that only the test uses."""
    async with served.driver() as plain:
        yield plain


@asynccontextmanager
async def service(served: Remote, uri: str, **options: object) -> AsyncGenerator[Mind]:
    """A service with the user's settings for the server."""
    given: dict[str, Any] = {"namespace": "kept", **options}
    settings = Settings(
        neo4j_uri=uri.format(port=served.port),
        neo4j_password=served.engine.password(),
        retry_time=60.0,
        **given,
    )
    async with Mind(settings, session_id="old", embedder=FormerEmbedder()) as mind:
        yield mind


@pytest.fixture(scope="module")
async def created(served: Remote) -> set[str]:
    """The indexes and constraints of a database that this version creates."""
    async with served.driver() as driver:
        await remote.empty(driver)
        async with service(served, "bolt://localhost:{port}") as fresh:
            await fresh.vectors.claim()
        return await remote.declared(driver)


async def everything(driver: AsyncDriver) -> list[str]:
    """All nodes with their properties."""
    found = await driver.execute_query("MATCH (n) RETURN labels(n), properties(n)")
    return sorted(repr(record.values()) for record in found.records)


ENCRYPTED = ["bolt+s://localhost:{port}", "neo4j+s://localhost:{port}"]


@pytest.mark.parametrize("uri", ["bolt://localhost:{port}", "neo4j+ssc://localhost:{port}", *ENCRYPTED])
async def test_a_server_is_reached_with_and_without_encryption(served: Remote, uri: str) -> None:
    authority = str(served.authority) if uri in ENCRYPTED else ""
    async with service(served, uri, neo4j_ca_file=authority) as mind:
        assert (await mind.graph.ready()).edition == "community"


async def test_a_lock_out_after_wrong_passwords_is_waited_for(served: Remote) -> None:
    uri = "bolt://localhost:{port}"
    codes = await guess_passwords(uri.format(port=served.port))
    assert codes[-1] == "Neo.ClientError.Security.AuthenticationRateLimit"
    async with service(served, uri) as mind:
        assert (await mind.graph.ready()).edition == "community"


@pytest.mark.parametrize("uri", ENCRYPTED)
@pytest.mark.parametrize("signer", ["nobody", "a stranger"])
async def test_a_certificate_of_an_unknown_authority_is_rejected_with_a_hint(
    served: Remote, uri: str, signer: str
) -> None:
    file = "" if signer == "nobody" else str(served.stranger)
    async with service(served, uri, neo4j_ca_file=file) as mind:
        with pytest.raises(DatabaseUnreachable, match="is not trusted") as raised:
            await mind.operations["think"].call({"content": "secret"})
        assert "LEGACYMIND_NEO4J_CA_FILE" in raised.value.hint
        async with asyncio.timeout(60):  # without waiting
            with pytest.raises(DatabaseUnreachable, match="is not trusted"):
                await mind.graph.wait(300)


async def test_a_certificate_of_another_host_is_rejected(served: Remote) -> None:
    uri = "bolt+s://127.0.0.1:{port}"
    async with service(served, uri, neo4j_ca_file=str(served.authority)) as mind:
        with pytest.raises(DatabaseUnreachable, match="is not trusted: IP address mismatch"):
            await mind.operations["think"].call({"content": "secret"})


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_a_file_without_a_certificate_is_reported_before_anything_is_sent(
    served: Remote, tmp_path: Path, content: str | None
) -> None:
    file = tmp_path / "authority.pem"
    if content is not None:
        file.write_text(content)
    async with service(served, ENCRYPTED[0], neo4j_ca_file=str(file)) as mind:
        with pytest.raises(ConfigurationError, match="holds no certificate"):
            await mind.operations["think"].call({"content": "secret"})


@pytest.mark.parametrize("version", [1, 2])
async def test_two_concurrent_upgrades_of_an_older_database_keep_all_data(
    served: Remote, driver: AsyncDriver, created: set[str], version: int
) -> None:
    await remote.empty(driver)
    await remote.restore(driver, version)
    async with (
        service(served, "bolt://localhost:{port}") as one,
        service(served, "neo4j://localhost:{port}") as two,
    ):
        searches = [mind.operations["search"].call({"query": "retry storm"}) for mind in (one, two)]
        first, second = await asyncio.gather(*searches)
        assert {hit.text for hit in first.hits} == {hit.text for hit in second.hits}
        start = next(hit for hit in first.hits if "retry storm began" in hit.text)
        trail = await one.operations["walk_trail"].call({"thought_id": start.id, "direction": "both"})
        assert trail.count == 4  # two thoughts, two entities
        again = await two.operations["think"].call({"content": "The breaker's timeout", "injection_scale": 3})
        assert {memory.kind for memory in again.memories} >= {"thought", "entity"}
        report = await one.operations["verify_chain"].call({"session_id": "old"})
        assert (report.valid, report.complete, report.thought_count) == (True, True, 4)
    stored = await driver.execute_query("MATCH (d:LegacyMind) RETURN collect(d.schema_version)")
    assert stored.records[0].value() == [VERSION]
    assert await remote.declared(driver) == created


async def test_without_gds_and_encrypted_everything_works(served: Remote, driver: AsyncDriver) -> None:
    """On the database upgraded last, whose plans are still there: planning ``think`` takes ten seconds."""
    async with service(
        served, ENCRYPTED[1], neo4j_ca_file=str(served.authority), namespace="encrypted"
    ) as mind:
        call = mind.operations
        await call["remember"].call({"entities": [{"name": "Breaker", "description": "cuts services off"}]})
        thought = await call["think"].call(
            {"content": "The breaker cuts a service off", "injection_scale": 5}
        )
        assert [memory.kind for memory in thought.memories] == ["entity"]
        found = await call["search"].call({"query": "breaker", "kinds": ["thought", "entity"]})
        assert found.count == 2
        assert (await call["verify_chain"].call({"session_id": "old"})).complete
        with pytest.raises(AlgorithmsMissing, match="Graph Data Science plugin is missing"):
            await mind.analyze()
        assert (await mind.communities()).community_count == 0
    procedures = await driver.execute_query("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'gds.'")
    assert procedures.records == []


async def test_a_database_of_a_newer_legacymind_is_rejected_and_unchanged(
    served: Remote, driver: AsyncDriver
) -> None:
    async with service(served, "bolt://localhost:{port}") as mind:
        await mind.graph.ready()
    await driver.execute_query("MATCH (d:LegacyMind) SET d.schema_version = 99")
    before = await everything(driver)
    async with service(served, "bolt://localhost:{port}") as mind:
        for name, arguments in {
            "think": {"content": "x"},
            "remember": {"entities": [{"name": "x"}]},
            "search": {"query": "x"},
            "verify_chain": {"session_id": "old"},
        }.items():
            with pytest.raises(SchemaTooNew, match=f"schema version 99.*up to {VERSION}"):
                await mind.operations[name].call(arguments)
    assert await everything(driver) == before
    await remote.empty(driver)


async def test_status_reports_a_database_without_vectors(served: Remote, driver: AsyncDriver) -> None:
    await remote.empty(driver)
    uri = f"bolt://localhost:{served.port}"
    environment = {"PATH": os.environ["PATH"], "NEO4J_URI": uri, "NEO4J_PASSWORD": served.engine.password()}
    for _ in range(2):  # the second time, its schema exists
        command = [sys.executable, "-m", "legacymind", "status", "--json"]
        told = await asyncio.to_thread(subprocess.check_output, command, env=environment)
        facts = json.loads(told)
        assert (facts["uri"], facts["embedding"], facts["mismatch"]) == (uri, None, None)


async def test_a_waiting_service_finds_the_server_when_it_has_started(served: Remote) -> None:
    await served.engine.down()  # the last test: the server restarts as the managed engine, unencrypted
    async with (
        service(served, "neo4j://localhost:{port}") as routed,
        service(served, "bolt://localhost:{port}") as direct,
    ):
        for mind in (routed, direct):
            with pytest.raises(DatabaseUnreachable):
                await mind.graph.wait(0.1)
        waiting = [asyncio.create_task(mind.graph.wait(120)) for mind in (routed, direct)]
        await served.engine.up()
        assert (await served.engine.ensure()).running  # again, although it was stopped by hand
        for server in await asyncio.gather(*waiting):
            assert server.edition == "community"
