"""Continuity fields: their indexes, and relationships for links that only properties have."""

from dataclasses import dataclass, field
from typing import Final, TypedDict

from legacymind.db import schema
from legacymind.db.query import Parameters, load
from legacymind.db.schema import INDEX_NAMES, READ_ONLINE, index_names_of
from legacymind.db.stored import Slot, active_slot, other_slot
from legacymind.model.base import OPEN
from legacymind.model.progress import Progress, no_progress
from legacymind.services.maintain.walking import WalkedPage, pages
from legacymind.services.shared.service import Service


class MissingLink(TypedDict):
    """A link of a thought that is no relationship; ``waits``: its target does not exist."""

    id: str
    type: str
    target: str
    waits: bool


Missing = tuple[int, list[MissingLink]]
"""The number of missing links of a page, and some of them."""

MEND_LINKS = load("maintain/mend_links", WalkedPage[Missing], writes=True)

_BATCH: Final = 500
"""Thoughts that one transaction reads, and whose missing links it creates."""

_SAMPLES: Final = 10


@dataclass(slots=True, kw_only=True)
class Continuity:
    """The state of continuity: how many thoughts were read, their missing links, and the missing indexes.

    ``mended``: the links were created. ``samples`` are some of them. ``indexes`` has the names of indexes and
    constraints that did not exist, or not completely; ``created`` those that are online now.
    """

    thoughts: int = 0
    links: int = 0
    mended: bool = False
    indexes: list[str] = field(default_factory=list[str])
    created: list[str] = field(default_factory=list[str])
    samples: list[MissingLink] = field(default_factory=list[MissingLink])


class ContinuityService(Service):
    """Checks and repairs what sessions, chains and links are read by.

    The fields themselves are properties of each thought, which its hash covers; nothing changes them.
    """

    async def ensure(
        self, namespace: str, *, apply: bool = False, progress: Progress = no_progress
    ) -> Continuity:
        """Report missing indexes, and links that are no relationships; with ``apply``, create both.

        Every thought of the namespace is read, in batches of their own transactions. Raises DatabaseError for
        an index that Neo4j cannot build.
        """
        found = Continuity(mended=apply)
        wanted = await self._indexes()
        found.indexes = await self._missing([*wanted])
        if apply and found.indexes:
            for name in found.indexes:
                await schema.create_index(self._graph.run, name, wanted[name])
            left = await self._missing(found.indexes)
            found.created = [name for name in found.indexes if name not in left]

        async def mend(place: Parameters) -> WalkedPage[Missing]:
            (row,) = await self._graph.run(MEND_LINKS, {**place, "apply": apply, "samples": _SAMPLES})
            return row

        stage = "Repairing links" if apply else "Reading links"
        async for read, (missing, samples) in pages(
            self._graph, namespace, OPEN, mend, stage, progress, size=_BATCH
        ):
            found.thoughts += read
            found.links += missing
            found.samples = [*found.samples, *samples][:_SAMPLES]
        return found

    async def _indexes(self) -> dict[str, int]:
        """The names that indexes and constraints should have, and the length of their vectors or 0.

        A slot has vector indexes from its first vector on. The slot beside the active one has them while a
        change of the model fills or keeps it.
        """
        database = await self._graph.reread()
        active = active_slot(database)
        in_use: list[Slot] = [active, other_slot(active)] if database.get("other_slot") else [active]
        wanted = {name: 0 for name in INDEX_NAMES if "embedding_a" not in name}
        for slot in in_use:
            if dimensions := database.get(f"embedding_{slot}_dim"):
                own = [name for name in index_names_of(slot) if f"embedding_{slot}" in name]
                wanted |= dict.fromkeys(own, int(str(dimensions)))
        return wanted

    async def _missing(self, names: list[str]) -> list[str]:
        """Those of the indexes and constraints that are not online."""
        online = set(await self._graph.run(READ_ONLINE, {"names": names}))
        return [name for name in names if name not in online]
