"""The time of a thought while a re-embedding runs, against without: ``python -m bench.reembed``.

Fills LEGACYMIND_HOME's engine once; use a home of its own. Thoughts are stored in turn without and with the
job, which is another process, so that other load on the machine affects both alike. After each turn the job
is killed with ``kill -9``, and the next one continues it. By default both models are the tests' deterministic
ones: embedding takes next to no time, so the job writes vectors as fast as the server takes them. With
``--real`` thoughts are embedded by MiniLM and the job embeds with e5-small-v2, so both need the cores.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Final

from legacymind import settings as settings_module
from legacymind.embed import Embedder, make_embedder
from legacymind.mind import Mind
from legacymind.model.progress import call_progress
from legacymind.settings import Settings
from tests.fakes import FakeEmbedder, FoldedEmbedder
from tests.wire import one, raw

BATCH: Final = 500
NAMESPACE: Final = "bench-reembed"
TOPICS: Final = "breaker cache kiln pump valve queue retry storm ledger index glaze rotor".split()


def content(number: int) -> str:
    """A text that shares words with many others."""
    first, second = TOPICS[number % 12], TOPICS[number // 12 % 12]
    return f"Note {number}: the {first} failed after the {second} was changed, batch {number // 144}."


def model(settings: Settings, *, new: bool, real: bool) -> Embedder:
    """The model of the thoughts, or the new one of the job."""
    if real:
        return make_embedder(settings.changed(embedding_provider="e5" if new else "minilm"))
    return FoldedEmbedder() if new else FakeEmbedder()


async def fill(mind: Mind, count: int) -> None:
    """Store ``count`` thoughts with vectors, without LegacyMind's checks."""
    claim = await mind.vectors.claim()
    there = await one(mind, "MATCH (t:Thought {namespace: $ns}) RETURN count(t)", ns=NAMESPACE)
    for start in range(there, count, BATCH):
        texts = [content(number) for number in range(start, min(start + BATCH, count))]
        await raw(
            mind,
            "UNWIND $rows AS row "
            "CREATE (t:Thought {id: row.id, namespace: $ns, content: row.text, mode: 'question', "
            "is_private: false, hot: true, found_until: datetime('9999-12-31'), ns_key: 'bench', "
            "salience: 0.5, access_count: 0}) "
            "SET t.created_at = datetime() - duration('P1D'), t.recorded_at = datetime(), t += $details "
            "WITH t, row CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)",
            ns=NAMESPACE,
            details=dict(mind.vectors.description(claim.slot)),
            rows=[
                {"id": str(uuid.uuid4()), "text": text, "vector": vector}
                for text, vector in zip(texts, await mind.vectors.embed(texts), strict=True)
            ],
        )


async def job(*, real: bool) -> None:
    """The work of the other process; it prints a line for each batch."""
    settings = settings_module.load_settings()
    async with Mind(settings, embedder=model(settings, new=True, real=real)) as mind:

        def report(stage: str, done: int, total: int, /) -> None:
            if stage == "Embedding" and done < total:
                print(done, flush=True)

        call_progress.set(report)
        await mind.reembed()


async def think(mind: Mind, session: str, numbers: range) -> list[float]:
    """The seconds that each of some thoughts took."""
    seconds: list[float] = []
    for number in numbers:
        begun = time.perf_counter()
        await mind.think(f"Again: {content(7 * number)}", session_id=session, injection_scale=2)
        seconds.append(time.perf_counter() - begun)
    return seconds


async def measure(count: int, rounds: int, each: int, *, real: bool) -> dict[str, Any]:
    """Median seconds of a thought with and without the job, and the median of the rounds' ratios."""
    settings = settings_module.load_settings().changed(namespace=NAMESPACE)
    session = str(uuid.uuid4())
    async with Mind(settings, embedder=model(settings, new=False, real=real)) as mind:
        await fill(mind, count)
        await think(mind, session, range(30))  # planned, and in the caches
        without: list[list[float]] = []
        beside: list[list[float]] = []
        batches, begun, kills = 0, 0.0, 0
        for number in range(rounds):
            first = 1000 * (number + 1)
            without.append(await think(mind, session, range(first, first + each)))
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bench.reembed", "--job", *(["--real"] if real else [])),
                stdout=asyncio.subprocess.PIPE,
            )
            assert process.stdout is not None
            if not await process.stdout.readline():  # nothing left to embed
                without.pop()
                await process.wait()
                break
            started = time.perf_counter()
            beside.append(await think(mind, session, range(first + each, first + 2 * each)))
            begun += time.perf_counter() - started
            finished = process.returncode is not None
            if not finished:
                process.kill()
                kills += 1
            batches += len((await process.stdout.read()).splitlines())
            await process.wait()
            if process.returncode == 0:  # it ended during the turn, which is no measure then
                without.pop()
                beside.pop()
                break
        state = await mind.reembed("status")
        async with Mind(settings, embedder=model(settings, new=True, real=real)) as other:
            await other.reembed("run")
            missing = await one(
                other,
                "MATCH (t:Thought) WHERE t.embedding_a IS NOT NULL AND t.embedding_b IS NULL RETURN count(t)",
            )
            await other.reembed("drop", now=True)
    assert missing == 0, missing
    p50 = [statistics.median(value for turn in turns for value in turn) for turns in (without, beside)]
    return {
        "thoughts": count,
        "turns": len(beside),
        "thoughts_per_turn": each,
        "kills": kills,
        "texts_per_second_beside": 64 * batches / begun if begun else 0.0,
        "left_after_the_turns": state.waiting_in_other,
        "without_p50_ms": 1000 * p50[0],
        "beside_p50_ms": 1000 * p50[1],
        "ratio_of_p50": p50[1] / p50[0],
        "median_ratio_of_turns": statistics.median(
            statistics.median(b) / statistics.median(a) for a, b in zip(without, beside, strict=True)
        ),
    }


def main() -> None:
    """Measure, print, and keep the result in bench-results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thoughts", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--real", action="store_true", help="with the local models MiniLM and e5-small-v2")
    parser.add_argument("--job", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        asyncio.run(job(real=given.real))
        return
    result = asyncio.run(measure(given.thoughts, given.turns, given.each, real=given.real))
    for name, value in result.items():
        print(f"{name:>24}  {value:,.2f}" if isinstance(value, float) else f"{name:>24}  {value:,}")
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / f"reembed-{given.thoughts}{'-real' if given.real else ''}.json").write_text(
        json.dumps(result, indent=1), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
