"""A model of fastembed's from the hub, fetched once by a process of its own.

Of its own, because fastembed's download can be neither hurried nor cancelled: with the hub out of reach it
sleeps and retries for 40 seconds, in a thread that nothing can end and that Python waits for when it exits.
And it draws progress bars, which have no place on the descriptors of a server that speaks over stdio.
"""

import asyncio
import contextlib
import json
import os
import sys
import time
from pathlib import Path

from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress, no_progress

DOWNLOAD = "Downloading the embedding model"

# Seconds for the hub to answer at all, and without a byte more until a download is given up.
_ANSWER, _STALL = 5, 60

# One line of JSON comes back: how it went.
_PROGRAM = """
import json, sys
from loguru import logger
logger.remove()
name, cache, answer = sys.argv[1], sys.argv[2], float(sys.argv[3])
def tell(**how):
    print(json.dumps(how), flush=True)
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
    tell(ok=False, hub=model.sources.hf, reached=False, reason=f"{type(reason).__name__}: {reason}")
try:
    kind.download_model(model, cache, retries=1)
    tell(ok=True)
except Exception as reason:
    tell(ok=False, hub=model.sources.hf, reached=True, reason=f"{type(reason).__name__}: {reason}")
"""


async def fetch(name: str, size: int, cache: Path, progress: Progress | None = None) -> None:
    """Have fastembed's model ``name``, of some ``size`` bytes, in the folder ``cache``.

    Nothing is fetched when it is there. A hub that cannot be reached is told within seconds. Cancelling ends
    the download. Raises DownloadFailed.
    """
    if await asyncio.to_thread(_is_here, name, cache):
        return
    try:
        await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)
        told = await _run(name, size, cache, progress or no_progress)
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {cache}: {reason}.",
            hint="Make room there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    if not told.get("ok"):
        hub = told.get("hub", "the hub")
        cause = " ".join(str(told.get("reason", "no reason given")).split())[:200].rstrip(".")
        what = "cannot be reached" if told.get("reached") is False else "was not fetched whole"
        raise DownloadFailed(
            f"The embedding model {name} is not here, and the model hub's {hub} {what} ({cause}).",
            hint="Check the network and try again; or set LEGACYMIND_EMBEDDING_MODEL_PATH to a folder "
            "that has "
            "the model, HF_ENDPOINT to a mirror of the hub, or LEGACYMIND_EMBEDDING_PROVIDER to minilm.",
        )


def _is_here(name: str, cache: Path) -> bool:
    from fastembed import TextEmbedding

    for kind in TextEmbedding.EMBEDDINGS_REGISTRY:
        for model in kind._list_supported_models():  # pyright: ignore[reportPrivateUsage]
            if model.model == name:
                try:
                    kind.download_model(model, str(cache), local_files_only=True)
                except Exception:
                    return False
                return True
    return False


async def _run(name: str, size: int, cache: Path, report: Progress) -> dict[str, object]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, name, str(cache), str(_ANSWER)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cache,  # where nothing can be taken for a module
        env=os.environ
        | {
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_XET": "1",  # it downloads to a folder that we could not watch
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
                report(DOWNLOAD, min(most, size), size)
            elif time.monotonic() - since > _STALL:
                process.kill()
                await ended
                return {"reached": True, "reason": f"nothing came for {_STALL} seconds"}
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
        return {"reached": True, "reason": (last or ["it ended without a word"])[0]}


def _bytes_in(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):  # a file has just been moved
        for file in folder.rglob("*"):
            if file.is_file() and not file.is_symlink():
                total += file.stat().st_size
    return total
