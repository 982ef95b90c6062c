"""``/graphql``: GraphQL by POST, and subscriptions over WebSocket and as server-sent events.

Each operation of a WebSocket (protocol graphql-transport-ws) passes the same checks as a request: the token
and the caller's rate limit.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from datetime import timedelta
from typing import Any, Final, TypeVar, cast

from cross_web import HTTPException as ViewError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.exceptions import ConnectionRejectionError
from strawberry.http import GraphQLHTTPResponse
from strawberry.http.exceptions import NonJsonMessageReceived, NonTextMessageReceived
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.subscriptions.protocols.graphql_transport_ws.types import SubscribeMessage
from strawberry.types.unset import UNSET, UnsetType

from legacymind.doors.access import Access
from legacymind.doors.graphql.limits import Written
from legacymind.doors.http.authorization import Admission, RequestRate
from legacymind.doors.http.guard import graphql_error
from legacymind.errors import AnswerTooLarge, Busy, InvalidInput, LegacyMindError

T = TypeVar("T")

MAX_OPERATIONS: Final = 50
"""Maximum concurrent operations of one WebSocket, including subscriptions."""

MAX_ANSWER = 16 * 2**20
"""Bytes of an answer to a query, and of an event of a subscription."""

_GRAPHQL_RESPONSE: Final = "application/graphql-response+json"

_PATIENCE: Final = 30.0
"""Seconds that a client has to read an event."""


class GraphQLView(GraphQL[Any, Any]):
    """Strawberry's view, with errors as JSON instead of plain text.

    Work is cancelled when the client disconnects. ``page`` makes the page for browsers. An answer of more
    than ``MAX_ANSWER`` bytes is replaced by an error, unless it belongs to a mutation.
    """

    def __init__(
        self,
        schema: Any,
        admission: Admission,
        rate: RequestRate,
        page: Callable[[Request], Response],
    ) -> None:
        super().__init__(
            schema,
            allow_queries_via_get=False,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            max_subscriptions_per_connection=None,  # the handler has a limit with a clear error
            connection_init_wait_timeout=timedelta(seconds=10),
        )
        self.admission = admission
        self.rate = rate
        self._page = page

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """What the response adds to the data: here the media type that the client asks for."""
        response = await super().get_sub_response(request)
        if _prefers_graphql(request.headers.get("accept", "")):
            response.media_type = _GRAPHQL_RESPONSE
        return response

    async def render_graphql_ide(self, request: Request) -> Response:
        """GraphiQL."""
        return self._page(request)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.run(WebSocket(scope, receive=receive, send=send))
            return
        request = Request(scope, receive)
        await request.body()  # the next message is then the end of the connection
        response = await _while_connected(self._respond(request), receive)
        if isinstance(response, StreamingResponse):
            await _stream(response, scope, receive, send)
        elif response is not None:
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

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """True, because the guard of all requests has checked the origin."""
        return True

    async def _respond(self, request: Request) -> Response:
        try:
            return await self.run(request)
        except ViewError as error:
            errors = [{"message": error.reason, "extensions": {"code": InvalidInput.code}}]
            # In ASCII: the reason may quote a lone surrogate of the request.
            body = json.dumps({"data": None, "errors": errors})
            return Response(body, error.status_code, media_type="application/json")

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """The response: 503 with Retry-After if every field failed with `busy`, else 200.

        As application/graphql-response+json, it is 400 for a request that was not executed, and has no data
        then (the specification "GraphQL over HTTP").
        """
        wanted = sub_response.media_type == _GRAPHQL_RESPONSE
        each = cast(
            "list[dict[str, Any]]", response_data if isinstance(response_data, list) else [response_data]
        )
        unexecuted = wanted and not isinstance(response_data, list) and _is_request_error(each[0])
        if unexecuted:
            each[0].pop("data", None)
        response = super().create_response(response_data, sub_response)
        if wanted:
            response.headers["content-type"] = _GRAPHQL_RESPONSE
        if unexecuted:
            response.status_code = 400
        found = [error["extensions"] for one in each for error in one.get("errors") or ()]
        answered = any(
            value is not None for one in each for value in dict[str, Any](one.get("data") or {}).values()
        )
        if found and not answered and all(error["code"] == Busy.code for error in found):
            response.status_code = 503
            response.headers["retry-after"] = str(max(error["retryAfter"] for error in found))
        return response

    def encode_json(self, data: object) -> str | bytes:
        """An answer or a WebSocket message as JSON. One that is too large is replaced by an error."""
        text = super().encode_json(data)
        if len(text) <= MAX_ANSWER:  # characters are bytes, since the text is ASCII
            return text
        return super().encode_json(_too_large(cast("dict[str, Any]", data), len(text), MAX_ANSWER) or data)

    def decode_json(self, data: str | bytes) -> object:
        """The body, which must be a JSON object in UTF-8. Raises HTTPException with status 400."""
        return decode(data)


def _prefers_graphql(accept: str) -> bool:
    """Whether a client accepts application/graphql-response+json at least as much as application/json."""
    weights: dict[str, float] = {}
    for part in accept.split(","):
        media_type, *parameters = (each.strip().lower() for each in part.split(";"))
        weight = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        try:
            weights[media_type] = float(weight)
        except ValueError:
            weights[media_type] = 0.0
    wanted = weights.get(_GRAPHQL_RESPONSE, 0.0)
    return wanted > 0 and wanted >= weights.get("application/json", 0.0)


def _is_request_error(response: dict[str, Any]) -> bool:
    """Whether a request was not executed: it has no data, and no error belongs to a field."""
    errors: list[Any] = response.get("errors") or []
    return response.get("data") is None and bool(errors) and not any("path" in error for error in errors)


def decode(data: str | bytes) -> object:
    """Parse a message, which must be a JSON object in UTF-8. Raises HTTPException with status 400."""
    try:
        decoded: object = json.loads(data.decode() if isinstance(data, bytes) else data)
    except UnicodeDecodeError:
        raise ViewError(400, "The request body is not UTF-8.") from None
    except (ValueError, RecursionError):
        raise ViewError(400, "The request body is not JSON.") from None
    if not isinstance(decoded, dict):
        raise ViewError(400, "The request body is not a JSON object.")
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


async def _stream(response: StreamingResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a stream. Disconnect a client that does not read, because its connection may be lost."""

    async def send_in_time(message: Message) -> None:
        async with asyncio.timeout(_PATIENCE):
            await send(message)

    try:
        with contextlib.suppress(TimeoutError, ClientDisconnect):
            await response(scope, receive, send_in_time)
    finally:
        # If the client does not read, the generator waits between two events, and only this ends it.
        await cast("AsyncGenerator[str]", response.body_iterator).aclose()


class _Messages(ASGIWebSocketAdapter):
    """The messages of a WebSocket. A message that is not a JSON object ends the connection."""

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object]:
        while True:
            try:
                text = await self.ws.receive_text()
            except KeyError:
                raise NonTextMessageReceived from None
            except (WebSocketDisconnect, RuntimeError):  # RuntimeError: it is closed already
                return
            try:
                message = decode(text)
            except ViewError:
                raise NonJsonMessageReceived from None
            yield message


class _Handler(BaseGraphQLTransportWSHandler[Any, Any]):
    """A WebSocket. A failed operation gets an error message; only a protocol error ends the connection."""

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
            refusal = view.rate.refusal(scope) or _unusable(cast("dict[str, Any]", message["payload"]))
            if len(self.operations) >= MAX_OPERATIONS:
                refusal = Busy(
                    f"This WebSocket has {MAX_OPERATIONS} operations, which is the limit.",
                    hint="Complete others, or open another connection.",
                    retry_after=1,
                )
            try:
                if not await view.admission.still_admits(scope, connect=True):
                    await self.websocket.close(4403, "Forbidden")
                    return
            except LegacyMindError as raised:  # the database does not answer
                refusal = refusal or raised
            if refusal is not None:
                await self.send_message(
                    {"id": message["id"], "type": "error", "payload": [graphql_error(refusal)]}
                )
                return
        await super().handle_subscribe(message)

    @staticmethod
    def _get_pre_execution_close_reason(error: object) -> str | None:
        return None


GraphQLView.websocket_adapter_class = _Messages  # pyright: ignore[reportAttributeAccessIssue]
GraphQLView.graphql_transport_ws_handler_class = _Handler


def _unusable(payload: dict[str, Any]) -> InvalidInput | None:
    if not isinstance(payload.get("query"), str):
        return InvalidInput("The operation's `query` must be a string.")
    if not isinstance(payload.get("variables", {}), dict | None):
        return InvalidInput("The operation's `variables` must be an object or null.")
    if not isinstance(payload.get("operationName"), str | None):
        return InvalidInput("The operation's `operationName` must be a string or null.")
    return None


def _too_large(sent: dict[str, Any], size: int, most: int) -> dict[str, Any] | None:
    """The error to send instead of data that is too large; None for the data of a mutation."""
    answer = sent.get("payload", sent)
    if isinstance(answer.get("data"), Written):
        return None
    error = AnswerTooLarge(
        f"The answer has {size:,} bytes; the limit is {most:,}.",
        hint="Lower `first`, or select fewer long texts, such as `content` and `enrichedContent`: read those "
        "of single nodes in further requests.",
    )
    refusal = {"data": None, "errors": [graphql_error(error)]}
    return {**sent, "payload": refusal} if "payload" in sent else refusal
