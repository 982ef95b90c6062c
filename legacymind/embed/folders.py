"""Folders of downloaded models: each is complete or absent, also when several processes create it at once."""

import contextlib
import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

# The stages of progress.
DOWNLOAD = "Downloading the embedding model"
BUILD = "Preparing the embedding model"

_SIZES = "sizes.json"
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


def open_scratch(parent: Path) -> Path:
    """Create a scratch folder in ``parent``, and remove those that killed processes left."""
    parent.mkdir(parents=True, exist_ok=True)
    for leftover in parent.glob(f"{_SCRATCH}*"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _DAY:  # older ones cannot be in use
                shutil.rmtree(leftover)
    return Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=parent))


def write(made: Path, files: Mapping[str, bytes]) -> Path:
    """Create the folder ``made`` with the files and their sizes, and return it."""
    made.mkdir()
    for name, content in files.items():
        (made / name).write_bytes(content)
    sizes = {name: len(content) for name, content in files.items()}
    (made / _SIZES).write_text(json.dumps(sizes), encoding="utf-8")
    return made


def publish(made: Path, target: Path, scratch: Path) -> None:
    """Rename ``made`` to ``target``, unless another process completed that first."""
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
