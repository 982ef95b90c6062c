"""How far a namespace is synchronised with each place and each home that writes there."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from legacymind.db.query import load
from legacymind.errors import NotFound
from legacymind.model.sync import SourceStatus, SyncStatus
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.segments import Place

READ_STATUS = load("sync/read_status", SyncStatus, writes=False)
"""What the database knows: no source has a ``written``."""


class SyncStatusService(Service):
    """Says how far a namespace is synchronised."""

    async def status(self, folder: Path | None = None, namespace: str | None = None) -> SyncStatus:
        """How far this home has written to each place, or to one, and read the others there.

        Changes nothing. Raises NotFound for a folder with which the namespace was never synchronised.
        """
        own = checks.namespace(namespace, self._settings)
        (known,) = await self._graph.run(READ_STATUS, {"namespace": own})
        places = known.places
        if folder is not None:
            path = str(await asyncio.to_thread(folder.resolve))
            places = [place for place in places if place.place == path]
            if not places:
                raise NotFound(
                    f"The namespace {own} was never synchronised with {path}.",
                    effect="Nothing changed.",
                    hint="`legacymind sync --status` names the folders that it knows.",
                )
        sources: list[SourceStatus] = []
        for place in places:
            read = {one.replica: one for one in known.sources if one.place == place.place}
            sources += await asyncio.to_thread(_sources, own, place.place, known.replica, read)
        return replace(known, places=places, sources=sources)


def _sources(
    namespace: str, path: str, own: str | None, read: Mapping[str, SourceStatus]
) -> list[SourceStatus]:
    """The other homes at a place: those that were read, and those that have only written yet."""
    place = Place(Path(path), namespace) if Path(path).is_dir() else None
    if place is None:
        return [*read.values()]
    new = {
        replica: SourceStatus(place=path, replica=replica, read=0, written=None, read_at=None, refused=[])
        for replica in place.replicas()
        if replica != own
    }
    found = sorted({**new, **read}.items())
    return [replace(source, written=place.last(replica)) for replica, source in found]
