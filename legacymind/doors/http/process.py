"""``legacymind serve``: one process, or several that share a port, and the socket on which they listen."""

import asyncio
import contextlib
import errno
import gc
import socket
import sys
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.config import LOGGING_CONFIG

from legacymind.doors.http.app import MAX_BODY, build_app, is_exposed
from legacymind.doors.http.connections import Connection, backlog
from legacymind.doors.http.metrics import share_counts
from legacymind.doors.http.requests import log_as_json
from legacymind.errors import ConfigurationError, PortTaken
from legacymind.mind import Mind
from legacymind.model.maintenance import Token
from legacymind.settings import Settings, load_settings


def serve(settings: Settings, workers: int = 1) -> None:
    """Serve on ``serve_host`` and ``serve_port`` until SIGINT or SIGTERM.

    More than one worker are processes of their own, which read the settings anew. Raises ConfigurationError
    when the address cannot be bound, or can be reached by other machines and there is no token, and PortTaken
    when another program uses the port.
    """
    options: dict[str, Any] = {
        "log_level": "warning",
        "log_config": None if settings.log_format == "json" else LOGGING_CONFIG,
        "access_log": False,
        "lifespan": "on",
        "http": Connection,
        "backlog": backlog(),
        "ws": "websockets-sansio",
        "ws_max_size": MAX_BODY,
        "server_header": False,
        "timeout_graceful_shutdown": 10,
        # Longer than clients and proxies usually keep a connection (60 s in nginx), so that they close it
        # first: a request on one that the server closes at that moment fails. uvicorn's default is 5 s.
        "timeout_keep_alive": 75,
    }
    with listen(settings.serve_host, settings.serve_port) as listening:
        if is_exposed(settings) and not settings.oauth_issuer and not asyncio.run(_tokens(settings)):
            raise ConfigurationError(
                f"The server cannot listen on {settings.serve_host}: other machines can reach it, and there "
                "is no token.",
                hint="Make one with `legacymind token create NAME`, or listen on 127.0.0.1.",
            )
        host, port = listening.getsockname()[:2]
        address = f"http://{shown(listening)}"
        print(
            f"Explorer at {address}/, GraphQL at {address}/graphql, MCP at {address}/mcp",
            file=sys.stderr,
            flush=True,
        )
        if workers == 1:
            _log(settings)
            server = uvicorn.Server(uvicorn.Config(_app(settings), **options))
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
            return
    with share_counts():
        uvicorn.run(
            "legacymind.doors.http.process:worker",
            factory=True,
            workers=workers,
            host=host,
            port=port,
            **options,
        )


def worker() -> Starlette:
    """The application of one of several workers."""
    settings = load_settings()
    _log(settings)
    return _app(settings, stateless=True)


def _app(settings: Settings, *, stateless: bool = False) -> Starlette:
    """The application, whose code and schema stay alive, so that no garbage collection looks at them."""
    app = build_app(settings, stateless=stateless)
    gc.freeze()
    return app


def _log(settings: Settings) -> None:
    if settings.log_format == "json":
        log_as_json()


async def _tokens(settings: Settings) -> list[Token]:
    async with Mind(settings) as mind:
        return await mind.tokens()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address. Raises PortTaken or ConfigurationError if that is impossible."""
    address = "127.0.0.1" if host == "localhost" else host
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        if sys.platform != "win32":  # on Windows this option lets two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(backlog())
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
