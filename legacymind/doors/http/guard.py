"""Checks of the Host header, the Origin header and the size of every HTTP request.

Listening on loopback keeps other machines out, but not web pages in a browser on this machine. The Host
header exposes a foreign name that resolves to 127.0.0.1 (DNS rebinding), the Origin header a foreign page.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legacymind.errors import InvalidInput, RequestRefused

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::\d{1,5})?")


class Guard:
    """ASGI middleware that admits only requests for one of ``hosts`` with at most ``limit`` bytes of body.

    An Origin header, if present, must name one of ``hosts`` too. A refusal is an error envelope with status
    421, 403 or 413.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], limit: int) -> None:
        self._app = app
        self._hosts = hosts
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if _host(headers.get("host", "")) not in self._hosts:
            error = RequestRefused(
                "The Host header names another host than this server.", hint="Use localhost or 127.0.0.1."
            )
            await _refuse(421, error, scope, receive, send)
        elif "origin" in headers and not self._allowed_origin(headers["origin"]):
            error = RequestRefused(
                "The Origin header names a page from another host.",
                hint="Open the page from localhost or 127.0.0.1.",
            )
            await _refuse(403, error, scope, receive, send)
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            await self._limited(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body first: a refusal must precede the application's response."""
        body = bytearray()
        ended = False
        while not ended:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client disconnected
            body += message.get("body", b"")
            ended = not message.get("more_body", False)
            if len(body) > self._limit:
                error = InvalidInput(
                    f"The request is larger than {self._limit:,} bytes.",
                    hint="Shorten it or split it into several requests.",
                )
                await _refuse(413, error, scope, receive, send)
                return
        pending: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, replay, send)

    def _allowed_origin(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
            return parts.scheme in {"http", "https"} and parts.hostname in self._hosts
        except ValueError:
            return False


def _host(header: str) -> str:
    """The host name of a Host header, in lower case and without port; empty if the header is malformed."""
    match = _HOST.fullmatch(header)
    return (match[1] or match[2]).lower() if match else ""


async def _refuse(status: int, error: InvalidInput, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    response = JSONResponse(error.envelope(), status, headers={"connection": "close"})
    await response(scope, receive, send)
