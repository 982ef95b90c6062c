"""Export of a namespace: one file that is a log of everything (docs/memory/importing.md)."""

from collections.abc import AsyncIterator
from typing import Final

from legacymind.model.progress import Progress, no_progress
from legacymind.services.knowledge.importers.native import VERSION
from legacymind.services.maintain.size import MEASURE_GRAPH
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.collecting import everything
from legacymind.services.sync.lines import text_of

EXPORT: Final = "namespace"
"""The value of the header's member ``export``."""

END: Final = "end"
"""The kind of the last line."""

_STEP: Final = 500
"""Lines between two reports of progress."""

_LINES_PER_NODE: Final = 3
"""Estimated lines for each node: its own and those of two relationships."""


class ExportService(Service):
    """Exports namespaces."""

    async def export(
        self, namespace: str | None = None, *, progress: Progress = no_progress
    ) -> AsyncIterator[str]:
        """Stream a namespace as lines of JSON without line ends, which an import stores elsewhere.

        Includes private, redacted and deferred thoughts, closed and merged knowledge, and what was forgotten,
        without its text; excludes vectors, tokens and settings. Every exported chain ends at a head that it
        had.
        """
        own = checks.namespace(namespace, self._settings)
        (size,) = await self._graph.run(MEASURE_GRAPH, {})
        total = _LINES_PER_NODE * (size.thoughts + size.entities + size.observations)
        header = {"kind": "header", "format": "legacymind", "version": VERSION}
        yield text_of({**header, "export": EXPORT, "namespace": own})
        count = 0
        async for line in everything(self._graph, own):
            yield text_of(line)
            count += 1
            if count % _STEP == 0:
                progress("exporting", count, max(count + 1, total))
        # With the number of lines before it, an import detects a truncated file.
        yield text_of({"kind": END, "lines": count})
        progress("exporting", count + 1, count + 1)
