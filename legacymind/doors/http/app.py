"""The HTTP server: GraphQL, MCP and reports on the process in one Starlette application.

``/graphql`` accepts POST with JSON and serves GraphiQL to a browser's GET. ``/mcp`` is MCP over streamable
HTTP. Every error outside ``/mcp`` is JSON: GraphQL errors with ``extensions.code`` from ``/graphql``, an
error envelope from every other path and from the checks before the doors.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncGenerator
from typing import Any, Final
from urllib.parse import urlsplit

from cross_web import HTTPException as ViewError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse

from legacymind.doors.access import Callers
from legacymind.doors.answer import envelope
from legacymind.doors.graphql.schema import build_schema
from legacymind.doors.http import metrics
from legacymind.doors.http.authorization import Authorization, RateLimit, recognise_by
from legacymind.doors.http.guard import LOOPBACK, Body, Guard, is_loopback
from legacymind.doors.http.hangup import while_connected
from legacymind.doors.http.health import Health
from legacymind.doors.http.metrics import Metrics
from legacymind.doors.http.oauth import WELL_KNOWN, OAuth
from legacymind.doors.http.requests import Requests
from legacymind.doors.http.tracing import traced
from legacymind.doors.mcp.http import Agents
from legacymind.doors.mcp.readiness import Readiness
from legacymind.errors import Busy, ConfigurationError, InvalidInput, LegacyMindError, NotFound
from legacymind.mind import Mind
from legacymind.observe import observed_by
from legacymind.settings import Settings

MAX_BODY: Final = 1024 * 1024
"""Largest request body in bytes. A thought of 100 KB fits even if JSON escapes each of its bytes."""

_log = logging.getLogger(__name__)


def build_app(source: Mind | Settings, *, stateless: bool = False) -> Starlette:
    """The ASGI application of a mind; it must run with its lifespan.

    A mind that is passed in stays open when the application ends. A mind made from settings is closed.
    ``stateless``: requests of one MCP client may reach several processes, so that ``/mcp`` opens no sessions.
    """
    mind = source if isinstance(source, Mind) else Mind(source)

    async def opened() -> Mind:
        return mind

    callers, memory = Callers(mind), Readiness(opened)
    health = Health(mind, memory)
    agents = Agents(memory, callers, MAX_BODY, stateless=stateless)
    oauth = _oauth(mind.settings)
    schema = build_schema(mind, lambda context: callers.offer(context["request"].scope))

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        memory.begin(_log_failure)
        watching = asyncio.create_task(mind.watch())
        try:
            with observed_by(metrics.count):
                async with traced(mind.settings), agents.run():
                    yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await health.close()
            await memory.stop()
            if mind is not source:
                await mind.close()

    routes = [
        Route("/graphql", _View(schema, allow_queries_via_get=False, subscription_protocols=())),
        Route("/mcp", agents),
        Route("/healthz", health.alive),
        Route("/readyz", health.ready),
        Route("/metrics", Metrics(mind).report),
    ]
    if oauth is not None:
        routes += [Route(path, oauth.metadata) for path in {WELL_KNOWN, oauth.metadata_path}]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Requests, paths={route.path for route in routes}),
            *_checks(mind, oauth),
        ],
        exception_handlers={HTTPException: _http_error, Exception: _internal_error},
        lifespan=lifespan,
    )


def _checks(mind: Mind, oauth: OAuth | None) -> list[Middleware]:
    """What a request passes before it reaches a door."""
    settings = mind.settings
    names, origins = _listed(settings.serve_hosts), _listed(settings.serve_origins)
    exposed = is_exposed(settings)
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
            recognise=recognise_by(mind.services.tokens, oauth),
            required=exposed,
            metadata_url=oauth and oauth.metadata_url,
        ),
        Middleware(RateLimit, rate=settings.serve_rate),
        Middleware(Body, limit=MAX_BODY),
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
    issuer = urlsplit(settings.oauth_issuer)
    if issuer.scheme != "https" and not is_loopback(issuer.hostname or ""):
        raise ConfigurationError(
            "LEGACYMIND_OAUTH_ISSUER is no https address.",
            hint="Without TLS, whoever relays the issuer's keys can send their own, and sign any token.",
        )
    return OAuth(settings.oauth_issuer, settings.oauth_resource, settings.namespace)


def _listed(setting: str) -> frozenset[str]:
    """The items of a setting, in lower case."""
    return frozenset(item.strip().lower() for item in setting.split(",") if item.strip())


class _View(GraphQL[Any, Any]):
    """Strawberry's view with JSON errors in place of its plain-text refusals and failures.

    The work ends when the client hangs up.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await request.body()  # what arrives after it is the end of the connection
        response = await while_connected(self._respond(request), receive)
        if response is not None:
            await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        try:
            return await self.run(request)
        except ViewError as error:
            errors = [{"message": error.reason, "extensions": {"code": InvalidInput.code}}]
            return JSONResponse({"data": None, "errors": errors}, error.status_code)

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """The response as JSON: 503 with Retry-After if every field was refused as `busy`, else 200."""
        response = super().create_response(response_data, sub_response)
        each: list[Any] = response_data if isinstance(response_data, list) else [response_data]
        found = [error["extensions"] for one in each for error in one.get("errors") or ()]
        answered = any(
            value is not None for one in each for value in dict[str, Any](one["data"] or {}).values()
        )
        if found and not answered and all(error["code"] == Busy.code for error in found):
            response.status_code = 503
            response.headers["retry-after"] = str(max(error["retryAfter"] for error in found))
        return response

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


def _log_failure(error: BaseException) -> None:
    _log.warning("Not ready: %s", error)


async def _http_error(request: Request, raised: Exception) -> Response:
    """Starlette's own errors: unknown path, unsupported method."""
    assert isinstance(raised, HTTPException)
    if raised.status_code == 404:
        error: LegacyMindError = NotFound(
            "This path does not exist.", effect="", hint="Use /graphql, /mcp, /healthz, /readyz or /metrics."
        )
    else:
        error = InvalidInput(f"{raised.detail}.", effect="")
    return JSONResponse(error.envelope(), raised.status_code, headers=raised.headers)


async def _internal_error(request: Request, raised: Exception) -> Response:
    return JSONResponse(envelope(raised), 500)
