"""Recognition of callers by their bearer tokens, and the limit on how many requests each may send."""

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from legacymind.doors.access import Access
from legacymind.doors.http.oauth import WELL_KNOWN, OAuth
from legacymind.doors.http.refusal import refuse
from legacymind.errors import ConfigurationError, LegacyMindError, TokenMissing, TooManyRequests
from legacymind.model.tokens import Token
from legacymind.services.maintain.tokens import PREFIX, TokenService

OPEN: Final = frozenset({"/healthz", "/readyz"})
"""Paths that need no token. They reveal only whether the server works."""

_BURST: Final = 10.0
"""Seconds of requests that a caller may send at once."""

_CALLERS: Final = 10_000
"""The most callers whose requests are counted; those seen last stay."""

Recognise = Callable[[str], Awaitable[Access | None]]
"""Returns what a bearer token allows, None if it is not valid. Raises a LegacyMindError if it cannot tell."""


def recognise_by(tokens: TokenService, oauth: OAuth | None) -> Recognise:
    """Recognition of the tokens of a database, and of those of an issuer."""

    async def recognise(text: str) -> Access | None:
        if oauth is not None and not text.startswith(PREFIX):
            return await oauth.recognise(text)
        token = await tokens.recognise(text)
        return token and Access(f"token {token.id}", token.namespace, token.scope == "write")

    return recognise


def check_exposed(host: str, tokens: Sequence[Token]) -> None:
    """Raises ConfigurationError when other machines can reach ``host`` and there is no token."""
    if not tokens:
        raise ConfigurationError(
            f"The server cannot listen on {host}: other machines can reach it, and there is no token.",
            hint="Make one with `legacymind token create NAME`, or listen on 127.0.0.1.",
        )


class Authorization:
    """ASGI middleware that notes the access of each request, and refuses invalid and missing tokens.

    Without ``required``, requests without a token may do everything. ``metadata_url`` tells OAuth clients
    where to get one.
    """

    def __init__(
        self, app: ASGIApp, recognise: Recognise, required: bool, metadata_url: str | None = None
    ) -> None:
        self._app = app
        self._recognise = recognise
        self._required = required
        self._parameters = [f'resource_metadata="{metadata_url}"'] if metadata_url else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        header = Headers(scope=scope).get("authorization")
        try:
            access = await self._access(scope, header)
        except LegacyMindError as error:  # the database does not answer
            await refuse(503, error, scope, receive, send)
            return
        if access is None:
            error = TokenMissing(
                "The token is unknown or revoked." if header else "The server requires a token.",
                hint="Send `Authorization: Bearer TOKEN`; `legacymind token create` makes one.",
            )
            parameters = [*(['error="invalid_token"'] if header else []), *self._parameters]
            challenge = f"Bearer {', '.join(parameters)}".strip()
            await refuse(401, error, scope, receive, send, {"www-authenticate": challenge})
            return
        access.note(scope)
        await self._app(scope, receive, send)

    async def _access(self, scope: Scope, header: str | None) -> Access | None:
        if header is not None:
            scheme, _, text = header.partition(" ")
            return await self._recognise(text.strip()) if scheme.lower() == "bearer" else None
        path: str = scope["path"]
        if self._required and path not in OPEN and not path.startswith(WELL_KNOWN):
            return None
        host, _ = scope.get("client") or ("", 0)
        return Access(f"address {host}", writes=not self._required, anonymous=self._required, shared=True)


class RateLimit:
    """ASGI middleware that admits ``rate`` requests a second from each caller; 0 is no limit.

    The requests of ten seconds may come at once.
    """

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self._app = app
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not self._rate:
            await self._app(scope, receive, send)
            return
        wait = self._wait(Access.of(scope).caller, time.monotonic())
        if wait:
            seconds = math.ceil(wait)
            error = TooManyRequests(
                f"This client sends more than {self._rate:g} requests per second.",
                hint=f"Wait {seconds} s and call again.",
                retry_after=seconds,
            )
            error.of_write()
            await refuse(429, error, scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _wait(self, caller: str, now: float) -> float:
        """Seconds until the caller may send a request; 0 if it may now, which is counted."""
        most = max(self._rate * _BURST, 1.0)
        left, since = self._left.get(caller, (most, now))
        left = min(left + (now - since) * self._rate, most)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[caller] = (left if wait else left - 1, now)
        self._left.move_to_end(caller)
        if len(self._left) > _CALLERS:
            self._left.popitem(last=False)
        return wait
