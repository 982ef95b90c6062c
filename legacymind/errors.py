"""All errors of LegacyMind: one tree, and the code of each.

    LegacyMindError                   error
    ├── InvalidInput                  invalid_input         the input is malformed or out of range
    │   └── RequestRefused            refused               the caller may not do this
    │       ├── UserNeeded            user_needed           only the user may do this, and an agent calls
    │       └── TokenMissing          token_missing         the request has no valid token
    ├── TooManyRequests               rate_limited          a client of the server sends too many
    ├── Busy                          busy                  too many calls wait for the database
    ├── NotFound                      not_found             this namespace has no such record
    ├── Conflict                      conflict              the id or key belongs to another record
    ├── ChainBroken                   chain_broken          the chain of a session cannot be continued
    ├── ImmutableThought              immutable             thoughts cannot be changed
    ├── ConfigurationError            configuration         a setting is invalid
    ├── EmbeddingError                embedding_failed      no vector could be computed
    │   └── EmbeddingMismatch         embedding_mismatch    the database holds another model's vectors
    ├── DatabaseError                 database_error        Neo4j refused a request or failed
    │   ├── DatabaseUnreachable       database_unreachable  nothing answers at the address
    │   ├── DatabaseBusy              database_busy         no connection became free in time
    │   ├── DatabaseRefused           database_refused      wrong user or password, or missing rights
    │   ├── DatabaseTooOld            database_too_old      the server lacks Cypher 25 ``SEARCH``
    │   ├── SchemaTooNew              schema_too_new        a newer LegacyMind wrote the database
    │   └── AlgorithmsMissing         algorithms_missing    the server has no graph algorithms
    ├── EngineError                   engine_error          the managed Neo4j failed
    │   ├── DownloadFailed            download_failed       a file could not be downloaded completely
    │   ├── PortTaken                 port_taken            another program uses a configured port
    │   ├── EngineNotRunning          engine_not_running    the managed Neo4j of this home is stopped
    │   └── Starting                  starting              the database is not ready yet; call again
    └── InternalError                 internal              a bug in LegacyMind

Every door reports the code and a message: what happened, the effect on the data if a write failed, and what
to do. Codes are part of the public interface and do not change.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NotRequired, TypedDict

UNSETTLED: Final = (
    "It is not known whether the write was committed. Look for it before you repeat it, or repeat it with "
    "the same idempotency_key, which stores it once."
)
"""The effect of a write that may have been committed although it failed."""


class ErrorReport(TypedDict):
    """An error as programs read it. ``retry_after``: seconds after which a repeated call may succeed."""

    code: str
    message: str
    retry_after: NotRequired[int]


class LegacyMindError(Exception):
    """Base class of all LegacyMind errors.

    ``what`` is what happened, ``effect`` what it means for the data, and ``hint`` what to do. Each is one or
    more full sentences; an empty ``effect`` or ``hint`` is left out of the message. Without ``effect``, the
    default of the class applies; if a write failed, ``of_write`` replaces it with ``written``.
    ``retry_after`` is the seconds after which a repeated call may succeed, if that is known.
    """

    code: ClassVar[str] = "error"
    """Stable name of the error, for programs."""

    effect: str = ""

    written: ClassVar[str] = "Nothing was stored or changed."
    """The default effect if a write failed."""

    def __init__(
        self,
        what: str,
        *,
        effect: str | None = None,
        written: str | None = None,
        hint: str = "",
        retry_after: int | None = None,
    ) -> None:
        self.what = what
        self.effect = type(self).effect if effect is None else effect
        self.hint = hint
        self.retry_after = retry_after
        self._written = written or type(self).written
        self._has_default = effect is None
        super().__init__(what)

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.effect, self.hint) if part)

    def of_write(self) -> None:
        """Use the effect of a write that failed, unless the error has an effect of its own."""
        if self._has_default:
            self.effect = self._written

    def unsettle(self) -> None:
        """Use the effect of a write of which an earlier attempt may have been committed."""
        self._written = UNSETTLED

    def envelope(self) -> dict[str, ErrorReport]:
        """The error as every door returns it: ``{"error": {"code", "message"}}``."""
        report: ErrorReport = {"code": self.code, "message": str(self)}
        if self.retry_after is not None:
            report["retry_after"] = self.retry_after
        return {"error": report}


@dataclass(frozen=True, slots=True)
class InputFinding:
    """What is wrong with one parameter. It never has the value, which may be private or very long.

    ``problem`` completes a sentence about the parameter: "must be at least 1". ``inside`` leads to the item
    or member that is meant. ``allowed`` are the names that would be known there.
    """

    parameter: str
    problem: str
    inside: tuple[int | str, ...] = ()
    allowed: tuple[str, ...] = ()

    def __str__(self) -> str:
        places = [f"item {part + 1}" if isinstance(part, int) else part[:80] for part in self.inside]
        return f"{', '.join([self.parameter[:80], *places])} {self.problem}."


class InvalidInput(LegacyMindError):
    """The input is malformed or out of range.

    With ``findings``, these are what happened, and the hint has the names that are known.
    """

    code = "invalid_input"

    def __init__(self, what: str = "", *, findings: Sequence[InputFinding] = (), **more: Any) -> None:
        super().__init__(" ".join(map(str, findings[:8])) or what, **more)
        self._findings = findings
        self.know()

    def know(self, unlisted: Collection[str] = ()) -> None:
        """Let the hint name what is known where an unknown name was sent, without unlisted names.

        Of members these are given as ``relations.source``.
        """
        known = {
            f"Members of {each.parameter}" if each.inside else "Known parameters": ", ".join(
                name
                for name in each.allowed
                if (f"{each.parameter}.{name}" if each.inside else name) not in unlisted
            )
            for each in self._findings
            if each.allowed
        }
        if known:
            self.hint = " ".join(f"{of}: {names}." for of, names in known.items())


class RequestRefused(InvalidInput):
    """The caller may not do this.

    For example a foreign host, a write with a token that reads, or a Mind in another event loop.
    """

    code = "refused"


class UserNeeded(RequestRefused):
    """Only the user does this, and the caller is an agent."""

    code = "user_needed"


class TokenMissing(RequestRefused):
    """A request to ``serve`` has no token, or one that is unknown or revoked."""

    code = "token_missing"


class TooManyRequests(LegacyMindError):
    """A client of ``serve`` sends more requests than it may."""

    code = "rate_limited"


class Busy(LegacyMindError):
    """Too many calls wait for the database; ``retry_after`` says when to repeat this one."""

    code = "busy"


class NotFound(LegacyMindError):
    """This namespace has no such record."""

    code = "not_found"


class Conflict(LegacyMindError):
    """The id or key belongs to another record."""

    code = "conflict"


class ChainBroken(LegacyMindError):
    """The chain of a session cannot be continued."""

    code = "chain_broken"


class ImmutableThought(LegacyMindError):
    """Thoughts cannot be changed."""

    code = "immutable"


class ConfigurationError(LegacyMindError):
    """A setting is invalid."""

    code = "configuration"


class EmbeddingError(LegacyMindError):
    """No vector could be computed."""

    code = "embedding_failed"


class EmbeddingMismatch(EmbeddingError):
    """The database holds another model's vectors."""

    code = "embedding_mismatch"


class DatabaseError(LegacyMindError):
    """Neo4j refused a request or failed."""

    code = "database_error"


class DatabaseUnreachable(DatabaseError):
    """Nothing answers at the address."""

    code = "database_unreachable"


class DatabaseBusy(DatabaseError):
    """No connection became free in time."""

    code = "database_busy"


class DatabaseRefused(DatabaseError):
    """Wrong user or password, or missing rights."""

    code = "database_refused"


class DatabaseTooOld(DatabaseError):
    """The server lacks Cypher 25 ``SEARCH``."""

    code = "database_too_old"


class SchemaTooNew(DatabaseError):
    """A newer LegacyMind wrote the database."""

    code = "schema_too_new"


class AlgorithmsMissing(DatabaseError):
    """The server lacks Graph Data Science, or does not allow it."""

    code = "algorithms_missing"


class EngineError(LegacyMindError):
    """The managed Neo4j failed."""

    code = "engine_error"
    effect = "Stored data is untouched."
    written = effect


class DownloadFailed(EngineError):
    """A file of the engine or the model could not be downloaded completely."""

    code = "download_failed"


class PortTaken(EngineError):
    """Another program uses a configured port."""

    code = "port_taken"


class EngineNotRunning(EngineError):
    """The managed Neo4j of this home is stopped."""

    code = "engine_not_running"


class Starting(EngineError):
    """The database or the model is not ready yet; a repeated call finds it."""

    code = "starting"


class InternalError(LegacyMindError):
    """A bug in LegacyMind."""

    code = "internal"
    written = "It is not known whether anything was stored."
