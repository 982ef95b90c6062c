"""A year of memory, kept up: `python -m bench.year --data DIR --file realtalk_dev.json`.

DIR is that of ``bench.locomo``, whose data sets this reads. All conversations become one namespace,
each from the first to the last day of the past year, and each turn recalls at scale 3 when it is imported.
Then the memory is analyzed, curated, pruned and restored. Before and after each of them the questions are
searched, and asked as a thought that recalls; the chains must verify. Prints the seconds of each job, what it
did, and R@10 of the evidence. Needs a home of its own (LEGACYMIND_HOME); writes bench-results/year.json.
"""

import argparse
import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.locomo import RESULTS, ask, lines, load_scorer
from legacymind import settings as settings_module
from legacymind.mind import Mind

YEAR: Final = timedelta(days=365)


def spread(sample: str, turns: list[Any], now: datetime) -> Iterator[str]:
    """A conversation whose turns are spread over the year before ``now``."""
    header, *thoughts = map(json.loads, lines(sample, turns))
    yield json.dumps(header)
    for number, line in enumerate(thoughts):
        moment = now - YEAR * (1 - number / len(thoughts))
        yield json.dumps(line | {"created_at": moment.isoformat(), "injection_scale": 3})


async def found(mind: Mind, data: dict[str, Any], method: str, now: datetime) -> float:
    """R@10 of the evidence of all questions, in percent."""
    shares: list[float] = []
    for sample, (_, questions) in data.items():
        for _, question, _, gold in questions:
            if gold:
                ids = (await ask(mind, method, question, 10, now))[:10]
                shares.append(sum(f"{sample}/{turn}" in ids for turn in gold) / len(gold))
    return round(100 * sum(shares) / len(shares), 1)


async def main(data: dict[str, Any]) -> None:
    """Run the year and print it."""
    settings = settings_module.load_settings().changed(namespace=f"year-{uuid.uuid4()}")
    report: list[dict[str, Any]] = []
    async with Mind(settings) as mind:
        await mind.engine.up()
        now = datetime.now(UTC)

        async def stage(name: str, job: Callable[[], Awaitable[object]]) -> None:
            begun = time.perf_counter()
            done = await job()
            seconds = round(time.perf_counter() - begun, 1)
            audit = await mind.verify_all()
            assert audit.verdict == "intact", audit
            figures = {method: await found(mind, data, method, now) for method in ("graph", "text", "think3")}
            report.append({"after": name, "seconds": seconds, **figures})
            print(json.dumps(report[-1]), str(done)[:200], flush=True)

        def called(operation: str, **given: Any) -> Callable[[], Awaitable[object]]:
            return lambda: mind.operations[operation].call(given)

        async def imported() -> None:
            for sample, (turns, _) in data.items():
                await mind.import_lines(spread(sample, turns, now))

        await stage("import", imported)
        await stage("analyze", called("analyze"))
        await stage("curate", called("curate", action="apply"))
        await stage("prune", called("maintenance_ops", subcommand="prune", apply=True))
        await stage("curate again", called("curate", action="apply"))
        await stage("restore", called("curate", action="restore"))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "year.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data and its scorer")
    parser.add_argument("--file", default="realtalk_dev.json")
    given = parser.parse_args()
    asyncio.run(main(load_scorer(given.data).load(given.data / given.file)))
