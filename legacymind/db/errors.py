"""The driver's errors as ours."""

import re
import ssl
from collections.abc import Iterator

from neo4j import exceptions as neo

from legacymind.errors import DatabaseBusy, DatabaseError, DatabaseRefused, DatabaseUnreachable


def translate(raised: Exception, uri: str) -> DatabaseError:
    """A driver's error as ours: which of the things that go wrong it is, and what to do."""
    code = raised.code if isinstance(raised, neo.Neo4jError) else None
    uri = without_credentials(uri)
    if isinstance(raised, neo.Forbidden) or code == "Neo.ClientError.Security.Forbidden":
        return DatabaseRefused(
            f"The user at {uri} may not do this.",
            hint="Give the user of NEO4J_USERNAME the rights to read, write, and make indexes.",
        )
    if isinstance(raised, neo.AuthError) or (code or "").startswith("Neo.ClientError.Security"):
        return DatabaseRefused(
            f"Neo4j at {uri} refused the user name or the password.",
            hint="Check NEO4J_USERNAME and NEO4J_PASSWORD; for the managed engine, see `legacymind status`.",
        )
    if isinstance(raised, neo.ConnectionAcquisitionTimeoutError):
        return DatabaseBusy(
            "Every connection to Neo4j is in use, and none came free in time.",
            hint="Call again, send fewer calls at once, or raise LEGACYMIND_POOL_SIZE.",
        )
    if isinstance(raised, neo.WriteServiceUnavailable) or code in _NO_LEADER:
        return DatabaseError(
            f"The Neo4j at {uri} takes no writes now: it is not the leader of its cluster.",
            hint="Use neo4j:// or neo4j+s:// in NEO4J_URI, which finds the leader; if you do, call "
            "again soon.",
        )
    if (distrust := _distrust(raised)) is not None:
        return DatabaseUnreachable(
            f"The certificate of {uri} is not trusted: {without_credentials(distrust)}.",
            hint="Name who signed it in LEGACYMIND_NEO4J_CA_FILE, and the host as the certificate names it.",
        )
    unencrypted = next((one for one in _behind(raised) if type(one).__name__ == _NO_TLS), None)
    if unencrypted is not None:
        cause = type(unencrypted.__cause__ or unencrypted).__name__
        return DatabaseUnreachable(
            f"No encrypted connection came about to {uri} ({cause}).",
            hint="If the server does not encrypt, use bolt:// or neo4j:// in NEO4J_URI, or have it encrypt; "
            "else check that it runs.",
        )
    unreachable = (neo.ServiceUnavailable, neo.SessionExpired)
    # A database that is still starting says unavailable; a driver that another caller replaced says closed.
    gone = (code or "").endswith(".DatabaseUnavailable") or is_closed(raised)
    if isinstance(raised, unreachable) or gone:
        return DatabaseUnreachable(
            f"No Neo4j answers at {uri}.",
            effect="Nothing was acknowledged; a write under way is there whole or not at all.",
            hint="Check NEO4J_URI and that the server runs; for the managed engine, `legacymind up`.",
        )
    if isinstance(raised, neo.ConfigurationError | ValueError):
        return DatabaseUnreachable(
            f"{uri} is not an address Neo4j can be reached at: {without_credentials(str(raised))}.",
            hint="Use bolt://, neo4j://, bolt+s:// or neo4j+s:// with a host and port in NEO4J_URI.",
        )
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return DatabaseError("The configured database does not exist.", hint="Check NEO4J_DATABASE.")
    if code in {"Neo.ClientError.Transaction.TransactionTimedOut", *_TIMEOUTS}:
        return DatabaseError(
            "Neo4j ended the statement because it took too long.",
            hint="Ask for less, or raise LEGACYMIND_QUERY_TIMEOUT.",
        )
    detail = (raised.message or "") if isinstance(raised, neo.Neo4jError) else str(raised)
    return DatabaseError(
        f"Neo4j failed with {code or type(raised).__name__}: {without_credentials(detail)[:300]}.",
        hint="If it stays so, report it with this message.",
    )


_TIMEOUTS = frozenset(
    {
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
    }
)


_NO_LEADER = frozenset(
    {"Neo.ClientError.Cluster.NotALeader", "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase"}
)


# The driver's own, which it does not export: the handshake of TLS failed.
_NO_TLS = "BoltSecurityError"


def _behind(raised: BaseException | None) -> Iterator[BaseException]:
    """An error, and what is behind it."""
    told: list[BaseException] = []
    # The driver raises errors that it has kept again, so that two can be behind each other.
    while raised is not None and not any(raised is one for one in told):
        yield raised
        told.append(raised)
        raised = raised.__cause__ or raised.__context__


def _distrust(raised: BaseException | None) -> str | None:
    """Why a certificate was refused, when that is behind an error."""
    refused = next((one for one in _behind(raised) if isinstance(one, ssl.SSLCertVerificationError)), None)
    return None if refused is None else refused.verify_message or str(refused)


def is_transient(raised: neo.DriverError | neo.Neo4jError) -> bool:
    """Whether it may be gone at the next try: a deadlock, a leader that changes, a server that restarts.

    A commit whose answer was lost is none to fear: what was written meets its own ids.
    """
    return raised.is_retryable() or isinstance(raised, neo.IncompleteCommit) or is_closed(raised)


def is_starting(raised: Exception) -> bool:
    """Whether a server said that the database is not there yet."""
    return isinstance(raised, neo.Neo4jError) and (raised.code or "").endswith(".DatabaseUnavailable")


def is_absent(raised: DatabaseUnreachable) -> bool:
    """Whether nobody was there, who may come yet; a certificate that is not trusted now never will be."""
    cause = raised.__cause__
    return isinstance(cause, neo.ServiceUnavailable | neo.SessionExpired | neo.TransientError) and (
        _distrust(cause) is None
    )


def exists_already(raised: DatabaseError) -> bool:
    """Whether somebody else has just made what was to be made."""
    cause = raised.__cause__
    return isinstance(cause, neo.Neo4jError) and "AlreadyExists" in (cause.code or "")


def is_closed(raised: Exception) -> bool:
    """Whether another caller replaced the driver meanwhile."""
    return type(raised) is neo.DriverError and "closed" in str(raised)


def without_credentials(text: str) -> str:
    """A text without the user and password that somebody may have put into an address."""
    return re.sub(r"//\S*@", "//", text)
