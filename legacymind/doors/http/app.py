"""The HTTP server: GraphQL, MCP, ``/sync``, the explorer and reports on the process in one application.

``/`` is the explorer. ``/graphql`` accepts POST with JSON and serves GraphiQL to a browser's GET. ``/mcp`` is
MCP over streamable HTTP. Every error outside ``/mcp`` is JSON, also that of a check before the doors:
GraphQL errors with ``extensions.code`` from ``/graphql``, an error envelope from every other path.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from legacymind.addresses import is_loopback, is_private
from legacymind.doors.answer import reported
from legacymind.doors.graphql.schema import build_schema
from legacymind.doors.http import explorer, metrics
from legacymind.doors.http.authorization import Admission, Authorization, RequestRate
from legacymind.doors.http.guard import GRAPHQL, LOOPBACK, Body, Guard, error_response
from legacymind.doors.http.health import Health
from legacymind.doors.http.metrics import Metrics
from legacymind.doors.http.oauth import WELL_KNOWN, OAuth
from legacymind.doors.http.sync import SyncDoor, refused
from legacymind.doors.http.tracing import traced
from legacymind.doors.http.view import GraphQLView
from legacymind.doors.mcp.http import Agents
from legacymind.doors.mcp.readiness import Readiness
from legacymind.errors import ConfigurationError, InvalidInput, LegacyMindError, NotFound
from legacymind.mind import Mind
from legacymind.observe import observed_by
from legacymind.services.chain.call_log import CallLog
from legacymind.services.sync.segments import LARGEST
from legacymind.settings import Settings

MAX_BODY: Final = 1024 * 1024
"""Largest request body in bytes. A thought of 100 KB fits even if JSON escapes each of its bytes."""


def build_app(source: Mind | Settings) -> Starlette:
    """The ASGI application of a mind; it must run with its lifespan.

    A mind that is passed in stays open when the application ends. A mind made from settings is closed.
    """
    mind = source if isinstance(source, Mind) else Mind(source)

    async def opened() -> Mind:
        return mind

    memory = Readiness(opened)
    health = Health(mind, memory)
    declared = [operation.declaration for operation in mind.operations.values()]
    agents = Agents(memory, MAX_BODY, {each.tool for each in declared if each.writes})
    oauth = _oauth(mind.settings)
    admission = Admission(mind.services.tokens, oauth, required=is_exposed(mind.settings))
    rate = RequestRate(mind.settings.serve_rate)
    schema = build_schema(mind, lambda context: admission.still_admits(context["request"].scope))
    view = GraphQLView(schema, admission, rate, explorer.graphiql)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        memory.begin()
        watching = asyncio.create_task(mind.watch())
        try:
            with observed_by(metrics.count), observed_by(CallLog(mind.settings)):
                async with traced(mind.settings), agents.run():
                    yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await health.close()
            await memory.stop()
            if mind is not source:
                await mind.close()

    routes: list[BaseRoute] = [
        Route(GRAPHQL, view),
        WebSocketRoute(GRAPHQL, view),
        *(Route(path, agents) for path in ("/mcp", "/mcp/")),  # many clients are configured with a slash
        Route("/healthz", health.alive),
        Route("/readyz", health.ready),
        Route("/metrics", Metrics(mind).report),
        *SyncDoor(mind.services.served).routes,
        *explorer.routes(mind.settings.cache_path),
    ]
    if oauth is not None:
        routes += [Route(path, oauth.metadata) for path in {WELL_KNOWN, oauth.metadata_path}]
    app = Starlette(
        routes=routes,
        middleware=_checks(mind, oauth, admission, rate),
        exception_handlers={HTTPException: _http_error, LegacyMindError: refused, Exception: _internal_error},
        lifespan=lifespan,
    )
    app.state.end_streams = mind.arrivals.end
    app.router.redirect_slashes = False  # /explorer is an unknown path, like any other
    return app


def _checks(mind: Mind, oauth: OAuth | None, admission: Admission, rate: RequestRate) -> list[Middleware]:
    """What a request passes before it reaches a door."""
    settings = mind.settings
    names, origins = _listed(settings.serve_hosts), _listed(settings.serve_origins)
    return [
        Middleware(
            Guard,
            hosts=LOOPBACK | {settings.serve_host} | names,
            addresses=not is_loopback(settings.serve_host),
            origins=origins,
        ),
        Middleware(
            CORSMiddleware,
            allow_origins=sorted(origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["mcp-session-id"],
        ),
        Middleware(
            Authorization,
            admission=admission,
            rate=rate,
            parameters=oauth and oauth.parameters,
        ),
        Middleware(Body, limit=MAX_BODY, segment=LARGEST),
    ]


def is_exposed(settings: Settings) -> bool:
    """Whether requests need a token: other machines reach the server, or an issuer makes tokens for it."""
    names = _listed(settings.serve_hosts)
    return not is_loopback(settings.serve_host) or not names <= LOOPBACK or bool(settings.oauth_issuer)


def _oauth(settings: Settings) -> OAuth | None:
    if not settings.oauth_issuer:
        return None
    if not settings.oauth_resource:
        raise ConfigurationError(
            "LEGACYMIND_OAUTH_ISSUER needs LEGACYMIND_OAUTH_RESOURCE.",
            hint="Set it to the address of /mcp for clients, such as https://memory.example.com/mcp.",
        )
    if not is_private(settings.oauth_issuer):
        raise ConfigurationError(
            "LEGACYMIND_OAUTH_ISSUER is no https address.",
            hint="Without TLS, whoever relays the issuer's keys can send their own, and sign any token.",
        )
    return OAuth(settings.oauth_issuer, settings.oauth_resource, settings.namespace)


def _listed(setting: str) -> frozenset[str]:
    """The items of a setting, in lower case."""
    return frozenset(item.strip().lower() for item in setting.split(",") if item.strip())


async def _http_error(request: Request, raised: Exception) -> Response:
    """Starlette's own errors: unknown path, unsupported method."""
    assert isinstance(raised, HTTPException)
    if raised.status_code == 404:
        error: LegacyMindError = NotFound(
            "This path does not exist.",
            effect="",
            hint="Use /, /graphql, /mcp, /sync, /healthz, /readyz or /metrics.",
        )
    else:
        error = InvalidInput(f"{raised.detail}.", effect="")
    return error_response(request.scope, error, raised.status_code, raised.headers)


async def _internal_error(request: Request, raised: Exception) -> Response:
    return error_response(request.scope, reported(raised), 500)
