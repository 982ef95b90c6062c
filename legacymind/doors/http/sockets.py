"""The socket on which the server listens, and its connections."""

import asyncio
import errno
import socket
import sys

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from legacymind.errors import ConfigurationError, PortTaken


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address. Raises PortTaken or ConfigurationError if that is impossible."""
    address = "127.0.0.1" if host == "localhost" else host
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        if sys.platform != "win32":  # on Windows this option lets two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(128)
    except OSError as raised:
        listening.close()
        if raised.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Another program uses port {port} on {host}.",
                hint="Stop it, or set `LEGACYMIND_SERVE_PORT` to another port.",
            ) from raised
        raise ConfigurationError(
            f"The server cannot listen on {host}, port {port}: {raised}.",
            hint="Set `LEGACYMIND_SERVE_HOST` and `LEGACYMIND_SERVE_PORT` to an address of this machine.",
        ) from raised
    return listening


def shown(listening: socket.socket) -> str:
    """The address of a socket in a URL."""
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class UndelayedHTTP(AutoHTTPProtocol):  # pyright: ignore[reportGeneralTypeIssues, reportUntypedBaseClass]
    """uvicorn's HTTP on connections that send each packet at once.

    An answer is two packets, and the second one would wait 40 ms for the acknowledgement of the first, which
    clients delay. asyncio prevents it only on sockets that name their protocol, as those of uvicorn do not.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with a new connection."""
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
