"""Synchronisation: histories of three homes, ``python -m bench.sync --histories 2000 --seed 0``.

Each seed is a history of three homes that act apart, lose and change files, and die (tests/services/sync);
what does not hold after one is printed with its seed and with the fewest steps that show it.
Three engines are started in FOLDER, ``--homes``.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from legacymind import settings as settings_module
from legacymind.engine import Engine
from legacymind.mind import Mind
from tests import engines
from tests.fakes import FakeEmbedder
from tests.services.sync.histories import HOMES, History
from tests.services.sync.homes import clocks
from tests.services.sync.world import Broken, play


async def broken(minds: Sequence[Mind], history: History) -> str | None:
    """What does not hold after a history."""
    with tempfile.TemporaryDirectory() as folder, clocks():
        try:
            await play(minds, history, Path(folder), f"model-{uuid.uuid4()}")
        except Broken as reason:
            return str(reason)
        except Exception as reason:  # any error of the product is one
            return f"{type(reason).__name__}: {reason}"
    return None


async def smallest(minds: Sequence[Mind], history: History) -> tuple[History, str]:
    """A part of a history that is broken, too, and of which no step can be left out."""
    reason, size = "", max(1, len(history.steps) // 2)
    while True:
        at = 0
        while at < len(history.steps):
            part = replace(history, steps=history.steps[:at] + history.steps[at + size :])
            if found := await broken(minds, part):
                history, reason = part, found
            else:
                at += size
        if size == 1:
            return history, reason or await broken(minds, history) or "it did not happen again"
        size //= 2


async def histories(folder: Path, first: int, count: int, *, shrink: bool) -> int:
    """Run histories; print and count those that are broken."""
    own = settings_module.load_settings()
    small = {"heap_mb": 512, "page_cache_mb": 64, "query_timeout": 120, "adopt_interval": 0}
    settings = [own.changed(home=str(folder / f"home-{number}"), **small) for number in range(HOMES)]
    with engines.brief():
        for each in settings:
            await Engine(each).up()
    failed, begun = 0, time.monotonic()
    async with AsyncExitStack() as stack:
        minds = [await stack.enter_async_context(Mind(each, embedder=FakeEmbedder())) for each in settings]
        for done, seed in enumerate(range(first, first + count), 1):
            history = History.of(seed)
            if reason := await broken(minds, history):
                failed += 1
                print(f"seed {seed}: {reason}", flush=True)
                if shrink:
                    part, reason = await smallest(minds, history)
                    print(f"{part.places} {part.skews}", *part.steps, reason, sep="\n  ", flush=True)
            if done % 20 == 0:
                print(f"{done} histories, {failed} broken, {time.monotonic() - begun:.0f} s", flush=True)
    return failed


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--homes", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--shrink", action="store_true", help="find the fewest steps of each broken one")
    given = parser.parse_args()
    failed = asyncio.run(histories(given.homes, given.seed, given.histories, shrink=given.shrink))
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
