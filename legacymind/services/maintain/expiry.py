"""Expiry: redacts the thoughts that have expired."""

from typing import Final

from legacymind.db.query import load
from legacymind.model.progress import Progress
from legacymind.services.shared.service import Service
from legacymind.services.think.erasing import Erasure

Expired = tuple[int, list[tuple[str, str]]]
"""The number of expired thoughts that have a text, and the first: id, and time in ISO 8601."""

FIND_EXPIRED = load("forget/find_expired", Expired, writes=False)

_BATCH: Final = 500


class ExpiryService(Service):
    """Finds and redacts thoughts that have expired. Recall and every read have left them out since then."""

    _erasing: Erasure

    async def find(self, namespace: str) -> Expired:
        """The number of expired thoughts that still have their text, and the first of them."""
        (expired,) = await self._graph.run(FIND_EXPIRED, {"namespace": namespace, "take": _BATCH})
        return expired

    async def redact(self, namespace: str, progress: Progress) -> int:
        """Redact all expired thoughts; return their number."""
        redacted = 0
        while (found := await self.find(namespace))[1]:
            total, expired = found
            rows = await self._erasing.read(namespace, [id for id, _ in expired], None)
            redacted += len(await self._erasing.erase(namespace, rows, "expired", None))
            progress("Redacting expired thoughts", redacted, max(redacted, total))
        return redacted
