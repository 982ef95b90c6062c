"""What the checks of `legacymind doctor` look at, and what they return."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from legacymind.db import schema
from legacymind.db.connection import DatabaseRow
from legacymind.db.graph import Graph
from legacymind.db.inspection import Inspection
from legacymind.db.stored import Property
from legacymind.engine import Engine
from legacymind.errors import (
    ConfigurationError,
    DatabaseRefused,
    DatabaseTooOld,
    EmbeddingMismatch,
    LegacyMindError,
    SchemaTooNew,
)
from legacymind.model.health import Problem, Severity
from legacymind.services.chain.audit import AuditService
from legacymind.services.chain.verification import ChainService
from legacymind.services.maintain.mending import MendingService
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.vectors import Vectors
from legacymind.settings import Settings

DOCTOR_FIX: Final = "Run `legacymind doctor --fix`."

_UNUSABLE: Final = (ConfigurationError, EmbeddingMismatch, DatabaseRefused, DatabaseTooOld, SchemaTooNew)


@dataclass(slots=True, kw_only=True)
class Case:
    """One memory: its settings, its engine, and its database as it is.

    ``inspection`` and ``row`` are None when no connection is open; ``trouble`` is the reason. ``graph``
    connects as every call does, so that it upgrades an old schema: only checks of an upgraded one use it.
    ``thorough``: read everything, and not a sample of fixed size.
    """

    settings: Settings
    engine: Engine
    graph: Graph
    vectors: Vectors
    deferred: DeferredEmbedding
    mending: MendingService
    chain: ChainService
    audit: AuditService
    thorough: bool
    inspection: Inspection | None = None
    row: DatabaseRow | None = None
    trouble: LegacyMindError | None = None

    @property
    def managed(self) -> bool:
        """Whether the database is that of the managed engine."""
        return not self.settings.neo4j_uri

    @property
    def open(self) -> Inspection:
        """The open connection."""
        if self.inspection is None:
            raise RuntimeError("No connection is open.")
        return self.inspection

    @property
    def too_old(self) -> DatabaseTooOld | None:
        """The error of a server that LegacyMind cannot use."""
        try:
            if self.row is not None:
                schema.check({**self.row, "database": None}, self.open.address.uri)
        except DatabaseTooOld as old:
            return old
        return None

    @property
    def database(self) -> dict[str, Property]:
        """The properties of LegacyMind's node; empty in a new database."""
        return (self.row["database"] if self.row else None) or {}

    @property
    def slot(self) -> str:
        """The active embedding slot."""
        return str(self.database.get("active_slot", "embedding_a"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProblem:
    """A problem that a check found, and what mends it if that is safe: no data is lost."""

    what: str
    mend: str
    severity: Severity = "unusable"
    fix: Callable[[], Awaitable[Any]] | None = None

    @property
    def problem(self) -> Problem:
        """The problem as it is reported."""
        return Problem(what=self.what, mend=self.mend, severity=self.severity, fixable=self.fix is not None)


CheckOutcome = str | FoundProblem | list[FoundProblem]
"""What a check returns: a sentence that says what is well, or problems."""


def of_error(error: LegacyMindError, severity: Severity | None = None) -> FoundProblem:
    """The problem that an error describes."""
    usual: Severity = "unusable" if isinstance(error, _UNUSABLE) else "unavailable"
    return FoundProblem(what=error.what, mend=error.hint, severity=severity or usual)
