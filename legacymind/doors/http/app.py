"""HTTP: GraphQL and a health check in one Starlette application, on loopback only.

``/graphql`` takes POST with JSON, and shows GraphiQL to a browser's GET. ``/healthz`` answers 200 when
the database does, else 503. Every refusal is JSON: GraphQL's errors with ``extensions.code`` from
``/graphql`` itself, the error envelope from everything else.
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
from cross_web import HTTPException as ViewRefused
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
"""Bytes of a request: a thought of 100 KB fits even when JSON escapes every byte of it."""

_HEALTH_TIMEOUT: Final = 5.0
_GRACE: Final = 10
"""Seconds that requests under way are given when the server stops."""

_log = logging.getLogger(__name__)


def build_app(source: Mind | Settings) -> Starlette:
    """The application over a mind, which its owner closes, or over settings, whose mind it closes itself.

    It must be run with its lifespan.
    """
    mind = source if isinstance(source, Mind) else Mind(source)
    health = _Health(mind)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        health.open()
        try:
            yield
        finally:
            await health.close()
            if mind is not source:
                await mind.close()

    return Starlette(
        routes=[
            Route(
                "/graphql", _View(build_schema(mind), allow_queries_via_get=False, subscription_protocols=())
            ),
            Route("/healthz", health.report),
        ],
        middleware=[Middleware(Guard, hosts=LOOPBACK | {mind.settings.serve_host}, limit=MAX_BODY)],
        exception_handlers={HTTPException: _refused, Exception: _failed},
        lifespan=lifespan,
    )


def serve(settings: Settings) -> None:
    """Serve on ``serve_host`` and ``serve_port`` until interrupted or terminated.

    Raises ConfigurationError for an address that is not loopback or cannot be had, PortTaken.
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
        print(f"GraphQL at http://{shown}:{port}/graphql", file=sys.stderr, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


class _View(GraphQL[Any, Any]):
    """Strawberry's view, answering in JSON what it would refuse in plain text, or fail at."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            response = await self.run(Request(scope, receive))
        except ViewRefused as refused:
            code = InvalidInput.code
            errors = [{"message": refused.reason, "extensions": {"code": code}}]
            response = JSONResponse({"data": None, "errors": errors}, refused.status_code)
        await response(scope, receive, send)

    def decode_json(self, data: str | bytes) -> object:
        """The body as JSON, which must be UTF-8 and an object."""
        try:
            decoded: object = json.loads(data.decode() if isinstance(data, bytes) else data)
        except UnicodeDecodeError:
            raise ViewRefused(400, "The request is not UTF-8.") from None
        except (ValueError, RecursionError):
            raise ViewRefused(400, "The request is not JSON.") from None
        if not isinstance(decoded, dict):
            raise ViewRefused(400, "The request is not a JSON object.")
        return decoded  # pyright: ignore[reportUnknownVariableType]


class _Health:
    """Whether the database answers, asked by one task at a time, which no request's end cancels.

    To cancel it could stop a managed engine halfway through its start.
    """

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._asking: asyncio.Task[str] | None = None

    def open(self) -> None:
        """Connect, starting the managed engine if need be, so that the first request does not wait for it."""
        self._asking = asyncio.create_task(self._version())
        self._asking.add_done_callback(_tell)

    async def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def report(self, request: Request) -> Response:
        """What ``/healthz`` answers."""
        try:
            # In a thread: to know its dimensions, an embedder may have to import its library.
            info = await asyncio.to_thread(lambda: self._mind.vectors.embedder.info)
        except LegacyMindError as refused:
            return JSONResponse({"ok": False, "embedding": None, "reason": str(refused)}, 503)
        report: dict[str, Any] = {"ok": False, "embedding": info.fingerprint}
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._version_if_running())
        await asyncio.wait({self._asking}, timeout=_HEALTH_TIMEOUT)
        if not self._asking.done():
            return JSONResponse(
                report | {"database": {"reachable": False, "reason": "No answer in time."}}, 503
            )
        try:
            database = {"reachable": True, "version": self._asking.result()}
        except EmbeddingMismatch as refused:
            return JSONResponse(report | {"database": {"reachable": True, "reason": str(refused)}}, 503)
        except LegacyMindError as refused:
            return JSONResponse(report | {"database": {"reachable": False, "reason": str(refused)}}, 503)
        return JSONResponse(report | {"ok": True, "database": database})

    async def _version(self) -> str:
        version = await self._mind.graph.ping()
        await self._mind.vectors.check()  # a server that can only refuse says so when it starts
        return version

    async def _version_if_running(self) -> str:
        managed = not self._mind.settings.neo4j_uri
        if managed and not (await asyncio.to_thread(self._mind.engine.status)).running:
            # Looking after the engine must not be what brings it back after `legacymind down`.
            raise EngineNotRunning("The managed Neo4j does not run.", hint="Run `legacymind up`.")
        return await self._version()


def _tell(opened: "asyncio.Task[str]") -> None:
    if not opened.cancelled() and opened.exception() is not None:
        _log.warning("not ready: %s", opened.exception())


async def _refused(request: Request, raised: Exception) -> Response:
    """Starlette's own refusals: no such path, no such method."""
    assert isinstance(raised, HTTPException)
    if raised.status_code == 404:
        error: LegacyMindError = NotFound(
            "There is nothing here.", effect="", hint="Try /graphql or /healthz."
        )
    else:
        error = InvalidInput(f"{raised.detail}.", effect="")
    return JSONResponse(error.envelope(), raised.status_code, headers=raised.headers)


async def _failed(request: Request, raised: Exception) -> Response:
    return JSONResponse(envelope(raised), 500)


def _bind(host: str, port: int) -> socket.socket:
    if not _is_loopback(host):
        raise ConfigurationError(
            f"LEGACYMIND_SERVE_HOST is {host[:80]!r}; only loopback is served, since no token is asked for.",
            hint="Set it to 127.0.0.1, ::1 or localhost.",
        )
    address = "127.0.0.1" if host == "localhost" else host
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(128)
    except (OSError, OverflowError) as raised:
        listening.close()
        if isinstance(raised, OSError) and raised.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Port {port} on {host} is in use by another program.",
                hint="Stop it, or set LEGACYMIND_SERVE_PORT to another port.",
            ) from raised
        raise ConfigurationError(
            f"LegacyMind cannot listen on {host}, port {port}: {raised}.",
            hint="Set LEGACYMIND_SERVE_HOST and LEGACYMIND_SERVE_PORT to an address of this machine.",
        ) from raised
    return listening


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
