"""Recognition of callers by their bearer tokens, and the limits on which requests each may send."""

import math
import time
from collections import OrderedDict
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from legacymind.calls import Caller, calling
from legacymind.doors.access import Access
from legacymind.doors.http.explorer import is_page
from legacymind.doors.http.guard import refuse
from legacymind.doors.http.oauth import WELL_KNOWN, OAuth
from legacymind.errors import LegacyMindError, TokenMissing, TooManyRequests
from legacymind.origins import AGENT, USER
from legacymind.services.maintain.tokens import PREFIX, TokenService

OPEN: Final = frozenset({"/healthz", "/readyz"})
"""Paths that need no token. They reveal only whether the server works."""

_TOKEN: Final = "legacymind.token"  # noqa: S105  # a key of the scope


class Admission:
    """Decides what a request may do, by its token. Without ``required``, one without may do everything."""

    def __init__(self, tokens: TokenService, oauth: OAuth | None, *, required: bool) -> None:
        self._tokens = tokens
        self._oauth = oauth
        self._required = required

    async def admit(self, scope: Scope, header: str | None) -> bool:
        """Note the access of a request by its header ``Authorization``. False: it has no valid token."""
        if header is not None:
            scheme, _, text = header.partition(" ")
            token = text.strip()
            access = await self._recognise(token) if scheme.lower() == "bearer" else None
            if access is None:
                return False
            access.note(scope)
            scope[_TOKEN] = token
            return True
        if self._required and not _is_open(scope):
            return False
        self.admit_address(scope)
        return True

    def admit_address(self, scope: Scope) -> None:
        """Note the access of a request without a token, which may do nothing if one is required."""
        host, _ = scope.get("client") or ("", 0)
        # No page can set the header, and none of another origin is admitted: it is the explorer of a person.
        person = Headers(scope=scope).get("sec-fetch-site") == "same-origin"
        given = USER if person and not self._required else AGENT
        sender = Caller(name=f"address {host}", role="read" if self._required else None, given=given)
        Access(sender, anonymous=self._required).note(scope)

    async def still_admits(self, scope: Scope, *, connect: bool = False) -> bool:
        """Whether the token of a request, if it has one, is still valid.

        Raises a LegacyMindError if the database does not answer. Without ``connect``, a lost connection to it
        is not opened again.
        """
        token: str | None = scope.get(_TOKEN)
        return token is None or await self._recognise(token, connect=connect) is not None

    async def _recognise(self, text: str, *, connect: bool = True) -> Access | None:
        """What a token of the database or of the issuer allows; None if it is not valid."""
        if self._oauth is not None and not text.startswith(PREFIX):
            return await self._oauth.recognise(text)
        token = await self._tokens.recognise(text, connect=connect)
        if token is None:
            return None
        given = USER if token.trust == "user" else AGENT
        spaces = tuple(token.namespaces)
        caller = Caller(name=f"token {token.id}", namespaces=spaces, role=token.role, given=given)
        return Access(caller)


class Authorization:
    """ASGI middleware that notes the access of each request. It refuses invalid tokens and too many requests.

    A WebSocket may send its token later, since a browser cannot send the header. ``parameters`` tell OAuth
    clients which token to get, and where.
    """

    def __init__(
        self, app: ASGIApp, admission: Admission, rate: "RequestRate", parameters: str | None = None
    ) -> None:
        self._app = app
        self._admission = admission
        self._rate = rate
        self._parameters = [parameters] if parameters else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        with calling():  # the task works for the sender until the end of the request
            await self._admitted(scope, receive, send)

    async def _admitted(self, scope: Scope, receive: Receive, send: Send) -> None:
        header = Headers(scope=scope).get("authorization")
        try:
            admitted = await self._admission.admit(scope, header)
        except LegacyMindError as error:  # the database does not answer
            await refuse(503, error, scope, receive, send)
            return
        if not admitted and header is None and scope["type"] == "websocket":
            self._admission.admit_address(scope)
        elif not admitted:
            error = TokenMissing(
                "The token is unknown or revoked." if header is not None else "The server requires a token.",
                hint="Send `Authorization: Bearer TOKEN`; `legacymind token create` makes one.",
            )
            parameters = [*(['error="invalid_token"'] if header else []), *self._parameters]
            challenge = f"Bearer {', '.join(parameters)}".strip()
            await refuse(401, error, scope, receive, send, {"www-authenticate": challenge})
            return
        if (excess := self._rate.refusal(scope)) is not None:
            await refuse(429, excess, scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_open(scope: Scope) -> bool:
    path: str = scope["path"]
    return path in OPEN or path.startswith(WELL_KNOWN) or is_page(scope)


class RequestRate:
    """Admits ``rate`` requests a second from each caller, WebSocket operations included; 0 is no limit.

    The requests of ten seconds may come at once.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def refusal(self, scope: Scope) -> TooManyRequests | None:
        """The error if the caller of a request may not send it now; else None, and it is counted."""
        wait = self._wait(Access.of(scope).caller.name, time.monotonic()) if self._rate else 0.0
        if not wait:
            return None
        seconds = math.ceil(wait)
        error = TooManyRequests(
            f"This client sends more than {self._rate:g} requests per second.",
            hint=f"Wait {seconds} s and call again.",
            retry_after=seconds,
        )
        error.of_write()
        return error

    def _wait(self, caller: str, now: float) -> float:
        """Seconds until the caller may send a request; 0 if it may now, which is counted."""
        most = max(self._rate * 10.0, 1.0)
        left, since = self._left.get(caller, (most, now))
        left = min(left + (now - since) * self._rate, most)
        wait = 0.0 if left >= 1 else (1 - left) / self._rate
        self._left[caller] = (left if wait else left - 1, now)
        self._left.move_to_end(caller)
        if len(self._left) > 10_000:  # those seen last stay
            self._left.popitem(last=False)
        return wait
