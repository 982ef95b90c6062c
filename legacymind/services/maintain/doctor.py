"""`legacymind doctor`: thirteen checks, what mends each problem, and the mending of what is safe."""

import asyncio
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal

import psutil

from legacymind.db import schema
from legacymind.db.connection import DatabaseRow
from legacymind.db.inspection import Inspection, inspect
from legacymind.db.options import Address, configured_address
from legacymind.embed import published
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
from legacymind.model.health import CheckResult, Diagnosis, Problem
from legacymind.services.maintain.doctor_database import (
    FIX,
    OF_DATABASE,
    DatabaseChecks,
    Outcome,
    Symptom,
    version_of,
)
from legacymind.services.shared.service import Service
from legacymind.text.numbers import counted

_MEBIBYTE: Final = 1024 * 1024

_LOW_MEMORY: Final = 256 * _MEBIBYTE
"""Free memory below which a running engine and a local model are slow or are ended by the system."""

_LOW_DISK: Final = 1024 * _MEBIBYTE
_NO_DISK: Final = 128 * _MEBIBYTE
"""Free disk below which Neo4j may soon be unable to write, and then accepts no statements."""

_UNUSABLE: Final = (ConfigurationError, EmbeddingMismatch, DatabaseRefused, DatabaseTooOld, SchemaTooNew)


class DoctorService(Service):
    """Looks for problems and says what mends each."""

    _checks: DatabaseChecks

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
            results += [_skipped(name, "Neo4j cannot be reached.") for name in OF_DATABASE]
        return Diagnosis(healthy=all(result.state != "problem" for result in results), checks=results)

    async def _of_database(self, opened: Inspection, *, fix: bool) -> list[CheckResult]:
        row = await opened.read_server()
        results = [_reported("connection", self._server(opened, row))]
        if results[0].state == "problem":
            return results + [_skipped(name, "The server is too old.") for name in OF_DATABASE]
        for name in OF_DATABASE:
            version = version_of((await opened.read_server())["database"] or {})
            if name != "schema" and version != schema.VERSION:
                why = "The schema is of another version." if version else "There is no memory yet."
                results.append(_skipped(name, why))
            else:

                async def examine(name: str = name) -> Outcome:  # anew: a fix changes the database's node
                    database = (await opened.read_server())["database"] or {}
                    return await getattr(self._checks, name)(opened, database)

                results.append(await _result(name, examine, fix=fix))
        return results

    @property
    def _managed(self) -> bool:
        """Whether the database is that of the managed engine."""
        return not self._settings.neo4j_uri

    async def _home(self) -> Outcome:
        """The home can be written, and it and the password are open to their owner only."""
        folder = self._engine.home.folder
        if not folder.exists():
            return f"{folder} does not exist yet; `legacymind up` creates it."
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return [
                Symptom(
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

    async def _files(self) -> Outcome:
        """The engine's jars and the model's files have the hashes of the lock file."""
        problems: list[Symptom] = []
        used = self._engine.set_up or self._engine.home.has_data
        if self._managed and used and (broken := await self._engine.verify()):
            shown = ", ".join(broken[:3]) + (" and others" if len(broken) > 3 else "")
            what = f"{counted(len(broken), 'jar')} of the engine missing or damaged: {shown}."
            mend = f"{FIX} It downloads them again; a running engine uses them after its next start."
            problems.append(Symptom(what, mend, fix=self._engine.repair))
        model = published(self._vectors.embedder)
        used = model is not None and model.folder.exists()
        if model is not None and used and (broken := await asyncio.to_thread(model.damaged)):
            what = f"Files of the embedding model are missing or damaged in {model.folder}: "
            mend = f"{FIX} It downloads the model again."
            problems.append(
                Symptom(f"{what}{', '.join(broken)}.", mend, fix=partial(model.fetch, verify=True))
            )
        return problems or "What is downloaded has the SHA-256 of the lock file."

    async def _machine(self) -> Outcome:
        """There is memory for the engine and the model, and disk space for data and downloads."""
        problems: list[Symptom] = []
        free = psutil.virtual_memory().available
        starts = self._managed and not self._engine.status().running
        needed = _LOW_MEMORY + (self._engine.memory if starts else 0)
        if free < needed:
            problems.append(
                Symptom(
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
                    Symptom(
                        f"The disk of {path} has {left // _MEBIBYTE:,} MiB free.{full}",
                        "Free some space, or move the folder (LEGACYMIND_HOME, LEGACYMIND_CACHE).",
                        "unusable" if full else "warning",
                    )
                )
        return problems or f"{free // _MEBIBYTE:,} MiB of memory are free, and enough disk."

    async def _ports(self) -> Outcome:
        """The configured ports are free, unless the engine itself uses them."""
        if self._engine.status().running:
            return "The engine listens at its ports."
        try:
            self._engine.check_ports()
        except PortTaken as taken:
            return [Symptom(taken.what, taken.hint, "unavailable")]
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
                hint="Run `legacymind up`, and `legacymind doctor` again to check the database too.",
            )
        return Address(status.uri, status.username, self._engine.password(), pid=status.pid)

    def _server(self, opened: Inspection, row: DatabaseRow) -> Outcome:
        """Neo4j answers, and has a version that LegacyMind can use."""
        try:
            schema.check({**row, "database": None}, opened.address.uri)
        except DatabaseTooOld as old:
            return _of_error(old)
        name = f"Neo4j {row['version']}"
        if self._managed and row["version"] != (brought := read_lock().neo4j):
            return [
                Symptom(
                    f"The engine runs {name}, and this LegacyMind brings {brought}.",
                    "Run `legacymind down` and `legacymind up`: the next start uses the newer one.",
                    "warning",
                )
            ]
        return f"{name} answers at {opened.address.uri}."


def _private(path: Path, mode: int) -> list[Symptom]:
    """The problem of a file or folder that other users may open; Windows has no such modes."""
    allowed = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not allowed & (stat.S_IRWXG | stat.S_IRWXO):
        return []
    return [
        Symptom(
            f"Other users of this machine may open {path} (mode {allowed:o}).",
            f"Run `chmod {mode:o} {path}`, or `legacymind doctor --fix`.",
            "warning",
            lambda: asyncio.to_thread(path.chmod, mode),
        )
    ]


def _of_error(error: LegacyMindError) -> list[Symptom]:
    """The problem that an error describes."""
    return [Symptom(error.what, error.hint, "unusable" if isinstance(error, _UNUSABLE) else "unavailable")]


async def _result(name: str, check: Callable[[], Awaitable[Outcome]], *, fix: bool) -> CheckResult:
    """The result of a check, of a second one if something was mended."""
    outcome = await _outcome(check)
    fixes = (
        [problem.fix for problem in outcome if problem.fix] if fix and not isinstance(outcome, str) else []
    )
    if not fixes:
        return _reported(name, outcome)
    failed: list[Symptom] = []
    for mend in fixes:
        try:
            await mend()
        except (LegacyMindError, OSError) as reason:
            why = reason.what if isinstance(reason, LegacyMindError) else str(reason)
            failed.append(Symptom(f"It could not be mended: {why}", "Mend the cause and try again."))
    outcome = await _outcome(check)
    if isinstance(outcome, str):
        return CheckResult(name=name, state="mended", message=f"Mended. {outcome}")
    return _reported(name, [*outcome, *failed])


async def _outcome(check: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """What a check found. An error during it is a problem like any other."""
    try:
        return await check()
    except LegacyMindError as error:
        return _of_error(error)


def _skipped(name: str, why: str) -> CheckResult:
    return CheckResult(name=name, state="skipped", message=f"Not checked. {why}")


def _reported(name: str, outcome: Outcome) -> CheckResult:
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
