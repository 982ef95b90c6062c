"""Checks of this machine: home, password, downloads, memory, disk and ports. None needs a database."""

import asyncio
import os
import shutil
import stat
from pathlib import Path
from typing import Final

import psutil

from legacymind.embed import own_files
from legacymind.errors import EngineError, EngineNotRunning, PortTaken
from legacymind.services.maintain.doctor.case import DOCTOR_FIX, Case, CheckOutcome, FoundProblem
from legacymind.text.numbers import counted

_MEBIBYTE: Final = 1024 * 1024

_LOW_MEMORY: Final = 256 * _MEBIBYTE
"""Free memory below which a running engine and a local model are slow or are ended by the system."""

_LOW_DISK: Final = 1024 * _MEBIBYTE
_NO_DISK: Final = 128 * _MEBIBYTE
"""Free disk below which Neo4j may soon be unable to write, and then accepts no statements."""

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


async def home(case: Case) -> CheckOutcome:
    """The home can be written, by its owner only."""
    folder = case.engine.home.folder
    if not folder.exists():
        return f"{folder} does not exist yet; `legacymind up` creates it."
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return FoundProblem(
            what=f"This user cannot read and write the home {folder}.",
            mend="Make it readable and writable for the user who runs LegacyMind, or set LEGACYMIND_HOME "
            "to another folder.",
        )
    return _private(folder, 0o700) or f"{folder} is readable and writable for its owner only."


async def password(case: Case) -> CheckOutcome:
    """The password file can be read, by its owner only."""
    try:
        case.engine.password()
    except EngineNotRunning:
        return "The engine has never been started; its first start makes the password."
    except EngineError as unreadable:
        return FoundProblem(what=unreadable.what, mend=unreadable.hint)
    file = case.engine.home.password_file
    return _private(file, 0o600) or f"{file} is readable for its owner only."


def _private(path: Path, mode: int) -> FoundProblem | None:
    """The problem of a file or folder that other users may open; None on Windows, which has no such modes."""
    allowed = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not allowed & _OTHERS:
        return None
    return FoundProblem(
        what=f"Other users of this machine may open {path} (mode {allowed:o}).",
        mend=f"Run `chmod {mode:o} {path}`, or `legacymind doctor --fix`.",
        severity="warning",
        fix=lambda: asyncio.to_thread(path.chmod, mode),
    )


async def engine_files(case: Case) -> CheckOutcome:
    """Every jar of the engine has the hash of the lock file."""
    if not case.engine.set_up and not case.engine.home.has_data:
        return "The engine is not downloaded yet; `legacymind up` does it."
    broken = await case.engine.verify()
    if not broken:
        return "Every jar of the engine has the SHA-256 of the lock file."
    shown = ", ".join(broken[:3]) + (" and others" if len(broken) > 3 else "")
    return FoundProblem(
        what=f"{counted(len(broken), 'jar')} of the engine missing or damaged: {shown}.",
        mend="Run `legacymind up`, which downloads them again, or `legacymind doctor --fix`. A running "
        "engine uses them after its next start.",
        fix=case.engine.fetch,
    )


async def model_files(case: Case) -> CheckOutcome:
    """The files of the embedding model are complete and unchanged."""
    model = own_files(case.vectors.embedder)
    if model is None:
        return f"The provider {case.settings.embedding_provider} keeps no files that LegacyMind verifies."
    if not model.folder.exists():
        return "The model is not downloaded yet; `legacymind up` does it."
    broken = await asyncio.to_thread(model.damaged)
    if not broken:
        return f"The files of {model.info.model} are complete."

    async def again() -> None:
        await asyncio.to_thread(model.discard)
        await model.fetch()

    return FoundProblem(
        what=f"Files of the embedding model are missing or damaged in {model.folder}: {', '.join(broken)}.",
        mend=f"{DOCTOR_FIX} It downloads the model again.",
        fix=again,
    )


async def memory(case: Case) -> CheckOutcome:
    """There is memory for the engine and the model."""
    free = psutil.virtual_memory().available
    starts = case.managed and not case.engine.status().running
    needed = _LOW_MEMORY + (case.engine.memory if starts else 0)
    if free >= needed:
        return f"{free // _MEBIBYTE:,} MiB of memory are free."
    use = "the engine and the model may take" if starts else "the model and the system should have"
    return FoundProblem(
        what=f"{free // _MEBIBYTE:,} MiB of memory are free; {use} {needed // _MEBIBYTE:,} MiB.",
        mend="End other programs, or lower LEGACYMIND_HEAP_MB and LEGACYMIND_PAGE_CACHE_MB and restart the "
        "engine."
        if case.managed
        else "End other programs, or use a hosted model.",
        severity="warning",
    )


async def disk(case: Case) -> CheckOutcome:
    """There is disk space for the data and for downloads."""
    folders = {"downloads": case.settings.cache_path}
    if case.managed:
        folders = {"the data": case.engine.home.folder} | folders
    found: list[FoundProblem] = []
    seen: dict[int, str] = {}
    least = None
    for use, folder in folders.items():
        existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if seen.setdefault(existing.stat().st_dev, use) != use:
            continue  # on the same disk
        free = shutil.disk_usage(existing).free
        least = free if least is None else min(least, free)
        if free < _LOW_DISK:
            full = free < _NO_DISK
            found.append(
                FoundProblem(
                    what=f"The disk of {folder}, with {use}, has {free // _MEBIBYTE:,} MiB free."
                    + (" Neo4j accepts no statements once it cannot write its files." if full else ""),
                    mend="Free some space, or move the folder to another disk (LEGACYMIND_HOME, "
                    "LEGACYMIND_CACHE).",
                    severity="unusable" if full else "warning",
                )
            )
    return found or f"{(least or 0) // _MEBIBYTE:,} MiB of disk are free."


async def ports(case: Case) -> CheckOutcome:
    """The configured ports are free, unless the engine itself uses them."""
    if case.engine.status().running:
        return "The engine listens at its ports."
    try:
        case.engine.check_ports()
    except PortTaken as taken:
        return FoundProblem(what=taken.what, mend=taken.hint, severity="unavailable")
    return "A start finds its ports free."
