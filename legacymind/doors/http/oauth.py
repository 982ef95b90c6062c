"""Access tokens of an OAuth 2.1 authorization server: JWTs, verified with the keys of their issuer.

The server is a protected resource as the MCP specification asks: its metadata (RFC 9728) names the issuer,
where clients get their tokens.
"""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import Any, Final, cast
from urllib.parse import urlsplit

import jwt
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from legacymind.doors.access import Access
from legacymind.errors import ConfigurationError

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"

READ: Final = "legacymind:read"
WRITE: Final = "legacymind:write"
NAMESPACE: Final = "legacymind_namespace"
"""The claim with the namespace of a token."""

_ALGORITHMS: Final = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA".split()
"""Those with public keys: with another, anybody who knows the public key could sign."""

_TIMEOUT: Final = 10.0
"""Seconds within which the issuer must answer."""


class OAuth:
    """Recognises the tokens that ``issuer`` made for ``resource``, the address of ``/mcp`` for clients."""

    def __init__(self, issuer: str, resource: str, namespace: str) -> None:
        self._issuer = issuer
        self._resource = resource
        self._namespace = namespace
        self._keys: jwt.PyJWKClient | None = None

    @property
    def metadata_url(self) -> str:
        """The address of the metadata, for the header WWW-Authenticate."""
        parts = urlsplit(self._resource)
        return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path.rstrip('/')}"

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
        return await asyncio.to_thread(self._verified, text)

    def _verified(self, text: str) -> Access | None:
        try:
            if self._keys is None:
                self._keys = jwt.PyJWKClient(self._discovered(), timeout=_TIMEOUT)
            claims = jwt.decode(
                text,
                self._keys.get_signing_key_from_jwt(text).key,
                algorithms=_ALGORITHMS,
                audience=self._resource,
                issuer=self._issuer,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWKClientConnectionError, urllib.error.URLError, TimeoutError, ValueError) as reason:
            raise ConfigurationError(
                f"The keys of the issuer {self._issuer} cannot be read: {type(reason).__name__}.",
                hint="Check LEGACYMIND_OAUTH_ISSUER, and that this machine can reach it.",
            ) from None
        except jwt.PyJWTError:
            return None
        scopes = _scopes(claims)
        namespace = claims.get(NAMESPACE, self._namespace)
        if not scopes & {READ, WRITE} or not isinstance(namespace, str) or not namespace.strip():
            return None
        return Access(f"subject {str(claims['sub'])[:80]}", namespace, WRITE in scopes)

    def _discovered(self) -> str:
        """The address of the issuer's keys, from its metadata (RFC 8414, or OpenID Connect Discovery)."""
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
            except urllib.error.HTTPError as reason:
                reason.close()
                failure = reason
                continue
            except (OSError, ValueError) as reason:
                failure = reason
                continue
            if isinstance(found, dict) and isinstance(uri := cast("Any", found).get("jwks_uri"), str):
                return uri
        raise failure


def _scopes(claims: dict[str, Any]) -> set[str]:
    given = claims.get("scope", claims.get("scp", ""))
    listed: Iterable[object] = given.split() if isinstance(given, str) else given
    return {str(one) for one in listed} if isinstance(listed, list) else set()
