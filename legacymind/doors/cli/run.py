"""Functions that several commands share: the event loop, how this program is started, text from arguments."""

import asyncio
import json
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable, Coroutine
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from legacymind.errors import InvalidInput

_CACHED: Final = re.compile(r"[/\\](?:archive|environments|builds)-v\d+[/\\]")
"""What the path of a program has that `uvx` runs: uv's cache, which `uv cache clean` empties."""


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a command's coroutine and return its result."""
    return asyncio.run(work())


def program() -> list[str]:
    """The command that starts this program, for settings of other programs, whose PATH may be another.

    It is a path, or `uvx` and its arguments if that runs this program.
    """
    path = shutil.which("legacymind") or str(Path(sys.argv[0]).resolve())
    if not _CACHED.search(path):
        return [path]
    source = _source()
    return [shutil.which("uvx") or "uvx", *(["--from", source] if source else []), "legacymind"]


def called() -> str:
    """The command that starts this program again in the shell where it was called.

    It is the bare name only where the shell finds this program by it.
    """
    if before := program()[1:]:
        return shlex.join(["uvx", *before])
    typed, found = Path(sys.argv[0]), shutil.which("legacymind")
    if typed.stem != "legacymind" or (found and Path(found).absolute() == typed.absolute()):
        return "legacymind"
    return shlex.quote(str(typed))


def _source() -> str:
    """The address that this program was installed from; blank if that was the package index."""
    told = _told_origin()
    if not told:
        return ""
    origin = json.loads(told)
    vcs = origin.get("vcs_info", {}).get("vcs", "")
    return f"{vcs}+{origin['url']}" if vcs else origin["url"]


def _told_origin() -> str:
    """What the installer noted; blank if the package index was the origin."""
    found = metadata.distributions(name="legacymind", path=[sysconfig.get_path("purelib")])
    return next((each.read_text("direct_url.json") for each in found), None) or ""


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
