"""Functions that several commands share: the event loop, and text from arguments."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from legacymind.errors import InvalidInput


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a command's coroutine and return its result."""
    return asyncio.run(work())


def read_argument(value: str) -> str:
    """The text of an argument: ``-`` reads standard input, ``@FILE`` a file, other values are the text.

    Raises InvalidInput if the text is not UTF-8.
    """
    if value == "-":
        raw = sys.stdin.buffer.read()
    elif value.startswith("@") and Path(value[1:]).is_file():
        raw = Path(value[1:]).read_bytes()
    else:
        return value
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise InvalidInput("The input is not UTF-8.", hint="Convert it to UTF-8.") from None
