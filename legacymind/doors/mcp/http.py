"""``/mcp`` of the HTTP server: MCP over streamable HTTP, for clients of both eras of the protocol.

Clients choose a profile by the address: ``/mcp`` for ``core`` and ``/mcp?profile=full`` for all tools.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request

from legacymind.doors.mcp.readiness import Call, Context, Readiness
from legacymind.doors.mcp.server import read_catalogue, serve
from legacymind.mind import Mind
from legacymind.operations.registry import Operation, Profile

_SESSIONS: Final = 1000
"""The most MCP sessions with operations in memory; those used last stay."""

_SESSION_HEADER: Final = "mcp-session-id"


def session_manager(mind: Mind, limit: int) -> StreamableHTTPSessionManager:
    """The transport of ``/mcp``; it must run with the application. ``limit`` is in bytes of a request."""
    tools = {profile: read_catalogue(profile) for profile in ("core", "full")}

    def listed(context: Context) -> list[types.Tool]:
        return tools[_profile(context.request)]

    return StreamableHTTPSessionManager(
        serve(listed, _Sessions(mind).operations), max_request_body_size=limit
    )


class _Sessions:
    """The operations of each MCP session: thoughts without a session go to a session of its own.

    Clients of the era without MCP sessions name the session in each call.
    """

    def __init__(self, mind: Mind) -> None:
        async def opened() -> Mind:
            return mind

        self._memory = Readiness(opened)
        self._known: OrderedDict[str, Mapping[str, Operation]] = OrderedDict()

    async def operations(self, call: Call) -> Mapping[str, Operation]:
        mind = await self._memory.mind(call)
        request = call.context.request
        session = request.headers.get(_SESSION_HEADER) if isinstance(request, Request) else None
        if session is None or call.context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return mind.operations
        if session not in self._known:
            self._known[session] = mind.services.of_caller(session_id=f"mcp-{session}").operations()
            if len(self._known) > _SESSIONS:
                self._known.popitem(last=False)
        self._known.move_to_end(session)
        return self._known[session]


def _profile(request: object) -> Profile:
    named = request.query_params.get("profile") if isinstance(request, Request) else None
    return "full" if named == "full" else "core"
