"""Verification of many sessions, against heads and anchors that were kept outside the database."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.chain import Audit, ChainHead, ChainReport
from legacymind.model.progress import Progress, no_progress
from legacymind.services.chain import anchor_log
from legacymind.services.chain.anchor_line import AnchorLine, anchor_lines, not_an_anchor
from legacymind.services.chain.anchors import AnchorService
from legacymind.services.chain.checkpoint import Checkpoint
from legacymind.services.chain.faults import shown
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.signing import PublicKey, SigningKey, public_keys
from legacymind.services.chain.verification import ChainService
from legacymind.services.chain.walk import KnownHead
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service


class EvidenceRow(TypedDict):
    """The sessions of the thoughts that led to an action, and the ids of thoughts that are in no chain."""

    sessions: list[str]
    unproven: list[str]


READ_EVIDENCE = load("chain/read_evidence", EvidenceRow, writes=False)


_EFFECT = "Nothing was verified."


class AuditService(Service):
    """Verifies every session of a namespace, also those that only an export or an anchor still names."""

    _chain: ChainService
    _heads: HeadService
    _anchors: AnchorService

    async def verify_all(
        self,
        session_id: str | None = None,
        *,
        action_id: str | None = None,
        exports: Mapping[str, Mapping[str, Any]] | None = None,
        anchors: Sequence[str] = (),
        namespace: str | None = None,
        allow_unsigned: bool = False,
        require_key: bool = False,
        signer: str = "",
        progress: Progress = no_progress,
    ) -> Audit:
        """Verify every session, one, or those that prove an action, against any number of heads and anchors.

        ``exports`` are objects that ``legacymind heads --json`` printed, by the name that error messages use.
        ``anchors`` are texts with lines of anchors, or with checkpoints; those of other namespaces are
        skipped if one is of this. ``allow_unsigned`` accepts exports without a signature even if a chain key
        is set; ``require_key`` reports each step without a key as a fault. ``signer`` is a text with public
        keys: one of them must have signed every export, and a checkpoint of every anchor. With
        ``action_id``, thoughts that led to the action and are in no chain are listed as ``unproven``. Raises
        InvalidInput for an export or anchor that cannot be used, or that does not name the session, and
        NotFound when the session does not exist.
        """
        begun, signers = datetime.now(UTC), public_keys(signer) if signer else []
        machine = SigningKey.configured(self._settings)
        keys = signers or ([machine.public] if machine else [])
        # An anchor may be in several texts.
        given = list(dict.fromkeys(line for text in anchors for line in anchor_lines(text)))
        checkpoints = [each for text in anchors for each in Checkpoint.find(text)]
        if anchors and not given and not checkpoints:
            raise not_an_anchor()
        namespace = self._namespace_of([*given, *checkpoints], namespace)
        lines = [line for line in given if line.namespace in (None, namespace)]
        own = [each for each in checkpoints if each.namespace == namespace]
        lines, missing, proven = await self._signed(lines, own, signers, keys)
        exported = self._exported(
            exports or {}, session_id, namespace, allow_unsigned=allow_unsigned, signers=signers
        )
        known: dict[str, dict[KnownHead, None]] = {}  # in their order, since the source is not compared

        def note(head: ChainHead, source: str) -> None:
            own = KnownHead(head.step, head.hash, head.key_id, names_key=True, source=source)
            known.setdefault(head.session_id, {}).setdefault(own)

        for head, source in exported:
            note(head, source)
        latest = {head.session_id: head for head, _ in exported}
        lost = [f"{each.origin} {each.size}" for each in missing]
        for line in lines:
            leaves = await self._anchors.leaves(line, namespace, latest.values())
            if leaves is None:
                lost.append(str(line))
                continue
            for head in leaves.heads():
                note(head, f"anchored {line.time or line.root}{proven.get(str(line), '')}")
        if lines and not lost and session_id is not None and session_id not in known:
            raise InvalidInput(
                f"The anchor has no head of {session_id}.",
                effect=_EFFECT,
                hint="Check the id, or verify without the anchor if the session is newer.",
            )
        unproven, unnamed = list[str](), list[str]()
        if session_id is not None:
            sessions = [session_id]
        else:
            if action_id is not None:
                named, unproven = await self._evidence(action_id, namespace)
            else:
                # Include exported sessions, so that a deleted session is reported.
                named = {*known, *[session async for session in self._heads.sessions(namespace)]}
                unnamed = await self._heads.unnamed(namespace)
            sessions = sorted(filter(checks.is_key, named))
            unnamed += [
                f"A session whose id no call accepts: {shown(repr(each))}."
                for each in named.difference(sessions)
            ]
        reports: list[ChainReport] = []
        for done, session in enumerate(sessions):
            if len(sessions) > 1:
                progress("verifying sessions", done, len(sessions))
            try:
                report = await self._chain.verify(
                    session,
                    known=sorted(known.get(session, ()), key=lambda head: head.step),
                    namespace=namespace,
                    progress=progress,
                    require_key=require_key,
                    leaves_lost=bool(lost),
                )
            except NotFound:
                if session_id is not None:
                    raise
                continue  # It was deleted meanwhile.
            reports.append(report)
        return Audit(
            namespace=namespace,
            verified_at=begun,
            session_id=session_id,
            action_id=action_id,
            require_key=require_key or self._settings.chain_key_required,
            allow_unsigned=allow_unsigned,
            reports=reports,
            anchors=[str(line) for line in lines],
            heads=list(exports or {}),
            signers=[
                key.fingerprint
                for key in keys
                if signers
                or own
                or key.fingerprint in [each.get("keyId") for each in (exports or {}).values()]
            ],
            lost=lost,
            unproven=unproven,
            unnamed=unnamed,
        )

    async def _evidence(self, action_id: str, namespace: str) -> tuple[set[str], list[str]]:
        """The sessions that prove an action, and the thoughts that led to it and are in no chain."""
        (row,) = await self._graph.run(
            READ_EVIDENCE,
            {"namespace": namespace, "action_id": checks.key("action_id", action_id)},
        )
        if not row["sessions"] and not row["unproven"]:
            raise NotFound(
                f"No thought of this namespace led to {action_id}.", effect=_EFFECT, hint="Check the id."
            )
        return {*row["sessions"]}, sorted(row["unproven"])

    def _namespace_of(self, anchors: Sequence[AnchorLine | Checkpoint], requested: str | None) -> str:
        """The namespace to verify; anchors of other namespaces in the same file are skipped.

        Raises InvalidInput when all anchors are of other namespaces.
        """
        named = {each.namespace for each in anchors if each.namespace is not None}
        if requested is None and len(named) == 1:
            requested = named.pop()
        namespace = checks.namespace(requested, self._settings)
        if anchors and not any(each.namespace in (None, namespace) for each in anchors):
            raise InvalidInput(
                f"The anchor is of the namespace {anchors[0].namespace}, not of {namespace}.",
                effect=_EFFECT,
                hint="Pass the namespace of the anchor with --namespace.",
            )
        return namespace

    async def _signed(
        self,
        given: Sequence[AnchorLine],
        checkpoints: Sequence[Checkpoint],
        signers: Sequence[PublicKey],
        keys: Sequence[PublicKey],
    ) -> tuple[Sequence[AnchorLine], Sequence[Checkpoint], Mapping[str, str]]:
        """The given anchors with the last one of each checkpoint, checkpoints without their log, and which
        checkpoint has each line.

        Raises InvalidInput for a checkpoint that no known key signed, and, with ``signers``, for an anchor
        that is in the log of none.
        """
        kept = [str(line) for line in given]
        anchors, proven, missing = list(given), dict[str, str](), list[Checkpoint]()
        for checkpoint in checkpoints:
            key = next((key for key in keys if checkpoint.is_signed([key])), None)
            if key is None:
                raise InvalidInput(
                    f"The checkpoint of size {checkpoint.size} is not signed with "
                    f"{' or '.join(key.fingerprint for key in keys) or 'a known key'}.",
                    effect=_EFFECT,
                    hint="Pass the public key of its signer with --signer. If you did, it was altered.",
                )
            lines = await anchor_log.logged(self._graph, checkpoint, kept)
            if lines is None:
                missing.append(checkpoint)
            else:
                which = f", in the checkpoint of size {checkpoint.size} signed with {key.fingerprint}"
                proven = dict.fromkeys(lines, which) | proven
                anchors += anchor_lines(lines[-1])
        if signers and (unsigned := [line for line in kept if line not in proven]):
            raise InvalidInput(
                f"No checkpoint has signed this anchor: {unsigned[0]}.",
                effect=_EFFECT,
                hint="Pass a checkpoint that was made with it or after it, or omit --signer.",
            )
        return list(dict.fromkeys(anchors)), missing, proven

    def _exported(
        self,
        exports: Mapping[str, Mapping[str, Any]],
        session_id: str | None,
        namespace: str,
        *,
        allow_unsigned: bool,
        signers: Sequence[PublicKey],
    ) -> list[tuple[ChainHead, str]]:
        """The heads of all exports, each with what says where it is from.

        Raises InvalidInput if an export is of another namespace, is one of several pages and the next is
        missing, or has no head of ``session_id``.
        """
        found: list[tuple[ChainHead, str]] = []
        pages: list[tuple[str, str]] = []
        for name, export in exports.items():
            heads = self._heads.read_heads(export, allow_unsigned=allow_unsigned, signers=signers)
            source = f"exported {shown(export.get('exportedAt', 'at an unknown time'))}"
            if export.get("signature") is not None:
                source += f", signed with {shown(export.get('keyId'))}"
            found += [(head, source) for head in heads.values()]
            if export.get("namespace") != namespace:
                raise InvalidInput(
                    f"{name} has heads of another namespace than {namespace}.",
                    effect=_EFFECT,
                    hint="Pass the namespace of the heads with --namespace.",
                )
            if export.get("nextAfter") is not None:
                pages.append((str(export["nextAfter"]), name))
        known = {head.session_id for head, _ in found}
        if exports and session_id is not None and session_id not in known:
            raise InvalidInput(
                f"{', '.join(exports)} has no head of {session_id}.",
                effect=_EFFECT,
                hint="Use an export that includes this session.",
            )
        for last, name in pages:
            # Without the next page, a deleted session of that page would not be reported.
            if session_id is None and not any(session > last for session in known):
                raise InvalidInput(
                    f"{name} is one page of heads; sessions after {last} are on the next page.",
                    effect=_EFFECT,
                    hint="Export the next page too (legacymind heads --json --after ...), and pass each "
                    "with --against.",
                )
        return found
