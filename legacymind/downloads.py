"""Downloads of Maven artifacts into a folder that several processes share.

Libraries are imported on use, because they take longer to import than everything else at a start.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from legacymind.errors import DownloadFailed

if TYPE_CHECKING:
    from httpx2 import AsyncClient

_PARALLEL: Final = 8
_TRIES: Final = 3
_PAUSE = 1.0
"""Seconds between two attempts."""

_SILENCE: Final = 20.0
"""Seconds without a byte after which an attempt has failed."""

_PART: Final = ".part-"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A jar in a Maven repository; ``sha256`` is the only content that is accepted."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str

    @property
    def file_name(self) -> str:
        """Maven's name for the file."""
        parts = [self.artifact, self.version, self.classifier]
        return "-".join(part for part in parts if part) + ".jar"


def repository() -> str:
    """The address of Maven Central, which jgo knows."""
    from jgo.constants import MAVEN_CENTRAL_URL

    return MAVEN_CENTRAL_URL


@asynccontextmanager
async def writing(folder: Path) -> AsyncGenerator[None]:
    """Keep a folder of downloads for this task: other tasks and processes wait.

    Removes what killed processes left there. An OSError inside becomes DownloadFailed.
    """
    from filelock import AsyncFileLock

    try:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        async with AsyncFileLock(folder / ".lock"):
            await asyncio.to_thread(_remove_parts, folder)
            yield
    except OSError as reason:
        raise DownloadFailed(
            f"Downloads cannot be written to {folder}: {reason}.",
            hint="Free some space, make the folder writable, or set LEGACYMIND_CACHE to another folder.",
        ) from reason


def _remove_parts(folder: Path) -> None:
    import shutil

    for left in folder.glob(f"{_PART}*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def part(folder: Path, name: str) -> Path:
    """The path for a file or folder that is not complete yet; rename it when it is."""
    return folder / f"{_PART}{name}"


async def fetch(artifacts: Sequence[Artifact], folder: Path, arrived: Callable[[int], None]) -> None:
    """Download artifacts to ``folder``, which the caller keeps (``writing``); eight at once, in order.

    ``arrived`` receives the bytes of each chunk, negative ones for those of a failed attempt. A file appears
    when it is complete. The first failure ends the rest. Raises DownloadFailed and OSError.
    """
    from httpx2 import AsyncClient

    queue = iter(artifacts)
    async with AsyncClient(timeout=_SILENCE, follow_redirects=True) as client:

        async def lane() -> None:
            for artifact in queue:
                await _repeated(client, artifact, folder, arrived)

        try:
            async with asyncio.TaskGroup() as lanes:
                for _ in range(min(_PARALLEL, len(artifacts))):
                    lanes.create_task(lane())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None


async def _repeated(
    client: "AsyncClient", artifact: Artifact, folder: Path, arrived: Callable[[int], None]
) -> None:
    from httpx2 import HTTPStatusError, TransportError

    reason: Exception | None = None
    for attempt in range(1, _TRIES + 1):
        try:
            if await _once(client, artifact, folder, arrived):
                return
            reason = None
        except HTTPStatusError as refused:
            _fail(artifact, f"the server answered {refused.response.status_code}", refused)
        except TransportError as failed:
            reason = failed
        if attempt < _TRIES:
            await asyncio.sleep(_PAUSE)
    _fail(artifact, meaning(reason) if reason else f"another file arrived {_TRIES} times", reason)


async def _once(
    client: "AsyncClient", artifact: Artifact, folder: Path, arrived: Callable[[int], None]
) -> bool:
    """Download an artifact; return whether it has the right hash."""
    address = "/".join((repository(), *artifact.group.split("."), artifact.artifact, artifact.version))
    arriving, digest, size = part(folder, artifact.file_name), hashlib.sha256(), 0
    try:
        async with client.stream("GET", f"{address}/{artifact.file_name}") as response:
            response.raise_for_status()
            with arriving.open("wb") as file:
                async for chunk in response.aiter_bytes(1 << 16):
                    digest.update(chunk)
                    file.write(chunk)
                    size += len(chunk)
                    arrived(len(chunk))
        if digest.hexdigest() == artifact.sha256:
            arriving.replace(folder / artifact.file_name)
            size = 0
            return True
        return False
    finally:
        if size:
            arrived(-size)
        arriving.unlink(missing_ok=True)


def _fail(artifact: Artifact, why: str, reason: BaseException | None) -> NoReturn:
    raise DownloadFailed(
        f"{artifact.file_name} could not be downloaded: {why}.",
        effect="What arrived before is kept; stored data is untouched.",
        hint="Check the network (HTTPS_PROXY and SSL_CERT_FILE are used) and try again. Without a network, "
        "copy the cache folder (LEGACYMIND_CACHE) from a machine that has the file.",
    ) from reason


def meaning(reason: Exception) -> str:
    """What a failed request means for a person; the reasons of the library name its own objects."""
    from httpx2 import ConnectError, ProxyError, TimeoutException

    if isinstance(reason, ProxyError):
        return "the proxy cannot be used"
    if isinstance(reason, TimeoutException):
        return "the server does not answer"
    if isinstance(reason, ConnectError) and "CERTIFICATE" in str(reason).upper():
        return "the certificate of the server is not trusted"
    return "the server cannot be reached, or the connection was lost"


def has_sha256(file: Path, sha256: str) -> bool:
    """Whether a file has this SHA-256 in hexadecimal; a file that cannot be read has none."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == sha256
    except OSError:
        return False
