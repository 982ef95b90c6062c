"""Many writers of one session, with and without kills of the engine: ``python -m tests.faults.writers``.

Every writer has its own mind and is independent of the others. A failed call is repeated with the same
idempotency key, as any caller would.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from legacymind import settings as settings_module
from legacymind.engine import Engine
from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.model.chain import ChainReport
from legacymind.settings import Settings
from tests import engines
from tests.fakes import FakeEmbedder
from tests.wire import raw

SESSION: Final = "shared"
PATIENCE: Final = 600.0
"""Seconds for which a writer retries one thought."""


@dataclass
class Outcome:
    """The results of the writers: the step of every acknowledged id, and the errors they got."""

    acknowledged: dict[str, int] = field(default_factory=dict[str, int])
    errors: Counter[str] = field(default_factory=Counter[str])
    repeated: int = 0
    kills: int = 0
    seconds: float = 0.0


def work(given: str) -> None:
    """The work of each process; it prints a line for every acknowledged thought and for every error."""
    order: dict[str, Any] = json.loads(given)
    settings = Settings(**order["settings"])

    async def write(writer: int) -> None:
        async with Mind(settings, embedder=FakeEmbedder()) as mind:
            for number in range(order["thoughts"]):
                key = f"{order['process']}-{writer}-{number}"
                await retry(mind, {"content": f"copper kettle {key}", "idempotency_key": key})

    async def every() -> None:
        await asyncio.gather(*(write(writer) for writer in range(order["writers"])))

    # A writer that meets a killed engine starts it.
    with engines.brief() if order["brief"] else contextlib.nullcontext():
        asyncio.run(every())


async def retry(mind: Mind, thought: dict[str, Any]) -> None:
    """Send one thought until it is acknowledged; only errors of LegacyMind are retried."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            result = await mind.operations["think"].call(
                {"session_id": SESSION, "injection_scale": 0, **thought}
            )
        except LegacyMindError as error:
            print(json.dumps({"error": error.code, "message": str(error)}), flush=True)
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.2)
            continue
        own = result.delegated_result.thought_id.removeprefix("thoughts:")
        step = result.chain.step_index
        print(json.dumps({"id": own, "step": step, "repeated": result.repeated}), flush=True)
        return


async def write(
    settings: Settings,
    *,
    processes: int,
    writers: int,
    thoughts: int,
    kill_after: Sequence[int] = (),
    seconds: float | None = None,
    brief: bool = False,
) -> Outcome:
    """Write from several processes at once; kill the engine at each count of acknowledged thoughts.

    ``brief``: the processes start engines as tests do.

    Raises TimeoutError after ``seconds`` and ends all processes.
    """
    outcome, begun = Outcome(), time.perf_counter()
    acknowledged = asyncio.Condition()

    async def run(process: int) -> None:
        order = {
            "settings": settings.model_dump(),
            "process": process,
            "writers": writers,
            "thoughts": thoughts,
            "brief": brief,
        }
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "import sys; from tests.faults.writers import work; work(sys.argv[1])",
            json.dumps(order),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        assert child.stdout is not None
        assert child.stderr is not None
        complaints = asyncio.create_task(child.stderr.read())
        try:
            async for line in child.stdout:
                async with acknowledged:
                    _note(outcome, json.loads(line))
                    acknowledged.notify_all()
            assert await child.wait() == 0, (await complaints).decode()[-3000:]
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()

    async def kill() -> None:
        engine = Engine(settings)
        for count in kill_after:
            async with acknowledged:
                await acknowledged.wait_for(lambda count=count: len(outcome.acknowledged) >= count)
            pid = engine.status().pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            outcome.kills += 1
            await asyncio.sleep(0.5)
            await engine.up()

    killing = asyncio.create_task(kill())
    try:
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
            for process in range(processes):
                group.create_task(run(process))
        await killing
    finally:
        killing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await killing
    outcome.seconds = time.perf_counter() - begun
    return outcome


def _note(outcome: Outcome, report: dict[str, Any]) -> None:
    if "error" in report:
        outcome.errors[report["error"]] += 1
        return
    assert report["id"] not in outcome.acknowledged, "a thought was acknowledged twice"
    outcome.acknowledged[report["id"]] = report["step"]
    outcome.repeated += report["repeated"]


async def stored(settings: Settings) -> tuple[ChainReport, dict[str, int]]:
    """The result of verification afterwards, and the step of every stored id."""
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        report = await mind.operations["verify_chain"].call({"session_id": SESSION})
        rows = await raw(
            mind,
            "MATCH (t:Thought {namespace: $ns, session_id: $session}) "
            "RETURN t.id AS id, t.step_index AS step",
            ns=settings.namespace,
            session=SESSION,
        )
        return report, {row["id"]: row["step"] for row in rows}


async def measure(writers: int, processes: int, thoughts: int, *, kill: bool) -> dict[str, Any]:
    """One run in a new home, which is removed afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        settings = settings_module.load_settings().changed(home=home, heap_mb=512, page_cache_mb=128)
        engine = Engine(settings)
        await engine.up()
        try:
            outcome = await write(
                settings,
                processes=processes,
                writers=writers // processes,
                thoughts=thoughts // writers,
                kill_after=(thoughts // 3,) if kill else (),
            )
            report, there = await stored(settings)
        finally:
            await engine.down()
    return {
        "kills": outcome.kills,
        "acknowledged": len(outcome.acknowledged),
        "lost": len(outcome.acknowledged.items() - there.items()),
        "one unbroken chain": report.valid and report.complete,
        "steps are 0..n-1": sorted(there.values()) == list(range(len(there))),
        "message": report.message,
        "errors left to callers": dict(outcome.errors),
        "answered by an earlier try": outcome.repeated,
        "seconds": round(outcome.seconds, 1),
    }


def main() -> None:
    """Measure, print, and keep the result in bench-results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=32)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--thoughts", type=int, default=2016, help="In all; a multiple of the writers.")
    given = parser.parse_args()
    results: list[dict[str, Any]] = []
    for kill in (False, True):
        results.append(asyncio.run(measure(given.writers, given.processes, given.thoughts, kill=kill)))
        for name, value in results[-1].items():
            print(f"{name:>28}  {value}")
        print(flush=True)
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / "writers.json").write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
