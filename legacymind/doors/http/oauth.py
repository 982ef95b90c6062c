"""Access tokens of an OAuth 2.1 authorization server: JWTs, verified with the keys of their issuer.

The server is a protected resource as the MCP specification asks: its metadata (RFC 9728) names the issuer,
where clients get their tokens.
"""

import asyncio
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import Any, Final, cast
from urllib.parse import urlsplit

import jwt
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from legacymind.calls import Caller
from legacymind.doors.access import Access
from legacymind.errors import ConfigurationError
from legacymind.origins import AGENT, Role

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"

READ: Final = "legacymind:read"
WRITE: Final = "legacymind:write"
NAMESPACE: Final = "legacymind_namespace"
"""The claim with the namespace of a token."""

_ALGORITHMS: Final = {
    "RSA": "RS256 RS384 RS512 PS256 PS384 PS512".split(),
    "EC": "ES256 ES384 ES512".split(),
    "OKP": ["EdDSA"],
}
"""Those with public keys, by the type of the key: with another, who knows the public key could sign."""

PAUSE: Final = 30.0
"""Seconds between two requests to the issuer, and so the longest that a new key stays unknown."""

LIFE: Final = 300.0
"""Seconds for which fetched keys are used; then the issuer may have withdrawn one."""

_TIMEOUT: Final = 10.0
"""Seconds within which the issuer must answer."""


class OAuth:
    """Recognises the tokens that ``issuer`` made for ``resource``, the address of ``/mcp`` for clients."""

    def __init__(self, issuer: str, resource: str, namespace: str) -> None:
        self._issuer = issuer
        self._resource = resource
        self._namespace = namespace
        self._keys = IssuerKeys(issuer)

    @property
    def metadata_path(self) -> str:
        """The path of the metadata: that of the resource after the well-known one."""
        return WELL_KNOWN + urlsplit(self._resource).path.rstrip("/")

    @property
    def parameters(self) -> str:
        """What the header WWW-Authenticate tells a client: which scopes to ask for, and where."""
        parts = urlsplit(self._resource)
        address = f"{parts.scheme}://{parts.netloc}{self.metadata_path}"
        return f'scope="{READ} {WRITE}", resource_metadata="{address}"'

    async def metadata(self, request: Request) -> Response:
        """The metadata of the protected resource."""
        return JSONResponse(
            {
                "resource": self._resource,
                "authorization_servers": [self._issuer],
                "scopes_supported": [READ, WRITE],
                "bearer_methods_supported": ["header"],
                "resource_name": "LegacyMind",
            }
        )

    async def recognise(self, text: str) -> Access | None:
        """What a token allows; None if it is invalid, expired, for another resource, or has no scope.

        Raises ConfigurationError when the keys of the issuer cannot be read.
        """
        try:
            id = jwt.get_unverified_header(text).get("kid")
            key = await self._keys.find(id) if id else None
            if key is None:
                return None
            claims = jwt.decode(
                text,
                key.key,
                algorithms=_ALGORITHMS.get(key.key_type or "", ()),
                audience=self._resource,
                issuer=self._issuer,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError:
            return None
        scopes = _scopes(claims)
        namespace = claims.get(NAMESPACE, self._namespace)
        if not scopes & {READ, WRITE} or not isinstance(namespace, str) or not namespace.strip():
            return None
        role: Role = "write" if WRITE in scopes else "read"
        challenge = "" if role == "write" else f'Bearer error="insufficient_scope", {self.parameters}'
        name = f"subject {claims['sub']}"
        return Access(Caller(name=name, namespaces=(namespace,), role=role, given=AGENT), challenge=challenge)


def _scopes(claims: dict[str, Any]) -> set[str]:
    given = claims.get("scope", claims.get("scp", ""))
    listed: Iterable[object] = given.split() if isinstance(given, str) else given
    return {str(one) for one in listed} if isinstance(listed, list) else set()


class IssuerKeys:
    """The keys of an issuer, by their ids, from PyJWT's client.

    Anybody can send a token with an unknown key id, or any token while the issuer is down. So the issuer is
    asked by one request at a time, and not again for ``PAUSE`` seconds; a known key does not wait for it.
    """

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._client: jwt.PyJWKClient | None = None
        self._failure: tuple[str, float] | None = None
        self._asking = asyncio.Lock()

    async def find(self, id: str) -> jwt.PyJWK | None:
        """The key with an id, None if there is none. Raises ConfigurationError when keys cannot be read."""
        if (known := self._known(id)) is not None:
            return known
        async with self._asking:
            if self._failure is None or time.monotonic() - self._failure[1] >= PAUSE:
                try:
                    return await asyncio.to_thread(self._find, id)
                except (OSError, ValueError, http.client.HTTPException, jwt.PyJWTError) as reason:
                    self._failure = (type(reason).__name__, time.monotonic())
                    self._client = None  # the issuer may have moved its keys
        raise ConfigurationError(
            f"The keys of the issuer {self._issuer} cannot be read: {self._failure[0]}.",
            hint="LEGACYMIND_OAUTH_ISSUER must be reachable, and equal to `issuer` in its metadata.",
        )

    def _known(self, id: str) -> jwt.PyJWK | None:
        cached = self._client and self._client.jwk_set_cache and self._client.jwk_set_cache.get()
        return cached and next((key for key in cached.keys if key.key_id == id), None)

    def _find(self, id: str) -> jwt.PyJWK | None:
        if self._client is None:
            self._client = jwt.PyJWKClient(
                self._discover(), lifespan=LIFE, cooldown_duration=PAUSE, timeout=_TIMEOUT
            )
        self._client.get_jwk_set()  # raises if there is none, which is no unknown key
        self._failure = None
        try:
            return self._client.get_signing_key(id)
        except jwt.PyJWKClientConnectionError:
            raise
        except jwt.PyJWKClientError:
            return None

    def _discover(self) -> str:
        """The address of the keys, from the metadata (RFC 8414, or OpenID Connect Discovery)."""
        parts = urlsplit(self._issuer)
        base, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
        failure: Exception = ValueError()
        for address in (
            f"{base}/.well-known/oauth-authorization-server{path}",
            f"{base}{path}/.well-known/openid-configuration",
        ):
            try:
                with urllib.request.urlopen(address, timeout=_TIMEOUT) as answer:  # noqa: S310
                    found = json.load(answer)
            except (OSError, ValueError, http.client.HTTPException) as reason:
                if isinstance(reason, urllib.error.HTTPError):
                    reason.close()
                failure = reason
                continue
            if isinstance(found, dict):
                metadata = cast("dict[str, Any]", found)
                # The specification requires the comparison: another issuer's metadata names others' keys.
                if metadata.get("issuer") == self._issuer and isinstance(
                    uri := metadata.get("jwks_uri"), str
                ):
                    return uri
        raise failure
