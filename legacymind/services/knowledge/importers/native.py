"""The import format of LegacyMind, version 1 (docs/memory/importing.md)."""

from collections.abc import Iterable, Iterator
from typing import Final, cast

from legacymind.services.knowledge.importers.jsonl import MAX_LINE, filled, members, parsed
from legacymind.services.knowledge.importers.records import (
    Fault,
    LineNumber,
    ReadLine,
    SourceFile,
    unread,
)

VERSION: Final = 1


def read(files: Iterable[SourceFile]) -> Iterator[ReadLine]:
    """Read files of JSON Lines. Raises InvalidInput for a single file without a header of this version."""
    for file in files:
        started = False
        for number, raw in filled(file):
            place = LineNumber(number, file.label)
            try:
                if len(raw) > MAX_LINE:
                    # As a first line, it is no header: the file may have another format.
                    size = f"the line has {len(raw):,} characters; at most {MAX_LINE:,} are read"
                    raise Fault(size if started else f"it is longer than {MAX_LINE:,} characters")
                line = parsed(raw)
                if not isinstance(line, dict):
                    raise Fault("it must be an object")
            except Fault as reason:
                if not started:
                    yield unread(place, str(reason))
                    break
                yield place, reason
                continue
            line = members(cast("object", line))
            if line.get("kind") == "header":  # Concatenated files have several headers.
                version = line.get("version")
                if line.get("format") != "legacymind" or version != VERSION:
                    yield unread(place, f"this LegacyMind reads format version {VERSION}, not {version}")
                    break
                started = True
            elif not started:
                yield unread(place, "the file does not begin with a header line")
                break
            else:
                yield place, line
        else:
            if not started:
                yield unread(LineNumber(1, file.label), "the file is empty")
