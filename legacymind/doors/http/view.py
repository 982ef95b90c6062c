"""``/graphql``: GraphQL by POST, and subscriptions over WebSocket and as server-sent events.

Each operation of a WebSocket (protocol graphql-transport-ws) passes the same checks as a request: the token
and the caller's rate limit.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, Final, TypeVar, cast

from cross_web import HTTPException as ViewError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.subscriptions.protocols.graphql_transport_ws.types import SubscribeMessage
from strawberry.types.unset import UNSET, UnsetType

from legacymind.doors.access import Access
from legacymind.doors.http.authorization import Admission, RequestRate
from legacymind.doors.http.guard import graphql_error
from legacymind.errors import InvalidInput, LegacyMindError

T = TypeVar("T")

MAX_OPERATIONS: Final = 50
"""Maximum concurrent operations of one WebSocket, including subscriptions."""


class GraphQLView(GraphQL[Any, Any]):
    """Strawberry's view, with errors as JSON instead of plain text. ``page`` makes the page for browsers.

    Work is cancelled when the client disconnects.
    """

    def __init__(
        self, schema: Any, admission: Admission, rate: RequestRate, page: Callable[[Request], Response]
    ) -> None:
        super().__init__(
            schema,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            max_subscriptions_per_connection=MAX_OPERATIONS,
            connection_init_wait_timeout=timedelta(seconds=10),
            allowed_origins=("*",),  # the guard of all requests has checked the origin
        )
        self.admission = admission
        self.rate = rate
        self._page = page

    async def render_graphql_ide(self, request: Request) -> Response:
        """GraphiQL."""
        return self._page(request)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await super().__call__(scope, receive, send)
            return
        request = Request(scope, receive)
        await request.body()  # the next message is then the end of the connection
        response = await _while_connected(self._respond(request), receive)
        if response is not None:
            await response(scope, receive, send)

    async def on_ws_connect(self, context: Any) -> UnsetType | dict[str, object] | None:
        """Admit a WebSocket by the token in its handshake or in the payload of ``connection_init``."""
        scope: Scope = context["request"].scope
        sent: dict[str, object] = context.get("connection_params") or {}
        token = next((value for name, value in sent.items() if name.lower() == "authorization"), None)
        try:
            if token is None:
                admitted = not Access.of(scope).anonymous
            else:
                admitted = await self.admission.admit(scope, str(token))
        except LegacyMindError:  # the database does not answer
            admitted = False
        if not admitted:
            raise ConnectionRejectionError
        return UNSET

    async def _respond(self, request: Request) -> Response:
        try:
            return await self.run(request)
        except ViewError as error:
            refusal = graphql_error(InvalidInput(error.reason, effect=""))
            # In ASCII: the reason may quote a lone surrogate of the request.
            body = json.dumps({"data": None, "errors": [refusal]})
            return Response(body, error.status_code, media_type="application/json")

    def decode_json(self, data: str | bytes) -> object:
        """A request or message, which must be a JSON object in UTF-8. Raises JSONDecodeError."""
        try:
            decoded: object = json.loads(data.decode() if isinstance(data, bytes) else data)
        except (ValueError, RecursionError):
            decoded = None
        if not isinstance(decoded, dict):
            raise json.JSONDecodeError("The body is not a JSON object", "", 0)
        return decoded  # pyright: ignore[reportUnknownVariableType]


async def _while_connected(work: Coroutine[Any, Any, T], receive: Receive) -> T | None:
    """The result of ``work``; None if the client hangs up before, which cancels it.

    The body of the request must have been read.
    """
    task, hangup = asyncio.ensure_future(work), asyncio.ensure_future(_hangup(receive))
    try:
        await asyncio.wait({task, hangup}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for each in (task, hangup):
            each.cancel()
        await asyncio.gather(task, hangup, return_exceptions=True)


async def _hangup(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _Handler(BaseGraphQLTransportWSHandler[Any, Any]):
    """A WebSocket, whose operations are checked as requests are."""

    async def handle_message(self, message: Any) -> None:
        """Handle a message. A member of the wrong type ends the connection."""
        try:
            await super().handle_message(message)
        except (TypeError, AttributeError):
            await self.handle_invalid_message("Failed to parse message")

    async def handle_subscribe(self, message: SubscribeMessage) -> None:
        """Start an operation if its token and the limits allow it."""
        view = cast("GraphQLView", cast("object", self.view))
        scope = cast("Scope", self.context["request"].scope)
        if self.connection_acknowledged:
            refusal: LegacyMindError | None = view.rate.refusal(scope)
            try:
                if not await view.admission.still_admits(scope, connect=True):
                    await self.websocket.close(4403, "Forbidden")
                    return
            except LegacyMindError as raised:  # the database does not answer
                refusal = refusal or raised
            if refusal is not None:
                errors = [graphql_error(refusal)]
                await self.send_message({"id": message["id"], "type": "error", "payload": errors})
                return
        await super().handle_subscribe(message)


GraphQLView.graphql_transport_ws_handler_class = _Handler
