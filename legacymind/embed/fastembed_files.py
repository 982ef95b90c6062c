"""Downloading a model of fastembed in a process of its own.

fastembed's download cannot be cancelled: with the hub out of reach it sleeps and retries for 40 seconds, in
a thread that Python waits for on exit. It also draws progress bars, which would corrupt the output of a
server that uses stdio. A separate process can be killed and has its own descriptors.
"""

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress, no_progress

DOWNLOAD = "Downloading the embedding model"

# Seconds: for the hub's first answer, and without a further byte before a download is given up.
_ANSWER, _STALL = 5, 60

# It prints the outcome as one line of JSON.
_PROGRAM = """
import json, sys
from loguru import logger
logger.remove()
from fastembed import TextEmbedding
from huggingface_hub import model_info
name, cache, answer = sys.argv[1:]
kind, model = next(
    (kind, model)
    for kind in TextEmbedding.EMBEDDINGS_REGISTRY
    for model in kind._list_supported_models()
    if model.model == name
)
outcome = {"hub": model.sources.hf, "reached": False}
try:
    model_info(model.sources.hf, timeout=float(answer))
    outcome["reached"] = True
    kind.download_model(model, cache, retries=1)
    outcome["ok"] = True
except Exception as reason:
    outcome["reason"] = f"{type(reason).__name__}: {reason}"
print(json.dumps(outcome))
"""


async def fetch(name: str, size: int, cache: Path, progress: Progress | None = None) -> None:
    """Download fastembed's model ``name``, about ``size`` bytes, into ``cache`` unless it is there.

    Cancelling kills the download. Raises DownloadFailed, within seconds when the hub cannot be reached.
    """
    if await asyncio.to_thread(_is_cached, name, cache):
        return
    try:
        await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)
        outcome = await _run(name, size, cache, progress or no_progress)
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {cache}: {reason}.",
            hint="Make room there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    if not outcome.get("ok"):
        cause = " ".join(str(outcome["reason"]).split())[:200].rstrip(".")
        what = "did not deliver all of it" if outcome.get("reached") else "cannot be reached"
        raise DownloadFailed(
            f"The embedding model {name} is not in the cache, and {outcome.get('hub', 'it')} on the model "
            f"hub {what} ({cause}).",
            hint="Check the network and try again; or set LEGACYMIND_EMBEDDING_MODEL_PATH to a folder with "
            "the model, HF_ENDPOINT to a mirror of the hub, or LEGACYMIND_EMBEDDING_PROVIDER to minilm.",
        )


def _is_cached(name: str, cache: Path) -> bool:
    from fastembed import TextEmbedding

    kinds: list[Any] = list(TextEmbedding.EMBEDDINGS_REGISTRY)
    for kind in kinds:
        for model in kind._list_supported_models():
            if model.model == name:
                with contextlib.suppress(Exception):
                    kind.download_model(model, str(cache), local_files_only=True)
                    return True
    return False


async def _run(name: str, size: int, cache: Path, report: Progress) -> dict[str, object]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, name, str(cache), str(_ANSWER)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cache,  # a folder without Python modules
        env=os.environ
        | {
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_XET": "1",  # Xet downloads to a folder that cannot be watched
            "HF_HUB_ETAG_TIMEOUT": str(_ANSWER),
            "HF_HUB_DOWNLOAD_TIMEOUT": str(_STALL),
        },
    )
    ended = asyncio.create_task(process.communicate())
    try:
        before = await asyncio.to_thread(_bytes_in, cache)
        while not (await asyncio.wait({ended}, timeout=0.2))[0]:
            done = await asyncio.to_thread(_bytes_in, cache) - before
            if done > 0:
                report(DOWNLOAD, min(done, size), size)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(ended)
        raise
    out, errors = (stream.decode(errors="replace").strip().splitlines() for stream in ended.result())
    try:
        return json.loads(out[-1])
    except (IndexError, ValueError):
        return {"reached": True, "reason": (errors or ["the download ended without a message"])[-1]}


def _bytes_in(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):  # a file was just moved
        total = sum(
            path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
        )
    return total
