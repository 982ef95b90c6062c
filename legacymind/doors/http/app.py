"""The HTTP server: GraphQL, MCP and a health check in one Starlette application, on loopback only.

``/graphql`` accepts POST with JSON and serves GraphiQL to a browser's GET. ``/mcp`` is MCP over streamable
HTTP. ``/healthz`` returns 200 if the database answers, else 503. Every error outside ``/mcp`` is JSON:
GraphQL errors with ``extensions.code`` from ``/graphql``, an error envelope from every other path and from
the checks in ``guard``.
"""

import asyncio
import contextlib
import errno
import ipaddress
import json
import logging
import socket
import sys
from collections.abc import AsyncGenerator
from typing import Any, Final

import uvicorn
from cross_web import HTTPException as ViewError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from strawberry.asgi import GraphQL

from legacymind.doors.answer import envelope
from legacymind.doors.graphql.schema import build_schema
from legacymind.doors.http.guard import LOOPBACK, Guard
from legacymind.doors.mcp.http import session_manager
from legacymind.errors import (
    ConfigurationError,
    EmbeddingMismatch,
    EngineNotRunning,
    InvalidInput,
    LegacyMindError,
    NotFound,
    PortTaken,
)
from legacymind.mind import Mind
from legacymind.settings import Settings

MAX_BODY: Final = 1024 * 1024
"""Largest request body in bytes. A thought of 100 KB fits even if JSON escapes each of its bytes."""

_HEALTH_TIMEOUT: Final = 5.0
"""Seconds that ``/healthz`` waits for the database."""

_GRACE: Final = 10
"""Seconds that a stopping server waits for requests in progress."""

_log = logging.getLogger(__name__)


def build_app(source: Mind | Settings) -> Starlette:
    """The ASGI application of a mind; it must run with its lifespan.

    A mind that is passed in stays open when the application ends. A mind made from settings is closed.
    """
    mind = source if isinstance(source, Mind) else Mind(source)
    health = _Health(mind)
    agents = session_manager(mind, MAX_BODY)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        health.open()
        watching = asyncio.create_task(mind.watch())
        try:
            async with agents.run():
                yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await health.close()
            if mind is not source:
                await mind.close()

    return Starlette(
        routes=[
            Route(
                "/graphql", _View(build_schema(mind), allow_queries_via_get=False, subscription_protocols=())
            ),
            Route("/mcp", agents.asgi_app),
            Route("/healthz", health.report),
        ],
        middleware=[Middleware(Guard, hosts=LOOPBACK | {mind.settings.serve_host}, limit=MAX_BODY)],
        exception_handlers={HTTPException: _http_error, Exception: _internal_error},
        lifespan=lifespan,
    )


def serve(settings: Settings) -> None:
    """Serve on ``serve_host`` and ``serve_port`` until SIGINT or SIGTERM.

    Raises ConfigurationError when the address is not loopback or cannot be bound, and PortTaken when another
    program uses the port.
    """
    listening = _bind(settings.serve_host, settings.serve_port)
    config = uvicorn.Config(
        build_app(settings),
        log_level="warning",
        lifespan="on",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    with listening:
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{port}"
        print(f"GraphQL at {address}/graphql, MCP at {address}/mcp", file=sys.stderr, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


class _View(GraphQL[Any, Any]):
    """Strawberry's view with JSON errors in place of its plain-text refusals and failures."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self.run(Request(scope, receive))
        except ViewError as error:
            errors = [{"message": error.reason, "extensions": {"code": InvalidInput.code}}]
            response = JSONResponse({"data": None, "errors": errors}, error.status_code)
        await response(scope, receive, send)

    def decode_json(self, data: str | bytes) -> object:
        """Parse the body, which must be a JSON object in UTF-8. Raises HTTPException with status 400."""
        try:
            decoded: object = json.loads(data.decode() if isinstance(data, bytes) else data)
        except UnicodeDecodeError:
            raise ViewError(400, "The request body is not UTF-8.") from None
        except (ValueError, RecursionError):
            raise ViewError(400, "The request body is not JSON.") from None
        if not isinstance(decoded, dict):
            raise ViewError(400, "The request body is not a JSON object.")
        return decoded  # pyright: ignore[reportUnknownVariableType]


class _Health:
    """Probes the database, with one task at a time.

    The end of a request does not cancel the task: that could stop a managed engine during its start.
    """

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._probe: asyncio.Task[str] | None = None

    def open(self) -> None:
        """Connect now, starting the managed engine if necessary, so that the first request need not wait."""
        self._probe = asyncio.create_task(self._version())
        self._probe.add_done_callback(_log_failure)

    async def close(self) -> None:
        """Cancel the probe."""
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.gather(self._probe, return_exceptions=True)

    async def report(self, request: Request) -> Response:
        """The response of ``/healthz``."""
        try:
            # In a thread: an embedder may import its library to determine its dimensions.
            info = await asyncio.to_thread(lambda: self._mind.vectors.embedder.info)
        except LegacyMindError as error:
            return JSONResponse({"ok": False, "embedding": None, "reason": str(error)}, 503)
        report: dict[str, Any] = {"ok": False, "embedding": info.fingerprint}
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._version_if_running())
        await asyncio.wait({self._probe}, timeout=_HEALTH_TIMEOUT)
        if not self._probe.done():
            reason = f"The database did not answer within {_HEALTH_TIMEOUT:g} seconds."
            return JSONResponse(report | {"database": {"reachable": False, "reason": reason}}, 503)
        try:
            database = {"reachable": True, "version": self._probe.result()}
        except EmbeddingMismatch as error:
            return JSONResponse(report | {"database": {"reachable": True, "reason": str(error)}}, 503)
        except LegacyMindError as error:
            return JSONResponse(report | {"database": {"reachable": False, "reason": str(error)}}, 503)
        return JSONResponse(report | {"ok": True, "database": database})

    async def _version(self) -> str:
        version = await self._mind.graph.ping()
        await self._mind.vectors.check()  # reports another model's vectors at the start
        return version

    async def _version_if_running(self) -> str:
        managed = not self._mind.settings.neo4j_uri
        if managed and not (await asyncio.to_thread(self._mind.engine.status)).running:
            # A health check must not restart the engine after `legacymind down`.
            raise EngineNotRunning("The managed Neo4j is not running.", hint="Run `legacymind up`.")
        return await self._version()


def _log_failure(opened: "asyncio.Task[str]") -> None:
    if not opened.cancelled() and opened.exception() is not None:
        _log.warning("Not ready: %s", opened.exception())


async def _http_error(request: Request, raised: Exception) -> Response:
    """Starlette's own errors: unknown path, unsupported method."""
    assert isinstance(raised, HTTPException)
    if raised.status_code == 404:
        error: LegacyMindError = NotFound(
            "This path does not exist.", effect="", hint="Use /graphql, /mcp or /healthz."
        )
    else:
        error = InvalidInput(f"{raised.detail}.", effect="")
    return JSONResponse(error.envelope(), raised.status_code, headers=raised.headers)


async def _internal_error(request: Request, raised: Exception) -> Response:
    return JSONResponse(envelope(raised), 500)


def _bind(host: str, port: int) -> socket.socket:
    if not _is_loopback(host):
        raise ConfigurationError(
            f"`LEGACYMIND_SERVE_HOST` must be a loopback address; it is {host[:80]!r}. "
            "The server has no authentication, so other machines must not reach it.",
            hint="Set it to 127.0.0.1, ::1 or localhost.",
        )
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


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
