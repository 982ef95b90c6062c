"""Measure the speed and memory of the embedders: `python -m bench.embedders`.

For texts of 20, 100 and 500 tokens in calls of 1, 8, 32 and 128 it measures texts per second, by the clock
and by processor time (the reliable figure on a busy machine). Each embedder runs in a process of its own,
with 1 and 2 threads. MiniLM embeds texts of 2,000 words, in windows, with one thread and with the default. It
also measures the time to load, the memory, and the best size for a run of the model.
`openai` talks to a server in the same process that answers at once, which leaves only LegacyMind's own cost.
Prints bars, and writes bench-results/embedders.json and the same bars as embedders.svg.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import psutil
from rich.console import Console

from bench import embedders_plot
from bench.svg import export_svg
from legacymind import settings as settings_module
from legacymind.embed import Embedder, local, make_embedder
from legacymind.embed.models import Published
from legacymind.settings import Settings
from tests.embed.fake_openai import FakeOpenAI

RESULTS = Path("bench-results")
LENGTHS, BATCHES, THREADS = (20, 100, 500), (1, 8, 32, 128), (1, 2)
LONG, LONG_TEXTS, DEFAULT = 2000, 8, 0
"""Words of a long text, long texts in a call, and the setting of the default number of threads."""
RUNS = (256, 512, 1024, 2048, 4096)
SECONDS = 1.0  # of measurement for each cell, with at least one call
SHORT = 16_000  # most tokens in a call with --short

# Each is one token for MiniLM's tokenizer.
WORDS = (
    "the river runs past an old mill and a quiet garden where two brown dogs sleep under green trees".split()
)


def texts(tokens: int, count: int) -> list[str]:
    """Return ``count`` different texts of ``tokens`` tokens, in sentences of ten words."""
    found: list[str] = []
    for number in range(count):
        words = [WORDS[(i * 7 + number * 3 + i // 10) % len(WORDS)] for i in range(tokens)]
        words[9::10] = ["."] * len(words[9::10])
        found.append(" ".join(words))
    return found


async def rates(embedder: Embedder, given: list[str], seconds: float) -> tuple[float, float]:
    """Return texts a second, by the clock and by processor time."""
    await embedder.embed(given[:1])
    count, started, spent = 0, time.perf_counter(), time.process_time()
    while count == 0 or time.perf_counter() - started < seconds:
        await embedder.embed(given)
        count += len(given)
    return count / (time.perf_counter() - started), count / (time.process_time() - spent)


def configured(provider: str, threads: int, url: str) -> Settings:
    base = settings_module.load_settings()
    made = Published(Settings(cache=base.cache)).folder
    return Settings(
        cache=base.cache,
        cache_max=0,
        embedding_provider=cast("Any", provider),  # Settings validates it
        embed_threads=threads,
        embedding_model="sentence-transformers/all-MiniLM-L6-v2" if provider == "fastembed" else "",
        embedding_model_path=str(made) if provider == "fastembed" else "",
        embedding_dimensions=384,
        openai_base_url=url,
    )


async def one(provider: str, threads: int, most: int | None) -> dict[str, Any]:
    """Measure one embedder in this process."""
    async with FakeOpenAI().up() as server:
        embedder = make_embedder(configured(provider, threads, server.url))
        await embedder.fetch()
        process = psutil.Process()
        before, started = process.memory_info().rss, time.perf_counter()
        await embedder.embed(["first"])
        report: dict[str, Any] = {
            "provider": provider,
            "threads": threads,
            "load_s": round(time.perf_counter() - started, 2),
            "cells": [],
            "runs": [],
        }
        for tokens in LENGTHS:
            for batch in BATCHES:
                if most is not None and tokens * batch > most:
                    continue
                wall, cpu = await rates(embedder, texts(tokens, batch), SECONDS)
                report["cells"].append({"tokens": tokens, "batch": batch, "wall": wall, "cpu": cpu})
        if provider == "minilm":
            for size in RUNS:
                local.RUN_TOKENS = size
                wall, cpu = await rates(embedder, texts(34, 128), 2 * SECONDS)
                report["runs"].append({"tokens": size, "wall": wall, "cpu": cpu})
        report["rss_mb"] = round((process.memory_info().rss - before) / 2**20)
        await embedder.close()
    return report


async def long_texts(threads: int) -> dict[str, Any]:
    """Measure MiniLM with long texts in this process."""
    embedder = make_embedder(configured("minilm", threads, ""))
    await embedder.fetch()
    wall, cpu = await rates(embedder, texts(LONG, LONG_TEXTS), 10 * SECONDS)
    await embedder.close()
    return {"threads": threads, "wall": wall, "cpu": cpu}


def in_own_process(provider: str, threads: int, *options: str) -> dict[str, Any]:
    """Run ``one``, or ``long_texts`` with the option `--long`, in a process of its own."""
    command = [sys.executable, "-m", "bench.embedders", "--one", provider, "--threads", str(threads)]
    run = subprocess.run(
        [*command, *options],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def show(measured: dict[str, Any]) -> None:
    """Print the plot, then the time to load each embedder."""
    console = Console(width=120, highlight=False)
    for line in embedders_plot.plot(measured):
        console.print(line)
    console.print()
    for report in measured["reports"]:
        console.print(
            f"{report['provider']}, {report['threads']} thread(s): loaded in {report['load_s']} s, "
            f"{report['rss_mb']} MB more memory at the end"
        )
    for row in measured["long"]:
        threads = f"{row['threads']} thread" if row["threads"] else "the default number of threads"
        console.print(
            f"minilm, {threads}: {row['wall']:.2f} texts of {LONG:,} words a second, "
            f"{row['cpu']:.2f} for each second of processor time"
        )


def main() -> None:
    """Measure every embedder, or the one that `--one` names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", choices=("minilm", "fastembed", "openai"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--short", action="store_true", help=f"Leave out calls of more than {SHORT:,} tokens."
    )
    parser.add_argument("--long", action="store_true", help="With --one: measure long texts only.")
    arguments = parser.parse_args()
    if arguments.one and arguments.long:
        print(json.dumps(asyncio.run(long_texts(arguments.threads))))
        return
    if arguments.one:
        print(
            json.dumps(asyncio.run(one(arguments.one, arguments.threads, SHORT if arguments.short else None)))
        )
        return
    options = ["--short"] * arguments.short
    reports = [in_own_process(provider, n, *options) for provider in ("minilm", "fastembed") for n in THREADS]
    reports.append(in_own_process("openai", 1, *options))
    measured = {"cores": os.cpu_count(), "load": os.getloadavg(), "reports": reports}
    measured["long"] = [in_own_process("minilm", n, "--long") for n in (1, DEFAULT)]
    show(measured)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "embedders.json").write_text(json.dumps(measured, indent=1), encoding="utf-8")
    picture = export_svg(
        [*embedders_plot.plot(measured)], title="How fast the embedders are", width=embedders_plot.WIDTH
    )
    (RESULTS / "embedders.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
