"""Functions that several commands share: the mind, how this program is started, files."""

import asyncio
import json
import re
import shutil
import sys
import sysconfig
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from legacymind.errors import InvalidInput

if TYPE_CHECKING:  # imported when used: `hook` answers in a fifth of a second
    from legacymind.mind import Mind
    from legacymind.model.progress import Progress
    from legacymind.settings import Settings

T = TypeVar("T")

_CACHED: Final = re.compile(r"[/\\](?:archive|environments|builds)-v\d+[/\\]")
"""What the path of a program has that `uvx` runs: uv's cache, which `uv cache clean` empties."""


def in_mind(
    work: "Callable[[Mind, Progress], Awaitable[T]]",
    settings: "Settings | None" = None,
    *,
    staged: bool = False,
) -> T:
    """Run the work of a command, and show its progress in a terminal.

    A start of the managed Neo4j has a bar, too. With ``staged``, other output has one line for each stage.
    """
    from legacymind.doors.cli.output import progress, waiting
    from legacymind.mind import Mind

    async def connected() -> T:
        with waiting() as starting:
            async with Mind(settings, progress=starting) as mind:
                with progress() if staged else waiting() as shown:
                    return await work(mind, shown)

    return asyncio.run(connected())


def program() -> list[str]:
    """The command that starts this program, for settings of other programs, whose PATH may be another.

    It is a path, or `uvx` and its arguments if that runs this program.
    """
    path = shutil.which("legacymind") or str(Path(sys.argv[0]).resolve())
    if not _CACHED.search(path):
        return [path]
    source = _source()
    return [shutil.which("uvx") or "uvx", *(["--from", source] if source else []), "legacymind"]


def _source() -> str:
    """The address that this program was installed from; blank if that was the package index."""
    noted = _noted_origin()
    if not noted:
        return ""
    origin = json.loads(noted)
    vcs = origin.get("vcs_info", {}).get("vcs", "")
    return f"{vcs}+{origin['url']}" if vcs else origin["url"]


def _noted_origin() -> str:
    """What the installer noted; blank if the package index was the origin."""
    found = metadata.distributions(name="legacymind", path=[sysconfig.get_path("purelib")])
    return next((each.read_text("direct_url.json") for each in found), None) or ""


@contextmanager
def accessed(file: Path, how: str, effect: str = "") -> Generator[None]:
    """Raise InvalidInput if a file cannot be "read" or "written"."""
    try:
        yield
    except UnicodeDecodeError:
        raise InvalidInput(f"{file} is not UTF-8.", effect=effect, hint="Convert it to UTF-8.") from None
    except OSError as reason:
        raise InvalidInput(
            f"{file} cannot be {how}: {reason.strerror}.", effect=effect, hint="Check the path."
        ) from None


def read_argument(value: str) -> str:
    """The text of an argument: ``-`` reads standard input, ``@FILE`` a file, other values are the text.

    Raises InvalidInput if the file cannot be read or the text is not UTF-8.
    """
    file = Path(value[1:])
    if value == "-":
        with accessed(Path("The input"), "read"):
            return sys.stdin.buffer.read().decode()
    if not value.startswith("@") or not _is_file(file):
        return value
    with accessed(file, "read"):
        return file.read_bytes().decode()


def _is_file(file: Path) -> bool:
    """Whether there is such a file; a text that the system refuses as a name is not one."""
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False
