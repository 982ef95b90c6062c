"""How far a namespace is synchronised with each place and each home that writes there."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

from legacymind.db.query import load
from legacymind.errors import NotFound
from legacymind.model.sync import SourceStatus, SyncStatus
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.segments import Place
from legacymind.services.sync.server import name_of

READ_STATUS = load("sync/read_status", SyncStatus, writes=False)
"""What the database knows: no source has a ``written``."""


class SyncStatusService(Service):
    """Says how far a namespace is synchronised."""

    async def status(
        self, place: str | PathLike[str] | None = None, namespace: str | None = None
    ) -> SyncStatus:
        """How far this home has written to each place, or to one, and read the others there.

        Changes nothing, and asks no server. Raises NotFound for a place with which the namespace was never
        synchronised.
        """
        own = checks.namespace(namespace, self._settings)
        (known,) = await self._graph.run(READ_STATUS, {"namespace": own})
        places = known.places
        if place is not None:
            name = await name_of(place)
            places = [one for one in places if one.place == name]
            if not places:
                raise NotFound(
                    f"The namespace {own} was never synchronised with {name}.",
                    effect="Nothing changed.",
                    hint="`legacymind sync --status` names the places that it knows.",
                )
        sources: list[SourceStatus] = []
        for one in places:
            read = {source.replica: source for source in known.sources if source.place == one.place}
            sources += await _sources(own, one.place, known.replica, read)
        return replace(known, places=places, sources=sources)


async def _sources(
    namespace: str, path: str, own: str | None, read: Mapping[str, SourceStatus]
) -> list[SourceStatus]:
    """The other homes at a place: those that were read, and those that have only written yet."""
    if not await asyncio.to_thread(Path(path).is_dir):
        return [*read.values()]
    last = await Place(path, namespace).last()
    new = {
        replica: SourceStatus(place=path, replica=replica, read=0, written=None, read_at=None, refused=[])
        for replica in last
        if replica != own
    }
    found = sorted({**new, **read}.items())
    return [replace(source, written=last.get(replica, (0, ""))[0]) for replica, source in found]
