"""``legacymind serve``: one process, or several that share a port."""

import asyncio
import contextlib
import gc
import sys
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.config import LOGGING_CONFIG

from legacymind.doors.http.app import MAX_BODY, build_app, is_exposed
from legacymind.doors.http.authorization import check_exposed
from legacymind.doors.http.metrics import share_counts
from legacymind.doors.http.requests import log_as_json
from legacymind.doors.http.sockets import UndelayedHTTP, listen, shown
from legacymind.mind import Mind
from legacymind.model.maintenance import Token
from legacymind.settings import Settings, load_settings

_GRACE: Final = 10
"""Seconds that a stopping server waits for requests in progress."""

_KEEP_ALIVE: Final = 75
"""Seconds that a connection stays open without a request.

Longer than clients and proxies usually keep theirs (60 s in nginx), so that they close it first: a request
on a connection that the server closes at that moment fails. uvicorn's default is 5 s.
"""


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
        "http": UndelayedHTTP,
        "ws": "websockets-sansio",
        "ws_max_size": MAX_BODY,
        "server_header": False,
        "timeout_graceful_shutdown": _GRACE,
        "timeout_keep_alive": _KEEP_ALIVE,
    }
    with listen(settings.serve_host, settings.serve_port) as listening:
        if is_exposed(settings) and not settings.oauth_issuer:
            check_exposed(settings.serve_host, asyncio.run(_tokens(settings)))
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
