"""The files of a ZIP archive, as it was downloaded. They are read where they are; nothing is extracted."""

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from legacymind.errors import InvalidInput

_MOST: Final = 100
"""How many times its own size an archive may have when it is unpacked. Chats have 3 to 20 times."""

_ALWAYS: Final = 64 * 1024 * 1024
"""Unpacked bytes that every archive may have."""

_CHUNK: Final = 1024 * 1024

_OUTSIDE: Final = re.compile(r"/|[A-Za-z]:|(?:.*/)?\.\.(?:/|\Z)")
_HIDDEN: Final = re.compile(r"(?:.*/)?(?:\.(?!\.?(?:/|\Z))|__MACOSX/)")

_DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError, EOFError, ValueError, OSError),
)
"""What reading a damaged archive raises."""


def is_archive(path: Path) -> bool:
    """Whether a file is a ZIP archive, by its name or its first bytes."""
    with path.open("rb") as file:
        return path.suffix.lower() == ".zip" or file.read(4) == b"PK\x03\x04"


def entries(path: Path) -> Iterator[zipfile.ZipInfo]:
    """The files of an archive in the order of their paths, without hidden ones.

    Raises InvalidInput for a file that is no archive, and for one that expands beyond all measure.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = [each for each in archive.infolist() if not each.is_dir()]
    except _DAMAGED as reason:
        raise InvalidInput(
            f"The archive {path.name} cannot be read: {reason}.",
            effect="Nothing was stored.",
            hint="Download it again, or unpack it and import the folder.",
        ) from None
    unpacked = sum(each.file_size for each in found)
    if unpacked > max(_ALWAYS, _MOST * path.stat().st_size):
        raise InvalidInput(
            f"The archive {path.name} has {unpacked:,} bytes unpacked, more than {_MOST} times its own size.",
            effect="Nothing was stored.",
            hint="If you trust it, unpack it and import the folder.",
        )
    for entry in sorted(found, key=label):
        if not _HIDDEN.match(label(entry)):
            yield entry


def label(entry: zipfile.ZipInfo) -> str:
    """The path of a file in its archive."""
    return entry.filename.replace("\\", "/")


def fault(path: Path, entry: zipfile.ZipInfo) -> str:
    """The reason why a file of an archive is not read, blank if there is none. Reads all of it."""
    if _OUTSIDE.match(label(entry)):
        return "its path leads out of the archive"
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        return "it is no regular file"
    if entry.flag_bits & 1:
        return "it is encrypted"
    try:
        with _opened(path, entry) as file:
            while file.read(_CHUNK):
                pass
    except _DAMAGED as reason:
        return f"it is damaged ({reason})"
    return ""


def lines(path: Path, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """The lines of a file of an archive."""
    with _opened(path, entry) as file:
        yield from file


def head(path: Path, entry: zipfile.ZipInfo, size: int) -> bytes:
    """The first bytes of a file of an archive."""
    with _opened(path, entry) as file:
        return file.read(size)


@contextmanager
def _opened(path: Path, entry: zipfile.ZipInfo) -> Generator[IO[bytes]]:
    with zipfile.ZipFile(path) as archive, archive.open(entry) as file:
        yield file


def modified(path: Path, entry: zipfile.ZipInfo) -> datetime:
    """When a file was changed; archives have no time zone, so UTC is assumed."""
    try:
        return datetime(*entry.date_time, tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
