"""Downloading a model of fastembed, an embedding model or a cross-encoder, in a process of its own.

fastembed's download cannot be cancelled: with the hub out of reach it sleeps and retries for 40 seconds, in
a thread that Python waits for on exit. It also draws progress bars, which would corrupt the output of a
server that uses stdio. A separate process can be killed and has its own descriptors.
"""

import asyncio
import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress, no_progress

DOWNLOAD = "Downloading the embedding model"

# Seconds: for the hub's first answer, and without a further byte before a download is given up.
_ANSWER, _STALL = 5, 60

# It prints one line of JSON: the outcome.
_PROGRAM = """
import json, sys
from loguru import logger
logger.remove()
name, cache, answer = sys.argv[1], sys.argv[2], float(sys.argv[3])
def end(**outcome):
    print(json.dumps(outcome), flush=True)
    sys.exit(0)
from fastembed import TextEmbedding
for kind in TextEmbedding.EMBEDDINGS_REGISTRY:
    for model in kind._list_supported_models():
        if model.model == name:
            break
    else:
        continue
    break
try:
    from huggingface_hub import model_info
    model_info(model.sources.hf, timeout=answer)
except Exception as reason:
    end(ok=False, hub=model.sources.hf, reached=False, reason=f"{type(reason).__name__}: {reason}")
try:
    kind.download_model(model, cache, retries=1)
    end(ok=True)
except Exception as reason:
    end(ok=False, hub=model.sources.hf, reached=True, reason=f"{type(reason).__name__}: {reason}")
"""


async def fetch(name: str, size: int, cache: Path, progress: Progress | None = None) -> None:
    """Download fastembed's model ``name``, about ``size`` bytes, into ``cache`` unless it is there.

    Cancelling kills the download. Raises DownloadFailed, within seconds when the hub cannot be reached.
    """
    if await asyncio.to_thread(_is_cached, name, cache):
        return
    try:
        await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)
        outcome = await _run(name, size, cache, DOWNLOAD, progress or no_progress)
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {cache}: {reason}.",
            hint="Make room there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    if not outcome.get("ok"):
        hub = outcome.get("hub", "the hub")
        cause = " ".join(str(outcome.get("reason", "no reason given")).split())[:200].rstrip(".")
        what = "cannot be reached" if outcome.get("reached") is False else "did not deliver all of it"
        raise DownloadFailed(
            f"The embedding model {name} is not in the cache, and {hub} on the model hub {what} ({cause}).",
            hint="Check the network and try again; or set LEGACYMIND_EMBEDDING_MODEL_PATH to a folder with "
            "the model, HF_ENDPOINT to a mirror of the hub, or LEGACYMIND_EMBEDDING_PROVIDER to minilm.",
        )


def _is_cached(name: str, cache: Path) -> bool:
    from fastembed import TextEmbedding

    kinds: list[Any] = list(TextEmbedding.EMBEDDINGS_REGISTRY)
    for kind in kinds:
        for model in kind._list_supported_models():
            if model.model == name:
                try:
                    kind.download_model(model, str(cache), local_files_only=True)
                except Exception:
                    return False
                return True
    return False


async def _run(name: str, size: int, cache: Path, stage: str, report: Progress) -> dict[str, object]:
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
        },
    )
    ended = asyncio.create_task(process.communicate())
    try:
        before = await asyncio.to_thread(_bytes_in, cache)
        most, since = 0, time.monotonic()
        while not (await asyncio.wait({ended}, timeout=0.2))[0]:
            done = await asyncio.to_thread(_bytes_in, cache) - before
            if done > most:
                most, since = done, time.monotonic()
                report(stage, min(most, size), size)
            elif time.monotonic() - since > _STALL:
                process.kill()
                await ended
                return {"reached": True, "reason": f"no data arrived for {_STALL} seconds"}
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(ended)
        raise
    out, errors = ended.result()
    lines = out.decode(errors="replace").strip().splitlines()
    try:
        return json.loads(lines[-1])
    except (IndexError, ValueError):
        last = errors.decode(errors="replace").strip().splitlines()[-1:]
        return {"reached": True, "reason": (last or ["the download ended without a message"])[0]}


def _bytes_in(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):  # a file was just moved
        for file in folder.rglob("*"):
            if file.is_file() and not file.is_symlink():
                total += file.stat().st_size
    return total
