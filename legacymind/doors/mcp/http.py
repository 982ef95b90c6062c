"""``/mcp`` of the HTTP server: MCP over streamable HTTP, for clients of both eras of the protocol.

Clients choose a profile by the address: ``/mcp`` for ``core``, ``/mcp?profile=full`` for all tools, and
``/mcp?profile=chatgpt`` for the two that ChatGPT asks for.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, get_args

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from legacymind.doors.access import Callers
from legacymind.doors.mcp.readiness import Readiness, ToolCall
from legacymind.doors.mcp.server import Listing, read_catalogue, serve
from legacymind.observe import door
from legacymind.operations.registry import Operation

_SESSION_HEADER: Final = "mcp-session-id"


class Agents:
    """The ASGI application of ``/mcp``, with a server for each profile; ``limit`` is in bytes of a request.

    Thoughts without a session go to a session of the client's MCP session. Clients of the era without MCP
    sessions, and all clients if ``stateless``, name the session in each call.
    """

    def __init__(self, memory: Readiness, callers: Callers, limit: int, *, stateless: bool) -> None:
        self._memory = memory
        self._callers = callers
        self._managers: dict[Listing, StreamableHTTPSessionManager] = {
            listing: StreamableHTTPSessionManager(
                serve(listing, read_catalogue(listing), self._operations),
                max_request_body_size=limit,
                stateless=stateless,
            )
            for listing in get_args(Listing)
        }

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Run the sessions; once for each application."""
        async with AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        named = Request(scope).query_params.get("profile")
        manager = next(
            (it for listing, it in self._managers.items() if listing == named), self._managers["core"]
        )
        await manager.asgi_app(scope, receive, send)

    async def _operations(self, call: ToolCall) -> Mapping[str, Operation]:
        await self._memory.mind(call)
        door.set("mcp")
        request = call.context.request
        assert isinstance(request, Request)
        session = request.headers.get(_SESSION_HEADER)
        if call.context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            session = None
        return self._callers.offer(request.scope, session and f"mcp-{session}").operations
