"""A file that is being written, which has its name only when it is complete: an export, or a segment."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from legacymind.errors import Conflict, EngineError


@contextmanager
def opened(file: Path, *, replace: bool = False) -> Generator[IO[bytes]]:
    """Open a file of any path to write: ``FILE.part`` until the end, and none if the writing fails.

    Without ``replace``, raises Conflict if the file exists or another call writes it. Raises EngineError if
    it cannot be written.
    """
    part = file.with_name(f"{file.name}.part")
    try:
        if replace:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif file.exists():
            raise FileExistsError
        kind = os.O_TRUNC if replace else os.O_EXCL
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | kind, 0o600), "wb") as target:
            try:
                yield target
                target.flush()
                os.fsync(target.fileno())
                # A link, unlike a rename, replaces no file.
                (os.replace if replace else os.link)(part, file)
            finally:
                part.unlink(missing_ok=True)
    except FileExistsError:
        raise Conflict(
            f"{file.name if file.exists() else part.name} exists.",
            effect="Nothing was written.",
            hint="Choose another name; a .part is of an export that runs, or was killed and can be deleted.",
        ) from None
    except OSError as reason:
        raise EngineError(
            f"{file} could not be written: {reason.strerror or reason}.",
            effect="No file was left, and nothing of the database changed.",
            hint="Check the free disk space and the rights, and try again.",
        ) from reason
