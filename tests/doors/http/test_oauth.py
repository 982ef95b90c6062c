"""Access tokens of an OAuth authorization server; the issuer is a server of this test."""

import asyncio
import http.server
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import Algorithm, ECAlgorithm, RSAAlgorithm

from legacymind.calls import Caller
from legacymind.doors.http.app import build_app
from legacymind.doors.http.oauth import NAMESPACE, READ, WRITE, OAuth
from legacymind.errors import ConfigurationError
from legacymind.mind import Mind
from legacymind.origins import AGENT
from tests.doors.http.test_app import SEARCH, THINK, browsing

pytestmark = pytest.mark.anyio

RESOURCE = "https://memory.example/mcp"
BASE = "http://memory.example"
KEY = generate_private_key(65537, 2048)


@dataclass
class Issuer:
    """An authorization server, and how often its keys were asked for. Its key ``k`` is always there."""

    address: str
    key: RSAPrivateKey
    public: list[dict[str, Any]]
    asked: int = 0

    def add(self, id: str, key: Any, algorithm: type[Algorithm]) -> None:
        public = json.loads(algorithm.to_jwk(key.public_key()))
        self.public.append(public | {"kid": id})

    def token(
        self, key: Any = None, algorithm: str = "RS256", kid: str | None = "k", /, **changed: Any
    ) -> str:
        claims = {
            "iss": self.address,
            "aud": RESOURCE,
            "sub": "ada",
            "exp": int(time.time()) + 60,
            "scope": f"openid {WRITE}",
        }
        claims = {name: value for name, value in (claims | changed).items() if value is not None}
        return jwt.encode(claims, key or self.key, algorithm, headers={"kid": kid} if kid else None)


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {
                "/tenant/.well-known/openid-configuration": {
                    "issuer": made.address,
                    "jwks_uri": f"{base}/keys",
                },
                "/keys": {"keys": made.public},
            }
            made.asked += self.path == "/keys"
            body = json.dumps(pages.get(self.path, {})).encode()
            self.send_response(200 if self.path in pages else 404)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        base = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        made = Issuer(f"{base}/tenant", KEY, [])
        made.add("k", KEY, RSAAlgorithm)
        yield made
        server.shutdown()
        thread.join()


async def test_a_token_of_the_issuer_has_its_scopes_and_its_namespace(issuer: Issuer) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    access = await oauth.recognise(issuer.token(**{NAMESPACE: "team"}))
    assert access is not None
    assert access.caller == Caller(name="subject ada", namespaces=("team",), role="write", given=AGENT)
    access = await oauth.recognise(issuer.token(scope=None, scp=[READ]))
    assert access is not None
    assert access.caller == Caller(name="subject ada", namespaces=("default",), role="read", given=AGENT)


async def test_no_other_token_is_valid(issuer: Issuer) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    stranger = generate_private_key(65537, 2048)
    issuer.add("e", ec.generate_private_key(ec.SECP256R1()), ECAlgorithm)
    invalid = [
        issuer.token(stranger),
        issuer.token(ec.generate_private_key(ec.SECP256R1()), "ES256"),
        issuer.token(None, "RS256", "e"),
        issuer.token(None, "RS256", None),
        issuer.token("secret" * 8, "HS256"),
        jwt.encode({"iss": issuer.address, "aud": RESOURCE, "sub": "x", "exp": 2**40}, "", "none"),
        issuer.token(aud="https://other.example/mcp"),
        issuer.token(aud=None),
        issuer.token(iss="https://other.example"),
        issuer.token(exp=int(time.time()) - 60),
        issuer.token(exp=None),
        issuer.token(sub=None),
        issuer.token(scope="openid"),
        issuer.token(scope=None),
        issuer.token(scope=7),
        issuer.token(**{NAMESPACE: ""}),
        issuer.token(None, "RS256", **{NAMESPACE: ["team"]}),
        issuer.token()[:-4],
        "x.y.z",
        "",
    ]
    assert [await oauth.recognise(text) for text in invalid] == [None] * len(invalid)


async def test_unknown_key_ids_ask_the_issuer_once_a_pause(issuer: Issuer) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    texts = [issuer.token(None, "RS256", f"unknown {n}") for n in range(20)]
    assert await asyncio.gather(*(oauth.recognise(text) for text in texts)) == [None] * 20
    assert [await oauth.recognise(text) for text in texts] == [None] * 20
    assert await oauth.recognise(issuer.token()) is not None
    assert issuer.asked == 1


async def test_a_new_key_of_the_issuer_is_found_after_the_pause(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.doors.http.oauth.PAUSE", 0.0)
    oauth = OAuth(issuer.address, RESOURCE, "default")
    assert await oauth.recognise(issuer.token()) is not None
    new = ec.generate_private_key(ec.SECP256R1())
    issuer.add("new", new, ECAlgorithm)
    assert await oauth.recognise(issuer.token(new, "ES256", "new")) is not None
    assert await oauth.recognise(issuer.token()) is not None
    assert issuer.asked == 2


async def test_keys_that_the_issuer_withdrew_are_valid_for_minutes_only(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("legacymind.doors.http.oauth.LIFE", 1e-6)
    oauth = OAuth(issuer.address, RESOURCE, "default")
    assert await oauth.recognise(issuer.token()) is not None
    issuer.public[0]["kid"] = "other"
    assert await oauth.recognise(issuer.token()) is None


@pytest.mark.parametrize("fault", ["metadata of another issuer", "no usable key"])
async def test_an_issuer_without_keys_is_reported_and_left_alone_for_the_pause(
    issuer: Issuer, fault: str
) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    if fault == "no usable key":
        issuer.public.clear()
    else:
        issuer.address += "/other"
    for _ in range(3):
        with pytest.raises(ConfigurationError, match="cannot be read") as raised:
            await oauth.recognise(issuer.token())
        assert raised.value.hint is not None
        assert "LEGACYMIND_OAUTH_ISSUER" in raised.value.hint
    assert issuer.asked == (fault == "no usable key")


async def test_an_issuer_that_does_not_answer_is_reported(issuer: Issuer) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: URLError"):
        await OAuth("http://127.0.0.1:1", RESOURCE, "default").recognise(issuer.token())


@pytest.mark.parametrize("address", ["http://login.example.com", "login.example.com"])
async def test_an_issuer_on_another_machine_needs_https(mind: Mind, address: str) -> None:
    settings = mind.settings.changed(oauth_issuer=address, oauth_resource=RESOURCE)
    with pytest.raises(ConfigurationError, match="OAUTH_ISSUER is no https address"):
        build_app(settings)


async def test_the_server_names_its_issuer_and_accepts_its_tokens(mind: Mind, issuer: Issuer) -> None:
    settings = mind.settings.changed(
        serve_hosts="memory.example",
        oauth_issuer=issuer.address,
        oauth_resource=RESOURCE,
    )
    reads = {"authorization": f"Bearer {issuer.token(scope=READ)}"}
    think = {"query": THINK, "variables": {"content": "x"}}
    async with (
        Mind(settings, embedder=mind.vectors.embedder) as opened,
        browsing(build_app(opened), BASE) as client,
    ):
        refused = await client.post("/mcp", json={})
        assert refused.status_code == 401
        address = "https://memory.example/.well-known/oauth-protected-resource/mcp"
        parameters = f'scope="{READ} {WRITE}", resource_metadata="{address}"'
        assert refused.headers["www-authenticate"] == f"Bearer {parameters}"
        for path in (address.removeprefix("https://memory.example"), "/.well-known/oauth-protected-resource"):
            metadata = (await client.get(path)).json()
            assert (metadata["resource"], metadata["authorization_servers"]) == (RESOURCE, [issuer.address])
        found = await client.post("/graphql", json=SEARCH, headers=reads)
        assert found.json() == {"data": {"search": {"method": "GRAPH"}}}
        written = await client.post("/graphql", json=think, headers=reads)
        assert written.json()["errors"][0]["extensions"] == {"code": "refused"}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "legacymind_think"}}
        written = await client.post("/mcp", json=call, headers=reads)
        assert (written.status_code, written.json()["error"]["code"]) == (403, "refused")
        assert written.headers["www-authenticate"] == f'Bearer error="insufficient_scope", {parameters}'
        call["params"] = {"name": "legacymind_search"}
        read = await client.post("/mcp", json=call, headers=reads)
        assert read.status_code == 400  # from MCP itself: the request has no session
