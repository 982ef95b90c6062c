"""Synchronisation: writes what changed here to a place, and stores what other homes wrote there."""

import asyncio
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Final

from legacymind.db.query import NoRow, load
from legacymind.errors import Conflict, LegacyMindError
from legacymind.model.progress import Progress, no_progress
from legacymind.model.sync import SyncResult, SyncSource
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.collecting import READ_HORIZON, SyncSpan, changes
from legacymind.services.sync.segments import Place, refused, segments
from legacymind.services.sync.server import opened
from legacymind.services.sync.waiting import retry, store


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRow:
    """What this home knows about a place. A source is replica, number and hash of the last segment read.

    ``next_sha`` is the hash of the segment after ``number``, which a run that ended may have written.
    """

    replica: str
    trusted: bool
    private: bool
    number: int
    sha: str
    next_sha: str
    until: str
    sources: list[list[Any]]


OPEN_PLACE = load("sync/open_place", PlaceRow, writes=True)
KEEP = load("sync/keep", NoRow, writes=True)

_NAMED: Final = 10
"""What was refused, of which the status of a source names so much."""


class SyncService(Service):
    """Synchronises a namespace with other homes through a folder or a server."""

    async def sync(
        self,
        place: str | PathLike[str],
        namespace: str | None = None,
        *,
        token: str | None = None,
        trust: bool = False,
        private: bool = False,
        dry_run: bool = False,
        new_replica: bool = False,
        progress: Progress = no_progress,
    ) -> SyncResult:
        """Store what other homes wrote to a place, then write there what changed here.

        A place is a folder, or the address of a server, to which ``token`` gives access.

        ``trust``: only the user's own homes write there, so that what they say is as trusted as here. Private
        sessions stay home without ``private``. Both are remembered for the place. A ``dry_run`` only counts.
        ``new_replica`` gives this home a new id, after its database was copied or restored. Raises
        InvalidInput if there is no such place, EngineError for a server that does not answer, RequestRefused
        by its token, and Conflict for a home that has the id of another one; what is wrong with one home's
        segments is in ``problems``, and stops no other.
        """
        own = checks.namespace(namespace, self._settings)
        async with opened(place, own, token) as there:
            last = await there.last()
            await self._graph.ready()
            (state,) = await self._graph.run(
                OPEN_PLACE,
                {
                    "namespace": own,
                    "place": there.name,
                    "trusted": trust,
                    "private": private,
                    "new_replica": new_replica,
                },
            )
            state = await self._continued(there, own, state, *last.pop(state.replica, (0, "")))
            here = Arrival(self._graph, self._keys, own, state.trusted)
            problems, sources = list[str](), list[SyncSource]()
            for other, (written, sha) in last.items():
                read, known = next((one[1:] for one in state.sources if one[0] == other), (0, ""))
                source = SyncSource(replica=other, read=read, written=written)
                sources.append(source)
                if dry_run:
                    continue
                try:
                    await self._read_all(there, here, source, sha, known, progress)
                except LegacyMindError as reason:
                    problems.append(str(reason))
            if not dry_run:
                await retry(here)
            lines = await self._write(there, here, state, [*last], progress, dry_run=dry_run)
        return SyncResult(
            namespace=own,
            place=there.name,
            replica=state.replica,
            trusted=state.trusted,
            written=lines,
            **here.result.told(),
            problems=problems,
            sources=sources,
            dry_run=dry_run,
        )

    async def _continued(
        self, place: Place, namespace: str, state: PlaceRow, last: int, sha: str
    ) -> PlaceRow:
        """The state with the last segment of this home, if a run ended after it had written that one.

        Raises Conflict if another home wrote it.
        """
        if last == state.number + 1 and sha == state.next_sha:
            state = replace(state, number=last, sha=sha)
            await self._keep(place, namespace, state.replica, number=last, sha=sha)
        if last > state.number or (last and sha != state.sha):
            raise Conflict(
                f"Another home has written {place.where(state.replica, last)} with the id of this one: its "
                "database was copied, or this one was restored from a backup.",
                effect="Nothing was synchronised.",
                hint="Give this home an id of its own: `legacymind sync PLACE --new-replica`.",
            )
        return state

    async def _read_all(
        self,
        place: Place,
        here: Arrival,
        source: SyncSource,
        last: str,
        sha: str,
        progress: Progress,
    ) -> None:
        """Store the segments of another home that are there, one after another, after that with ``sha``.

        That one is read again if it is another file now: one that was changed has been restored. ``last`` is
        the SHA-256 of the last segment.
        """
        if source.read:
            at_end = source.read == source.written
            found = last if at_end else await place.sha(source.replica, source.read)
            if found not in (None, sha):
                source.read -= 1
                sha = await place.sha(source.replica, source.read) or ""
        before = len(here.result.refused)
        while source.read < source.written:
            number = source.read + 1
            segment = await place.read(source.replica, number, sha)
            if segment is None:
                return
            try:
                await store(here, segment.lines)
            except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as reason:
                where = place.where(source.replica, number)
                raise refused(where, f"a line has what no home writes ({type(reason).__name__})") from reason
            sha, names = segment.sha, here.result.refused[before:][:_NAMED]
            await self._keep(place, here.namespace, source.replica, number=number, sha=sha, refused=names)
            source.read = number
            progress("reading segments", number, source.written)

    async def _write(
        self,
        place: Place,
        here: Arrival,
        state: PlaceRow,
        others: list[str],
        progress: Progress,
        *,
        dry_run: bool,
    ) -> int:
        """Write what changed here as segments, and return the number of lines.

        What a transaction that still runs changes is written the next time, with all that changed meanwhile.
        """
        (until,) = await self._graph.run(READ_HORIZON, {})
        span = SyncSpan(here.namespace, state.replica, state.until, others, state.private)
        number, sha, count = state.number, state.sha, 0
        async for lines in segments(changes(self._graph, span)):
            count += len(lines)
            if dry_run:
                continue
            number += 1
            packed, sha = await asyncio.to_thread(place.packed, state.replica, number, sha, lines)
            await self._keep(place, here.namespace, state.replica, next_sha=sha)
            refused = await place.put(state.replica, number, packed)
            here.result.refused += (f"{place.name}: {one}" for one in refused)
            await self._keep(place, here.namespace, state.replica, number=number, sha=sha)
            progress("writing segments", number, number + 1)
        if not dry_run:
            await self._keep(place, here.namespace, state.replica, until=until)
        return count

    async def _keep(self, place: Place, namespace: str, replica: str, **kept: int | str | list[str]) -> None:
        given = {"namespace": namespace, "place": place.name, "replica": replica, "kept": kept}
        await self._graph.run(KEEP, given)
