"""One namespace beside many: `python -m bench.tenants --tenants 300 --thoughts 100`.

A namespace of so many thoughts in one session is read alone, and again beside copies of it: the same session,
labels, authors, texts and vectors in every other namespace, the worst case for an index that all share. For
each reading operation, the database hits and the median seconds, alone and beside, and their ratios; for each
kind of search also whether its hits and their order are the same. The embedder is the tests' own. Needs a
home of its own (LEGACYMIND_HOME); writes bench-results/tenants.json.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from typing import Any, Final

from bench.bare import RESULTS, sentence
from legacymind import settings as settings_module
from legacymind.mind import Mind
from legacymind.services.think.inputs import ThoughtInput
from legacymind.text import fulltext
from tests.fakes import FakeEmbedder
from tests.services.test_tenants import COPY
from tests.wire import db_hits, raw, text_indexed

ROUNDS: Final = 15
SESSION: Final = {"session_id": "tenants"}
CALLS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    **{
        f"search by {method}, {limit}": ("search", {"query": "", "method": method, "limit": limit, **budget})
        for method in ("vector", "text", "graph")
        for limit, budget in ((20, {}), (100, {"max_tokens": 100_000}))
    },
    "recall": ("recall", {"content": "", "injection_scale": 3}),
    "context": ("context", {"query": "", **SESSION}),
    "thread": ("thoughts_thread", SESSION),
    "tree": ("thought_tree", SESSION),
    "latest": ("search", {}),
    "entity": ("entity", {"name": "Pump"}),
}


async def measure(mind: Mind, text: str) -> dict[str, Any]:
    """The hits, the median seconds and the found ids of each call."""
    found: dict[str, Any] = {}
    for name, (operation, arguments) in CALLS.items():
        given = {key: text if value == "" else value for key, value in arguments.items()}
        seconds: list[float] = []
        answer: Any = None
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            answer = await mind.operations[operation].call(given)
            seconds.append(time.perf_counter() - begun)
        found[name] = {
            "db_hits": await db_hits(mind, operation, given),
            "ms": round(1000 * statistics.median(seconds), 2),
            "ids": [hit.id for hit in getattr(answer, "hits", [])],
        }
    return found


async def main(tenants: int, thoughts: int) -> None:
    """Print the figures alone and beside the others."""
    dice = random.Random(5)
    settings = settings_module.load_settings().changed(namespace="tenants")
    async with Mind(settings, embedder=FakeEmbedder()) as mind:
        await mind.engine.up()
        texts = [f"The pump {sentence(dice)}" for _ in range(thoughts)]
        for start in range(0, thoughts, 50):
            part = texts[start : start + 50]
            await mind.think_batch(
                [ThoughtInput(content=text, session_id="tenants", chain_id="label") for text in part]
            )
        await mind.operations["remember"].call(
            {"observations": [{"entity": "Pump", "content": "It is loud."}]}
        )
        await text_indexed(mind)
        await measure(mind, texts[0])  # Plans and caches are warm from here on.
        alone = await measure(mind, texts[0])
        for start in range(0, tenants, 20):
            names = [f"tenants-{number}" for number in range(start, min(start + 20, tenants))]
            others = [{"namespace": name, "key": fulltext.namespace_key(name)} for name in names]
            await raw(mind, COPY, ns=settings.namespace, others=others)
        await text_indexed(mind)
        beside = await measure(mind, texts[0])
    result = {
        name: {
            "hits": [one["db_hits"], other["db_hits"], round(other["db_hits"] / one["db_hits"], 2)],
            "ms": [one["ms"], other["ms"], round(other["ms"] / one["ms"], 2)],
            "found": [len(one["ids"]), len(set(one["ids"]) & set(other["ids"]))],
            "same order": one["ids"] == other["ids"],
        }
        for name, one, other in ((name, alone[name], beside[name]) for name in CALLS)
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "tenants.json").write_text(json.dumps(result, indent=2), encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tenants", type=int, default=300)
    parser.add_argument("--thoughts", type=int, default=100)
    options = parser.parse_args()
    asyncio.run(main(options.tenants, options.thoughts))
