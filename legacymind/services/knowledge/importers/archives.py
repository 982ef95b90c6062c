"""The files of a ZIP archive, as it was downloaded. They are read where they are; nothing is extracted."""

import lzma
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
    found = [
        (info.filename.replace("\\", "/"), info)
        for info in archive.infolist()
        if not info.filename.endswith("/")
    ]
    for label, info in sorted(found, key=itemgetter(0)):
        name = PurePosixPath(label)
        hidden = any(part == "__MACOSX" or (part[0] == "." and part.strip(".")) for part in name.parts)
        if name.suffix.lower() in suffixes and not hidden:
            contents = Contents(partial(archive.open, info))
            yield SourceFile(name.name, contents, label, _modified(info), _fault(contents))


def _modified(info: zipfile.ZipInfo) -> datetime:
    """When the file was changed; archives have no time zone, so UTC is assumed."""
    try:
        return datetime(*info.date_time, tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)


def _fault(contents: Contents) -> Fault | None:
    """The reason why a file cannot be read, if there is one. Reads all of it."""
    try:
        with contents.open() as file:
            while file.read(_CHUNK):
                pass
    except _DAMAGED as reason:
        return Fault(f"it cannot be read ({reason})")
    return None
