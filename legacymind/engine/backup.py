"""Backup and restoration of a managed engine's database, in the format of Neo4j's `database dump`.

Neo4j's Community edition can dump a database only while it is stopped. So the engine stops, its files are
copied, and it starts again; the copy is dumped afterwards. The lock of the home is held while it is stopped:
a call that finds the engine stopped waits for the lock and then for the engine.

A backup has the database `neo4j` alone. The database `system`, which holds the password's hash, and the
password itself belong to the home: a restored database is used with the password of its new home.
"""

import asyncio
import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from legacymind.engine import process
from legacymind.engine.engine import Engine, in_thread
from legacymind.engine.home import Home
from legacymind.errors import Conflict, EngineError, InvalidInput, LegacyMindError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

_PARTS: Final = (Path("databases", "neo4j"), Path("transactions", "neo4j"))
"""The folders of the database in the data folder."""

_STORE: Final = _PARTS[0] / "neostore"
"""The file that every database of Neo4j has, and without which Neo4j would create an empty one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A written backup: its bytes, those of the database, and the seconds in which Neo4j did not answer."""

    file: str
    size: int
    database_size: int
    stopped_for: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A restored backup, and the folder with the replaced database, None if there was none.

    ``stopped_for`` are the seconds in which Neo4j did not answer.
    """

    file: str
    database_size: int
    replaced: str | None
    stopped_for: float


def check_managed(settings: Settings, done: str, do: str) -> None:
    """Raise InvalidInput unless the database is the managed one."""
    if settings.neo4j_uri:
        raise InvalidInput(
            f"Only the managed Neo4j can be {done}, and NEO4J_URI names another one.",
            effect="Nothing was changed.",
            hint=f"With the tools of that server, {do}: neo4j-admin database dump and load, or Aura's "
            "snapshots (docs/operation/backup.md).",
        )


class Backups:
    """Backs up and restores the database of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def back_up(self, file: Path, *, force: bool = False, progress: Progress | None = None) -> Backup:
        """Write a backup to ``file``; ``force`` replaces an existing file.

        An engine that runs stops for the time of a copy and starts again; one that is stopped stays so. The
        file appears when it is complete and was loaded again. Raises Conflict if it exists,
        InvalidInput if its folder cannot be used, EngineError if there is nothing to back up or the files
        cannot be written.
        """
        return await in_thread(
            lambda report, stop: self._back_up(file.absolute(), force, report, stop), progress
        )

    async def restore(
        self,
        file: Path,
        check: Callable[[], Coroutine[Any, Any, None]],
        *,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Restored:
        """Replace the database of the home by that of a backup, and start the engine.

        The backup is loaded beside it first. ``check`` reads the restored database, in
        an event loop of its own. Raises InvalidInput for a file that cannot be used, Conflict if the home has
        a database, unless ``force``, which keeps that database in a folder beside it, and EngineError if
        Neo4j does not start with the restored files. If it does not start or ``check`` fails, the restored
        files are removed and the previous database is put back.
        """
        await asyncio.to_thread(_check_restorable, self._engine.home, file, force)
        await self._engine.fetch(progress)
        return await in_thread(
            lambda report, stop: self._restore(file.absolute(), check, force, report, stop), progress
        )

    def _back_up(self, file: Path, force: bool, progress: Progress, stop: threading.Event) -> Backup:
        if file.exists() and not force:
            raise Conflict(
                f"{file} exists.", effect="Nothing was written.", hint="Name another file, or pass --force."
            )
        _check_folder(file)
        home = self._engine.home
        if not home.has(home.data / _STORE):
            raise EngineError(
                f"The home {home.folder} has no database yet.",
                effect="Nothing was written.",
                hint="Check LEGACYMIND_HOME.",
            )
        with _os_errors(f"The backup {file} could not be written"):
            with _own_folder(home, "backup-") as copy:
                with self._engine.paused(stop, progress) as pause:
                    try:
                        size = _copy_database(home.data, copy, progress)
                    except OSError:
                        shutil.rmtree(copy, ignore_errors=True)  # Neo4j needs the space to start
                        raise
                self._write(file, copy, progress, stop)
            return Backup(
                file=str(file),
                size=file.stat().st_size,
                database_size=size,
                stopped_for=round(pause.seconds, 1),
            )

    def _write(self, file: Path, copy: Path, progress: Progress, stop: threading.Event) -> None:
        """Dump the database of a data folder to ``file``, which only its owner can read."""
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
        arriving = Path(name)
        try:
            progress("Compressing", 0, 1)
            with os.fdopen(descriptor, "wb") as target:
                self._admin("dump", "--to-stdout", data=copy, target=target, stop=stop)
                os.fsync(target.fileno())
            progress("Compressing", 1, 1)
            with _own_folder(self._engine.home, "check-") as loaded:
                self._load(arriving, loaded, progress, stop)
            arriving.replace(file)
        except BaseException:
            arriving.unlink(missing_ok=True)
            raise

    def _load(self, file: Path, data: Path, progress: Progress, stop: threading.Event) -> int:
        """Load a backup into an empty data folder, and return the bytes of the database."""
        progress("Checking the backup", 0, 1)
        try:
            self._admin("load", "--from-stdin", data=data, source=file, stop=stop)
        except EngineError as reason:
            if stop.is_set():
                raise
            raise InvalidInput(
                f"{file} is not a complete backup that this Neo4j can read. {reason.what}",
                effect="Nothing was restored.",
                hint="Use another backup, or upgrade LegacyMind if a later one made it.",
            ) from reason
        progress("Checking the backup", 1, 1)
        return _size(data)

    def _admin(self, work: str, *options: str, stop: threading.Event, **streams: Any) -> None:
        home, classes = self._engine.home, self._engine.class_path
        process.administer(home, classes, "database", work, *options, "neo4j", stop=stop, **streams)

    def _restore(
        self,
        file: Path,
        check: Callable[[], Coroutine[Any, Any, None]],
        force: bool,
        progress: Progress,
        stop: threading.Event,
    ) -> Restored:
        home = self._engine.home
        home.make()
        with (
            _os_errors(f"The backup {file} could not be restored"),
            _own_folder(home, "restore-") as unpacked,
        ):
            size = self._load(file, unpacked, progress, stop)
            with self._engine.paused(stop, progress) as pause:
                _refuse_overwriting(home, force)
                replaced = _set_aside(home)
                try:
                    move_database(unpacked, home.data)
                    pause.start()
                    _run(check)
                except BaseException:
                    pause.stop()
                    move_database(home.data, unpacked)  # removed with the folder
                    if replaced is not None:
                        move_database(replaced, home.data)
                        replaced.rmdir()
                    raise
        return Restored(
            file=str(file),
            database_size=size,
            replaced=None if replaced is None else str(replaced),
            stopped_for=round(pause.seconds, 1),
        )


def _run(check: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Read the restored database. Raises InvalidInput if that fails."""
    try:
        asyncio.run(check())
    except LegacyMindError as reason:
        raise InvalidInput(
            f"The database of this backup cannot be used: {reason.what}",
            effect="Nothing was restored.",
            hint="Use another backup.",
        ) from reason


def _check_folder(file: Path) -> None:
    """Raise InvalidInput if no file can be made there, before Neo4j stops for it."""
    folder = file.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        why = "no files may be written there" if folder.is_dir() else "there is no such folder"
        raise InvalidInput(
            f"{file} cannot be written to {folder}: {why}.",
            effect="Nothing was written, and Neo4j was not stopped.",
            hint="Name a file in another folder.",
        )


def _has_database(home: Home) -> bool:
    return home.has(home.data / _PARTS[0])


def _check_restorable(home: Home, file: Path, force: bool) -> None:
    if not file.is_file():
        raise InvalidInput(
            f"There is no file {file}.", effect="Nothing was restored.", hint="Check the path."
        )
    _refuse_overwriting(home, force)


def _refuse_overwriting(home: Home, force: bool) -> None:
    if _has_database(home) and not force:
        raise Conflict(
            f"The home {home.folder} has a database.",
            effect="Nothing was restored.",
            hint="Set LEGACYMIND_HOME to a new folder, or pass --force, which keeps the old database aside.",
        )


def _set_aside(home: Home) -> Path | None:
    """Move the database of the home into a folder of its own, and return that."""
    if not _has_database(home):
        return None
    stamp = datetime.now(UTC).strftime("replaced-%Y%m%dT%H%M%S-")
    aside = Path(tempfile.mkdtemp(prefix=stamp, dir=home.folder))
    try:
        move_database(home.data, aside)
    except OSError:
        aside.rmdir()
        raise
    return aside


def _copy_database(source: Path, target: Path, progress: Progress) -> int:
    """Copy the folders of a database, and return their bytes."""
    progress("Copying the database", 0, 1)
    for part in _PARTS:
        if (source / part).exists():
            shutil.copytree(source / part, target / part, ignore=shutil.ignore_patterns("database_lock"))
    progress("Copying the database", 1, 1)
    return _size(target)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def move_database(source: Path, target: Path) -> None:
    """Move the folders of a database to a folder on the same disk: all of them, or after an OSError none."""
    moved = list[Path]()
    try:
        for part in _PARTS:
            if (source / part).exists():
                (target / part).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                (source / part).rename(target / part)
                moved.append(part)
    except OSError:
        for part in moved:
            (target / part).rename(source / part)
        _remove_empty_parents(target)
        raise
    _remove_empty_parents(source)


def _remove_empty_parents(folder: Path) -> None:
    for part in _PARTS:
        with contextlib.suppress(OSError):  # `databases` of a home holds `system`, too
            (folder / part).parent.rmdir()


@contextlib.contextmanager
def _own_folder(home: Home, prefix: str) -> Generator[Path]:
    """A folder in the home, so that files can be moved from it; leftovers of killed processes are removed."""
    for left in home.folder.glob(f"{prefix}*"):
        if time.time() - left.stat().st_mtime > 24 * 3600:
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=home.folder))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _os_errors(what: str) -> Generator[None]:
    try:
        yield
    except OSError as reason:
        raise EngineError(
            f"{what}: {reason.strerror or reason}.",
            effect="The database is unchanged.",
            hint="Check the path, the free disk space and the rights.",
        ) from reason
