"""Checks of the Host header, the Origin header and the size of every HTTP request, and the refusal of one.

Listening on loopback keeps other machines out, but not web pages in a browser on this machine. The Host
header exposes a foreign name that resolves to 127.0.0.1 (DNS rebinding), the Origin header a foreign page.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from graphql import GraphQLFormattedError
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legacymind.addresses import is_address
from legacymind.doors.access import BODY
from legacymind.errors import InvalidInput, LegacyMindError, RequestRefused

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::\d{1,5})?")

GRAPHQL: Final = "/graphql"
"""The path of the door whose errors have the form of GraphQL."""

SYNC: Final = "/sync"
"""The path of the place of this server. Below it are segments, which are larger than other requests."""


async def refuse(
    status: int,
    error: LegacyMindError,
    scope: Scope,
    receive: Receive,
    send: Send,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Send the error in the form of the path's door; a WebSocket is closed before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    sent = {"connection": "close", **retry_after(error), **(headers or {})}
    await error_response(scope, error, status, sent)(scope, receive, send)


def error_response(
    scope: Scope, error: LegacyMindError, status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An error as a response: as GraphQL's ``errors`` on its path, else as the envelope of all doors."""
    if scope["path"] == GRAPHQL:
        return JSONResponse({"data": None, "errors": [graphql_error(error)]}, status, headers=headers)
    return JSONResponse(error.envelope(), status, headers=headers)


def graphql_error(error: LegacyMindError) -> GraphQLFormattedError:
    """An error as the schema's errors are."""
    extensions: dict[str, Any] = {"code": error.code}
    if error.retry_after is not None:
        extensions["retryAfter"] = error.retry_after
    return {"message": str(error), "extensions": extensions}


def retry_after(error: LegacyMindError) -> dict[str, str]:
    """The header that says when to repeat a request, if the error does."""
    return {} if error.retry_after is None else {"retry-after": str(error.retry_after)}


class Guard:
    """ASGI middleware that admits only requests for one of ``hosts``, or for any address.

    ``addresses``: an address of this machine is accepted in place of a name; no page of another name can send
    it. An Origin header, if present, must be that of this server or one of ``origins``, or the request must
    have a token, which no other page knows. A refusal is an error envelope with status 421 or 403.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], addresses: bool, origins: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts
        self._addresses = addresses
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        name = _host(headers.get("host", ""))
        if name not in self._hosts and not (self._addresses and is_address(name)):
            error = RequestRefused(
                "The Host header names another host than this server.",
                hint="Use localhost or 127.0.0.1, or add the name to LEGACYMIND_SERVE_HOSTS.",
            )
            await refuse(421, error, scope, receive, send)
        elif "authorization" not in headers and not self._allowed_origin(headers):
            error = RequestRefused(
                "The Origin header names a page of another server.",
                hint="Send a token, or add the origin to LEGACYMIND_SERVE_ORIGINS.",
            )
            await refuse(403, error, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _allowed_origin(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None or origin.lower() in self._origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in {"http", "https"} and parts.netloc.lower() == headers["host"].lower()


class Body:
    """ASGI middleware that reads the whole body of a request, of at most ``limit`` bytes.

    That of a segment has at most ``segment`` bytes. A refusal must precede the application's response. Its
    status is 413.
    """

    def __init__(self, app: ASGIApp, limit: int, segment: int) -> None:
        self._app = app
        self._limit = limit
        self._segment = segment

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._segment if scope["path"].startswith(f"{SYNC}/") else self._limit
        body = await self._read(receive, limit)
        if body is None:
            return  # the client disconnected
        if len(body) > limit:
            error = InvalidInput(
                f"The request is larger than {limit:,} bytes.",
                hint="Shorten it or split it into several requests.",
            )
            await refuse(413, error, scope, receive, send)
            return
        scope[BODY] = body
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, replay, send)

    async def _read(self, receive: Receive, limit: int) -> bytes | None:
        """The body, or its beginning if it is too large; None if the client disconnected."""
        body = bytearray()
        ended = False
        while not ended and len(body) <= limit:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            ended = not message.get("more_body", False)
        return bytes(body)


def _host(header: str) -> str:
    """The host name of a Host header, in lower case and without port; empty if the header is malformed."""
    match = _HOST.fullmatch(header)
    return (match[1] or match[2]).lower() if match else ""
