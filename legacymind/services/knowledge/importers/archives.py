"""The files of a ZIP archive, as it was downloaded. They are read where they are; nothing is extracted."""

import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Set
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Final

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers.records import Contents, Fault, SourceFile

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


def files(path: Path, suffixes: Set[str]) -> Iterator[SourceFile]:
    """The files with these endings in the order of their paths, without hidden ones; each is read once.

    The archive stays open: to open one takes as long as it has files. Raises InvalidInput for a file that is
    no archive, and for one that expands beyond all measure.
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
    found = [(info.filename.replace("\\", "/"), info) for info in archive.infolist() if not info.is_dir()]
    for label, info in sorted(found, key=itemgetter(0)):
        name = PurePosixPath(label)
        if name.suffix.lower() in suffixes and not _HIDDEN.match(label):
            contents = Contents(partial(archive.open, info))
            fault = _fault(label, info, contents)
            yield SourceFile(name.name, contents, label, _modified(info), Fault(fault) if fault else None)


def _modified(info: zipfile.ZipInfo) -> datetime:
    """When the file was changed; archives have no time zone, so UTC is assumed."""
    try:
        return datetime(*info.date_time, tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)


def _fault(label: str, info: zipfile.ZipInfo, contents: Contents) -> str:
    """The reason why a file is not read, blank if there is none. Reads all of it."""
    if _OUTSIDE.match(label):
        return "its path leads out of the archive"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        return "it is no regular file"
    if info.flag_bits & 1:
        return "it is encrypted"
    try:
        with contents.open() as file:
            while file.read(_CHUNK):
                pass
    except _DAMAGED as reason:
        return f"it is damaged ({reason})"
    return ""
