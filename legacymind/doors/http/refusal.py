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
    sent = {"connection": "close", **retry_after(error), **(headers or {})}
    response = JSONResponse(error.envelope(), status, headers=sent)
    await response(scope, receive, send)


def retry_after(error: LegacyMindError) -> dict[str, str]:
    """The header that says when to repeat a request, if the error does."""
    return {} if error.retry_after is None else {"retry-after": str(error.retry_after)}
