"""Each thing that `legacymind doctor` checks is broken, and it names the problem; what is safe, it mends."""

import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from legacymind.db import schema
from legacymind.db.options import Address
from legacymind.db.schema import APPLY_SCHEMA, created_by
from legacymind.embed.base import Embedder
from legacymind.embed.models import Published
from legacymind.engine import Engine
from legacymind.engine.home import write_private
from legacymind.errors import DatabaseError
from legacymind.mind import Mind
from legacymind.model.health import CheckResult
from legacymind.model.progress import Progress
from legacymind.services.maintain import doctor, doctor_database
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder
from tests.steps import store_thought
from tests.wire import noted_statements, one, raw, text_indexed

pytestmark = pytest.mark.anyio


class OwnModel(Published):
    """A model with one small file, made on this machine."""

    made: int = 0

    async def fetch(self, progress: Progress | None = None, *, verify: bool = False) -> None:
        self.made += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "model.onnx").write_bytes(b"weights")

    def damaged(self) -> list[str]:
        return [] if (self.folder / "model.onnx").read_bytes() == b"weights" else ["model.onnx"]


@pytest.fixture
def apart(tmp_path: Path, engine_settings: Settings) -> Settings:
    """Settings of a home without an engine, with the downloads of all homes."""
    return engine_settings.changed(home=str(tmp_path / "home"))


@pytest.fixture
async def external(settings: Settings, address: Address) -> AsyncIterator[Mind]:
    """A mind that reaches the run's engine as another server, in a namespace of its own."""
    elsewhere = settings.changed(neo4j_uri=address.uri, neo4j_password=address.password)
    async with Mind(elsewhere, session_id="session", embedder=FakeEmbedder()) as mind:
        await mind.vectors.claim()
        yield mind


async def checked(mind: Mind, name: str, *, fix: bool = False) -> CheckResult:
    """The result of one check."""
    diagnosis = await mind.diagnose(fix=fix)
    assert diagnosis.healthy == all(each.state != "problem" for each in diagnosis.checks)
    (found,) = [each for each in diagnosis.checks if each.name == name]
    assert (found.state in ("problem", "warning")) == bool(found.problems)
    assert all(problem.mend and problem.what.endswith(".") for problem in found.problems)
    return found


async def of_machine(settings: Settings, name: str, *, fix: bool = False) -> CheckResult:
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        return await checked(mind, name, fix=fix)


async def test_a_home_that_was_never_used_is_no_problem_and_no_engine_is_started(apart: Settings) -> None:
    async with Mind(apart, embedder=FakeEmbedder()) as mind:
        with noted_statements() as statements:
            diagnosis = await mind.diagnose(fix=True)
        states = {each.name: each.state for each in diagnosis.checks}
        assert not mind.engine.status().running
    assert statements == []
    assert {name for name, state in states.items() if state == "problem"} == {"connection"}
    assert {states[name] for name in ("schema", "indexes", "vectors", "chains")} == {"skipped"}
    assert {states[name] for name in ("home", "files", "ports")} == {"ok"}
    assert not apart.home_path.exists()
    found = diagnosis.checks[[each.name for each in diagnosis.checks].index("connection")]
    assert found.problems[0].severity == "unavailable"
    assert "legacymind up" in found.problems[0].mend


async def test_the_mark_of_down_and_a_home_that_others_may_open_are_named(apart: Settings) -> None:
    home = Engine(apart).home
    home.make()
    home.hold()
    write_private(home.password_file, "secret\n")
    assert "stopped with `legacymind down`" in (await of_machine(apart, "connection")).message
    for path, mode in ((home.folder, 0o700), (home.password_file, 0o600)):
        path.chmod(0o755)
        found = await of_machine(apart, "home")
        assert (found.state, found.problems[0].fixable) == ("warning", True)
        assert f"chmod {mode:o} {path}" in found.problems[0].mend
        assert (await of_machine(apart, "home", fix=True)).state == "mended"
        assert path.stat().st_mode & 0o777 == mode


async def test_an_unreadable_home_and_a_lost_password_are_named(apart: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    (tmp_path / "file").chmod(0o600)
    found = await of_machine(apart.changed(home=str(tmp_path / "file")), "home")
    assert (found.problems[0].severity, "LEGACYMIND_HOME" in found.problems[0].mend) == ("unusable", True)
    home = Engine(apart).home
    (home.data / "databases" / "system").mkdir(parents=True)
    home.folder.chmod(0o700)
    assert "is missing, and the database still requires it" in (await of_machine(apart, "home")).message
    home.password_file.write_bytes(b"\xff\xfe")
    assert "cannot be read" in (await of_machine(apart, "home")).message


@pytest.mark.slow
async def test_a_changed_byte_of_a_jar_or_a_model_is_found(apart: Settings, tmp_path: Path) -> None:
    # The jars of all homes, but for one.
    own = apart.changed(cache=str(tmp_path / "cache"))
    shared, mine = apart.cache_path / "jars", own.cache_path / "jars"
    mine.mkdir(parents=True)
    jars = sorted(shared.glob("*.jar"), key=lambda path: path.stat().st_size)
    for jar in jars[1:]:
        (mine / jar.name).symlink_to(jar)
    changed = bytearray(jars[0].read_bytes())
    changed[-1] ^= 1
    (mine / jars[0].name).write_bytes(changed)
    (Engine(own).home.data / "databases" / "system").mkdir(parents=True)
    model = OwnModel(own)
    await model.fetch()
    file = model.folder / "model.onnx"
    file.write_bytes(b"WEIGHTS")
    async with Mind(own, embedder=model) as mind:
        found = await checked(mind, "files")
        assert f"1 jar of the engine missing or damaged: {jars[0].name}." in found.message
        assert (found.state, found.problems[0].fixable) == ("problem", True)
        assert "model.onnx" in found.problems[1].what
        # Mended alone: the jar would be downloaded.
        (mine / jars[0].name).unlink()
        (mine / jars[0].name).symlink_to(jars[0])
        assert (await checked(mind, "files", fix=True)).state == "mended"
    assert (file.read_bytes(), model.made) == (b"weights", 2)


async def test_low_memory_a_full_disk_and_a_taken_port_are_named(
    apart: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await of_machine(apart.changed(heap_mb=10**8), "machine")
    assert (memory.state, "LEGACYMIND_HEAP_MB" in memory.problems[0].mend) == ("warning", True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        ports = await of_machine(apart.changed(bolt_port=port), "ports")
        assert f"The Bolt port {port} is in use by" in ports.message
        assert ports.problems[0].severity == "unavailable"
    free = 500 << 20

    def usage(folder: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr(doctor.shutil, "disk_usage", usage)
    assert (await of_machine(apart, "machine")).state == "warning"
    free = 50 << 20
    full = await of_machine(apart, "machine")
    assert (full.problems[-1].severity, "50 MiB free" in full.problems[-1].what) == ("unusable", True)


async def test_an_absent_server_and_a_wrong_password_are_named(external: Mind) -> None:
    absent = external.settings.changed(neo4j_uri="bolt://127.0.0.1:1")
    found = await of_machine(absent, "connection")
    assert (found.problems[0].severity, "No Neo4j answers" in found.message) == ("unavailable", True)
    found = await of_machine(external.settings.changed(neo4j_password="wrong"), "connection")
    assert (found.problems[0].severity, "rejected the user name" in found.message) == ("unusable", True)
    for name in ("home", "ports"):
        assert (await of_machine(absent, name)).state == "skipped"


async def test_a_wrong_server_is_named(external: Mind, mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await checked(external, "connection")).state == "ok"
    with monkeypatch.context() as patch:
        patch.setattr(schema, "OLDEST", (9999, 1))
        diagnosis = await external.diagnose()
        (found,) = [each for each in diagnosis.checks if each.state == "problem"]
        assert (found.problems[0].severity, "requires 2026.07" in found.message) == ("unusable", True)
        assert "too old" in (await checked(external, "chains")).message
    monkeypatch.setattr(doctor, "read_lock", lambda: SimpleNamespace(neo4j="9999.01"))
    assert "this LegacyMind brings 9999.01" in (await checked(mind, "connection")).message


class Another(FakeEmbedder):
    info = replace(FakeEmbedder.info, model="another")


async def test_another_model_than_the_stored_one_is_named(external: Mind) -> None:
    async def found(embedder: Embedder) -> CheckResult:
        async with Mind(external.settings, embedder=embedder) as other:
            return await checked(other, "model")

    assert (await found(FakeEmbedder())).state == "ok"
    mismatch = await found(Another())
    assert (mismatch.problems[0].severity, "another" in mismatch.message) == ("unusable", True)
    assert "`legacymind reembed`" in mismatch.problems[0].mend


@pytest.mark.alone
@pytest.mark.slow
async def test_foreign_and_missing_vectors_are_named_and_mended(
    external: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests delete nodes, and Neo4j may give their ids, which are not the last ones, to these thoughts.
    monkeypatch.setattr(doctor_database, "_SAMPLE", 2**31 - 1)
    foreign, removed, redacted = [await store_thought(external, f"thought {number}") for number in range(3)]
    await external.redact_thought(thought_id=redacted, reason="asked for")
    read = "MATCH (t:Thought {id: $id}) RETURN t.embedding_a"
    before = [await one(external, read, id=thought) for thought in (foreign, removed)]
    await raw(
        external,
        "MATCH (t:Thought {id: $id}) SET t.embedding_a = t.embedding_a[..2]",
        id=foreign,
    )
    await text_indexed(external)
    with pytest.raises(DatabaseError, match=r"none of the model's.*`legacymind doctor --fix`"):
        await external.search("thought 0")
    await raw(external, "MATCH (t:Thought {id: $id}) REMOVE t.embedding_a", id=removed)
    first, second = (await checked(external, "vectors")).problems
    assert (first.severity, "of another length" in first.what) == ("unusable", True)
    assert (second.severity, "found by words only" in second.what) == ("warning", True)
    assert all("`legacymind doctor --fix`" in problem.mend for problem in (first, second))
    async with Mind(external.settings, embedder=Another()) as other:
        problems = (await checked(other, "vectors")).problems
        assert [problem.fixable for problem in problems] == [False, False]
    assert (await checked(external, "vectors", fix=True)).state == "mended"
    assert [await one(external, read, id=thought) for thought in (foreign, removed)] == before
    assert await one(external, read, id=redacted) is None


async def test_crowded_thoughts_and_databases_are_named(
    external: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_database, "_SAMPLE", 2**31 - 1)  # as below
    hub = await store_thought(external, "the hub", session_id="hub")
    await raw(
        external, "MATCH (t:Thought {id: $id}) UNWIND range(1, 500) AS n CREATE (t)-[:MENTIONS]->(t)", id=hub
    )
    monkeypatch.setattr(doctor_database, "MOST_RELATIONSHIPS", 400)
    monkeypatch.setattr(doctor_database, "MOST_NODES", 1)
    found = await checked(external, "size")
    assert {problem.severity for problem in found.problems} == {"warning"}
    *crowded, nodes = [problem.what for problem in found.problems]
    assert any(f"The thought {hub} has" in what and "more than 400" in what for what in crowded)
    assert "nodes, more than 1." in nodes


async def test_a_replica_from_which_nothing_was_read_for_a_month_is_named(external: Mind) -> None:
    await external.graph.ready()
    make = (
        "CREATE (:SyncSource {namespace: $ns, place: '/media/stick', replica: $replica, "
        "read_at: datetime.realtime() - duration({days: $days})})"
    )
    names = {days: f"{external.settings.namespace}-{days}" for days in (29, 31)}
    for days, replica in names.items():
        await raw(external, make, ns=external.settings.namespace, replica=replica, days=days)
    found = await checked(external, "replicas")
    assert found.state == "warning"
    (named,) = [each for each in found.problems if external.settings.namespace in each.what]
    assert f"{names[31]} at /media/stick for 31 days" in named.what
    assert "legacymind sync /media/stick" in named.mend
    await raw(external, "MATCH (s:SyncSource {namespace: $ns}) DELETE s", ns=external.settings.namespace)
    assert (await checked(external, "replicas")).state == "ok"


@pytest.mark.slow
async def test_broken_and_truncated_chains_are_named_and_the_sample_is_bounded(
    external: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = {
        session: [await store_thought(external, f"step {step}", session_id=session) for step in range(2)]
        for session in ("whole", "forged", "cut")
    }
    assert "3 chains" in (await checked(external, "chains")).message
    await raw(external, "MATCH (t:Thought {id: $id}) SET t.content = 'forged'", id=ids["forged"][0])
    await raw(external, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=ids["cut"][1])
    found = await checked(external, "chains")
    assert {problem.severity for problem in found.problems} == {"broken", "truncated"}
    assert not any("whole" in problem.what for problem in found.problems)
    monkeypatch.setitem(doctor_database._CHAINS, "longest", 1)  # pyright: ignore[reportPrivateUsage]
    assert (await checked(external, "chains")).state == "ok"


@pytest.mark.alone
@pytest.mark.slow
async def test_nodes_without_vectors_are_counted_and_embedded(external: Mind) -> None:
    down = FakeEmbedder()
    down.down = True
    async with Mind(external.settings.changed(on_embedder_down="defer"), embedder=down) as deferring:
        thought = await store_thought(deferring, "stored while the model was down")
    found = await checked(external, "vectors")
    assert (found.state, "found by words only" in found.message) == ("warning", True)
    assert (await checked(external, "vectors", fix=True)).state == "mended"
    embedded = "MATCH (t:Thought {id: $id}) RETURN t.embedding_deferred IS NULL AND t.embedding_a IS NOT NULL"
    assert await one(external, embedded, id=thought)


@pytest.mark.alone
@pytest.mark.slow
async def test_an_old_a_newer_and_a_damaged_schema_version_are_named(
    external: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stored(version: Any) -> None:
        await raw(external, "MATCH (d:LegacyMind {id: 'database'}) SET d.schema_version = $v", v=version)

    await external.graph.ready()
    monkeypatch.setattr(schema, "VERSION", 2)
    try:
        for version, severity, message in (
            (3, "unusable", "supports up to"),
            ("eight", "unusable", "is not an integer"),
            (1, "warning", "has schema version 1"),
        ):
            await stored(version)
            found = await of_machine(external.settings, "schema")
            assert (found.problems[0].severity, message in found.message) == (severity, True)
            assert (await of_machine(external.settings, "chains")).state == "skipped"
        assert (await of_machine(external.settings, "schema", fix=True)).state == "mended"
        assert await one(external, "MATCH (d:LegacyMind {id: 'database'}) RETURN d.schema_version") == 2
    finally:
        await stored(1)


@pytest.mark.alone
@pytest.mark.last
@pytest.mark.slow
async def test_missing_and_failed_indexes_are_named_and_created_again(external: Mind) -> None:
    mine = external.settings.namespace
    states = "SHOW INDEXES YIELD name, state WHERE name = $name RETURN state"
    too_long = "x" * 40_000  # more than a range index accepts
    await raw(external, "DROP INDEX thought_deferred")
    await raw(external, "DROP INDEX thought_playbook")
    await raw(
        external,
        "CREATE (:Thought {id: $id, namespace: $id, playbook: $long, salience: 0.5})",
        id=mine,
        long=too_long,
    )
    for statement in APPLY_SCHEMA:
        if created_by(statement) == "thought_playbook":
            await external.graph.run(statement, {})
    try:
        while await raw(external, states, name="thought_playbook") != [{"state": "FAILED"}]:
            pass
        found = await checked(external, "indexes")
        assert (found.state, {problem.severity for problem in found.problems}) == ("problem", {"unusable"})
        assert {problem.what.partition(":")[0] for problem in found.problems} == {
            "The index or constraint thought_deferred is missing",
            "The index or constraint thought_playbook failed",
        }
        failed = await checked(external, "indexes", fix=True)
        assert [problem.what for problem in failed.problems][-1].startswith("It could not be mended")
        await raw(external, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=mine)
        assert (await checked(external, "indexes", fix=True)).state == "mended"
        assert await raw(external, states, name="thought_deferred") == [{"state": "ONLINE"}]
    finally:
        await raw(external, "MATCH (t:Thought {id: $id}) DETACH DELETE t", id=mine)
        await raw(external, "DROP INDEX thought_playbook IF EXISTS")
        for statement in APPLY_SCHEMA:
            await external.graph.run(statement, {})
