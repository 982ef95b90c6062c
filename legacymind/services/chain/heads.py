"""Export of chain heads and of whole chains, for verification outside the database."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.db.query import Parameters
from legacymind.errors import Conflict, InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainHead, ChainHeads
from legacymind.model.stored import VERIFIED
from legacymind.model.values import whole
from legacymind.operations.registry import operation
from legacymind.operations.results import jsonable
from legacymind.services.chain import hashing
from legacymind.services.chain.faults import shown
from legacymind.services.chain.reads import READ_CHAIN, head_of, heads_page, stored_head, stored_heads
from legacymind.services.chain.signing import PublicKey, SigningKey, is_signed, sign
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service

EXPORT_FORMAT: Final = "legacymind-chain"


class HeadService(Service):
    """Exports chain heads. Kept elsewhere, they detect a rewritten history even by the database's owner."""

    @operation(tool="chain_heads", command="heads", writes=False, profile="full")
    async def chain_heads(
        self,
        limit: Annotated[int, whole(1, 10_000), about("Sessions per page", "Sessions on a page")] = 1000,
        after: Annotated[
            str | None,
            about(
                "Last next",
                "Session after which the page begins: `next` of the previous page. Default: none",
            ),
        ] = None,
        namespace: Namespace = None,
    ) -> ChainHeads:
        """Export all chain heads, to be kept elsewhere.

        A chain verified against an older head proves that its history up to there is unchanged. With a
        signing key (Ed25519) they are signed, and everybody with its public half can verify the signature.
        ``digest`` is one line to publish, to commit or to time-stamp: it proves that these heads existed.
        """
        namespace = checks.namespace(namespace, self._settings)
        signer = SigningKey.configured(self._settings)
        page, last = await heads_page(self._graph, namespace, after or "", limit)
        made = ChainHeads(
            namespace=namespace,
            exported_at=hashing.utc(datetime.now(UTC)),
            heads=[head for head in page.values() if head is not None],
            headless=[session for session, head in page.items() if head is None],
            next=last,
            key_id=signer.public.fingerprint if signer else None,
            digest="",
            signature=None,
        )
        stated = canonical(jsonable(made))
        return replace(
            made,
            digest=hashlib.sha256(stated).hexdigest(),
            signature=sign(signer, stated) if signer else None,
        )

    def read_heads(
        self,
        exported: Mapping[str, Any],
        *,
        allow_unsigned: bool = False,
        signers: Sequence[PublicKey] = (),
    ) -> dict[str, ChainHead]:
        """Read exported heads by session and check their signature.

        With ``signers``, one of these public keys must have signed them; else the key of this machine, if it
        has one. Raises InvalidInput when the export is malformed, was altered, is signed with an unknown key,
        or has no signature although there is a key, because removing a signature is easier than forging one.
        ``allow_unsigned`` accepts unsigned heads, exported before there was a key.
        """
        try:
            given = [
                head_of(head["sessionId"], head["step"], head["hash"].lower(), head.get("keyId"))
                for head in exported["heads"]
            ]
            heads = {head.session_id: head for head in given if head is not None}
            sound = len(heads) == len(given) and isinstance(exported.get("next"), str | None)
            stated = canonical(exported) if sound else b""
        except (AttributeError, KeyError, TypeError, ValueError):
            heads, stated = dict[str, ChainHead](), b""
        if not stated:
            raise InvalidInput(
                "This is not an export of chain heads, or it was altered.",
                effect="Nothing was verified.",
                hint="Create one with `legacymind heads --json`.",
            )
        own = None if signers else SigningKey.configured(self._settings)
        keys = [own.public] if own else signers
        signature, key_id = exported.get("signature"), exported.get("keyId")
        if signature is None and not allow_unsigned and (keys or key_id is not None):
            why = "there is a key to verify it" if keys else "they name a key"
            raise InvalidInput(
                f"These heads have no signature, although {why}. Anybody may have rewritten them.",
                effect="Nothing was verified.",
                hint="Use the original export. If it is older than the key and was stored where nobody could "
                "change it, pass --allow-unsigned.",
            )
        if signature is not None and key_id not in (names := [key.fingerprint for key in keys]):
            raise InvalidInput(
                f"These heads are signed with {shown(key_id)}, and not with a key of "
                f"--signer{''.join(f' {name}' for name in names)}.",
                effect="Nothing was verified.",
                hint="Pass the public key of their signer with --signer.",
            )
        if signature is not None and not is_signed(str(signature), stated, keys):
            raise InvalidInput(
                "The signature of these heads is wrong: the heads were altered.",
                effect="Nothing was verified.",
                hint="Use the original export.",
            )
        return heads

    async def sessions(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Every session id of a namespace in ascending order, read in pages of 1,000.

        Somebody who writes to the database can make one that no call accepts.
        """
        async for session, _ in stored_heads(self._graph, checks.namespace(namespace, self._settings)):
            yield session

    async def export_chain(
        self, session_id: str, namespace: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Stream a session's chain in the format of docs/trust/chain.md: the head, then each step.

        Steps stored meanwhile follow the head, up to one that redacts a text that was exported before. Raises
        NotFound for a session that does not exist, and Conflict if the steps after the head redact a text
        that was exported before another one, which was exported without its text.
        """
        namespace = checks.namespace(namespace, self._settings)
        chain: Parameters = {
            "namespace": namespace,
            "session_id": checks.key("session_id", session_id),
        }
        head = await stored_head(self._graph, namespace, chain["session_id"])
        rows = self._graph.stream(READ_CHAIN, {**chain, "after": -1})
        async with aclosing(rows):
            first = await anext(rows, None)
            if head.hash is None and first is None:
                raise NotFound(
                    f"There is no session {session_id} in this namespace.",
                    effect="Nothing was exported.",
                    hint="Check the id.",
                )
            yield {
                "format": EXPORT_FORMAT,
                "version": hashing.HASH_VERSION,
                **chain,
                **{f"head_{name}": getattr(head, name) for name in ("hash", "step", "id", "key_id")},
                **({"branches": head.branches} if head.branches else {}),
            }
            whole, bare = set[str](), set[str]()
            """The thoughts with a text, and those without one that no step has redacted, so far."""
            while first is not None:
                thought = await self._whole(first["thought"], chain)
                redacts = repr(thought.get("redacts"))  # tampering may have left any value
                if redacts in whole and _is_after(thought, head.step):
                    if not bare:
                        return
                    raise Conflict(
                        "A text was redacted after it was exported, and another one before.",
                        effect="The export ends early, and is no whole chain.",
                        hint="Export again.",
                    )
                bare.discard(redacts)
                (bare if thought.get("content") is None else whole).add(repr(thought["id"]))
                yield {
                    name: hashing.utc(value) if isinstance(value, datetime) else value
                    for name in VERIFIED
                    if (value := thought.get(name)) is not None
                }
                first = await anext(rows, None)

    async def _whole(self, thought: dict[str, Any], chain: Parameters) -> dict[str, Any]:
        """A step as read, or read again if it seems to be half redacted."""
        marks = {thought.get(name) is None for name in ("content", "salt")}
        if marks == {thought.get("redacted_at") is not None}:
            return thought
        again = self._graph.stream(READ_CHAIN, {**chain, "after": thought["step_index"] - 1})
        async with aclosing(again):
            async for row in again:
                return row["thought"] if row["thought"]["id"] == thought["id"] else thought
        return thought


def _is_after(thought: Mapping[str, Any], head_step: object) -> bool:
    """Whether a step is after the head. After a head that tampering left without a number, none is."""
    return type(head_step) is int and thought["step_index"] > head_step


def canonical(exported: Mapping[str, Any]) -> bytes:
    """What exported heads state, as RFC 8785 has it: all members but ``digest`` and ``signature``.

    Raises ValueError for values that have no such form, which no export has.
    """
    return hashing.canonical(
        {name: value for name, value in exported.items() if name not in ("digest", "signature")}
    )
