"""The segments of a place: NAMESPACE/REPLICA/00000001.jsonl.gz and so on, each written once and whole.

A segment is gzip of JSON lines: the header with namespace, replica, number and the SHA-256 of the segment
before, then what changed, then the number of lines. Anything may carry it, in any order and in parts, so a
segment that is missing or cut waits for the next time.
"""

import asyncio
import gzip
import hashlib
import json
import re
import shutil
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import quote

from legacymind.errors import Conflict
from legacymind.services.knowledge.importers.native import VERSION
from legacymind.services.sync import part
from legacymind.services.sync.lines import text_of

LARGEST: Final = 16 << 20
"""Bytes of a segment, packed or not: one with more is none of ours."""

_BYTES: Final = 4 << 20
"""Bytes of lines after which a segment ends."""

_LINES: Final = 5_000
"""The most lines of a segment."""

_LONGEST_NAME: Final = 200
"""Characters of a folder's name; file systems allow 255, and a lock adds some."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as it was read."""

    sha: str
    lines: list[dict[str, Any]]


class Place:
    """A folder that anything may carry, for one namespace. ``name`` is that of the place in the database."""

    def __init__(self, name: str, namespace: str) -> None:
        self.name = name
        self._namespace = namespace
        self._root = f"{name}/{folder_name(namespace)}"

    def where(self, replica: str, number: int) -> str:
        """The path or address of a segment."""
        return f"{self._root}/{replica}/{number:08}.jsonl.gz"

    async def last(self) -> dict[str, tuple[int, str]]:
        """Number and SHA-256 of the last segment of each home, 0 and blank for one that has none."""
        return await asyncio.to_thread(self._last)

    async def get(self, replica: str, number: int) -> bytes | None:
        """The bytes of a segment; None without one."""
        return await asyncio.to_thread(_read, self.where(replica, number))

    async def put(self, replica: str, number: int, packed: bytes) -> list[str]:
        """Store a segment, whole or not at all; return what a server refused of it. Raises EngineError."""
        await asyncio.to_thread(_write, Path(self.where(replica, number)), packed)
        return []

    async def delete(self) -> None:
        """Delete all segments."""
        await asyncio.to_thread(shutil.rmtree, self._root, ignore_errors=True)

    async def sha(self, replica: str, number: int) -> str | None:
        """The SHA-256 of a segment; None without one."""
        packed = await self.get(replica, number)
        return None if packed is None else hashlib.sha256(packed).hexdigest()

    async def read(self, replica: str, number: int, before: str) -> Segment | None:
        """A segment; None if it is not there yet, or not whole.

        ``before`` is the SHA-256 of the one before. Raises Conflict for one that is of something else.
        """
        packed = await self.get(replica, number)
        if packed is None:
            return None
        return await asyncio.to_thread(self.checked, replica, number, before, packed)

    def checked(self, replica: str, number: int, before: str, packed: bytes) -> Segment | None:
        """The segment with these bytes; None if they are not whole. Raises Conflict as ``read`` does."""
        where = self.where(replica, number)
        try:
            unpacker = zlib.decompressobj(31)
            text = unpacker.decompress(packed, LARGEST + 1)
            if len(text) > LARGEST or text.count(b"\n") > _LINES + 2:
                raise refused(where, "it is too large")
            if not unpacker.eof:
                return None
            header, *lines, end = [json.loads(line) for line in text.removesuffix(b"\n").split(b"\n")]
            stated = (header["namespace"], header["replica"], header["number"], header["version"])
            own, previous = (self._namespace, replica, number, VERSION), header["previous"]
            whole = end == {"kind": "end", "lines": len(lines)} and all(
                isinstance(one, dict) for one in lines
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
            raise refused(where, "it cannot be read") from None
        if stated != own or not whole:
            raise refused(
                where, f"it is a segment of {stated} and not of {own}" if whole else "its lines are not whole"
            )
        if previous != before:
            changed = self.where(replica, number - 1) if number > 1 else where
            raise refused(changed, "it is not the one that was written")
        return Segment(hashlib.sha256(packed).hexdigest(), cast("list[dict[str, Any]]", lines))

    def packed(self, replica: str, number: int, before: str, lines: Sequence[str]) -> tuple[bytes, str]:
        """The next segment of this home, and its SHA-256."""
        header = {"kind": "header", "format": "legacymind", "version": VERSION, "namespace": self._namespace}
        header |= {"replica": replica, "number": number, "previous": before}
        texts = [f"{text_of(header)}\n", *lines, text_of({"kind": "end", "lines": len(lines)}), "\n"]
        packed = gzip.compress("".join(texts).encode(), 6, mtime=0)
        return packed, hashlib.sha256(packed).hexdigest()

    def _last(self) -> dict[str, tuple[int, str]]:
        found: dict[str, tuple[int, str]] = {}
        root = Path(self._root)
        for folder in sorted(root.iterdir()) if root.is_dir() else ():
            if folder.is_dir():
                names = [one.name for one in folder.glob(f"{'[0-9]' * 8}.jsonl.gz")]
                number = max((int(name[:8]) for name in names), default=0)
                packed = _read(self.where(folder.name, number))
                found[folder.name] = number, "" if packed is None else hashlib.sha256(packed).hexdigest()
        return found


async def segments(lines: AsyncIterator[Mapping[str, Any]]) -> AsyncIterator[list[str]]:
    """The lines of one segment after another, as they are written."""
    texts, size = list[str](), 0
    async for line in lines:
        texts.append(f"{text_of(line)}\n")
        size += len(texts[-1])
        if len(texts) == _LINES or size >= _BYTES:
            yield texts
            texts, size = [], 0
    if texts:
        yield texts


def _read(file: str) -> bytes | None:
    try:
        return Path(file).read_bytes()
    except FileNotFoundError:
        return None


def _write(file: Path, packed: bytes) -> None:
    with part.opened(file, replace=True) as target:
        target.write(packed)


def folder_name(namespace: str) -> str:
    """The name of a folder for a namespace; of one that is too long for a file system, a digest."""
    name = re.sub(r"^[.]", "%2E", quote(namespace, safe=""))
    return name if len(name) <= _LONGEST_NAME else hashlib.sha256(namespace.encode()).hexdigest()


def refused(where: str, why: str) -> Conflict:
    """The error of a segment that is none of ours."""
    return Conflict(
        f"{where} was changed or does not belong there: {why}.",
        effect="Nothing of it was stored; the segments of other homes were.",
        hint="Restore the file, or delete the folder that it is in: its home writes all of it again after "
        "`legacymind sync PLACE --new-replica`.",
    )
