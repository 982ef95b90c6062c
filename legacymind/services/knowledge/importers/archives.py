"""The files of a ZIP archive, as it was downloaded. They are read where they are; nothing is extracted."""

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

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


def opened(path: Path) -> zipfile.ZipFile:
    """The archive, which stays open: to open one takes as long as it has files.

    Raises InvalidInput for a file that is no archive, and for one that expands beyond all measure.
    """
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGED as reason:
        raise InvalidInput(
            f"The archive {path.name} cannot be read: {reason}.",
            effect="Nothing was stored.",
            hint="Download it again, or unpack it and import the folder.",
        ) from None
    unpacked = sum(each.file_size for each in archive.infolist())
    if unpacked > max(_ALWAYS, _MOST * path.stat().st_size):
        raise InvalidInput(
            f"The archive {path.name} has {unpacked:,} bytes unpacked, more than {_MOST} times its own size.",
            effect="Nothing was stored.",
            hint="If you trust it, unpack it and import the folder.",
        )
    return archive


def entries(archive: zipfile.ZipFile) -> Iterator["Entry"]:
    """The files of an archive in the order of their paths, without hidden ones."""
    found = [Entry(archive, info) for info in archive.infolist() if not info.is_dir()]
    for entry in sorted(found, key=lambda entry: entry.label):
        if not _HIDDEN.match(entry.label):
            yield entry


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an open archive; its lines can be read several times."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def label(self) -> str:
        """The path of the file in its archive."""
        return self.info.filename.replace("\\", "/")

    @property
    def modified(self) -> datetime:
        """When the file was changed; archives have no time zone, so UTC is assumed."""
        try:
            return datetime(*self.info.date_time, tzinfo=UTC)
        except ValueError:
            return datetime.now(UTC)

    def fault(self) -> str:
        """The reason why the file is not read, blank if there is none. Reads all of it."""
        if _OUTSIDE.match(self.label):
            return "its path leads out of the archive"
        if stat.S_IFMT(self.info.external_attr >> 16) not in (0, stat.S_IFREG):
            return "it is no regular file"
        if self.info.flag_bits & 1:
            return "it is encrypted"
        try:
            with self.archive.open(self.info) as file:
                while file.read(_CHUNK):
                    pass
        except _DAMAGED as reason:
            return f"it is damaged ({reason})"
        return ""

    def __iter__(self) -> Iterator[bytes]:
        with self.archive.open(self.info) as file:
            yield from file

    def head(self, size: int) -> bytes:
        """The first bytes of the file."""
        with self.archive.open(self.info) as file:
            return file.read(size)
