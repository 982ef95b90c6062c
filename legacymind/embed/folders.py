"""Folders of downloaded models: each is complete or absent, also when several processes create it at once."""

import asyncio
import contextlib
import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from legacymind.errors import DownloadFailed
from legacymind.maven import has_sha256
from legacymind.model.progress import Progress, no_progress

# The stages of progress.
DOWNLOAD = "Downloading the embedding model"
BUILD = "Preparing the embedding model"

_SIZES = "sizes.json"
_HASHES = "hashes.json"
_CHECKED = "checked.json"
_SCRATCH = ".part-"
_DAY = 86_400.0
# Attempts to move the finished folder into place. Of six processes doing so at once on a busy machine, over a
# damaged folder, one lost three times.
_TRIES = 20


def is_complete(folder: Path) -> bool:
    """Return whether every file has its full size. Hashes are not checked, as this runs at every start."""
    try:
        sizes = json.loads((folder / _SIZES).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def damaged(folder: Path) -> list[str]:
    """Hash the files of a folder and return the names of the missing and changed ones; reads all of them."""
    try:
        hashes: dict[str, str] = json.loads((folder / _HASHES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return [_HASHES]
    broken = [name for name, sha256 in hashes.items() if not has_sha256(folder / name, sha256)]
    return broken if broken or is_complete(folder) else [_SIZES]


def damaged_since(folder: Path) -> list[str]:
    """As ``damaged``, but hash nothing if size, time and inode of each file are those of the last check."""
    try:
        identities = {
            path.name: _identity(path) for path in sorted(folder.iterdir()) if path.name != _CHECKED
        }
    except OSError:
        return damaged(folder)
    try:
        if json.loads((folder / _CHECKED).read_text(encoding="utf-8")) == identities:
            return []
    except (OSError, ValueError):
        pass  # never checked, or the note is unreadable
    broken = damaged(folder)
    if not broken:
        with contextlib.suppress(OSError):  # a cache that others own is hashed at each load
            (folder / _CHECKED).write_text(json.dumps(identities), encoding="utf-8")
    return broken


def _identity(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ino]


def discard(folder: Path) -> None:
    """Remove the mark that a folder is complete, so that ``create`` creates it again. Raises OSError."""
    (folder / _SIZES).unlink(missing_ok=True)


async def create(
    target: Path,
    download: Callable[[Path, Progress], Awaitable[Path]],
    make: Callable[[Path], Mapping[str, bytes]],
    progress: Progress | None = None,
) -> Path:
    """Create the folder ``target`` of a model unless it is complete, and return it.

    ``download`` writes one file below the folder that it receives and returns its path. ``make`` returns the
    model's files by name from it; it runs in a thread. Both work in a scratch folder that is renamed at the
    end, so readers see all or none. When two processes create the folder at once, one of them wins and both
    get it. Cancelling leaves nothing behind. Raises DownloadFailed.
    """
    if is_complete(target):
        return target
    report = progress or no_progress
    try:
        scratch = await asyncio.to_thread(_open_scratch, target.parent)
        try:
            downloaded = await download(scratch, report)
            report(BUILD, 0, 1)
            await asyncio.to_thread(_publish, make, downloaded, target, scratch)
            report(BUILD, 1, 1)
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True))
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {target.parent}: {reason}.",
            hint="Free 300 MB there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    return target


def _open_scratch(parent: Path) -> Path:
    """Create a scratch folder in ``parent``, and remove those that killed processes left."""
    parent.mkdir(parents=True, exist_ok=True)
    for leftover in parent.glob(f"{_SCRATCH}*"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _DAY:  # older ones cannot be in use
                shutil.rmtree(leftover)
    return Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=parent))


def _write(made: Path, files: Mapping[str, bytes]) -> None:
    """Create the folder ``made`` with the files and their sizes."""
    made.mkdir()
    for name, content in files.items():
        (made / name).write_bytes(content)
    sizes = {name: len(content) for name, content in files.items()}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    (made / _HASHES).write_text(json.dumps(hashes), encoding="utf-8")
    (made / _SIZES).write_text(json.dumps(sizes), encoding="utf-8")


def _publish(
    make: Callable[[Path], Mapping[str, bytes]], downloaded: Path, target: Path, scratch: Path
) -> None:
    """Write the model's files and rename their folder to ``target``, unless another process did so first."""
    made = scratch / "made"
    _write(made, make(downloaded))
    for attempt in range(_TRIES):
        try:
            made.rename(target)
            return
        except OSError:
            if is_complete(target):  # another process finished first
                return
            if attempt == _TRIES - 1:
                raise
            # An incomplete folder is in the way; move it aside.
            with contextlib.suppress(FileNotFoundError):  # another process moved it
                target.rename(scratch / f"damaged-{attempt}")
