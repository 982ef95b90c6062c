"""``/mcp`` of the HTTP server: MCP over streamable HTTP, for clients of both eras of the protocol.

Clients choose a profile by the address: ``/mcp`` for ``core``, ``/mcp?profile=full`` for all tools, and
``/mcp?profile=chatgpt`` for the two that ChatGPT asks for.
"""

from collections.abc import Mapping
from typing import Final, get_args

import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request

from legacymind.doors.access import Callers
from legacymind.doors.mcp.readiness import Call, Context, Readiness
from legacymind.doors.mcp.server import Listing, read_catalogue, serve
from legacymind.observe import door
from legacymind.operations.registry import Operation

_SESSION_HEADER: Final = "mcp-session-id"


def session_manager(
    memory: Readiness, callers: Callers, limit: int, *, stateless: bool
) -> StreamableHTTPSessionManager:
    """The transport of ``/mcp``; it must run with the application. ``limit`` is in bytes of a request.

    Thoughts without a session go to a session of the client's MCP session. Clients of the era without MCP
    sessions, and all clients if ``stateless``, name the session in each call.
    """
    tools = {listing: read_catalogue(listing) for listing in get_args(Listing)}

    def listed(context: Context) -> list[types.Tool]:
        return tools[_listing(context.request)]

    async def operations(call: Call) -> Mapping[str, Operation]:
        await memory.mind(call)
        door.set("mcp")
        request = call.context.request
        assert isinstance(request, Request)
        session = request.headers.get(_SESSION_HEADER)
        if call.context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            session = None
        return callers.operations(request.scope, session and f"mcp-{session}")

    return StreamableHTTPSessionManager(
        serve(listed, operations), max_request_body_size=limit, stateless=stateless
    )


def _listing(request: object) -> Listing:
    named = request.query_params.get("profile") if isinstance(request, Request) else None
    return next((each for each in get_args(Listing) if each == named), "core")
