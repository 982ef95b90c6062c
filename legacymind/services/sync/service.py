"""Synchronisation: writes what changed here to a place, and stores what other homes wrote there."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from legacymind.db.query import NoRow, load
from legacymind.errors import Conflict, InvalidInput, LegacyMindError
from legacymind.model.progress import Progress, no_progress
from legacymind.model.sync import SyncResult, SyncSource
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.collecting import READ_HORIZON, SyncSpan, changes
from legacymind.services.sync.segments import Place
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
KEEP_WRITTEN = load("sync/keep_written", NoRow, writes=True)
KEEP_NEXT = load("sync/keep_next", NoRow, writes=True)
KEEP_READ = load("sync/keep_read", NoRow, writes=True)

_SEGMENT: Final = 5_000
"""Lines of a segment."""

_NAMED: Final = 10
"""What was refused, of which the status of a source names so much."""


class SyncService(Service):
    """Synchronises a namespace with other homes through a folder."""

    async def sync(
        self,
        folder: Path,
        namespace: str | None = None,
        *,
        trust: bool = False,
        private: bool = False,
        dry_run: bool = False,
        new_replica: bool = False,
        progress: Progress = no_progress,
    ) -> SyncResult:
        """Store what other homes wrote to a folder, then write there what changed here.

        ``trust``: only the user's own homes write there, so that what they say is as trusted as here. Private
        sessions stay home without ``private``. Both are remembered for the place. A ``dry_run`` only counts.
        ``new_replica`` gives this home a new id, after its database was copied or restored. Raises
        InvalidInput if there is no such folder, and Conflict for a home that has the id of another one; what
        is wrong with one home's segments is in ``problems``, and stops no other.
        """
        own = checks.namespace(namespace, self._settings)
        path = await asyncio.to_thread(_resolved, folder)
        if path is None:
            raise InvalidInput(
                f"{folder} is not a folder.",
                effect="Nothing was synchronised.",
                hint="Create it, or mount it.",
            )
        await self._graph.ready()
        (state,) = await self._graph.run(
            OPEN_PLACE,
            {
                "namespace": own,
                "place": path,
                "trusted": trust,
                "private": private,
                "new_replica": new_replica,
            },
        )
        place = Place(folder, own)
        last = await asyncio.to_thread(place.last, state.replica)
        found = place.sha(state.replica, last) or ""
        if last == state.number + 1 and found == state.next_sha:  # a run ended after it had written this one
            state = replace(state, number=last, sha=found)
            await self._keep(own, path, last, found, state.until)
        if last > state.number or (last and found != state.sha):
            raise Conflict(
                f"Another home has written {place.file(state.replica, last)} with the id of this one: its "
                "database was copied, or this one was restored from a backup.",
                effect="Nothing was synchronised.",
                hint="Give this home an id of its own: `legacymind sync PLACE --new-replica`.",
            )
        others = [one for one in await asyncio.to_thread(place.replicas) if one != state.replica]
        here = Arrival(self._graph, self._keys, own, state.trusted)
        problems, sources = list[str](), list[SyncSource]()
        for other in others:
            number, sha = _known(state, other)
            written = await asyncio.to_thread(place.last, other)
            source = SyncSource(replica=other, read=number, written=written)
            sources.append(source)
            if dry_run:
                continue
            try:
                await self._read_all(place, path, here, source, sha, progress)
            except LegacyMindError as reason:
                problems.append(str(reason))
        if not dry_run:
            await retry(here)
        written = await self._write(place, path, own, state, others, progress, dry_run=dry_run)
        return SyncResult(
            namespace=own,
            place=path,
            replica=state.replica,
            trusted=state.trusted,
            written=written,
            **here.result.told(),
            problems=problems,
            sources=sources,
            dry_run=dry_run,
        )

    async def _read_all(
        self,
        place: Place,
        path: str,
        here: Arrival,
        source: SyncSource,
        sha: str,
        progress: Progress,
    ) -> None:
        """Store the segments of another home that are there, one after another.

        The last one is read again if it is another file now: one that was changed has been restored.
        """
        if await asyncio.to_thread(place.sha, source.replica, source.read) not in (None, sha):
            source.read -= 1
            sha = await asyncio.to_thread(place.sha, source.replica, source.read) or ""
        before = len(here.result.refused)
        while True:
            number = source.read + 1
            segment = await asyncio.to_thread(place.read, source.replica, number, sha)
            if segment is None:
                return
            await store(here, segment.lines)
            sha = segment.sha
            await self._graph.run(
                KEEP_READ,
                {
                    "namespace": here.namespace,
                    "place": path,
                    "replica": source.replica,
                    "number": number,
                    "sha": sha,
                    "refused": here.result.refused[before:][:_NAMED],
                },
            )
            source.read = number
            progress("reading segments", number, max(number, source.written))

    async def _write(
        self,
        place: Place,
        path: str,
        namespace: str,
        state: PlaceRow,
        others: list[str],
        progress: Progress,
        *,
        dry_run: bool,
    ) -> int:
        """Write what changed here as segments, and return the number of lines."""
        (until,) = await self._graph.run(READ_HORIZON, {})
        span = SyncSpan(namespace, state.replica, state.until, until, others, state.private)
        number, sha, count = state.number, state.sha, 0
        async for lines in _segments(changes(self._graph, span)):
            count += len(lines)
            if dry_run:
                continue
            number += 1
            packed, sha = await asyncio.to_thread(place.packed, state.replica, number, sha, lines)
            await self._graph.run(KEEP_NEXT, {"namespace": namespace, "place": path, "sha": sha})
            await asyncio.to_thread(place.write, state.replica, number, packed)
            await self._keep(namespace, path, number, sha, state.until)
            progress("writing segments", number, number + 1)
        if not dry_run:
            await self._keep(namespace, path, number, sha, until)
        return count

    async def _keep(self, namespace: str, path: str, number: int, sha: str, until: str) -> None:
        given = {"namespace": namespace, "place": path, "number": number, "sha": sha, "until": until}
        await self._graph.run(KEEP_WRITTEN, given)


def _resolved(folder: Path) -> str | None:
    return str(folder.resolve()) if folder.is_dir() else None


def _known(state: PlaceRow, replica: str) -> tuple[int, str]:
    """The last segment of a replica that was read, and its hash."""
    return next(
        ((int(number), str(sha)) for name, number, sha, *_ in state.sources if name == replica), (0, "")
    )


async def _segments(lines: AsyncIterator[dict[str, Any]]) -> AsyncIterator[list[dict[str, Any]]]:
    part: list[dict[str, Any]] = []
    async for line in lines:
        part.append(line)
        if len(part) == _SEGMENT:
            yield part
            part = []
    if part:
        yield part
