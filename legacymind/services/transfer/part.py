"""The file of an export, which has its name only when it is complete."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from legacymind.errors import Conflict, EngineError


@contextmanager
def opened(file: Path) -> Generator[IO[bytes]]:
    """Open a new file of any path to write: ``FILE.part`` until the end, and none if the writing fails.

    Raises Conflict if the file exists or another call writes it, and EngineError if it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        if file.exists():
            raise FileExistsError
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            try:
                yield target
                target.flush()
                os.fsync(target.fileno())
                os.link(part, file)  # unlike a rename, it replaces no file
            finally:
                part.unlink()
    except FileExistsError:
        raise Conflict(
            f"{file.name if file.exists() else part.name} exists.",
            effect="Nothing was written.",
            hint="Choose another name; a .part is of an export that runs, or was killed and can be deleted.",
        ) from None
    except OSError as reason:
        raise EngineError(
            f"{file.name} could not be written: {reason.strerror or reason}.",
            effect="No file was left.",
            hint="Check the free disk space and the rights, and export again.",
        ) from reason
