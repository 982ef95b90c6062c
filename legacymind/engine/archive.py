"""The file of a backup: a compressed tar archive of the database's files, with their digests first."""

import hashlib
import io
import json
import os
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Annotated, Any, Final, cast

from pydantic import Field, TypeAdapter

from legacymind.errors import EngineError, InvalidInput
from legacymind.model.progress import Progress

FORMAT: Final = "legacymind-backup"
VERSION: Final = 1
STORE: Final = "databases/neo4j/neostore"
"""The file that every database of Neo4j has, and without which Neo4j would create an empty one."""

_LOGS: Final = "transactions/neo4j/"
_MANIFEST: Final = "manifest.json"
_MAX_MANIFEST: Final = 64 * 1024 * 1024
_BLOCK: Final = 1024 * 1024
_LEVEL: Final = 1
"""gzip's fastest level: higher ones take several times as long for a few percent."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of the database: its path in the data folder, its bytes and their SHA-256."""

    path: Annotated[str, Field(pattern=r"^[ -~]{1,250}$")]
    size: Annotated[int, Field(ge=0)]
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. ``neo4j`` is the version that wrote the files, ``created_at`` a time in UTC."""

    neo4j: Annotated[str, Field(pattern=r"^[0-9]{1,6}(\.[0-9A-Za-z-]{1,20}){1,4}$")]
    created_at: str
    files: tuple[StoredFile, ...]

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)


def digests(folder: Path) -> tuple[StoredFile, ...]:
    """Every file below a folder, in the order of their paths."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return tuple(
        StoredFile(path.relative_to(folder).as_posix(), path.stat().st_size, _sha256(path)) for path in paths
    )


def write(target: Path, manifest: Manifest, folder: Path, progress: Progress, stop: threading.Event) -> None:
    """Write the files of ``folder`` to ``target``, which appears only when it is complete and was read back.

    Only its owner can read it. Raises EngineError.
    """
    place = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    arriving = Path(place[1])
    try:
        with os.fdopen(place[0], "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=_LEVEL) as archive:
                head = json.dumps({"format": FORMAT, "version": VERSION, **asdict(manifest)}).encode()
                entry = tarfile.TarInfo(_MANIFEST)
                entry.size, entry.mode = len(head), 0o600
                archive.addfile(entry, io.BytesIO(head))
                done = 0
                for stored in manifest.files:
                    _continue(stop)
                    progress("Compressing", done, manifest.size)
                    entry = tarfile.TarInfo(stored.path)
                    entry.size, entry.mode = stored.size, 0o600
                    with (folder / stored.path).open("rb") as content:
                        archive.addfile(entry, content)
                    done += stored.size
                progress("Compressing", manifest.size, manifest.size)
            file.flush()
            os.fsync(file.fileno())
        read(arriving, None, progress, stop)
        arriving.replace(target)
    except BaseException:
        arriving.unlink(missing_ok=True)
        raise


def read(source: Path, into: Path | None, progress: Progress, stop: threading.Event) -> Manifest:
    """Read a backup, compare every file with its digest, and write them below ``into`` if it is given.

    Raises InvalidInput for a file that is no backup or is damaged, and OSError.
    """
    try:
        with tarfile.open(source, mode="r|gz") as archive:
            members = iter(archive)
            manifest = _manifest(archive, next(members, None))
            expected = {file.path: file for file in manifest.files}
            done = 0
            for member in members:
                _continue(stop)
                stage = "Checking the backup" if into is None else "Unpacking"
                progress(stage, done, max(manifest.size, 1))
                stored = expected.pop(member.name, None)
                content = archive.extractfile(member) if stored is not None and member.isreg() else None
                if stored is None or content is None:
                    raise _damaged(f"it has an unexpected member, {member.name[:80]!r}")
                if member.size != stored.size:
                    raise _damaged(f"{stored.path} has {member.size:,} bytes instead of {stored.size:,}")
                if _copied(content, None if into is None else into / stored.path) != stored.sha256:
                    raise _damaged(f"{stored.path} differs from what was backed up")
                done += stored.size
            if expected:
                raise _damaged(f"{next(iter(expected))} is missing")
            progress("Checking the backup" if into is None else "Unpacking", 1, 1)
            return manifest
    except (tarfile.TarError, EOFError, ValueError, RecursionError) as reason:
        raise _damaged(str(reason)[:120] or "it ends early") from None
    except OSError as reason:
        if reason.errno is None:  # gzip's own errors, such as a wrong check sum
            raise _damaged(str(reason)[:120]) from None
        raise


def _manifest(archive: tarfile.TarFile, member: tarfile.TarInfo | None) -> Manifest:
    content = None
    if member is not None and member.name == _MANIFEST and member.isreg() and member.size <= _MAX_MANIFEST:
        content = archive.extractfile(member)
    if content is None:
        raise _damaged("it has no list of its files")
    written = content.read()
    parsed: object = json.loads(written)
    held = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    if held.get("format") != FORMAT:
        raise _damaged("it has another format")
    if held.get("version") != VERSION:
        raise InvalidInput(
            f"This backup has the format version {held.get('version')!r:.20}, and this LegacyMind reads "
            f"version {VERSION}.",
            effect="Nothing was restored.",
            hint="Upgrade LegacyMind.",
        )
    try:
        manifest = TypeAdapter(Manifest).validate_json(written, strict=True)
        datetime.fromisoformat(manifest.created_at)
    except ValueError:
        raise _damaged("the list of its files is malformed") from None
    paths = {PurePosixPath(file.path) for file in manifest.files}
    for path in paths:
        # Nothing may be written outside the two folders, whoever made the file.
        outside = path.parts[:2] not in (("databases", "neo4j"), ("transactions", "neo4j"))
        if outside or ".." in path.parts or len(path.parts) < 3:
            raise _damaged(f"it names a file outside the database, {str(path)[:80]!r}")
        if not paths.isdisjoint(path.parents):
            raise _damaged(f"it names a file inside another, {str(path)[:80]!r}")
    if len(paths) < len(manifest.files):
        raise _damaged("it names a file twice")
    if not any(file.path == STORE and file.size for file in manifest.files):
        raise _damaged("it has no database")
    if not any(file.path.startswith(_LOGS) and file.size for file in manifest.files):
        raise _damaged("it has no transaction logs, without which Neo4j does not open the database")
    return manifest


def _copied(content: IO[bytes], target: Path | None) -> str:
    """Write the content to ``target``, if there is one, and return its digest."""
    digest = hashlib.sha256()
    if target is None:
        for block in _blocks(content):
            digest.update(block)
        return digest.hexdigest()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for block in _blocks(content):
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


def _blocks(content: IO[bytes]) -> Iterator[bytes]:
    while block := content.read(_BLOCK):
        yield block


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _continue(stop: threading.Event) -> None:
    if stop.is_set():
        raise EngineError("It was cancelled.", hint="Run it again.")


def _damaged(why: str) -> InvalidInput:
    return InvalidInput(
        f"This file is not a complete backup: {why}.",
        effect="Nothing was restored.",
        hint="Use another backup.",
    )
