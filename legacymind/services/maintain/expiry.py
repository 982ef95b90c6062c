"""Expiry: redacts the thoughts that have expired."""

from typing import Final, TypedDict

from legacymind.db.query import load
from legacymind.model.progress import Progress
from legacymind.services.shared.service import Service
from legacymind.services.think.erasing import Erasure


class ExpiredRow(TypedDict):
    """The number of expired thoughts that have a text, and the first: id, and time in ISO 8601."""

    total: int
    expired: list[tuple[str, str]]


FIND_EXPIRED = load("forget/find_expired", ExpiredRow, writes=False)


_BATCH: Final = 500


class ExpiryService(Service):
    """Finds and redacts thoughts that have expired. Recall and every read have left them out since then."""

    _erasing: Erasure

    async def find(self, namespace: str) -> ExpiredRow:
        """The number of expired thoughts that still have their text, and the first of them."""
        (row,) = await self._graph.run(FIND_EXPIRED, {"namespace": namespace, "take": _BATCH})
        return row

    async def redact(self, namespace: str, progress: Progress) -> int:
        """Redact all expired thoughts; return their number."""
        redacted = 0
        while (found := await self.find(namespace))["expired"]:
            rows = await self._erasing.read(namespace, [id for id, _ in found["expired"]], None)
            redacted += len(await self._erasing.erase(namespace, rows, "expired", None))
            progress("Redacting expired thoughts", redacted, max(redacted, found["total"]))
        return redacted
