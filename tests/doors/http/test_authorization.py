"""Tokens, names, origins and rates: who may call the HTTP server, and what."""

from collections.abc import AsyncIterator
from typing import Any, cast

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.types import Message

from legacymind.doors.http import process
from legacymind.doors.http.app import build_app, is_exposed
from legacymind.doors.http.authorization import Admission, Authorization, RequestRate
from legacymind.doors.mcp.http import session_of
from legacymind.errors import ConfigurationError
from legacymind.mind import Mind
from legacymind.model.maintenance import NewToken, Token
from legacymind.services.maintain.tokens import TokenService
from legacymind.settings import Settings
from tests.doors.http.test_app import SEARCH, THINK, browsing
from tests.steps import own_namespace, store_thought
from tests.wire import raw

pytestmark = pytest.mark.anyio

BASE = "http://memory.example:8787"


@pytest.fixture(scope="module")
async def exposed(engine_settings: Settings) -> AsyncIterator[Mind]:
    """A mind whose server other machines reach by a name, through a proxy."""
    settings = engine_settings.changed(serve_hosts="memory.example, 10.0.0.7", serve_rate=0)
    async with own_namespace(settings) as opened:
        yield opened


@pytest.fixture(scope="module")
async def tokens(exposed: Mind) -> AsyncIterator[tuple[NewToken, NewToken]]:
    """A token that reads and one that writes, for two namespaces."""
    name = exposed.settings.namespace
    reads = await exposed.create_token("reader", namespace=f"{name}-a", role="read")
    writes = await exposed.create_token("writer", namespace=f"{name}-b", role="write")
    yield reads, writes
    for token in (reads, writes):
        await exposed.revoke_token(token.id)


def bearer(token: NewToken) -> dict[str, str]:
    return {"authorization": f"Bearer {token.text}"}


def code(answer: httpx2.Response) -> str:
    body: dict[str, Any] = answer.json()
    return body["error"]["code"] if "error" in body else body["errors"][0]["extensions"]["code"]


async def test_a_server_for_other_machines_requires_a_token_on_every_path(
    exposed: Mind, tokens: tuple[NewToken, NewToken]
) -> None:
    reads, _ = tokens
    async with browsing(build_app(exposed), BASE) as client:
        for path in ("/graphql", "/mcp", "/elsewhere"):
            for headers in ({}, {"authorization": reads.text}, {"authorization": "Bearer lm_x"}):
                answer = await client.post(path, json=SEARCH, headers=headers)
                assert (answer.status_code, code(answer)) == (401, "token_missing")
                assert answer.headers["www-authenticate"].startswith("Bearer")
        for path in ("/healthz", "/readyz"):
            assert (await client.get(path)).json().keys() == {"ok"}
        assert "embedding" in (await client.get("/readyz", headers=bearer(reads))).json()
        assert (await client.post("/graphql", json=SEARCH, headers=bearer(reads))).status_code == 200


async def test_a_token_has_a_scope_and_a_namespace(exposed: Mind, tokens: tuple[NewToken, NewToken]) -> None:
    reads, writes = tokens
    think = {"query": THINK, "variables": {"content": "A thought about the lighthouse."}}
    elsewhere = {"query": '{ search(input: {query: "lighthouse", namespace: "default"}) { method } }'}
    found = {"query": '{ search(input: {query: "lighthouse"}) { hits { score } namespace } }'}
    async with browsing(build_app(exposed), BASE) as client:

        async def post(body: dict[str, Any], token: NewToken) -> httpx2.Response:
            return await client.post("/graphql", json=body, headers=bearer(token))

        refused = await post(think, reads)
        assert code(refused) == "refused"
        assert "Nothing was stored" in refused.text
        assert (await post(think, writes)).json() == {"data": {"think": {"chained": False}}}
        for token in tokens:
            assert code(await post(elsewhere, token)) == "refused"
        for token, count in ((reads, 0), (writes, 1)):
            asked = (await post({"query": "{ mayWrite }"}, token)).json()
            assert asked == {"data": {"mayWrite": token is writes}}
            answer = (await post(found, token)).json()["data"]["search"]
            assert (len(answer["hits"]), answer["namespace"]) == (count, token.namespaces[0])


async def test_nodes_are_those_of_the_namespace_of_a_token(
    exposed: Mind, tokens: tuple[NewToken, NewToken]
) -> None:
    reads, writes = tokens
    ids = [
        await store_thought(exposed, session_id="watch", namespace=token.namespaces[0], author=token.name)
        for token in tokens
    ]
    document = """query ($id: ID!, $namespace: String) {
      thought(id: $id, namespace: $namespace) { id session { thoughts { edges {
        node { id } } } } }
      authors { edges { node { name } } } namespaces { edges { node { name } } } }"""
    async with browsing(build_app(exposed), BASE) as client:
        for token, own, other in ((reads, *ids), (writes, *reversed(ids))):
            for id, namespace in ((own, None), (other, None), (own, "default")):
                body = {"query": document, "variables": {"id": id, "namespace": namespace}}
                answer = (await client.post("/graphql", json=body, headers=bearer(token))).json()
                assert other not in str(answer["data"])
                assert answer["data"]["authors"]["edges"] == [{"node": {"name": token.name}}]
                assert answer["data"]["namespaces"]["edges"] == [{"node": {"name": token.namespaces[0]}}]
                if namespace is None:
                    assert "errors" not in answer
                    assert (answer["data"]["thought"] is not None) is (id == own)
                else:
                    assert [one["extensions"]["code"] for one in answer["errors"]] == ["refused"]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_mcp_calls_have_the_scope_and_the_namespace_of_their_token(
    exposed: Mind, tokens: tuple[NewToken, NewToken], era: Any
) -> None:
    app = build_app(exposed)
    results: list[Any] = []
    async with app.router.lifespan_context(app):
        for token in tokens:
            async with (
                httpx2.AsyncClient(
                    transport=httpx2.ASGITransport(app=app), base_url=BASE, headers=bearer(token)
                ) as http,
                Client(streamable_http_client(f"{BASE}/mcp", http_client=http), mode=era) as agent,
            ):
                results.append(await agent.call_tool("legacymind_think", {"content": f"Era {era}."}))
                results.append(await agent.call_tool("legacymind_search", {"query": "x", "namespace": "n"}))
    codes = [result.is_error and result.structured_content["error"]["code"] for result in results]
    assert codes == ["refused", "refused", False, "refused"]


INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}


async def test_an_mcp_session_belongs_to_the_caller_who_began_it_and_its_id_is_published_nowhere(
    exposed: Mind, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    app = build_app(exposed)
    space = f"{exposed.settings.namespace}-shared"
    owner, other = [await exposed.create_token(name, namespace=space, role="write") for name in "ab"]
    accepts = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    async with browsing(app, BASE) as client:

        async def send(
            method: str, token: NewToken | None, session: str | None, body: Any = None, profile: str = ""
        ) -> httpx2.Response:
            headers = accepts | (bearer(token) if token else {})
            if session is not None:
                headers["mcp-session-id"] = session
            return await client.request(method, f"/mcp{profile}", headers=headers, json=body)

        begun = await send("POST", owner, None, INITIALIZE)
        session = begun.headers["mcp-session-id"]
        private = {"content": "My secret.", "is_private": True}
        call = message("tools/call", name="legacymind_think", arguments=private)
        thought = await send("POST", owner, session, call)
        assert thought.status_code == 200
        # The other token gets the answers of an unknown session, whatever it tries.
        for method, body in (("GET", None), ("DELETE", None), ("POST", call), ("POST", INITIALIZE)):
            taken = await send(method, other, session, body)
            unknown = await send(method, other, "0" * 32, body)
            assert (taken.status_code, taken.text) == (404, unknown.text)
            assert (await send(method, None, session, body)).status_code == 401
        stored = session_of(session)
        for guess in (stored, stored.removeprefix("mcp-")):
            assert (await send("POST", owner, guess, call)).status_code == 404
        read = await client.post(
            "/graphql",
            headers=bearer(other),
            json={"query": "{ sessions { edges { node { name } } } }"},
        )
        assert [edge["node"]["name"] for edge in read.json()["data"]["sessions"]["edges"]] == [stored]
        answers = [thought.text, read.text, (await client.get("/metrics", headers=bearer(other))).text]
        nodes = await raw(
            exposed, "MATCH (n {namespace: $ns}) RETURN collect(properties(n)) AS all", ns=space
        )
        assert session not in "".join([*answers, str(nodes[0]["all"]), caplog.text])
        # The owner's session has survived.
        assert (await send("POST", owner, session, message("tools/list"))).status_code == 200
        assert (await send("DELETE", owner, session)).status_code == 200
        assert (await send("POST", owner, session, message("tools/list"))).status_code == 404
    for token in (owner, other):
        await exposed.revoke_token(token.id)


async def test_mcp_without_a_token_is_refused(exposed: Mind) -> None:
    app = build_app(exposed)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE) as http:
            with pytest.raises((MCPError, ExceptionGroup, httpx2.HTTPStatusError)):
                async with Client(streamable_http_client(f"{BASE}/mcp", http_client=http)):
                    pass


async def test_on_loopback_a_token_is_optional_but_must_be_valid(mind: Mind) -> None:
    token = await mind.create_token("one", role="read")
    async with browsing(build_app(mind)) as client:
        assert (await client.post("/graphql", json=SEARCH)).status_code == 200
        for text in ("Bearer nonsense", "Basic dXNlcg==", "Bearer", "Bearer \xff"):
            answer = await client.post(
                "/graphql", json=SEARCH, headers=[(b"authorization", text.encode("latin-1"))]
            )
            assert (answer.status_code, code(answer)) == (401, "token_missing")
        answer = await client.post(
            "/graphql", json={"query": THINK, "variables": {"content": "x"}}, headers=bearer(token)
        )
        assert code(answer) == "refused"
        await mind.revoke_token(token.id)


async def test_the_names_and_origins_of_the_settings_are_accepted(mind: Mind) -> None:
    settings = mind.settings.changed(serve_origins="http://localhost:3000")
    foreign = {"origin": "http://localhost:4000"}
    async with (
        Mind(settings, embedder=mind.vectors.embedder) as opened,
        browsing(build_app(opened)) as client,
    ):
        assert (await client.post("/graphql", json=SEARCH, headers=foreign)).status_code == 403
        named = await client.post("/graphql", json=SEARCH, headers={"origin": "http://localhost:3000"})
        assert named.status_code == 200
        assert named.headers["access-control-allow-origin"] == "http://localhost:3000"
        asked = {
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, content-type",
        }
        allowed = await client.options("/graphql", headers=asked | {"origin": "http://localhost:3000"})
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == "http://localhost:3000"
        assert "POST" in allowed.headers["access-control-allow-methods"]
        assert "authorization" in allowed.headers["access-control-allow-headers"].lower()
        asked |= foreign
        assert "access-control-allow-origin" not in (await client.options("/graphql", headers=asked)).headers
    for name, required in (("localhost", False), ("memory.example", True)):
        assert is_exposed(settings.changed(serve_hosts=name)) is required
    assert is_exposed(settings.changed(serve_host="0.0.0.0"))


def test_a_start_for_other_machines_without_a_token_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(settings: Settings) -> list[Token]:
        return []

    monkeypatch.setattr(process, "_tokens", none)
    with pytest.raises(ConfigurationError, match="token create"):
        process.serve(Settings(serve_host="0.0.0.0", serve_port=0))


async def send(app: Any, kind: str, client: str = "10.0.0.1", token: str | None = None) -> list[Message]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def answer(message: Message) -> None:
        sent.append(message)

    headers = [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
    scope: dict[str, Any] = {"type": kind, "path": "/graphql", "headers": headers, "client": (client, 1)}
    await app(scope, receive, answer)
    return sent


class NoTokens:
    async def recognise(self, text: str, *, connect: bool = True) -> Token | None:
        return None


def admission(*, required: bool) -> Admission:
    return Admission(cast("TokenService", NoTokens()), None, required=required)


async def test_a_websocket_with_an_invalid_token_is_closed_before_it_opens() -> None:
    middleware = Authorization(Starlette(), admission(required=True), RequestRate(0))
    (closed,) = await send(middleware, "websocket", token="lm_x")
    assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


async def test_each_caller_has_its_own_rate() -> None:
    async def empty(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    limited = Authorization(empty, admission(required=False), RequestRate(0.001))

    async def status(client: str) -> int:
        started = (await send(limited, "http", client))[0]
        assert started["status"] == 200 or (b"retry-after", b"1000") in started["headers"]
        return started["status"]

    assert [await status(client) for client in ("a", "a", "b", "b")] == [200, 429, 200, 429]
