"""Export of chain heads and of whole chains, for verification outside the database."""

import hmac
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, load
from legacymind.errors import Conflict, InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.chain import ChainHead, ChainHeads
from legacymind.model.stored import VERIFIED
from legacymind.model.values import whole
from legacymind.operations.registry import operation
from legacymind.operations.results import jsonable
from legacymind.services.chain import hashing, ssh_signature
from legacymind.services.chain.faults import shown
from legacymind.services.chain.signing import PublicKey, SigningKey
from legacymind.services.chain.walk import READ_CHAIN, READ_HEAD, READ_HEADS, FullHeadRow
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.text.numbers import counted


class UnnamedRow(TypedDict):
    """The number of nodes with this label that have no session with an id, and what some have instead."""

    label: str
    nodes: int
    names: list[Any]


READ_UNNAMED = load("chain/read_unnamed", UnnamedRow, writes=False)


EXPORT_FORMAT: Final = "legacymind-chain"

_MAX_READINGS: Final = 5
"""How often a head is read that no step has."""


class HeadService(Service):
    """Exports chain heads. Kept elsewhere, they detect a rewritten history even by the database's owner."""

    @operation(tool="chain_heads", command="heads", writes=False, profile="full")
    async def chain_heads(
        self,
        limit: Annotated[int, whole(1, 10_000), about("Sessions per page", "Sessions on a page")] = 1000,
        after: Annotated[
            str | None,
            about(
                "Previous nextAfter",
                "Session after which the page begins: `nextAfter` of the previous page. Default: none",
            ),
        ] = None,
        namespace: Namespace = None,
    ) -> ChainHeads:
        """Export all chain heads, to be kept elsewhere.

        They are signed with a key, if there is one. A signing key (Ed25519) takes precedence over a chain
        key, since everybody with its public half can verify the signature. A chain verified against an
        older head proves that its history up to there is unchanged.
        """
        namespace = checks.namespace(namespace, self._settings)
        signer = SigningKey.configured(self._settings)
        page, last = await _read_page(self._graph, namespace, after or "", limit)
        unsigned = ChainHeads(
            namespace=namespace,
            exported_at=hashing.utc(datetime.now(UTC)),
            heads=[head for head in page.values() if head is not None],
            headless=[session for session, head in page.items() if head is None],
            next_after=last,
            key_id=signer.public.fingerprint if signer else self._keys.current,
            signature=None,
        )
        statement, secret = _statement(jsonable(unsigned)), self._keys.secret(self._keys.current)
        if signer is not None:
            return replace(unsigned, signature=ssh_signature.sign(signer, hashing.canonical(statement)))
        return (
            unsigned if secret is None else replace(unsigned, signature=hashing.signature(secret, statement))
        )

    def read_heads(
        self,
        exported: Mapping[str, Any],
        *,
        allow_unsigned: bool = False,
        signers: Sequence[PublicKey] = (),
    ) -> dict[str, ChainHead]:
        """Read exported heads by session and check their signature.

        With ``signers``, one of these public keys must have signed them. Raises InvalidInput when the export
        is malformed, was altered, is signed with an unknown key, or has no signature although a key is
        configured, because removing a signature is easier than forging one. ``allow_unsigned`` accepts
        unsigned heads, exported before a key was set.
        """
        try:
            given = [
                head_of(head["sessionId"], head["step"], head["hash"].lower(), head.get("keyId"))
                for head in exported["heads"]
            ]
            if not isinstance(exported.get("nextAfter"), str | None):
                given = [None]
        except (AttributeError, KeyError, TypeError):
            given = [None]
        heads = {head.session_id: head for head in given if head is not None}
        if len(heads) < len(given):
            raise InvalidInput(
                "This is not an export of chain heads.",
                effect="Nothing was verified.",
                hint="Create one with `legacymind heads --json`.",
            )
        own = None if signers else SigningKey.configured(self._settings)
        key_id = exported.get("keyId")
        if exported.get("signature") is not None:
            if signers or str(key_id).startswith("SHA256:"):
                self._check_signer(exported, signers or ([own.public] if own else []))
            else:
                self._check_mac(exported, str(key_id))
        elif not allow_unsigned and ((keyed := signers or own or self._keys.secrets) or key_id is not None):
            why = "a key is configured" if keyed else "they name a key"
            raise InvalidInput(
                f"These heads have no signature, although {why}. Anybody may have rewritten them.",
                effect="Nothing was verified.",
                hint="Use the original export. If it is older than the key and was stored where nobody could "
                "change it, pass --allow-unsigned.",
            )
        return heads

    def _check_signer(self, exported: Mapping[str, Any], signers: Sequence[PublicKey]) -> None:
        """Check a signature that can be verified with a public key."""
        names = [key.fingerprint for key in signers]
        if exported.get("keyId") not in names:
            raise InvalidInput(
                f"These heads are signed with {str(exported.get('keyId'))[:80]}, and not with a key of "
                f"--signer{''.join(f' {name}' for name in names)}.",
                effect="Nothing was verified.",
                hint="Pass the public key of their signer with --signer.",
            )
        try:
            message = hashing.canonical(_statement(exported))
        except ValueError:  # Altered values may have no canonical JSON.
            message = b""
        if not ssh_signature.is_signed(str(exported["signature"]), message, signers):
            raise _wrong_signature()

    def _check_mac(self, exported: Mapping[str, Any], key_id: str) -> None:
        secret = self._keys.secret(key_id)
        if secret is None:
            raise InvalidInput(
                f"These heads are signed with the key {key_id[:80]}, which is not configured.",
                effect="Nothing was verified.",
                hint="Add it to LEGACYMIND_CHAIN_OLD_KEYS.",
            )
        try:
            expected = hashing.signature(secret, _statement(exported))
        except ValueError:
            expected = ""
        if not hmac.compare_digest(expected.encode(), str(exported["signature"]).encode()):
            raise _wrong_signature()

    async def sessions(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Every session id of a namespace in ascending order, read in pages of 1,000.

        Somebody who writes to the database can make one that no call accepts.
        """
        async for session, _ in stored_heads(self._graph, checks.namespace(namespace, self._settings)):
            yield session

    async def unnamed(self, namespace: str) -> list[str]:
        """What somebody made that belongs to no session with an id, in words."""
        return [
            f"{counted(row['nodes'], row['label'] + ' node')} of a session whose id is no text: "
            + (", ".join(shown(repr(name)) for name in row["names"]) or "none")
            + "."
            for row in await self._graph.run(READ_UNNAMED, {"namespace": namespace})
        ]

    async def export_chain(
        self, session_id: str, namespace: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Stream a session's chain in the format of docs/chain.md: the head, then each step.

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
            if head["head_hash"] is None and first is None:
                raise NotFound(
                    f"There is no session {session_id} in this namespace.",
                    effect="Nothing was exported.",
                    hint="Check the id.",
                )
            yield {
                "format": EXPORT_FORMAT,
                "version": hashing.HASH_VERSION,
                **chain,
                **{name: head[name] for name in ("head_hash", "head_step", "head_id", "head_key_id")},
            }
            whole, bare = set[object](), set[object]()
            """The thoughts with a text, and those without one that no step has redacted, so far."""
            while first is not None:
                thought = await self._whole(first["thought"], chain)
                redacts = thought.get("redacts")
                if redacts in whole and _is_after(thought, head["head_step"]):
                    if not bare:
                        return
                    raise Conflict(
                        "A text was redacted after it was exported, and another one before.",
                        effect="The export ends early, and is no whole chain.",
                        hint="Export again.",
                    )
                bare.discard(redacts)
                (bare if thought.get("content") is None else whole).add(thought["id"])
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


def head_of(session_id: Any, step: Any, hashed: Any, key_id: Any) -> ChainHead | None:
    """The head of these values; None if one of them is not what a head has, as after tampering."""
    if (
        not checks.is_key(session_id)
        or type(step) is not int
        or not 0 <= step < 2**31
        or not isinstance(hashed, str)
        or not hashing.HASH.fullmatch(hashed)
        or not isinstance(key_id, str | None)
    ):
        return None
    return ChainHead(session_id=session_id, step=step, hash=hashed, key_id=key_id)


async def stored_head(graph: Graph, namespace: str, session_id: str) -> FullHeadRow:
    """The head that a session stores, read again if no step has it.

    While somebody appends, it may come with values from before and from after.
    """
    sought: Parameters = {"namespace": namespace, "session_id": session_id}
    (row,) = await graph.run(READ_HEAD, sought)
    for _ in range(_MAX_READINGS):
        own = (row["head_step"], row["head_hash"], row["head_id"], row["head_key_id"])
        if own in [(it["step_index"], it["chain_hash"], it["id"], it["key_id"]) for it in row["last"]]:
            break
        (row,) = await graph.run(READ_HEAD, sought)
    return row


async def stored_heads(graph: Graph, namespace: str) -> AsyncIterator[tuple[str, ChainHead | None]]:
    """Every session of a namespace in the order of ids, with its head unless it has none that is sound."""
    after: str | None = ""
    while after is not None:
        page, after = await _read_page(graph, namespace, after, 1000)
        for each in page.items():
            yield each


async def _read_page(
    graph: Graph, namespace: str, after: str, limit: int
) -> tuple[dict[str, ChainHead | None], str | None]:
    """Sessions with their heads, and the last of them if more follow."""
    rows = await graph.run(READ_HEADS, {"namespace": namespace, "after": after, "take": limit + 1})
    last = rows[limit - 1]["session_id"] if len(rows) > limit else None
    page: dict[str, ChainHead | None] = {}
    for number, row in enumerate(rows):
        session = row["session_id"]
        if number == limit and session != last:
            break
        if not row["fits"]:
            row = await stored_head(graph, namespace, session)
        # Of two nodes with one id, nobody knows which has the head.
        page[session] = (
            None
            if session in page
            else head_of(session, row["head_step"], row["head_hash"], row["head_key_id"])
        )
    return page, last


def _statement(exported: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in exported.items() if name != "signature"}


def _wrong_signature() -> InvalidInput:
    return InvalidInput(
        "The signature of these heads is wrong: the heads were altered.",
        effect="Nothing was verified.",
        hint="Use the original export.",
    )
