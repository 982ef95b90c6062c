"""MCP calls for which an OAuth token has too few scopes are refused with a challenge, as MCP asks."""

import json
from collections.abc import Set as AbstractSet
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from legacymind.doors.access import Access
from legacymind.doors.http.refusal import refuse
from legacymind.errors import RequestRefused


class Scopes:
    """ASGI middleware behind ``Body``, which delivers a body as one message.

    A call of one of the ``tools`` that write, with a token that may only read, gets 403 and a challenge: with
    it, a client asks its user for a token that may write. Other refusals are results of the call.
    """

    def __init__(self, app: ASGIApp, tools: AbstractSet[str]) -> None:
        self._app = app
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/mcp" or not Access.of(scope).challenge:
            await self._app(scope, receive, send)
            return
        first = await receive()
        if _tool(first) in self._tools:
            error = RequestRefused(
                "This token allows only to read.",
                effect="Nothing was stored or changed.",
                hint="Use a token with the scope `legacymind:write`.",
            )
            challenge = {"www-authenticate": Access.of(scope).challenge}
            await refuse(403, error, scope, receive, send, challenge)
            return
        pending = [first]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, replay, send)


def _tool(message: Message) -> str | None:
    """The tool that a request calls."""
    try:
        call: Any = json.loads(message.get("body", b""))
        return str(call["params"]["name"]) if call["method"] == "tools/call" else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
