"""One database has one model: a service with another is rejected before it does anything."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from legacymind.doors.http.app import build_app
from legacymind.embed.base import EmbedderInfo
from legacymind.errors import EmbeddingError, EmbeddingMismatch
from legacymind.mind import Mind
from legacymind.services.shared.vectors import ClaimedSlot
from tests.fakes import FakeEmbedder
from tests.steps import store_thought
from tests.wire import Wire, raw

pytestmark = pytest.mark.anyio

HELD = "minilm/all-MiniLM-L6-v2@"
BASE = "http://127.0.0.1:8787"


class Other(FakeEmbedder):
    """An embedder of another model."""

    def __init__(self, **changed: Any) -> None:
        super().__init__()
        self.info: EmbedderInfo = replace(FakeEmbedder.info, **changed)  # pyright: ignore[reportIncompatibleVariableOverride]


@pytest.fixture(params=[{"model": "another"}, {"dimensions": 128}, {"version": "2"}], ids=str)
async def other(request: pytest.FixtureRequest, mind: Mind) -> AsyncIterator[Mind]:
    """A mind with an embedder of another model, over a database with vectors of the fake embedder."""
    await mind.vectors.claim()
    async with Mind(mind.settings, session_id="session", embedder=Other(**request.param)) as opened:
        yield opened


WRITES_AND_SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("think", {"content": "x"}),
    ("thought_decision", {"session_id": "s", "decision": "x"}),
    ("remember", {"entities": [{"name": "x"}]}),
    ("search", {"query": "x"}),
    ("context", {"query": "x"}),
]


async def test_every_write_and_search_is_rejected_and_nothing_is_stored_or_embedded(
    other: Mind,
) -> None:
    for name, arguments in WRITES_AND_SEARCHES:
        with pytest.raises(EmbeddingMismatch, match=f"This database holds vectors of {HELD}"):
            await other.operations[name].call(arguments)
    lines = [
        {"kind": "header", "format": "legacymind", "version": 1},
        {"kind": "entity", "name": "x"},
        {"kind": "thought", "id": "never-stored", "content": "x", "created_at": "2026-01-01T00:00:00Z"},
    ]
    for kind in ("entity", "thought"):
        with pytest.raises(EmbeddingMismatch):
            await other.import_lines([json.dumps(line) for line in lines if line["kind"] in ("header", kind)])
    found = await raw(
        other, "MATCH (n {namespace: $ns}) RETURN count(n) AS stored", ns=other.settings.namespace
    )
    assert found == [{"stored": 0}]
    embedder = other.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    assert embedder.calls == []  # so no text has left the machine needlessly


async def test_a_server_reports_the_mismatch_at_its_start_and_in_its_report(other: Mind) -> None:
    app = build_app(other)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8787"
        ) as client,
    ):
        answer = await client.get("/readyz")
    assert answer.status_code == 503
    report = answer.json()
    assert (report["ok"], report["database"]["reachable"]) == (False, True)
    assert f"This database holds vectors of {HELD}" in report["database"]["reason"]


async def test_a_model_that_cannot_be_used_does_not_take_the_slot(mind: Mind) -> None:
    embedder = mind.vectors.embedder
    assert isinstance(embedder, FakeEmbedder)
    embedder.down = True
    with Wire() as wire, pytest.raises(EmbeddingError):
        await mind.operations["think"].call({"content": "x"})
    assert not [statement for statement in wire.statements if "embedding_a_fingerprint" in statement]


async def test_searches_embed_queries_and_stored_texts_are_passages(mind: Mind) -> None:
    class Recording(FakeEmbedder):
        def __init__(self) -> None:
            super().__init__()
            self.kinds: list[bool] = []

        async def embed(self, texts: Any, *, query: bool = False) -> list[list[float]]:
            self.kinds.append(query)
            return await super().embed(texts, query=query)

    embedder = Recording()
    async with Mind(mind.settings, session_id="session", embedder=embedder) as recording:
        for name, arguments in WRITES_AND_SEARCHES:
            await recording.operations[name].call(arguments)
    assert embedder.kinds == [False, False, False, True, True]


@pytest.mark.parametrize("operation", ["duplicates", "calibrate", "drop_calibration"])
async def test_a_process_that_has_missed_a_switch_is_refused_once(mind: Mind, operation: str) -> None:
    await mind.operations["remember"].call({"entities": [{"name": "kettle"}]})
    mind.vectors._claim = ClaimedSlot("b", "a model of before")  # pyright: ignore[reportPrivateUsage]  # as of another process
    with pytest.raises(EmbeddingMismatch, match="switched to another"):
        await getattr(mind, operation)()
    assert (await mind.duplicates()).compared == 1


async def test_an_analysis_reads_again_which_slot_is_in_use(mind: Mind) -> None:
    await store_thought(mind, "a kettle")
    mind.vectors._claim = ClaimedSlot("b", "a model of before")  # pyright: ignore[reportPrivateUsage]
    assert (await mind.analyze("neighbours")).thoughts == 1
