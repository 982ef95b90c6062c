"""Expiry: redacts the thoughts that have expired."""

from typing import Final, TypedDict

from legacymind.db.query import load
from legacymind.model.progress import Progress
from legacymind.operations.registry import unvalidated
from legacymind.services.shared.service import Service
from legacymind.services.think.records import RecordService


class ExpiredRow(TypedDict):
    """The number of expired thoughts that have a text, and the first: id, session, and time in ISO 8601."""

    total: int
    expired: list[tuple[str, str | None, str]]


FIND_EXPIRED = load("forget/find_expired", ExpiredRow, writes=False)


_BATCH: Final = 500


class ExpiryService(Service):
    """Finds and redacts thoughts that have expired. Recall and every read have left them out since then."""

    _records: RecordService

    async def find(self, namespace: str) -> ExpiredRow:
        """The number of expired thoughts that still have their text, and the first of them."""
        (row,) = await self._graph.run(FIND_EXPIRED, {"namespace": namespace, "take": _BATCH})
        return row

    async def redact(self, namespace: str, progress: Progress) -> int:
        """Redact all expired thoughts, one after another; return their number."""
        redacted = 0
        while (found := await self.find(namespace))["expired"]:
            for id, session, _ in found["expired"]:
                await unvalidated(self._records.redact_thought)(id, "expired", None, session, namespace)
                redacted += 1
                progress("Redacting expired thoughts", redacted, redacted + found["total"] - 1)
        return redacted
