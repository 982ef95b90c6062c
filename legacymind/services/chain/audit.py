"""Verification of many sessions: a namespace against exported heads, or a whole database."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from typing import Any, Final

from legacymind.db import schema
from legacymind.db.inspection import inspect
from legacymind.db.options import Address, Limits
from legacymind.db.query import Parameters, load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.chain import Audit, ChainReport, ChainVerdict, FaultyChain, Survey
from legacymind.model.progress import Progress, no_progress
from legacymind.services.chain.faults import shown
from legacymind.services.chain.heads import HeadService, canonical
from legacymind.services.chain.reads import READ_CHAIN, READ_HEADS, stored_heads
from legacymind.services.chain.signing import public_keys
from legacymind.services.chain.verification import ChainService
from legacymind.services.chain.walk import KnownHead
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES
from legacymind.services.shared.service import Service
from legacymind.text.numbers import counted

MAX_LISTED: Final = 100
"""The most chains that a survey lists."""

_EFFECT: Final = "Nothing was verified."
_PAGE: Final = 50


ProvingSessions = tuple[list[str], list[str]]
"""The sessions of the thoughts that led to an action, and the ids of thoughts that are in no chain."""

READ_EVIDENCE = load("chain/read_evidence", ProvingSessions, writes=False)


Unnamed = tuple[str, int, list[Any]]
"""A label, the number of its nodes that have no session with an id, and what some have instead."""

READ_UNNAMED = load("chain/read_unnamed", Unnamed, writes=False)


class AuditService(Service):
    """Verifies every session, also those that only an export still names."""

    _chain: ChainService
    _heads: HeadService

    async def verify_all(
        self,
        session_id: str | None = None,
        *,
        action_id: str | None = None,
        exports: Mapping[str, Mapping[str, Any]] | None = None,
        namespace: str | None = None,
        allow_unsigned: bool = False,
        require_key: bool = False,
        signer: str = "",
        progress: Progress = no_progress,
    ) -> Audit:
        """Verify every session, one, or those that prove an action, against any number of exported heads.

        ``exports`` are objects that ``legacymind heads --json`` printed, by the name that error messages use.
        ``allow_unsigned`` accepts those without a signature; ``require_key`` reports each step without a key
        as a fault. ``signer`` is a text with public keys, one of which must have signed every export. Raises
        InvalidInput for an export that cannot be used, or that does not name the session, and NotFound when
        the session does not exist.
        """
        namespace = checks.namespace(namespace, self._settings)
        known, digests = self._known(
            exports or {}, session_id, namespace, allow_unsigned=allow_unsigned, signer=signer
        )
        unproven, odd = list[str](), list[str]()
        if session_id is not None:
            named = {checks.key("session_id", session_id)}
        elif action_id is not None:
            named, unproven = await self._evidence(action_id, namespace)
        else:
            # With those of exports, so that a deleted session is reported.
            named = {*known, *[session async for session, _ in stored_heads(self._graph, namespace)]}
            odd = await self._unnamed(namespace)
        reports = list[ChainReport]()
        for done, session in enumerate(sorted(named)):
            if len(named) > 1:
                progress("verifying sessions", done, len(named))
            if not checks.is_key(session):
                odd.append(f"A session whose id no call accepts: {shown(repr(session))}.")
                continue
            heads = sorted(dict.fromkeys(known.get(session, ())), key=lambda head: head.step)
            try:
                report = await self._chain.judge(namespace, session, heads, progress, require_key=require_key)
            except NotFound:  # deleted meanwhile
                if session_id is not None:
                    raise
            else:
                reports.append(report)
        return Audit(reports=reports, heads=digests, unproven=unproven, unnamed=odd)

    async def survey(self, progress: Progress = no_progress, *, namespace: str | None = None) -> Survey:
        """Verify every session of every namespace, or of one, in constant memory.

        ``progress`` gets the number of verified sessions. At most 100 chains that are not intact are listed.
        """
        verdicts, thoughts, faulty = Counter[ChainVerdict](), 0, list[FaultyChain]()

        def note(own: str, session: str, verdict: ChainVerdict, message: str) -> None:
            verdicts[verdict] += 1
            if verdict != "intact" and len(faulty) < MAX_LISTED:
                faulty.append(
                    FaultyChain(namespace=own, session_id=session, verdict=verdict, message=message)
                )
            progress("Verifying chains", verdicts.total(), verdicts.total() + 1)

        async for own in self._namespaces(namespace):
            async for session, _ in stored_heads(self._graph, own):
                if not checks.is_key(session):
                    note(own, shown(session), "broken", "No call accepts the id of this session.")
                    continue
                try:
                    report = await self._chain.judge(own, session)
                except NotFound:  # deleted meanwhile
                    continue
                thoughts += report.thought_count
                note(own, session, report.verdict, report.message)
            for odd in await self._unnamed(own):
                note(own, "", "broken", odd)
        progress("Verifying chains", 1, 1)
        return Survey(
            sessions=verdicts.total(),
            thoughts=thoughts,
            intact=verdicts["intact"],
            broken=verdicts["broken"],
            truncated=verdicts["truncated"],
            unverifiable=verdicts["unverifiable"],
            faulty=faulty,
        )

    def _known(
        self,
        exports: Mapping[str, Mapping[str, Any]],
        session_id: str | None,
        namespace: str,
        *,
        allow_unsigned: bool,
        signer: str,
    ) -> tuple[Mapping[str, list[KnownHead]], dict[str, str]]:
        """The heads of all exports by session, and the SHA-256 of each export.

        Raises InvalidInput if an export is of another namespace, is one of several pages and the next is
        missing, or if none has a head of ``session_id``.
        """
        signers = public_keys(signer) if signer else []
        known, digests = defaultdict[str, list[KnownHead]](list), dict[str, str]()
        for name, export in exports.items():
            heads = self._heads.read_heads(export, allow_unsigned=allow_unsigned, signers=signers)
            if export.get("namespace") != namespace:
                raise InvalidInput(
                    f"{name} has heads of another namespace than {namespace}.",
                    effect=_EFFECT,
                    hint="Pass the namespace of the heads with --namespace.",
                )
            digests[name] = sha256(canonical(export)).hexdigest()
            source = f"exported {shown(export.get('exportedAt', 'at an unknown time'))}"
            if export.get("signature") is not None:
                source += f", signed with {shown(export.get('keyId'))}"
            for session, head in heads.items():
                known[session].append(KnownHead(head.step, head.hash, head.key_id, source))
        if exports and session_id is not None and session_id not in known:
            raise InvalidInput(
                f"{', '.join(exports)} has no head of {session_id}.",
                effect=_EFFECT,
                hint="Use an export that includes this session.",
            )
        for name, export in exports.items():
            # Without the next page, a deleted session of that page would not be reported.
            last = export.get("next")
            if last is not None and session_id is None and not any(session > last for session in known):
                raise InvalidInput(
                    f"{name} is one page of heads; sessions after {last} are on the next page.",
                    effect=_EFFECT,
                    hint="Export the next page too (legacymind heads --json --after ...), and pass each "
                    "with --against.",
                )
        return known, digests

    async def _evidence(self, action_id: str, namespace: str) -> tuple[set[str], list[str]]:
        """The sessions that prove an action, and the thoughts that led to it and are in no chain."""
        ((sessions, unproven),) = await self._graph.run(
            READ_EVIDENCE,
            {"namespace": namespace, "action_id": checks.key("action_id", action_id)},
        )
        if not sessions and not unproven:
            raise NotFound(
                f"No thought of this namespace led to {action_id}.", effect=_EFFECT, hint="Check the id."
            )
        return {*sessions}, sorted(unproven)

    async def _unnamed(self, namespace: str) -> list[str]:
        """What somebody made that belongs to no session with an id, in words."""
        return [
            f"{counted(nodes, label + ' node')} of a session whose id is no text: "
            + (", ".join(shown(repr(name)) for name in names) or "none")
            + "."
            for label, nodes, names in await self._graph.run(READ_UNNAMED, {"namespace": namespace})
        ]

    async def _namespaces(self, only: str | None) -> AsyncIterator[str]:
        if only is not None:
            yield only
            return
        after = ""
        while True:
            (names,) = await self._graph.run(LIST_NAMESPACES, {"after": after, "take": _PAGE})
            for name in names:
                yield name
            if len(names) < _PAGE:
                return
            after = names[-1]


async def read_some(address: Address, limits: Limits) -> None:
    """Read what LegacyMind keeps about a database, and the end of one chain.

    Raises NotFound if the database was never used by LegacyMind, and a DatabaseError if it cannot be read.
    """
    async with inspect(address, limits) as opened:
        if schema.check(await opened.read_server(), address.uri) == {}:
            raise NotFound("LegacyMind has stored nothing in it.")
        (names,) = await opened.run(LIST_NAMESPACES, {"after": "", "take": 1})
        for namespace in names:
            sessions: Parameters = {"namespace": namespace, "after": "", "take": 1}
            for session, _, step, *_ in await opened.run(READ_HEADS, sessions):
                end = step - 1 if type(step) is int else -1
                chain: Parameters = {"namespace": namespace, "session_id": session, "after": end}
                await opened.run(READ_CHAIN, chain)
