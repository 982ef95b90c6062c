"""Downloading jars by Maven coordinates: jgo gives the addresses, pooch verifies and places the files.

Libraries are imported on use, because they take longer to import than everything else at a start.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

TRIES = 3

_CHUNK = 1 << 16


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


class Cancelled(Exception):
    """The caller cancelled the download."""


class Downloader:
    """Downloads jars into one folder; it may be used from several threads.

    pooch writes to a temporary file, compares SHA-256, repeats a failed download and renames the file. jgo
    could download too, but it opens two connections for each file. One session keeps its connections, which
    fetches 370 small files in a fifth of the time. ``repositories`` are addresses by name; None: Maven
    Central. ``timeout`` is in seconds without a byte.
    """

    def __init__(
        self,
        folder: Path,
        *,
        cancelled: Callable[[], bool],
        repositories: dict[str, str] | None,
        parallel: int = 1,
        timeout: int = 60,
    ) -> None:
        import pooch  # pyright: ignore[reportMissingTypeStubs]
        import requests
        from jgo.maven import MavenContext
        from requests.adapters import HTTPAdapter

        # pooch logs every download to stderr.
        pooch.get_logger().setLevel("WARNING")
        self._folder = folder
        self._cancelled = cancelled
        self._timeout = timeout
        self._maven = MavenContext(repo_cache=folder, remote_repos=repositories)
        self._session = requests.Session()
        self._session.mount("https://", HTTPAdapter(pool_connections=2, pool_maxsize=parallel))

    def fetch(self, jar: Artifact, arrived: Callable[[int], None] | None = None) -> Path:
        """Download ``jar`` and return its path; ``arrived`` receives the number of bytes so far.

        Raises ValueError when the file has another hash after ``TRIES`` attempts, requests.RequestException,
        LookupError when no repository has the jar, or Cancelled.
        """
        import pooch  # pyright: ignore[reportMissingTypeStubs]

        def download(_url: str, output: str, _pooch: object) -> None:
            self._download(jar, Path(output), arrived)

        files = pooch.Pooch(
            self._folder,
            base_url="",
            registry={jar.file_name: f"sha256:{jar.sha256}"},
            retry_if_failed=TRIES - 1,
        )
        return Path(files.fetch(jar.file_name, downloader=cast("Any", download)))

    def _download(self, jar: Artifact, output: Path, arrived: Callable[[int], None] | None) -> None:
        import requests

        component = self._maven.project(jar.group, jar.artifact).at_version(jar.version)
        folder = component.path_prefix.as_posix()
        for repository in self._maven.remote_repos.values():
            if self._cancelled():
                raise Cancelled
            url = f"{repository}/{folder}/{jar.file_name}"
            with self._session.get(url, stream=True, timeout=self._timeout) as response:
                if response.status_code == requests.codes.not_found:
                    continue
                response.raise_for_status()
                output.unlink()  # pooch's file is private to its owner, but users may share a cache
                with output.open("wb") as file:
                    for chunk in response.iter_content(_CHUNK):
                        if self._cancelled():
                            raise Cancelled
                        file.write(chunk)
                        if arrived is not None:
                            arrived(file.tell())
            return
        raise LookupError("no repository has it")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()


def network_failure(reason: BaseException) -> str:
    """What a failed download means for a person; the reasons of requests name objects of Python."""
    import requests

    if isinstance(reason, requests.HTTPError) and reason.response is not None:
        return f"the server answered {reason.response.status_code} {reason.response.reason}"
    if isinstance(reason, requests.exceptions.ProxyError):
        return "the proxy cannot be used"
    if isinstance(reason, requests.exceptions.SSLError):
        return "the certificate of the server is not trusted"
    if isinstance(reason, requests.Timeout):
        return "the server does not answer"
    if isinstance(reason, requests.RequestException):
        return "the server cannot be reached, or the connection was lost"
    return str(reason)


def has_sha256(file: Path, sha256: str) -> bool:
    """Whether a file has this SHA-256 in hexadecimal; a file that cannot be read has none."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == sha256
    except OSError:
        return False
