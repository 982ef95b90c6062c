"""The files of a place: PLACE/NAMESPACE/REPLICA/00000001.jsonl.gz and so on, each written once and whole.

A segment is gzip of JSON lines: the header with namespace, replica, number and the SHA-256 of the segment
before, then what changed, then the number of lines. Anything may carry it, in any order and in parts, so a
segment that is missing or cut waits for the next time.
"""

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import quote

from legacymind.errors import Conflict, EngineError
from legacymind.services.chain import hashing
from legacymind.services.knowledge.importers.native import VERSION

_DIGITS: Final = 8

_LONGEST: Final = 1 << 30
"""Bytes of an unpacked segment: more is no segment of ours."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as it was read, or written."""

    replica: str
    number: int
    sha: str
    lines: list[dict[str, Any]]


class Place:
    """A folder, for one namespace."""

    def __init__(self, folder: Path, namespace: str) -> None:
        self._folder = folder / quote(namespace, safe="")
        self._namespace = namespace

    def replicas(self) -> list[str]:
        """The replicas that have a folder."""
        if not self._folder.is_dir():
            return []
        return sorted(one.name for one in self._folder.iterdir() if one.is_dir())

    def sha(self, replica: str, number: int) -> str | None:
        """The SHA-256 of a segment's bytes; None without one."""
        try:
            return hashlib.sha256(self.file(replica, number).read_bytes()).hexdigest()
        except FileNotFoundError:
            return None

    def last(self, replica: str) -> int:
        """The number of a replica's last segment, 0 without any."""
        names = (self._folder / replica).glob(f"{'[0-9]' * _DIGITS}.jsonl.gz")
        return max((int(one.name[:_DIGITS]) for one in names), default=0)

    def file(self, replica: str, number: int) -> Path:
        """The file of a segment."""
        return self._folder / replica / f"{number:0{_DIGITS}}.jsonl.gz"

    def read(self, replica: str, number: int, before: str) -> Segment | None:
        """A segment; None if it is not there yet, or not whole.

        ``before`` is the SHA-256 of the one before. Raises Conflict for one that is of something else.
        """
        file = self.file(replica, number)
        try:
            packed = file.read_bytes()
        except FileNotFoundError:
            return None
        try:
            unpacker = zlib.decompressobj(31)
            text = unpacker.decompress(packed, _LONGEST)
            if not unpacker.eof:
                return None
            header, *lines, end = [json.loads(line) for line in text.splitlines()]
            stated = (header["namespace"], header["replica"], header["number"], header["version"])
            own, previous = (self._namespace, replica, number, VERSION), header["previous"]
            whole = end == {"kind": "end", "lines": len(lines)} and all(
                isinstance(one, dict) for one in lines
            )
        except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
            raise _refused(file, "it cannot be read") from None
        if stated != own or not whole:
            raise _refused(
                file, f"it is a segment of {stated} and not of {own}" if whole else "its lines are not whole"
            )
        if previous != before:
            raise _refused(
                self.file(replica, number - 1) if number > 1 else file, "it is not the one that was written"
            )
        return Segment(
            replica, number, hashlib.sha256(packed).hexdigest(), cast("list[dict[str, Any]]", lines)
        )

    def packed(
        self, replica: str, number: int, before: str, lines: Iterable[Mapping[str, Any]]
    ) -> tuple[bytes, str]:
        """The next segment of this home, and its SHA-256."""
        written = [*lines]
        header = {"kind": "header", "format": "legacymind", "version": VERSION, "namespace": self._namespace}
        header |= {"replica": replica, "number": number, "previous": before}
        texts = [_line(one) for one in (header, *written, {"kind": "end", "lines": len(written)})]
        packed = gzip.compress("".join(texts).encode(), 6, mtime=0)
        return packed, hashlib.sha256(packed).hexdigest()

    def write(self, replica: str, number: int, packed: bytes) -> None:
        """Write a segment, whole or not at all."""
        file = self.file(replica, number)
        part = file.with_name(f".{file.name}.part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
                target.write(packed)
                target.flush()
                os.fsync(target.fileno())
            part.replace(file)
        except OSError as reason:
            raise EngineError(
                f"{file} could not be written: {reason.strerror or reason}.",
                effect="Other segments are whole, and nothing of the database changed.",
                hint="Check the free space and the rights of the place, and synchronise again.",
            ) from reason


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False, default=hashing.utc) + "\n"


def _refused(file: Path, why: str) -> Conflict:
    return Conflict(
        f"{file} was changed or does not belong there: {why}.",
        effect="Nothing of it was stored; the segments of other homes were.",
        hint="Restore the file, or delete the folder that it is in: its home writes all of it again after "
        "`legacymind sync PLACE --new-replica`.",
    )
