"""Whether memory is silent when it has no answer: `python -m bench.silence`.

Three memories of thoughts, entities and facts: a household, a team, and the sample memory about Apollo 13
(silence.json). To each belong prompts that it answers, near ones that name what it knows and ask what it does
not, and far ones. Counted are the prompts for which recall at scale 2, as think, and the hook of prompts
bring something, and for which search does not say that probably nothing answers; of the answered, those whose
answer comes. Every second prompt of a kind is of the validation half, which no constant is tuned on.
Needs a home (LEGACYMIND_HOME); writes bench-results/silence.json.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.locomo import RESULTS
from legacymind import files
from legacymind import settings as settings_module
from legacymind.mind import Mind

SET: dict[str, Any] = json.loads(Path(__file__).with_name("silence.json").read_text(encoding="utf-8"))
WAYS = ("recall", "hook", "search")
FIRST = 5
"""The first hits and memories of the hook among which an answer counts."""


def lines(name: str) -> Iterator[str]:
    """A memory in the import format."""
    memory = SET[name]
    if "thoughts" not in memory:
        for file in ("knowledge.jsonl", "thoughts.jsonl"):
            # Ids are unique in a database, which may have the sample already.
            yield from files.text("seed", file).replace('"a13-', '"silence-a13-').splitlines()
        return
    yield json.dumps({"kind": "header", "format": "legacymind", "version": 1, "title": name})
    for entity, (kind, description) in memory["entities"].items():
        yield json.dumps({"kind": "entity", "name": entity, "entity_type": kind, "description": description})
    for entity, facts in memory["facts"].items():
        for fact in facts:
            yield json.dumps({"kind": "observation", "entity": entity, "content": fact})
    for number, text in enumerate(memory["thoughts"]):
        yield json.dumps(
            {
                "kind": "thought",
                "id": f"silence-{name}-{number}",
                "content": text,
                "author": "user",
                "session_id": f"silence-{name}-{number // 4}",
                "created_at": f"2026-10-{number + 1:02}T09:00:00Z",
                "injection_scale": 0,
            }
        )


async def brought(mind: Mind, prompt: str) -> dict[str, list[str]]:
    """The texts that each way brings for a prompt; none of a search that says so."""
    recalled = await mind.recall(prompt, injection_scale=2, max_tokens=100_000)
    hooked = await mind.services.recall.for_prompt(prompt, "silence-now")
    found = await mind.search(prompt, max_tokens=100_000)
    related = not (found.note or "").startswith(("Probably nothing", "Nothing related"))
    return {
        "recall": [one.text for one in recalled.memories],
        "hook": [one.text for one in hooked[:FIRST]],
        "search": [hit.text for hit in found.hits[:FIRST]] if related else [],
    }


async def measure() -> dict[str, Any]:
    """The shares of each half, and the unanswerable prompts for which something came."""
    counts: defaultdict[str, int] = defaultdict(int)
    broken: list[list[str]] = []
    for name, memory in SET.items():
        async with Mind(settings_module.load_settings().changed(namespace=f"silence-{name}")) as mind:
            await mind.import_lines(list(lines(name)))
            for kind in ("near", "far", "answered"):
                for number, asked in enumerate(memory[kind]):
                    half = "validation" if number % 2 else "development"
                    prompt, answer = (asked, None) if isinstance(asked, str) else asked
                    counts[f"{half} {kind}"] += 1
                    for way, texts in (await brought(mind, prompt)).items():
                        came = bool(texts) if answer is None else any(answer in text for text in texts)
                        counts[f"{half} {kind} {way}"] += came
                        if came and answer is None:
                            broken.append([way, kind, prompt, *texts[:2]])
    return {"counts": dict(sorted(counts.items())), "broken": broken}


def main() -> None:
    """Measure, print, write."""
    results = asyncio.run(measure())
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "silence.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    counts = results["counts"]
    for half in ("development", "validation"):
        for kind in ("near", "far", "answered"):
            ways = {way: counts[f"{half} {kind} {way}"] for way in WAYS}
            print(f"{half} {kind}: of {counts[f'{half} {kind}']}", ways)


if __name__ == "__main__":
    main()
