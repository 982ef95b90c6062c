"""`legacymind up` with a Neo4j of one's own: it is waited for, and no engine is started beside it."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.transport.commands import Env, here, process


async def claimed(settings: Settings) -> None:
    """Make it a database that holds the fake embedder's vectors."""
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.vectors.claim()


@pytest.fixture
def elsewhere(real_env: Env, tmp_path: Path) -> Env:
    """The environment of somebody whose home has no engine."""
    return real_env | {"LEGACYMIND_HOME": str(tmp_path / "home")}


def test_up_finds_the_neo4j_that_is_configured_and_starts_none(
    elsewhere: Env, engine_settings: Settings
) -> None:
    asyncio.run(claimed(engine_settings))
    engine = Engine(engine_settings)
    uri = engine.status().uri.replace("bolt://", "neo4j://")
    configured = elsewhere | {"NEO4J_URI": uri, "NEO4J_PASSWORD": engine.password()}
    ready = process(configured, "up")
    assert (ready.returncode, f"answers at {uri}" in ready.stdout) == (3, True), ready.stderr
    assert "holds vectors of fake" in ready.stderr
    facts = json.loads(here(configured, "status", "--json").stdout)
    assert (facts["running"], facts["uri"], facts["version"]) == (True, uri, engine.status().version)
    assert (facts["home"], facts["pid"], facts["password_file"]) == (None, None, None)
    assert not Path(elsewhere["LEGACYMIND_HOME"]).exists()


def test_up_waits_for_a_neo4j_that_is_not_there_as_long_as_was_said(elsewhere: Env) -> None:
    began = time.monotonic()
    nowhere = elsewhere | {"NEO4J_URI": "neo4j://127.0.0.1:1", "LEGACYMIND_START_TIMEOUT": "1.5"}
    missed = process(nowhere, "up")
    assert missed.returncode == 1
    assert missed.stderr.startswith(
        "Error: No Neo4j answers at neo4j://127.0.0.1:1"
    )  # and the driver is silent
    assert time.monotonic() - began > 1.5
    assert json.loads(here(nowhere, "status", "--json").stdout)["running"] is False
    assert not Path(elsewhere["LEGACYMIND_HOME"]).exists()
