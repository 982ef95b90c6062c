"""Opens the file, folder or archive that an import reads."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from legacymind.errors import InvalidInput
from legacymind.services.knowledge.importers import archives
from legacymind.services.knowledge.importers.formats import FORMATS, format_named, recognised
from legacymind.services.knowledge.importers.records import Contents, Fault, SourceFile, Warned

_HEAD: Final = 64 * 1024
"""Bytes of a file by which its format is recognised. If they are not enough, more of it is read."""

_LONGEST_HEAD: Final = 64 * 1024 * 1024


def opened(path: Path, format_name: str | None) -> tuple[str, list[SourceFile]]:
    """The format and the files at a path: itself, or those of a folder or a ZIP, in the order of their paths.

    Files and folders with a name that begins with a dot are skipped, like ``.obsidian``. A folder has the
    format of most of its files; another file with the ending of that format has a fault, and so has an entry
    that is no regular file of the folder. A file whose format is not recognised is left out with a warning.
    Files are opened when their lines are read. Raises InvalidInput for an unknown format and for a folder
    without a file of it or with files of several formats, and OSError.
    """
    if format_name is not None:
        format_named(format_name)
    if path.is_dir():
        return _chosen(f"The folder {path}", partial(_folder, path), format_name)
    if archives.is_archive(path):
        return _chosen(f"The archive {path}", partial(archives.files, path), format_name)
    source = _source(path, "")
    name = format_name or _format_of(source)
    if name is None:
        raise InvalidInput(f"The format of {path.name} is not recognised.", hint=_NAME_IT)
    return name, [source]


def _chosen(
    what: str, files: Callable[[Set[str]], Iterator[SourceFile]], format_name: str | None
) -> tuple[str, list[SourceFile]]:
    """The files of the named format, else of that of most of them, and those with a fault."""
    suffixes = {suffix for each in FORMATS.values() for suffix in each.suffixes}
    if format_name is not None:
        suffixes = set(FORMATS[format_name].suffixes)
    found = [*files(suffixes)]
    if all(file.fault for file in found):
        raise InvalidInput(
            f"{what} has no files to import.", hint=f"They end in {', '.join(sorted(suffixes))}."
        )
    if format_name is not None:
        return format_name, found
    formats = [None if file.fault else _format_of(file) for file in found]
    counts = Counter(name for name in formats if name is not None)
    if not counts:
        raise InvalidInput(f"{what} has no file whose format is recognised.", hint=_NAME_IT)
    # A folder of notes may hold a few tables.
    ((format_name, count),) = counts.most_common(1)
    if 2 * count <= counts.total():
        raise InvalidInput(f"{what} has files of several formats.", hint="Name one with --format.")
    sources: list[SourceFile] = []
    for source, name in zip(found, formats, strict=True):
        if PurePosixPath(source.name).suffix.lower() in FORMATS[format_name].suffixes:
            left_out = None if name == format_name or source.fault else _left_out(name, format_name)
            sources.append(replace(source, fault=left_out) if left_out else source)
    return format_name, sources


def _left_out(name: str | None, format_name: str) -> Fault | Warned:
    """Why a file of another format is not read. Exports have files of their own beside the memories."""
    if name is None:
        return Warned(f"the file was left out: its format is not recognised, and others are {format_name}")
    return Fault(f"its format is {name}, and the folder was read as {format_name}")


_NAME_IT: Final = f"Name it with --format: {', '.join(FORMATS)}."


def _format_of(file: SourceFile) -> str | None:
    """The format of a file by its name and its beginning, which is read until it shows the format."""
    assert isinstance(file.lines, Contents)
    size = _HEAD
    while True:
        head = file.lines.head(size)
        name = recognised(file.name, head)
        if name is not None or len(head) < size or size >= _LONGEST_HEAD:
            return name
        size *= 4


def _folder(folder: Path, suffixes: Set[str]) -> Iterator[SourceFile]:
    root = folder.resolve()
    for file in _files(folder):
        if file.suffix.lower() in suffixes:
            yield _entry(file, file.relative_to(folder).as_posix(), root)


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
    return SourceFile(file.name, (), label, fault=Fault(fault))


def _source(path: Path, label: str) -> SourceFile:
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return SourceFile(path.name, Contents(partial(path.open, "rb")), label, modified)
