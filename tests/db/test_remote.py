"""A configured Neo4j: encrypted, without GDS, still starting, or with a database of another version."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncDriver

from legacymind.calls import said
from legacymind.db import schema
from legacymind.db.connection import READ_DATABASE
from legacymind.db.graph import Transaction
from legacymind.db.schema import DROP_INDEX
from legacymind.embed.base import Embedder
from legacymind.errors import (
    AlgorithmsMissing,
    ConfigurationError,
    DatabaseUnreachable,
    EmbeddingError,
    EmbeddingMismatch,
    InvalidInput,
    SchemaTooNew,
)
from legacymind.mind import Mind
from legacymind.model.base import OPEN
from legacymind.model.progress import Progress
from legacymind.services.knowledge.remember import REMEMBER_ENTITIES
from legacymind.services.maintain import filling
from legacymind.settings import Settings
from legacymind.text import fulltext
from tests import engines
from tests.db import remote
from tests.db.remote import NamedEmbedder, Remote
from tests.engine.servers import guess_passwords
from tests.fakes import FoldedEmbedder
from tests.steps import progressing, remember

pytestmark = [pytest.mark.anyio, pytest.mark.engine, pytest.mark.limit(600)]


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
async def service(
    served: Remote, uri: str, embedder: Embedder | None = None, **options: object
) -> AsyncGenerator[Mind]:
    """A service with the user's settings for the server."""
    given: dict[str, Any] = {"namespace": "kept", **options}
    settings = Settings(
        neo4j_uri=uri.format(port=served.port),
        neo4j_password=served.engine.password(),
        retry_time=60.0,
        **given,
    )
    async with Mind(settings, session_id="old", embedder=embedder or NamedEmbedder()) as mind:
        yield mind
    await asyncio.sleep(0.2)  # the driver does not wait for the end of TLS, which the loop must see


class _Interrupted(Exception):
    """The process ends here."""


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


async def test_two_processes_upgrade_a_database_once_and_keep_its_data(
    served: Remote, driver: AsyncDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    await remote.empty(driver)
    async with service(served, "bolt://localhost:{port}") as mind:
        await remember(mind, entities=[{"name": "Breaker", "description": "a fuse"}, {"name": "Payments"}])
        for content in (
            "The retry storm began.",
            "The breaker tripped.",
            "Payments fell over.",
            "All is well.",
        ):
            await mind.think(content, session_id="old", injection_scale=0)
    before, declared = await remote.everything(driver), await remote.declared(driver)
    versions: list[int] = []

    async def step(run: schema.Run) -> None:
        (row,) = await run(READ_DATABASE, {})
        versions.append(schema.version(row["database"] or {}))
        if len(versions) == 1:
            raise _Interrupted
        await run(DROP_INDEX, {"name": "thought_standing"})

    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setitem(schema.STEPS, 2, step)
    async with service(served, "bolt://localhost:{port}") as mind:
        with pytest.raises(_Interrupted):
            await mind.graph.ready()
    assert await remote.everything(driver) == before
    async with (
        service(served, "bolt://localhost:{port}") as one,
        service(served, "neo4j://localhost:{port}") as two,
    ):
        await asyncio.gather(one.graph.ready(), two.graph.ready())
        assert (await two.verify("old")).thought_count == 4
    assert versions == [1, 1]
    assert await remote.declared(driver) == declared
    after = await remote.everything(driver)
    assert after == [node.replace("'schema_version': 1", "'schema_version': 2") for node in before]
    monkeypatch.undo()
    async with service(served, "bolt://localhost:{port}") as mind:
        with pytest.raises(SchemaTooNew, match="schema version 2; this LegacyMind supports up to 1"):
            await mind.graph.ready()
    assert await remote.everything(driver) == after
    await driver.execute_query("MATCH (d:LegacyMind) SET d.schema_version = 1")


async def test_without_gds_and_encrypted_everything_works(served: Remote, driver: AsyncDriver) -> None:
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
        assert len(found.hits) == 2
        assert (await call["verify_chain"].call({"session_id": "old"})).complete
        with pytest.raises(AlgorithmsMissing, match="Graph Data Science plugin is missing"):
            await mind.analyze()
        assert (await mind.communities()).community_count == 0
    procedures = await driver.execute_query("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'gds.'")
    assert procedures.records == []


def interrupt(stage: str) -> Progress:
    """Progress that ends the work at its second report of a stage that is not finished."""
    seen = list[int]()

    def report(reported: str, done: int, total: int, /) -> None:
        seen.extend([done] if reported == stage and done < total else [])
        if len(seen) == 2:
            raise _Interrupted

    return report


@pytest.fixture
async def old(served: Remote) -> AsyncIterator[Mind]:
    """A process with the model that the database was filled with. One of its writes waits for a switch."""
    async with service(served, "bolt://localhost:{port}", query_timeout=300.0) as mind:
        yield mind


@pytest.fixture
async def new(served: Remote, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Mind]:
    """A process with another model, of other dimensions, that works in small batches."""
    monkeypatch.setattr(filling, "_BATCH", 2)
    monkeypatch.setattr(filling, "_PAGE", 3)
    async with service(served, "bolt://localhost:{port}", FoldedEmbedder()) as mind:
        yield mind


async def slots(driver: AsyncDriver) -> tuple[int, int, int]:
    """The number of nodes with a vector in slot a, in slot b, and of those marked as waiting."""
    found = await driver.execute_query(
        "MATCH (n:Thought|Entity|Observation) "
        "RETURN count(n.embedding_a), count(n.embedding_b), count(n.embedding_deferred)"
    )
    a, b, waiting = found.records[0].values()
    return a, b, waiting


async def test_a_database_gets_the_vectors_of_another_model_while_it_is_used(
    served: Remote, driver: AsyncDriver, old: Mind, new: Mind
) -> None:
    embedder = new.vectors.embedder
    assert isinstance(embedder, FoldedEmbedder)
    (stored, _, _) = await slots(driver)
    with pytest.raises(InvalidInput, match=r"holds vectors of fake/bag-of-words\S+ already"):
        await old.reembed()
    embedder.down = True
    with pytest.raises(EmbeddingError):
        await new.reembed()
    assert (await new.reembed("status")).state == "none"
    embedder.down = False
    with pytest.raises(_Interrupted):
        await progressing(new.reembed("run"), interrupt("Looking for texts to embed"))
    assert (await new.reembed("status")).state == "filling"
    with pytest.raises(_Interrupted):
        await progressing(new.reembed("run"), interrupt("Embedding"))
    _, done, left = await slots(driver)
    assert (done, done + left) == (4, stored)
    # What others store meanwhile, and describe anew after it was embedded, waits for the new model, too.
    await remember(
        old,
        entities=[{"name": "Breaker", "description": "a fuse that can be reset"}],
        observations=[{"entity": "Breaker", "content": "It tripped at noon."}],
    )
    await old.think("The fuse tripped again", session_id="old")
    embedder.refused = "Breaker: It tripped at noon."
    async with service(served, "bolt://localhost:{port}", embedder) as later:  # another process
        first = await later.reembed()
        embedder.refused = None
        assert (first.state, first.refused, first.waiting_in_other) == ("ready", 1, 1)
        second = await later.reembed()
    assert (second.state, second.embedded, second.waiting_in_other) == ("ready", 1, 0)
    assert await slots(driver) == (stored + 2, stored + 2, 0)
    counts = [text for call in embedder.calls for text in call]
    assert len(set(counts)) < len(counts) <= stored + 2 + 8  # two interrupted batches and two refused ones
    found = await driver.execute_query(
        "MATCH (e:Entity {name: 'Breaker'}) RETURN e.embedding_b ORDER BY e.description"
    )
    (expected,) = FoldedEmbedder.of(["Breaker: a fuse that can be reset"])
    assert found.records[0].values() == [pytest.approx(expected)]
    compared = (await new.reembed("compare", k=3, sample=50)).comparison
    assert compared is not None
    assert compared.overlap is not None
    assert 0.3 < compared.overlap <= 1
    assert compared.samples > 5


async def test_a_switch_loses_nothing_refuses_the_old_model_and_can_be_rolled_back(
    served: Remote, driver: AsyncDriver, old: Mind, new: Mind
) -> None:
    await remember(old, entities=[{"name": "Kiln", "description": "fires clay"}])
    begun, ended = asyncio.Event(), asyncio.Event()
    (vector,) = await old.vectors.embed(["Wheel: turns clay"])
    fingerprint = (await old.vectors.claim()).fingerprint

    async def slow(tx: Transaction) -> None:
        """A write that began before the switch and ends after it."""
        await tx.run(
            REMEMBER_ENTITIES,
            {
                "namespace": "kept",
                "fingerprint": fingerprint,
                "ns_key": fulltext.namespace_key("kept"),
                "recorded_at": OPEN,
                "valid_to": OPEN,
                "times": [datetime.now(UTC)],
                "said": said(),
                "rows": [
                    {
                        "index": 0,
                        "id": "wheel",
                        "name": "Wheel",
                        "name_key": "wheel",
                        "entity_type": "",
                        "type_key": "",
                        "any_type": False,
                        "valid_from": 0,
                        "vector": vector,
                        "properties": {"description": "turns clay"},
                    }
                ],
            },
        )
        begun.set()
        await ended.wait()

    writing = asyncio.create_task(old.graph.transaction(slow))
    await begun.wait()
    switched = await new.reembed("switch")
    ended.set()
    await writing
    assert (switched.state, switched.embedded, switched.waiting) == ("switched", 1, 0)
    assert switched.drop_after is not None
    assert (await new.reembed("status")).waiting == 1
    before = await remote.everything(driver)
    for name, arguments in {
        "think": {"content": "x"},
        "remember": {"entities": [{"name": "x"}], "observations": [{"entity": "x", "content": "y"}]},
        "search": {"query": "clay"},
        "context": {"query": "clay"},
        "duplicates": {},
    }.items():
        with pytest.raises(EmbeddingMismatch, match=r"holds vectors of \S+/folded"):
            await old.operations[name].call(arguments)
    assert await remote.everything(driver) == before
    async with service(served, "bolt://localhost:{port}", FoldedEmbedder()) as later:
        await remember(later, entities=[{"name": "Glaze", "description": "coats clay"}])  # embeds what waits
    found = await new.search("clay", kinds=["entity"], method="vector")
    assert {"Kiln: fires clay", "Wheel: turns clay", "Glaze: coats clay"} <= {hit.text for hit in found.hits}
    assert (await new.verify_chain("old")).complete
    with pytest.raises(InvalidInput, match="switched to its new model already"):
        await new.reembed("switch")
    with pytest.raises(InvalidInput, match="kept for a roll-back"):
        await new.reembed("drop")

    back = await old.reembed("roll_back")
    assert (back.state, back.waiting, back.active) == ("ready", 0, fingerprint)
    with pytest.raises(EmbeddingMismatch, match="holds vectors of fake/bag-of-words"):
        await new.search("clay")
    found = await old.search("clay", kinds=["entity"], method="vector")
    assert {"Kiln: fires clay", "Wheel: turns clay", "Glaze: coats clay"} <= {hit.text for hit in found.hits}
    with pytest.raises(InvalidInput, match="no switch to roll back"):
        await old.reembed("roll_back")


async def test_old_vectors_are_dropped_completely_also_after_an_interruption(
    served: Remote, driver: AsyncDriver, old: Mind, new: Mind
) -> None:
    await old.search("clay")
    assert (await new.reembed("switch")).state == "switched"
    with pytest.raises(_Interrupted):
        await progressing(new.reembed("drop", now=True), interrupt("Removing vectors"))
    assert (await new.reembed("status")).state == "dropping"
    # A service finishes it when it starts.
    async with service(served, "bolt://localhost:{port}", FoldedEmbedder()) as later:
        watching = asyncio.create_task(later.services.reembedding.watch(lambda: True))
        until = time.monotonic() + 60
        while (await new.reembed("status")).state != "none":
            assert time.monotonic() < until
            await asyncio.sleep(0.05)
        watching.cancel()
        assert not await later.services.reembedding.drop_when_due()
    state = await new.reembed("status")
    assert (state.state, state.other, state.drop_after) == ("none", None, None)
    left = await driver.execute_query(
        "MATCH (n) UNWIND keys(n) AS key WITH DISTINCT key "
        "WHERE key STARTS WITH 'embedding_a' OR key IN ['embedding_deferred', 'dropping_slot', 'other_slot'] "
        "RETURN collect(key)"
    )
    assert left.records[0].value() == []
    assert not [index for index in await remote.declared(driver) if "embedding_a" in index]
    counts = {
        each.name: each.value for each in (await new.maintenance_ops("ensure_continuity_fields")).counts
    }
    assert counts["indexes"] == 0
    declared = await remote.declared(driver)
    await driver.execute_query("DROP INDEX knowledge_embedding_b")
    for apply, state in ((False, "missing"), (True, "online now")):
        ensured = await new.maintenance_ops("ensure_continuity_fields", apply=apply)
        assert [(item.id, item.text) for item in ensured.items] == [
            ("knowledge_embedding_b", f"index, {state}")
        ]
    assert await remote.declared(driver) == declared
    with pytest.raises(EmbeddingMismatch, match=r"holds vectors of \S+/folded"):
        await old.search("clay")
    # The way is free for the next model, and for giving it up.
    assert (await old.reembed()).state == "ready"
    with pytest.raises(_Interrupted):
        await progressing(old.reembed("drop", now=True), interrupt("Removing vectors"))
    async with service(served, "bolt://localhost:{port}", FoldedEmbedder()) as later:
        assert await later.services.reembedding.drop_when_due()
    assert (await old.reembed("status")).state == "none"


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
