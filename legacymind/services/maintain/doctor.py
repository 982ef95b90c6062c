"""`legacymind doctor`: twelve checks, what mends each problem, and the mending of what is safe."""

import asyncio
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypedDict

import psutil

from legacymind.db import schema
from legacymind.db.connection import DatabaseRow
from legacymind.db.graph import Graph
from legacymind.db.inspection import Inspection, inspect
from legacymind.db.options import Address, configured_address
from legacymind.db.query import load
from legacymind.db.schema import INDEX_NAMES
from legacymind.db.stored import Property
from legacymind.embed import own_files
from legacymind.engine.jars import read_lock
from legacymind.errors import (
    ConfigurationError,
    DatabaseRefused,
    DatabaseTooOld,
    EmbeddingMismatch,
    EngineNotRunning,
    LegacyMindError,
    PortTaken,
    SchemaTooNew,
)
from legacymind.model.health import CheckResult, Diagnosis, Problem, Severity
from legacymind.services.chain.verification import ChainService
from legacymind.services.maintain.adoption import AdoptionService
from legacymind.services.maintain.filling import SlotFilling
from legacymind.services.shared import checks
from legacymind.services.shared.deferred import COUNT_DEFERRED, DeferredEmbedding
from legacymind.services.shared.service import Service
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings
from legacymind.text.numbers import counted


class SampledVectorsRow(TypedDict):
    """Of the nodes read: those with vectors of another length, and those without any."""

    read: int
    foreign: int
    lacking: int


SAMPLE_VECTORS = load("maintain/sample_vectors", SampledVectorsRow, writes=False)


class Crowded(TypedDict):
    """A thought with many relationships."""

    id: str
    relationships: int


class CrowdedRow(TypedDict):
    """The most crowded thoughts of the sample, and the number of all nodes."""

    crowded: list[Crowded]
    nodes: int


FIND_CROWDED = load("maintain/find_crowded", CrowdedRow, writes=False)


class SampledSessionRow(TypedDict):
    """A session of the sample."""

    session_id: str


SAMPLE_SESSIONS = load("chain/sample_sessions", SampledSessionRow, writes=False)


class IndexStateRow(TypedDict):
    """An index: its state, its progress from 0 to 100, and the length of its vectors if it holds any."""

    name: str
    state: str
    percent: float
    dimensions: int | None


READ_INDEXES = load("schema/read_indexes", IndexStateRow, writes=False)

_FIX: Final = "Run `legacymind doctor --fix`."
_MEBIBYTE: Final = 1024 * 1024

_LOW_MEMORY: Final = 256 * _MEBIBYTE
"""Free memory below which a running engine and a local model are slow or are ended by the system."""

_LOW_DISK: Final = 1024 * _MEBIBYTE
_NO_DISK: Final = 128 * _MEBIBYTE
"""Free disk below which Neo4j may soon be unable to write, and then accepts no statements."""

_SAMPLE: Final = 1_000
"""Nodes of each label, the newest, whose vectors and relationships are looked at."""

_SHOWN: Final = 3
"""The most crowded thoughts, or nodes made by hand, that are named."""

_CHAINS: Final = {"take": 10, "thoughts": 500, "longest": 1_000}
"""The sample of chains: sessions of the newest thoughts, and the most thoughts of a chain."""

_VERDICTS: Final[dict[str, Severity]] = {
    "broken": "broken",
    "truncated": "truncated",
    "unverifiable": "unverifiable",
}
_UNUSABLE: Final = (ConfigurationError, EmbeddingMismatch, DatabaseRefused, DatabaseTooOld, SchemaTooNew)


@dataclass(frozen=True, slots=True)
class _Found:
    """A problem, and what mends it if no data is lost by that."""

    what: str
    mend: str
    severity: Severity = "unusable"
    fix: Callable[[], Awaitable[Any]] | None = None


_Outcome = str | list[_Found]
"""What a check returns: a sentence that says what is well, or problems."""


class DoctorService(Service):
    """Looks for problems and says what mends each."""

    _chain: ChainService
    _filling: SlotFilling
    _adoption: AdoptionService

    async def diagnose(self, *, fix: bool = False) -> Diagnosis:
        """Make every check.

        Starts no engine and changes nothing, unless ``fix``: then what can be mended without a loss of data
        is mended, and its check is made again. Reads samples of fixed size, and counts nodes made by hand.
        """
        of_engine = {"home": self._home, "ports": self._ports}
        results = [
            await _result(name, check, fix=fix)
            if self._managed
            else _skipped(name, "NEO4J_URI names another server than the managed engine.")
            for name, check in of_engine.items()
        ]
        results += [await _result("files", self._files, fix=fix)]
        results += [await _result("machine", self._machine, fix=fix)]
        try:
            async with inspect(self._address(), self._limits) as opened:
                results += await self._of_database(opened, fix=fix)
        except LegacyMindError as trouble:
            results += [_reported("connection", _of_error(trouble))]
            results += [_skipped(name, "Neo4j cannot be reached.") for name in _OF_DATABASE]
        return Diagnosis(healthy=all(result.state != "problem" for result in results), checks=results)

    async def _of_database(self, opened: Inspection, *, fix: bool) -> list[CheckResult]:
        row = await opened.read_server()
        results = [_reported("connection", self._server(opened, row))]
        if results[0].state == "problem":
            return results + [_skipped(name, "The server is too old.") for name in _OF_DATABASE]
        for name in _OF_DATABASE:
            case = self._memory(opened, await opened.read_server())
            if name != "schema" and case.version != schema.VERSION:
                why = "The schema is of another version." if case.version else "There is no memory yet."
                results.append(_skipped(name, why))
            else:

                async def examine(name: str = name) -> _Outcome:  # anew: a fix changes the database's node
                    return await getattr(self._memory(opened, await opened.read_server()), name)()

                results.append(await _result(name, examine, fix=fix))
        return results

    def _memory(self, opened: Inspection, row: DatabaseRow) -> "_Memory":
        return _Memory(
            self._graph,
            self._vectors,
            self._deferred_embedding,
            self._settings,
            self._chain,
            self._filling,
            self._adoption,
            opened,
            row["database"] or {},
        )

    @property
    def _managed(self) -> bool:
        """Whether the database is that of the managed engine."""
        return not self._settings.neo4j_uri

    async def _home(self) -> _Outcome:
        """The home can be written, and it and the password are open to their owner only."""
        folder = self._engine.home.folder
        if not folder.exists():
            return f"{folder} does not exist yet; `legacymind up` creates it."
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return [
                _Found(
                    f"This user cannot read and write the home {folder}.",
                    "Make it readable and writable for the user who runs LegacyMind, or set LEGACYMIND_HOME "
                    "to another folder.",
                )
            ]
        open_to_others = _private(folder, 0o700)
        try:
            self._engine.password()
        except EngineNotRunning:  # its first start makes the password
            return open_to_others or f"{folder} is readable and writable for its owner only."
        open_to_others += _private(self._engine.home.password_file, 0o600)
        return open_to_others or f"{folder} and its password are open to their owner only."

    async def _files(self) -> _Outcome:
        """The engine's jars and the model's files have the hashes of the lock file."""
        problems: list[_Found] = []
        used = self._engine.set_up or self._engine.home.has_data
        if self._managed and used and (broken := await self._engine.verify()):
            shown = ", ".join(broken[:3]) + (" and others" if len(broken) > 3 else "")
            what = f"{counted(len(broken), 'jar')} of the engine missing or damaged: {shown}."
            mend = f"{_FIX} It downloads them again; a running engine uses them after its next start."
            problems.append(_Found(what, mend, fix=self._engine.fetch))
        model = own_files(self._vectors.embedder)
        used = model is not None and model.folder.exists()
        if model is not None and used and (broken := await asyncio.to_thread(model.damaged)):

            async def again() -> None:
                await asyncio.to_thread(model.discard)
                await model.fetch()

            what = f"Files of the embedding model are missing or damaged in {model.folder}: "
            mend = f"{_FIX} It downloads the model again."
            problems.append(_Found(f"{what}{', '.join(broken)}.", mend, fix=again))
        return problems or "What is downloaded has the SHA-256 of the lock file."

    async def _machine(self) -> _Outcome:
        """There is memory for the engine and the model, and disk space for data and downloads."""
        problems: list[_Found] = []
        free = psutil.virtual_memory().available
        starts = self._managed and not self._engine.status().running
        needed = _LOW_MEMORY + (self._engine.memory if starts else 0)
        if free < needed:
            problems.append(
                _Found(
                    f"{free // _MEBIBYTE:,} MiB of memory are free; {needed // _MEBIBYTE:,} MiB are needed.",
                    "End other programs, or lower LEGACYMIND_HEAP_MB and LEGACYMIND_PAGE_CACHE_MB and "
                    "restart the engine.",
                    "warning",
                )
            )
        folders = [self._settings.cache_path] + [self._engine.home.folder] * self._managed
        existing = [
            next(path for path in (each, *each.absolute().parents) if path.exists()) for each in folders
        ]
        for path in {path.stat().st_dev: path for path in existing}.values():
            if (left := shutil.disk_usage(path).free) < _LOW_DISK:
                full = " Neo4j accepts no statements once it cannot write." if left < _NO_DISK else ""
                problems.append(
                    _Found(
                        f"The disk of {path} has {left // _MEBIBYTE:,} MiB free.{full}",
                        "Free some space, or move the folder (LEGACYMIND_HOME, LEGACYMIND_CACHE).",
                        "unusable" if full else "warning",
                    )
                )
        return problems or f"{free // _MEBIBYTE:,} MiB of memory are free, and enough disk."

    async def _ports(self) -> _Outcome:
        """The configured ports are free, unless the engine itself uses them."""
        if self._engine.status().running:
            return "The engine listens at its ports."
        try:
            self._engine.check_ports()
        except PortTaken as taken:
            return [_Found(taken.what, taken.hint, "unavailable")]
        return "A start finds its ports free."

    def _address(self) -> Address:
        """The address of the database, without starting anything. Raises EngineError."""
        if self._settings.neo4j_uri:
            return configured_address(self._settings)
        status = self._engine.status()
        if not status.running:
            self._engine.check_startable()
            raise EngineNotRunning(
                "The managed Neo4j does not run; the next call starts it.",
                hint="Run `legacymind up`, or `legacymind doctor --start` to check the database too.",
            )
        return Address(status.uri, status.username, self._engine.password(), pid=status.pid)

    def _server(self, opened: Inspection, row: DatabaseRow) -> _Outcome:
        """Neo4j answers, and has a version that LegacyMind can use."""
        try:
            schema.check({**row, "database": None}, opened.address.uri)
        except DatabaseTooOld as old:
            return _of_error(old)
        name = f"Neo4j {row['version']}"
        if self._managed and row["version"] != (brought := read_lock().neo4j):
            return [
                _Found(
                    f"The engine runs {name}, and this LegacyMind brings {brought}.",
                    "Run `legacymind down` and `legacymind up`: the next start uses the newer one.",
                    "warning",
                )
            ]
        return f"{name} answers at {opened.address.uri}."


_OF_DATABASE: Final = ("schema", "indexes", "model", "vectors", "size", "chains", "by_hand")


@dataclass(frozen=True, slots=True)
class _Memory:
    """The checks of a database that answers, each by its name."""

    _graph: Graph
    _vectors: Vectors
    _deferred_embedding: DeferredEmbedding
    _settings: Settings
    _chain: ChainService
    _filling: SlotFilling
    _adoption: AdoptionService
    _opened: Inspection
    _database: dict[str, Property]

    @property
    def _slot(self) -> str:
        return str(self._database.get("active_slot", "embedding_a"))

    @property
    def version(self) -> Property:
        """The version of the schema; 0 in a database without a memory."""
        return self._database.get("schema_version", 0)

    async def schema(self) -> _Outcome:
        """The schema is this LegacyMind's."""
        try:
            stored = schema.version(self._database)
            schema.check({"version": "9999.1", "edition": "", "database": self._database}, "")
        except LegacyMindError as error:
            return [_Found(error.what, error.hint)]
        if not stored:
            return "The database has no memory yet; the first call sets it up."
        if stored < schema.VERSION:
            return [
                _Found(
                    f"The database has schema version {stored}, and this LegacyMind has {schema.VERSION}.",
                    f"{_FIX} The next call upgrades it, too. Older LegacyMinds cannot use it then.",
                    "warning",
                    self._graph.ready,
                )
            ]
        return f"Schema version {stored} is this LegacyMind's."

    async def indexes(self) -> _Outcome:
        """Every index and constraint exists and is online, and vector indexes have the model's dimensions."""
        stored = {row["name"]: row for row in await self._opened.run(READ_INDEXES, {})}
        # The vector indexes are made with the first vector, in the active slot.
        dimensions = self._database.get(f"{self._slot}_dim")
        names = [name for name in INDEX_NAMES if dimensions is not None or "embedding_a" not in name]
        problems: list[_Found] = []
        for name in (name.replace("embedding_a", self._slot) for name in names):
            row = stored.get(name)
            if row is not None and row["state"] == "POPULATING":
                what = f"The index {name} is being built: {row['percent']:.0f} % done."
                problems.append(_Found(what, "Wait; Neo4j continues to build it.", "warning"))
            elif row is None or row["state"] != "ONLINE" or row["dimensions"] not in (None, dimensions):
                state = (
                    "is missing"
                    if row is None
                    else "failed"
                    if row["state"] != "ONLINE"
                    else "is of another model"
                )

                async def again(name: str = name, drop: bool = row is not None) -> None:
                    await schema.create_index(self._opened.run, name, int(str(dimensions or 0)), drop=drop)

                what = f"The index or constraint {name} {state}: calls that need it fail or are slow."
                problems.append(_Found(what, f"{_FIX} If it fails again, Neo4j's log says why.", fix=again))
        return problems or f"{len(names)} indexes and constraints are online."

    async def model(self) -> _Outcome:
        """The configured embedding model is that of the stored vectors."""
        held, info = self._database.get(f"{self._slot}_fingerprint"), self._vectors.embedder.info
        if held in (None, info.fingerprint):
            return (
                f"The vectors are of the configured model, {info.model}."
                if held
                else "There are no vectors yet."
            )
        return [
            _Found(
                f"This database holds vectors of {held}, but {info.fingerprint} is configured: nothing can "
                "be stored or searched.",
                "Configure the embedder that the database was filled with, or change the model of the whole "
                "database with `legacymind reembed` (docs/embeddings.md).",
            )
        ]

    async def vectors(self) -> _Outcome:
        """Every text of the newest nodes has a vector of the model, and none waits for one."""
        statement = SAMPLE_VECTORS.for_slot("b" if self._slot == "embedding_b" else "a")
        (row,) = await self._opened.run(statement, {"take": _SAMPLE})
        (deferred,) = await self._opened.run(COUNT_DEFERRED, {})
        problems: list[_Found] = []
        # With another model configured, its vectors would be the foreign ones.
        own = self._vectors.embedder.info.fingerprint
        usable = self._database.get(f"{self._slot}_fingerprint") == own
        again = self._embed_again if usable else None
        mend = _FIX if usable else f"Configure the model of the database. {_FIX}"
        if row["foreign"]:
            what = f"{row['foreign']:,} of the newest {row['read']:,} nodes have vectors of another length: "
            what += "they cannot be compared with others."
            problems.append(_Found(what, f"{mend} It embeds their texts with that model.", fix=again))
        if row["lacking"] or deferred["waiting"]:
            what = f"{row['lacking']:,} of the newest {row['read']:,} nodes have no vector, and "
            what += f"{counted(deferred['waiting'], 'node')} wait for one: they are found by words only."
            problems.append(
                _Found(what, f"{mend} It embeds their texts.", "warning", None if row["foreign"] else again)
            )
        return problems or f"{row['read']:,} nodes: each text has a vector of the slot's model."

    async def size(self) -> _Outcome:
        """Neither a thought nor the database has outgrown the settings ``warn_…``; 0 turns one off."""
        most, limit = self._settings.warn_relationships, self._settings.warn_nodes
        (row,) = await self._opened.run(FIND_CROWDED, {"take": _SAMPLE, "most": most, "show": _SHOWN})
        problems = [
            _Found(
                f"The thought {each['id']} has {each['relationships']:,} relationships (warn_relationships: "
                f"{most:,}).",
                "Run `legacymind maintain prune`, which removes weak recalls.",
                "warning",
            )
            for each in row["crowded"]
        ]
        if 0 < limit < row["nodes"]:
            problems.append(
                _Found(
                    f"The database has {row['nodes']:,} nodes (warn_nodes: {limit:,}).",
                    "Larger ones are slower; a second database could hold other namespaces.",
                    "warning",
                )
            )
        return problems or f"{counted(row['nodes'], 'node')}, and no thought has too many relationships."

    async def _embed_again(self) -> None:
        await self._vectors.embed(["A model is tried."])  # before anything is changed
        await self._filling.defer((await self._vectors.claim()).slot)
        await self._deferred_embedding.catch_up(everything=True)

    async def chains(self) -> _Outcome:
        """The hash chains of the newest sessions verify."""
        namespace = self._settings.namespace
        sample = await self._opened.run(SAMPLE_SESSIONS, {"namespace": namespace, **_CHAINS})
        sessions = [row["session_id"] for row in sample if checks.is_key(row["session_id"])]
        reports = [await self._chain.verify(session) for session in sessions]
        return [
            _Found(
                f"The chain of the session {report.session_id} in the namespace {namespace} is "
                f"{report.verdict}.",
                f"Run `legacymind verify {report.session_id} --namespace {namespace}`, which names the "
                "thoughts. docs/chain.md says what each fault means.",
                _VERDICTS[report.verdict],
            )
            for report in reports
            if report.verdict != "intact"
        ] or f"{counted(len(reports), 'chain')} of the newest sessions verified; `verify --all` reads all."

    async def by_hand(self) -> _Outcome:
        """Every node with a label of LegacyMind was stored by it."""
        unadopted = await self._adoption.unadopted()
        if not unadopted.count:
            return "Every entity, observation and thought was stored by LegacyMind."
        what = f"{counted(unadopted.count, 'node')} with the label Entity, Observation or Thought, made by "
        what += "hand or by another program: nothing finds them."
        for refused in unadopted.refused[:_SHOWN]:
            what += f" The {refused.kind} {refused.element_id} cannot be used: {refused.reason}"
        if self._settings.adopts_every:
            mend = f"{_FIX} It adopts those that can be used."
            return [_Found(what, mend, "warning", self._adoption.adopt)]
        mend = "If they are yours, set LEGACYMIND_ADOPT_INTERVAL: LegacyMind then adopts what can be used."
        return [_Found(what, mend, "warning")]


def _private(path: Path, mode: int) -> list[_Found]:
    """The problem of a file or folder that other users may open; Windows has no such modes."""
    allowed = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not allowed & (stat.S_IRWXG | stat.S_IRWXO):
        return []
    return [
        _Found(
            f"Other users of this machine may open {path} (mode {allowed:o}).",
            f"Run `chmod {mode:o} {path}`, or `legacymind doctor --fix`.",
            "warning",
            lambda: asyncio.to_thread(path.chmod, mode),
        )
    ]


def _of_error(error: LegacyMindError) -> list[_Found]:
    """The problem that an error describes."""
    return [_Found(error.what, error.hint, "unusable" if isinstance(error, _UNUSABLE) else "unavailable")]


async def _result(name: str, check: Callable[[], Awaitable[_Outcome]], *, fix: bool) -> CheckResult:
    """The result of a check, of a second one if something was mended."""
    outcome = await _outcome(check)
    fixes = (
        [problem.fix for problem in outcome if problem.fix] if fix and not isinstance(outcome, str) else []
    )
    if not fixes:
        return _reported(name, outcome)
    failed: list[_Found] = []
    for mend in fixes:
        try:
            await mend()
        except (LegacyMindError, OSError) as reason:
            why = reason.what if isinstance(reason, LegacyMindError) else str(reason)
            failed.append(_Found(f"It could not be mended: {why}", "Mend the cause and try again."))
    outcome = await _outcome(check)
    if isinstance(outcome, str):
        return CheckResult(name=name, state="mended", message=f"Mended. {outcome}")
    return _reported(name, [*outcome, *failed])


async def _outcome(check: Callable[[], Awaitable[_Outcome]]) -> _Outcome:
    """What a check found. An error during it is a problem like any other."""
    try:
        return await check()
    except LegacyMindError as error:
        return _of_error(error)


def _skipped(name: str, why: str) -> CheckResult:
    return CheckResult(name=name, state="skipped", message=f"Not checked. {why}")


def _reported(name: str, outcome: _Outcome) -> CheckResult:
    if isinstance(outcome, str):
        return CheckResult(name=name, state="ok", message=outcome)
    problems = [
        Problem(what=one.what, mend=one.mend, severity=one.severity, fixable=one.fix is not None)
        for one in outcome
    ]
    state: Literal["warning", "problem"] = (
        "warning" if all(problem.severity == "warning" for problem in problems) else "problem"
    )
    return CheckResult(name=name, state=state, message=problems[0].what, problems=problems)
