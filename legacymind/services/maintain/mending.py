"""Mending vectors: texts without one of the database's model get it, an unused slot is emptied."""

from typing import TypedDict

from legacymind.db.query import load
from legacymind.db.stored import Slot
from legacymind.model.progress import no_progress
from legacymind.services.maintain.filling import SlotFilling
from legacymind.services.shared.service import Service


class UnusedRow(TypedDict):
    """Whether no change of the model uses the slot, so that it can be cleared."""

    unused: bool


GIVE_UP_SLOT = load("maintain/give_up_slot", UnusedRow, writes=True)


class MendingService(Service):
    """Mends the vectors of a database. They are made of the stored texts, so that no data is lost."""

    _filling: SlotFilling

    async def embed_again(self) -> None:
        """Embed every text that has no vector of the database's model, in place of a vector of another model.

        Raises EmbeddingError, before anything is changed, if the embedder fails or has another model.
        """
        await self._vectors.embed(["A model is tried."])
        claim = await self._vectors.claim()
        await self._filling.defer(claim.slot)
        await self._deferred_embedding.catch_up(everything=True)

    async def clear_unused(self, slot: Slot) -> None:
        """Remove the indexes and vectors of the slot beside the active one, if nothing uses it."""
        (row,) = await self._graph.run(GIVE_UP_SLOT.for_slot(slot), {})
        if row["unused"]:
            await self._filling.clear(slot, no_progress)
