"""Translates the driver's errors into LegacyMind's."""

import re
import ssl
from collections.abc import Iterator
from traceback import walk_tb

from neo4j import exceptions as neo

from legacymind.errors import (
    UNSETTLED,
    AlgorithmsMissing,
    DatabaseBusy,
    DatabaseError,
    DatabaseRefused,
    DatabaseUnreachable,
    LegacyMindError,
)


class Silent(neo.ServiceUnavailable):
    """The server was silent for so many ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__("The server no longer answers.")
        self.seconds = seconds


def silence(raised: BaseException | None) -> float:
    """For how many seconds a call waited in vain before it failed; 0 if the server had answered."""
    while raised is not None and not isinstance(raised, Silent):
        raised = raised.__cause__
    return raised.seconds if raised else 0.0


def translate(raised: Exception, uri: str, pid: int | None = None) -> DatabaseError:
    """The LegacyMind error for a driver error, with a hint. The message has no credentials.

    ``pid`` is the process of the managed engine, and None for another server.
    """
    managed = pid is not None
    code = raised.code if isinstance(raised, neo.Neo4jError) else None
    uri = without_credentials(uri)
    if isinstance(raised, neo.Forbidden) or code == "Neo.ClientError.Security.Forbidden":
        return DatabaseRefused(
            f"The user has too few privileges in Neo4j at {uri}.",
            hint="Grant the NEO4J_USERNAME user the privileges to read, write and create indexes.",
        )
    if is_locked_out(raised):
        return DatabaseBusy(
            f"Neo4j at {uri} refuses every login for some seconds, because it got wrong passwords.",
            hint="Retry in a few seconds. If it happens again, find the program that sends a wrong password.",
        )
    if code == "Neo.ClientError.Security.CredentialsExpired":
        return DatabaseRefused(
            f"The password for Neo4j at {uri} has expired: its first password must be changed.",
            hint="Change it, for example in Neo4j Browser, and set NEO4J_PASSWORD to the new one.",
        )
    if isinstance(raised, neo.AuthError) or (code or "").startswith("Neo.ClientError.Security"):
        return DatabaseRefused(
            f"Neo4j at {uri} rejected the user name or the password.",
            hint="`legacymind status` has its user and the file of its password."
            if managed
            else "Check NEO4J_USERNAME and NEO4J_PASSWORD.",
        )
    if isinstance(raised, neo.ConnectionAcquisitionTimeoutError):
        return DatabaseBusy(
            "Every connection to Neo4j is in use, and none became free in time.",
            hint="Retry, or send fewer calls at once.",
        )
    if isinstance(raised, neo.WriteServiceUnavailable) or code in _NO_LEADER:
        return DatabaseError(
            f"Neo4j at {uri} does not accept writes: it is not the leader of its cluster.",
            hint="Use neo4j:// or neo4j+s:// in NEO4J_URI to reach the leader. If you already do, retry "
            "soon.",
        )
    if (rejection := _certificate_error(raised)) is not None:
        return DatabaseUnreachable(
            f"The certificate of {uri} is not trusted: {without_credentials(rejection)}.",
            hint="Set LEGACYMIND_NEO4J_CA_FILE to the certificate of its authority, and use the host name "
            "that is in the server's certificate.",
        )
    unencrypted = next((one for one in _causes(raised) if type(one).__name__ == _NO_TLS), None)
    if unencrypted is not None:
        cause = type(unencrypted.__cause__ or unencrypted).__name__
        return DatabaseUnreachable(
            f"Could not open an encrypted connection to {uri} ({cause}).",
            hint="Check that the server runs. If it does not use TLS, use bolt:// or neo4j:// in NEO4J_URI, "
            "or enable TLS on the server.",
        )
    unreachable = (neo.ServiceUnavailable, neo.SessionExpired)
    # A starting database reports DatabaseUnavailable; a driver that another caller replaced is closed.
    gone = (code or "").endswith(".DatabaseUnavailable") or is_closed(raised)
    if isinstance(raised, unreachable) or gone:
        if managed and silence(raised):
            return DatabaseUnreachable(
                f"Neo4j runs (process {pid}), but does not answer.",
                written=_WHOLE,
                hint="Retry when the machine is less busy, or restart it with `legacymind down` and "
                "`legacymind up`.",
            )
        return DatabaseUnreachable(
            f"No Neo4j answers at {uri}.",
            written=_WHOLE,
            hint="Start the managed engine with `legacymind up`."
            if managed
            else "Check NEO4J_URI, and that the server runs.",
        )
    if isinstance(raised, neo.ConfigurationError | ValueError):
        return DatabaseUnreachable(
            f"{uri} is not an address of a Neo4j server: {without_credentials(str(raised))}.",
            hint="Use bolt://, neo4j://, bolt+s:// or neo4j+s:// with a host and port in NEO4J_URI.",
        )
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return DatabaseRefused(
            f"Neo4j at {uri} has no database of the configured name.", hint="Check NEO4J_DATABASE."
        )
    if code in _TIMEOUTS:
        return DatabaseError(
            "Neo4j ended the statement because it took too long.",
            hint="Try again: after a start, Neo4j first plans each statement, which takes seconds on a busy "
            "machine. If it happens again, request less, or raise LEGACYMIND_QUERY_TIMEOUT.",
        )
    if isinstance(raised, neo.Neo4jError) and is_out_of_memory(raised):
        return DatabaseError(
            "Neo4j ended the statement because it needed more memory than is free.",
            hint="Request less, send fewer calls at once, or raise LEGACYMIND_HEAP_MB.",
        )
    detail = (raised.message or "") if isinstance(raised, neo.Neo4jError) else str(raised)
    if _SYSTEM in detail:
        return DatabaseRefused(
            f"The database system of Neo4j at {uri} has its users and databases, and can hold no memory.",
            hint="Set NEO4J_DATABASE to another database, such as neo4j.",
        )
    if _NO_ALGORITHMS.search(detail):
        return AlgorithmsMissing(
            f"Neo4j at {uri} offers no graph algorithms: its Graph Data Science plugin is missing or not "
            "allowed.",
            hint="Install the plugin and set dbms.security.procedures.unrestricted=gds.* in neo4j.conf; the "
            "managed engine has both. All other operations work without it.",
        )
    if _INCOMPARABLE in detail:
        return DatabaseError(
            "A stored vector is none of the model's, so that no text can be compared with it.",
            hint="Run `legacymind doctor --fix`, which embeds its text again.",
        )
    if is_broken(raised):
        return DatabaseError(
            f"Neo4j at {uri} accepts no statements since it failed to write its files, for example because "
            "the disk was full.",
            hint="Free disk space if there is none, then "
            + ("run `legacymind up`, which restarts it." if managed else "restart the server."),
        )
    return DatabaseError(
        f"Neo4j failed with {code or type(raised).__name__}: {without_credentials(detail)[:300]}.",
        written=UNSETTLED if is_unsettled(raised) else None,
        hint="Check that the server's disk is not full. If it happens again, report it with this message."
        if is_storage_failure(raised)
        else "If it happens again, report it with this message.",
    )


_WHOLE = "Nothing was acknowledged; a write in progress was either committed as a whole or not at all."


_TIMEOUTS = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    }
)


_STORAGE = "Neo.DatabaseError.Transaction."


_LOCKED_OUT = "Neo.ClientError.Security.AuthenticationRateLimit"


_NO_LEADER = frozenset(
    {"Neo.ClientError.Cluster.NotALeader", "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase"}
)


_SYSTEM = "The system database supports a restricted set of Cypher clauses"


_INCOMPARABLE = "'vector.similarity.cosine()'"


# The plugin is absent, excluded from an allow-list, or loaded without access to the kernel ("sandboxed").
_NO_ALGORITHMS = re.compile(
    r"(?i)(unknown function|no (procedure|function)|unavailable)[^\n]{0,40}\bgds\.|gds\.\S+ is unavailable"
)


# The driver's error for a failed TLS handshake; the driver does not export the class.
_NO_TLS = "BoltSecurityError"


def _causes(raised: BaseException | None) -> Iterator[BaseException]:
    """An error, then its causes, each once."""
    seen: list[BaseException] = []
    # The driver re-raises errors that it kept, so two errors can each be the cause of the other.
    while raised is not None and not any(raised is one for one in seen):
        yield raised
        seen.append(raised)
        raised = raised.__cause__ or raised.__context__


def _certificate_error(raised: BaseException | None) -> str | None:
    """The reason a certificate was rejected, or None if the error has another cause."""
    refused = next((one for one in _causes(raised) if isinstance(one, ssl.SSLCertVerificationError)), None)
    return None if refused is None else refused.verify_message or str(refused)


def is_transient(raised: neo.DriverError | neo.Neo4jError) -> bool:
    """Whether a retry may succeed: after a deadlock, a change of leader or a server restart.

    Retrying a commit with a lost answer is safe: the statements find what they wrote by its ids.
    """
    if isinstance(raised, neo.Neo4jError) and is_out_of_memory(raised):
        return False  # the server calls it transient, but the same statement needs the same memory again
    return (
        raised.is_retryable()
        or isinstance(raised, neo.IncompleteCommit)
        or is_closed(raised)
        or is_locked_out(raised)
    )


def is_unforeseen(raised: Exception) -> bool:
    """Whether the driver raised an error that is none of its own, and that its arguments did not cause."""
    if isinstance(raised, neo.DriverError | neo.Neo4jError | TypeError | ValueError | LegacyMindError):
        return False
    modules = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(raised.__traceback__)]
    packages = [name.partition(".")[0] for name in modules]
    return [name for name in packages if name in ("neo4j", "legacymind")][-1:] == ["neo4j"]


def is_unsettled(raised: BaseException) -> bool:
    """Whether a write that failed so may have been committed."""
    failed = isinstance(raised, neo.Neo4jError) and (raised.code or "").startswith("Neo.DatabaseError.")
    return isinstance(raised, neo.IncompleteCommit) or (failed and not is_broken(raised))


def is_storage_failure(raised: BaseException | None) -> bool:
    """Whether the server could not write its files; until it is restarted, it then accepts no statements."""
    return isinstance(raised, neo.Neo4jError) and (raised.code or "").startswith(_STORAGE)


def is_broken(raised: BaseException | None) -> bool:
    """Whether the server accepts no statements until it is restarted, because a commit failed before."""
    return (
        isinstance(raised, neo.Neo4jError)
        and raised.code == f"{_STORAGE}TransactionStartFailed"
        and "restart" in (raised.message or "")
    )


def is_out_of_memory(raised: neo.Neo4jError) -> bool:
    """Whether a statement needed more memory than the server or its limits for transactions allow."""
    return (raised.code or "").endswith("OutOfMemoryError")


def is_locked_out(raised: Exception) -> bool:
    """Whether the server refuses logins for a while after wrong passwords, the right one included."""
    return isinstance(raised, neo.Neo4jError) and raised.code == _LOCKED_OUT


def is_starting(raised: Exception) -> bool:
    """Whether the server runs but its database is still starting."""
    return isinstance(raised, neo.Neo4jError) and (raised.code or "").endswith(".DatabaseUnavailable")


def is_absent(raised: DatabaseUnreachable) -> bool:
    """Whether no server answered, so that one may start later. An untrusted certificate does not count."""
    cause = raised.__cause__
    return isinstance(cause, neo.ServiceUnavailable | neo.SessionExpired | neo.TransientError) and (
        _certificate_error(cause) is None
    )


def is_index_missing(raised: DatabaseError) -> bool:
    """Whether a statement names an index that does not exist."""
    cause = raised.__cause__
    return isinstance(cause, neo.Neo4jError) and (cause.code or "").endswith(".Schema.IndexNotFound")


def already_exists(raised: DatabaseError) -> bool:
    """Whether a CREATE failed because another process has just created the same thing."""
    cause = raised.__cause__
    return isinstance(cause, neo.Neo4jError) and "AlreadyExists" in (cause.code or "")


def is_closed(raised: Exception) -> bool:
    """Whether the driver was closed, because another caller replaced it."""
    return type(raised) is neo.DriverError and "closed" in str(raised)


def without_credentials(text: str) -> str:
    """The text without the user name and password of any address in it."""
    return re.sub(r"//\S*@", "//", text)
