"""Functions that several commands share: the event loop, this program's path, and text from arguments."""

import asyncio
import shutil
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from legacymind.errors import InvalidInput


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a command's coroutine and return its result."""
    return asyncio.run(work())


def program() -> str:
    """The path of this program, for settings of other programs, whose PATH may be another."""
    return shutil.which("legacymind") or str(Path(sys.argv[0]).resolve())


def read_argument(value: str) -> str:
    """The text of an argument: ``-`` reads standard input, ``@FILE`` a file, other values are the text.

    Raises InvalidInput if the file cannot be read or the text is not UTF-8.
    """
    if value == "-":
        raw = sys.stdin.buffer.read()
    elif value.startswith("@") and _is_file(value[1:]):
        try:
            raw = Path(value[1:]).read_bytes()
        except OSError as reason:
            raise InvalidInput(
                f"The file {value[1:]} cannot be read: {reason.strerror}.",
                hint="Name a file that can be read, or pass the text itself.",
            ) from None
    else:
        return value
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise InvalidInput("The input is not UTF-8.", hint="Convert it to UTF-8.") from None


def _is_file(name: str) -> bool:
    """Whether a file has this name; a text that the system refuses as a name is not one."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False
