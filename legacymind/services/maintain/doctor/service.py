"""Runs the checks of `legacymind doctor`."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Literal

from legacymind.db import schema
from legacymind.db.inspection import inspect
from legacymind.db.options import Address, configured_address
from legacymind.errors import EngineNotRunning, LegacyMindError
from legacymind.model.health import CheckResult, Diagnosis
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.verification import ChainService
from legacymind.services.maintain.doctor import database, machine
from legacymind.services.maintain.doctor.case import Case, CheckOutcome, FoundProblem, of_error
from legacymind.services.maintain.mending import MendingService
from legacymind.services.shared.service import Service


@dataclass(frozen=True, slots=True)
class Check:
    """A check, and what it needs: a managed engine, a connection to any server or to one that can be used, or
    a memory with this version's schema."""

    name: str
    examine: Callable[[Case], Awaitable[CheckOutcome]]
    needs: Literal["nothing", "engine", "connection", "server", "memory"] = "nothing"


CHECKS: Final = (
    Check("home", machine.home, "engine"),
    Check("password", machine.password, "engine"),
    Check("engine files", machine.engine_files, "engine"),
    Check("model files", machine.model_files),
    Check("memory", machine.memory),
    Check("disk", machine.disk),
    Check("ports", machine.ports, "engine"),
    Check("connection", database.connection),
    Check("server", database.server, "connection"),
    Check("algorithms", database.algorithms, "server"),
    Check("clock", database.clock, "server"),
    Check("schema", database.schema_version, "server"),
    Check("indexes", database.indexes, "server"),
    Check("model", database.model, "server"),
    Check("vectors", database.vectors, "server"),
    Check("deferred", database.deferred, "memory"),
    Check("chains", database.chains, "memory"),
)
"""All checks in the order in which they run. A new check is one function and one entry."""


class DoctorService(Service):
    """Looks for problems and says what mends each."""

    _mending: MendingService
    _chain: ChainService
    _audit: AuditService

    async def diagnose(self, *, fix: bool = False, thorough: bool = False) -> Diagnosis:
        """Make every check.

        Starts no engine and changes nothing, unless ``fix``: then what can be mended without a loss of data
        is mended, and its check is made again. ``thorough`` reads every node and verifies every chain of the
        namespace; otherwise the cost does not grow with the graph.
        """
        async with self._case(thorough) as case:
            results = [await _result(case, check, fix=fix) for check in CHECKS]
        return Diagnosis(healthy=all(each.state != "problem" for each in results), checks=results)

    @asynccontextmanager
    async def _case(self, thorough: bool) -> AsyncGenerator[Case]:
        """The case, with an open connection if Neo4j answers."""
        case = Case(
            settings=self._settings,
            engine=self._engine,
            graph=self._graph,
            vectors=self._vectors,
            deferred=self._deferred_embedding,
            mending=self._mending,
            chain=self._chain,
            audit=self._audit,
            thorough=thorough,
        )
        try:
            address = self._address()
            async with inspect(address, self._limits) as opened:
                try:
                    case.row = await opened.read_server()
                    case.inspection = opened
                except LegacyMindError as reason:
                    case.trouble = reason
                yield case
        except LegacyMindError as reason:
            if case.trouble or case.inspection:
                raise
            case.trouble = reason
            yield case

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


async def _result(case: Case, check: Check, *, fix: bool) -> CheckResult:
    if missing := _missing(case, check):
        return CheckResult(name=check.name, state="skipped", message=f"Not checked: {missing}")
    found = await _examined(case, check)
    fixes = [] if isinstance(found, str) else [each.fix for each in found if each.fix]
    if not fix or not fixes:
        return _reported(check, found)
    failed: list[FoundProblem] = []
    for each in fixes:
        try:
            await each()
        except (LegacyMindError, OSError) as reason:
            why = reason.what if isinstance(reason, LegacyMindError) else str(reason)
            failed.append(
                FoundProblem(what=f"It could not be mended: {why}", mend="Mend the cause and try again.")
            )
    if case.inspection is not None:
        case.row = await case.inspection.read_server()  # the fix may have changed LegacyMind's node
    again = await _examined(case, check)
    if isinstance(again, str):
        return CheckResult(name=check.name, state="mended", message=f"Mended. {again}")
    return _reported(check, [*again, *failed])


def _missing(case: Case, check: Check) -> str | None:
    """What the check needs and does not have; None if it can be made."""
    if check.needs == "engine" and not case.managed:
        return "NEO4J_URI names another server than the managed engine."
    if check.needs in ("connection", "server", "memory") and case.inspection is None:
        return "Neo4j cannot be reached."
    if check.needs in ("server", "memory") and case.too_old:
        return "the server is too old."
    if check.needs == "memory":
        stored = case.database.get("schema_version", 0)
        if stored != schema.VERSION:
            return "the database has no memory yet." if not stored else "the schema is of another version."
    return None


async def _examined(case: Case, check: Check) -> str | list[FoundProblem]:
    """What the check found. An error during it is a problem like any other."""
    try:
        outcome = await check.examine(case)
    except LegacyMindError as error:
        return [of_error(error)]
    return [outcome] if isinstance(outcome, FoundProblem) else outcome


def _reported(check: Check, found: str | list[FoundProblem]) -> CheckResult:
    if isinstance(found, str):
        return CheckResult(name=check.name, state="ok", message=found)
    problems = [each.problem for each in found]
    harmless = all(each.severity == "warning" for each in problems)
    return CheckResult(
        name=check.name,
        state="warning" if harmless else "problem",
        message=problems[0].what,
        problems=problems,
    )
