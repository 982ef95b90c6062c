"""Verification of every session of every namespace, summed up: what a restored database is checked with."""

from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

from legacymind.db import schema
from legacymind.db.inspection import inspect
from legacymind.db.options import Address, Limits
from legacymind.db.query import Parameters
from legacymind.errors import NotFound
from legacymind.model.base import ChainVerdict
from legacymind.model.chain import FaultyChain, Survey
from legacymind.model.progress import Progress, no_progress
from legacymind.services.chain.faults import shown
from legacymind.services.chain.heads import HeadService
from legacymind.services.chain.verification import ChainService
from legacymind.services.chain.walk import READ_CHAIN, READ_HEADS
from legacymind.services.shared import checks
from legacymind.services.shared.quotas import LIST_NAMESPACES
from legacymind.services.shared.service import Service, ServiceContext, Services

MAX_LISTED: Final = 100
"""The most chains that a summary lists."""

_PAGE: Final = 50


async def read_some(address: Address, limits: Limits) -> None:
    """Read what LegacyMind keeps about a database, and the end of one chain.

    Raises NotFound if the database was never used by LegacyMind, and a DatabaseError if it cannot be read.
    """
    async with inspect(address, limits) as opened:
        if schema.check(await opened.read_server(), address.uri) == {}:
            raise NotFound("LegacyMind has stored nothing in it.")
        (row,) = await opened.run(LIST_NAMESPACES, {"after": "", "take": 1})
        for namespace in row["names"]:
            sessions: Parameters = {"namespace": namespace, "after": "", "take": 1}
            for head in await opened.run(READ_HEADS, sessions):
                end = head["head_step"] - 1 if type(head["head_step"]) is int else -1
                chain: Parameters = {"namespace": namespace, "session_id": head["session_id"], "after": end}
                await opened.run(READ_CHAIN, chain)


class SurveyService(Service):
    """Verifies all sessions of a database in constant memory."""

    def __init__(self, context: ServiceContext, services: Services) -> None:
        super().__init__(context, services)
        everywhere = context.everywhere()
        self._chain = ChainService(everywhere, services)
        self._heads = HeadService(everywhere, services)

    async def survey(self, progress: Progress = no_progress, *, namespace: str | None = None) -> Survey:
        """Verify every session of every namespace, or of one; at most 100 chains that are not intact are
        listed.

        ``progress`` gets the number of verified sessions.
        """
        verdicts: Counter[str] = Counter()
        thoughts, faulty = 0, list[FaultyChain]()
        async for own in self._namespaces(namespace):
            async for session, verdict, count, message in self._verdicts(own):
                thoughts += count
                verdicts[verdict] += 1
                if verdict != "intact" and len(faulty) < MAX_LISTED:
                    faulty.append(
                        FaultyChain(namespace=own, session_id=session, verdict=verdict, message=message)
                    )
                progress("Verifying chains", verdicts.total(), verdicts.total() + 1)
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

    async def _verdicts(self, namespace: str) -> AsyncIterator[tuple[str, ChainVerdict, int, str]]:
        """Of each session of a namespace, the verdict, the number of thoughts and the message."""
        async for session in self._heads.sessions(namespace):
            if not checks.is_key(session):
                yield shown(session), "broken", 0, "No call accepts the id of this session."
                continue
            try:
                report = await self._chain.verify(session, namespace=namespace)
            except NotFound:  # deleted meanwhile
                continue
            yield session, report.verdict, report.thought_count, report.message
        for each in await self._heads.unnamed(namespace):
            yield "", "broken", 0, each

    async def _namespaces(self, only: str | None) -> AsyncIterator[str]:
        if only is not None:
            yield only
            return
        after = ""
        while True:
            (row,) = await self._graph.run(LIST_NAMESPACES, {"after": after, "take": _PAGE})
            for name in row["names"]:
                yield name
            if len(row["names"]) < _PAGE:
                return
            after = row["names"][-1]
