"""``legacymind serve``: one process, and the socket on which it listens."""

import asyncio
import contextlib
import errno
import gc
import socket
import sys
from types import FrameType
from typing import cast

import uvicorn
from starlette.applications import Starlette

from legacymind.doors.http.app import MAX_BODY, build_app, is_exposed
from legacymind.errors import ConfigurationError, PortTaken
from legacymind.mind import Mind
from legacymind.model.maintenance import Token
from legacymind.settings import Settings


def serve(settings: Settings) -> None:
    """Serve on ``serve_host`` and ``serve_port`` until SIGINT or SIGTERM.

    Raises ConfigurationError when the address cannot be bound, or can be reached by other machines and there
    is no token, and PortTaken when another program uses the port.
    """
    with listen(settings.serve_host, settings.serve_port) as listening:
        if is_exposed(settings) and not settings.oauth_issuer and not asyncio.run(_tokens(settings)):
            raise ConfigurationError(
                f"The server cannot listen on {settings.serve_host}: other machines can reach it, and there "
                "is no token.",
                hint="Make one with `legacymind token create NAME`, or listen on 127.0.0.1.",
            )
        address = f"http://{shown(listening)}"
        print(
            f"Explorer at {address}/, GraphQL at {address}/graphql, MCP at {address}/mcp",
            file=sys.stderr,
            flush=True,
        )
        server = _Server(configuration(settings))
        gc.freeze()  # code and schema stay alive, so that no garbage collection looks at them
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that ends its subscriptions at a signal; it waits for the other responses."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end the process."""
        cast("Starlette", self.config.app).state.end_streams()
        super().handle_exit(sig, frame)


def configuration(settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        build_app(settings),
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MAX_BODY,
        server_header=False,
        limit_concurrency=500,
        timeout_graceful_shutdown=10,
        # Longer than clients and proxies usually keep a connection (60 s in nginx), so that they close it
        # first: a request on one that the server closes at that moment fails. uvicorn's default is 5 s.
        timeout_keep_alive=75,
    )


async def _tokens(settings: Settings) -> list[Token]:
    async with Mind(settings) as mind:
        return await mind.tokens()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address. Raises PortTaken or ConfigurationError if that is impossible.

    It names its protocol: only then does asyncio send each packet of its connections at once. Else the second
    packet of an answer waits 40 ms for the acknowledgement of the first.
    """
    address = "127.0.0.1" if host == "localhost" else host
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
