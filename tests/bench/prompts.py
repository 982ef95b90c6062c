"""What a prompt gets from the hook of coding agents: `python -m tests.bench.prompts --data DIR`.

DIR holds realmem_dev.json and score_locomo.py. Each question is a prompt of its time, to which the sessions
before it are known; shown is the share of those that get a thought of a session with an answer, and how many
of ``UNRELATED`` get nothing. Then ``legacymind hook prompt`` is run beside ``legacymind mcp``, for its times.
Needs a home (LEGACYMIND_HOME); ``--every 3`` asks every third question. Writes bench-results/prompts.json.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from legacymind import settings as settings_module
from legacymind.doors.cli.hooks import input as hook_input
from legacymind.doors.cli.hooks.output import recalled
from legacymind.mind import Mind
from legacymind.services.shared.budget import tokens
from tests.bench.locomo import RESULTS, lines, load_scorer, moments

UNRELATED: Final = [
    "What is the capital of Mongolia?",
    "Convert 350 degrees Fahrenheit to Celsius.",
    "Write a haiku about a lighthouse.",
    "Who won the 1998 World Cup?",
    "Explain how a four-stroke engine works.",
    "Translate 'good morning' into Swahili.",
    "What is the derivative of x squared times sin x?",
    "How many moons does Jupiter have?",
    "Sort this list alphabetically: pear, apple, fig.",
    "What does the Latin phrase carpe diem mean?",
    "Give me a synonym for 'ubiquitous'.",
    "How does a bill become law in Canada?",
    "Reverse a linked list in Rust.",
    "What is the boiling point of ethanol?",
    "Who painted The Night Watch?",
    "Explain the offside rule in football.",
    "What year did the Berlin Wall fall?",
    "Write a regular expression that matches a hexadecimal colour.",
    "How do bees make honey?",
    "What is the tallest mountain in Africa?",
    "Explain quantum entanglement to a child.",
    "What is the plural of octopus?",
    "List the first ten prime numbers.",
    "How do I tie a bowline knot?",
    "What is the chemical formula of table salt?",
    "Who wrote Crime and Punishment?",
    "How far is the Moon from the Earth?",
    "Write a limerick about a cat who sails.",
    "What is the difference between a virus and a bacterium?",
    "How do I centre a div with CSS?",
    "What is the national anthem of Norway called?",
    "Explain the Monty Hall problem.",
    "How do tides work?",
    "What are the rules of chess castling?",
    "Compute 17 * 23.",
    "What is the etymology of the word 'salary'?",
    "How does GPS determine a position?",
    "Name three operas by Verdi.",
    "What is a palindrome? Give an example.",
    "thanks, that's all",
]
_LATER: Final = timedelta(minutes=1)
_TIMED: Final = 60
_WARM: Final = 15.0
"""Seconds for `legacymind mcp` to become ready."""


def told(prompt: str) -> hook_input.HookInput:
    """The prompt as a client sends it."""
    return hook_input.read(sent(prompt))


def sent(prompt: str) -> str:
    """The JSON of Claude Code for a prompt."""
    return json.dumps({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt})


def answered(text: str | None, sample: str, golds: Sequence[int]) -> bool:
    """Whether an answer has a thought of one of the sessions."""
    return text is not None and any(f"[{sample}/D{gold}:" in text for gold in golds)


async def measure(folder: Path, every: int) -> dict[str, Any]:
    """Import the conversations, and ask for every prompt."""
    file = folder / "realmem_dev.json"
    questions = {each["sample_id"]: each["qa"] for each in json.loads(file.read_text(encoding="utf-8"))}
    results: dict[str, Any] = {}
    for sample, (turns, _) in load_scorer(folder).load(file).items():
        ends = {turn[4]: moment for turn, moment in zip(turns, moments(turns), strict=True)}
        # Some dates run backwards: a prompt comes after all sessions before its own.
        latest = dict(zip(ends, accumulate(ends.values(), max), strict=True))
        async with Mind(replace(settings_module.load_settings(), namespace=sample)) as mind:
            await mind.import_lines(lines(sample, turns))
            found = [
                (await recalled(mind, told(each["question"]), now=latest[each["session"] - 1] + _LATER), each)
                for each in questions[sample][::every]
            ]
            silent = [(await recalled(mind, told(prompt))) is None for prompt in UNRELATED]
        sizes = [tokens(text) for text, _ in found if text]
        results[sample] = {
            "prompts": len(found),
            "silent": sum(text is None for text, _ in found),
            "gold": sum(answered(text, sample, each["gold_sessions"]) for text, each in found),
            "tokens, median": statistics.median(sizes),
            "tokens, most": max(sizes),
            "unrelated": len(UNRELATED),
            "unrelated and silent": sum(silent),
            "not silent": [prompt for prompt, none in zip(UNRELATED, silent, strict=True) if not none],
        }
        print(sample, results[sample], flush=True)
    return results


def times(namespace: str, prompts: Sequence[str]) -> dict[str, Any]:
    """How long the hook takes for each prompt while `legacymind mcp` runs, and how often it answers.

    The processor time of the hook itself is beside it: on a busy machine, waiting for a core is most of it.
    """
    program = str(Path(sys.executable).parent / "legacymind")
    env = {**os.environ, "LEGACYMIND_NAMESPACE": namespace}
    taken: list[float] = []
    answers = 0
    with subprocess.Popen([program, "mcp"], env=env, stdin=subprocess.PIPE) as server:
        time.sleep(_WARM)
        before = sum(os.times()[2:4])
        for prompt in prompts:
            start = time.perf_counter()
            hook = [program, "hook", "prompt"]
            done = subprocess.run(hook, env=env, input=sent(prompt).encode(), capture_output=True, check=True)
            taken.append((time.perf_counter() - start) * 1000)
            answers += bool(done.stdout)
        used = sum(os.times()[2:4]) - before
        server.terminate()
    return {
        "prompts": len(prompts),
        "answered": answers,
        "p50, ms": round(statistics.median(taken)),
        "p95, ms": round(sorted(taken)[int(0.95 * len(taken))]),
        "processor time of the hook, ms": round(1000 * used / len(prompts)),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of realmem_dev.json and its scorer")
    parser.add_argument("--every", type=int, default=1, help="ask every n-th question")
    given = parser.parse_args()
    results = asyncio.run(measure(given.data, given.every))
    questions = json.loads((given.data / "realmem_dev.json").read_text(encoding="utf-8"))
    asked = [each["question"] for each in questions[0]["qa"]][:_TIMED]
    results["times"] = times(questions[0]["sample_id"], asked)
    print(results["times"])
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "prompts.json").write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
