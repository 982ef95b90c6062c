"""Tokens of ``legacymind serve``: made, listed, revoked and recognised.

They are nodes of the database, since several servers and machines may use it. A token is 256 random bits, so
its SHA-256 needs no salt and no slow hash.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, get_args

from legacymind.calls import current_caller, for_all
from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound, RequestRefused
from legacymind.model.maintenance import NewToken, Token, TokenTrust
from legacymind.origins import ROLES, USER, Role
from legacymind.services.shared import checks
from legacymind.services.shared.service import OtherServices, Service, ServiceContext

CREATE_TOKEN = load("maintain/create_token", str, writes=True)

READ_TOKENS = load("maintain/read_tokens", tuple[str, Token], writes=False)
REVOKE_TOKEN = load("maintain/revoke_token", str, writes=True)

PREFIX: Final = "lm_"
"""Makes a token recognisable to people and to scanners for secrets."""

_FRESH: Final = 2.0
"""Seconds for which read tokens are used; a revoked token works no longer."""


class TokenService(Service):
    """Makes and recognises tokens."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._reading = asyncio.Lock()
        self._read: list[tuple[str, Token]] = []
        self._read_at = float("-inf")

    async def create(
        self,
        name: str,
        *,
        namespace: str | Sequence[str] | None = None,
        role: Role = "write",
        trust: TokenTrust = "agent",
    ) -> NewToken:
        """Make a token for namespaces, by default the configured one. Only the result has its text.

        Calls that name none use the first one.

        With the trust ``user``, what its calls store is said by the user. Raises InvalidInput for an empty
        name, an unusable namespace, and an unknown role or trust.
        """
        if role not in ROLES:
            raise InvalidInput(
                f"The role {str(role)[:80]!r} does not exist.", hint=f"Use one of {', '.join(ROLES)}."
            )
        if trust not in get_args(TokenTrust):
            raise InvalidInput(f"The trust {str(trust)[:80]!r} does not exist.", hint="Use user or agent.")
        if trust == "user" and current_caller().trust < USER:
            raise RequestRefused(
                "An agent cannot make a token of the user.", hint="Make it in a terminal, or omit the trust."
            )
        named = [namespace] if namespace is None or isinstance(namespace, str) else namespace
        token = NewToken(
            id=secrets.token_hex(4),
            name=checks.key("The name", name),
            namespaces=[checks.namespace(one, self._settings) for one in dict.fromkeys(named)],
            role=role,
            trust=trust,
            created_at=datetime.now(UTC),
            text=PREFIX + secrets.token_urlsafe(32),
        )
        await self._graph.run(
            CREATE_TOKEN,
            {
                "id": token.id,
                "name": token.name,
                "namespaces": token.namespaces,
                "role": token.role,
                "trust": token.trust,
                "digest": _digest(token.text),
                "now": token.created_at,
            },
        )
        self._read_at = float("-inf")  # this process knows the token at once
        return token

    async def tokens(self) -> list[Token]:
        """All tokens of the database, the oldest first."""
        return [token for _, token in await self._graph.run(READ_TOKENS, {})]

    async def revoke(self, id: str) -> None:
        """Delete a token. Servers refuse it within two seconds. Raises NotFound for an unknown id."""
        if not await self._graph.run(REVOKE_TOKEN, {"id": checks.key("The id", id)}):
            raise NotFound(
                f"There is no token with the id {id}.", hint="`legacymind token list` shows the ids."
            )

    async def recognise(self, text: str, *, connect: bool = True) -> Token | None:
        """The token with this text, None if there is none. Reads the tokens at most every two seconds.

        Without ``connect`` it raises DatabaseUnreachable when the connection to the database is lost.
        """
        async with self._reading:
            if time.monotonic() - self._read_at > _FRESH:
                read = self._graph.run if connect else self._graph.poll
                # Not as a caller: one read serves all of them, and must not wait behind the calls of one.
                with for_all():
                    self._read = await read(READ_TOKENS, {})
                self._read_at = time.monotonic()
        digest = _digest(text).encode()
        # Every digest is compared in full, so that the time reveals nothing.
        found = [token for own, token in self._read if hmac.compare_digest(own.encode(), digest)]
        return found[0] if found else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
