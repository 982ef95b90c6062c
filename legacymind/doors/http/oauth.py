"""Access tokens of an OAuth 2.1 authorization server: JWTs, verified with the keys of their issuer.

The server is a protected resource as the MCP specification asks: its metadata (RFC 9728) names the issuer,
where clients get their tokens.
"""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import jwt
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from legacymind.doors.access import Access
from legacymind.doors.http.issuer import IssuerKeys

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
        writes = WRITE in scopes
        challenge = "" if writes else f'Bearer error="insufficient_scope", {self.parameters}'
        return Access(f"subject {str(claims['sub'])[:80]}", namespace, writes, challenge=challenge)


def _scopes(claims: dict[str, Any]) -> set[str]:
    given = claims.get("scope", claims.get("scp", ""))
    listed: Iterable[object] = given.split() if isinstance(given, str) else given
    return {str(one) for one in listed} if isinstance(listed, list) else set()
