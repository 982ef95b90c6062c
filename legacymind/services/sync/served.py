"""The place of a server, for the homes that synchronise with it over HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from legacymind.calls import current_caller
from legacymind.errors import Conflict
from legacymind.observe import Step, observed
from legacymind.operations.registry import check_role
from legacymind.origins import USER
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.segments import Place, folder_name
from legacymind.services.sync.service import SyncService
from legacymind.services.sync.status import READ_STATUS

_NAMES: Final = ("agent", "user")
"""The folders of callers who are not the user, and of those who are."""


class ServedPlaceService(Service):
    """Keeps the segments of other homes in this one's: what users bring apart from what others do.

    This home synchronises with either as with any folder, and so brings what came to one to the other.
    """

    syncing: SyncService

    async def last(self, namespace: str | None) -> dict[str, tuple[int, str]]:
        """Store what came, write what changed here, and return the last segment of each home."""
        check_role("write")
        own = checks.namespace(namespace, self._settings)
        async with self._locked(own):
            await self._store(own)
            return await self._place(own).last()

    async def get(self, namespace: str | None, replica: str, number: int) -> bytes | None:
        """A segment; None without one."""
        own = checks.namespace(namespace, self._settings)
        with observed(Step("operation", "sync_read")):
            return await self._place(own).get(replica, number)

    async def put(self, namespace: str | None, replica: str, number: int, packed: bytes) -> list[str]:
        """Keep the next segment of another home, store what it brings, and return what was refused.

        Raises Conflict for anything else, and RequestRefused for texts beyond the quota.
        """
        check_role("write")
        own = checks.namespace(namespace, self._settings)
        with observed(Step("operation", "sync_write")):
            async with self._locked(own):
                place, segment = self._place(own), None
                (known,) = await self._graph.run(READ_STATUS, {"namespace": own})
                last, sha = (await place.last()).get(replica, (0, ""))
                if number == last + 1 and replica != known.replica:
                    with suppress(Conflict):  # it names a path of this machine
                        segment = await asyncio.to_thread(place.checked, replica, number, sha, packed)
                if segment is None:
                    raise Conflict(
                        f"This is not the segment {last + 1} of {replica} in the namespace {own}.",
                        effect="Nothing was stored.",
                        hint="Synchronise again. If segments were lost here, or another home has this id, "
                        "give yours a new one: `legacymind sync PLACE --new-replica`.",
                    )
                for thoughts in (True, False):
                    new = [line for line in segment.lines if (line.get("kind") == "thought") == thoughts]
                    texts = [str(line["content"]) for line in new if line.get("content")]
                    async with self._quotas.admit(own, texts, thoughts=thoughts):
                        pass
                await place.put(replica, number, packed)
                return await self._store(own)  # now: a quota counts what is stored

    async def delete(self, namespace: str) -> None:
        """Delete all segments of a namespace."""
        async with self._locked(namespace):
            for name in _NAMES:
                await Place(str(self._root / name), namespace).delete()

    async def _store(self, namespace: str) -> list[str]:
        place = self._place(namespace)
        await asyncio.to_thread(Path(place.name).mkdir, exist_ok=True)
        result = await self.syncing.sync(place.name, namespace, trust=current_caller().trust == USER)
        return result.refused

    @property
    def _root(self) -> Path:
        return self._settings.home_path / "sync"

    def _place(self, namespace: str) -> Place:
        return Place(str(self._root / _NAMES[current_caller().trust == USER]), namespace)

    @asynccontextmanager
    async def _locked(self, namespace: str) -> AsyncGenerator[None]:
        """Keep a namespace for this task: other tasks and processes wait."""
        from filelock import AsyncFileLock

        await asyncio.to_thread(self._root.mkdir, mode=0o700, parents=True, exist_ok=True)
        async with AsyncFileLock(self._root / f"{folder_name(namespace)}.lock"):
            yield
