"""Retrieval on LoCoMo, through LegacyMind's own import and search: `python -m bench.locomo --data DIR`.

DIR contains locomo10.json and score_locomo.py (which defines the task and its measures). Neither is ever
committed; the data is CC BY-NC. ``--file`` names another data set of the same format. Every conversation
becomes one namespace of the home (LEGACYMIND_HOME), imported once, beside everything else in that home; with
``--together`` all become one namespace, and with ``--alone`` each has a database of its own, in a folder of
that home. Weights are tuned on `--split tune` alone. The recall of think is
measured just after the last turn of a conversation. Writes
bench-results/locomo-<method>.jsonl (for each question the evidence, its ranks and the hits before it) and
bench-results/locomo.json.
"""

import argparse
import asyncio
import contextlib
import importlib.util
import json
import statistics
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from legacymind import settings as settings_module
from legacymind.engine import Engine
from legacymind.mind import Mind
from legacymind.model.base import MAX_CONTENT

RESULTS = Path("bench-results")
SHOWN = ("R@5", "R@10", "R@20", "MRR")

# R@5, R@10, R@20, MRR over categories 1-4 of all conversations, and R@10 over 1-5: eval/README.md.
BASELINES: dict[str, tuple[float, ...]] = {
    "BM25": (53.3, 61.6, 67.6, 46.3, 63.6),
    'dense, "speaker: text"': (35.2, 43.7, 54.1, 28.3, 41.4),
    "dense, text alone": (50.5, 61.4, 71.6, 39.0, 63.3),
    "reciprocal-rank fusion": (47.6, 56.6, 66.7, 39.7, 56.0),
    "the pipeline of the design": (73.1, 81.8, 87.4, 61.6, 82.6),
}


def load_scorer(folder: Path) -> ModuleType:
    """The scorer in the folder of the data. It is not copied, because it defines the result."""
    spec = importlib.util.spec_from_file_location("score_locomo", folder / "score_locomo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_DATES = ("%I:%M %p on %d %B, %Y", "%d.%m.%Y, %H:%M:%S", "%B-%d-%Y", "%Y-%m-%d (%A)")
"""How LoCoMo, REALTALK, BEAM and RealMem write the date of a session."""


def moments(turns: list[Any]) -> Iterator[datetime]:
    """The time of each turn: a minute after the turn before it in its session.

    A session without a date (BEAM dates only some) begins a day after the session before it.
    """
    session, step, start = None, 0, datetime(2024, 1, 1, tzinfo=UTC)
    for *_, number, date in turns:
        if number == session:
            step += 1
        else:
            session, step, start = number, 0, _date(date) or start + timedelta(days=1)
        yield start + timedelta(minutes=step)


def _date(text: str) -> datetime | None:
    for form in _DATES:
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, form).replace(tzinfo=UTC)
    return None


def lines(sample: str, turns: list[Any]) -> Iterator[str]:
    """A conversation in the import format: turns in sessions, each following the previous one."""
    yield json.dumps({"kind": "header", "format": "legacymind", "version": 1, "title": sample})
    session, before = None, None
    for (turn, speaker, text, caption, number, _), moment in zip(turns, moments(turns), strict=True):
        if number != session:
            session, before = number, None
        content = "\n".join(part for part in (text, caption and f"[{caption}]") if part) or "[photo]"
        line = {
            "kind": "thought",
            "id": f"{sample}/{turn}",
            # An import refuses longer texts; BEAM has one of 348 KB.
            "content": content.encode()[:MAX_CONTENT].decode(errors="ignore"),
            "author": speaker,
            "session_id": f"{sample}/{number}",
            "created_at": moment.isoformat(),
            "injection_scale": 0,
        }
        if before is not None:
            line["previous_thought_id"] = before
        before = line["id"]
        yield json.dumps(line)


async def ask(mind: Mind, method: str, question: str, k: int, now: datetime) -> list[str]:
    """The ids of the results, best first; ``think`` is the scale and time of a thought that recalls."""
    if method.startswith("think"):
        # Private and without a session: no later question recalls an earlier one.
        result = await mind.operations["think"].call(
            {"content": question, "injection_scale": int(method[-1]), "is_private": True, "created_at": now}
        )
        return [memory.id for memory in result.memories if memory.kind == "thought"]
    result = await mind.operations["search"].call(
        {"query": question, "kinds": ["thought"], "method": method, "limit": k, "max_tokens": 100_000}
    )
    return [hit.id for hit in result.hits]


@dataclass(frozen=True)
class Place:
    """Where the conversations are: all ``together`` in one namespace, or each ``alone`` in a database."""

    together: str | None = None
    alone: bool = False

    @contextlib.asynccontextmanager
    async def opened(self, sample: str) -> AsyncGenerator[Mind]:
        """Open a mind on one conversation. An engine of its own stops at the end."""
        settings = settings_module.load_settings().changed(namespace=self.together or sample)
        if self.alone:
            settings = settings.changed(home=str(Path(settings.home_path) / "alone" / sample))
            await Engine(settings).up()
        try:
            async with Mind(settings) as mind:
                yield mind
        finally:
            if self.alone:
                await Engine(settings).down()


async def load(data: dict[str, Any], place: Place) -> None:
    """Import the conversations."""
    for sample, (turns, _) in data.items():
        async with place.opened(sample) as mind:
            await mind.import_lines(lines(sample, turns))


async def run(data: dict[str, Any], method: str, place: Place) -> AsyncIterator[dict[str, Any]]:
    """One record for each question with an answer in its conversation."""
    for sample, (turns, questions) in data.items():
        async with place.opened(sample) as mind:
            now = max(moments(turns)) + timedelta(minutes=1)
            for qid, question, category, gold in questions:
                if not gold:
                    continue
                start = time.perf_counter()
                found = await ask(mind, method, question, 100, now)
                ranked = [one.removeprefix(f"{sample}/") for one in found]
                yield {
                    "qid": qid,
                    "question": question,
                    "category": category,
                    "wanted": gold,
                    "at": [ranked.index(turn) + 1 if turn in ranked else None for turn in gold],
                    "ms": round((time.perf_counter() - start) * 1000, 1),
                    "ranked": ranked,
                }


async def measure(folder: Path, methods: list[str], split: str, file: str, place: Place) -> dict[str, Any]:
    """Run, write the artifacts, score."""
    scorer = load_scorer(folder)
    data = scorer.load(folder / file)
    if split != "all":
        data = {sample: it for sample, it in data.items() if (sample in scorer.VAL) == (split == "val")}
    results: dict[str, Any] = {"split": split}
    await load(data, place)
    for method in methods:
        records = [record async for record in run(data, method, place)]
        with (RESULTS / f"locomo-{method}.jsonl").open("w", encoding="utf-8") as output:
            output.writelines(json.dumps(record) + "\n" for record in records)
        groups, _, _ = scorer.evaluate(data, {record["qid"]: record["ranked"] for record in records}, split)
        # Only LoCoMo has a category that is left out of most published figures.
        figures = [round(100 * groups.get("all 1-4", groups["all"])[1][name], 1) for name in SHOWN]
        results[method] = {
            **dict(zip(SHOWN, figures, strict=True)),
            "R@10 1-5": round(100 * groups["all"][1]["R@10"], 1),
            "p50_ms": statistics.median(record["ms"] for record in records),
            "groups": {name: {"n": n, **figures} for name, (n, figures) in groups.items()},
        }
    return results


def main() -> None:
    """Measure, print next to the baselines, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of locomo10.json and its scorer")
    parser.add_argument("--method", action="append", help="graph, vector, text, think3, think4, think5")
    parser.add_argument("--split", choices=("all", "tune", "val"), default="all")
    parser.add_argument("--file", default="locomo10.json", help="another data set in DIR, in the same format")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--together", metavar="NAMESPACE", help="import all into one namespace of a new home")
    where.add_argument("--alone", action="store_true", help="give each conversation a database of its own")
    given = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    results = asyncio.run(
        measure(
            given.data,
            given.method or ["graph"],
            given.split,
            given.file,
            Place(given.together, given.alone),
        )
    )
    (RESULTS / "locomo.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(f"{'':28}{'R@5':>7}{'R@10':>7}{'R@20':>7}{'MRR':>7}{'R@10 1-5':>10}")
    for name, figures in BASELINES.items():
        print(f"{name:28}" + "".join(f"{figure:>7}" for figure in figures[:4]) + f"{figures[4]:>10}")
    for method, found in results.items():
        if isinstance(found, dict):
            print(
                f"{'LegacyMind ' + method:28}"
                + "".join(f"{found[name]:>7}" for name in SHOWN)
                + f"{found['R@10 1-5']:>10}   p50 {found['p50_ms']} ms with its embedding"
            )


if __name__ == "__main__":
    main()
