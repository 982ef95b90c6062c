"""The address, credentials and limits of a connection, as options for the driver."""

import ssl
from dataclasses import dataclass, field, replace
from typing import Any, Final

from neo4j import TrustCustomCAs

from legacymind.errors import ConfigurationError
from legacymind.settings import Settings

_UNENCRYPTED: Final = {"bolt+s": "bolt", "bolt+ssc": "bolt", "neo4j+s": "neo4j", "neo4j+ssc": "neo4j"}
"""The scheme without encryption: the driver accepts custom certificate authorities only with one of these."""

_IDLE: Final = 60.0
"""Seconds after which an idle connection is tested before use: load balancers drop them silently."""


@dataclass(frozen=True, slots=True)
class Address:
    """Address and credentials of a Neo4j database. The password is not part of ``repr``.

    ``authority`` is the path of a PEM file with the certificate authority that signed the server's
    certificate. It replaces the system's authorities. ``pid`` is the process of the managed engine, and None
    for another server.
    """

    uri: str
    username: str
    password: str = field(repr=False)
    database: str = "neo4j"
    authority: str = ""
    pid: int | None = None


def configured_address(settings: Settings) -> Address:
    """The address of the server that the settings name."""
    return Address(
        settings.neo4j_uri,
        settings.neo4j_username,
        settings.neo4j_password,
        settings.neo4j_database,
        settings.neo4j_ca_file,
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """Timeouts in seconds, and numbers. ``connections``: the maximum per server of a cluster.

    ``statement``: time before the server ends a statement. ``connect``: time to open a connection. ``wait``:
    time to wait for a free connection of the pool, and before that for a turn. ``retry``: time during which
    transient errors of a call are retried, and for which the server was silent before. ``statements``: those
    that run at once. ``waiting``: calls of clients that may wait for a turn.
    """

    statement: float = 30.0
    connections: int = 100
    connect: float = 10.0
    wait: float = 30.0
    retry: float = 30.0
    statements: int = 8
    waiting: int = 100

    @property
    def transaction(self) -> float:
        """Limit for a transaction of several statements, or a statement that waits to be planned."""
        return 4 * self.statement

    @property
    def stream(self) -> float:
        """Limit for a streamed result. Each page of it has the limit of a statement."""
        return 60 * self.statement

    @property
    def answer(self) -> float:
        """Time after which a silent server counts as lost: all its own limits have passed."""
        return self.wait + self.connect + self.statement + 5.0


def first_server(address: Address) -> Address | None:
    """The first server of a cluster without routing, since routing hides the cause of an error; else None."""
    scheme, _, rest = address.uri.partition("://")
    return replace(address, uri=f"bolt{scheme[5:]}://{rest}") if scheme.startswith("neo4j") else None


def pool_size(limits: Limits) -> int:
    """The maximum of connections to a server."""
    return max(limits.connections, 2)


def driver_options(address: Address, limits: Limits) -> dict[str, Any]:
    """Keyword arguments for the driver.

    Raises ValueError for a scheme other than Bolt's, and ConfigurationError if the PEM file cannot be read.
    """
    uri, options = address.uri, dict[str, Any]()
    scheme, _, rest = uri.partition("://")
    if not scheme.startswith(("bolt", "neo4j")):  # the driver also knows the Query API, over HTTP
        raise ValueError(f"{scheme} is not a scheme of Bolt")
    if address.authority:
        try:
            ssl.create_default_context(cafile=address.authority)
        except OSError as reason:  # ssl.SSLError is a subclass
            raise ConfigurationError(
                f"The file {address.authority!r} holds no certificate: {reason}.",
                hint="Set LEGACYMIND_NEO4J_CA_FILE to a PEM file with the authority that signed the server's "
                "certificate, or unset it.",
            ) from reason
        uri = f"{_UNENCRYPTED.get(scheme, scheme)}://{rest}"
        options = {"encrypted": True, "trusted_certificates": TrustCustomCAs(address.authority)}
    return options | {
        "uri": uri,
        "auth": (address.username, address.password),
        "user_agent": "legacymind",
        "connection_timeout": limits.connect,
        "connection_acquisition_timeout": limits.wait,
        "max_connection_pool_size": pool_size(limits),
        "liveness_check_timeout": _IDLE,
        "max_transaction_retry_time": 0.0,  # Graph retries
        "notifications_min_severity": "OFF",
        "telemetry_disabled": True,
    }
