"""WebSocket handshakes pass the checks of HTTP requests, and only /graphql opens one."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from legacymind.doors.http.app import build_app
from legacymind.mind import Mind

pytestmark = pytest.mark.anyio

HERE = {"host": "127.0.0.1:8787"}


async def handshake(app: Starlette, path: str, headers: dict[str, str]) -> str:
    """The type of the first message that answers a handshake."""
    sent: list[str] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "ws",
        "query_string": b"",
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8787),
        "subprotocols": ["graphql-transport-ws"],
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await app(scope, receive, send)
    return sent[0]


async def accept(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


def opening(app: Starlette) -> Starlette:
    """The checks of an application before a route that accepts every handshake."""
    checks: list[Middleware] = app.user_middleware
    return Starlette(routes=[WebSocketRoute("/{path:path}", accept)], middleware=checks)


@pytest.mark.parametrize("path", ["/mcp", "/metrics", "/nowhere"])
async def test_no_other_path_opens_a_web_socket(mind: Mind, path: str) -> None:
    assert await handshake(build_app(mind), path, HERE) == "websocket.close"


async def test_handshakes_pass_the_checks_of_requests(mind: Mind) -> None:
    app = opening(build_app(mind))
    assert await handshake(app, "/graphql", HERE) == "websocket.accept"
    for headers in (
        {"host": "rebound.example"},
        HERE | {"origin": "https://page.example"},
        HERE | {"authorization": "Bearer lm_unknown"},
    ):
        assert await handshake(app, "/graphql", headers) == "websocket.close"


async def test_handshakes_without_a_valid_token_open_nothing_but_graphql_and_count_as_requests(
    mind: Mind,
) -> None:
    async with (
        Mind(mind.settings.changed(serve_host="0.0.0.0"), embedder=mind.vectors.embedder) as exposed,
        Mind(mind.settings.changed(serve_rate=0.1), embedder=mind.vectors.embedder) as limited,
    ):
        invalid = HERE | {"authorization": "Bearer lm_unknown"}
        assert await handshake(opening(build_app(exposed)), "/graphql", invalid) == "websocket.close"
        app = opening(build_app(limited))
        assert await handshake(app, "/graphql", HERE) == "websocket.accept"
        assert await handshake(app, "/graphql", HERE) == "websocket.close"
