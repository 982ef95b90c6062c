"""Tampering for ``legacymind demo``, in a scratch namespace that is removed afterwards."""

from legacymind.db.query import load
from legacymind.services.shared.service import Service

TAMPER_SCRATCH = load("maintain/tamper_scratch", int, writes=True)

CLEAR_SCRATCH = load("maintain/clear_scratch", int, writes=True)


class DemoService(Service):
    """Forging and removing scratch data. Its statements refuse every namespace but a scratch one."""

    async def tamper(self, thought_id: str, namespace: str, content: str) -> None:
        """Overwrite the content of a scratch thought, as anyone with the database password could."""
        await self._graph.run(TAMPER_SCRATCH, {"id": thought_id, "namespace": namespace, "content": content})

    async def clear(self, namespace: str) -> None:
        """Delete everything in a scratch namespace."""
        await self._graph.run(CLEAR_SCRATCH, {"namespace": namespace})
