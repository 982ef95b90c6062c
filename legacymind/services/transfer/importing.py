"""Import of an export: every node and relationship as it was stored, hashes included.

The file is read twice: the first pass checks every line, the second stores batches, each in one transaction.
Nodes that the database has already are not changed, so an interrupted import continues when it is repeated.
The steps of a chain are appended in order, and each batch updates the head, so a chain verifies at any time.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Final

from legacymind.errors import InvalidInput, LegacyMindError
from legacymind.model.progress import Progress, no_progress
from legacymind.services.chain.audit import AuditService
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.transfer.exporting import END
from legacymind.services.transfer.lines import End, ExportedItem, Header, read
from legacymind.services.transfer.loading import Loading
from legacymind.services.transfer.restoration import Restoration

_NO_END: Final = "The file has no line that ends it: it was cut. Compare it with the export, or export again."

LineSource = Callable[[], AbstractContextManager[Iterable[str | bytes]]]
"""Opens a file with lines; it is called twice."""


class RestoreService(Service):
    """Imports exports of namespaces."""

    _audit: AuditService

    async def load(
        self,
        source: LineSource,
        *,
        namespace: str | None = None,
        dry_run: bool = False,
        progress: Progress = no_progress,
    ) -> Restoration:
        """Import an export into its own namespace, because hashes cover ids and the namespace.

        Raises InvalidInput with the number of a line that cannot be imported, before anything is stored, and
        Conflict for an id or a session that the database has with other content. Batches stored before a
        Conflict remain, and a repeated import continues.
        """

        def check() -> tuple[Header, Restoration]:
            with source() as lines:
                return self._checked(lines, namespace)

        progress("checking", 0, 1)
        header, total = await asyncio.to_thread(check)  # a large file takes a minute
        progress("checking", 1, 1)
        if dry_run:
            return total
        nodes = sum((total.entities, total.observations, total.thoughts, total.sessions))
        loading = Loading(self._graph, self._keys, header.namespace, await self._usable(header), progress)
        loading.total = nodes + total.links + total.others
        try:
            with source() as lines:
                await loading.run(item for item in read(lines) if isinstance(item, ExportedItem))
        except LegacyMindError as reason:
            if loading.done:
                raise _halfway(reason, loading) from reason
            raise
        new = loading.result
        new.incomplete = total.incomplete
        new.embedded_later &= bool(new.entities or new.observations or new.thoughts)
        loading.result.chains = await self._audit.survey(progress, namespace=header.namespace)
        return loading.result

    def _checked(self, lines: Iterable[str | bytes], namespace: str | None) -> tuple[Header, Restoration]:
        """Check every line, and count them. Raises InvalidInput."""
        counts = Restoration(incomplete=_NO_END)
        items = _ending(read(lines), counts)
        header = next(items)
        assert isinstance(header, Header)
        requested = checks.namespace(namespace or header.namespace, self._settings)
        if requested != header.namespace:
            raise InvalidInput(
                f"The file is an export of the namespace {header.namespace}. The hashes of its chains cover "
                "the namespace and all ids.",
                hint=f"Import it into {header.namespace}.",
            )
        for item in items:
            match item.kind if isinstance(item, ExportedItem) else END:
                case "entity":
                    counts.entities += 1
                case "observation":
                    counts.observations += 1
                case "thought":
                    counts.thoughts += 1
                case "session":
                    counts.sessions += 1
                case "link":
                    counts.links += 1
                case "action" | "pending":
                    counts.others += 1
                case _:
                    pass
        return header, counts

    async def _usable(self, header: Header) -> str | None:
        """The slot for the file's vectors, if they belong to the configured model."""
        if header.fingerprint is None or header.fingerprint != self._vectors.embedder.info.fingerprint:
            return None
        return (await self._vectors.claim()).slot


def _ending(
    items: Iterator[Header | ExportedItem | End], counts: Restoration
) -> Iterator[Header | ExportedItem | End]:
    """The items; at the end of the file, note whether it has all lines of the export."""
    for item in items:
        if isinstance(item, End):
            lost = item.found != item.written
            counts.incomplete = (
                f"The file has {item.found:,} lines before its end, and the export had {item.written:,}. "
                "Copy it again, or export again."
                if lost
                else None
            )
        yield item


def _halfway(reason: LegacyMindError, loading: Loading) -> LegacyMindError:
    return type(reason)(
        reason.what,
        effect=f"{loading.done:,} of {loading.total:,} lines are stored and remain. {reason.effect}".rstrip(),
        hint=f"{reason.hint} Import again to continue.".lstrip(),
    )
