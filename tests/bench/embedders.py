"""How fast the embedders at hand are, and what they take: `python -m tests.bench.embedders`.

For texts of 20, 100 and 500 tokens in calls of 1, 8, 32 and 128: texts a second by the clock and by the time
of the processor (the figure to trust on a machine that does other things), each embedder in a process of its
own, with 1 and 2 threads; the time to load it and the memory it takes; and how large a run of the model is
best. `openai` is asked of a server in the same process that answers at once: what is left is our own part.
Prints bars, and writes bench-results/embedders.json and a plot of it, embedders.svg.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.table import Table

from legacymind import settings as settings_module
from legacymind.embed import Embedder, local, make_embedder, minilm_files
from legacymind.settings import Settings
from tests.bench import embedders_svg
from tests.embed.fake_openai import FakeOpenAI

RESULTS = Path("bench-results")
LENGTHS, BATCHES, THREADS = (20, 100, 500), (1, 8, 32, 128), (1, 2)
RUNS = (256, 512, 1024, 2048, 4096)
SECONDS = 1.0  # for each cell, and one call at least
SHORT = 16_000  # tokens of a call at most, with --short

# One token each, for MiniLM's tokenizer.
WORDS = (
    "the river runs past an old mill and a quiet garden where two brown dogs sleep under green trees".split()
)


def texts(tokens: int, count: int) -> list[str]:
    """So many different texts of so many tokens, in sentences of ten words."""
    found: list[str] = []
    for number in range(count):
        words = [WORDS[(i * 7 + number * 3 + i // 10) % len(WORDS)] for i in range(tokens)]
        words[9::10] = ["."] * len(words[9::10])
        found.append(" ".join(words))
    return found


async def rates(embedder: Embedder, given: list[str], seconds: float) -> tuple[float, float]:
    """Texts a second, by the clock and by the processor's time."""
    await embedder.embed(given[:1])
    count, started, spent = 0, time.perf_counter(), time.process_time()
    while count == 0 or time.perf_counter() - started < seconds:
        await embedder.embed(given)
        count += len(given)
    return count / (time.perf_counter() - started), count / (time.process_time() - spent)


def configured(provider: str, threads: int, url: str) -> Settings:
    base = settings_module.load_settings()
    made = minilm_files.folder(base.cache_path)
    return Settings(
        cache=base.cache,
        cache_max=0,
        embedding_provider=provider,
        embed_threads=threads,
        embedding_model="sentence-transformers/all-MiniLM-L6-v2" if provider == "fastembed" else "",
        embedding_model_path=str(made) if provider == "fastembed" else "",
        embedding_dimensions=384,
        openai_base_url=url,
    )


async def one(provider: str, threads: int, most: int | None) -> dict[str, Any]:
    """Everything about one embedder, in this process."""
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


def measured(provider: str, threads: int, *, short: bool) -> dict[str, Any]:
    """The same, in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.bench.embedders", "--one", provider, "--threads", str(threads)]
        + ["--short"] * short,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def show(reports: list[dict[str, Any]]) -> None:
    """Bars, on a terminal or not."""
    console = Console(width=120)
    for tokens in LENGTHS:
        table = Table(
            title=f"{tokens} tokens: texts a second (clock | processor)", box=None, title_justify="left"
        )
        for name in ("", "in a call", "clock", "processor", ""):
            table.add_column(name, justify="left" if name == "" else "right")
        rows = [
            (f"{report['provider']}, {report['threads']} thread{'s' * (report['threads'] > 1)}", cell)
            for report in reports
            for cell in report["cells"]
            if cell["tokens"] == tokens
        ]
        most = max(cell["wall"] for label, cell in rows if not label.startswith("openai"))
        for label, cell in rows:
            bar = "█" * min(40, max(1, round(40 * cell["wall"] / most)))
            table.add_row(label, str(cell["batch"]), f"{cell['wall']:.0f}", f"{cell['cpu']:.0f}", bar)
        console.print(table)
    for report in reports:
        runs = ", ".join(f"{run['tokens']}: {run['wall']:.0f} | {run['cpu']:.0f}" for run in report["runs"])
        console.print(
            f"{report['provider']}, {report['threads']} thread(s): loaded in {report['load_s']} s, "
            f"{report['rss_mb']} MB more at the end"
            + (f"; runs of so many tokens a thread: {runs}" if runs else "")
        )


def main() -> None:
    """Measure all, or `--one`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", choices=("minilm", "fastembed", "openai"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--short", action="store_true", help=f"Leave out calls of more than {SHORT:,} tokens."
    )
    arguments = parser.parse_args()
    if arguments.one:
        print(
            json.dumps(asyncio.run(one(arguments.one, arguments.threads, SHORT if arguments.short else None)))
        )
        return
    reports = [
        measured(provider, n, short=arguments.short) for provider in ("minilm", "fastembed") for n in THREADS
    ]
    reports.append(measured("openai", 1, short=arguments.short))
    show(reports)
    RESULTS.mkdir(exist_ok=True)
    told = {"cores": os.cpu_count(), "load": os.getloadavg(), "reports": reports}
    (RESULTS / "embedders.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    (RESULTS / "embedders.svg").write_text(embedders_svg.plot(told), encoding="utf-8")


if __name__ == "__main__":
    main()
