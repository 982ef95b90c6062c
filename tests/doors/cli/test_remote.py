"""`legacymind up` with a configured Neo4j waits for it and starts no engine."""

import asyncio
import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from neo4j import GraphDatabase

from legacymind.db.graph import Graph, Server
from legacymind.db.schema import VERSION
from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings, load_settings
from tests.doors.cli.commands import Env, here, process
from tests.fakes import FakeEmbedder

pytestmark = pytest.mark.slow


async def claimed(settings: Settings) -> None:
    """Give the database the model of the fake embedder."""
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.vectors.claim()


@pytest.fixture
def elsewhere(real_env: Env, tmp_path: Path) -> Env:
    """An environment with a home without an engine."""
    return real_env | {"LEGACYMIND_HOME": str(tmp_path / "home")}


def test_up_finds_the_configured_neo4j_and_starts_none(elsewhere: Env, engine_settings: Settings) -> None:
    asyncio.run(claimed(engine_settings))
    engine = Engine(engine_settings)
    uri = engine.status().uri.replace("bolt://", "neo4j://")
    configured = elsewhere | {"NEO4J_URI": uri, "NEO4J_PASSWORD": engine.password()}
    configured["LEGACYMIND_EMBEDDING_PROVIDER"] = "e5"
    ready = process(configured, "up")
    assert (ready.returncode, f"answers at {uri}" in ready.stdout) == (7, True), ready.stderr
    assert "holds vectors of minilm" in ready.stderr
    facts = json.loads(here(configured, "status", "--json").stdout)
    assert (facts["running"], facts["uri"], facts["version"]) == (True, uri, engine.status().version)
    assert (facts["home"], facts["pid"], facts["password_file"]) == (None, None, None)
    assert facts["problem"] is None
    assert not Path(elsewhere["LEGACYMIND_HOME"]).exists()


def test_up_waits_for_an_absent_neo4j_until_the_start_timeout(
    elsewhere: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[Graph] = []
    ready = Graph.ready

    async def counted(graph: Graph, *, restart: bool = True) -> Server:
        attempts.append(graph)
        return await ready(graph, restart=restart)

    monkeypatch.setattr(Graph, "ready", counted)
    monkeypatch.setattr("legacymind.doors.cli.commands.engine.START_TIMEOUT", 4.5)
    # The clock advances by half a second whenever it is read: at the start and thrice for each attempt.
    monkeypatch.setattr(
        "legacymind.db.graph.time", SimpleNamespace(monotonic=itertools.count(step=0.5).__next__)
    )
    nowhere = elsewhere | {"NEO4J_URI": "neo4j://127.0.0.1:1"}
    missed = here(nowhere, "up")
    assert missed.returncode == 6
    assert missed.stderr.startswith(
        "Error: No Neo4j answers at neo4j://127.0.0.1:1"
    )  # and the driver prints nothing
    assert len(attempts) == 4
    facts = json.loads(here(nowhere, "status", "--json").stdout)
    assert facts["running"] is False
    assert facts["problem"].startswith("No Neo4j answers at neo4j://127.0.0.1:1. Check NEO4J_URI")
    assert not Path(elsewhere["LEGACYMIND_HOME"]).exists()


def test_up_and_status_report_why_a_neo4j_refuses_the_connection(
    elsewhere: Env, engine_settings: Settings
) -> None:
    engine = Engine(engine_settings)
    uri = engine.status().uri
    wrong = elsewhere | {
        "NEO4J_URI": uri,
        "NEO4J_USERNAME": "stranger",  # the right user would be locked out for a while
        "NEO4J_PASSWORD": "not-the-password",
    }
    told = here(wrong, "status", "--json")
    facts = json.loads(told.stdout)
    assert (told.returncode, facts["running"]) == (0, True)
    assert "rejected the user name or the password" in facts["problem"]
    up = here(wrong, "up")
    assert (up.returncode, "rejected the user name or the password" in up.stderr) == (7, True)
    for each in (told, up, here(wrong, "status")):
        assert "not-the-password" not in each.stdout + each.stderr
    encrypted = elsewhere | {
        "NEO4J_URI": uri.replace("bolt://", "bolt+s://"),
        "NEO4J_PASSWORD": engine.password(),
        "LEGACYMIND_START_TIMEOUT": "1",
    }
    facts = json.loads(here(encrypted, "status", "--json").stdout)
    assert facts["running"] is False
    assert facts["problem"].startswith("Could not open an encrypted connection to bolt+s://")
    assert here(encrypted, "up").returncode == 6


@pytest.mark.alone
def test_up_and_status_report_a_database_with_a_later_schema_and_neo4j_as_up(
    elsewhere: Env, engine_settings: Settings
) -> None:
    asyncio.run(claimed(engine_settings))
    engine = Engine(engine_settings)
    uri = engine.status().uri
    managed = elsewhere | {"LEGACYMIND_HOME": engine_settings.home}
    remote = elsewhere | {"NEO4J_URI": uri, "NEO4J_PASSWORD": engine.password()}
    set_version = "MATCH (d:LegacyMind {id: 'database'}) SET d.schema_version = $version"
    with GraphDatabase.driver(uri, auth=("neo4j", engine.password())) as driver:  # pyright: ignore[reportUnknownMemberType]
        try:
            driver.execute_query(set_version, version=99)
            for env in (managed, remote):
                facts = json.loads(here(env, "status", "--json").stdout)
                assert (facts["running"], "has schema version 99" in facts["problem"]) == (True, True)
                up = here(env, "up")
                assert (up.returncode, "has schema version 99" in up.stderr) == (7, True)
        finally:
            driver.execute_query(set_version, version=VERSION)


def test_up_with_an_unavailable_model_reports_neo4j_as_up(real_env: Env, tmp_path: Path) -> None:
    engine = Engine(load_settings(real_env))
    neo4j = {"NEO4J_URI": engine.status().uri, "NEO4J_PASSWORD": engine.password()}
    offline = {"LEGACYMIND_CACHE": str(tmp_path), "HTTPS_PROXY": "http://127.0.0.1:9"}
    done = process(real_env | neo4j | offline, "up")
    assert (done.returncode, "answers at" in done.stdout) == (7, True), done.stderr
    assert "could not be downloaded" in done.stderr
