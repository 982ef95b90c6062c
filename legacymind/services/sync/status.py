"""How far a namespace is synchronised with each place and each home that writes there."""

import asyncio
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
            seen = await asyncio.to_thread(Path(one.place).is_dir)
            last = await Place(one.place, own).last() if seen else {}
            for replica in sorted({*read, *last} - {known.replica}):
                source = read.get(replica) or SourceStatus(place=one.place, replica=replica)
                written, _ = last.get(replica, (0, "")) if seen else (None, "")
                sources.append(replace(source, written=written))
        return replace(known, places=places, sources=sources)
