"""The response to a request that is refused before a door reads it."""

from collections.abc import Mapping

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from legacymind.errors import LegacyMindError


async def refuse(
    status: int,
    error: LegacyMindError,
    scope: Scope,
    receive: Receive,
    send: Send,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Send the error envelope; a WebSocket is closed before it opens."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        return
    response = JSONResponse(error.envelope(), status, headers={"connection": "close", **(headers or {})})
    await response(scope, receive, send)
