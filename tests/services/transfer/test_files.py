"""Exports and imports by name, for callers of MCP and GraphQL: they go on after an interruption."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from legacymind.db.options import Address
from legacymind.errors import Conflict, InvalidInput, NotFound, RequestRefused
from legacymind.mind import Mind
from legacymind.model.base import EntityInput
from legacymind.model.maintenance import MaintenanceResult
from legacymind.model.progress import call_progress
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import drop_thoughts
from tests.wire import raw

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mind(settings: Settings, address: Address, tmp_path: Path) -> AsyncIterator[Mind]:
    """A mind over the run's engine with a home of its own for files."""
    own = replace(
        settings,
        home=str(tmp_path),
        neo4j_uri=address.uri,
        neo4j_username=address.username,
        neo4j_password=address.password,
    )
    async with Mind(own, session_id="session", embedder=FakeEmbedder()) as opened:
        yield opened


async def filled(mind: Mind) -> list[str]:
    """Thoughts of two sessions, and knowledge; the lines of their export."""
    for number in range(5):
        for session in ("session", "other"):
            await mind.think(f"Step {number} of the kettle.", session_id=session, injection_scale=0)
    await mind.remember(entities=[EntityInput(name=f"Kettle {number}") for number in range(5)])
    return [line async for line in mind.export()]


async def ops(
    mind: Mind, subcommand: str, file: str | None = "a.jsonl", *, apply: bool = False
) -> MaintenanceResult:
    return await mind.maintenance_ops(subcommand, file=file, apply=apply)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_an_export_that_is_interrupted_again_and_again_goes_on_and_is_imported(
    mind: Mind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await filled(mind)
    monkeypatch.setattr("legacymind.services.transfer.exporting._PAGE", 2)
    begun: list[int] = []

    def interrupt(stage: str, done: int, total: int, /) -> None:
        if stage == "exporting" and done < total:
            begun.append(done)
            if len(begun) > 2:
                raise KeyboardInterrupt

    firsts: list[int] = []
    done: MaintenanceResult | None = None
    outer = call_progress.set(interrupt)
    while done is None and len(firsts) < len(expected):
        begun.clear()
        try:
            done = await ops(mind, "export", apply=True)
        except KeyboardInterrupt:
            firsts.append(begun[0])
    call_progress.reset(outer)
    assert done is not None
    assert firsts == sorted(set(firsts))  # each call begins where the one before was
    assert len(firsts) > 3
    assert (done.applied, done.counts[0].value) == (True, len(expected))
    (file,) = files(tmp_path)
    assert file.name == "a.jsonl"
    assert file.read_text(encoding="utf-8").splitlines() == expected
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Conflict):
        await ops(mind, "export", apply=True)
    await drop_thoughts(mind)
    await raw(mind, "MATCH (n {namespace: $ns}) DETACH DELETE n", ns=mind.settings.namespace)
    stages = set[str]()
    outer = call_progress.set(lambda stage, done, total: stages.add(stage))
    planned = await ops(mind, "import")
    assert not planned.applied
    assert len([line async for line in mind.export()]) == 2  # the header and the end
    stored = await ops(mind, "import", apply=True)
    call_progress.reset(outer)
    assert stored.applied
    assert stored.summary.endswith("2 chains: intact.")
    assert {"checking", "importing"} < stages
    assert [line async for line in mind.export()] == expected
    assert not (await ops(mind, "import", apply=True)).applied


@pytest.mark.parametrize(
    ("subcommand", "file", "raised"),
    [
        ("export", None, InvalidInput),
        ("export", "../a.jsonl", InvalidInput),
        ("export", "/tmp/a.jsonl", InvalidInput),
        ("export", "a.backup", InvalidInput),
        ("import", ".a.jsonl", InvalidInput),
        ("import", "nothing.jsonl", NotFound),
        ("backup", "a.backup", InvalidInput),  # another server than the managed one
    ],
)
async def test_other_names_and_other_servers_are_refused(
    mind: Mind, tmp_path: Path, subcommand: str, file: str | None, raised: type[Exception]
) -> None:
    with pytest.raises(raised):
        await ops(mind, subcommand, file, apply=True)
    assert files(tmp_path) == []


async def test_a_caller_with_one_namespace_reads_its_own_files_only(mind: Mind) -> None:
    await mind.think("A secret.", namespace="a/b", injection_scale=0)
    await mind.maintenance_ops("export", apply=True, file="a.jsonl", namespace="a/b")
    operations = mind.services.of_caller(namespace=mind.settings.namespace).operations()
    call = operations["maintenance_ops"].call
    with pytest.raises(NotFound):
        await call({"subcommand": "import", "file": "a.jsonl", "map_ids": True, "apply": True})
    for subcommand in ("backup", "reembed"):
        with pytest.raises(RequestRefused):
            await call({"subcommand": subcommand, "file": "a.backup", "apply": True})


async def test_reembed_reports_the_state_and_refuses_the_model_in_use(mind: Mind) -> None:
    await mind.think("One.", injection_scale=0)
    found = await ops(mind, "reembed", None)
    assert not found.applied
    assert found.summary.startswith("Searches use ")
    with pytest.raises(InvalidInput, match="already, the configured model"):
        await ops(mind, "reembed", None, apply=True)
