"""``/mcp`` of the HTTP server: MCP over streamable HTTP, for clients of both eras of the protocol.

Clients choose a profile by the address: ``/mcp`` for ``core``, ``/mcp?profile=full`` for all tools, and
``/mcp?profile=chatgpt`` for the two that ChatGPT asks for.
"""

import hashlib
import json
import logging
import re
from collections.abc import AsyncGenerator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any, Final, get_args

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from legacymind.calls import work_for
from legacymind.doors.access import BODY, Access
from legacymind.doors.mcp.readiness import Readiness, ServerContext
from legacymind.doors.mcp.server import Listing, read_catalogue, serve
from legacymind.errors import InvalidInput, RequestRefused
from legacymind.operations.registry import Operation

_SESSION_HEADER: Final = "mcp-session-id"
_MCP_SESSION: Final = re.compile(r"[0-9a-f]{32}")


SESSIONS: Final = 300
"""The most MCP sessions of a profile; one takes a third of a megabyte."""

SESSIONS_OF_CALLER: Final = 100


class _Sessions(StreamableHTTPSessionManager):
    """The SDK's sessions. Beyond ``SESSIONS`` it refuses new ones with 503.

    A caller's oldest session ends for its newest beyond ``SESSIONS_OF_CALLER``: many clients never end
    theirs, and one whose session has ended begins another.
    """

    def _admit_session(self, requestor: AuthorizationContext | None) -> StreamableHTTPServerTransport | None:
        own = [id for id, owner in self._session_owners.items() if owner == requestor]
        if len(own) >= SESSIONS_OF_CALLER and self._task_group is not None:
            self._task_group.start_soon(self._discard_session, own[0], self._server_instances[own[0]])
        return super()._admit_session(requestor)


class Agents:
    """The ASGI application of ``/mcp``, with a server for each profile; ``limit`` is in bytes of a request.

    ``writing`` are the tools that write.

    Thoughts without a session go to a session of the client's MCP session. Clients of the era without MCP
    sessions name the session in each call. Only the caller who began an MCP session may use it: others get
    404, as for an unknown one. Its id is a secret, which is neither stored nor logged.
    """

    def __init__(self, memory: Readiness, limit: int, writing: AbstractSet[str]) -> None:
        self._memory = memory
        self._writing = writing
        logging.getLogger(StreamableHTTPSessionManager.__module__).addFilter(_without_ids)
        self._managers: dict[Listing, _Sessions] = {
            listing: _Sessions(
                serve(listing, read_catalogue(listing), self._operations),
                max_request_body_size=limit,
                max_sessions=SESSIONS,
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
        access = Access.of(scope)
        # The SDK compares it with that of the request that began the session.
        caller = access.caller
        sender = AccessToken(token="", client_id=f"{caller.name} {caller.namespace}", scopes=[])
        scope["user"] = AuthenticatedUser(sender)
        if access.challenge and _tool(scope[BODY]) in self._writing:
            # With the challenge, a client asks its user for a token that may write.
            error = RequestRefused(
                "This token allows only to read.",
                effect="Nothing was stored or changed.",
                hint="Use a token with the scope `legacymind:write`.",
            )
            headers = {"www-authenticate": access.challenge}
            await JSONResponse(error.envelope(), 403, headers)(scope, receive, send)
            return
        named = Request(scope).query_params.get("profile", "core")
        manager = next((it for listing, it in self._managers.items() if listing == named), None)
        if manager is None:
            error = InvalidInput(
                f"There is no profile {named[:80]!r}.", hint=f"Use one of {', '.join(self._managers)}."
            )
            await JSONResponse(error.envelope(), 400)(scope, receive, send)
        else:
            await manager.asgi_app(scope, receive, send)

    async def _operations(self, context: ServerContext) -> Mapping[str, Operation]:
        mind = await self._memory.mind(context)
        request = context.request
        assert isinstance(request, Request)
        sent = request.headers.get(_SESSION_HEADER)
        if context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
            sent = None
        session = sent and session_of(sent)
        # Requests of an MCP session come to a task of the session, which worked for none of them.
        work_for(replace(Access.of(request.scope).caller, session=session))
        return mind.operations


def session_of(mcp_session: str) -> str:
    """The session of the thoughts of an MCP session, from which nobody learns the id of the MCP session."""
    return f"mcp-{hashlib.sha256(mcp_session.encode()).hexdigest()[:32]}"


def _tool(body: bytes) -> str | None:
    """The tool that a request calls."""
    try:
        call: Any = json.loads(body)
        return str(call["params"]["name"]) if call["method"] == "tools/call" else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _without_ids(record: logging.LogRecord) -> bool:
    """Remove the ids of MCP sessions from the SDK's log."""
    record.msg, record.args = _MCP_SESSION.sub("(hidden)", record.getMessage()), None
    return True
