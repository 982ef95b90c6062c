"""Heads of chains, exported to be held elsewhere, and chains exported to be verified elsewhere."""

import hmac
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.db import queries
from legacymind.db.graph import Graph
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainHead, ChainHeads
from legacymind.operations.coercion import whole
from legacymind.operations.registry import camelized, operation
from legacymind.services.chain import hashing
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.settings import Settings

EXPORT_FORMAT: Final = "legacymind-chain"
_KEPT: Final = (
    *hashing.HASHED,
    "content",
    "salt",
    "content_hash",
    "prev_hash",
    "chain_hash",
    "hash_alg",
    "key_id",
)


class HeadService:
    """What can be kept outside the database, so that even its owner cannot rewrite history."""

    def __init__(self, graph: Graph, settings: Settings, keys: hashing.ChainKeys) -> None:
        self._graph = graph
        self._settings = settings
        self._keys = keys

    @operation(tool="chain_heads", command="heads", writes=False, profile="full")
    async def chain_heads(
        self,
        limit: Annotated[int, whole(1, 10_000), about("Sessions", "Sessions on a page")] = 1000,
        after: Annotated[
            str | None,
            about("Previous nextAfter", "`nextAfter` of the previous page. Default: the first session"),
        ] = None,
        namespace: Namespace = None,
    ) -> ChainHeads:
        """Export every session's chain head, signed when a chain key is set, to be held elsewhere.

        A chain verified against an older head proves that its history up to there is unchanged.
        """
        space = checks.key("namespace", namespace or self._settings.namespace)
        rows = await self._graph.run(
            queries.read_heads, {"namespace": space, "after": after or "", "take": limit + 1}
        )
        heads = [
            ChainHead(session_id=row["session_id"], step=row["head_step"], hash=row["head_hash"])
            for row in rows[:limit]
            if row["head_hash"] is not None and row["head_step"] is not None
        ]
        unsigned = ChainHeads(
            namespace=space,
            exported_at=hashing.utc(datetime.now(UTC)),
            heads=heads,
            next_after=rows[limit]["session_id"] if len(rows) > limit else None,
            key_id=self._keys.current,
            signature=None,
        )
        secret = self._keys.secret(self._keys.current)
        if secret is None:
            return unsigned
        return ChainHeads(
            namespace=unsigned.namespace,
            exported_at=unsigned.exported_at,
            heads=unsigned.heads,
            next_after=unsigned.next_after,
            key_id=unsigned.key_id,
            signature=hashing.signature(secret, _statement(camelized(unsigned))),
        )

    def read_heads(
        self, exported: Mapping[str, Any], *, allow_unsigned: bool = False
    ) -> dict[str, ChainHead]:
        """Exported heads by session, their signature checked.

        Raises InvalidInput for what is no such export, was altered, is signed with an unknown key, or is
        unsigned where a key is configured: taking a signature away is easier than forging one.
        ``allow_unsigned`` accepts the latter, for heads that were exported before there was a key.
        """
        try:
            heads = {
                str(head["sessionId"]): ChainHead(
                    session_id=str(head["sessionId"]), step=int(head["step"]), hash=str(head["hash"])
                )
                for head in exported["heads"]
            }
        except (KeyError, TypeError, ValueError):
            raise InvalidInput(
                "This is no export of chain heads.",
                effect="Nothing was verified.",
                hint="Make one with `legacymind heads --json`.",
            ) from None
        if exported.get("signature") is not None:
            self._check_signature(exported)
        elif not allow_unsigned and (self._keys.secrets or exported.get("keyId") is not None):
            why = "a chain key is configured" if self._keys.secrets else "they name the key of one"
            raise InvalidInput(
                f"These heads have no signature, although {why}: anybody may have rewritten them.",
                effect="Nothing was verified.",
                hint="Use the export as it was made. If it is older than the key and was kept where nobody "
                "could change it, pass --allow-unsigned.",
            )
        return heads

    def _check_signature(self, exported: Mapping[str, Any]) -> None:
        key_id = str(exported.get("keyId"))
        secret = self._keys.secret(key_id)
        if secret is None:
            raise InvalidInput(
                f"These heads are signed with the key {key_id[:80]}, which is not configured.",
                effect="Nothing was verified.",
                hint="Set it in LEGACYMIND_CHAIN_OLD_KEYS.",
            )
        try:
            right = hashing.signature(secret, _statement(exported))
        except ValueError:  # what no export holds has no canonical JSON
            right = ""
        if not hmac.compare_digest(right.encode(), str(exported["signature"]).encode()):
            raise InvalidInput(
                "The signature of these heads is wrong: they were altered.",
                effect="Nothing was verified.",
                hint="Use the export as it was made.",
            )

    async def sessions(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Every session id of a namespace, in order, read in pages."""
        space = checks.key("namespace", namespace or self._settings.namespace)
        after = ""
        while True:
            rows = await self._graph.run(
                queries.read_heads, {"namespace": space, "after": after, "take": 1001}
            )
            for row in rows[:1000]:
                yield row["session_id"]
            if len(rows) <= 1000:
                return
            after = rows[1000]["session_id"]

    async def export_chain(
        self, session_id: str, namespace: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """A session's chain as docs/chain.md has it: its head, then each step, streamed.

        Raises NotFound for a session that does not exist.
        """
        space = checks.key("namespace", namespace or self._settings.namespace)
        session = checks.key("session_id", session_id)
        (head,) = await self._graph.run(queries.read_head, {"namespace": space, "session_id": session})
        if head["head_hash"] is None:
            raise NotFound(
                f"There is no session {session} in this namespace.",
                effect="Nothing was exported.",
                hint="Check the id.",
            )
        yield {
            "format": EXPORT_FORMAT,
            "version": hashing.HASH_VERSION,
            "namespace": space,
            "session_id": session,
            "head_hash": head["head_hash"],
            "head_step": head["head_step"],
        }
        async for row in self._graph.stream(
            queries.read_chain, {"namespace": space, "session_id": session, "after": -1}
        ):
            thought = row["thought"]
            yield {
                name: hashing.utc(value) if isinstance(value, datetime) else value
                for name in _KEPT
                if (value := thought.get(name)) is not None
            }


def _statement(exported: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in exported.items() if name != "signature"}
