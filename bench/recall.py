"""What think recalls, against what search finds: `python -m bench.recall [--data DIR]`.

DIR holds the data sets of the evaluation and score_locomo.py, as for bench.locomo. Every question is
asked as a thought a minute after the last turn, and its memories are compared with as many hits of search:

* scales 2 to 5: evidence among the thoughts that come, as a share of the evidence among as many hits; the
  mean number of memories, and the tokens of the answer.
* sample memory: the same with 20 questions on the thoughts about Apollo 13 (recall_texts.json).
* facts: 40 facts are thoughts, each asked for by a question (recall_texts.json).
* unrelated: 40 thoughts about other subjects, in each memory. Memories that come.

Without --data only facts, unrelated thoughts and the sample memory are measured. Needs a home of its own
(LEGACYMIND_HOME); writes bench-results/recall.json.
"""

import argparse
import asyncio
import json
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.locomo import RESULTS, lines, load_scorer, moments
from legacymind import files
from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.model.think import ThinkResult
from legacymind.operations import budget
from legacymind.operations.results import jsonable

SETS = ("locomo10", "realtalk_dev", "beam100k_dev", "realmem_dev", "locoplus_dev")
TEXTS = json.loads(Path(__file__).with_name("recall_texts.json").read_text(encoding="utf-8"))
SCALES = (2, 3, 4, 5)
MOST = 24


@dataclass
class Shares:
    """Evidence among memories and among hits, summed over questions; and what the answers cost."""

    recalled: int = 0
    found: int = 0
    memories: list[int] = field(default_factory=list[int])
    tokens: list[int] = field(default_factory=list[int])

    def add(self, gold: set[str], recalled: Sequence[str], found: Sequence[str], result: ThinkResult) -> None:
        self.recalled += len(gold & set(recalled))
        self.found += len(gold & set(found))
        self.memories.append(len(result.memories))
        self.tokens.append(budget.tokens(jsonable(result)))

    def figures(self) -> dict[str, float]:
        return {
            "of search, %": round(100 * self.recalled / max(self.found, 1), 1),
            "memories": round(statistics.mean(self.memories), 1),
            "tokens, median": statistics.median(self.tokens),
            "tokens, 90 %": sorted(self.tokens)[int(0.9 * len(self.tokens))],
            "tokens, most": max(self.tokens),
        }


async def think(mind: Mind, text: str, scale: int, now: datetime | None = None) -> ThinkResult:
    """A thought that no other recalls: private and without a session."""
    result: ThinkResult = await mind.operations["think"].call(
        {"content": text, "injection_scale": scale, "is_private": True, "created_at": now}
    )
    return result


async def hits(mind: Mind, text: str, k: int, **filters: Any) -> list[str]:
    """The ids of the first hits among thoughts."""
    result = await mind.operations["search"].call(
        {"query": text, "kinds": ["thought"], "limit": k, "max_tokens": 100_000, **filters}
    )
    return [hit.id for hit in result.hits]


def thoughts(result: ThinkResult) -> list[str]:
    return [memory.id for memory in result.memories if memory.kind == "thought"]


def new_shares() -> dict[str, Shares]:
    """No shares yet, by scale."""
    return {f"scale {scale}": Shares() for scale in SCALES}


async def compare(
    mind: Mind, question: str, gold: set[str], end: datetime, shares: dict[str, Shares]
) -> None:
    """Ask one question, whose evidence is ``gold``, as a thought at each scale, and of search."""
    found = await hits(mind, question, MOST, as_of=end.isoformat())
    for scale in SCALES:
        result = await think(mind, question, scale, end)
        came = thoughts(result)
        shares[f"scale {scale}"].add(gold, came, found[: len(came)], result)


async def dialogue(sample: str, turns: list[Any], questions: list[Any], shares: dict[str, Shares]) -> float:
    """Ask a conversation's questions as thoughts; return the memories of an unrelated thought."""
    async with Mind(settings_module.load_settings().changed(namespace=sample)) as mind:
        await mind.import_lines(lines(sample, turns))
        end = max(moments(turns)) + timedelta(minutes=1)
        for _, question, _, evidence in questions:
            await compare(mind, question, {f"{sample}/{turn}" for turn in evidence}, end, shares)
        return await unrelated(mind, end)


async def unrelated(mind: Mind, now: datetime | None = None) -> float:
    """The mean number of memories of a thought about another subject, at scale 2."""
    counts = [len((await think(mind, text, 2, now)).memories) for text in TEXTS["unrelated"]]
    return statistics.mean(counts)


async def facts() -> dict[str, float]:
    """Facts told as thoughts, and each asked for: share recalled, first, and what else comes."""
    async with Mind(settings_module.load_settings().changed(namespace="bench-facts")) as mind:
        for number, pair in enumerate(TEXTS["facts"]):
            await mind.think(
                pair["fact"], session_id="facts", injection_scale=0, idempotency_key=f"fact {number}"
            )
        results = [(pair["fact"], await think(mind, pair["question"], 2)) for pair in TEXTS["facts"]]
        return {
            "recalled, %": 100 * statistics.mean(fact in [m.text for m in r.memories] for fact, r in results),
            "first, %": 100
            * statistics.mean(fact in [m.text for m in r.memories[:1]] for fact, r in results),
            "memories": statistics.mean(len(r.memories) for _, r in results),
            "unrelated": await unrelated(mind),
        }


async def sample_memory() -> dict[str, Any]:
    """The sample memory: its questions, asked as those of a dialogue, and unrelated thoughts."""
    async with Mind(settings_module.load_settings().changed(namespace="bench-sample")) as mind:
        said: dict[str, datetime] = {}
        for file in ("knowledge.jsonl", "thoughts.jsonl"):
            # Written out, since ids are unique in a database: the sample may be in it already.
            text = files.text("seed", file).replace('"a13-', '"bench-a13-')
            await mind.import_lines(text.splitlines())
            for line in map(json.loads, text.splitlines()):
                if line["kind"] == "thought":
                    said[line["id"]] = datetime.fromisoformat(line["created_at"])
        shares = new_shares()
        end = max(said.values()) + timedelta(minutes=1)
        for pair in TEXTS["sample"]:
            await compare(mind, pair["question"], {f"bench-{pair['answer']}"}, end, shares)
        figures = {key: share.figures() for key, share in shares.items()}
        return {**figures, "unrelated": await unrelated(mind, end)}


async def measure(folder: Path | None, limit: int, sets: Sequence[str]) -> dict[str, Any]:
    """Everything, with at most ``limit`` questions of each conversation."""
    results: dict[str, Any] = {"facts": await facts()}
    results["sample memory"] = await sample_memory()
    if folder is None:
        return results
    scorer = load_scorer(folder)
    for name in sets:
        shares = new_shares()
        others: list[float] = []
        for sample, (turns, questions) in scorer.load(folder / f"{name}.json").items():
            asked = [q for q in questions if q[3] and not (name == "locomo10" and q[2] == 5)]
            random.Random(7).shuffle(asked)
            others.append(await dialogue(sample, turns, asked[:limit], shares))
            so_far = {key: share.figures()["of search, %"] for key, share in shares.items()}
            print(name, sample, so_far, flush=True)
        results[name] = {key: share.figures() for key, share in shares.items()}
        results[name]["unrelated"] = round(statistics.mean(others), 2)
    return results


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the data sets and their scorer")
    parser.add_argument("--questions", type=int, default=20, help="questions of each conversation")
    parser.add_argument("--set", action="append", choices=SETS)
    given = parser.parse_args()
    results = asyncio.run(measure(given.data, given.questions, given.set or SETS))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "recall.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
