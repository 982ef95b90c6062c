"""How far a namespace is synchronised with each place and each home that writes there."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from legacymind.db.query import load
from legacymind.errors import NotFound
from legacymind.model.sync import PlaceStatus, SourceStatus, SyncStatus
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.segments import Place


class ReadSource(TypedDict):
    """How far a home was read at a place."""

    place: str
    replica: str
    read: int
    read_at: datetime | None
    refused: list[str]


class StatusRow(TypedDict):
    """What the database knows of a namespace's places."""

    replica: str | None
    places: list[PlaceStatus]
    sources: list[ReadSource]
    waiting: int
    waiting_for: list[str]


READ_STATUS = load("sync/read_status", StatusRow, writes=False)


class SyncStatusService(Service):
    """Says how far a namespace is synchronised."""

    async def status(self, folder: Path | None = None, namespace: str | None = None) -> SyncStatus:
        """How far this home has written to each place, or to one, and read the others there.

        Changes nothing. Raises NotFound for a folder with which the namespace was never synchronised.
        """
        own = checks.namespace(namespace, self._settings)
        (row,) = await self._graph.run(READ_STATUS, {"namespace": own})
        places = row["places"]
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
            known = {one["replica"]: one for one in row["sources"] if one["place"] == place.place}
            sources += await asyncio.to_thread(_sources, own, place.place, row["replica"], known)
        return SyncStatus(
            namespace=own,
            replica=row["replica"],
            waiting=row["waiting"],
            waiting_for=row["waiting_for"],
            places=places,
            sources=sources,
        )


def _sources(
    namespace: str, path: str, own: str | None, known: Mapping[str, ReadSource]
) -> list[SourceStatus]:
    """The other homes at a place: those that were read, and those that have only written yet."""
    place = Place(Path(path), namespace) if Path(path).is_dir() else None
    new = {*place.replicas()} - {own, *known} if place else set[str]()
    return [
        SourceStatus(
            place=path,
            replica=replica,
            read=row["read"] if row else 0,
            written=place.last(replica) if place else None,
            read_at=row["read_at"] if row else None,
            refused=row["refused"] if row else [],
        )
        for replica in sorted({*known, *new})
        for row in [known.get(replica)]
    ]
