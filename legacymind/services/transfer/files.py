"""Exports, imports and backups by the name of a file, for remote callers (MCP and GraphQL).

The files are in the folder ``files`` of the home. Each namespace has its own folder there, so that a caller
with one namespace cannot read another. Backups contain all namespaces and are in the folder ``backups``.
"""

import asyncio
import hashlib
import re
from pathlib import Path
from typing import Final

from legacymind.engine import Engine
from legacymind.engine.backup import Backups, check_managed
from legacymind.errors import EngineError, InvalidInput, NotFound, RequestRefused
from legacymind.model.maintenance import MaintenanceItem
from legacymind.model.progress import Progress
from legacymind.services.maintain.subcommands import Report
from legacymind.services.shared.service import Service, ServiceContext
from legacymind.services.transfer.exporting import ExportService
from legacymind.services.transfer.importing import RestoreService
from legacymind.services.transfer.part import PartFile, refuse_existing
from legacymind.services.transfer.restoration import Restoration
from legacymind.text.numbers import counted

_FILES: Final = "files"
_BACKUPS: Final = "backups"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_EXPORT: Final = ".jsonl"
_BACKUP: Final = ".backup"
_READABLE: Final = 40
"""Characters of a namespace in the name of its folder; a hash makes the name unique."""

_MB: Final = 1_000_000


class FileService(Service):
    """Exports, imports and backs up by the names of files."""

    def __init__(self, context: ServiceContext, exporting: ExportService, restoring: RestoreService) -> None:
        super().__init__(context)
        self._exporting = exporting
        self._restoring = restoring

    async def export(
        self, namespace: str, name: str | None, *, vectors: bool, apply: bool, progress: Progress
    ) -> Report:
        """Export a namespace to a new file, or continue an interrupted export.

        Raises Conflict if the file exists or another call writes it.
        """
        file = self._new(self._folder(namespace), name, _EXPORT)
        shown = self._shown(file)
        begun = await asyncio.to_thread(PartFile(file).written)
        if not apply:
            goes_on = f" An interrupted export has {begun:,} lines of it already." if begun else ""
            return Report(f"Would write {shown}. Nothing was written.{goes_on}", {"lines": begun})
        lines = await self.write(file, namespace, vectors=vectors, progress=progress)
        size = await asyncio.to_thread(_size, file)
        return Report(
            f"Wrote {counted(lines, 'line')} to {shown}.",
            {"lines": lines, "bytes": size},
            [MaintenanceItem(id=shown, text=f"{size / _MB:,.1f} MB")],
            changed=True,
        )

    async def write(self, file: Path, namespace: str, *, vectors: bool, progress: Progress) -> int:
        """Write an export to a file of any path, and return the number of its lines.

        The lines are in ``FILE.part`` until all are written, so that a call after an interruption goes on.
        Raises Conflict if the file exists or another call writes it, and EngineError if it cannot be written.
        """
        part = PartFile(file)
        with part.opened():
            header, lines = await self._exporting.begun(namespace, vectors=vectors)
            place = await asyncio.to_thread(part.begin, header)
            if place is not None:
                lines.place = place
            async for line in self._exporting.counted(lines, progress, part.lines):
                if part.place != lines.place:
                    await asyncio.to_thread(part.reached, lines.place)
                part.add(line)
            await asyncio.to_thread(part.finish)
        return part.lines

    async def load(
        self, namespace: str, name: str | None, *, map_ids: bool, apply: bool, progress: Progress
    ) -> Report:
        """Import an export from a file of the namespace, and verify its chains.

        Does not change nodes that are stored already, so an interrupted import continues when it is repeated.
        Raises NotFound.
        """
        folder = self._folder(namespace)
        file = folder / _checked(name, _EXPORT)
        names = await asyncio.to_thread(_names, folder)
        if file.name not in names:
            raise NotFound(
                f"There is no file {self._shown(file)} in the home.",
                effect="Nothing was stored.",
                hint=f"It has {', '.join(names)}." if names else "Write one with the subcommand export.",
            )
        restored = await self._restoring.load(
            lambda: file.open("rb"),
            namespace=namespace,
            map_ids=map_ids,
            dry_run=not apply,
            progress=progress,
        )
        return _imported(restored, self._shown(file))

    async def back_up(self, name: str | None, *, apply: bool, progress: Progress) -> Report:
        """Back up the managed engine's database, which has all namespaces, to a new file.

        The engine stops for the time of a copy. Raises RequestRefused for a caller with one namespace.
        """
        if self._settings.namespace_fixed:
            raise RequestRefused(
                "A backup has every namespace, and this caller has one only.",
                hint="Use the subcommand export, or run `legacymind backup` where Neo4j runs.",
            )
        check_managed(self._settings, "backed up", "back it up")
        folder = self._settings.home_path / _FILES / _BACKUPS
        file = self._new(folder, name, _BACKUP)
        shown = self._shown(file)
        if not apply:
            return Report(
                f"Would stop Neo4j for the time of a copy, and write {shown}. Nothing was written.",
                {"backups": len(await asyncio.to_thread(_names, folder))},
            )
        made = await Backups(Engine(self._settings)).back_up(file, progress=progress)
        return Report(
            f"Wrote {shown}; Neo4j was stopped for {made.stopped_for:g} s.",
            {"bytes": made.size, "stopped_for": made.stopped_for},
            changed=True,
        )

    def _folder(self, namespace: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9._-]", "-", namespace)[:_READABLE]
        unique = hashlib.sha256(namespace.encode()).hexdigest()[:12]
        return self._settings.home_path / _FILES / f"{readable}-{unique}"

    def _new(self, folder: Path, name: str | None, suffix: str) -> Path:
        file = folder / _checked(name, suffix)
        refuse_existing(file, self._shown(file))
        try:
            for each in (folder.parent, folder):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as reason:
            raise EngineError(
                f"The folder {_FILES} of the home cannot be made: {reason.strerror}.",
                effect="Nothing was written.",
                hint="Check LEGACYMIND_HOME and the rights of its folder.",
            ) from reason
        return file

    def _shown(self, file: Path) -> str:
        """The path inside the home. Remote callers must not see other folders."""
        return file.relative_to(self._settings.home_path).as_posix()


def _checked(name: str | None, suffix: str) -> str:
    if name is None or not _NAME.fullmatch(name) or not name.endswith(suffix):
        raise InvalidInput(
            "There is no `file`." if name is None else f"{name[:80]!r} cannot be the name of this file.",
            effect="Nothing was written or stored.",
            hint=f"Send a name such as memory{suffix}: at most 100 letters, digits, dots and dashes, "
            f"with {suffix} at the end.",
        )
    return name


def _names(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(file.name for file in folder.iterdir() if file.suffix in (_EXPORT, _BACKUP))


def _size(file: Path) -> int:
    return file.stat().st_size


def _imported(restored: Restoration, shown: str) -> Report:
    names = ("entities", "observations", "thoughts", "sessions", "links", "others", "known", "left_out")
    counts = {name: getattr(restored, name) for name in names}
    cut = "" if restored.incomplete is None else f" {restored.incomplete}"
    if restored.chains is None:
        lines = sum(counts.values())
        return Report(f"{shown} has {counted(lines, 'line')}, all correct. Nothing was stored.{cut}", counts)
    chains = restored.chains
    new = sum(counts[name] for name in ("entities", "observations", "thoughts", "links"))
    return Report(
        f"Stored {counted(new, 'item')} of {shown}; {restored.known:,} were stored before. "
        f"{counted(chains.sessions, 'chain')}: {chains.verdict}.{cut}",
        counts,
        [MaintenanceItem(id=one.session_id, text=one.message) for one in chains.faulty],
        changed=bool(new),
    )
