"""Import of an export: what another home wrote is stored like a segment of a synchronisation.

Everything may be stored twice, so an interrupted import continues when it is repeated.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Final, cast

from legacymind.errors import InvalidInput
from legacymind.model.base import MAX_KEY
from legacymind.model.progress import Progress, no_progress
from legacymind.model.sync import Restoration
from legacymind.services.chain.audit import AuditService
from legacymind.services.knowledge.importers.jsonl import parsed
from legacymind.services.knowledge.importers.native import VERSION
from legacymind.services.knowledge.importers.records import Fault, LineNumber, as_text, beginning
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service
from legacymind.services.sync.arrival import Arrival
from legacymind.services.sync.lines import SyncLine, name_of, read, sound
from legacymind.services.sync.waiting import retry, store
from legacymind.services.transfer.exporting import END, EXPORT

LineSource = Callable[[], AbstractContextManager[Iterable[str | bytes]]]
"""Opens a file with lines."""

_LINES: Final = 5_000
"""Lines that are read at once."""

_MAX_LINE: Final = 16 * 1024 * 1024
"""Maximum characters of a line. A thought with the longest texts, all escaped, has about 3 MB."""


class RestoreService(Service):
    """Imports exports of namespaces."""

    _audit: AuditService

    async def load(
        self,
        source: LineSource,
        *,
        namespace: str | None = None,
        trust: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
    ) -> Restoration:
        """Import an export into its own namespace, because hashes cover ids and the namespace.

        ``trust``: the user's own homes wrote it, and nobody else. A ``dry_run`` checks all lines, and stores
        nothing. Raises InvalidInput for a file that is no export, or one of another namespace. A line that
        cannot be stored is in ``refused``, and stops no other.
        """
        with source() as lines:
            file = _File(lines)
            first = await asyncio.to_thread(file.first)
            own = first["namespace"]
            if checks.namespace(namespace or own, self._settings) != own:
                raise InvalidInput(
                    f"The file is an export of the namespace {own}. The hashes of its chains cover the "
                    "namespace and all ids.",
                    effect="Nothing was stored.",
                    hint=f"Import it into {own}.",
                )
            here = Arrival(self._graph, self._keys, own, trust)
            here.result.refused = file.refused
            while part := await asyncio.to_thread(file.part):
                if dry_run:
                    here.result.refused += (fault for line in part for fault in self._faults(line, own))
                else:
                    await store(here, part)
                progress("checking" if dry_run else "importing", file.count, file.count)
        if not dry_run:
            await retry(here)
        return Restoration(
            namespace=own,
            trusted=trust,
            **here.result.told(),
            dry_run=dry_run,
            found=dict(file.found),
            incomplete=file.incomplete,
            chains=None if dry_run else await self._audit.survey(progress, namespace=own),
        )

    def _faults(self, line: SyncLine, namespace: str) -> Iterator[str]:
        """Why a line will be refused."""
        try:
            row = read(line)
        except Fault as reason:
            yield f"{name_of(line)}: {reason}"
            return
        if row.kind == "thought" and not sound(row.own, namespace, self._keys):
            yield f"{row.id}: its hash does not fit"


class _File:
    """The lines of an export, as JSON objects: ``refused`` are those that are none."""

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        self._lines = enumerate(map(as_text, lines), start=1)
        self._end: int | None = None
        self.count = 0
        self.found = Counter[str]()
        self.refused: list[str] = []

    def first(self) -> SyncLine:
        """The header. Raises InvalidInput."""
        for number, text in self._lines:
            if text.strip():
                try:
                    return _header(parsed(text))
                except Fault as reason:
                    raise InvalidInput(
                        f"{LineNumber(number)} is no header of an export: {reason}.",
                        effect="Nothing was stored.",
                        hint="Export again.",
                    ) from None
        raise InvalidInput("The file is empty.", effect="Nothing was stored.", hint="Export again.")

    def part(self) -> list[SyncLine]:
        """The next lines; none at the end of the file."""
        return [*islice(self._objects(), _LINES)]

    @property
    def incomplete(self) -> str | None:
        """Why the file may not be the whole export, when all of it was read."""
        if self._end is None:
            return (
                "The file has no line that ends it: it was cut. Compare it with the export, or export again."
            )
        if self._end != self.count:
            return (
                f"The file has {self.count:,} lines before its end, and the export had {self._end:,}. "
                "Copy it again, or export again."
            )
        return None

    def _objects(self) -> Iterator[SyncLine]:
        for number, text in self._lines:
            if not text.strip():
                continue
            try:
                if len(text) > _MAX_LINE:
                    raise Fault(f"it has {len(text):,} characters; at most {_MAX_LINE:,} are read")
                line = parsed(text)
                if not isinstance(line, dict):
                    raise Fault("it must be an object")
            except Fault as reason:
                self.count += 1
                self.refused.append(f"{LineNumber(number)}: {reason}")
                continue
            own = cast("SyncLine", line)
            if own.get("kind") == END:
                self._end = own["lines"] if isinstance(own.get("lines"), int) else -1
                continue
            self.count += 1
            self.found[str(own.get("kind"))[:80]] += 1
            yield own


def is_export(head: bytes) -> bool:
    """Whether the first bytes of a file have the header of an export."""
    try:
        value = json.loads(beginning(head).partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and cast("dict[str, Any]", value).get("export") == EXPORT


def _header(line: Any) -> SyncLine:
    own = cast("SyncLine", line) if isinstance(line, dict) else {}
    if (own.get("kind"), own.get("format"), own.get("export")) != ("header", "legacymind", EXPORT):
        raise Fault("it has another format")
    if own.get("version") != VERSION:
        raise Fault(f"this LegacyMind reads format version {VERSION}, not {own.get('version')!r:.20}")
    namespace = own.get("namespace")
    if not isinstance(namespace, str) or not namespace or len(namespace) > MAX_KEY:
        raise Fault("namespace is missing")
    return own
