"""The HTTP application: in memory inside its lifespan, and once as a process with a port."""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette

from legacymind.doors.http.app import MAX_BODY, build_app
from legacymind.doors.http.process import serve
from legacymind.embed.models import MODELS
from legacymind.errors import LegacyMindError, PortTaken
from legacymind.mind import Mind
from legacymind.settings import Settings
from tests.audit import Audit

SEARCH = {"query": '{ search(input: {query: "anything"}) { method } }'}
THINK = "mutation ($content: String!) { think(input: {content: $content}) { chained } }"
BASE = "http://127.0.0.1:8787"


@asynccontextmanager
async def browsing(app: Starlette, base: str = BASE) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client of the running application; internal errors become responses, as on a server."""
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url=base) as client,
    ):
        yield client


async def works(client: httpx2.AsyncClient) -> bool:
    answer = (await client.post("/graphql", json=SEARCH)).json()
    return answer == {"data": {"search": {"method": "GRAPH"}}}


@pytest.mark.anyio
async def test_graphql_answers_a_post(mind: Mind) -> None:
    async with browsing(build_app(mind)) as client:
        answer = await client.post(
            "/graphql", json={"query": THINK, "variables": {"content": "x" * 100 * 1024}}
        )
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {"data": {"think": {"chained": True}}}


@pytest.mark.anyio
async def test_a_thought_of_100_kb_fits_with_any_escapes(mind: Mind) -> None:
    body = json.dumps({"query": THINK, "variables": {"content": "ü" * 50 * 1024}}, ensure_ascii=True)
    assert len(body) > 300_000
    async with browsing(build_app(mind)) as client:
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.json() == {"data": {"think": {"chained": True}}}


@pytest.mark.anyio
async def test_a_browser_gets_graphiql(mind: Mind) -> None:
    async with browsing(build_app(mind)) as client:
        page = await client.get("/graphql", headers={"accept": "text/html"})
        query = await client.get("/graphql", params=SEARCH)
    assert "graphiql" in page.text.lower()
    assert query.status_code == 400
    assert query.json()["errors"][0]["extensions"] == {"code": "invalid_input"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (b"{", "application/json", "Unable to parse"),
        (b"", "application/json", "Unable to parse"),
        (b'{"query": "caf\xe9"}', "application/json", "Unable to parse"),
        (json.dumps(SEARCH).encode("utf-16"), "application/json", "Unable to parse"),
        (b"[" * 100_000 + b"]" * 100_000, "application/json", "Unable to parse"),
        (b"[]", "application/json", "Unable to parse"),
        (b"5", "application/json", "Unable to parse"),
        (b"{}", "application/json", "No GraphQL query"),
        (b'{"query": 5}', "application/json", "must be a string"),
        (b'{"query": "{ __typename }", "variables": []}', "application/json", "must be an object"),
        (b'{"query": "query A { __typename }", "operationName": "B"}', "application/json", "B"),
        (b'{"query": "query A { __typename }", "operationName": 5}', "application/json", "5"),
        (json.dumps(SEARCH).encode(), "text/plain", "Unsupported content type"),
        (json.dumps(SEARCH).encode(), "", "Unsupported content type"),
        (b"query=x", "application/x-www-form-urlencoded", "Unsupported content type"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_an_unusable_body_is_reported_and_the_next_request_works(
    mind: Mind, body: bytes, kind: str, message: str
) -> None:
    async with browsing(build_app(mind)) as client:
        answer = await client.post("/graphql", content=body, headers={"content-type": kind})
        assert answer.status_code == 400
        (error,) = answer.json()["errors"]
        assert error["extensions"] == {"code": "invalid_input"}
        assert message in error["message"]
        assert await works(client)


def code(answer: httpx2.Response) -> str:
    """The code of an error, which has the form of its path's door."""
    body: dict[str, Any] = answer.json()
    if answer.request.url.path != "/graphql":
        return body["error"]["code"]
    (error,) = body.pop("errors")
    assert body == {"data": None}
    assert error.keys() == {"message", "extensions"}
    return error["extensions"]["code"]


@pytest.mark.anyio
@pytest.mark.parametrize("streamed", [False, True], ids=["sized", "streamed"])
async def test_a_body_over_the_limit_is_rejected_and_the_next_request_works(
    mind: Mind, streamed: bool
) -> None:
    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(20):
            yield b"x" * (MAX_BODY // 10)

    async with browsing(build_app(mind)) as client:
        body = chunks() if streamed else b"x" * (MAX_BODY + 1)
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 413
        assert code(answer) == "invalid_input"
        assert await works(client)


@pytest.mark.anyio
async def test_content_over_the_limit_is_rejected_by_the_operation(mind: Mind) -> None:
    async with browsing(build_app(mind)) as client:
        answer = await client.post(
            "/graphql", json={"query": THINK, "variables": {"content": "x" * 200 * 1024}}
        )
        (error,) = answer.json()["errors"]
        assert error["extensions"] == {"code": "invalid_input"}
        assert await works(client)


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/graphql", "/mcp", "/healthz", "/readyz", "/elsewhere"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:8787"}, 421),
        ({"host": "127.0.0.1:8787@evil.example"}, 421),
        ({"host": ""}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "http://[broken"}, 403),
        ({"origin": "file://localhost"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:3000"}, 403),
        ({"origin": "http://127.0.0.1"}, 403),
    ],
    ids=str,
)
async def test_a_foreign_host_or_origin_is_rejected_on_every_path(
    mind: Mind, path: str, headers: dict[str, str], status: int
) -> None:
    async with browsing(build_app(mind)) as client:
        answer = await client.get(path, headers=headers)
        assert answer.status_code == status
        assert code(answer) == "refused"


@pytest.mark.anyio
@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9999", "[::1]:8787", "[::1]"])
async def test_every_name_of_loopback_is_accepted(mind: Mind, host: str) -> None:
    async with browsing(build_app(mind)) as client:
        headers = {"host": host, "origin": f"http://{host.lower()}"}
        assert (await client.post("/graphql", json=SEARCH, headers=headers)).status_code == 200


async def until_ready(client: httpx2.AsyncClient) -> httpx2.Response:
    while not (answer := await client.get("/readyz")).json()["ok"]:
        assert "first calls" in answer.json()["database"]["reason"]
        await asyncio.sleep(0.1)
    return answer


@pytest.mark.anyio
async def test_health_reports_the_database_it_reached(mind: Mind) -> None:
    async with browsing(build_app(mind)) as client:
        alive = await client.get("/healthz")
        answer = await until_ready(client)
    assert alive.json() == {"ok": True}
    assert answer.status_code == 200
    report = answer.json()
    assert report["ok"] is True
    assert report["database"]["reachable"] is True
    assert report["database"]["version"][:2] == "20"
    assert (
        report["embedding"]
        == f"minilm/all-MiniLM-L6-v2@{MODELS['minilm'].info.version}/384/bert-uncased-256/l2"
    )


@pytest.mark.anyio
async def test_health_reports_an_unreachable_database(settings: Settings) -> None:
    lost = settings.changed(neo4j_uri="bolt://127.0.0.1:1")
    async with browsing(build_app(lost)) as client:
        for _ in range(2):
            assert (await client.get("/healthz")).status_code == 200
            answer = await client.get("/readyz")
            assert answer.status_code == 503
            assert answer.json()["ok"] is False
            assert "127.0.0.1:1" in answer.json()["database"]["reason"]
        failed = (await client.post("/graphql", json=SEARCH)).json()
    assert failed["errors"][0]["extensions"]["code"] in {"database_unreachable", "embedding_failed"}


@pytest.mark.anyio
async def test_an_unknown_path_or_method_is_an_error_envelope(mind: Mind) -> None:
    async with browsing(build_app(mind)) as client:
        missing = await client.get("/explorer")
        wrong = await client.delete("/graphql")
        posted = await client.post("/healthz")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    assert wrong.status_code == 405
    assert wrong.json()["errors"][0]["extensions"] == {"code": "invalid_input"}
    assert (posted.status_code, posted.json()["error"]["code"]) == (405, "invalid_input")


@pytest.mark.anyio
async def test_an_unexpected_failure_reveals_nothing(
    mind: Mind, break_operation: Callable[[Mind, str, Exception], None]
) -> None:
    break_operation(mind, "search", RuntimeError("secret at /home/me"))
    async with browsing(build_app(mind)) as client:
        answer = await client.post("/graphql", json=SEARCH)
    assert answer.json()["errors"][0]["extensions"] == {"code": "internal"}
    assert "secret" not in answer.text


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=str(port)):
            serve(Settings(serve_port=port))


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", 99_999), ("::1%nowhere", 0), ("192.0.2.1", 0), ("nowhere.invalid", 0)]
)
def test_an_impossible_address_is_a_configuration_error(host: str, port: int) -> None:
    with pytest.raises(LegacyMindError) as raised:
        serve(Settings(serve_host=host, serve_port=port))
    assert raised.value.code == "configuration"


@contextmanager
def serving(
    env: dict[str, str], program: tuple[str, ...] = ("-m", "legacymind")
) -> Generator[tuple[subprocess.Popen[bytes], str]]:
    """`serve` as a process, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    process = subprocess.Popen(
        [sys.executable, *program, "serve"],
        env=env | {"LEGACYMIND_SERVE_PORT": port},
        stderr=subprocess.PIPE,
    )
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate()


def until_serving(base: str) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            if httpx2.get(f"{base}/healthz", timeout=30).json()["ok"]:
                return
        except httpx2.ConnectError:
            pass
        time.sleep(0.05)
        assert time.monotonic() < end


# The command line, with another default of uvicorn: it closes connections after 1 s without a request, not 5.
CLOSING_SOON = """
import functools, uvicorn
uvicorn.Config.__init__ = functools.partialmethod(uvicorn.Config.__init__, timeout_keep_alive=1)
from legacymind.doors.cli.main import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_server_process_serves_and_stops_on_a_signal_and_contacts_only_the_engine(audit: Audit) -> None:
    env = audit.env | {"LEGACYMIND_NAMESPACE": f"http-{uuid.uuid4()}"}
    with serving(env, program=("-c", CLOSING_SOON)) as (process, base):
        until_serving(base)
        kept = http.client.HTTPConnection("127.0.0.1", int(base.rpartition(":")[2]))
        kept.request("GET", "/healthz")
        assert json.load(kept.getresponse())["ok"]
        idle_since = time.monotonic()
        answer = httpx2.post(
            f"{base}/graphql", json={"query": THINK, "variables": {"content": "Warm."}}, timeout=60
        )
        assert answer.json() == {"data": {"think": {"chained": False}}}
        time.sleep(max(0, idle_since + 2 - time.monotonic()))
        kept.request("GET", "/healthz")
        assert json.load(kept.getresponse())["ok"]  # RemoteDisconnected if the server has closed it
        kept.close()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode in (0, -signal.SIGINT)
    assert b"Traceback" not in err
    assert base.encode() in err
    audit.check()


@pytest.mark.anyio
async def test_mcp_answers_with_a_slash_at_its_end_as_without(mind: Mind) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json, text/event-stream"}
    async with browsing(build_app(mind)) as client:
        answers = [await client.post(path, json=call, headers=headers) for path in ("/mcp", "/mcp/")]
    assert "session" in answers[0].text  # none was begun
    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].text == answers[1].text
