"""Access tokens of an OAuth authorization server; the issuer is a server of this test."""

import http.server
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import RSAAlgorithm

from legacymind.doors.http.app import build_app
from legacymind.doors.http.oauth import NAMESPACE, READ, WRITE, OAuth
from legacymind.errors import ConfigurationError
from legacymind.mind import Mind
from tests.doors.http.test_app import SEARCH, THINK, browsing

pytestmark = pytest.mark.anyio

RESOURCE = "https://memory.example/mcp"
BASE = "http://memory.example"


@dataclass
class Issuer:
    """An authorization server with one key."""

    address: str
    key: RSAPrivateKey

    def token(self, key: Any = None, algorithm: str = "RS256", /, **changed: Any) -> str:
        claims = {
            "iss": self.address,
            "aud": RESOURCE,
            "sub": "ada",
            "exp": int(time.time()) + 60,
            "scope": f"openid {WRITE}",
        }
        claims = {name: value for name, value in (claims | changed).items() if value is not None}
        return jwt.encode(claims, key or self.key, algorithm, headers={"kid": "k"})


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    key = generate_private_key(65537, 2048)
    public = json.loads(RSAAlgorithm.to_jwk(key.public_key())) | {"kid": "k", "alg": "RS256"}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {
                "/tenant/.well-known/openid-configuration": {"jwks_uri": f"{base}/keys"},
                "/keys": {"keys": [public]},
            }
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
        yield Issuer(f"{base}/tenant", key)
        server.shutdown()
        thread.join()


async def test_a_token_of_the_issuer_has_its_scopes_and_its_namespace(issuer: Issuer) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    access = await oauth.recognise(issuer.token(**{NAMESPACE: "team"}))
    assert access is not None
    assert (access.caller, access.namespace, access.writes) == ("subject ada", "team", True)
    access = await oauth.recognise(issuer.token(scope=None, scp=[READ]))
    assert access is not None
    assert (access.namespace, access.writes) == ("default", False)


async def test_no_other_token_is_valid(issuer: Issuer) -> None:
    oauth = OAuth(issuer.address, RESOURCE, "default")
    stranger = generate_private_key(65537, 2048)
    invalid = [
        issuer.token(stranger),
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


async def test_an_issuer_that_does_not_answer_is_reported() -> None:
    with pytest.raises(ConfigurationError, match="LEGACYMIND_OAUTH_ISSUER"):
        await OAuth("http://127.0.0.1:1", RESOURCE, "default").recognise("x.y.z")


async def test_the_server_names_its_issuer_and_accepts_its_tokens(mind: Mind, issuer: Issuer) -> None:
    settings = replace(
        mind.settings,
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
        assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{address}"'
        for path in (address.removeprefix("https://memory.example"), "/.well-known/oauth-protected-resource"):
            metadata = (await client.get(path)).json()
            assert (metadata["resource"], metadata["authorization_servers"]) == (RESOURCE, [issuer.address])
        found = await client.post("/graphql", json=SEARCH, headers=reads)
        assert found.json() == {"data": {"search": {"count": 0}}}
        written = await client.post("/graphql", json=think, headers=reads)
        assert written.json()["errors"][0]["extensions"] == {"code": "refused"}
