"""The file of an unfinished export, and the state from which an interrupted export continues."""

import asyncio
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from legacymind.engine.home import write_private
from legacymind.errors import Conflict, EngineError
from legacymind.model.progress import Progress
from legacymind.services.transfer.exporting import ExportPosition, ExportService


def refuse_existing(file: Path, shown: str) -> None:
    """Raise Conflict if the file exists."""
    if file.exists():
        raise Conflict(f"{shown} exists.", effect="Nothing was written.", hint="Choose another name.")


async def write(
    exporting: ExportService, file: Path, namespace: str, *, vectors: bool, progress: Progress
) -> int:
    """Write an export to a file of any path, and return the number of its lines.

    The lines are in ``FILE.part`` until all are written, so that a call after an interruption goes on.
    Raises Conflict if the file exists or another call writes it, and EngineError if it cannot be written.
    """
    part = PartFile(file)
    with part.opened():
        header, lines = await exporting.begun(namespace, vectors=vectors)
        place = await asyncio.to_thread(part.begin, header)
        if place is not None:
            lines.place = place
        async for line in exporting.counted(lines, progress, part.lines):
            if part.place != lines.place:
                await asyncio.to_thread(part.reached, lines.place)
            part.add(line)
        await asyncio.to_thread(part.finish)
    return part.lines


class PartFile:
    """The file ``NAME.part`` with the lines so far, and ``NAME.part.json`` with the complete bytes."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._part = file.with_name(f"{file.name}.part")
        self._state = file.with_name(f"{file.name}.part.json")
        self._target: IO[bytes] | None = None
        self.place = ExportPosition()
        self._header = ""
        self.lines = 0

    @contextmanager
    def opened(self) -> Generator[None]:
        """Lock out other writers, and close the file at the end. Raises Conflict if the file exists."""
        refuse_existing(self._file, self._file.name)
        name = f"{self._file}.lock"
        lock = FileLock(name, mode=0o600, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise Conflict(
                f"Another call writes {self._file.name}.",
                effect="This call has written nothing.",
                hint="Wait for it, or choose another name.",
            ) from None
        try:
            # Again: another call may have written the file since, and removed the lock's own file.
            refuse_existing(self._file, self._file.name)
            yield
            Path(name).unlink(missing_ok=True)
        except OSError as reason:
            raise EngineError(
                f"{self._file.name} could not be written: {reason.strerror or reason}.",
                effect="What was written before remains.",
                hint="Check the free disk space and the rights, and export again; the export continues.",
            ) from reason
        finally:
            if self._target is not None:
                self._target.close()
            lock.release()

    def begin(self, header: str) -> ExportPosition | None:
        """Write the header, or continue an export with the same header and return its place."""
        state = self._read()
        self._header = header
        if state.get("header") == header and self._part.stat().st_size >= state["bytes"]:
            self._target = self._part.open("r+b")
            self._target.truncate(state["bytes"])
            self._target.seek(0, os.SEEK_END)
            self.lines = state["lines"]
            self.place = ExportPosition(state["place"]["section"], state["place"]["after"])
            return self.place
        self._part.unlink(missing_ok=True)
        self._target = os.fdopen(os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.add(header)
        return None

    def add(self, line: str) -> None:
        """Write a line."""
        assert self._target is not None
        self._target.write(line.encode() + b"\n")
        self.lines += 1

    def reached(self, place: ExportPosition) -> None:
        """Record that the export can continue after the lines written so far."""
        assert self._target is not None
        self._target.flush()
        self.place = place
        state = {
            "header": self._header,
            "bytes": self._target.tell(),
            "lines": self.lines,
            "place": asdict(place),
        }
        write_private(self._state, json.dumps(state))

    def finish(self) -> None:
        """Rename the complete file to its final name."""
        assert self._target is not None
        self._target.flush()
        os.fsync(self._target.fileno())
        self._part.replace(self._file)
        self._state.unlink(missing_ok=True)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if self._part.exists() else {}
