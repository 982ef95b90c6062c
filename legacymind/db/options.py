"""Where a Neo4j is, how to be let in, and what the driver is told about it."""

import ssl
from dataclasses import dataclass, field, replace
from typing import Any, Final

from neo4j import TrustCustomCAs

from legacymind.errors import ConfigurationError

_OF_NEITHER: Final = {"bolt+s": "bolt", "bolt+ssc": "bolt", "neo4j+s": "neo4j", "neo4j+ssc": "neo4j"}
"""A scheme that says nothing of encryption: only with one does the driver take authorities of ours."""

_IDLE: Final = 60.0
"""Seconds after which an idle connection is asked whether it lives: load balancers forget them."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j is and how to be let in; the password is never printed.

    ``authority``: a PEM file of who signed the server's certificate, instead of the system's authorities.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    database: str = "neo4j"
    authority: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much and how long: seconds, but for ``connections``, which are of each server of a cluster.

    ``statement``: until the server ends one. ``connect``: until a server takes a connection. ``wait``: for a
    free one of the pool. ``retry``: trying again what may pass.
    """

    statement: float = 30.0
    connections: int = 100
    connect: float = 10.0
    wait: float = 30.0
    retry: float = 30.0

    @property
    def transaction(self) -> float:
        """Several statements, or one that waits its turn to be planned."""
        return 4 * self.statement

    @property
    def stream(self) -> float:
        """Rows as they come, each page of which is waited for as for a statement."""
        return 60 * self.statement

    @property
    def answer(self) -> float:
        """Until nothing is expected any more of a server that said nothing: its own limit has long passed."""
        return self.wait + self.connect + self.statement + 5.0


def directly(address: Address) -> Address | None:
    """The first server of a cluster alone: it tells what is wrong where a cluster says only that it is."""
    scheme, _, rest = address.uri.partition("://")
    return replace(address, uri=f"bolt{scheme[5:]}://{rest}") if scheme.startswith("neo4j") else None


def driver_options(address: Address, limits: Limits) -> dict[str, Any]:
    """Address and options for the driver; raises ConfigurationError."""
    uri, options = address.uri, dict[str, Any]()
    scheme, _, rest = uri.partition("://")
    if address.authority:
        try:
            ssl.create_default_context(cafile=address.authority)
        except OSError as reason:  # of which ssl.SSLError is one
            raise ConfigurationError(
                f"The file {address.authority!r} holds no certificate: {reason}.",
                hint="Set LEGACYMIND_NEO4J_CA_FILE to a PEM file of who signed the server's, or unset it.",
            ) from reason
        uri = f"{_OF_NEITHER.get(scheme, scheme)}://{rest}"
        options = {"encrypted": True, "trusted_certificates": TrustCustomCAs(address.authority)}
    return options | {
        "uri": uri,
        "auth": (address.username, address.password),
        "user_agent": "legacymind",
        "connection_timeout": limits.connect,
        "connection_acquisition_timeout": limits.wait,
        "max_connection_pool_size": max(limits.connections, 2),  # a lock may be held over one of them
        "liveness_check_timeout": _IDLE,
        "max_transaction_retry_time": 0.0,  # we try again ourselves
        "notifications_min_severity": "OFF",
        "telemetry_disabled": True,
    }
