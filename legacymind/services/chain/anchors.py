"""Anchors: the Merkle root over the chain heads of a namespace, to be kept outside the database."""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Self, TypedDict
from uuid import uuid4

from pydantic import Field

from legacymind.db.query import load
from legacymind.errors import ChainBroken, InvalidInput, LegacyMindError, NotFound
from legacymind.model.about import about
from legacymind.model.chain import Anchor, AnchorFormat, AnchorProof, ChainHead
from legacymind.model.members import Id
from legacymind.operations.registry import operation
from legacymind.services.chain import anchor_log, hashing
from legacymind.services.chain.anchor_line import AnchorLine
from legacymind.services.chain.checkpoint import Checkpoint, verifier_key
from legacymind.services.chain.faults import shown
from legacymind.services.chain.heads import head_of, stored_head, stored_heads
from legacymind.services.chain.merkle import MerkleTree, leaf_hash
from legacymind.services.chain.signing import SigningKey
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service


class StoredRow(TypedDict):
    """The number of leaves that were stored."""

    stored: int


STORE_LEAVES = load("chain/store_leaves", StoredRow, writes=True)


_PART: Final = 1000
"""Leaves of one stored part."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a tree, one session each, in the order of session ids.

    A leaf is the canonical JSON of ``hash``, ``key_id`` (absent without a key), ``namespace``, ``session_id``
    and ``step``: the head of the session when it was anchored.
    """

    texts: Sequence[str]
    tree: MerkleTree

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The leaves with these texts, and their tree."""
        return cls(texts, MerkleTree(leaf_hash(text.encode()) for text in texts))

    def heads(self) -> list[ChainHead]:
        """The head in each leaf that has one: somebody may have made a root over any texts."""
        return [head for head in map(_head, self.texts) if head is not None]


class AnchorService(Service):
    """Anchors chain heads, and proves sessions against anchors.

    The database keeps an anchor's leaves. Nobody has to trust it for that: leaves of another root are
    rejected.
    """

    @operation(tool="chain_anchor", command="anchor", writes=True, profile="full")
    async def anchor(
        self,
        session_id: Annotated[Id | None, about("One session", "Session to anchor. Default: all")] = None,
        format: Annotated[
            AnchorFormat,
            about("Or signed", "`checkpoint` also signs the log of all anchors, as of C2SP"),
        ] = "line",
        old_size: Annotated[
            int | None,
            Field(ge=0, le=2**31 - 1),
            about("Old size", "Size of the checkpoint that a witness has; adds the proof from it"),
        ] = None,
        new_log: Annotated[
            bool,
            about("New log", "Begin another log of anchors, because the stored one was damaged or is lost"),
        ] = False,
        namespace: Namespace = None,
    ) -> Anchor:
        """Anchor all chain heads: one line, to be kept elsewhere.

        The line has the root of a Merkle tree (RFC 9162) over the heads. Kept where nobody can change it, it
        proves later that the sessions, which may have grown, still have the history that they had. The
        leaves of the tree are stored in the database, and the line is appended to a log of anchors there.
        Nothing is verified. Raises NotFound when there is no session, ChainBroken when none has a head or the
        log was damaged, and ConfigurationError for a checkpoint without a signing key.
        """
        if old_size is not None and format != "checkpoint":
            raise InvalidInput(
                "old_size needs the format checkpoint.", effect="Nothing was anchored.", hint="Pass both."
            )
        key = SigningKey.required(self._settings, "A checkpoint") if format == "checkpoint" else None
        namespace = checks.namespace(namespace, self._settings)
        session = checks.key("session_id", session_id)
        heads, headless = await self._read(namespace, session)
        if not heads:
            raise _nothing(namespace, session, headless)
        leaves = Leaves.of(_texts(namespace, heads))
        root, now = leaves.tree.root.hex(), datetime.now(UTC)
        line = AnchorLine(root, namespace, leaves.tree.size, hashing.utc(now), session)
        # The leaves follow: where anchors are stored, there was a log.
        checkpoint, log = await anchor_log.append(
            self._graph, namespace, str(line), now, old_size=old_size or 0, anew=new_log
        )
        if await self.leaves(AnchorLine(root), namespace) is None:
            await self._store(leaves, namespace, root, now)
        return Anchor(
            success=True,
            line=str(line),
            checkpoint=checkpoint.signed(key) if key else None,
            verifier_key=verifier_key(checkpoint.origin, key.public) if key else None,
            old_size=old_size,
            consistency=[base64.b64encode(each).decode() for each in log.consistency(old_size or 0)],
            root=root,
            sessions=leaves.tree.size,
            namespace=namespace,
            session_id=session,
            created_at=now,
            headless=headless,
        )

    @operation(tool="chain_anchor_proof", command="anchor-proof", writes=False, profile="full")
    async def anchor_proof(
        self,
        anchor: Annotated[
            str,
            about("Its line", "Line of the anchor, its root, or a checkpoint, whose last anchor is meant"),
        ],
        session_id: Annotated[Id, about("Session id", "Session to prove")],
        namespace: Namespace = None,
    ) -> AnchorProof:
        """Prove that an anchor includes a session's head.

        The proof is a leaf of a Merkle tree and its path to the root. With a checkpoint, the last anchor
        with this session is proven, and that the checkpoint includes it; its signature is not checked.
        docs/chain.md has a program that checks the proof. Raises NotFound when the anchor's leaves or the
        checkpoint's log are lost or were changed, or have no head of the session.
        """
        session = checks.key("session_id", session_id)
        if checkpoints := Checkpoint.find(anchor):
            checkpoint = max(checkpoints, key=lambda each: each.size)
            namespace = self.namespace_of(AnchorLine("", checkpoint.namespace), namespace)
            lines = await anchor_log.logged(self._graph, checkpoint, [])
            if lines is None:
                raise _lost("The log of this checkpoint is lost or was changed.")
        else:
            checkpoint, lines = None, [anchor]
            namespace = self.namespace_of(AnchorLine.parse(anchor), namespace)
        lost = False
        for number in reversed(range(len(lines))):
            try:
                line = AnchorLine.parse(lines[number])
            except InvalidInput:
                if checkpoint is None:
                    raise
                continue  # Somebody put it into the log.
            if line.session_id not in (None, session):
                continue
            leaves = await self.leaves(line, namespace)
            if leaves is None:
                lost = True
                continue
            found = next((one for one in enumerate(leaves.heads()) if one[1].session_id == session), None)
            if found is None:
                continue
            index, head = found
            return AnchorProof(
                success=True,
                namespace=namespace,
                session_id=session,
                step=head.step,
                hash=head.hash,
                key_id=head.key_id,
                leaf=leaves.texts[index],
                leaf_index=index,
                tree_size=leaves.tree.size,
                path=[sibling.hex() for sibling in leaves.tree.path(index)],
                root=line.root,
                line=lines[number].strip(),
                log_proof=checkpoint and checkpoint.proof(number, anchor_log.tree_of(lines).path(number)),
            )
        if lost:
            raise _lost("The leaves of this anchor are lost or were changed.")
        raise NotFound(
            f"This anchor has no head of {session}.",
            effect="Nothing was proven.",
            hint="Check the id. The session may be newer than the anchor.",
        )

    def namespace_of(self, line: AnchorLine, requested: str | None) -> str:
        """The namespace of an anchor; raises InvalidInput when another one is requested."""
        namespace = checks.namespace(requested or line.namespace, self._settings)
        if line.namespace not in (None, namespace):
            raise InvalidInput(
                f"The anchor is of the namespace {line.namespace}, not of {namespace}.",
                effect="Nothing was verified.",
                hint="Omit the namespace, or pass that of the anchor.",
            )
        return namespace

    async def leaves(
        self, line: AnchorLine, namespace: str, exported: Iterable[ChainHead] = ()
    ) -> Leaves | None:
        """The leaves of an anchor, from exported heads or from the database; None when neither has them."""
        candidate = Leaves.of(_texts(namespace, exported))
        if _is_of(candidate, line, namespace):
            return candidate
        async for texts in anchor_log.stored_leaves(self._graph, line.root, namespace):
            candidate = Leaves.of(texts)
            if _is_of(candidate, line, namespace):
                return candidate
        return None

    async def _read(self, namespace: str, session: str | None) -> tuple[list[ChainHead], list[str]]:
        """The heads to anchor, and the sessions without a sound one, which cannot be anchored."""
        if session is not None:
            row = await stored_head(self._graph, namespace, session)
            head = head_of(session, row["head_step"], row["head_hash"], row["head_key_id"])
            if row["sessions"] == 1 and head is not None:
                return [head], []
            return [], [session] if row["sessions"] else []
        heads, headless = list[ChainHead](), list[str]()
        async for name, head in stored_heads(self._graph, namespace):
            if head is None:
                headless.append(name)
            else:
                heads.append(head)
        return heads, headless

    async def _store(self, leaves: Leaves, namespace: str, root: str, now: datetime) -> None:
        own_id = str(uuid4())
        for number, start in enumerate(range(0, len(leaves.texts), _PART)):
            await self._graph.run(
                STORE_LEAVES,
                {
                    "namespace": namespace,
                    "root": root,
                    "id": own_id,
                    "number": number,
                    "created_at": now,
                    "leaves": list(leaves.texts[start : start + _PART]),
                },
            )


def _nothing(namespace: str, session: str | None, headless: Sequence[str]) -> LegacyMindError:
    """The error if there is no head to anchor."""
    if headless:
        return ChainBroken(
            f"No session to anchor has a sound head: {shown(', '.join(headless))}.",
            effect="Nothing was anchored.",
            hint="Run `legacymind verify`, which says what was changed.",
        )
    return NotFound(
        f"There is no session {session} in this namespace."
        if session is not None
        else f"The namespace {namespace} has no sessions.",
        effect="Nothing was anchored.",
        hint="Check the id. A session is created with its first thought."
        if session is not None
        else "Check the namespace and the database address.",
    )


def _lost(what: str) -> NotFound:
    return NotFound(
        what,
        effect="Nothing was proven.",
        hint="Check the line or checkpoint, the namespace and the database address.",
    )


def _is_of(leaves: Leaves, line: AnchorLine, namespace: str) -> bool:
    return (
        leaves.tree.root.hex() == line.root
        and line.sessions in (None, leaves.tree.size)
        and bool(leaves.texts)
        and list(leaves.texts) == _texts(namespace, leaves.heads())
    )


def _texts(namespace: str, heads: Iterable[ChainHead]) -> list[str]:
    """The leaf of each head, in the order of session ids by code points, which a database may not have."""
    return [
        hashing.canonical(
            {
                "hash": head.hash,
                "key_id": head.key_id,
                "namespace": namespace,
                "session_id": head.session_id,
                "step": head.step,
            }
        ).decode()
        for head in sorted(heads, key=lambda head: head.session_id)
    ]


def _head(leaf: str) -> ChainHead | None:
    try:
        read = json.loads(leaf)
        return head_of(read["session_id"], read["step"], read["hash"], read.get("key_id"))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return None
