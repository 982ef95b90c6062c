"""Opens the file or folder that an import reads."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers.formats import FORMATS, format_named, recognised
from legacymind.services.knowledge.importers.records import SourceFile

_HEAD: Final = 64 * 1024
"""Bytes of a file by which its format is recognised. If they are not enough, more of it is read."""

_LONGEST_HEAD: Final = 64 * 1024 * 1024


def opened(path: Path, format_name: str | None) -> tuple[str, list[SourceFile]]:
    """The format and the files at a path: itself, or those of a folder, in the order of their paths.

    Files and folders with a name that begins with a dot are skipped, like ``.obsidian``. A folder has the
    format of most of its files; another file with the ending of that format has a fault, and so has an entry
    that is no regular file of the folder. Files are opened when their lines are read. Raises InvalidInput for
    an unknown format and for a folder without a file of it or with files of several formats, and OSError.
    """
    if not path.is_dir():
        name = format_name or _format_of(path)
        if name is None:
            raise InvalidInput(f"The format of {path.name} is not recognised.", hint=_NAME_IT)
        format_named(name)
        return name, [_source(path, "")]
    suffixes = {suffix for each in FORMATS.values() for suffix in each.suffixes}
    if format_name is not None:
        suffixes = set(format_named(format_name).suffixes)
    root = path.resolve()
    sources = {
        file: _entry(file, file.relative_to(path).as_posix(), root)
        for file in _files(path)
        if file.suffix.lower() in suffixes
    }
    found = [file for file, source in sources.items() if not source.fault]
    if not found:
        raise InvalidInput(
            f"The folder {path} has no files to import.", hint=f"They end in {', '.join(sorted(suffixes))}."
        )
    if format_name is not None:
        return format_name, [*sources.values()]
    formats = {file: _format_of(file) for file in found}
    counts = Counter(name for name in formats.values() if name is not None)
    if not counts:
        raise InvalidInput(f"The format of no file in {path} is recognised.", hint=_NAME_IT)
    # A folder of notes may hold a few tables.
    ((format_name, count),) = counts.most_common(1)
    if 2 * count <= counts.total():
        raise InvalidInput(f"The folder {path} has files of several formats.", hint="Name one with --format.")
    for file, name in formats.items():
        if name != format_name:
            fault = "its format is not recognised" if name is None else f"its format is {name}"
            sources[file] = replace(sources[file], fault=f"{fault}, and the folder was read as {format_name}")
    suffixes = set(FORMATS[format_name].suffixes)
    return format_name, [source for file, source in sources.items() if file.suffix.lower() in suffixes]


_NAME_IT: Final = f"Name it with --format: {', '.join(FORMATS)}."


def _format_of(path: Path) -> str | None:
    """The format of a file by its name and its beginning, which is read until it shows the format."""
    size = _HEAD
    with path.open("rb") as file:
        head = file.read(size)
        while (name := recognised(path.name, head)) is None and len(head) == size < _LONGEST_HEAD:
            head += file.read(3 * size)
            size *= 4
    return name


def _files(folder: Path) -> Sequence[Path]:
    files: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent, name) for name in names if not name.startswith(".")]
    return sorted(files)


def _entry(file: Path, label: str, root: Path) -> SourceFile:
    """An entry of a folder, with a fault if it is not read: a shared folder may lead to others' files."""
    try:
        if not file.resolve(strict=True).is_relative_to(root):
            fault = "it is a link to a file outside the folder"
        elif not file.is_file():  # A pipe would wait for ever.
            fault = "it is no regular file"
        else:
            file.open("rb").close()
            return _source(file, label)
    except (OSError, RuntimeError) as reason:  # RuntimeError: links that lead in a circle, in Python 3.11
        fault = f"it cannot be read: {getattr(reason, 'strerror', None) or reason}"
    return SourceFile(file.name, (), label, fault=fault)


def _source(path: Path, label: str) -> SourceFile:
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return SourceFile(path.name, _lines(path), label, modified)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
