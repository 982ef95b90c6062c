"""How much of what comes to mind is relevant: `python -m bench.precision --data DIR`.

DIR holds precision_memory.jsonl and precision_dev.json: a memory of three projects, and texts for which every
memory that came was judged as relevant, related or noise. Each text is recalled for at scales 2 to 4 and
searched for, a day after the memory's last thought. Shown are the memories that come, the shares of relevant,
noise and unjudged ones, and the share of all relevant ones that come. What is unjudged is listed: judge it by
the same measure. Needs a home (LEGACYMIND_HOME); writes bench-results/precision.json.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.locomo import RESULTS
from legacymind import settings as settings_module
from legacymind.mind import Mind

SCALES = (2, 3, 4)
RELEVANT, NOISE = 2, 0


def figures(found: Sequence[Sequence[tuple[str, str]]], cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures of what came for each case, as pairs of how and text."""
    grades = [{judged["text"]: judged["grade"] for judged in case["judged"]} for case in cases]
    counts = Counter(known.get(text) for pairs, known in zip(found, grades, strict=True) for _, text in pairs)
    ways = Counter(
        f"{via} {known.get(text)}" for pairs, known in zip(found, grades, strict=True) for via, text in pairs
    )
    whole = max(counts.total(), 1)
    relevant = sum(grade == RELEVANT for known in grades for grade in known.values())
    return {
        "memories": round(counts.total() / len(cases), 1),
        "relevant, %": round(100 * counts[RELEVANT] / whole),
        "noise, %": round(100 * counts[NOISE] / whole),
        "unjudged, %": round(100 * counts[None] / whole),
        "of the relevant, %": round(100 * counts[RELEVANT] / relevant),
        "by via and grade": dict(sorted(ways.items())),
        "unjudged": [
            [case["query"], text]
            for case, pairs, known in zip(cases, found, grades, strict=True)
            for _, text in pairs
            if text not in known
        ],
    }


async def measure(folder: Path) -> dict[str, Any]:
    """Import the memory, and recall and search for every text."""
    cases = json.loads((folder / "precision_dev.json").read_text(encoding="utf-8"))["cases"]
    memory = (folder / "precision_memory.jsonl").read_text(encoding="utf-8").splitlines()
    times = [json.loads(line).get("created_at") for line in memory]
    now = max(datetime.fromisoformat(time) for time in times if time) + timedelta(days=1)
    results: dict[str, Any] = {}
    async with Mind(settings_module.load_settings().changed(namespace="precision")) as mind:
        await mind.import_lines(memory)
        for scale in SCALES:
            recalled = [
                await mind.recall(case["query"], injection_scale=scale, created_at=now, max_tokens=100_000)
                for case in cases
            ]
            pairs = [[(one.via, one.text) for one in result.memories] for result in recalled]
            results[f"scale {scale}"] = figures(pairs, cases)
        searched = [await mind.search(case["query"], max_tokens=100_000) for case in cases]
        hits = [[("search", hit.text) for hit in result.hits] for result in searched]
        results["search"] = figures(hits, cases)
    return results


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the memory and its judgements")
    results = asyncio.run(measure(parser.parse_args().data))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "precision.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    for name, found in results.items():
        print(name, {key: value for key, value in found.items() if key != "unjudged"})


if __name__ == "__main__":
    main()
